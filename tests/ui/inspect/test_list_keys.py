"""Keys and mouse in the segment list: they edit and go to words only where the user means it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Provenance
from qe_desktop.ui.inspect.area import InspectArea
from tests.small_corpora import corpus_of, tags
from tests.ui.inspect.conftest import A, layer_key, rich_corpus


@pytest.fixture
def area(qtbot, rich_workspace) -> InspectArea:
    widget = InspectArea(rich_workspace, QWidget())
    qtbot.addWidget(widget)
    widget.resize(1200, 700)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def test_space_edits_no_tags_that_the_user_has_not_opened(area, workspace):
    messages = []
    workspace.failed.connect(messages.append)
    workspace.settings.person = "Anna"
    workspace.open(corpus_of(None, {"A": tags("ob"), "B": tags("oo")}))
    area.view.setFocus()
    QTest.keyClick(area.view, Qt.Key.Key_Space)
    assert workspace.target is None
    assert "Space" in messages[0].hint
    # in the text, it begins a layer, which the list then edits
    QTest.keyClick(area.reader, Qt.Key.Key_Space)
    own = workspace.target
    assert workspace.session.undo_text == "word 1 OK → BAD, segment 1"
    QTest.keyClick(area.view, Qt.Key.Key_Space)
    assert workspace.view.segment_tags(own, 0).tolist() == [0, 1]
    assert len(messages) == 1


def test_space_edits_the_layer_of_an_annotator_after_it_was_selected_or_edited(area, workspace):
    anna = layer_key(Provenance.PERSON, "Anna")
    rich = rich_corpus()
    layers = {A: rich.layers[A], anna: replace(rich.layers[A], key=anna)}
    messages = []
    workspace.failed.connect(messages.append)
    for begin in (lambda: workspace.set_target(anna), lambda: QTest.keyClick(area.reader, Qt.Key.Key_Space)):
        workspace.open(replace(rich, layers=layers))
        QTest.keyClick(area.view, Qt.Key.Key_Space)
        assert (workspace.target, workspace.session.undo_text) == (anna, "")
        begin()
        before = workspace.view.segment_tags(anna, 0).tolist()
        QTest.keyClick(area.view, Qt.Key.Key_Space)
        assert workspace.view.segment_tags(anna, 0).tolist() != before
    assert len(messages) == 2
