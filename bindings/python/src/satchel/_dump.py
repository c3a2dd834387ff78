"""What a value is, in as many lines as that takes, in the form that all languages share: docs/dumps.md."""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import itertools
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

__all__ = ["DumpLimits", "describe"]


@dataclasses.dataclass(frozen=True)
class DumpLimits:
    """How much of a value a dump shows. Where it ends before the value does, it says so."""

    depth: int = 16
    entries: int = 1000
    text: int = 4096
    size: int = 256 << 10


def describe(value: object, limits: DumpLimits = DumpLimits()) -> str:
    """The text of a dump, behind its label. Whatever the value does when it is looked at, this raises nothing."""
    dump = _Dump(limits)
    try:
        dump.value(value)
    except _Full:
        dump.parts.append(f"\n... cut at {limits.size} bytes")
    return "".join(dump.parts)


class _Full(Exception):
    """There is no room for more."""


_ESCAPES = {
    0: "\\0",
    7: "\\a",
    8: "\\b",
    9: "\\t",
    10: "\\n",
    11: "\\v",
    12: "\\f",
    13: "\\r",
    27: "\\e",
}
# What breaks lines, reorders text, or hides.
_HAZARDS = re.compile(
    "[\x80-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_SECRET = re.compile(
    r"pass(word|wd|phrase|code)|secret|token|(api|access|private|account|master|signing|encryption|ssh|auth)_?key"
    r"|credential|sess(ion)?_?id|authorization|signature|cookie|mnemonic|recovery_?code|card_?number"
    r"|^(pwd|pass|jwt|bearer|sig|otp|cvv|cvc)$",
    re.IGNORECASE,
)
_KEY = os.urandom(16)


def _control(match: re.Match[str]) -> str:
    byte = ord(match[0])
    return _ESCAPES.get(byte, f"\\x{byte:02x}")


def _plain(text: str) -> str:
    """In one line, and without quotes."""
    return _HAZARDS.sub(
        lambda match: f"\\u{{{ord(match[0]):x}}}", _CONTROLS.sub(_control, text)
    )


def _is_own(kind: type, name: str) -> bool:
    """Whether a class, or one that it is derived from, says more than ``object`` does."""
    return getattr(kind, name, None) is not getattr(object, name)


class _Dump:
    def __init__(self, limits: DumpLimits, depth: int = 0, above: tuple[int, ...] = ()):
        self.limits = limits
        self.parts: list[str] = []
        self.size = 0
        self.depth = depth
        # Those that are being described, from outside in.
        self.above = above

    def add(self, text: str) -> None:
        self.parts.append(text)
        self.size += len(text.encode("utf-8", "surrogatepass"))

    def line(self) -> None:
        """The next line, as deep as we are."""
        if self.size >= self.limits.size:
            raise _Full
        self.add("\n" + "   " * self.depth)

    def value(self, value: object) -> None:
        self.add(f"({_plain(type(value).__name__)}) ")
        self.body(value)

    def body(self, value: object) -> None:
        """The same without the type."""
        try:
            if not self.scalar(value):
                self.guarded(value)
        except _Full:
            raise
        except Exception as error:
            self.add(f"<failed to describe itself: {type(error).__name__}>")

    def guarded(self, value: object) -> None:
        if id(value) in self.above:
            self.add("(shown above)")
            return
        outer, self.above = self.above, (*self.above, id(value))
        try:
            self.parted(value)
        finally:
            self.above = outer

    def scalar(self, value: object) -> bool:
        """False where it is none."""
        if value is None or isinstance(value, bool):
            self.add({None: "None", True: "true", False: "false"}[value])
        elif isinstance(value, enum.Enum):
            self.add(f".{_plain(str(value.name))}: ")
            self.value(value.value)
        elif isinstance(value, int):
            self.add(int.__repr__(value) if value.bit_length() < 10_000 else hex(value))
        elif isinstance(value, float):
            self.add(float.__repr__(value))
        elif isinstance(value, str):
            self.quoted(str.__str__(value))
        elif isinstance(value, (bytes, bytearray, memoryview)):
            self.bytes(bytes(value))
        else:
            return False
        return True

    def quoted(self, text: str) -> None:
        size = len(text.encode("utf-8", "surrogatepass"))
        shown, room = text, self.limits.text
        if size > room:
            sizes = itertools.accumulate(
                len(c.encode("utf-8", "surrogatepass")) for c in text
            )
            shown = text[
                : 1 + next(index for index, end in enumerate(sizes) if end >= room)
            ]
        self.add('"' + _plain(shown.replace("\\", "\\\\").replace('"', '\\"')) + '"')
        if size > room:
            self.add(f"... {size - room} more bytes")

    def bytes(self, data: bytes) -> None:
        shown = data[: self.limits.text]
        self.add(f"{len(data)} byte{'' if len(data) == 1 else 's'} <{shown.hex()}>")
        if len(data) > len(shown):
            self.add(f"... {len(data) - len(shown)} more bytes")

    def parted(self, value: object) -> None:
        """What has parts, or describes itself."""
        kind = type(value)
        names = getattr(kind, "_fields", None)
        if isinstance(value, BaseException):
            self.exception(value)
        elif isinstance(value, tuple) and isinstance(names, tuple):
            self.fields(zip(map(str, names), value, strict=False))
        elif isinstance(value, Mapping):
            self.mapping(value)
        elif isinstance(value, Set):
            self.unordered(value)
        elif isinstance(value, Sequence) and not isinstance(value, range):
            self.sequence(value)
        elif dataclasses.is_dataclass(kind):
            self.fields(
                (field.name, getattr(value, field.name, None))
                for field in dataclasses.fields(kind)
            )
        elif _is_own(kind, "__repr__") or _is_own(kind, "__str__"):
            self.said(repr(value) if _is_own(kind, "__repr__") else str(value))
        else:
            self.add(f"<{id(value):#x}> ")
            self.fields(_attributes(value))

    def said(self, text: str) -> None:
        """What a value says of itself: in as many lines as it wants, from the second on one level further right."""
        if not text:
            self.add("<no description>")
        shown = text[: self.limits.size]
        self.depth += 1
        for index, part in enumerate(shown.split("\n")):
            if index > 0:
                self.line()
            self.add(_plain(part))
        self.depth -= 1
        if len(text) > len(shown):
            self.add("... more")

    def exception(self, error: BaseException) -> None:
        """What it says, what it came from, and where it was raised."""
        trace = [
            f"{frame.f_code.co_filename}:{line} {frame.f_code.co_name}"
            for frame, line in _frames(error)
        ]
        named: list[tuple[str, object]] = [("message", str(error))]
        named += [
            (name, cause)
            for name in ("__cause__", "__context__")
            if (cause := getattr(error, name)) is not None
        ]
        named += (
            [("notes", notes)] if (notes := getattr(error, "__notes__", None)) else []
        )
        named += [("raised", trace)] if trace else []
        self.fields(iter(named))

    def sequence(self, values: Sequence[object]) -> None:
        with _Group(self, "[]", len(values)) as group:
            for index, value in enumerate(group.shown(values)):
                self.add(f"[{index}]: ")
                self.value(value)

    def mapping(self, values: Mapping[Any, object]) -> None:
        with _Group(self, "{}", len(values)) as group:
            for key, value in group.shown(values.items()):
                self.add("[")
                self.body(key)
                self.add("]: ")
                self.named(key if isinstance(key, str) else "", value)

    def unordered(self, values: Set[object]) -> None:
        """By their text, so that two dumps can be compared."""
        with _Group(self, "()", len(values)) as group:
            if not group.is_open:
                return
            texts = []
            for value in itertools.islice(values, self.limits.entries):
                inner = _Dump(self.limits, self.depth, self.above)
                inner.value(value)
                texts.append("".join(inner.parts))
            for text in group.shown(sorted(texts)):
                self.add(text)

    def fields(self, fields: Iterable[tuple[str, object]]) -> None:
        with _Group(self, "{}", None) as group:
            for name, value in group.shown(fields):
                self.add(f"{_plain(name)}: ")
                self.named(name, value)

    def named(self, name: str, value: object) -> None:
        """A value, unless its name says that it is a secret. Equal ones can be told."""
        if not _SECRET.search(name):
            self.value(value)
            return
        inner = _Dump(self.limits, self.depth, self.above)
        inner.body(value)
        text = "".join(inner.parts).encode("utf-8", "surrogatepass")
        self.add(
            f"<secret {hashlib.blake2b(text, digest_size=4, key=_KEY).hexdigest()}>"
        )


class _Group:
    """Brackets, and between them lines of their own; one line where nothing is in them."""

    def __init__(self, dump: _Dump, brackets: str, count: int | None):
        self.dump = dump
        self.brackets = brackets
        self.count = count
        self.is_open = dump.depth < dump.limits.depth
        self.has_entries = False

    def __enter__(self) -> _Group:
        if self.count is not None:
            self.dump.add("1 entry " if self.count == 1 else f"{self.count} entries ")
        self.dump.add(self.brackets[0])
        if self.is_open:
            self.dump.depth += 1
        else:
            self.dump.add(f" ... deeper than {self.dump.limits.depth} levels ")
        return self

    def shown(self, entries: Iterable[Any]) -> Iterator[Any]:
        """Each entry, at the beginning of a line of its own."""
        if not self.is_open:
            return
        most = self.dump.limits.entries
        for index, entry in enumerate(entries):
            if index == most:
                break
            self.has_entries = True
            self.dump.line()
            yield entry
        else:
            return
        self.dump.line()
        self.dump.add(
            "... more"
            if self.count is None or self.count <= most
            else f"... {self.count - most} more"
        )

    def __exit__(self, kind: object, *_: object) -> None:
        if not self.is_open:
            self.dump.add(self.brackets[1])
            return
        self.dump.depth -= 1
        if kind is None:
            if self.has_entries:
                self.dump.line()
            self.dump.add(self.brackets[1])


def _attributes(value: object) -> Iterator[tuple[str, object]]:
    own = getattr(value, "__dict__", None)
    if isinstance(own, dict):
        yield from ((str(name), content) for name, content in list(own.items()))
    for kind in reversed(type(value).__mro__):
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                yield name, getattr(value, name)


def _frames(error: BaseException) -> Iterator[tuple[Any, int]]:
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next
