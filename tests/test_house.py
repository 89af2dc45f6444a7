"""The house itself: layers, file lengths, and what may stand in a file."""

from __future__ import annotations

import re
from pathlib import Path

from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "qe_desktop").rglob("*.py"))


def test_layers_hold(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert lint_imports(no_cache=True) == 0


def test_files_are_small_rooms():
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines()) for path in SOURCES}
    assert {name: length for name, length in lengths.items() if length > 400} == {}
    assert sorted(lengths.values())[len(lengths) // 2] <= 200


def test_there_is_no_room_of_leftovers():
    assert [path.name for path in SOURCES if re.search(r"util|helper|misc", path.stem)] == []
