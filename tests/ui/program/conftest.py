"""Fixtures of the tests that drive the whole program."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from qe_desktop.ui import icons
from tests.formats.bilingual.samples import FOLDER


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """Writable copy of the bundled sample, without its TSV files."""
    folder = tmp_path / "corpus"
    shutil.copytree(icons.resource_folder() / "samples/en-de", folder)
    for name in ("authored.tsv", "lexicon.tsv", "translations.tsv"):
        (folder / name).unlink()
    return folder


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """Writable copy of a bilingual file in a folder of its own."""
    folder = tmp_path / "job"
    folder.mkdir()
    return Path(shutil.copy(FOLDER / "studio.sdlxliff", folder / "job.sdlxliff"))


@pytest.fixture
def answers(monkeypatch) -> list:
    """Texts of the buttons that answer the next questions, and the questions that were asked."""
    replies: list[str] = []
    questions: list[str] = []

    def answer(box):
        questions.append(box.text())
        text = replies.pop(0)
        next(button for button in box.buttons() if button.text() == text).click()

    monkeypatch.setattr(QMessageBox, "open", answer)
    return [replies, questions]
