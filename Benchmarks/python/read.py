"""Reading an integer, fresh across processes: `settings[key]` beside py-lmdb. Usage: read.py FOLDER."""

from __future__ import annotations

import os
import sys

import lmdb
import satchel
from bench import ENCODED, KEYS, take_turns


def main(folder: str) -> None:
    settings = satchel.Settings("bench.read", directory=folder)
    environment = lmdb.open(os.path.join(folder, "lmdb"))
    settings.update({key: number for number, key in enumerate(KEYS)})
    with environment.begin(write=True) as transaction:
        for number, name in enumerate(ENCODED):
            transaction.put(name, number.to_bytes(8, "little"))

    def ours() -> None:
        for key in KEYS:
            settings[key]

    def theirs() -> None:
        for name in ENCODED:
            with environment.begin(buffers=True) as transaction:
                int.from_bytes(transaction.get(name) or b"", "little")

    take_turns("settings.read.python", ours, theirs)


main(sys.argv[1])
