"""The weak cache beside the standard library's: setting 10,000 new keys, and getting them in another order."""

from __future__ import annotations

import random
import statistics
import time
import weakref
from collections.abc import Callable
from typing import Any

import satchel

COUNT, ROUNDS = 10_000, 31


class Thing:
    __slots__ = ("__weakref__",)


def set_all(cache: Any, keys: list[str], things: list[Thing]) -> float:
    """Nanoseconds a key, as below."""
    begin = time.perf_counter_ns()
    for key, thing in zip(keys, things):
        cache[key] = thing
    return (time.perf_counter_ns() - begin) / COUNT


def get_all(cache: Any, keys: list[str]) -> float:
    begin = time.perf_counter_ns()
    for key in keys:
        cache[key]
    return (time.perf_counter_ns() - begin) / COUNT


def main() -> None:
    keys = [f"section.key.{number}" for number in range(COUNT)]
    probes = keys.copy()
    random.Random(1).shuffle(probes)
    things = [Thing() for _ in keys]
    makers: list[Callable[[], Any]] = [satchel.WeakCache, weakref.WeakValueDictionary]
    sets: tuple[list[float], list[float]] = ([], [])
    gets: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for who, make in enumerate(makers):
            cache = make()
            sets[who].append(set_all(cache, keys, things))
            gets[who].append(get_all(cache, probes))
    for name, (ours, theirs) in (("set", sets), ("get", gets)):
        mine, peer = statistics.median(ours), statistics.median(theirs)
        print(
            f"cache.python.{name}\t{mine:.1f}\tns\tWeakValueDictionary\t{peer:.1f}\t{peer / mine:.2f}"
        )


main()
