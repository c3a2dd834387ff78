"""The words of a command line carried out through the Python package: what stands for `satchel` in the transcripts there.

What Python has no word for is handed to the command at $SATCHEL_COMMAND, each time for one of the reasons below. What was
done is added to the file $SATCHEL_TRACE: a line "python", or the reason.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import satchel
from satchel import Type

MISUSE = "a wrong command line, which is the command's own to tell"
REPORT = "help, version and doctor's report for people; Python has help(), __version__, health() and accept()"
ENV = "--format env: Python has os.environ and subprocess"
SAME = "--type same: Python has info(key).type"
HEADINGS = "headings on a terminal"
PARTS = "--in-parts: Python has a transaction for each part"
DAMAGE = "a listing of what is damaged; Python has health()"
FILES = "a file that cannot be read: Python has open()"
REHEARSAL = "a rehearsal on a domain that does not exist"
LIMIT = 128 << 20
# As `satchel help exit-codes` has them, by the code of the exception.
EXITS = {-1: 1, -12: 1, -3: 2, -4: 2, -18: 2, -9: 4, -10: 4, -8: 4}
EXITS |= {-7: 7, -2: 8, -11: 8, -5: 9, -14: 9, -16: 9}
FAILED = 3

OPENING = {"directory", "program", "timeout"}
CONDITIONS = {"if-equals", "if-absent", "if-revision"}
# The operands of each verb, at least and at most, and its flags.
VERBS: dict[str, tuple[int, int, set[str]]] = {
    "get": (2, 2, {"type", "default", "json", "null"}),
    "set": (2, 3, {"type", "durable", "stdin", "null"} | CONDITIONS),
    "unset": (2, 2, {"type", "durable", "if-equals", "if-revision"}),
    "add": (2, 3, {"durable"}),
    "list": (1, 1, {"keys", "long", "json", "null", "prefix"}),
    "domains": (0, 0, {"json", "null"}),
    "import": (
        1,
        2,
        {"format", "replace", "in-parts", "dry-run", "skip-null", "durable"},
    ),
    "export": (1, 1, {"format", "pretty", "null"}),
    "compact": (1, 1, set()),
}
VALUED = {"type", "default", "prefix", "format", "if-equals", "if-revision"} | OPENING
LETTERS = {"-z": "--null", "-n": "--dry-run"}
EXCLUSIONS = [{"if-equals", "if-absent"}, {"if-equals", "if-revision"}]
EXCLUSIONS += [{"if-absent", "if-revision"}, {"json", "long"}, {"keys", "long"}]
TYPES = {type.name.lower(): type for type in Type if Type.BOOL <= type <= Type.UUID}


class Answer(Exception):
    """The end: an exit code, and lines for standard error."""

    def __init__(self, code: int, *lines: str) -> None:
        super().__init__(code)
        self.code, self.lines = code, lines


class HandOver(Exception):
    """It is for the command to do."""


def trace(what: str) -> None:
    with open(os.environ["SATCHEL_TRACE"], "a", encoding="utf-8") as file:
        file.write(what + "\n")


# The command line


def looks_like_flag(word: str) -> bool:
    """A dash and more, but not a negative number, which can be a value."""
    if not word.startswith("-") or word == "-" or word[1] in ".0123456789":
        return False
    return word.lower() not in ("-inf", "-infinity", "-nan")


class Words:
    """A command line that means something."""

    def __init__(self, words: list[str]) -> None:
        if not words or words[0].startswith("-") or words[0] in ("help", "doctor"):
            raise HandOver(REPORT if words else MISUSE)
        self.verb = words[0]
        if self.verb not in VERBS:
            raise HandOver(MISUSE)
        least, most, flags = VERBS[self.verb]
        self.flags: dict[str, str] = {}
        self.operands = list(self.take(iter(words[1:]), flags | OPENING))
        if not least <= len(self.operands) <= most:
            raise HandOver(MISUSE)
        self.check()

    def take(self, words: Iterator[str], known: set[str]) -> Iterator[str]:
        """Takes the flags, and gives the operands."""
        for word in words:
            if word == "--":
                yield from words
            elif looks_like_flag(word):
                self.take_flag(LETTERS.get(word, word), words, known)
            else:
                yield word

    def take_flag(self, word: str, words: Iterator[str], known: set[str]) -> None:
        name, equals, value = word.removeprefix("--").partition("=")
        takes_value = name in VALUED
        if not word.startswith("--") or name not in known or equals and not takes_value:
            raise HandOver(MISUSE)
        if takes_value and not equals:
            value = next(words, None) or ""
        self.flags[name] = value

    def check(self) -> None:
        if self.verb == "set" and self.flags.get("type") == "same":
            raise HandOver(SAME)
        excluded = any(pair <= set(self.flags) for pair in EXCLUSIONS)
        if self.verb != "get":
            excluded |= {"json", "null"} <= set(self.flags)
        names = [*self.operands, *self.flags.values()]
        is_known = self.flags.get("type", "json") in [*TYPES, "json"]
        is_empty = "" in [self.flags.get(name) for name in OPENING]
        if excluded or is_empty or not is_known or not all(map(is_utf8, names)):
            raise HandOver(MISUSE)

    def has(self, flag: str) -> bool:
        return flag in self.flags

    @property
    def type(self) -> Type | None:
        return TYPES.get(self.flags.get("type", ""))

    @property
    def is_json(self) -> bool:
        return self.has("json") or self.flags.get("type") == "json"

    @property
    def end(self) -> str:
        return "\0" if self.has("null") else "\n"

    def value(self, text: str, subject: str) -> Any:
        """Text as --type says; a string without."""
        try:
            if self.flags.get("type") == "json":
                return satchel.from_json(text)
            return satchel.from_text(text, self.type or Type.STRING)
        except satchel.Error as error:
            raise Answer(2, f"{subject}: {error.message}") from error


def is_utf8(text: str) -> bool:
    """Whether a word of the command line was UTF-8."""
    return not any(0xDC80 <= ord(character) <= 0xDCFF for character in text)


# Opening


def opened(words: Words, *, create: bool) -> satchel.Settings:
    try:
        timeout = satchel.from_text(words.flags.get("timeout", "5"), Type.DOUBLE)
    except satchel.Error as error:
        raise HandOver(MISUSE) from error
    if not timeout >= 0:
        raise HandOver(MISUSE)
    return satchel.Settings(
        words.operands[0],
        create=create,
        durability="disk" if words.has("durable") else "process",
        lock_timeout=timeout,
        program=words.flags.get("program"),
        directory=words.flags.get("directory"),
    )


def existing(words: Words) -> satchel.Settings | None:
    try:
        return opened(words, create=False)
    except satchel.NotFoundError:
        return None


def listed(words: Words) -> satchel.Settings:
    """For what needs the domain as a whole: its absence is told, and what is damaged in it."""
    settings = opened(words, create=False)
    health = settings.health()
    if health.corrupt_keys or health.is_degraded:
        raise HandOver(DAMAGE)
    return settings


# What is read


def standard_input() -> bytes:
    if sys.stdin is None:
        raise HandOver(FILES)
    data = sys.stdin.buffer.read()
    if len(data) > LIMIT:
        raise Answer(9, "standard input has more than 128 MiB")
    return data


def given_text(words: Words) -> str:
    """The VALUE of set, or what stands on standard input."""
    if words.has("stdin") == (len(words.operands) > 2):
        raise HandOver(MISUSE)
    if not words.has("stdin"):
        return words.operands[2]
    data = standard_input().removesuffix(words.end.encode())
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise Answer(2, "standard input is not UTF-8") from error


# What is shown


def escaped(text: str, special: str = "", backslash: str = "\\\\") -> str:
    """On one line, in the form that printf %b undoes."""
    plain = {"\\": backslash, "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return "".join(
        plain.get(character)
        or (
            octal(character)
            if is_control(character) or character in special
            else character
        )
        for character in text
    )


def is_control(character: str) -> bool:
    return (
        character < " " or "\x7f" <= character <= "\x9f" or character in "\u2028\u2029"
    )


def octal(character: str) -> str:
    return "".join(f"\\0{byte:03o}" for byte in character.encode())


def shown(settings: satchel.Settings, key: str) -> str:
    """The text of a value; a date that has none as JSON."""
    try:
        return satchel.to_text(settings[key])
    except satchel.RangeError:
        return settings.get_json(key)


# The verbs. Each gives what is printed, or raises.


def run_get(words: Words) -> str:
    key = words.operands[1]
    otherwise = words.flags.get("default")
    if otherwise is not None:
        value = words.value(otherwise, "--default")
        otherwise = satchel.to_json(value) if words.has("json") else otherwise
    settings = existing(words)
    text = stored(settings, key, words) if settings is not None else None
    if text is None and otherwise is None:
        raise Answer(1)
    return f"{otherwise if text is None else text}{words.end}"


def stored(settings: satchel.Settings, key: str, words: Words) -> str | None:
    try:
        if words.is_json and words.type is None:
            return settings.get_json(key)
        value = settings[key]
        if words.type is not None:
            value = satchel.convert(value, words.type)
        return satchel.to_json(value) if words.is_json else satchel.to_text(value)
    except satchel.NotFoundError:
        return None
    except (satchel.ValueTypeError, satchel.RangeError) as error:
        if len(key.encode()) > 1024:  # it is the key that is wrong, not the type
            raise
        way_out = "--json prints a value of any type"
        raise Answer(
            2, f"{words.operands[0]}: {shortened(key)}: {error.message}", way_out
        ) from error


def shortened(key: str) -> str:
    """No more of it than fits a line."""
    return key if len(key) <= 100 else key[:97] + "..."


def condition(words: Words) -> tuple[Any, int | None]:
    """What --if-equals and --if-revision ask for; None where they do not."""
    expected = revision = None
    if words.has("if-equals"):
        expected = words.value(words.flags["if-equals"], "--if-equals")
    elif words.has("if-revision"):
        try:
            revision = satchel.from_text(words.flags["if-revision"], Type.UINT)
        except satchel.Error as error:
            raise Answer(2, f"--if-revision: {error.message}") from error
    return expected, revision


def run_set(words: Words) -> str:
    key = words.operands[1]
    expected, revision = condition(words)
    value = words.value(given_text(words), f"{words.operands[0]}: {shortened(key)}")
    allows_absence = expected is None and not revision
    settings = opened(words, create=True) if allows_absence else existing(words)
    if settings is None:
        raise Answer(1)
    if revision is not None:
        is_done = settings.compare_revision_and_set(key, revision, value)
    elif expected is not None or words.has("if-absent"):
        is_done = settings.compare_and_set(key, expected, value)
    else:
        settings[key] = value
        is_done = True
    raise Answer(0 if is_done else 1)


def run_unset(words: Words) -> str:
    key = words.operands[1]
    expected, revision = condition(words)
    settings = existing(words)
    if settings is None or key not in settings or revision == 0:
        raise Answer(1)
    if revision is not None:
        is_done = settings.compare_revision_and_set(key, revision, None)
    elif expected is not None:
        is_done = settings.compare_and_set(key, expected, None)
    else:
        del settings[key]
        is_done = True
    raise Answer(0 if is_done else 1)


def run_add(words: Words) -> str:
    number = words.operands[2] if len(words.operands) > 2 else "1"
    try:
        delta = satchel.from_text(number, Type.INT)
    except satchel.Error as error:
        reason = f'add: N is an integer of 64 bits, not "{number}"'
        raise Answer(2, reason) from error
    return f"{opened(words, create=True).add(words.operands[1], delta)}\n"


def run_list(words: Words) -> str:
    if words.has("long") and sys.stdout.isatty():
        raise HandOver(HEADINGS)
    settings = listed(words)
    keys = [key for key in settings if key.startswith(words.flags.get("prefix", ""))]
    if words.has("keys") and words.has("json"):
        return satchel.to_json(keys) + "\n"
    if words.has("json"):
        return satchel.to_json({key: settings[key] for key in keys}) + "\n"
    if words.has("keys"):
        lines = keys if words.has("null") else [escaped(key) for key in keys]
    elif words.has("long"):
        lines = rows(settings, keys)
    else:
        lines = [line(settings, key, words) for key in keys]
    return "".join(text + words.end for text in lines)


def line(settings: satchel.Settings, key: str, words: Words | None = None) -> str:
    text = shown(settings, key)
    if words is None or not words.has("null"):
        return f"{escaped(key, '=')}={escaped(text)}"
    if "\0" in text:
        reason = "the value holds a NUL; --json can print it"
        raise Answer(2, f"{settings.domain}: {shortened(key)}: {reason}")
    return f"{escaped(key, '=')}={text}"


def rows(settings: satchel.Settings, keys: list[str]) -> list[str]:
    """Type, revision, time, user, process, program, and the key with its value."""
    table = []
    for key in keys:
        info = settings.info(key)
        numbers = [
            str(info.revision),
            satchel.to_text(info.time),
            str(info.uid),
            str(info.pid),
        ]
        table.append(
            [info.type.name.lower(), *numbers, escaped(info.program, " ") or "-"]
        )
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "".join(f"{cell:<{width + 2}}" for cell, width in zip(row, widths, strict=True))
        + line(settings, key)
        for row, key in zip(table, keys, strict=True)
    ]


def run_domains(words: Words) -> str:
    names = satchel.domains(words.flags.get("directory"))
    if words.has("json"):
        return satchel.to_json(names) + "\n"
    return "".join(name + words.end for name in names)


def run_compact(words: Words) -> str:
    listed(words).compact()
    return ""


def run_export(words: Words) -> str:
    kind = words.flags.get("format", "json")
    if kind == "env":
        raise HandOver(ENV)
    if (
        kind not in ("json", "dotenv")
        or words.has("null")
        or (words.has("pretty") and kind != "json")
    ):
        raise HandOver(MISUSE)
    settings = listed(words)
    if kind == "json":
        text = settings.export_json()
        return (
            json.dumps(json.loads(text), indent=2, ensure_ascii=False)
            if words.has("pretty")
            else text
        ) + "\n"
    try:
        return satchel.to_dotenv(settings)
    except satchel.Error as error:
        way_out = "--format json holds everything"
        raise Answer(
            EXITS[error.code], f"{settings.domain}: {error}", way_out
        ) from error


# Importing


def format_of(words: Words) -> str:
    name = os.path.basename(words.operands[1] if len(words.operands) > 1 else "-")
    if words.has("format"):
        kind = words.flags["format"]
    elif name.endswith(".json"):
        kind = "json"
    elif (
        name.endswith((".env", "-release"))
        or name.startswith(".env.")
        or name == "environment"
    ):
        kind = "dotenv"
    else:
        kind = ""
    if kind not in ("json", "dotenv"):
        raise HandOver(MISUSE)
    return kind


def file_data(words: Words) -> tuple[str, bytes]:
    """The name of what is imported, for messages, and what it holds."""
    if len(words.operands) < 2 or words.operands[1] == "-":
        return "standard input", standard_input()
    try:
        with open(words.operands[1], "rb") as file:
            return words.operands[1], file.read()
    except OSError as error:
        raise HandOver(FILES) from error


def run_import(words: Words) -> str:
    if words.has("in-parts"):
        raise HandOver(PARTS)
    kind = format_of(words)
    if words.has("dry-run") and existing(words) is None:
        raise HandOver(REHEARSAL)
    source, data = file_data(words)
    settings = opened(words, create=True)
    if kind == "json" and words.flags.keys() <= OPENING | {"format", "durable"}:
        import_json(settings, source, data)
        report(words, len(json.loads(data)), 0)
    values = decoded(source, data, kind)
    nulls = [key for key in values if values[key] is None and words.has("skip-null")]
    for key in nulls:
        del values[key]
    report(words, len(values), set_all(settings, values, words), len(nulls))


def import_json(settings: satchel.Settings, source: str, data: bytes) -> None:
    try:
        settings.import_json(data)
    except (satchel.ParseError, satchel.ValueTypeError) as error:
        if error.key is not None:
            raise
        raise Answer(2, f"{source}: {error.message}") from error


def decoded(source: str, data: bytes, kind: str) -> dict[str, Any]:
    try:
        if kind == "dotenv":
            return satchel.from_dotenv(data)
        values: dict[str, Any] = satchel.convert(
            satchel.from_json(data), Type.DICTIONARY
        )
        return values
    except satchel.Error as error:
        raise Answer(2, f"{source}: {error.message}") from error


def set_all(settings: satchel.Settings, values: dict[str, Any], words: Words) -> int:
    """Sets them in one transaction, and removes others where that is asked for; how many."""
    removed = (
        [key for key in settings if key not in values] if words.has("replace") else []
    )
    with settings.transaction() as change:
        for key, value in values.items():
            change[key] = value
        for key in removed:
            del change[key]
        if words.has("dry-run"):
            change.rollback()
    return len(removed)


def report(words: Words, count: int, removed: int, skipped: int = 0) -> NoReturn:
    domain = words.operands[0]
    lines = [f"{domain}: null and left out: {counted(skipped)}"] if skipped else []
    verb = "would be set" if words.has("dry-run") else "set"
    others = f", {removed} removed" if words.has("replace") else ""
    raise Answer(0, *lines, f"{domain}: {counted(count)} {verb}{others}")


def counted(count: int) -> str:
    return "1 key" if count == 1 else f"{count} keys"


RUN: dict[str, Callable[[Words], str]] = {
    "get": run_get,
    "set": run_set,
    "unset": run_unset,
    "add": run_add,
    "list": run_list,
    "domains": run_domains,
    "import": run_import,
    "export": run_export,
    "compact": run_compact,
}


# What the command line can do about it, by how the sentence of the package begins.
WAYS_OUT = {
    "there is no such domain": "satchel domains lists them",
    "its file is empty": "satchel domains lists them",
    "others held the lock": "--timeout SECONDS waits longer",
    "written in format version": "a newer satchel reads it",
    "a transaction holds": "--in-parts sets them in several steps, each of which is all or nothing",
}
WAYS_OUT_OF_IMPORT = {
    "null can only": "--skip-null leaves out keys whose value is null",
}


def failure(error: satchel.Error, verb: str) -> Answer:
    """What the package says, and a way out."""
    ways = WAYS_OUT | (WAYS_OUT_OF_IMPORT if verb == "import" else {})
    lines = [way for begin, way in ways.items() if error.message.startswith(begin)]
    return Answer(EXITS.get(error.code, FAILED), str(error), *lines)


def answer(words: Words) -> Answer:
    try:
        text = RUN[words.verb](words)
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
        return Answer(0)
    except Answer as told:
        return told
    except satchel.Error as error:
        return failure(error, words.verb)


def main(arguments: list[str]) -> int:
    try:
        end = answer(Words(arguments))
    except HandOver as reason:
        trace(str(reason))
        command = os.environ["SATCHEL_COMMAND"]
        os.execv(command, ["satchel", *arguments])
    trace("python")
    for text in end.lines:
        sys.stderr.buffer.write(
            f"satchel: {escaped(text, backslash=chr(92))}\n".encode()
        )
    return end.code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
