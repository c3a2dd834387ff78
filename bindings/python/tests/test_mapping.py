"""A domain behaves as a dict in insertion order, and is exact where a dict is alone."""

from __future__ import annotations

from collections.abc import MutableMapping
from pathlib import Path

import pytest

import satchel


def test_is_a_mutable_mapping(settings: satchel.Settings) -> None:
    assert isinstance(settings, MutableMapping)
    settings["b"] = 1
    settings["a"] = 2
    settings["b"] = 3
    assert list(settings) == ["b", "a"]
    assert list(settings.items()) == [("b", 3), ("a", 2)]
    assert list(settings.values()) == [3, 2]
    assert list(reversed(settings)) == ["a", "b"]
    assert len(settings) == 2 and "a" in settings and "c" not in settings
    assert settings == {"a": 2, "b": 3}
    del settings["b"]
    settings["b"] = 4
    assert list(settings) == ["a", "b"]


def test_absent_keys(settings: satchel.Settings) -> None:
    assert settings.get("a") is None
    assert settings.get("a", 5) == 5
    with pytest.raises(KeyError) as caught:
        settings["a"]
    assert caught.value.args == ("a",)
    with pytest.raises(KeyError):
        del settings["a"]
    with pytest.raises(KeyError):
        settings.pop("a")
    with pytest.raises(KeyError):
        settings.popitem()
    with pytest.raises(KeyError):
        settings.info("a")
    assert settings.revision == 0, "nothing of that wrote"


def test_pop_and_setdefault(settings: satchel.Settings) -> None:
    settings.update({"a": 1, "b": 2, "c": 3})
    assert settings.pop("a") == 1
    assert settings.pop("a", None) is None
    assert settings.popitem() == ("c", 3)
    assert settings.popitem(last=False) == ("b", 2)
    assert settings.setdefault("d", [1]) == [1]
    assert settings.setdefault("d", [2]) == [1]
    settings.clear()
    assert dict(settings) == {}


def test_update_is_one_revision_or_none(settings: satchel.Settings) -> None:
    settings.update([("a", 1), ("b", 2)], c=3)
    assert settings.revision == 1
    with pytest.raises(TypeError):
        settings.update({"a": 9, "bad": object()})
    assert dict(settings) == {"a": 1, "b": 2, "c": 3} and settings.revision == 1


def test_compare_and_set(settings: satchel.Settings) -> None:
    assert settings.compare_and_set("a", None, 1)
    assert not settings.compare_and_set("a", None, 2)
    assert not settings.compare_and_set("a", True, 2), "1 is not True"
    assert not settings.compare_and_set("a", 1.0, 2)
    assert settings.compare_and_set("a", 1, 2)
    assert not settings.compare_revision_and_set("a", 1, 3)
    assert settings.compare_revision_and_set("a", settings.info("a").revision, None)
    assert "a" not in settings
    assert settings.compare_revision_and_set("a", 0, "new")


def test_add(settings: satchel.Settings) -> None:
    assert [settings.add("n"), settings.add("n", 5), settings.add("n", -7)] == [
        1,
        6,
        -1,
    ]
    settings["text"] = "1"
    with pytest.raises(TypeError):
        settings.add("text", 1)
    settings["n"] = 2**63 - 1
    with pytest.raises(OverflowError):
        settings.add("n", 1)
    with pytest.raises(TypeError):
        settings.add("n", 1, 2)  # type: ignore[call-arg]


def test_transaction(settings: satchel.Settings) -> None:
    settings["a"] = 1
    with settings.transaction() as change:
        assert change["a"] == 1 and "b" not in change and change.get("b") is None
        change["a"] = {"x": [1]}
        change["b"] = None or 2
        del change["a"]
        assert "a" not in change and change.add("b", 3) == 5
        assert settings["a"] == 1, "nobody sees it yet"
        assert change.revision is None
    assert dict(settings) == {"b": 5} and change.revision == settings.revision == 2
    with pytest.raises(ValueError):
        change["b"] = 1
    with pytest.raises(ValueError):
        change.commit()


def test_a_failed_transaction_leaves_nothing(settings: satchel.Settings) -> None:
    with pytest.raises(ZeroDivisionError), settings.transaction() as change:
        change["a"] = 1
        _ = 1 / 0
    with settings.transaction() as change:
        change["a"] = 1
        change.rollback()
    assert dict(settings) == {} and settings.revision == 0
    change = settings.transaction()
    change["a"] = 1
    del change  # forgotten: rolled back
    settings["b"] = 1
    assert dict(settings) == {"b": 1}


def test_beside_a_transaction(settings: satchel.Settings) -> None:
    with settings.transaction() as change:
        with pytest.raises(satchel.BusyError):
            settings["a"] = 1
        change["a"] = 2
    assert settings["a"] == 2


def test_two_handles_see_each_other(settings: satchel.Settings) -> None:
    with satchel.Settings(settings.domain) as other:
        settings["a"] = 1
        assert other["a"] == 1 and other.revision == settings.revision
        assert other.info("a").program == settings.info("a").program
        assert other.info("a").type is satchel.Type.INT
        assert other.path == settings.path


def test_options(home: Path) -> None:
    with pytest.raises(satchel.NotFoundError):
        satchel.Settings("org.example.absent", create=False)
    with pytest.raises(ValueError):
        satchel.Settings("org.example.test", durability="tape")  # type: ignore[arg-type]
    with satchel.Settings(
        "org.example.test",
        durability="disk",
        program="a program",
        directory=home / "there",
    ) as opened:
        opened["a"] = 1
        opened.sync()
        assert opened.info("a").program == "a program"
        assert Path(opened.path) == home / "there" / "org.example.test.satchel"
    assert satchel.domains(home / "there") == ["org.example.test"]
    with satchel.Settings(
        "org.example.test", read_only=True, directory=home / "there"
    ) as opened:
        assert opened["a"] == 1
        with pytest.raises(PermissionError):
            opened["a"] = 2


def test_whole_domain(settings: satchel.Settings) -> None:
    settings.import_json('{"b": [1, null], "a": {"$data": "AAE="}}')
    assert dict(settings) == {"b": [1, None], "a": b"\0\1"}
    assert settings.export_json() == '{"b":[1,null],"a":{"$data":"AAE="}}'
    with pytest.raises(satchel.ParseError):
        settings.import_json("{")
    settings.compact()
    health = settings.health()
    assert (
        health.keys == 2
        and health.generation == 2
        and not health.is_degraded
        and not health.is_portable
        and health.disk_bytes > 0
    )
    with pytest.raises(satchel.NotFoundError):
        settings.accept()
    with pytest.raises(satchel.NotFoundError, match="b: is not damaged"):
        settings.accept("b")
    assert satchel.domains() == ["org.example.test"]


def test_closed(settings: satchel.Settings) -> None:
    settings.close()
    settings.close()
    for use in (
        lambda: settings["a"],
        lambda: settings.get("a"),
        lambda: settings.add("a"),
        lambda: settings.transaction(),
        lambda: list(settings),
        lambda: settings.revision,
        lambda: settings.sync(),
    ):
        with pytest.raises(ValueError):
            use()
    assert repr(settings) == "<satchel.Settings, closed>"
