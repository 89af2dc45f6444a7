"""Bilingual file of the post-editing tests, in German, with a tiny dictionary in the user's data folder."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QWidget

from qe_desktop.ui.inspect.area import InspectArea
from tests.local_qe.spelling.tiny_dictionary import use_only_own_dictionaries, write_dictionary
from tests.ui.inspect.postedit.conftest import job_corpus


@pytest.fixture
def folder(tmp_path, monkeypatch):
    use_only_own_dictionaries(monkeypatch)
    write_dictionary(
        tmp_path / "data" / "dictionaries", words=("der", "Der", "grüne", "Apfel", "Drücken", "Sie", "jetzt")
    )
    return tmp_path / "data"


@pytest.fixture
def area(qtbot, workspace, folder) -> InspectArea:
    workspace.open(replace(job_corpus(), language_pair="en-de"))
    widget = InspectArea(workspace, QWidget())
    widget.review.spelling.folder = folder
    qtbot.addWidget(widget)
    widget.resize(1200, 760)
    widget.show()
    qtbot.waitExposed(widget)
    return widget
