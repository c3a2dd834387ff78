"""What can go wrong, as exceptions that are also the ones that Python users catch."""

from __future__ import annotations

__all__ = [
    "BusyError",
    "ConflictError",
    "CorruptError",
    "DeniedError",
    "Error",
    "ExistsError",
    "FullError",
    "GoneError",
    "InvalidError",
    "LockedError",
    "NotFoundError",
    "OutOfMemoryError",
    "ParseError",
    "RangeError",
    "ReadOnlyError",
    "StoreError",
    "TimedOutError",
    "UnsupportedError",
    "ValueTypeError",
    "VersionError",
]


class Error(Exception):
    """Every failure of Satchel. Its subclasses are built-in exceptions too, wherever one fits.

    ``code`` is the number that C knows it by (negative), ``errno`` that of the system call behind it or None; ``domain``,
    ``path`` and ``key`` say what it is about, or are None.
    """

    code: int = 0
    message: str = ""
    domain: str | None = None
    path: str | None = None
    key: str | None = None

    def __str__(self) -> str:
        """As in every language: `domain: key: message (path)`, of which what is not known is left out."""
        about = (self.domain, _shortened(self.key))
        subjects = [text for text in about if text is not None]
        text = ": ".join([*subjects, self.message])
        if self.path is None or self.path in self.message:
            return text
        return f"{text} ({self.path})"


def _shortened(key: str | None) -> str | None:
    """Not longer than a line."""
    return key if key is None or len(key) <= 100 else key[:97] + "..."


class NotFoundError(Error, KeyError):
    """There is no such key or domain."""


class ExistsError(Error):
    """It is there already."""


class ValueTypeError(Error, TypeError):
    """The value has another type, and nothing converts without loss; or Satchel cannot hold such an object."""


class InvalidError(Error, ValueError):
    """An argument is unusable: a wrong name, a closed store, a transaction that has ended."""


class RangeError(Error, ValueError, OverflowError):
    """Beyond a limit: a key, value or number too large."""


class StoreError(Error, OSError):
    """The system refused; ``errno`` says why."""


class CorruptError(Error):
    """What is stored is damaged."""


class LockedError(Error, TimeoutError):
    """Held by somebody who cannot be judged from here, such as a process of another container."""


class DeniedError(Error, PermissionError):
    """No permission."""


class ReadOnlyError(Error, PermissionError):
    """Opened for reading only, or a read-only file system."""


class ConflictError(Error):
    """Somebody else changed it first."""


class GoneError(Error, LookupError):
    """The revision asked for has been compacted away."""


class FullError(Error, OSError):
    """No room: disk, quota or file-size limit."""


class TimedOutError(Error, TimeoutError):
    """Waited as long as was allowed."""


class VersionError(Error):
    """Written by a newer version of Satchel."""


class OutOfMemoryError(Error, MemoryError):
    """Out of memory."""


class UnsupportedError(Error):
    """Cannot be done here: file system, format or platform."""


class ParseError(Error, ValueError):
    """Text or bytes that are not of the format asked for."""


class BusyError(Error, RuntimeError):
    """This thread is inside a transaction of the same store: use the transaction."""


_classes: dict[int, type[Error]] = {
    -1: NotFoundError,
    -2: ExistsError,
    -3: ValueTypeError,
    -4: InvalidError,
    -5: RangeError,
    -6: StoreError,
    -7: CorruptError,
    -8: LockedError,
    -9: DeniedError,
    -10: ReadOnlyError,
    -11: ConflictError,
    -12: GoneError,
    -13: FullError,
    -14: TimedOutError,
    -15: VersionError,
    -16: OutOfMemoryError,
    -17: UnsupportedError,
    -18: ParseError,
    -19: BusyError,
}


def make(
    code: int,
    message: str,
    domain: str | None,
    path: str | None,
    key: str | None,
    errno: int,
) -> Error:
    """The exception for a result code of libsatchel."""
    kind = _classes.get(code, Error)
    # A KeyError's argument is the key, as with a dict.
    error = kind(key if kind is NotFoundError and key is not None else message)
    error.code, error.message = code, message
    error.domain, error.path, error.key = domain, path, key
    if isinstance(error, OSError):
        error.errno = errno or None
    return error
