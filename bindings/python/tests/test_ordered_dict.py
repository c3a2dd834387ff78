"""OrderedDict does what the one of the standard library does, and what that one cannot."""

from __future__ import annotations

import collections
import copy
import gc
import pickle
import random
import sys
import threading
import weakref
from collections.abc import Iterator, MutableMapping
from typing import Any

import pytest

from satchel import OrderedDict, WeakCache

PAIRS = [("c", 1), ("b", 2), ("a", 3), ("d", 4), ("e", 5), ("f", 6)]


class Plain:
    """Something that can be referred to weakly."""


# What CPython expects of an ordered dictionary


def test_making() -> None:
    with pytest.raises(TypeError):
        OrderedDict([], 3)  # type: ignore[call-overload]
    assert list(OrderedDict(dict(PAIRS)).items()) == PAIRS
    assert list(OrderedDict(**dict(PAIRS)).items()) == PAIRS
    assert list(OrderedDict(PAIRS).items()) == PAIRS
    made = OrderedDict([("a", 1), ("b", 2), ("c", 9), ("d", 4)], c=3, e=5)
    assert list(made.items()) == [("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 5)]
    twice = OrderedDict([("a", 1), ("b", 2), ("a", 3)])
    assert list(twice.items()) == [("a", 3), ("b", 2)]
    bad: Any
    for bad in (42, [1], [("a",)], [("a", 1, 2)]):
        with pytest.raises((TypeError, ValueError)):
            OrderedDict(bad)


def test_keywords_named_as_arguments() -> None:
    assert list(OrderedDict(self=42, other=1).items()) == [("self", 42), ("other", 1)]
    made: OrderedDict[str, int] = OrderedDict()
    made.update(self=42)
    assert dict(made) == {"self": 42}


def test_update() -> None:
    with pytest.raises(TypeError):
        OrderedDict().update([], 4)  # type: ignore[call-overload]
    made = OrderedDict([("a", 1), ("b", 2)])
    made.update([("b", 3), ("c", 4)], d=5)
    assert list(made.items()) == [("a", 1), ("b", 3), ("c", 4), ("d", 5)]


def test_fromkeys() -> None:
    assert list(OrderedDict.fromkeys("abc").items()) == [
        ("a", None),
        ("b", None),
        ("c", None),
    ]
    assert list(OrderedDict.fromkeys("ab", 7).values()) == [7, 7]

    class Sub(OrderedDict[str, int]):
        pass

    assert type(Sub.fromkeys("a")) is Sub


def test_is_a_mutable_mapping() -> None:
    assert isinstance(OrderedDict(), MutableMapping)
    assert issubclass(OrderedDict, MutableMapping)
    with pytest.raises(TypeError):
        hash(OrderedDict())


def test_clear() -> None:
    made = OrderedDict(PAIRS)
    made.clear()
    assert len(made) == 0 and list(made) == []
    made["z"] = 1
    assert list(made) == ["z"]


def test_items_one_by_one() -> None:
    made = OrderedDict(PAIRS)
    del made["a"]
    assert "a" not in made
    with pytest.raises(KeyError):
        del made["a"]
    made["b"] = 10
    made["f"] = 20
    assert list(made.items()) == [("c", 1), ("b", 10), ("d", 4), ("e", 5), ("f", 20)]
    made["a"] = 0
    assert list(made)[-1] == "a"
    with pytest.raises(KeyError) as caught:
        made["none"]
    assert caught.value.args == ("none",)
    assert made.get("none") is None and made.get("none", 3) == 3 and made.get("b") == 10


def test_iterators() -> None:
    shuffled = PAIRS[:]
    random.Random(1).shuffle(shuffled)
    made = OrderedDict(shuffled)
    assert list(made) == [key for key, _ in shuffled]
    assert list(made.keys()) == [key for key, _ in shuffled]
    assert list(made.values()) == [value for _, value in shuffled]
    assert list(made.items()) == shuffled
    assert list(reversed(made)) == [key for key, _ in reversed(shuffled)]
    assert list(reversed(made.keys())) == [key for key, _ in reversed(shuffled)]
    assert list(reversed(made.values())) == [value for _, value in reversed(shuffled)]
    assert list(reversed(made.items())) == list(reversed(shuffled))


def test_views() -> None:
    made = OrderedDict(PAIRS)
    keys, values, items = made.keys(), made.values(), made.items()
    del made["c"]
    assert "c" not in keys and 1 not in values and ("c", 1) not in items
    assert "b" in keys and 2 in values and ("b", 2) in items
    assert len(keys) == len(values) == len(items) == 5
    assert keys & {"a", "z"} == {"a"} and keys | {"z"} == set(made) | {"z"}
    assert items & {("a", 3)} == {("a", 3)}


def test_popitem() -> None:
    made = OrderedDict(PAIRS)
    assert [made.popitem() for _ in PAIRS] == PAIRS[::-1]
    with pytest.raises(KeyError, match="dictionary is empty"):
        made.popitem()
    made = OrderedDict(PAIRS)
    assert [made.popitem(last=False) for _ in PAIRS] == PAIRS
    made = OrderedDict(PAIRS)
    assert made.popitem(False) == PAIRS[0]
    with pytest.raises(TypeError):
        made.popitem(True, 1)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        made.popitem(first=True)  # type: ignore[call-arg]


def test_pop() -> None:
    made = OrderedDict(PAIRS)
    assert [made.pop(key) for key, _ in PAIRS] == [value for _, value in PAIRS]
    with pytest.raises(KeyError) as caught:
        made.pop("xyz")
    assert caught.value.args == ("xyz",)
    assert made.pop("xyz", 5) == 5 and made.pop("xyz", None) is None


def test_equality() -> None:
    made = OrderedDict(PAIRS)
    other = OrderedDict(PAIRS[1:] + PAIRS[:1])
    assert made == OrderedDict(PAIRS) and made != other
    assert made == dict(other) and dict(other) == made
    assert made != dict(PAIRS[:2]) and made != 5 and made != PAIRS
    standard = collections.OrderedDict(PAIRS)
    assert made == standard and standard == made
    assert other != standard and standard != other


def test_equality_that_changes_what_is_compared() -> None:
    class Meddler:
        def __eq__(self, other: object) -> bool:
            left.clear()
            right.clear()
            return True

    left: OrderedDict[str, Any] = OrderedDict((key, Meddler()) for key in "abc")
    right: OrderedDict[str, Any] = OrderedDict((key, Meddler()) for key in "abc")
    assert left == right and len(left) == 0


class Pickled(OrderedDict[str, int]):
    """With an attribute of its own."""

    note: str


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickling(protocol: int) -> None:
    made = Pickled(PAIRS)
    made.note = "kept"
    back = pickle.loads(pickle.dumps(made, protocol))
    assert back == made and type(back) is Pickled and back.note == "kept"
    plain = pickle.loads(pickle.dumps(OrderedDict(PAIRS), protocol))
    assert list(plain.items()) == PAIRS


def test_copies() -> None:
    made: OrderedDict[str, list[int]] = OrderedDict(
        (key, [value]) for key, value in PAIRS
    )
    for shallow in (made.copy(), copy.copy(made), OrderedDict(made)):
        assert shallow == made and shallow is not made
        assert all(shallow[key] is made[key] for key in made)
    deep = copy.deepcopy(made)
    assert deep == made and deep["a"] is not made["a"]
    deep["z"] = []
    assert "z" not in made
    noted = Pickled(PAIRS)
    noted.note = "kept"
    for both in (copy.copy(noted), copy.deepcopy(noted)):
        assert both == noted and type(both) is Pickled and both.note == "kept"


def test_pickles_name_the_package() -> None:
    assert b"satchel._" not in pickle.dumps(OrderedDict(PAIRS))


def test_named_arguments() -> None:
    made: OrderedDict[str, int] = OrderedDict(a=1)
    assert made.pop(key="b", default=2) == 2 and made.pop("a", default=3) == 1
    assert made.setdefault(key="a", default=4) == 4
    bad: Any = made
    assert bad.setdefault("a") == 4 and bad.setdefault("b") is None
    del made["b"]
    for call in (bad.pop, bad.setdefault, bad.move_to_end):
        with pytest.raises(TypeError, match="needs a key"):
            call()
        with pytest.raises(TypeError, match="unexpected"):
            call("a", other=1)
        with pytest.raises(TypeError, match="unexpected"):
            call("a", key="a")
        with pytest.raises(TypeError, match="0 to 2"):
            call("a", 1, 2)
    assert dict(made) == {"a": 4}


class Counting(OrderedDict[str, int]):
    """Makes what is not there, and counts how often."""

    asked = 0

    def __missing__(self, key: str) -> int:
        self.asked += 1
        if key == "never":
            raise LookupError(key)
        return self.setdefault(key, len(self))


def test_missing() -> None:
    made = Counting(a=5)
    assert made["a"] == 5 and made["b"] == 1 and made["b"] == 1 and made.asked == 1
    assert list(made.items()) == [("a", 5), ("b", 1)]
    with pytest.raises(LookupError, match="never"):
        made["never"]
    assert made.get("c") is None and "c" not in made and made.pop("c", None) is None
    assert ("c", 0) not in made.items() and ("a", 5) in made.items()
    assert made.setdefault("d", 7) == 7 and made.asked == 2


def test_setdefault_of_a_subclass() -> None:
    class Doubling(OrderedDict[str, int]):
        def __setitem__(self, key: str, value: int, /) -> None:
            super().__setitem__(key, 2 * value)

    made = Doubling()
    assert made.setdefault("a", 1) == 1 and made["a"] == 2
    assert made.setdefault("a", 1) == 2


def test_weak_references() -> None:
    made: OrderedDict[str, int] = OrderedDict(PAIRS)
    gone = weakref.ref(made)
    cache: WeakCache[str, OrderedDict[str, int]] = WeakCache({"made": made})
    assert gone() is made and cache["made"] is made
    del made
    gc.collect()
    assert gone() is None and "made" not in cache


def test_repr() -> None:
    assert repr(OrderedDict(PAIRS[:2])) == "OrderedDict({'c': 1, 'b': 2})"
    assert repr(OrderedDict()) == "OrderedDict()"
    made: OrderedDict[str, Any] = OrderedDict()
    made["me"] = made
    assert repr(made) == "OrderedDict({'me': OrderedDict(...)})"


def test_setdefault() -> None:
    made = OrderedDict(PAIRS)
    assert made.setdefault("a", 10) == 3 and list(made.items()) == PAIRS
    assert made.setdefault("x", 10) == 10 and list(made.items()) == [*PAIRS, ("x", 10)]


def test_reinserting_puts_at_the_end() -> None:
    made = OrderedDict([("a", 1), ("b", 2)])
    del made["a"]
    made["a"] = 1
    assert list(made.items()) == [("b", 2), ("a", 1)]


def test_move_to_end() -> None:
    made = OrderedDict.fromkeys("abcde")
    assert "".join(made) == "abcde"
    made.move_to_end("b", last=False)
    assert "".join(made) == "bacde"
    made.move_to_end("b", last=False)
    assert "".join(made) == "bacde"
    made.move_to_end("b")
    assert "".join(made) == "acdeb"
    made.move_to_end("b")
    assert "".join(made) == "acdeb"
    made.move_to_end("b", False)
    assert "".join(made) == "bacde"
    made.move_to_end(last=False, key="e")
    assert "".join(made) == "ebacd"
    for bad in ((), ("a", True, 1)):
        with pytest.raises(TypeError):
            made.move_to_end(*bad)
    with pytest.raises(TypeError):
        made.move_to_end("a", key="a")  # type: ignore[misc]
    with pytest.raises(KeyError) as caught:
        made.move_to_end("x")
    assert caught.value.args == ("x",)
    with pytest.raises(KeyError):
        made.move_to_end("x", last=False)


def test_merging() -> None:
    left = OrderedDict({"b": 1, "a": 2})
    assert left | {"c": 3, "b": 4} == OrderedDict([("b", 4), ("a", 2), ("c", 3)])
    assert {"c": 3, "b": 4} | left == OrderedDict([("c", 3), ("b", 1), ("a", 2)])
    same = left
    left |= [("z", 1)]
    assert left is same and list(left) == ["b", "a", "z"]
    with pytest.raises(TypeError):
        left | [("y", 1)]  # type: ignore[operator]


def test_overridden_methods() -> None:
    class Strict(OrderedDict[str, int]):
        def __setitem__(self, key: str, value: int, /) -> None:
            super().__setitem__(key.upper(), value)

    class Closed(OrderedDict[str, int]):
        def update(self, *args: Any, **more: Any) -> None:
            raise RuntimeError

    assert list(Strict(PAIRS[:2])) == ["C", "B"]
    assert list(Closed(PAIRS).items()) == PAIRS


def test_highly_nested() -> None:
    made: Any = None
    for _ in range(100_000):
        made = OrderedDict([("next", made)])
    del made
    gc.collect()


def test_cycles_are_collected() -> None:
    made: OrderedDict[str, Any] = OrderedDict()
    thing = Plain()
    gone = weakref.ref(thing)
    made["thing"], made["me"], made["walk"] = thing, made, iter(made)
    next(made["walk"])
    del made, thing
    gc.collect()
    assert gone() is None


def test_walks_hold_the_dictionary() -> None:
    walk = iter(OrderedDict(PAIRS).items())
    gc.collect()
    assert list(walk) == PAIRS
    with pytest.raises(StopIteration):
        next(walk)


def test_walks_that_have_ended_hold_nothing() -> None:
    class Ending(OrderedDict[str, int]):
        def __del__(self) -> None:
            seen.append(next(walk, "nothing"))

    seen: list[str] = []
    walk = iter(Ending(a=1))
    assert list(walk) == ["a"] and seen == ["nothing"]


def test_values_are_let_go() -> None:
    thing = Plain()
    gone = weakref.ref(thing)
    made: OrderedDict[str, Any] = OrderedDict(
        a=thing, b=thing, c=thing, d=thing, e=thing
    )
    del thing
    before = sys.getrefcount(gone())
    made["a"] = 1
    del made["b"]
    made.pop("c")
    made.popitem()
    after = sys.getrefcount(gone())
    assert after == before - 4
    made.clear()
    assert gone() is None


# What the standard library's cannot


def test_positions() -> None:
    made = OrderedDict(PAIRS)
    assert (
        made.at(0) == ("c", 1) and made.at(-1) == ("f", 6) and made.at(True) == ("b", 2)
    )
    assert [made.index(key) for key, _ in PAIRS] == list(range(6))
    for outside in (6, -7, 10**30, -(10**30)):
        with pytest.raises(IndexError):
            made.at(outside)
    with pytest.raises(TypeError):
        made.at("a")  # type: ignore[arg-type]
    with pytest.raises(KeyError):
        made.index("none")
    del made["b"]
    assert made.at(1) == ("a", 3) and made.index("f") == 4


def test_keys() -> None:
    made: OrderedDict[Any, int] = OrderedDict()
    keys: list[Any] = [
        "",
        "a",
        "\0",
        "\udc80",
        "é",
        "e\u0301",
        b"",
        b"a",
        b"\xff",
        0,
        1,
        -1,
        2**63 - 1,
        -(2**63),
    ]
    for number, key in enumerate(keys):
        made[key] = number
    assert list(made) == keys and [made[key] for key in keys] == list(range(len(keys)))
    assert made[True] == made[1] and made[False] == made[0]
    for bad in (1.5, None, ("a",), [], object()):
        with pytest.raises(TypeError):
            made[bad] = 1
        with pytest.raises(TypeError):
            made[bad]
        with pytest.raises(TypeError):
            bad in made
    with pytest.raises(OverflowError, match="64 bits"):
        made[2**63] = 1
    with pytest.raises(OverflowError, match="64 bits"):
        -(2**63) - 1 in made
    assert len(made) == len(keys)


def test_changing_while_walking() -> None:
    made = OrderedDict.fromkeys("abcde", 0)
    seen = []
    for key in made:
        seen.append(key)
        if key == "b":
            del made["b"]
            del made["c"]
            made.move_to_end("a")
        if key == "e":
            made["f"] = 0
    assert "".join(seen) == "abdeaf"


def test_nothing_is_left_out_while_it_grows() -> None:
    made = OrderedDict.fromkeys(range(10))
    seen = []
    for key in made:
        seen.append(key)
        if key < 2000:
            made[key + 10] = None
            del made[key]
    assert seen == list(range(2010))


def test_objects_that_change_it_as_they_die() -> None:
    made: OrderedDict[str, Any] = OrderedDict()

    class Meddler:
        def __init__(self, depth: int) -> None:
            self.depth = depth

        def __del__(self) -> None:
            if self.depth > 0:
                made[f"{self.depth}"] = Meddler(self.depth - 1)
            made.pop("other", None)
            list(made.items())

    for depth in range(30):
        made["a"] = Meddler(3)
        made["other"] = Meddler(2)
        if depth % 5 == 0:
            made.clear()
        if depth % 3 == 0:
            made.popitem(last=False)
    made.clear()
    gc.collect()


def test_beside_the_standard_library() -> None:
    """The same random changes to both, and the same answers."""
    chance = random.Random(7)
    for size in (5, 50, 500):
        ours: OrderedDict[str, int] = OrderedDict()
        theirs: collections.OrderedDict[str, int] = collections.OrderedDict()
        for step in range(4000):
            key = str(chance.randrange(size))
            what = chance.randrange(8)
            if what < 3:
                ours[key] = theirs[key] = step
            elif what == 3:
                assert ours.pop(key, None) == theirs.pop(key, None)
            elif what < 6 and key in theirs:
                last = bool(what - 4)
                ours.move_to_end(key, last)
                theirs.move_to_end(key, last)
            elif what == 6 and theirs:
                last = bool(step % 2)
                assert ours.popitem(last) == theirs.popitem(last)
            elif what == 7 and key in theirs:
                position = list(theirs).index(key)
                assert ours.index(key) == position and ours.at(position) == (
                    key,
                    theirs[key],
                )
        assert list(ours.items()) == list(theirs.items())


def test_threads() -> None:
    made: OrderedDict[int, int] = OrderedDict()

    def work(first: int) -> None:
        for number in range(first, first + 3000):
            made[number] = number
            made.move_to_end(number, last=False)
            assert made.pop(number) == number

    def walk() -> Iterator[int]:
        for _ in range(200):
            yield from made

    threads = [
        threading.Thread(target=work, args=(first,)) for first in (0, 10_000, 20_000)
    ]
    for thread in threads:
        thread.start()
    for number in walk():
        assert number < 30_000
    for thread in threads:
        thread.join()
    assert len(made) == 0
