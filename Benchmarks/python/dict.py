"""OrderedDict beside the one of the standard library, 100,000 keys. Usage: dict.py.

As with keys that come from outside, what is asked for is equal to what is there, and another object whose hash is not known yet.
"""

from __future__ import annotations

import collections
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import satchel

COUNT = 100_000
ROUNDS = 15
KEYS = [f"section.key.{number}" for number in range(COUNT)]
SHUFFLED = random.Random(1).sample(KEYS, COUNT)


def fresh(keys: list[str]) -> list[str]:
    return [key[:1] + key[1:] for key in keys]


def put(made: Any, keys: list[str]) -> None:
    for key in keys:
        made[key] = None


def get(made: Any, keys: list[str]) -> None:
    for key in keys:
        made[key]


def remove(made: Any, keys: list[str]) -> None:
    for key in keys:
        del made[key]


def fifo(made: Any, keys: list[str]) -> None:
    """A queue of a thousand: one more in, the oldest out."""
    for key in keys[:1000]:
        made[key] = None
    for key in keys[1000:]:
        made[key] = None
        made.popitem(last=False)
    made.clear()


# What is measured, in an order in which each finds what it needs.
PARTS: dict[str, tuple[Callable[[Any, list[str]], None], list[str]]] = {
    "set": (put, KEYS),
    "get": (get, SHUFFLED),
    "remove": (remove, SHUFFLED),
    "fifo": (fifo, KEYS),
}


def timed(part: Callable[[Any, list[str]], None], made: Any, keys: list[str]) -> float:
    """Nanoseconds a key."""
    begin = time.perf_counter_ns()
    part(made, keys)
    return (time.perf_counter_ns() - begin) / COUNT


def main() -> None:
    times: dict[str, tuple[list[float], list[float]]] = {
        name: ([], []) for name in PARTS
    }
    for _ in range(ROUNDS):
        for which, kind in enumerate((satchel.OrderedDict, collections.OrderedDict)):
            made = kind()
            for name, (part, keys) in PARTS.items():
                times[name][which].append(timed(part, made, fresh(keys)))
    for name, both in times.items():
        ours, peer = (statistics.median(column) for column in both)
        print(
            f"dict.python.{name}.100k\t{ours:.1f}\tns\tOrderedDict\t{peer:.1f}\t{peer / ours:.2f}"
        )


main()
