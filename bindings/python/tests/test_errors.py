"""Errors are those that Python users catch, and say what they are about."""

from __future__ import annotations

import datetime
import errno
import os
import pickle
from pathlib import Path
from typing import Any

import pytest

import satchel


def test_every_error_says_what_it_is_about(settings: satchel.Settings) -> None:
    with pytest.raises(satchel.NotFoundError) as caught:
        settings["nothing"]
    error = caught.value
    assert (
        error.code == -1
        and error.domain == settings.domain
        and error.path == settings.path
        and error.key == "nothing"
    )
    assert (
        str(error)
        == f"{settings.domain}: nothing: there is no such key ({settings.path})"
    )


def test_an_absent_domain(home: Path) -> None:
    with pytest.raises(satchel.NotFoundError) as caught:
        satchel.Settings("org.example.absent", create=False)
    path = home / "config/satchel/org.example.absent.satchel"
    assert str(caught.value) == f"org.example.absent: there is no such domain ({path})"


def test_what_a_value_cannot_be_names_its_key(settings: satchel.Settings) -> None:
    with pytest.raises(satchel.ValueTypeError) as caught:
        settings["when"] = datetime.datetime(2026, 1, 31)
    assert caught.value.key == "when" and "zone" in caught.value.message
    for key in ("", "a\0b"):
        with pytest.raises(satchel.InvalidError, match="1 to 1024 bytes"):
            settings[key] = 1


@pytest.mark.parametrize(
    "kind, also",
    [
        (satchel.NotFoundError, KeyError),
        (satchel.ValueTypeError, TypeError),
        (satchel.InvalidError, ValueError),
        (satchel.RangeError, ValueError),
        (satchel.RangeError, OverflowError),
        (satchel.StoreError, OSError),
        (satchel.LockedError, TimeoutError),
        (satchel.DeniedError, PermissionError),
        (satchel.ReadOnlyError, PermissionError),
        (satchel.TimedOutError, TimeoutError),
        (satchel.FullError, OSError),
        (satchel.OutOfMemoryError, MemoryError),
        (satchel.ParseError, ValueError),
    ],
)
def test_kin(kind: type[satchel.Error], also: type[Exception]) -> None:
    assert issubclass(kind, also) and issubclass(kind, satchel.Error)
    assert isinstance(kind("text"), also)


def test_a_domain_that_is_a_folder(home: Path) -> None:
    (home / "config" / "satchel" / "org.example.test.satchel").mkdir(parents=True)
    with pytest.raises(OSError) as caught:
        satchel.Settings("org.example.test")
    assert isinstance(caught.value, satchel.Error)
    assert "org.example.test.satchel" in str(caught.value)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_denied(home: Path) -> None:
    os.chmod(home, 0o755)
    (home / "config" / "satchel").mkdir(parents=True, mode=0o755)
    with satchel.Settings("org.example.test") as settings:
        settings["a"] = 1
    child = os.fork()
    if child == 0:
        os.setuid(65534)
        try:
            satchel.Settings("org.example.test")
        except PermissionError as error:
            os._exit(
                0 if isinstance(error, satchel.DeniedError) and error.errno == 13 else 1
            )
        os._exit(2)
    assert os.waitpid(child, 0)[1] == 0


def test_no_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", "/nonexistent")
    for use in (
        lambda: satchel.Settings("org.example.test"),
        lambda: satchel.Settings("org.example.test", create=False),
        lambda: satchel.domains(),
    ):
        with pytest.raises(
            satchel.StoreError, match="home folder does not exist.*/nonexistent"
        ):
            use()
    assert satchel.domains(home) == [], "a folder that is named is another thing"
    monkeypatch.delenv("HOME")
    with pytest.raises(satchel.Error, match="HOME"):
        satchel.Settings("org.example.test")


@pytest.mark.parametrize(
    "name", ["", ".", "..", ".x", "a/b", "é", "x" * 256, "a b", "global"]
)
def test_names_of_domains(name: str) -> None:
    with pytest.raises(ValueError):
        satchel.Settings(name)


@pytest.mark.parametrize("read_only", [False, True])
def test_a_domain_that_is_not_there(home: Path, read_only: bool) -> None:
    path = str(home / "config" / "satchel" / "q.satchel")
    with pytest.raises(satchel.NotFoundError) as caught:
        satchel.Settings("q", create=False, read_only=read_only)
    assert caught.value.domain == "q"
    assert caught.value.path == path
    assert caught.value.key is None
    assert "no such domain" in str(caught.value)
    assert path in str(caught.value)


def test_a_folder_that_cannot_be_made(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "dangling").symlink_to("nowhere")
    for folder in ("/proc/none", str(home / "dangling")):
        monkeypatch.setenv("XDG_CONFIG_HOME", folder)
        with pytest.raises(satchel.StoreError) as caught:
            satchel.Settings("q")
        assert caught.value.errno == errno.ENOENT
        assert folder in str(caught.value)
        assert not isinstance(caught.value, KeyError)


@pytest.mark.parametrize("size", [8, 4095])
def test_what_is_too_short(home: Path, size: int) -> None:
    satchel.Settings("q").close()
    path = home / "config" / "satchel" / "q.satchel"
    path.write_bytes(path.read_bytes()[:size])
    before = path.read_bytes()
    for create in (True, False):
        with pytest.raises(satchel.CorruptError):
            satchel.Settings("q", create=create)
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == ["q.satchel"]


def test_what_is_not_ours(home: Path) -> None:
    folder = home / "config" / "satchel"
    folder.mkdir(parents=True)
    (folder / "org.example.test.satchel").write_bytes(b"something else" * 1000)
    with pytest.raises(satchel.CorruptError):
        satchel.Settings("org.example.test")
    assert (
        folder / "org.example.test.satchel"
    ).read_bytes() == b"something else" * 1000


@pytest.mark.parametrize("key", ["volume", "text", "k" * 1100, "most", "big"])
def test_the_reason_is_the_one_that_holds(settings: satchel.Settings, key: str) -> None:
    settings.update({"volume": 0.5, "text": "seven", "most": 2**63 - 1})
    reasons = {
        "volume": "is a double, not an int",
        "text": "is a string, not an int",
        "most": "9223372036854775807 plus 1 does not fit an int",
        "k" * 1100: "a key has up to 1024 bytes, and this one has more",
        "big": "a value has up to 16 MiB as stored, and this one has",
    }

    def ask(target: Any) -> None:
        if key == "big":
            target[key] = b"x" * (17 << 20)
        else:
            target.add(key, 1)

    with pytest.raises(satchel.Error) as caught:
        ask(settings)
    assert reasons[key] in str(caught.value)
    assert len(str(caught.value)) < 500
    with pytest.raises(satchel.Error) as caught, settings.transaction() as change:
        ask(change)
    assert reasons[key] in str(caught.value)


def test_errors_travel(settings: satchel.Settings) -> None:
    """Between processes, as multiprocessing sends them."""
    with pytest.raises(satchel.NotFoundError) as caught:
        settings["nothing"]
    again = pickle.loads(pickle.dumps(caught.value))
    assert (
        type(again) is satchel.NotFoundError
        and again.key == "nothing"
        and str(again) == str(caught.value)
    )
