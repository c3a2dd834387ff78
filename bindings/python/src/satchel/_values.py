"""What a setting can hold, where Python has no type of its own for it; and points in time."""

from __future__ import annotations

import datetime as _datetime
from typing import Any, NamedTuple, Union
from uuid import UUID

from ._errors import make

__all__ = ["URL", "DateTime", "Health", "KeyInfo", "Value"]

_epoch = _datetime.datetime(1970, 1, 1, tzinfo=_datetime.timezone.utc)
_ERANGE, _ETYPE = -5, -3


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
    dict[str, Any],
]


class KeyInfo(NamedTuple):
    """Who wrote what a key holds, and when."""

    revision: int
    time: _datetime.datetime
    uid: int
    pid: int
    #: A number of docs/values.md, section 1.
    type: int
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


def date_from_parts(seconds: int, nanoseconds: int) -> _datetime.datetime:
    """The moment so many seconds and nanoseconds after 1970-01-01T00:00:00Z."""
    microseconds, rest = divmod(nanoseconds, 1000)
    try:
        moment = _epoch + _datetime.timedelta(
            seconds=seconds, microseconds=microseconds
        )
    except OverflowError:
        raise make(
            _ERANGE,
            f"a datetime reaches from year 1 to 9999, not {seconds} s from 1970",
            None,
            None,
            None,
            0,
        ) from None
    return DateTime.of(moment, rest) if rest else moment


def date_parts(moment: _datetime.datetime) -> tuple[int, int]:
    """The reverse. A moment without a zone is refused: it would be another one elsewhere."""
    if moment.utcoffset() is None:
        raise make(
            _ETYPE,
            "a datetime without a zone is no instant: give it a tzinfo, such as datetime.timezone.utc",
            None,
            None,
            None,
            0,
        )
    distance = moment - _epoch
    nanosecond = moment.nanosecond if isinstance(moment, DateTime) else 0
    return (
        distance.days * 86400 + distance.seconds,
        distance.microseconds * 1000 + nanosecond,
    )
