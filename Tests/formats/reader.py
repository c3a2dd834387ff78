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
        return sorted(live, key=lambda e: e.frame.order if e.frame else 0) + corrupt


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
        if _u32(data, at + 8) > 1:
            raise RefusedError(f"version {_u32(data, at + 8)}")
        return Header(
            generation=_u64(data, at + 16),
            base_revision=_u64(data, at + 24),
            hash_seed=_u64(data, at + 32),
            salt=_u32(data, at + 40),
            portable=_u32(data, at + 44) == 1,
            snapshot_end=_u64(data, at + 48),
            history_end=_u64(data, at + 56),
        )
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


class Reader:
    """Sections 1.3 and 1.4 on one file in memory."""

    def __init__(self, data: bytes, boot: int) -> None:
        self.data = data
        self.boot = boot
        self.header = read_header(data)
        self.view = View(self.header)
        self.last_revision = 0

    def commit_length(self, at: int) -> int | None:
        """The length that a commit word names, or None where it is not believed for itself."""
        word = _u64(self.data, at)
        number = word & (1 << 40) - 1
        check = crc32c(self.header.salt, number.to_bytes(8, "little")) & 0x7FFFFF
        length = number << 3
        if word >> 40 & 0x7FFFFF != check or length < max(
            PAGE, self.header.history_end
        ):
            return None
        return length

    def frame_header(self, at: int, end: int) -> Frame | None:
        """A frame whose header CRC is right and whose lengths fit; its body may be damaged."""
        if end - at < FRAME:
            return None
        head = self.data[at : at + FRAME]
        crc = _u32(head, 4)
        if crc != crc32c(self.header.salt, head[8:]):
            return None
        size = _u32(head, 8)
        key_size = int.from_bytes(head[56:58], "little")
        program_size, padding = head[60], head[61]
        if (
            size < FRAME
            or size % 8
            or size > end - at
            or size < FRAME + key_size + program_size + padding
        ):
            return None
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
        self.last_revision = max(self.last_revision, frame.revision)
        if frame.operation == NOTE:
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
        self.last_revision = max(self.last_revision, frame.revision)
        if frame.operation == NOTE or frame.key_hash == 0:
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

    def next_good(self, at: int, end: int) -> Frame | None:
        for offset in range(at, end - FRAME + 1, 8):
            frame = self.frame_header(offset, end)
            if frame and frame.body_right and frame.revision >= self.last_revision:
                return frame
        return None

    def hole(self, at: int, end: int) -> int:
        """Steps over what is damaged; where reading goes on."""
        found = self.next_good(at + 8, end)
        known = self.key_of_hole(at, end)
        self.view.damaged += 1
        if known:
            self.lose(*known)
        else:
            self.view.degraded = True
        return found.offset if found else end

    def walk(self, at: int, end: int) -> int:
        while at < end:
            frame = self.frame_header(at, end)
            if frame is None:
                at = self.hole(at, end)
                continue
            if frame.body_right:
                self.take(frame)
            else:
                self.damaged_body(frame)
            at = frame.end
        return at

    # Section 1.4

    def provably_one_record(self, at: int, found: Frame) -> bool:
        """The frame behind the hole names the damaged one's body CRC, and no sector of the hole is all zeros."""
        if found.previous != _u32(self.data, at):
            return False
        for sector in range(at // 512 * 512, found.offset, 512):
            part = self.data[max(sector, at) : min(sector + 512, found.offset)]
            if part and not any(part):
                return False
        return True

    def walk_unsynced(self, at: int, end: int) -> int:
        """From `durable` up to `committed` after a change of boot: up to the first hole that is not one record."""
        held: list[Frame] = []
        kept = at
        while at < end:
            frame = self.frame_header(at, end)
            good = frame is not None and frame.body_right
            behind = frame.end if frame else 0
            if not good:
                found = (
                    self.frame_header(behind, end)
                    if frame and behind < end
                    else self.next_good(at + 8, end)
                )
                if (
                    found is None
                    or not found.body_right
                    or not self.provably_one_record(at, found)
                ):
                    break
            if frame and good:
                held.append(frame)
                at = behind
                if not frame.more:
                    for one in held:
                        self.take(one)
                    held, kept = [], at
                continue
            if frame:
                self.damaged_body(frame)
                at = behind
            else:
                at = self.hole(at, end)
            kept = at
        self.view.dropped += end - kept
        return kept

    def chain(self, at: int, previous: int) -> int:
        """Beyond what is believed: an unbroken chain of whole frames and whole transactions."""
        held: list[Frame] = []
        kept = at
        revision = max(self.last_revision, self.header.base_revision)
        while True:
            frame = self.frame_header(at, len(self.data))
            if frame is None or not frame.body_right or frame.previous != previous:
                return kept
            if frame.operation != NOTE and frame.revision != revision + 1:
                return kept
            held.append(frame)
            at, previous = frame.end, frame.body_crc
            if not frame.more:
                for one in held:
                    self.take(one)
                revision, held, kept = frame.revision, [], at

    def body_crc_before(self, end: int) -> int:
        """The body CRC of the last frame of the log below `end`; the salt where there is none."""
        at, crc = self.header.history_end, self.header.salt
        while at < end:
            frame = self.frame_header(at, end)
            if frame is None:
                found = self.next_good(at + 8, end)
                if found is None:
                    return crc
                at = found.offset
                continue
            at, crc = frame.end, frame.body_crc
        return crc

    def read(self) -> View:
        header, size = self.header, len(self.data)
        committed = self.commit_length(128)
        believed = committed is not None and committed <= size
        same_boot = header.portable or _u64(self.data, 320) == self.boot
        self.walk(PAGE, min(header.snapshot_end, size))
        self.last_revision = max(self.last_revision, header.base_revision)
        if committed is not None and believed and same_boot:
            self.view.end = self.walk(header.history_end, committed)
        else:
            self.recover(committed, same_boot)
        self.view.revision = max(self.last_revision, header.base_revision)
        return self.view

    def recover(self, committed: int | None, same_boot: bool) -> None:
        header, size = self.header, len(self.data)
        self.view.recovered = True
        durable = self.commit_length(384)
        if durable is None:
            durable = header.history_end
        end = self.walk(header.history_end, min(durable, size))
        limit = min(committed, size) if committed is not None else end
        if end < limit:
            if same_boot and committed is not None and committed <= size:
                end = self.walk(end, limit)
            elif committed is not None and committed <= size:
                kept = self.walk_unsynced(end, limit)
                if kept < limit:
                    self.view.end = kept
                    return
                end = kept
        if size >= end:
            kept = self.chain(end, self.body_crc_before(end))
            end = kept
        if committed is not None and committed > end:
            self.view.dropped += committed - end
        self.view.end = end


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
