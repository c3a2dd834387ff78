"""What the drivers share: the keys, a clock, two subjects taking turns, and one line of results."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

KEYS = [f"section.key.{number}" for number in range(1000)]
ENCODED = [key.encode() for key in KEYS]
ROUNDS = 60


def timed(run: Callable[[], None]) -> float:
    """Nanoseconds a key."""
    begin = time.perf_counter_ns()
    run()
    return (time.perf_counter_ns() - begin) / len(KEYS)


def take_turns(name: str, ours: Callable[[], None], theirs: Callable[[], None]) -> None:
    """Each goes once through all keys, round after round; the median of each."""
    both = [(timed(ours), timed(theirs)) for _ in range(ROUNDS)]
    mine, peer = (statistics.median(column) for column in zip(*both))
    print(f"{name}\t{mine:.1f}\tns\tpy-lmdb\t{peer:.1f}\t{peer / mine:.2f}")
