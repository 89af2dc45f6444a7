"""The house itself: layers, file lengths, and what may stand in a file."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "qe_desktop").rglob("*.py"))


def test_layers_hold():
    # in a process of its own, because it takes the logging of its process over
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports; raise SystemExit(lint_imports())"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_files_are_small_rooms():
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines()) for path in SOURCES}
    assert {name: length for name, length in lengths.items() if length > 400} == {}
    assert sorted(lengths.values())[len(lengths) // 2] <= 200


def test_there_is_no_room_of_leftovers():
    assert [path.name for path in SOURCES if re.search(r"util|helper|misc", path.stem)] == []
