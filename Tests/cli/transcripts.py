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
    @ need ...      the whole file needs this: root, a program in PATH, SATCHEL_LIB (the folder of libsatchel.so),
                    SATCHEL_BUILTIN (bash/satchel.so in it), or mounts (a mount namespace of
                    its own, which is refused inside a chroot); without it the file is skipped
    + need ...      the same for the command above it
    #               a comment, as is an empty line

Each file has a new folder, which is HOME and the current folder, and a PATH in which `satchel` is the command at
$SATCHEL_BIN. HERE is the folder of this file, ROOT that of the checkout.

With --builtin all commands of a file are run by one bash, in which `satchel` is the builtin at $SATCHEL_LIB/bash/satchel.so.
With --python=INTERPRETER `satchel` is words.py, run by an interpreter that has the package; it hands what Python has no word for
to the command. A step of which nothing went through Python counts as skipped, and the reasons are told at the end.
"""

import difflib
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIBRARY = Path(os.environ.get("SATCHEL_LIB", ROOT / "build/ship/lib")) / "libsatchel.so"
BUILTIN = LIBRARY.parent / "bash/satchel.so"
LIMIT = 60
# Needs that do not explain themselves.
WORDS = {
    "mounts": "a mount namespace of its own, and unshare -m is refused",
    "SATCHEL_LIB": "libsatchel.so",
    "SATCHEL_BUILTIN": "the builtin for bash",
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


class Shells:
    """Each command in a new sh."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder, self.environment = folder, environment

    def is_skipped(self) -> bool:
        """Whether what was run last is no test of what is to be tested."""
        return False

    def run(self, command: str, stdin: bytes) -> tuple[int, bytes, bytes]:
        """The exit code, standard output and standard error of a command."""
        done = subprocess.run(
            ["sh", "-c", command],
            input=stdin,
            capture_output=True,
            cwd=self.folder,
            env=self.environment,
            timeout=LIMIT,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    def end(self) -> None:
        """Nothing is left."""


class Python(Shells):
    """Each command in a new sh, in which `satchel` is a Python program."""

    interpreter = sys.executable
    # How many steps were handed to the command for each reason, with others through Python or alone.
    shared: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    through = 0

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        # Copies: some steps are run by a user who may read nothing but this folder.
        command, self.trace = folder / "bin/command", folder / "bin/trace"
        shutil.copy(folder / "bin/satchel", command)
        (folder / "bin/satchel").unlink()
        words = (HERE / "words.py").read_text(encoding="utf-8")
        (folder / "bin/satchel").write_text(
            f"#!{self.interpreter}\n{words}", encoding="utf-8"
        )
        (folder / "bin/satchel").chmod(0o755)
        names = {"SATCHEL_COMMAND": str(command), "SATCHEL_TRACE": str(self.trace)}
        super().__init__(folder, environment | names)

    def run(self, command: str, stdin: bytes) -> tuple[int, bytes, bytes]:
        """The same as of Shells."""
        self.trace.write_text("")
        self.trace.chmod(0o666)
        return super().run(command, stdin)

    def is_skipped(self) -> bool:
        done = set(self.trace.read_text().splitlines())
        through = "python" in done
        done.discard("python")
        (Python.shared if through else Python.alone).update(done)
        Python.through += through
        return bool(done) and not through

    @classmethod
    def tell(cls) -> None:
        """What went through Python, and what did not and why."""
        alone = sum(cls.alone.values())
        print(f"skipped in Python: {alone} steps, while {cls.through} go through it:")
        for reason, count in cls.alone.most_common():
            print(f"skipped in Python: {count} for {reason}")
        for reason, count in cls.shared.most_common():
            print(f"partly through the command: {count} for {reason}")


class Session:
    """All commands in one bash that has loaded the builtin."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.scratch = Path(tempfile.mkdtemp(prefix="satchel-step-"))
        steps, self.steps = os.pipe()
        self.codes, codes = os.pipe()
        # The author is to be the one that the command has.
        self.bash = subprocess.Popen(
            ["bash", str(HERE / "session.bash"), str(steps), str(codes)],
            cwd=folder,
            env=environment
            | {"SATCHEL_BUILTIN": str(BUILTIN), "SATCHEL_PROGRAM": "satchel"},
            pass_fds=(steps, codes),
        )
        os.close(steps)
        os.close(codes)

    def run(self, command: str, stdin: bytes) -> tuple[int, bytes, bytes]:
        """The same as of Shells."""
        (self.scratch / "command").write_text(command + "\n", encoding="utf-8")
        (self.scratch / "stdin").write_bytes(stdin)
        try:
            os.write(self.steps, f"{self.scratch}\n".encode())
        except BrokenPipeError:
            return 255, b"", b"the session is over"
        if not select.select([self.codes], [], [], LIMIT)[0]:
            self.bash.kill()
            raise subprocess.TimeoutExpired(command, LIMIT)
        code = os.read(self.codes, 16)
        return (
            int(code) if code else 255,
            (self.scratch / "stdout").read_bytes(),
            (self.scratch / "stderr").read_bytes(),
        )

    def is_skipped(self) -> bool:
        """As of Shells."""
        return False

    def end(self) -> None:
        """Ends the bash."""
        os.close(self.steps)
        os.close(self.codes)
        self.bash.wait()
        shutil.rmtree(self.scratch)


def run(step: Step, shell: Shells | Session) -> list[str]:
    """Runs one step; what is wrong with it, if anything."""
    stdin = "".join(line + "\n" for line in step.stdin).encode()
    try:
        code, stdout, stderr = shell.run(step.command, stdin)
    except subprocess.TimeoutExpired:
        return [f"it took more than {LIMIT} seconds"]
    wrong = compare("stdout", step.stdout, stdout) + compare(
        "stderr", step.stderr, stderr
    )
    if code != step.code:
        wrong.append(f"exit code {code}, expected {step.code}")
    return wrong


@cache
def is_met(need: str) -> bool:
    """Whether this machine has it."""
    if need == "root":
        return os.geteuid() == 0
    if need == "SATCHEL_LIB":
        return LIBRARY.exists()
    if need == "SATCHEL_BUILTIN":
        return BUILTIN.exists()
    if need == "mounts":
        probe = ["unshare", "-m", "true"]
        return subprocess.run(probe, capture_output=True, check=False).returncode == 0
    return shutil.which(need) is not None


def missing(needs: list[str]) -> str:
    """The needs that this machine does not meet, in words."""
    return ", ".join(WORDS.get(need, need) for need in needs if not is_met(need))


def play(
    path: Path, command: Path, shells: type[Shells] | type[Session]
) -> tuple[int, int, int]:
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
        shell = shells(folder, environment)
        for step in steps:
            if absent := missing(step.needs):
                skipped += 1
                print(f"skipped: {path.name}:{step.line}: needs {absent}")
            elif wrong := run(step, shell):
                failed += 1
                print(f"FAIL {path.relative_to(ROOT)}:{step.line}: {step.command}")
                print("\n".join("  " + line for line in wrong))
            else:
                skipped += shell.is_skipped()
        shell.end()
    return len(steps) - failed - skipped, failed, skipped


def main(names: list[str]) -> int:
    """Plays the transcripts of these names, or all."""
    options = [name for name in names if name.startswith("--")]
    names = [name for name in names if not name.startswith("--")]
    shells: type[Shells] | type[Session] = Shells
    for option in options:
        shells = Session if option == "--builtin" else Python
        Python.interpreter = option.removeprefix("--python=")
    command = Path(
        os.environ.get("SATCHEL_BIN", ROOT / "build/ship/bin/satchel")
    ).resolve()
    if not command.exists():
        print(f"there is no {command}: set SATCHEL_BIN, or run make ship")
        return 1
    paths = sorted((HERE / "transcripts").glob("*.txt"))
    chosen = [path for path in paths if not names or path.stem in names]
    counts = [play(path, command, shells) for path in chosen]
    passed, failed, skipped = (
        (sum(count) for count in zip(*counts, strict=True)) if counts else (0, 1, 0)
    )
    if shells is Python:
        Python.tell()
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
