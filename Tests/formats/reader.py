#!/usr/bin/env python3
"""An independent reader of domain files, written from docs/formats.md and docs/values.md alone.

It reads, and where needed recovers, privately: it takes no lock and writes nothing.

    reader.py FILE [--boot-id TEXT] [--health]

prints one JSON object a line for each key, in insertion order:

    {"key": "volume", "value": 0.5, "cbor": "fb3fe0...", "revision": 7, "time": 1790000000000000000, "pid": 1, "uid": 0,
     "program": "demo"}
    {"key": "broken", "error": "CORRUPT"}

A key of which only the hash is known has "hash" instead of "key". The exit status is 0, or 7 for a file that is refused.
"""

from __future__ import annotations

import argparse
import base64
import dataclasses
import datetime
import json
import math
import struct
import sys
from dataclasses import dataclass, field
from pathlib import Path

MASK = (1 << 64) - 1
PAGE = 4096
FRAME = 64
SECTOR = 512
REVISION_LIMIT = 1 << 43
LENGTH_LIMIT = 8 << 30
MAGIC = b"SATCHEL1"
SET, UNSET, LOST, NOTE = 1, 2, 3, 4


class RefusedError(Exception):
    """The file is not one that this reader may read."""


# Checksums and hashes


def _table() -> list[int]:
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
        table.append(crc)
    return table


_CRC = _table()


def crc32c(seed: int, data: bytes) -> int:
    """CRC-32C, continuing from `seed` as the CRC of the bytes before."""
    crc = seed ^ 0xFFFFFFFF
    for byte in data:
        crc = _CRC[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def _mix(left: int, right: int) -> int:
    product = left * right
    return (product & MASK) ^ (product >> 64)


def key_hash(seed: int, data: bytes) -> int:
    """The key hash of section 1.2."""
    h = seed ^ (len(data) * 0x9E3779B97F4A7C15 & MASK)
    whole = len(data) // 8 * 8
    for at in range(0, whole, 8):
        h = _mix(h ^ int.from_bytes(data[at : at + 8], "little"), 0xA0761D6478BD642F)
    return _mix(h ^ int.from_bytes(data[whole:], "little"), 0xE7037ED1A0B428DB)


# CBOR, section 4 of docs/values.md


class CBORError(Exception):
    """Bytes that are not a value in the one allowed form."""


@dataclass(frozen=True)
class Data:
    value: bytes


@dataclass(frozen=True)
class Date:
    seconds: int
    nanoseconds: int


@dataclass(frozen=True)
class URL:
    value: str


@dataclass(frozen=True)
class UUID:
    value: bytes


Value = (
    None
    | bool
    | int
    | float
    | str
    | Data
    | Date
    | URL
    | UUID
    | list["Value"]
    | dict[str, "Value"]
)


class _Decoder:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, size: int) -> bytes:
        if size > len(self.data) - self.at:
            raise CBORError(f"length beyond the end at {self.at}")
        self.at += size
        return self.data[self.at - size : self.at]

    def head(self) -> tuple[int, int, int]:
        """Major type, additional bits, argument; the shortest form only."""
        first = self.take(1)[0]
        major, low = first >> 5, first & 31
        if low < 24:
            return major, low, low
        if low > 27:
            raise CBORError(f"indefinite or reserved length at {self.at}")
        size = 1 << (low - 24)
        number = int.from_bytes(self.take(size), "big")
        if major != 7 and number < (24, 1 << 8, 1 << 16, 1 << 32)[low - 24]:
            raise CBORError(f"a head longer than necessary at {self.at}")
        return major, low, number

    def text(self, size: int) -> str:
        try:
            return self.take(size).decode("utf-8")
        except UnicodeDecodeError as error:
            raise CBORError(f"not UTF-8 at {self.at}") from error

    def string(self) -> str:
        major, _, number = self.head()
        if major != 3:
            raise CBORError(f"no string at {self.at}")
        return self.text(number)

    def value(self, depth: int = 0) -> Value:
        if depth > 64:
            raise CBORError("nested too deep")
        major, low, number = self.head()
        if major == 0:
            return number
        if major == 1:
            if number >= 1 << 63:
                raise CBORError("below the smallest integer")
            return -1 - number
        if major == 2:
            return Data(self.take(number))
        if major == 3:
            return self.text(number)
        if major == 4:
            return [self.value(depth + 1) for _ in range(number)]
        if major == 5:
            result: dict[str, Value] = {}
            for _ in range(number):
                key = self.string()
                if key in result:
                    raise CBORError(f"a key twice: {key}")
                result[key] = self.value(depth + 1)
            return result
        return self.tagged(number) if major == 6 else self.simple(low, number)

    def tagged(self, tag: int) -> Value:
        if tag == 1001:
            return self.date()
        if tag == 32:
            text = self.string()
            if not text or any(ord(c) <= 32 or ord(c) == 127 for c in text):
                raise CBORError("a URL that is none")
            return URL(text)
        if tag == 37:
            if self.head() != (2, 16, 16):
                raise CBORError("a UUID that has not 16 bytes")
            return UUID(self.take(16))
        raise CBORError(f"tag {tag}")

    def integer(self) -> int:
        number = self.value(64)
        if not isinstance(number, int) or isinstance(number, bool):
            raise CBORError("no integer")
        return number

    def date(self) -> Date:
        major, _, entries = self.head()
        if major != 5 or entries not in (1, 2) or self.integer() != 1:
            raise CBORError("no date")
        seconds, nanoseconds = self.integer(), 0
        if entries == 2:
            if self.integer() != -9:
                raise CBORError("no date")
            nanoseconds = self.integer()
            if not 0 < nanoseconds < 10**9:
                raise CBORError("nanoseconds outside 1 ... 999,999,999")
        if not -(1 << 63) <= seconds < 1 << 63:
            raise CBORError("seconds beyond 64 bits")
        return Date(seconds, nanoseconds)

    def simple(self, low: int, number: int) -> Value:
        if low in (20, 21):
            return low == 21
        if low == 22:
            return None
        if low != 27:
            raise CBORError(f"simple value {low}")
        bits = struct.pack(">Q", number)
        result: float = struct.unpack(">d", bits)[0]
        if math.isnan(result) and number != 0x7FF8000000000000:
            raise CBORError("another NaN")
        return result


def decode(data: bytes) -> Value:
    """The value, or CBORError."""
    decoder = _Decoder(data)
    result = decoder.value()
    if decoder.at != len(data):
        raise CBORError("bytes behind the item")
    return result


def _head(major: int, number: int) -> bytes:
    if number < 24:
        return bytes([major << 5 | number])
    for low, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if number < 1 << 8 * size:
            return bytes([major << 5 | low]) + number.to_bytes(size, "big")
    raise CBORError("a number beyond 64 bits")


def encode(value: Value) -> bytes:
    """The one form of a value; decode and encode agree, which the tests use to show that nothing was accepted loosely."""
    if value is None:
        return b"\xf6"
    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return _head(0, value) if value >= 0 else _head(1, -1 - value)
    if isinstance(value, float):
        return b"\xfb" + (
            bytes.fromhex("7ff8000000000000")
            if math.isnan(value)
            else struct.pack(">d", value)
        )
    if isinstance(value, str):
        return _head(3, len(value.encode())) + value.encode()
    if isinstance(value, Data):
        return _head(2, len(value.value)) + value.value
    if isinstance(value, Date):
        if value.nanoseconds:
            return (
                b"\xd9\x03\xe9\xa2\x01"
                + encode(value.seconds)
                + b"\x28"
                + encode(value.nanoseconds)
            )
        return b"\xd9\x03\xe9\xa1\x01" + encode(value.seconds)
    if isinstance(value, URL):
        return b"\xd8\x20" + encode(value.value)
    if isinstance(value, UUID):
        return b"\xd8\x25\x50" + value.value
    if isinstance(value, list):
        return _head(4, len(value)) + b"".join(encode(item) for item in value)
    return _head(5, len(value)) + b"".join(
        encode(key) + encode(item) for key, item in value.items()
    )


def _date_json(date: Date) -> object:
    try:
        moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(
            seconds=date.seconds
        )
    except OverflowError:
        return {"$date": {"seconds": date.seconds, "nanoseconds": date.nanoseconds}}
    fraction = f".{date.nanoseconds:09d}".rstrip("0").rstrip(".")
    return {
        "$date": f"{moment.year:04d}{moment.strftime('-%m-%dT%H:%M:%S')}{fraction}Z"
    }


def to_json(value: Value) -> object:
    """What section 5 of docs/values.md says, as objects of Python's json."""
    if isinstance(value, float) and not math.isfinite(value):
        return {
            "$double": "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
        }
    if isinstance(value, Data):
        return {"$data": base64.b64encode(value.value).decode()}
    if isinstance(value, Date):
        return _date_json(value)
    if isinstance(value, URL):
        return {"$url": value.value}
    if isinstance(value, UUID):
        h = value.value.hex()
        return {"$uuid": f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:]}"}
    if isinstance(value, list):
        return [to_json(item) for item in value]
    if isinstance(value, dict):
        result = {key: to_json(item) for key, item in value.items()}
        return (
            {"$object": result}
            if len(value) == 1 and next(iter(value)).startswith("$")
            else result
        )
    return value


# The file


@dataclass(frozen=True)
class Header:
    generation: int
    base_revision: int
    hash_seed: int
    salt: int
    portable: bool
    snapshot_end: int
    history_end: int

    def is_plausible(self) -> bool:
        return (
            PAGE <= self.snapshot_end <= self.history_end <= LENGTH_LIMIT
            and self.snapshot_end % 8 == 0
            and self.history_end % 8 == 0
            and self.base_revision < REVISION_LIMIT
            and self.generation < 1 << 62
        )


@dataclass(frozen=True)
class Frame:
    offset: int
    size: int
    body_crc: int
    previous: int
    revision: int
    key_hash: int
    order: int
    time: int
    pid: int
    uid: int
    operation: int
    more: bool
    key: bytes
    value: bytes
    program: bytes
    body_right: bool

    @property
    def end(self) -> int:
        return self.offset + self.size


@dataclass
class Entry:
    """The newest record of a key: a frame, or None where that is damaged or lost."""

    key: bytes | None
    frame: Frame | None


@dataclass
class View:
    header: Header
    end: int = 0
    revision: int = 0
    damaged: int = 0
    degraded: bool = False
    dropped: int = 0
    recovered: bool = False
    entries: dict[int, Entry] = field(default_factory=dict)
    notes: list[dict[str, object]] = field(default_factory=list)

    def live(self) -> list[Entry]:
        """Keys that have a value, in insertion order; then the corrupt ones."""
        live = [
            e
            for e in self.entries.values()
            if e.frame is not None and e.frame.operation == SET
        ]
        corrupt = [e for e in self.entries.values() if e.frame is None]
        return (
            sorted(
                live,
                key=lambda e: (e.frame.order, e.frame.key_hash) if e.frame else (0, 0),
            )
            + corrupt
        )


def _u32(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def _u64(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 8], "little")


def read_header(data: bytes) -> Header:
    """The first copy whose magic and CRC are right."""
    if len(data) < PAGE:
        raise RefusedError("cut inside the header")
    for at in (0, 2048):
        if data[at : at + 8] != MAGIC or crc32c(0, data[at : at + 76]) != _u32(
            data, at + 76
        ):
            continue
        if _u32(data, at + 8) != 1:
            raise RefusedError(f"version {_u32(data, at + 8)}")
        header = Header(
            generation=_u64(data, at + 16),
            base_revision=_u64(data, at + 24),
            hash_seed=_u64(data, at + 32),
            salt=_u32(data, at + 40),
            portable=_u32(data, at + 44) != 0,
            snapshot_end=_u64(data, at + 48),
            history_end=_u64(data, at + 56),
        )
        if not header.is_plausible():
            raise RefusedError("a header with impossible fields")
        return header
    raise RefusedError("no header")


def boot_hash(text: str | None = None) -> int:
    if text is None:
        try:
            text = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")[
                :36
            ]
        except OSError:
            return 1
    return key_hash(0, text.encode()) | 1


@dataclass
class Stretch:
    """How far a walk has come."""

    at: int
    revision: int
    # The body CRC that the next frame names as `prev`; None behind damage.
    crc: int | None
    # Start and key of a hole that ends at `at`.
    hole: tuple[int, bool] | None = None
    # Behind the last record with a right header that ends a transaction.
    whole: int = 0


class Reader:
    """Sections 1.3 and 1.4 on one file in memory."""

    def __init__(self, data: bytes, boot: int) -> None:
        self.data = data
        self.size = len(data) & ~7
        self.boot = boot
        self.header = read_header(data)
        self.view = View(self.header)

    def commit_length(self, at: int) -> int | None:
        """The length that a commit word names, or None where it is not believed for itself."""
        word = _u64(self.data, at)
        number = word & (1 << 40) - 1
        check = crc32c(self.header.salt, number.to_bytes(8, "little")) & 0x7FFFFF
        length = number << 3
        if word >> 40 & 0x7FFFFF != check:
            return None
        return length if self.header.history_end <= length <= LENGTH_LIMIT else None

    def has_header(self, at: int, end: int) -> bool:
        """A frame header that is right, whatever room there is for the rest."""
        if end - at < FRAME:
            return False
        head = self.data[at : at + FRAME]
        size = _u32(head, 8)
        parts = FRAME + int.from_bytes(head[56:58], "little") + head[60] + head[61]
        return (
            size >= FRAME
            and size % 8 == 0
            and parts <= size
            and SET <= head[58] <= NOTE
            and _u64(head, 16) < REVISION_LIMIT
            and _u32(head, 4) == crc32c(self.header.salt, head[8:])
        )

    def frame(self, at: int, end: int) -> Frame | None:
        """A frame whose header is right and that ends by `end`; its body may be damaged."""
        if not self.has_header(at, end) or at + _u32(self.data, at + 8) > end:
            return None
        head = self.data[at : at + FRAME]
        size, crc = _u32(head, 8), _u32(head, 4)
        key_size = int.from_bytes(head[56:58], "little")
        program_size, padding = head[60], head[61]
        body = self.data[at + FRAME : at + size]
        value_end = len(body) - program_size - padding
        return Frame(
            offset=at,
            size=size,
            body_crc=_u32(head, 0),
            previous=_u32(head, 12),
            revision=_u64(head, 16),
            key_hash=_u64(head, 24),
            order=_u64(head, 32),
            time=struct.unpack_from("<q", head, 40)[0],
            pid=_u32(head, 48),
            uid=_u32(head, 52),
            operation=head[58],
            more=bool(head[59] & 1),
            key=body[:key_size],
            value=body[key_size:value_end],
            program=body[value_end : value_end + program_size],
            body_right=_u32(head, 0) == crc32c(crc, body),
        )

    # Section 1.3

    def take(self, frame: Frame) -> None:
        if not frame.body_right:
            self.damaged_body(frame)
        elif frame.operation == NOTE:
            self.note(frame)
        elif frame.operation == LOST:
            self.lose(frame.key_hash, frame.key or None)
        else:
            self.view.entries[frame.key_hash] = Entry(frame.key, frame)

    def note(self, frame: Frame) -> None:
        note = decode(frame.value)
        if not isinstance(note, dict):
            return
        self.view.notes.append({key: to_json(item) for key, item in note.items()})
        if note.get("kind") == "damaged":
            self.view.degraded = True
        if note.get("kind") == "accepted":
            self.view.degraded = False

    def lose(self, hashed: int, key: bytes | None) -> None:
        known = self.view.entries.get(hashed)
        self.view.entries[hashed] = Entry(
            key if key is not None else known.key if known else None, None
        )

    def damaged_body(self, frame: Frame) -> None:
        self.view.damaged += 1
        if frame.operation == NOTE:
            self.view.degraded = True
            return
        right = key_hash(self.header.hash_seed, frame.key) == frame.key_hash
        self.lose(frame.key_hash, frame.key if right else None)

    def key_of_hole(self, at: int, end: int) -> tuple[int, bytes] | None:
        """Hash and key of the damaged record at `at`, where they can still be told."""
        if end - at < FRAME:
            return None
        stored = _u64(self.data, at + 24)
        stored_size = int.from_bytes(self.data[at + 56 : at + 58], "little")
        key = self.data[at + FRAME : min(at + FRAME + stored_size, end)]
        if len(key) == stored_size and 0 < stored_size <= 1024:
            hashed = key_hash(self.header.hash_seed, key)
            if (
                sum(
                    (hashed >> 8 * i & 255) == (stored >> 8 * i & 255) for i in range(8)
                )
                >= 7
            ):
                return hashed, key
        for size in range(1, min(1024, end - at - FRAME) + 1):
            key = self.data[at + FRAME : at + FRAME + size]
            if key_hash(self.header.hash_seed, key) == stored:
                return stored, key
        return None

    def next_whole(self, at: int, end: int, revision: int) -> Frame | None:
        for offset in range(at, end - FRAME + 1, 8):
            if _u64(self.data, offset + 16) >= revision:
                frame = self.frame(offset, end)
                if frame and frame.body_right:
                    return frame
        return None

    def step(self, stretch: Stretch, frame: Frame) -> None:
        if stretch.hole and not self.is_one(
            stretch.hole[0], frame.offset, frame.previous
        ):
            self.view.degraded = True
        self.take(frame)
        stretch.hole = None
        stretch.at = frame.end
        stretch.revision = max(stretch.revision, frame.revision)
        stretch.crc = frame.body_crc if frame.body_right else None
        if not frame.more:
            stretch.whole = frame.end

    def is_one(self, start: int, end: int, named: int | None) -> bool:
        """True where the stretch is one record, because what follows names its body CRC, stored or computed."""
        return named in (_u32(self.data, start), self.body_crc(start, end))

    def body_crc(self, start: int, end: int) -> int | None:
        if end - start < FRAME:
            return None
        return crc32c(_u32(self.data, start + 4), self.data[start + FRAME : end])

    def hole(self, stretch: Stretch, end: int) -> None:
        start = stretch.at
        found = self.next_whole(start + 8, end, stretch.revision)
        stretch.at = found.offset if found else end
        known = self.key_of_hole(start, stretch.at)
        self.view.damaged += 1
        if known:
            self.lose(*known)
        else:
            self.view.degraded = True
        stretch.hole, stretch.crc = (start, known is not None), None

    def walk(self, stretch: Stretch, end: int) -> None:
        while stretch.at < end:
            frame = self.frame(stretch.at, end)
            if frame:
                self.step(stretch, frame)
            elif self.has_header(stretch.at, end):
                return  # it reaches beyond the end
            else:
                self.hole(stretch, end)

    def close(self, stretch: Stretch) -> None:
        """A hole at the end of all: more than one record, unless it is too small or proves to be one."""
        if stretch.hole is None:
            return
        start, at = stretch.hole[0], stretch.at
        if at - start >= 2 * (FRAME + 8) and self.body_crc(start, at) != _u32(
            self.data, start
        ):
            self.view.degraded = True

    # Section 1.4

    def walk_cut(self, stretch: Stretch) -> None:
        """Up to the last whole transaction of a file that ends here."""
        probe = Reader(self.data, self.boot)
        ahead = dataclasses.replace(stretch)
        probe.walk(ahead, self.size)
        self.walk(stretch, ahead.whole)

    def was_whole(self, start: int, end: int, committed: int) -> bool:
        """A damaged record that was whole once: the frame behind it says so, and no sector of it is all zeros."""
        behind = self.frame(end, self.size)
        if end > committed or behind is None or not behind.body_right:
            return False
        for sector in range(start // SECTOR * SECTOR, end, SECTOR):
            if not any(self.data[max(sector, start) : min(sector + SECTOR, end)]):
                return False
        return self.is_one(start, end, behind.previous)

    def chain(self, stretch: Stretch, committed: int) -> None:
        held: list[Frame | int] = []
        at, crc, revision = stretch.at, stretch.crc, stretch.revision
        jumps, more = stretch.hole is not None, False
        while self.size - at >= FRAME:
            frame = self.frame(at, self.size)
            if frame is None:
                start = at
                behind = self.unreadable_link(at, revision, committed)
                if jumps or behind is None:
                    return
                at, crc = behind.offset, None
                revision += not more
                more = behind.revision == revision
                held.append(start)
            else:
                if crc is not None and frame.previous != crc:
                    return
                if more:
                    follows = frame.revision == revision
                elif jumps or frame.operation == NOTE:
                    follows = frame.revision > revision
                else:
                    follows = frame.revision == revision + 1
                if not follows:
                    return
                if not frame.body_right and not self.was_whole(
                    at, frame.end, committed
                ):
                    return
                at, crc = frame.end, frame.body_crc if frame.body_right else None
                revision, more = frame.revision, frame.more
                held.append(frame)
            jumps = False
            if not more:
                for one in held:
                    if isinstance(one, Frame):
                        self.step(stretch, one)
                    else:
                        self.hole(stretch, self.size)
                held = []

    def unreadable_link(self, at: int, revision: int, committed: int) -> Frame | None:
        """The frame behind a record with a damaged header that was whole once."""
        if self.has_header(at, self.size) or at // SECTOR != (at + FRAME - 1) // SECTOR:
            return None
        found = self.next_whole(at + 8, self.size, revision)
        if found and self.was_whole(at, found.offset, committed):
            return found
        return None

    def past(self, at: int, end: int) -> None:
        """Snapshot or history."""
        stretch = Stretch(at, 0, self.header.salt, whole=at)
        if end <= self.size:
            self.walk(stretch, end)
            self.close(stretch)
            return
        self.walk_cut(stretch)
        self.view.damaged += 1
        self.view.degraded = True

    def read(self) -> View:
        header = self.header
        committed = self.commit_length(128)
        same_boot = header.portable or _u64(self.data, 320) == self.boot
        self.past(PAGE, header.snapshot_end)
        start = header.history_end
        log = Stretch(start, header.base_revision, header.salt, whole=start)
        if committed is not None and committed <= self.size and same_boot:
            self.walk(log, committed)
            self.view.recovered = log.at < committed
        else:
            self.view.recovered = True
            self.recover(log, committed, same_boot)
        self.close(log)
        self.view.end, self.view.revision = log.at, log.revision
        return self.view

    def recover(self, log: Stretch, committed: int | None, same_boot: bool) -> None:
        durable = self.commit_length(384) or self.header.history_end
        known = durable if committed is None else committed
        trusted = known if same_boot else min(durable, known)
        if trusted > self.size:
            self.walk_cut(log)
        else:
            self.walk(log, trusted)
            self.chain(log, known)
        self.view.dropped = max(known - log.at, 0)


def read(path: Path, boot: int | None = None) -> View:
    """What the domain file holds."""
    return Reader(path.read_bytes(), boot_hash() if boot is None else boot).read()


def lines(view: View) -> list[dict[str, object]]:
    result: list[dict[str, object]] = []
    for entry in view.live():
        if entry.frame is None:
            key = next(
                (hashed for hashed, one in view.entries.items() if one is entry), 0
            )
            name = (
                {"key": entry.key.decode()}
                if entry.key is not None
                else {"hash": f"{key:016x}"}
            )
            result.append({**name, "error": "CORRUPT"})
            continue
        frame = entry.frame
        result.append(
            {
                "key": frame.key.decode(),
                "value": to_json(decode(frame.value)),
                "cbor": frame.value.hex(),
                "revision": frame.revision,
                "time": frame.time,
                "pid": frame.pid,
                "uid": frame.uid,
                "program": frame.program.decode(),
            }
        )
    return result


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument(
        "--boot-id", help="another text than that of this machine's present boot"
    )
    parser.add_argument(
        "--health",
        action="store_true",
        help="a last line with what was damaged and dropped",
    )
    arguments = parser.parse_args()
    try:
        view = read(arguments.file, boot_hash(arguments.boot_id))
    except RefusedError as error:
        print(f"{arguments.file}: {error}", file=sys.stderr)
        return 7
    for line in lines(view):
        print(json.dumps(line, ensure_ascii=False))
    if arguments.health:
        print(
            json.dumps(
                {
                    "revision": view.revision,
                    "generation": view.header.generation,
                    "end": view.end,
                    "damaged": view.damaged,
                    "degraded": view.degraded,
                    "dropped": view.dropped,
                    "notes": view.notes,
                }
            )
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
