"""Dumps: the texts that all languages share, what only Python has, and values that do not want to be looked at."""

from __future__ import annotations

import collections
import dataclasses
import enum
import math
import os
import pathlib
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from satchel import OrderedDict
from satchel._dump import DumpLimits, describe


@dataclasses.dataclass
class point:  # noqa: N801 - as in the other languages
    x: int = 1
    y: float = 2.5


@dataclasses.dataclass
class line:  # noqa: N801
    start: point = dataclasses.field(default_factory=point)
    name: str = "a\nb"


@dataclasses.dataclass
class login:  # noqa: N801
    user: str = "me"
    password: str = "hunter2"


class Colour(enum.Enum):
    RED = 1


class Pair(NamedTuple):
    left: int
    right: str


class Plain:
    def __init__(self) -> None:
        self.name = "x"
        self.me = self


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self) -> None:
        self.a = 1


class Fails:
    def __repr__(self) -> str:
        raise ValueError("no")


class Endless(collections.UserDict[int, int]):
    def __len__(self) -> int:
        return 3

    def __iter__(self) -> Iterator[int]:
        number = 0
        while True:
            yield number
            number += 1

    def __getitem__(self, key: int) -> int:
        return key


VALUES: dict[str, object] = {
    "true": True,
    "int": -42,
    "double": 0.1,
    "large-double": 1e20,
    "infinity": -math.inf,
    "text": "two words",
    "escapes": 'a "quoted" \\ \a\b\t\n\v\f\r\x1b\x01\x7f ä \u202e \x85',
    "empty-text": "",
    "long-text": "x" * 100,
    "empty-list": [],
    "one-int": [7],
    "three-ints": [1, 2, 3],
    "lists-of-lists": [[1, 2], [3, 4]],
    "too-many": list(range(9)),
    "struct": point(),
    "nested-struct": line(),
    "secret-field": login(),
}
LIMITS = {"long-text": DumpLimits(text=10), "too-many": DumpLimits(entries=6)}
TYPES = {
    "double": "float",
    "text": "str",
    "long-text": "str",
    "name": "str",
    "ints": "list",
    "lists": "list",
}


def golden() -> dict[str, str]:
    """By name, with the types of Python."""
    values = os.environ.get("SATCHEL_VALUES")
    folder = (
        pathlib.Path(values).parent
        if values
        else pathlib.Path(__file__).parents[3] / "Tests"
    )
    texts: dict[str, list[str]] = {}
    lines: list[str] = []
    for text in (folder / "dumps.txt").read_text(encoding="utf-8").splitlines():
        if text.startswith("  "):
            lines.append(text[2:])
        elif text and not text.startswith("#"):
            lines = texts.setdefault(text, [])
    return {
        name: re.sub(
            r"\{([a-z-]+)(:\d+)?\}",
            lambda word: TYPES.get(word[1], word[1]),
            "\n".join(lines),
        )
        for name, lines in texts.items()
    }


def test_values_look_as_in_other_languages() -> None:
    expected = golden()
    assert expected.keys() == VALUES.keys()
    for name, value in VALUES.items():
        text = describe(value, LIMITS.get(name, DumpLimits()))
        assert re.sub("<secret [0-9a-f]{8}>", "<secret>", text) == expected[name]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "(NoneType) None"),
        (b"\0\xff", "(bytes) 2 bytes <00ff>"),
        (b"", "(bytes) 0 bytes <>"),
        (Colour.RED, "(Colour) .RED: (int) 1"),
        (Pair(1, "x"), '(Pair) {\n   left: (int) 1\n   right: (str) "x"\n}'),
        (
            {"b": 1, "a": 2},
            '(dict) 2 entries {\n   ["b"]: (int) 1\n   ["a"]: (int) 2\n}',
        ),
        ({}, "(dict) 0 entries {}"),
        ({"b", "a"}, '(set) 2 entries (\n   (str) "a"\n   (str) "b"\n)'),
        (range(3), "(range) range(0, 3)"),
        (1j, "(complex) 1j"),
        (int, "(type) <class 'int'>"),
        (pathlib.PurePosixPath("/x"), "(PurePosixPath) PurePosixPath('/x')"),
        ("\ud800", '(str) "\\u{d800}"'),
        (Fails(), "(Fails) <failed to describe itself: ValueError>"),
    ],
)
def test_what_only_python_has(value: object, text: str) -> None:
    assert describe(value) == text


def test_ordered_dictionaries_keep_their_order() -> None:
    words = OrderedDict(z=1, a=2)
    assert (
        describe(words)
        == '(OrderedDict) 2 entries {\n   ["z"]: (int) 1\n   ["a"]: (int) 2\n}'
    )


def test_objects_have_an_address_and_are_shown_once() -> None:
    value = Plain()
    address = f"<{id(value):#x}>"
    assert (
        describe(value)
        == f'(Plain) {address} {{\n   name: (str) "x"\n   me: (Plain) (shown above)\n}}'
    )
    slotted = Slotted()
    assert describe(slotted) == f"(Slotted) <{id(slotted):#x}> {{\n   a: (int) 1\n}}"
    cycle: list[Any] = []
    cycle.append(cycle)
    assert describe(cycle) == "(list) 1 entry [\n   [0]: (list) (shown above)\n]"


def test_exceptions_say_where_they_come_from() -> None:
    try:
        try:
            raise KeyError("inner")
        except KeyError as inner:
            raise ValueError("outer") from inner
    except ValueError as error:
        text = describe(error)
    assert text.startswith(
        '(ValueError) {\n   message: (str) "outer"\n   __cause__: (KeyError) {\n'
    )
    assert re.search(
        r'raised: \(list\) 1 entry \[\n +\[0\]: \(str\) ".*test_dump\.py:\d+ test_exceptions',
        text,
    )


def test_secrets_are_not_shown() -> None:
    text = describe({"api_key": "hunter2", "user": "me"})
    assert "hunter2" not in text
    assert '["user"]: (str) "me"' in text


def test_the_end_of_what_is_shown_is_told() -> None:
    assert describe(list(range(2000))).endswith(
        "   [999]: (int) 999\n   ... 1000 more\n]"
    )
    deep: list[Any] = []
    for _ in range(100):
        deep = [deep]
    assert "[ ... deeper than 16 levels ]" in describe(deep)
    large = describe(["x" * 1000] * 900)
    assert len(large) < 264_000
    assert large.endswith("\n... cut at 262144 bytes")
    assert describe("ä", DumpLimits(text=1)) == '(str) "ä"... 1 more bytes'
    assert describe(10**5000).startswith("(int) 0x")


def test_hostile_values_are_survived() -> None:
    text = describe(Endless(), DumpLimits(entries=5))
    assert text.startswith("(Endless) 3 entries {") and text.endswith("   ... more\n}")

    def fails(_: object) -> Any:
        raise RuntimeError

    liar = type(
        "Liar",
        (),
        {
            "__class__": property(fails),
            "__dict__": property(fails),
            "name": property(fails),
        },
    )
    assert describe(liar()).startswith("(Liar) ")

    class Dumps:
        def __repr__(self) -> str:
            return describe(self)

    assert describe(Dumps()).startswith("(Dumps) ")
