"""The weak cache: what it holds and for how long, from several threads, and called back from inside."""

from __future__ import annotations

import gc
import itertools
import random
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from satchel import WeakCache


class Thing:
    def __init__(self, number: int = 0, at_end: Callable[[], object] | None = None):
        self.number = number
        self.at_end = at_end

    def __del__(self) -> None:
        if self.at_end is not None:
            self.at_end()


class Key:
    """All of one hash, and with an == that may do more than compare."""

    def __init__(self, number: int, at_comparison: Callable[[], object] | None = None):
        self.number = number
        self.at_comparison = at_comparison

    def __hash__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        for key in (self, other):
            if isinstance(key, Key) and key.at_comparison is not None:
                key.at_comparison()
        return isinstance(other, Key) and self.number == other.number


@pytest.fixture
def cache() -> WeakCache[Any, Any]:
    return WeakCache()


def test_holds_what_is_held_elsewhere(cache: WeakCache[str, Thing]) -> None:
    thing = Thing()
    cache["a"] = thing
    assert cache["a"] is thing and cache.get("a") is thing
    assert "a" in cache and len(cache) == 1 and list(cache) == ["a"]
    del thing
    assert "a" not in cache and len(cache) == 0 and list(cache.items()) == []
    assert cache.get("a") is None and cache.get("a", 5) == 5
    with pytest.raises(KeyError) as error:
        cache["a"]
    assert error.value.args == ("a",)


def test_replaces_and_removes(cache: WeakCache[str, Any]) -> None:
    first, second = Thing(1), Thing(2)
    cache["a"] = first
    cache["b"] = first
    cache["a"] = second
    assert cache["a"] is second and len(cache) == 2
    del first  # the one that was replaced takes only what still leads to it
    assert list(cache) == ["a"]
    cache["a"] = None
    cache["never"] = None
    assert len(cache) == 0
    cache["a"] = second
    del cache["a"]
    with pytest.raises(KeyError):
        del cache["a"]
    cache["a"] = second
    assert cache.pop("a") is second
    assert cache.pop("a", "none") == "none"
    with pytest.raises(KeyError):
        cache.pop("a")
    cache.update(a=second, b=second)
    cache.clear()
    assert len(cache) == 0
    cache["a"] = second
    assert cache["a"] is second


def test_is_a_mapping() -> None:
    things = [Thing(number) for number in range(5)]
    cache = WeakCache((str(thing.number), thing) for thing in things)
    assert list(cache) == list("01234")
    assert list(cache.values()) == things
    assert dict(cache.items()) == dict(zip("01234", things))
    assert cache == dict(zip("01234", things)) and cache != {}
    assert WeakCache(cache) == cache
    assert cache.popitem() == ("4", things[4])
    assert ("3", things[3]) in cache.items() and things[4] not in cache.values()
    assert "4 living" in repr(cache)
    cache.clear()
    with pytest.raises(KeyError):
        cache.popitem()


def test_refuses_what_cannot_be_referred_to(cache: WeakCache[Any, Any]) -> None:
    values: tuple[Any, ...] = (1, "text", [], {})
    for value in values:
        with pytest.raises(TypeError):
            cache["a"] = value
    with pytest.raises(TypeError):
        cache[[]] = Thing()
    with pytest.raises(TypeError):
        cache.get([])
    with pytest.raises(TypeError):
        cache.get()  # type: ignore[call-overload]
    assert len(cache) == 0


def test_makes_what_is_not_there(cache: WeakCache[str, Thing]) -> None:
    made = cache.get_or_create("a", Thing)
    assert cache.get_or_create("a", Thing) is made
    assert cache.setdefault("a", Thing()) is made
    other = Thing()
    assert cache.setdefault("b", other) is other
    with pytest.raises(ZeroDivisionError):
        cache.get_or_create("c", lambda: Thing(1 // 0))
    assert "c" not in cache
    nested = cache.get_or_create("d", lambda: cache.get_or_create("d", Thing))
    assert cache["d"] is nested
    first = Thing(1)

    def late() -> Thing:
        cache["e"] = first
        return Thing(2)

    assert cache.get_or_create("e", late) is first and cache["e"] is first
    assert cache.setdefault("e", Thing(3)) is first and cache["e"] is first


def test_objects_in_cycles(cache: WeakCache[str, Any]) -> None:
    class Cycle:
        def __init__(self) -> None:
            self.me = self
            self.cache = cache

    for name in "abc":
        cache[name] = Cycle()
    gc.collect()
    assert len(cache) == 0


def test_a_cache_in_a_cycle_is_collected() -> None:
    cache: WeakCache[Any, Any] = WeakCache()
    thing = Thing()
    cache[Key(1, cache.clear)] = thing
    end = weakref.ref(cache)
    del cache
    gc.collect()
    assert end() is None
    del thing


def test_objects_may_outlive_the_cache() -> None:
    things = [Thing(number) for number in range(100)]
    cache = WeakCache(enumerate(things))
    references = [weakref.getweakrefs(thing)[0] for thing in things]
    callback: Any = references[0].__callback__
    callback(references[0])  # by somebody who is not asked to
    assert cache[0] is things[0]
    del cache
    del things
    assert all(reference() is None for reference in references)
    callback(references[0])


def test_agrees_with_a_model(cache: WeakCache[Any, Thing]) -> None:
    dice = random.Random(1)
    model: dict[Any, Thing] = {}
    keys: list[Any] = [*range(100), *(Key(number) for number in range(10))]
    for step in range(30_000):
        key = dice.choice(keys)
        match dice.randrange(8):
            case 0 | 1 | 2:
                cache[key] = model[key] = Thing(step)
            case 3:
                model.pop(key, None)  # it ends
            case 4:
                assert cache.pop(key, None) is model.pop(key, None)
            case 5:
                made = cache.get_or_create(key, Thing)
                assert made is model.get(key, made)
                del made
            case _:
                assert cache.get(key) is model.get(key)
        assert len(cache) == len(model)
    assert dict(cache.items()) == model


def test_equality_may_use_the_cache(cache: WeakCache[Key, Thing]) -> None:
    things = [Thing(number) for number in range(20)]
    for thing in things:
        cache[Key(thing.number)] = thing
    meddling = iter(range(1000))

    def meddle() -> None:
        step = next(meddling, 1)
        if step % 3 == 0:
            cache.pop(Key(4), None)
            gc.collect()

    assert cache[Key(13, meddle)] is things[13]
    assert Key(4) not in cache
    hostile = Key(7, cache.clear)
    assert cache.get(hostile) is None and len(cache) == 0
    for thing in things:
        cache[Key(thing.number)] = thing
    cache[hostile] = things[0]
    cache.pop(hostile, None)
    cache.clear()
    assert len(cache) == 0


def test_equality_that_fails(cache: WeakCache[Key, Thing]) -> None:
    thing = Thing()
    cache[Key(1)] = thing

    def fail() -> None:
        raise ZeroDivisionError

    for use in (
        lambda: cache[Key(1, fail)],
        lambda: cache.get(Key(1, fail)),
        lambda: Key(1, fail) in cache,
        lambda: cache.pop(Key(1, fail), None),
        lambda: cache.setdefault(Key(1, fail), thing),
        lambda: cache.get_or_create(Key(1, fail), Thing),
    ):
        with pytest.raises(ZeroDivisionError):
            use()
    # The end of an object asks no key.
    cache[Key(2)] = other = Thing()
    (key,) = (key for key in cache if key.number == 2)
    key.at_comparison = fail
    del other
    key.at_comparison = None
    assert [key.number for key in cache] == [1] and len(cache) == 1


def test_hashing_may_use_the_cache(cache: WeakCache[Any, Thing]) -> None:
    first, second = Thing(1), Thing(2)

    class Early:
        """Puts itself in, or something else, while it is being put in."""

        calls = 0

        def __hash__(self) -> int:
            type(self).calls += 1
            if type(self).calls == 2:
                cache[self] = first
            return 1

    key = Early()
    cache[key] = second
    assert Early.calls > 2 and len(cache) == 1 and cache[key] is second
    Early.calls = 0
    cache.clear()
    assert cache.setdefault(key, second) is first and cache[key] is first


def test_what_ends_while_it_is_replaced(cache: WeakCache[str, Thing]) -> None:
    """The cycle collector may run at any step of a call, and take the entry out in the midst of it."""

    class Cycle(Thing):
        def __init__(self) -> None:
            super().__init__()
            self.me = self

    thing = Thing()
    before = gc.get_threshold()
    try:
        for step in range(1, 40):
            gc.collect()
            gc.set_threshold(0)
            cache["a"] = Cycle()
            gc.set_threshold(step)
            cache["a"] = thing
            gc.set_threshold(0)
            assert cache.get("a") is thing and len(cache) == 1
            cache["a"] = Cycle()
            gc.set_threshold(step)
            assert cache.setdefault("a", thing) in (thing, cache.get("a"))
            gc.set_threshold(0)
            cache["a"] = None
    finally:
        gc.set_threshold(*before)


def test_nothing_is_held_that_has_gone(cache: WeakCache[Any, Thing]) -> None:
    def entries() -> int:
        gc.collect()
        return sum(type(found).__name__ == "Entry" for found in gc.get_objects())

    def use() -> None:
        things = [Thing(number) for number in range(10)]
        ends = [weakref.ref(thing) for thing in things]
        for thing in things:
            cache[Key(thing.number)] = thing
        assert cache[Key(0)] is cache.get(Key(0)) and Key(0) in cache
        cache[Key(1)] = things[0]
        cache.setdefault(Key(2), things[0])
        cache.get_or_create(Key(3), Thing)
        cache.pop(Key(4))
        cache[Key(5)] = None
        del cache[Key(6)], thing
        list(cache.items())
        things.clear()
        assert [end() for end in ends] == [None] * 10 and len(cache) == 0

    use()
    before = entries()
    for _ in range(10):
        use()
    assert entries() == before


def test_ends_may_use_the_cache(cache: WeakCache[Any, Thing]) -> None:
    ends = []
    for number in range(200):

        def at_end(number: int = number) -> None:
            ends.append(number)
            cache[number] = None
            cache["other"] = Thing()
            cache.get_or_create(number, Thing)
            list(cache.items())

        cache[number] = Thing(number, at_end)
    assert len(ends) == 200 and len(cache) == 0

    class Rude:
        def __del__(self) -> None:
            cache.clear()

    thing = Thing()
    for _ in range(20):
        cache[Rude()] = thing
        cache[Rude()] = thing
        cache.clear()


def run(count: int, work: Callable[[int], None]) -> None:
    errors: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def test_threads_that_create_and_drop(cache: WeakCache[int, Thing]) -> None:
    def work(seed: int) -> None:
        dice = random.Random(seed)
        for step in range(5000):
            key = dice.randrange(8)
            match step % 5:
                case 0:
                    cache[key] = Thing(key)
                case 1:
                    found = cache.get(key)
                    assert found is None or found.number == key
                case 2:
                    assert cache.get_or_create(key, lambda: Thing(key)).number == key
                case 3:
                    assert all(key == thing.number for key, thing in cache.items())
                case _:
                    cache.pop(key, None)
            found = None

    run(4, work)
    assert len(cache) == 0


def test_threads_that_make_the_same(cache: WeakCache[Key, Thing]) -> None:
    for number in itertools.islice(itertools.count(), 50):
        results: list[Thing] = []
        barrier = threading.Barrier(4)

        def work(_: int) -> None:
            barrier.wait()
            results.append(cache.get_or_create(Key(number), Thing))

        run(4, work)
        assert len({id(result) for result in results}) == 1


def test_replacing_leaves_no_gap(cache: WeakCache[Key, Thing]) -> None:
    things = [Thing(0), Thing(1)]
    cache[Key(1)] = things[0]

    def work(number: int) -> None:
        for step in range(3000):
            if number == 0:
                cache[Key(1)] = things[step & 1]
            else:
                assert cache.get(Key(1)) is not None

    run(3, work)
