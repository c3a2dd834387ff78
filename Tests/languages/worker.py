"""What run.sh has every language do, in Python: worker.py VERB DOMAIN ARGUMENT."""

import itertools
import os
import sys
from pathlib import Path

import satchel

verb, domain, argument = sys.argv[1:]
settings = satchel.Settings(domain)


def compare_once() -> None:
    while True:
        old = settings.get("compared")
        if settings.compare_and_set("compared", old, (old or 0) + 1):
            return


def pair(number: int) -> None:
    with settings.transaction() as change:
        assert change.get("pair.a") == change.get("pair.b"), "half a transaction"
        change["pair.a"] = change["pair.b"] = number


def count_for_ever(key: str) -> None:
    for number in itertools.count(1):
        settings[key] = number
        print(number, flush=True)


def each_value() -> None:
    """By way of Python's own objects; dates that no datetime can hold stay out."""
    lines = Path(os.environ["SATCHEL_VALUES"]).read_text().split("\n")
    values = [line.split(" ", 1)[1] for line in lines if line and line[0] != "#"]
    with satchel.Settings(f"{domain}.python.{os.getpid()}") as scratch:
        for number, value in enumerate(values, 1):
            key = f"{argument}.{number}"
            scratch.import_json(f'{{"v":{value}}}')
            expected = scratch.export_json()
            if verb == "write" and '{"seconds":' in value:
                settings.import_json(f'{{"{key}":{value}}}')
            elif verb == "write":
                settings[key] = scratch["v"]
            elif '{"seconds":' not in value:
                scratch["v"] = settings[key]
                if scratch.export_json() != expected:
                    print(f"{key}: {scratch.export_json()}, not {expected}")
    Path(scratch.path or f"{settings.path[:-8]}.python.{os.getpid()}.satchel").unlink()


match verb:
    case "count":
        count_for_ever(argument)
    case "write" | "check":
        each_value()
    case "add":
        for _ in range(int(argument)):
            settings.add("sum", 1)
    case "compare":
        for _ in range(int(argument)):
            compare_once()
    case "pair":
        for times in range(int(argument)):
            pair(times)
