"""A domain as a mapping."""

from __future__ import annotations

import os
import sys
from collections.abc import ItemsView, Iterator, MutableMapping, ValuesView
from typing import Any, Literal

from . import _native
from ._errors import NotFoundError
from ._values import Value

__all__ = ["Settings", "domains"]

_READ_ONLY, _NO_CREATE, _PORTABLE = 1, 2, 4
_DURABILITIES = {"process": 0, "disk": 1}
_ABSENT: Any = object()


def domains(directory: str | os.PathLike[str] | None = None) -> list[str]:
    """The names of the domains that exist, sorted.

    >>> _ = Settings("org.example.player"), Settings("org.example.editor")
    >>> domains()
    ['org.example.editor', 'org.example.player']
    """
    return _native.domains(None if directory is None else os.fspath(directory))


def _program() -> str:
    """The author's name in the history: the script's, as somebody would call it."""
    name = (
        os.path.basename(sys.argv[0])
        if sys.argv and sys.argv[0] not in ("", "-c", "-m")
        else ""
    )
    return name or os.path.basename(sys.executable) or "python"


class Settings(_native.Store, MutableMapping[str, Any]):
    """A domain: a named store of typed values, open to any number of processes in any language at once.

    It is a mapping in insertion order, from str to bool, int, float, str, bytes, datetime, URL, UUID, list and dict.

    >>> settings = Settings("org.example.player")
    >>> settings["volume"] = 0.5
    >>> settings["volume"], settings.get("balance"), "balance" in settings
    (0.5, None, False)
    >>> settings.add("plays", 1)
    1
    >>> dict(settings)
    {'volume': 0.5, 'plays': 1}

    A domain that does not exist is made, also for a program that only wants to read and misspelt its name. Say `create=False`
    where it has to exist, and NotFoundError tells; `read_only=True` makes nothing and writes nothing.

    Every write is safe against the death of any process when it returns, and all of them are ordered by ``revision``.
    May be used from any thread, and in a forked child as it is. ``with`` closes it; so does forgetting it.

    `lock_timeout` is how many seconds a write waits for others. With `durability` "disk" a write waits for the disk, too.
    `program` is the author's name in the history; the script's by default. `directory` stands for ``$XDG_CONFIG_HOME/satchel``.
    Raises NotFoundError, DeniedError, StoreError and others (see Error), each with the path.
    """

    __slots__ = ()

    def __new__(
        cls,
        domain: str,
        *,
        read_only: bool = False,
        create: bool = True,
        portable: bool = False,
        durability: Literal["process", "disk"] = "process",
        lock_timeout: float = 5.0,
        program: str | None = None,
        directory: str | os.PathLike[str] | None = None,
    ) -> Settings:
        if durability not in _DURABILITIES:
            raise ValueError(
                f"durability must be 'process' or 'disk', not {durability!r}"
            )
        return super().__new__(
            cls,
            domain,
            flags=_READ_ONLY * read_only
            | _NO_CREATE * (not create)
            | _PORTABLE * portable,
            durability=_DURABILITIES[durability],
            lock_timeout_ns=_nanoseconds(lock_timeout) or -1,
            directory=None if directory is None else os.fspath(directory),
            program=_program() if program is None else program,
        )

    def __repr__(self) -> str:
        return (
            f"<satchel.Settings {self.domain!r}>"
            if self.domain
            else "<satchel.Settings, closed>"
        )

    def __enter__(self) -> Settings:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # Keys and values. What is looked up itself is in _native.Store.

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __reversed__(self) -> Iterator[str]:
        return reversed(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def items(self) -> ItemsView[str, Any]:
        """Keys and values in insertion order. A key that goes away meanwhile is passed over."""
        return _Items(self)

    def values(self) -> ValuesView[Any]:
        """Values in insertion order of their keys."""
        return _Values(self)

    # Changes that must be exact, whoever else writes.

    def setdefault(self, key: str, default: Value | None = None) -> Any:
        """What `key` holds; where it is absent, `default`, which it then holds.

        >>> Settings("org.example.player").setdefault("theme", "dark")
        'dark'
        """
        while True:
            value = self.get(key, _ABSENT)
            if value is not _ABSENT:
                return value
            if self.compare_and_set(key, None, default):
                return self.get(key, default)

    def pop(self, key: str, default: Any = _ABSENT, /) -> Any:
        """Removes `key` and returns what it held; `default` where it is absent, or KeyError without one."""
        with self.transaction() as change:
            value = change.get(key, _ABSENT)
            if value is not _ABSENT:
                del change[key]
                return value
        return self[key] if default is _ABSENT else default

    def popitem(self, last: bool = True) -> tuple[str, Any]:
        """Removes the newest key (the oldest with last=False) and returns it with its value; KeyError where there is none."""
        with self.transaction() as change:
            names = self._names()
            if names:
                key = names[-1 if last else 0]
                value = change[key]
                del change[key]
                return key, value
        raise NotFoundError("there are no keys")

    def update(self, other: Any = (), /, **more: Any) -> None:
        """Sets several keys, of a mapping or of pairs, all or none, as one revision.

        >>> settings = Settings("org.example.player")
        >>> settings.update({"a": 1}, b=[True, None])
        >>> settings["b"]
        [True, None]
        """
        with self.transaction() as change:
            for key, value in dict(other, **more).items():
                change[key] = value

    def clear(self) -> None:
        """Removes every key, as one revision."""
        with self.transaction() as change:
            for key in self._names():
                del change[key]

    def transaction(self) -> _native.Transaction:
        """Several changes, all or nothing, as one revision; nobody else writes meanwhile, so keep it short.

        >>> settings = Settings("org.example.player")
        >>> with settings.transaction() as change:
        ...     change["from"] = 1
        ...     _ = change.add("to", change["from"])
        >>> settings["to"]
        1

        An exception leaves everything as it was. Belongs to one thread; in it, write through the transaction only
        (BusyError).
        """
        return self._begin()

    # The whole.

    def wait(self, since: int, timeout: float | None = None) -> int:
        """Sleeps until ``revision`` is above `since`, whoever writes, and returns it.

        Raises TimedOutError (a TimeoutError) after `timeout` seconds.
        """
        return self._wait(since, -1 if timeout is None else _nanoseconds(timeout))


def _nanoseconds(seconds: float) -> int:
    return (
        max(0, min(round(seconds * 1e9), 2**62)) if seconds != float("inf") else 2**62
    )


class _Items(ItemsView[str, Any]):
    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._settings = settings

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        for key in self._settings:
            value = self._settings.get(key, _ABSENT)
            if value is not _ABSENT:
                yield key, value


class _Values(ValuesView[Any]):
    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._items = _Items(settings)

    def __iter__(self) -> Iterator[Any]:
        for _, value in self._items:
            yield value
