"""Objects by key, as long as somebody else holds them."""

from __future__ import annotations

from collections.abc import (
    ItemsView,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    ValuesView,
)
from typing import Any, TypeVar

from . import _native

__all__ = ["WeakCache"]

_K = TypeVar("_K")
_V = TypeVar("_V")
_ABSENT: Any = object()


class WeakCache(_native.WeakTable[_K, _V], MutableMapping[_K, _V]):
    """A mapping that keeps its keys alive, but not its values: a key is gone as soon as nobody else holds its object.

    >>> class Image:
    ...     pass
    >>> cache: WeakCache[str, Image] = WeakCache()
    >>> image = cache.get_or_create("logo", Image)
    >>> cache["logo"] is image, len(cache)
    (True, 1)
    >>> del image
    >>> cache.get("logo"), len(cache)
    (None, 0)

    Keys are whatever a dict takes. Values are whatever `weakref` can refer to (TypeError otherwise): instances of classes,
    functions, sets; not int, str, list or dict themselves. Assigning None removes the key, whether it is there or not.
    ``WeakCache(cache)`` is a copy.

    May be used from any thread; each method here is one step for the others. So ask with ``get``, ``pop`` or
    ``get_or_create``, not with ``in`` and then again: in between the object may end. Keys, values and factories may use the
    cache from their own ``__eq__`` and ``__del__``. Iteration goes over the keys of its beginning, and over no key whose
    object has ended by the time it is reached.
    """

    __slots__ = ("__weakref__",)

    def __init__(
        self, entries: Mapping[_K, _V] | Iterable[tuple[_K, _V]] = (), /
    ) -> None:
        self.update(entries)

    def __repr__(self) -> str:
        return f"<satchel.WeakCache, {len(self)} living>"

    def __iter__(self) -> Iterator[_K]:
        for key, _ in _pairs(self):
            yield key

    def items(self) -> ItemsView[_K, _V]:
        """Keys and objects, in the order in which the keys came in."""
        return _Items(self)

    def values(self) -> ValuesView[_V]:
        """Objects, in the order in which their keys came in."""
        return _Values(self)

    def popitem(self) -> tuple[_K, _V]:
        """Removes the newest key and returns it with its object; KeyError where nothing lives."""
        for key in reversed(self._keys()):
            value = self.pop(key, _ABSENT)
            if value is not _ABSENT:
                return key, value
        raise KeyError("nothing lives in the cache")


def _pairs(cache: WeakCache[_K, _V]) -> Iterator[tuple[_K, _V]]:
    for key in cache._keys():
        value = cache.get(key, _ABSENT)
        if value is not _ABSENT:
            yield key, value


class _Items(ItemsView[_K, _V]):
    def __init__(self, cache: WeakCache[_K, _V]) -> None:
        super().__init__(cache)
        self._cache = cache

    def __iter__(self) -> Iterator[tuple[_K, _V]]:
        return _pairs(self._cache)


class _Values(ValuesView[_V]):
    def __init__(self, cache: WeakCache[Any, _V]) -> None:
        super().__init__(cache)
        self._cache = cache

    def __iter__(self) -> Iterator[_V]:
        for _, value in _pairs(self._cache):
            yield value
