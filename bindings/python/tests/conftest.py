"""Every test has a home of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import satchel


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


@pytest.fixture
def settings(home: Path) -> Iterator[satchel.Settings]:
    with satchel.Settings("org.example.test") as opened:
        yield opened
