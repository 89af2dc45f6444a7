"""The window in a language that nobody speaks: nothing is left out, and nothing is cut off though all is longer."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence

from qe_desktop.metrics import WORD_METRICS
from qe_desktop.ratings.protocols import PROTOCOLS
from qe_desktop.ui import icons
from qe_desktop.wording import tr
from tests.wording.pseudo import LONGER, collected, pseudo, translate, unmarked

ROOT = Path(__file__).parents[2]
WORD = re.compile(r"[^\W\d_]{2,}")
NAMES = {
    "QE", "Desktop", "BAD", "OK", "MT", "Ctrl", "Shift", "Alt", "Meta", "Holm", "Bonferroni", "anna", "ben", "gold",
    "broken", "Der", "Hund", "bellte", "gestern", "die", "Katze", "top", "bottom", "tmp", "qedesk", "source", "direct",
}  # fmt: skip
"""Names, keys, the words that the start page shows as an example, and what the tour calls its campaigns and files."""
OF_QT = {"Scroll Left", "Scroll Right", "Press shortcut"}
"""Words of Qt's own, which Qt's translations have."""


def words_of_data() -> Iterator[str]:
    """Every word of names in the samples (files, systems, documents), and of metrics, protocols and keys."""
    for path in (icons.resources() / "samples").rglob("*"):
        yield from WORD.findall(path.name)
        if path.name == "sample.docs":
            yield from WORD.findall(path.read_text())
    for name in (*WORD_METRICS, *PROTOCOLS):
        yield from WORD.findall(name)
    for key in range(0x01000000, 0x01000064):
        yield from WORD.findall(QKeySequence(key).toString())


@pytest.fixture(scope="module")
def heard(tmp_path_factory) -> dict[str, dict[str, str]]:
    """What the tour through all views found."""
    folder = tmp_path_factory.mktemp("pseudo")
    catalogue = collected(folder, sorted((ROOT / "qe_desktop").rglob("*.py")))
    translate(catalogue)
    environment = {**os.environ, "QE_DESKTOP_LANGUAGE": str(catalogue), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-m", "tests.wording.tour", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads((folder / "heard.json").read_text())


def test_nothing_is_left_out(heard):
    known = NAMES | set(words_of_data())
    # a temporary folder's name is anything
    left = {
        text: where
        for text, where in heard["left_out"].items()
        if text not in OF_QT and "tmp" not in text and not set(WORD.findall(unmarked(text))) <= known
    }
    assert left == {}
    assert len(heard["marked"]) > 1000


def test_nothing_is_cut_off(heard):
    assert heard["cut"] == {}


def test_the_language_changes_every_text_and_keeps_its_places():
    assert unmarked(pseudo("Open the file")).strip() == ""
    changed = tr(pseudo("{n:,} {n:tag|tags} of {name} {{x}}"), "", 5, name="y")
    assert {"5", "tágs", "y", "{x}"} <= set(changed.strip("⟦⟧~-").split())
    assert len(pseudo("Nothing is open, so there is nothing to save.")) >= (1 + LONGER) * 45 - 1
    assert unmarked(f"{pseudo('one')} glued {tr(pseudo('two {x}'), x=pseudo('three'))}").split() == ["glued"]
