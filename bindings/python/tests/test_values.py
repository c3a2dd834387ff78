"""What goes in comes out: same type, same bits, same order; what cannot is refused with a reason."""

from __future__ import annotations

import collections
import datetime
import math
import os
import struct
import types
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import satchel

UTC = datetime.timezone.utc
VALUES = [
    True,
    False,
    0,
    1,
    -1,
    23,
    24,
    255,
    256,
    65535,
    65536,
    2**32 - 1,
    2**32,
    2**63 - 1,
    2**63,
    2**64 - 1,
    -(2**63),
    -24,
    -25,
    0.0,
    -0.0,
    0.1,
    5e-324,
    1.7976931348623157e308,
    math.inf,
    -math.inf,
    3.0,
    "",
    "x",
    "é",
    "e\u0301",
    "\0",
    "\U0010ffff",
    "a" * 70000,
    b"",
    b"\0\xff",
    bytes(range(256)),
    satchel.URL("https://example.org/a?b=c#d"),
    satchel.URL("relative"),
    uuid.UUID(int=0),
    uuid.UUID("12345678-1234-5678-1234-567812345678"),
    datetime.datetime(1970, 1, 1, tzinfo=UTC),
    datetime.datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    datetime.datetime(1, 1, 1, tzinfo=UTC),
    datetime.datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    satchel.DateTime.of(datetime.datetime(2026, 1, 31, 1, 2, 3, 4, tzinfo=UTC), 5),
    [],
    {},
    [None, True, [[]], {"z": 1, "a": {"": None}}],
    {"": 1, "b": 2, "a": 3},
]


def same(left: Any, right: Any) -> bool:
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        return struct.pack("d", left) == struct.pack("d", right)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return list(left) == list(right) and all(
            map(same, left.values(), right.values())
        )
    if isinstance(left, satchel.DateTime):
        return bool(left == right) and left.nanosecond == right.nanosecond
    return bool(left == right)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:40])
def test_round_trip(settings: satchel.Settings, value: Any) -> None:
    settings["v"] = value
    assert same(settings["v"], value)
    settings["nested"] = {"in": [value]}
    assert same(settings["nested"], {"in": [value]})
    with settings.transaction() as change:
        change["t"] = value
        assert same(change["t"], value)
    assert same(settings["t"], value)
    assert settings.compare_and_set("v", value, 0) and settings.compare_and_set(
        "v", 0, value
    )
    settings.compact()
    assert same(settings["v"], value)


def test_nan(settings: satchel.Settings) -> None:
    settings["v"] = struct.unpack("d", struct.pack("Q", 0xFFF8000000000001))[0]
    assert math.isnan(settings["v"]) and settings.compare_and_set("v", math.nan, 1)


def test_the_values_of_all_languages(settings: satchel.Settings) -> None:
    """As other languages write them: JSON in, Python's objects, JSON out."""
    lines = Path(os.environ["SATCHEL_VALUES"]).read_text().split("\n")
    values = [
        line.split(" ", 1)[1] for line in lines if line and not line.startswith("#")
    ]
    assert len(values) >= 80
    for value in values:
        settings.import_json(f'{{"v":{value}}}')
        written = settings.export_json()
        if '{"seconds":' in value:  # a moment that no datetime can hold
            with pytest.raises(satchel.RangeError):
                settings["v"]
            continue
        settings["v"] = settings["v"]
        assert settings.export_json() == written, value


class Odd(collections.UserDict[str, int]):
    """A mapping whose items are not what they should be."""

    item: object = None

    def items(self) -> Any:
        if self.item is None:
            raise LookupError("no items")
        return [self.item]


def test_odd_mappings(settings: satchel.Settings) -> None:
    odd = Odd()
    with pytest.raises(LookupError, match="no items"):
        settings["v"] = odd
    for odd.item in (["a", 1], ("a",), ("a", 1, 2), 5):
        with pytest.raises(satchel.ValueTypeError, match="pairs"):
            settings["v"] = odd
    odd.item = (1, 1)
    with pytest.raises(satchel.ValueTypeError, match="must be str"):
        settings["v"] = {"inside": odd}
    assert "v" not in settings
    odd.item = ("a", odd)
    with pytest.raises(satchel.RangeError):
        settings["v"] = odd


def test_kin_of_the_types(settings: satchel.Settings) -> None:
    class Small(int):
        pass

    ordered = collections.OrderedDict(a=1, b=2)
    ordered.move_to_end("a")
    for value, kept in (
        (bytearray(b"x"), b"x"),
        (memoryview(b"xyz")[1:], b"yz"),
        ((1, 2), [1, 2]),
        (Small(5), 5),
        (ordered, {"b": 2, "a": 1}),
        (satchel.OrderedDict(ordered), {"b": 2, "a": 1}),
        ([types.MappingProxyType({"b": 2})], [{"b": 2}]),
        (
            datetime.datetime(
                2026, 1, 1, 2, tzinfo=datetime.timezone(datetime.timedelta(hours=2))
            ),
            datetime.datetime(2026, 1, 1, tzinfo=UTC),
        ),
    ):
        settings["v"] = value
        assert same(settings["v"], kept)


@pytest.mark.parametrize(
    "value, kind, word",
    [
        (None, TypeError, "null"),
        (2**64, OverflowError, "64 bits"),
        (-(2**63) - 1, ValueError, "64 bits"),
        (datetime.date(2026, 1, 1), TypeError, "isoformat"),
        (datetime.datetime(2026, 1, 1), TypeError, "zone"),
        ({1}, TypeError, "type set "),
        (object, TypeError, "type type "),
        ({1: 2}, TypeError, "must be str"),
        ([1, [2j]], TypeError, "type complex "),
        ("\ud800", ValueError, "surrogate"),
        (satchel.URL(""), ValueError, "URL"),
        (satchel.URL("a b"), ValueError, "URL"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_refused(
    settings: satchel.Settings, value: Any, kind: type[Exception], word: str
) -> None:
    settings["v"] = 1
    uses: list[Callable[[], object]] = [
        lambda: settings.__setitem__("v", value),
        lambda: settings.update(v=value),
        lambda: settings.compare_and_set("v", 1, [value] if value is None else value),
    ]
    for use in uses[: 2 if value is None else 3]:
        with pytest.raises(kind, match=word):
            use()
    assert settings["v"] == 1 and settings.revision == 1


def test_bottomless(settings: satchel.Settings) -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(satchel.RangeError):
        settings["v"] = loop
    deep: list[Any] = []
    for _ in range(63):
        deep = [deep]
    settings["v"] = deep
    assert settings["v"] == deep
    with pytest.raises(satchel.RangeError):
        settings["v"] = [deep]


def test_dates_beyond_python(settings: satchel.Settings) -> None:
    """A moment that no datetime can hold is an error for who reads it, and for nobody else."""
    settings["early"] = 1
    value = '{"$date":"9999-12-31T23:59:59.999999999Z"}'
    settings.import_json(f'{{"v":{value}}}')
    read = settings["v"]
    assert isinstance(read, satchel.DateTime) and read.nanosecond == 999
    settings["v"] = read
    assert value in settings.export_json()


@pytest.mark.parametrize(
    "key", ["", "a\0b", "x" * 1025, 5, None, b"x"], ids=lambda value: repr(value)[:10]
)
def test_no_keys(settings: satchel.Settings, key: Any) -> None:
    uses: list[Callable[[], object]] = [
        lambda: settings.__setitem__(key, 1),
        lambda: settings.add(key),
        lambda: settings.compare_and_set(key, None, 1),
        lambda: settings.transaction().__setitem__(key, 1),
    ]
    for use in uses:
        with pytest.raises((TypeError, ValueError)) as caught:
            use()
        assert (
            isinstance(caught.value, satchel.Error)
            and caught.value.domain == settings.domain
        )
    with pytest.raises((TypeError, ValueError, KeyError)):
        settings[key]
    assert settings.revision == 0


def test_odd_keys(settings: satchel.Settings) -> None:
    keys = [
        "a.b",
        "a/b",
        "=",
        "\n",
        "é",
        "e\u0301",
        " ",
        "'\"$(x)",
        "--flag",
        "\x7f",
        "x" * 1024,
    ]
    for number, key in enumerate(keys):
        settings[key] = number
    assert list(settings.items()) == [(key, number) for number, key in enumerate(keys)]
