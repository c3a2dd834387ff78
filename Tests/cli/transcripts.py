"""Runs transcripts: commands, and what they have to print and return.

A transcript is a text file in which the beginning of each line says what it is:

    $ command       is run by sh; every command of a file sees what those before it left behind
    > more          goes on with the command on a line of its own
    < text          a line of its standard input, which is empty otherwise
    | text          a line of its standard output
    |% text         a piece of its standard output with escapes (\\n, \\0, \\xff) and no line feed of its own
    |~ pattern      a line of its standard output that matches the regular expression
    ! text          a line of its standard error; !~ as above
    ? 3             its exit code, 0 where it is not said
    @ need ...      the whole file needs this: root, a program in PATH, SATCHEL_LIB (the folder of libsatchel.so), or mounts
                    (a mount namespace of its own, which is refused inside a chroot); without it the file is skipped
    + need ...      the same for the command above it
    #               a comment, as is an empty line

Each file has a new folder, which is HOME and the current folder, and a PATH in which `satchel` is the command at
$SATCHEL_BIN. HERE is the folder of this file, ROOT that of the checkout.
"""

import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIBRARY = Path(os.environ.get("SATCHEL_LIB", ROOT / "build/ship/lib")) / "libsatchel.so"
LIMIT = 60
# Needs that do not explain themselves.
WORDS = {
    "mounts": "a mount namespace of its own, and unshare -m is refused",
    "SATCHEL_LIB": "libsatchel.so",
}


@dataclass
class Step:
    """One command and what is expected of it."""

    line: int
    command: str
    stdin: list[str] = field(default_factory=list)
    # What a line has to be: (kind, text), kind is "" for the text itself, "%" for a piece, "~" for a pattern.
    stdout: list[tuple[str, str]] = field(default_factory=list)
    stderr: list[tuple[str, str]] = field(default_factory=list)
    code: int = 0
    needs: list[str] = field(default_factory=list)


def expectation(text: str) -> tuple[str, str]:
    """Splits what follows the mark into its kind and its text."""
    kind = text[:1] if text[:1] in ("%", "~") else ""
    rest = text[len(kind) :]
    return kind, rest[1:] if rest.startswith(" ") else rest


def parse(path: Path) -> tuple[list[str], list[Step]]:
    """The needs of a transcript and its steps."""
    needs: list[str] = []
    steps: list[Step] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        mark, text = line[:1], line[1:]
        plain = text[1:] if text.startswith(" ") else text
        if mark in ("", "#"):
            continue
        if mark == "@":
            needs += plain.split()
        elif mark == "$":
            steps.append(Step(number, plain))
        elif not steps:
            raise SystemExit(f"{path}:{number}: there is no command yet")
        elif mark == ">":
            steps[-1].command += "\n" + plain
        elif mark == "<":
            steps[-1].stdin.append(plain)
        elif mark == "|":
            steps[-1].stdout.append(expectation(text))
        elif mark == "!":
            steps[-1].stderr.append(expectation(text))
        elif mark == "?":
            steps[-1].code = int(plain)
        elif mark == "+":
            steps[-1].needs += plain.split()
        else:
            raise SystemExit(
                f"{path}:{number}: a line begins with one of $ > < | ! ? @ + #"
            )
    return needs, steps


def unescape(text: str) -> str:
    """Backslash escapes as in Python, for pieces of output."""
    return (
        text.encode("latin-1", "backslashreplace")
        .decode("unicode_escape")
        .encode("latin-1")
        .decode("utf-8")
    )


def compare(name: str, expected: list[tuple[str, str]], actual: bytes) -> list[str]:
    """The lines of a diff; none where the output is as expected."""
    got = actual.decode("utf-8", "backslashreplace")
    if any(kind == "~" for kind, _ in expected):
        lines = got.split("\n")
        whole = lines.pop() == "" and len(lines) == len(expected)
        pairs = zip(expected, lines, strict=False)
        if whole and all(
            re.fullmatch(text, line) if kind else text == line
            for (kind, text), line in pairs
        ):
            return []
    wanted = "".join(
        unescape(text) if kind == "%" else text + "\n" for kind, text in expected
    )
    if wanted == got:
        return []
    before, after = (
        [repr(line) for line in text.splitlines(keepends=True)]
        for text in (wanted, got)
    )
    return list(
        difflib.unified_diff(
            before, after, f"{name} expected", f"{name} actual", lineterm=""
        )
    )


def run(step: Step, folder: Path, environment: dict[str, str]) -> list[str]:
    """Runs one step; what is wrong with it, if anything."""
    stdin = "".join(line + "\n" for line in step.stdin).encode()
    try:
        done = subprocess.run(
            ["sh", "-c", step.command],
            input=stdin,
            capture_output=True,
            cwd=folder,
            env=environment,
            timeout=LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return [f"it took more than {LIMIT} seconds"]
    wrong = compare("stdout", step.stdout, done.stdout) + compare(
        "stderr", step.stderr, done.stderr
    )
    if done.returncode != step.code:
        wrong.append(f"exit code {done.returncode}, expected {step.code}")
    return wrong


@cache
def is_met(need: str) -> bool:
    """Whether this machine has it."""
    if need == "root":
        return os.geteuid() == 0
    if need == "SATCHEL_LIB":
        return LIBRARY.exists()
    if need == "mounts":
        probe = ["unshare", "-m", "true"]
        return subprocess.run(probe, capture_output=True, check=False).returncode == 0
    return shutil.which(need) is not None


def missing(needs: list[str]) -> str:
    """The needs that this machine does not meet, in words."""
    return ", ".join(WORDS.get(need, need) for need in needs if not is_met(need))


def play(path: Path, command: Path) -> tuple[int, int, int]:
    """Plays one transcript; how many steps passed, failed and were skipped."""
    needs, steps = parse(path)
    if absent := missing(needs):
        print(f"skipped: {path.name}: needs {absent}")
        return 0, 0, len(steps)
    failed = skipped = 0
    with tempfile.TemporaryDirectory(prefix="satchel-cli-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "bin").mkdir()
        (folder / "bin/satchel").symlink_to(command)
        environment = {
            "PATH": f"{folder}/bin:{os.environ['PATH']}",
            "HOME": str(folder),
            "XDG_CONFIG_HOME": f"{folder}/config",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "HERE": str(HERE),
            "ROOT": str(ROOT),
            "SATCHEL_LIB": str(LIBRARY.parent),
        }
        for step in steps:
            if absent := missing(step.needs):
                skipped += 1
                print(f"skipped: {path.name}:{step.line}: needs {absent}")
            elif wrong := run(step, folder, environment):
                failed += 1
                print(f"FAIL {path.relative_to(ROOT)}:{step.line}: {step.command}")
                print("\n".join("  " + line for line in wrong))
    return len(steps) - failed - skipped, failed, skipped


def main(names: list[str]) -> int:
    """Plays the transcripts of these names, or all."""
    command = Path(
        os.environ.get("SATCHEL_BIN", ROOT / "build/ship/bin/satchel")
    ).resolve()
    if not command.exists():
        print(f"there is no {command}: set SATCHEL_BIN, or run make ship")
        return 1
    paths = sorted((HERE / "transcripts").glob("*.txt"))
    chosen = [path for path in paths if not names or path.stem in names]
    counts = [play(path, command) for path in chosen]
    passed, failed, skipped = (
        (sum(count) for count in zip(*counts, strict=True)) if counts else (0, 1, 0)
    )
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
