"""The lines of a text log, read by a reader that shares no code with the tests in C, and held against a ledger of what was promised.

usage: lines.py FOLDER, with FOLDER/ledger.txt: a stream a line, how many of its records the log has taken, and how many it was given.
How a line looks is known in `LINE` and `unescaped` alone.
"""

import re
import sys
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

LINE = re.compile(
    r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d)(?P<mark>[ ~=!^])"
    r"(?P<severity>trace|debug|info|notice|warning|error|alert/critical|fatal) (?:(?P<kind>[a-z-]+(?:#\d+)?) )?"
    r"\[(?P<pid>\d+)/(?P<tid>\d+) (?P<thread>[^\]\"]+|\"(?:[^\"\\]|\\.)*\")\]: (?P<message>[^\t]*)(?P<fields>\t.*)?",
    re.DOTALL,
)
MESSAGE = re.compile(r"s=(\d+) n=(\d+) [a-z\n]* end\d+", re.DOTALL)


class Line(NamedTuple):
    time: datetime
    mark: str
    kind: str
    message: str


def unescaped(record: str) -> str:
    """Continuation lines are indented; the tests write nothing that is escaped."""
    return record.replace("\n    ", "\n")


def records(text: str) -> list[str]:
    """Lines, each with the indented ones that belong to it, without the line break at the end."""
    found: list[str] = []
    for line in text.split("\n")[:-1]:
        if line.startswith("    ") and found:
            found[-1] += "\n" + line
        else:
            found.append(line)
    return found


def parse(record: str) -> Line | None:
    match = LINE.fullmatch(record)
    if match is None:
        return None
    time = datetime.fromisoformat(match["time"])
    return Line(time, match["mark"], match["kind"] or "", unescaped(match["message"]))


class Check:
    def __init__(self) -> None:
        self.seen: Counter[tuple[int, int]] = Counter()
        self.repeats: set[tuple[int, int]] = set()
        self.faults: list[str] = []
        self.lines = 0

    def file(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        is_direct = ".direct." in path.name
        newest: datetime | None = None
        if text and not text.endswith("\n") and not is_direct:
            self.faults.append(f"{path.name} ends within a line")
        for record in records(text):
            line = parse(record)
            if line is None:
                if not is_direct:
                    self.faults.append(f"{path.name}: no record: {record[:100]}")
                continue
            self.note(path, line)
            if is_direct or line.mark != " ":
                continue
            if newest is not None and line.time < newest:
                self.faults.append(f"{path.name}: back in time: {record[:100]}")
            newest = line.time

    def note(self, path: Path, line: Line) -> None:
        self.lines += 1
        if line.kind:
            return
        match = MESSAGE.fullmatch(line.message)
        if match is None:
            self.faults.append(f"{path.name}: no message of ours: {line.message[:100]}")
            return
        record = (int(match[1]), int(match[2]))
        if line.mark == "=":
            self.repeats.add(record)
        else:
            self.seen[record] += 1

    def ledger(self, path: Path) -> None:
        for stream, taken, _ in (
            map(int, line.split()) for line in path.read_text().splitlines()
        ):
            for number in range(1, taken + 1):
                if (
                    not self.seen[stream, number]
                    and (stream, number) not in self.repeats
                ):
                    self.faults.append(f"lost: s={stream} n={number} of {taken}")
        self.faults += [
            f"{count} times: s={s} n={n}"
            for (s, n), count in self.seen.items()
            if count > 1
        ]


def main() -> int:
    folder = Path(sys.argv[1])
    check = Check()
    for path in sorted(folder.glob("*.log")):
        check.file(path)
    check.ledger(folder / "ledger.txt")
    for fault in check.faults[:20]:
        print("FAIL", fault)
    if check.lines == 0:
        print("FAIL nothing was logged")
    failed = len(check.faults) + (check.lines == 0)
    print(f"  {check.lines} lines, {len(check.seen)} records")
    print(f"lines: {int(failed == 0)} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
