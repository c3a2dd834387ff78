"""Writing an integer that survives the death of the process: `settings[key] = value` beside py-lmdb. Usage: write.py FOLDER."""

from __future__ import annotations

import os
import sys
from itertools import count

import lmdb
import satchel
from bench import ENCODED, KEYS, take_turns


def main(folder: str) -> None:
    settings = satchel.Settings("bench.write", directory=folder)
    environment = lmdb.open(os.path.join(folder, "lmdb"), sync=False, map_size=64 << 20)
    numbers = count()

    def ours() -> None:
        for key in KEYS:
            settings[key] = next(numbers)

    def theirs() -> None:
        for name in ENCODED:
            with environment.begin(write=True) as transaction:
                transaction.put(name, next(numbers).to_bytes(8, "little"))

    take_turns("settings.write.python", ours, theirs)


main(sys.argv[1])
