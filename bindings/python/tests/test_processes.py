"""Several processes and threads: forked, spawned, killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import satchel

DOMAIN = "org.example.test"


def add_many(count: int) -> None:
    with satchel.Settings(DOMAIN) as settings:
        for _ in range(count):
            settings.add("sum", 1)


def compare_many(count: int) -> None:
    with satchel.Settings(DOMAIN) as settings:
        for _ in range(count):
            while True:
                old = settings.get("sum")
                if settings.compare_and_set("sum", old, (old or 0) + 1):
                    break


def transfer_many(count: int) -> None:
    with satchel.Settings(DOMAIN) as settings:
        for _ in range(count):
            with settings.transaction() as change:
                change["left"] = change.get("left", 0) - 1
                change["right"] = change.get("right", 0) + 1


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("work", [add_many, compare_many, transfer_many])
def test_exact(method: str, work: Callable[[int], None]) -> None:
    context: Any = multiprocessing.get_context(method)
    workers = [context.Process(target=work, args=(500,)) for _ in range(4)]
    for worker in workers:
        worker.start()
    with satchel.Settings(DOMAIN) as settings:
        while any(worker.is_alive() for worker in workers):
            with settings.transaction() as change:
                assert change.get("left", 0) + change.get("right", 0) == 0
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    with satchel.Settings(DOMAIN) as settings:
        assert settings.get("sum", settings.get("right")) == 2000


def test_fork_with_the_store_open(settings: satchel.Settings) -> None:
    children = []
    for child in range(4):
        pid = os.fork()
        if pid == 0:
            try:
                for number in range(1000):
                    settings[f"{child}.{number}"] = number
                os._exit(0)
            except BaseException:
                os._exit(1)
        children.append(pid)
    for number in range(1000):
        settings[f"parent.{number}"] = number
    assert all(os.waitpid(pid, 0)[1] == 0 for pid in children)
    assert len(settings) == 5000
    assert all(
        settings[f"{child}.{number}"] == number
        for child in (0, 1, 2, 3, "parent")
        for number in range(1000)
    )


def test_threads(settings: satchel.Settings) -> None:
    def work() -> None:
        for _ in range(500):
            settings.add("sum")
            with settings.transaction() as change:
                change.add("both", 1)
            assert settings["sum"] >= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert settings["sum"] == settings["both"] == 2000


def test_waiting_lets_other_threads_run(settings: satchel.Settings) -> None:
    """The interpreter is free while a write waits for another's transaction, and while somebody waits for a change."""
    ticks = 0
    seen = []
    waiter = threading.Thread(
        target=lambda: seen.append(settings.wait(settings.revision))
    )
    with satchel.Settings(DOMAIN) as other:
        change = other.transaction()
        writer = threading.Thread(target=lambda: settings.__setitem__("a", 1))
        waiter.start()
        writer.start()
        for _ in range(20):
            time.sleep(0.005)
            ticks += 1
        assert writer.is_alive() and waiter.is_alive() and ticks == 20
        change["b"] = 1
        change.commit()
        writer.join(10)
        waiter.join(10)
    assert settings["a"] == 1 and seen and not writer.is_alive()


def test_lock_timeout(settings: satchel.Settings) -> None:
    change = settings.transaction()
    with (
        satchel.Settings(DOMAIN, lock_timeout=0.05) as other,
        pytest.raises(TimeoutError),
    ):
        other["a"] = 1
    change.rollback()


def test_wait(settings: satchel.Settings) -> None:
    with pytest.raises(TimeoutError):
        settings.wait(settings.revision, 0.01)
    settings["a"] = 1
    assert settings.wait(0) == 1


KILLED = """
import sys, satchel
settings = satchel.Settings("org.example.test")
number = 0
while True:
    number += 1
    settings["number"] = number
    with settings.transaction() as change:
        change["left"], change["right"] = number, -number
    sys.stdout.write(f"{number}\\n")
    sys.stdout.flush()
"""


def test_kill(home: Path) -> None:
    """What was acknowledged is there, and a transaction is there as a whole or not at all."""
    for _ in range(20):
        command = [sys.executable, "-c", KILLED]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(0.003)
            child.send_signal(signal.SIGKILL)
            lines = child.stdout.read().splitlines()
        with satchel.Settings(DOMAIN) as settings:
            assert settings["left"] + settings["right"] == 0
            assert settings["number"] >= (int(lines[-1]) if lines and lines[-1] else 1)
            settings.add("goes on", 1)


def test_sub_interpreter(settings: satchel.Settings) -> None:
    """Works there, or is refused by the import."""
    name = "_xxsubinterpreters" if sys.version_info < (3, 13) else "_interpreters"
    interpreters = pytest.importorskip(name)
    settings["a"] = 1
    interpreter = interpreters.create()
    try:
        interpreters.run_string(
            interpreter,
            "try:\n"
            " import satchel\n"
            "except ImportError:\n"
            " pass\n"
            "else:\n"
            f" settings = satchel.Settings({DOMAIN!r})\n"
            " settings['a'] += 1\n"
            " settings.close()\n",
        )
    finally:
        interpreters.destroy(interpreter)
    assert settings["a"] in (1, 2)


class Interrupted(Exception):
    pass


def begin(settings: satchel.Settings) -> None:
    with settings.transaction():
        pass


WRITES: dict[str, Callable[[satchel.Settings], object]] = {
    "bool": lambda settings: settings.update(k=True),
    "int": lambda settings: settings.__setitem__("k", 1),
    "float": lambda settings: settings.__setitem__("k", 1.5),
    "str": lambda settings: settings.__setitem__("k", "text"),
    "list": lambda settings: settings.__setitem__("k", [1]),
    "del": lambda settings: settings.__delitem__("k"),
    "add": lambda settings: settings.add("k", 1),
    "compare": lambda settings: settings.compare_and_set("k", 1, 2),
    "revision": lambda settings: settings.compare_revision_and_set("k", 1, 2),
    "begin": begin,
    "pop": lambda settings: settings.pop("k"),
    "accept": lambda settings: settings.accept("k"),
    "compact": lambda settings: settings.compact(),
    "import": lambda settings: settings.import_json('{"k": 2}'),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES.keys())
def test_a_signal_ends_a_wait_for_the_lock(
    settings: satchel.Settings, write: Callable[[satchel.Settings], object]
) -> None:
    """Long before the time is up that it would wait."""
    patience = 30

    def interrupt(number: int, frame: object) -> None:
        raise Interrupted

    settings["k"] = 1
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with satchel.Settings(DOMAIN, lock_timeout=patience) as other:
            with settings.transaction():
                began = time.monotonic()
                with pytest.raises(Interrupted):
                    signal.setitimer(signal.ITIMER_REAL, 0.05)
                    write(other)
                assert time.monotonic() - began < patience
            other["k"] = 3
    finally:
        signal.signal(signal.SIGALRM, before)
    assert settings["k"] == 3


@pytest.mark.parametrize("timeout", [0, 0.05, 0.5])
def test_a_wait_for_the_lock_ends(settings: satchel.Settings, timeout: float) -> None:
    with satchel.Settings(DOMAIN, lock_timeout=timeout) as other:
        with settings.transaction():
            began = time.monotonic()
            with pytest.raises(satchel.TimedOutError) as caught:
                other["k"] = 1
            assert time.monotonic() - began >= timeout
            assert "this process has it now" in str(caught.value)
        other["k"] = 2
    assert settings["k"] == 2
