#!/usr/bin/env python3
"""Prints what Python's zoneinfo says of every zone of the machine: ZONE<tab>MICROSECONDS<tab>TEXT, around each change of its clocks
and at random instants.

table.py SEED
"""

from __future__ import annotations

import random
import struct
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

DATABASE = Path("/usr/share/zoneinfo")
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
# Those that have to be there, each for something of its own.
NAMED = [
    "Africa/Casablanca",
    "America/Sao_Paulo",
    "Antarctica/Troll",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Europe/Dublin",
    "Europe/London",
    "Pacific/Apia",
]
# What 64 bits of nanoseconds hold, and what four digits of a year do, a day off.
NANOSECONDS = 9_223_372_036_854_775
FIRST, LAST = -62_135_510_400_000_000, 253_402_214_399_999_999


def changes(name: str) -> list[int]:
    """The seconds in the file of the zone: the second block's times, or the first one's where it is the only one."""
    data = (DATABASE / name).read_bytes()
    counts = struct.unpack_from(">6l", data, 20)
    if data[4:5] < b"2":
        return list(struct.unpack_from(f">{counts[3]}l", data, 44))
    ut, standard, leap, time, kind, letters = counts
    start = 44 + time * 5 + kind * 6 + letters + leap * 8 + standard + ut
    count = struct.unpack_from(">6l", data, start + 20)[3]
    return list(struct.unpack_from(f">{count}q", data, start + 44))


def found_changes(zone: ZoneInfo, year: int) -> list[int]:
    """The seconds of a year at which the offset changes, by looking for them."""
    first = int((datetime(year, 1, 1, tzinfo=timezone.utc) - EPOCH).total_seconds())

    def offset(second: int) -> timedelta | None:
        return (EPOCH + timedelta(seconds=second)).astimezone(zone).utcoffset()

    result = []
    for low in range(first, first + 366 * 86400, 5 * 86400):
        high = low + 5 * 86400
        if offset(low) == offset(high):
            continue
        while high - low > 1:
            middle = (low + high) // 2
            if offset(middle) == offset(low):
                low = middle
            else:
                high = middle
        result.append(high)
    return result


def text(microseconds: int, zone: ZoneInfo) -> str:
    """With an offset of whole minutes, as RFC 3339 has it, and by the second where nanoseconds do not fit."""
    time = (EPOCH + timedelta(microseconds=microseconds)).astimezone(zone)
    offset = time.utcoffset()
    assert offset is not None
    minutes = abs(int(offset.total_seconds())) // 60
    minutes = -minutes if offset < timedelta(0) else minutes
    fixed = timezone(timedelta(minutes=minutes))
    whole = time.astimezone(fixed)
    if abs(microseconds) > NANOSECONDS:
        return whole.replace(tzinfo=None).isoformat(timespec="seconds")
    return whole.isoformat(timespec="microseconds")


def instants(name: str, zone: ZoneInfo, chance: random.Random) -> list[int]:
    result = [chance.randrange(FIRST, LAST) for _ in range(20)]
    result += [chance.randrange(-NANOSECONDS, NANOSECONDS) for _ in range(60)]
    seconds = changes(name)
    for year in (2038, 2096, 2199):
        seconds += found_changes(zone, year)
    for second in seconds:
        if FIRST < (second - 1) * 1_000_000 and second * 1_000_000 < LAST:
            result += [second * 1_000_000 - 1, second * 1_000_000]
    return result


def main() -> None:
    chance = random.Random(int(sys.argv[1]))
    names = sorted(name for name in available_timezones() if (DATABASE / name).exists())
    missing = [name for name in NAMED if name not in names]
    if missing or len(names) < 300:
        sys.exit(
            f"the database of time zones is not complete: {len(names)} zones, without {missing}"
        )
    for name in names:
        zone = ZoneInfo(name)
        for microseconds in instants(name, zone, chance):
            print(name, microseconds, text(microseconds, zone), sep="\t")


main()
