"""Text, JSON and dotenv files as values, and values as other types: the tables of docs/values.md."""

from __future__ import annotations

import datetime
import uuid
from typing import Any

import pytest

import satchel
from satchel import Type

UTC = datetime.timezone.utc


@pytest.mark.parametrize(
    "text, type, value, written",
    [
        ("YES", Type.BOOL, True, "true"),
        ("0123", Type.INT, 123, "123"),
        ("-0x10", Type.INT, -16, "-16"),
        ("18446744073709551615", Type.UINT, 2**64 - 1, "18446744073709551615"),
        ("3", Type.DOUBLE, 3.0, "3.0"),
        (" a\0b ", Type.STRING, " a\0b ", " a\0b "),
        ("AP8=", Type.DATA, b"\0\xff", "AP8="),
        (
            "2026-01-31T23:59:59.5+01:00",
            Type.DATE,
            datetime.datetime(2026, 1, 31, 22, 59, 59, 500000, tzinfo=UTC),
            "2026-01-31T22:59:59.5Z",
        ),
        ("a:b", Type.URL, satchel.URL("a:b"), "a:b"),
        (
            "01234567-89AB-cdef-fedc-ba9876543210",
            Type.UUID,
            uuid.UUID("01234567-89ab-cdef-fedc-ba9876543210"),
            "01234567-89ab-cdef-fedc-ba9876543210",
        ),
        ("[1, 2.0]", Type.ARRAY, [1, 2.0], "[1,2.0]"),
        ('{"a": null}', Type.DICTIONARY, {"a": None}, '{"a":null}'),
        ("null", Type.NULL, None, "null"),
    ],
)
def test_text(text: str, type: Type, value: Any, written: str) -> None:
    read = satchel.from_text(text, type)
    assert read == value and read.__class__ is value.__class__
    assert satchel.to_text(value) == written
    assert satchel.from_text(written, type) == value


def test_text_that_is_not_of_the_type() -> None:
    with pytest.raises(satchel.ValueTypeError, match='^"1.5" is not an int$'):
        satchel.from_text("1.5", Type.INT)
    with pytest.raises(satchel.RangeError, match='^"-1" does not fit a uint$'):
        satchel.from_text("-1", Type.UINT)
    with pytest.raises(satchel.InvalidError):
        satchel.from_text("1", 12)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "value, type, converted",
    [
        (3.0, Type.INT, 3),
        (3, Type.DOUBLE, 3.0),
        (3, Type.UINT, 3),
        (satchel.URL("a:b"), Type.STRING, "a:b"),
        ("a:b", Type.URL, satchel.URL("a:b")),
        ([1], Type.ARRAY, [1]),
    ],
)
def test_conversions(value: Any, type: Type, converted: Any) -> None:
    result = satchel.convert(value, type)
    assert result == converted and result.__class__ is converted.__class__


@pytest.mark.parametrize(
    "value, type, kind, message",
    [
        (0.5, Type.INT, TypeError, "0.5 cannot be read as an int without loss"),
        ("1", Type.INT, TypeError, "is a string, not an int"),
        (True, Type.INT, TypeError, "is a bool, not an int"),
        (-1, Type.UINT, OverflowError, "-1 does not fit a uint"),
        ([1], Type.DICTIONARY, TypeError, "is an array, not a dictionary"),
    ],
)
def test_conversions_that_would_lose_something(
    value: Any, type: Type, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind) as caught:
        satchel.convert(value, type)
    assert str(caught.value) == message


def test_json() -> None:
    values = {"a": [1, 2.0, None], "$b": b"\0", "c": satchel.URL("a:b")}
    assert satchel.from_json(satchel.to_json(values)) == values
    assert satchel.to_json({"$data": 1}) == '{"$object":{"$data":1}}'
    assert satchel.from_json(b"[true]") == [True]
    with pytest.raises(satchel.ParseError, match="^line 2, column 1: "):
        satchel.from_json('{"a": 9,\n')
    with pytest.raises(satchel.ParseError):
        satchel.from_json(b'"\xff"')


def test_dotenv(settings: satchel.Settings) -> None:
    settings.update(satchel.from_dotenv("A=1\nexport B='x y' # why\nA=2\n"))
    assert dict(settings) == {"A": "2", "B": "x y"} and settings.revision == 1
    settings["C"] = 3
    assert satchel.to_dotenv(settings) == "A=2\nB='x y'\nC=3\n"
    with pytest.raises(satchel.ParseError, match="^line 1: "):
        satchel.from_dotenv('A="1')
    with pytest.raises(satchel.ParseError, match="^it is not UTF-8$"):
        satchel.from_dotenv(b"\xff=1")
    refused: list[tuple[dict[str, Any], str]] = [
        ({"a b": 1}, "a b"),
        ({"A": 1, "L": []}, "L"),
        ({"N": "\0"}, "N"),
    ]
    for values, key in refused:
        with pytest.raises(TypeError) as caught:
            satchel.to_dotenv(values)
        assert isinstance(caught.value, satchel.Error) and caught.value.key == key


def test_json_of_a_key(settings: satchel.Settings) -> None:
    settings["v"] = {"a": b"\0\xff"}
    assert settings.get_json("v") == '{"a":{"$data":"AP8="}}'
    with pytest.raises(KeyError):
        settings.get_json("w")
    far = '{"$date":{"seconds":253402300800,"nanoseconds":1}}'
    settings.import_json(f'{{"far":{far}}}')
    assert settings.get_json("far") == far
    with pytest.raises(satchel.RangeError) as caught:
        settings["far"]
    assert caught.value.key == "far" and "years 0001 to 9999" in caught.value.message
