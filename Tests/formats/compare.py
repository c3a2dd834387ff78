#!/usr/bin/env python3
"""Compares what the library says of a domain with what reader.py finds in its file.

compare.py --dump PROGRAM FOLDER DOMAIN: one domain as it is.
compare.py --dump PROGRAM --write PROGRAM --damage N FOLDER: domains of its own making, sound, and damaged in N ways each. A file
over which they disagree is kept where SATCHEL_KEEP names a folder.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import reader

SHOWN = 30


@dataclass
class Tally:
    passed: int = 0
    failed: int = 0

    def check(self, holds: bool, text: str) -> None:
        if holds:
            self.passed += 1
            return
        self.failed += 1
        if self.failed <= SHOWN:
            print(f"FAIL {text[:600]}")


@dataclass
class Library:
    refused: str | None = None
    keys: list[dict[str, object]] = field(default_factory=list)
    asked: dict[str, dict[str, object]] = field(default_factory=dict)
    summary: dict[str, object] = field(default_factory=dict)


def library(
    dump: Path, folder: Path, domain: str, keys: set[str], mode: str = "read"
) -> Library:
    """The library's view, opened for "read" or "write" or after it has made it "compact"; `keys` in hexadecimal are asked for
    by name."""
    result = Library()
    done = subprocess.run(
        [dump, folder, domain, mode],
        input="\n".join(sorted(keys)) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"dump ended with {done.returncode}: {done.stderr[-300:]}")
    asked = False
    for text in done.stdout.split("\n")[:-1]:
        line: dict[str, object] = json.loads(text)
        if "refused" in line:
            result.refused = str(line["refused"])
        elif "asked" in line:
            asked = True
        elif "key" not in line:
            result.summary = line
        elif asked:
            result.asked[str(line["key"])] = line
        else:
            result.keys.append(line)
    return result


def same_json(left: object, right: object) -> bool:
    """Equal, the types and the order of keys included: 1 and 1.0 differ, and so do 0.0 and -0.0."""
    return json.dumps(left) == json.dumps(right)


def compare(
    tally: Tally, dump: Path, folder: Path, domain: str, known: set[str], what: str
) -> None:
    """A reader that shares no code, a library that may not write, one that recovers the file, one that has compacted it: all
    of them give the same answers, and so does the file that the recovery leaves."""
    path = folder / f"{domain}.satchel"
    try:
        view = reader.read(path)
    except reader.RefusedError as error:
        theirs = library(dump, folder, domain, set())
        tally.check(
            theirs.refused is not None,
            f"{what}: the reader refuses ({error}), the library does not",
        )
        return
    private = compare_views(tally, view, dump, folder, domain, known, "read", what)
    if private is None:
        return
    recovered = compare_views(tally, view, dump, folder, domain, known, "write", what)
    if recovered is None:
        return
    for name in ("damaged", "degraded", "dropped", "keys"):
        tally.check(
            private.summary[name] == recovered.summary[name],
            f"{what}: {name} {private.summary[name]} before the recovery, {recovered.summary[name]} after it",
        )
    after = reader.read(path)
    tally.check(not after.recovered, f"{what}: recovered, and not believed")
    tally.check(
        states(view) == states(after) and view.degraded == after.degraded,
        f"{what}: the reader finds something else in the recovered file: {degraded_of(view)}, {degraded_of(after)}",
    )
    compare_views(tally, view, dump, folder, domain, known, "compact", what)


def degraded_of(view: reader.View) -> str:
    corrupt = sum(entry.frame is None for entry in view.entries.values())
    return f"{len(view.live())} keys, {corrupt} corrupt, degraded {view.degraded}"


def states(view: reader.View) -> dict[int, bytes | None]:
    """What every key holds, by its hash; absent ones left out."""
    return {
        hashed: entry.frame.value if entry.frame else None
        for hashed, entry in view.entries.items()
        if entry.frame is None or entry.frame.operation == reader.SET
    }


def compare_views(
    tally: Tally,
    view: reader.View,
    dump: Path,
    folder: Path,
    domain: str,
    known: set[str],
    mode: str,
    what: str,
) -> Library | None:
    what = f"{what}, {mode}"
    mine = [e for e in view.live() if e.frame is not None]
    corrupt = {
        e.key.hex()
        for e in view.entries.values()
        if e.frame is None and e.key is not None
    }
    hashes = {h for h, e in view.entries.items() if e.frame is None}
    theirs = library(dump, folder, domain, known | corrupt, mode)
    tally.check(
        theirs.refused is None,
        f"{what}: the library refuses ({theirs.refused}), the reader does not",
    )
    if theirs.refused is not None:
        return None
    # Whether corrupt keys are listed is the library's business; those with a value are, in insertion order.
    listed = [line for line in theirs.keys if "error" not in line]
    names = [str(line["key"]) for line in listed]
    expected = [e.frame.key.hex() for e in mine if e.frame is not None]
    tally.check(
        names == expected, f"{what}: the library lists {names}, the reader {expected}"
    )
    by_name = {str(line["key"]): line for line in listed}
    for entry in mine:
        frame = entry.frame
        if frame is None or frame.key.hex() not in by_name:
            continue
        line = by_name[frame.key.hex()]
        key = frame.key.decode()
        value = reader.decode(frame.value)
        tally.check(
            reader.encode(value) == frame.value,
            f"{what}: {key!r} is not in the one form",
        )
        tally.check(
            line["cbor"] == frame.value.hex(),
            f"{what}: {key!r} is {line['cbor']} and {frame.value.hex()}",
        )
        tally.check(
            same_json(line["value"], reader.to_json(value)),
            f"{what}: {key!r} is {line['value']} and {reader.to_json(value)}",
        )
        author = (
            frame.revision,
            frame.time,
            frame.pid,
            frame.uid,
            frame.program.hex(),
            len(frame.value),
        )
        told = tuple(
            line[name] for name in ("revision", "time", "pid", "uid", "program", "size")
        )
        tally.check(author == told, f"{what}: {key!r} was set by {told} and {author}")
    for name, line in theirs.asked.items():
        hashed = reader.key_hash(view.header.hash_seed, bytes.fromhex(name))
        found = view.entries.get(hashed)
        if hashed in hashes:
            state = "CORRUPT"
        elif (
            found is not None
            and found.frame is not None
            and found.frame.operation == reader.SET
        ):
            state = "OK"
        else:
            state = "NOTFOUND"
        answer = str(line.get("error", "OK"))
        tally.check(
            answer == state,
            f"{what}: {bytes.fromhex(name)!r} is {answer}, says the library, {state}, says the reader",
        )
    tally.check(
        bool(theirs.summary["degraded"]) == view.degraded,
        f"{what}: degraded {theirs.summary['degraded']}, the reader {view.degraded}",
    )
    # Where records were lost at the end, the library may only guess how many revisions had been given out.
    revision = theirs.summary["revision"]
    sound = not view.recovered and view.damaged == 0
    tally.check(
        isinstance(revision, int)
        and (revision == view.revision if sound else revision >= view.revision),
        f"{what}: revision {revision}, the reader {view.revision}",
    )
    tally.check(
        theirs.summary["generation"] == view.header.generation + (mode == "compact"),
        f"{what}: the generation",
    )
    return theirs


def damaged(data: bytes, dice: random.Random, end: int) -> tuple[str, bytes]:
    """One way to damage a file: a flip, zeros, a cut, a reboot, or several of them."""
    result = bytearray(data)
    words = []
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        kind = dice.choice(
            ("flip", "flip", "zeros", "cut", "reboot", "committed", "durable")
        )
        at = dice.randrange(reader.PAGE, max(min(end, len(result)), reader.PAGE + 1))
        if kind == "flip" and at < len(result):
            result[at] ^= dice.randrange(1, 256)
        elif kind == "zeros":
            size = min(
                dice.choice((8, 100, 512, 1500)),
                max(end - at, 0),
                max(len(result) - at, 0),
            )
            result[at : at + size] = bytes(size)
        elif kind == "cut":
            del result[max(at, reader.PAGE) :]
        elif kind == "reboot":
            result[321] ^= 0x55
        elif kind == "committed":
            result[128 + dice.randrange(8)] ^= dice.randrange(1, 128)
        elif kind == "durable":
            result[384 + dice.randrange(8)] ^= dice.randrange(1, 128)
        words.append(f"{kind} {at}" if kind in ("flip", "zeros", "cut") else kind)
    return ", ".join(words), bytes(result)


def own_domains(
    tally: Tally, dump: Path, write: Path, folder: Path, damages: int, seed: int
) -> None:
    dice = random.Random(seed)
    for number, (steps, compactions) in enumerate(
        [(0, 0), (5, 0), (60, 0), (400, 0), (60, 1), (400, 2), (3000, 0), (3000, 3)]
    ):
        domain = f"domain-{number}"
        made = subprocess.run(
            [
                write,
                folder,
                domain,
                str(seed * 100 + number),
                str(steps),
                str(compactions),
            ],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        tally.check(made.returncode == 0, f"{domain}: {made.stdout[-500:]}")
        path = folder / f"{domain}.satchel"
        data = path.read_bytes()
        view = reader.Reader(data, reader.boot_hash()).read()
        tally.check(
            not view.recovered and view.damaged == 0,
            f"{domain}: the reader finds damage",
        )
        known = {e.key.hex() for e in view.entries.values() if e.key is not None} | {
            "6e6f7768657265"
        }
        compare(tally, dump, folder, domain, known, f"{domain}, sound")
        if steps == 0 or steps > 1000:
            continue
        for _ in range(damages):
            inner = folder / "damaged"
            shutil.rmtree(inner, ignore_errors=True)
            inner.mkdir()
            what, bad = damaged(data, dice, view.end)
            (inner / f"{domain}.satchel").write_bytes(bad)
            before = tally.failed
            compare(tally, dump, inner, domain, known, f"{domain}, {what}")
            keep = os.environ.get("SATCHEL_KEEP")
            if tally.failed > before and before < SHOWN and keep:
                kept = Path(keep) / f"formats-{seed}-{tally.failed}.satchel"
                kept.write_bytes(bad)
                print(f"     the file is kept as {kept}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dump", type=Path, required=True)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--damage", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("folder", type=Path)
    parser.add_argument("domain", nargs="?")
    arguments = parser.parse_args()
    tally = Tally()
    if arguments.write is not None:
        own_domains(
            tally,
            arguments.dump,
            arguments.write,
            arguments.folder,
            arguments.damage,
            arguments.seed,
        )
    else:
        compare(
            tally,
            arguments.dump,
            arguments.folder,
            arguments.domain,
            set(),
            arguments.domain,
        )
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 0 if tally.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
