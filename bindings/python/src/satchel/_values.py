"""What a setting can hold, where Python has no type of its own for it; and points in time."""

from __future__ import annotations

import datetime as _datetime
from collections.abc import Mapping
from enum import IntEnum
from typing import Any, NamedTuple, Union
from uuid import UUID

__all__ = ["URL", "DateTime", "Health", "KeyInfo", "Type", "Value"]

_epoch = _datetime.datetime(1970, 1, 1, tzinfo=_datetime.timezone.utc)


class Type(IntEnum):
    """The types of values, as in all languages (docs/values.md, section 1). A Python int is an INT, or a UINT beyond it."""

    NULL = 0
    BOOL = 1
    INT = 2
    UINT = 3
    DOUBLE = 4
    STRING = 5
    DATA = 6
    DATE = 7
    URL = 8
    UUID = 9
    ARRAY = 10
    DICTIONARY = 11


class URL(str):
    """Text that is stored as a URL. It stays one when it is read and written again.

    >>> URL("https://example.org/a") == "https://example.org/a"
    True
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"satchel.URL({str(self)!r})"


class DateTime(_datetime.datetime):
    """A datetime with a finer fraction: ``nanosecond`` (0 to 999) behind the microseconds, which is stored and read back.

    Only a value that needs it is read as one. Arithmetic gives an ordinary datetime.
    """

    nanosecond: int = 0

    @classmethod
    def of(cls, moment: _datetime.datetime, nanosecond: int) -> DateTime:
        """The same moment, `nanosecond` nanoseconds (0 to 999) later.

        >>> DateTime.of(_datetime.datetime(2026, 1, 31, tzinfo=_datetime.timezone.utc), 7).nanosecond
        7
        """
        if not 0 <= nanosecond <= 999:
            raise ValueError("nanosecond must be in 0..999")
        made = cls(
            moment.year,
            moment.month,
            moment.day,
            moment.hour,
            moment.minute,
            moment.second,
            moment.microsecond,
            moment.tzinfo,
            fold=moment.fold,
        )
        made.nanosecond = nanosecond
        return made


#: What can be stored. Integers need 64 bits at most; a datetime needs a zone; None can stand inside a list or dict only.
Value = Union[
    bool,
    int,
    float,
    str,
    bytes,
    bytearray,
    memoryview,
    _datetime.datetime,
    UUID,
    list[Any],
    tuple[Any, ...],
    Mapping[str, Any],
]


class KeyInfo(NamedTuple):
    """Who wrote what a key holds, and when."""

    revision: int
    time: _datetime.datetime
    uid: int
    pid: int
    type: Type
    #: Bytes of the value as stored.
    size: int
    program: str


class Health(NamedTuple):
    """How a domain is; see Settings.health."""

    keys: int
    damaged_records: int
    corrupt_keys: int
    dropped_bytes: int
    file_bytes: int
    log_bytes: int
    generation: int
    is_degraded: bool
    is_portable: bool
    #: With what is kept ready behind the file's end it may be more than `file_bytes`.
    disk_bytes: int


def key_info(
    revision: int,
    time: _datetime.datetime,
    uid: int,
    pid: int,
    type: int,
    size: int,
    program: str,
) -> KeyInfo:
    """A KeyInfo of what the library says."""
    return KeyInfo(revision, time, uid, pid, Type(type), size, program)


def date_from_parts(seconds: int, nanoseconds: int) -> _datetime.datetime:
    """The moment so many seconds and nanoseconds after 1970-01-01T00:00:00Z."""
    microseconds, rest = divmod(nanoseconds, 1000)
    moment = _epoch + _datetime.timedelta(seconds=seconds, microseconds=microseconds)
    return DateTime.of(moment, rest) if rest else moment


def date_parts(moment: _datetime.datetime) -> tuple[int, int] | None:
    """The reverse. None for a moment without a zone: it would be another one elsewhere."""
    if moment.utcoffset() is None:
        return None
    distance = moment - _epoch
    nanosecond = moment.nanosecond if isinstance(moment, DateTime) else 0
    return (
        distance.days * 86400 + distance.seconds,
        distance.microseconds * 1000 + nanosecond,
    )
