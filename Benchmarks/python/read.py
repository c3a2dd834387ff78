"""Reading an integer, fresh across processes: `settings[key]` beside py-lmdb. Usage: read.py FOLDER."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable

import lmdb
import satchel

KEYS = [f"section.key.{number}" for number in range(1000)]
ROUNDS = 60


def timed(read: Callable[[], None]) -> float:
    """Nanoseconds a key."""
    begin = time.perf_counter_ns()
    read()
    return (time.perf_counter_ns() - begin) / len(KEYS)


def main(folder: str) -> None:
    os.environ["XDG_CONFIG_HOME"] = folder
    settings = satchel.Settings("bench.read")
    environment = lmdb.open(os.path.join(folder, "lmdb"))
    settings.update({key: number for number, key in enumerate(KEYS)})
    encoded = [key.encode() for key in KEYS]
    with environment.begin(write=True) as transaction:
        for number, name in enumerate(encoded):
            transaction.put(name, number.to_bytes(8, "little"))

    def ours() -> None:
        for key in KEYS:
            settings[key]

    def theirs() -> None:
        for name in encoded:
            with environment.begin(buffers=True) as transaction:
                int.from_bytes(transaction.get(name) or b"", "little")

    both = [(timed(ours), timed(theirs)) for _ in range(ROUNDS)]
    mine, peer = (statistics.median(column) for column in zip(*both))
    print(
        f"settings.read.python\t{mine:.1f}\tns\tpy-lmdb\t{peer:.1f}\t{peer / mine:.2f}"
    )


main(sys.argv[1])
