"""Values to and from text, JSON and dotenv files, and from one type to another: the rules are in docs/values.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _native
from ._values import Type, Value

__all__ = [
    "convert",
    "from_dotenv",
    "from_json",
    "from_text",
    "to_dotenv",
    "to_json",
    "to_text",
]


def convert(value: Value | None, type: Type) -> Any:
    """The same value as another type, where nothing is lost; text is never taken for a number.

    >>> convert(3.0, Type.INT), convert(3, Type.DOUBLE)
    (3, 3.0)

    Raises ValueTypeError (a TypeError) where something would be lost, RangeError where the type is too narrow.
    """
    return _native.convert(value, type)


def from_text(text: str, type: Type) -> Any:
    """What `text` says as a value of `type`: an argument, an environment variable, what somebody has typed.

    >>> from_text("0x10", Type.INT), from_text("off", Type.BOOL)
    (16, False)

    Raises ValueTypeError (a TypeError) that names the text, RangeError where it does not fit.
    """
    return _native.from_text(text, type)


def to_text(value: Value | None) -> str:
    """The text that `satchel get` prints, which from_text reads back given the type.

    >>> to_text(16), to_text(True), to_text(b"\\0\\xff"), to_text([1, 2.0])
    ('16', 'true', 'AP8=', '[1,2.0]')
    """
    return _native.to_text(value)


def from_json(text: str | bytes) -> Any:
    """What JSON says, 64-bit integers, data, dates, URLs and UUIDs among it.

    >>> from_json('{"a": 1, "b": {"$data": "AP8="}}')
    {'a': 1, 'b': b'\\x00\\xff'}

    Raises ParseError (a ValueError) with line and column. All keys of a JSON object are set at once by
    ``settings.update(from_json(text))``, or by ``settings.import_json(text)``, which also takes what no Python object can hold.
    """
    return _native.from_json(text)


def to_json(value: Value | None) -> str:
    """The reverse, on one line.

    >>> to_json({"a": 1, "b": b"\\0\\xff"})
    '{"a":1,"b":{"$data":"AP8="}}'
    """
    return _native.to_json(value)


def from_dotenv(text: str | bytes) -> dict[str, str]:
    """The lines ``KEY=value`` of an ``.env`` file or of ``/etc/os-release``; of a key that comes twice the last one counts.

    >>> from_dotenv("A=1\\nB='x y'  # why\\n")
    {'A': '1', 'B': 'x y'}

    Raises ParseError (a ValueError) with the line. ``settings.update(from_dotenv(text))`` sets all of them at once.
    """
    values: dict[str, str] = _native.from_dotenv(text)
    return values


def to_dotenv(values: Mapping[str, Value]) -> str:
    """The reverse, of a dict or of settings, each value as its text; from_dotenv reads it back, and any POSIX shell
    where the keys are names of variables.

    >>> print(to_dotenv({"A": 1, "B": "x y"}), end="")
    A=1
    B='x y'

    Raises ValueTypeError (a TypeError) for what has no form in it: a list, a dict, a NUL, a key that is no name. ``key`` says which.
    """
    return _native.to_dotenv(dict(values))
