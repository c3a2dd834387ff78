"""A dictionary whose order can be asked for and changed."""

from __future__ import annotations

import collections
from collections.abc import (
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    MutableMapping,
    ValuesView,
)
from operator import eq
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from . import _native

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["OrderedDict"]

Key = TypeVar("Key", bound="str | bytes | int")
Content = TypeVar("Content")
_K = TypeVar("_K", bound="str | bytes | int")
_V = TypeVar("_V")
_ABSENT: Any = object()

# A mapping may be among its own values.
_repr = recursive_repr()(lambda mapping: repr(dict(mapping.items())))

# What a walk gives, and from which end.
_KEYS, _VALUES, _ITEMS, _REVERSED = 0, 1, 2, 4


class OrderedDict(_native.Dict[Key, Content], MutableMapping[Key, Content]):
    """A mapping in the order in which its keys were put in, that knows the position of each.

    >>> words = OrderedDict(to=2, be=2)
    >>> words["or"] = 1
    >>> words.at(2), words.at(-1), words.index("be")
    (('or', 1), ('or', 1), 1)
    >>> words.move_to_end("to")
    >>> words
    OrderedDict({'be': 2, 'or': 1, 'to': 2})
    >>> words.popitem(last=False), list(reversed(words))
    (('be', 2), ['to', 'or'])

    Keys are str, bytes or int (True is 1), also where they are only looked for: anything else is a TypeError, an int of more
    than 64 bits an OverflowError. They come back as plain ones, whatever their class was. Values are any objects. A key that is
    set again keeps its place; one that was removed comes back at the end.

    Finding, setting, removing and moving are O(1), and so is taking items from either end. ``at`` and ``index`` are O(1) until
    something is removed from the middle, and O(log n) then.

    It may be changed while it is walked through: items that are removed before they are reached are left out, new ones are
    reached, and one that is moved to the end is met again. Equal to another OrderedDict, of this or the standard library, means
    the same order too; equal to any other mapping does not.

    It is a mapping, but no dict: what insists on one, such as ``json.dumps``, takes ``dict(words)``. Settings take it as it is. A
    subclass may have ``__missing__``.

    One thread at a time, as with a dict: each single call is safe.
    """

    __slots__ = ("__weakref__",)
    # What pickles say, so that they do not depend on where in the package the class stands.
    __module__ = "satchel"

    @overload
    def __init__(self, /) -> None: ...
    @overload
    def __init__(self: OrderedDict[str, Content], /, **more: Content) -> None: ...
    @overload
    def __init__(
        self, items: Mapping[Key, Content] | Iterable[tuple[Key, Content]], /
    ) -> None: ...
    @overload
    def __init__(
        self: OrderedDict[str, Content],
        items: Mapping[str, Content] | Iterable[tuple[str, Content]],
        /,
        **more: Content,
    ) -> None: ...
    def __init__(self, items: Any = (), /, **more: Any) -> None:
        # A subclass may want another update.
        MutableMapping.update(self, items, **more)

    @overload
    @classmethod
    def fromkeys(
        cls, keys: Iterable[_K], value: None = None
    ) -> OrderedDict[_K, Any]: ...
    @overload
    @classmethod
    def fromkeys(cls, keys: Iterable[_K], value: _V) -> OrderedDict[_K, _V]: ...
    @classmethod
    def fromkeys(cls, keys: Iterable[Any], value: Any = None) -> OrderedDict[Any, Any]:
        """A new one with these keys, all of them with the same value."""
        made: OrderedDict[Any, Any] = cls()
        for key in keys:
            made[key] = value
        return made

    def keys(self) -> _Keys[Key]:
        """The keys, always as they are now; can be reversed."""
        return _Keys(self)

    def values(self) -> _Values[Content]:
        """The values, always as they are now; can be reversed."""
        return _Values(self)

    def items(self) -> _Items[Key, Content]:
        """Keys and values, always as they are now; can be reversed."""
        return _Items(self)

    def copy(self) -> Self:
        """Another one with the same items."""
        return type(self)(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (), getattr(self, "__dict__", None), None, iter(self.items())

    def __repr__(self) -> str:
        name = type(self).__name__
        return f"{name}({_repr(self)})" if self else f"{name}()"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (OrderedDict, collections.OrderedDict)):
            return len(self) == len(other) and all(map(eq, self.items(), other.items()))
        if isinstance(other, Mapping):
            return dict(self.items()) == dict(other.items())
        return NotImplemented

    def __or__(self, other: Mapping[Key, Content]) -> Self:
        if not isinstance(other, Mapping):
            return NotImplemented
        made = self.copy()
        made.update(other)
        return made

    def __ror__(self, other: Mapping[Key, Content]) -> Self:
        if not isinstance(other, Mapping):
            return NotImplemented
        made = type(self)(other)
        made.update(self)
        return made

    def __ior__(
        self, other: Mapping[Key, Content] | Iterable[tuple[Key, Content]]
    ) -> Self:
        self.update(other)
        return self


class _Keys(KeysView[Key]):
    _mapping: OrderedDict[Key, Any]

    def __reversed__(self) -> Iterator[Key]:
        return self._mapping._walk(_KEYS | _REVERSED)


class _Values(ValuesView[Content]):
    _mapping: OrderedDict[Any, Content]

    def __iter__(self) -> Iterator[Content]:
        return self._mapping._walk(_VALUES)

    def __reversed__(self) -> Iterator[Content]:
        return self._mapping._walk(_VALUES | _REVERSED)

    def __contains__(self, value: object) -> bool:
        return any(held is value or held == value for held in self)


class _Items(ItemsView[Key, Content]):
    _mapping: OrderedDict[Key, Content]

    def __iter__(self) -> Iterator[tuple[Key, Content]]:
        return self._mapping._walk(_ITEMS)

    def __reversed__(self) -> Iterator[tuple[Key, Content]]:
        return self._mapping._walk(_ITEMS | _REVERSED)

    # Without asking __missing__.
    def __contains__(self, item: object) -> bool:
        key, value = cast("tuple[Key, Content]", item)
        held = self._mapping.get(key, _ABSENT)
        return held is not _ABSENT and (held is value or held == value)
