"""Mouse actions in a bilingual file, where words are edited instead of their tags."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from qe_desktop.project import ReviewField
from qe_desktop.ui.inspect.area import InspectArea
from tests.ui.inspect.postedit.conftest import SYSTEM, TARGETS, job_corpus


def point_at(area, position):
    reader = area.reader
    kind = reader.workspace.kind
    for y in range(0, reader.height(), 4):
        for x in range(0, reader.width(), 4):
            if reader._at(reader._on_page(QPointF(x, y))) == (kind, position):
                return QPoint(x + 2, y + 2)
    raise AssertionError(position)


def click_twice(area, position):
    point = point_at(area, position)
    QTest.mouseClick(area.reader, Qt.MouseButton.LeftButton, pos=point)
    QTest.mouseDClick(area.reader, Qt.MouseButton.LeftButton, pos=point)


@pytest.mark.parametrize(("position", "word"), [(0, "Der"), (2, "Apfel")])
@pytest.mark.parametrize("typing", [False, True])
def test_double_click_opens_the_target_at_the_word(area, job_workspace, typing, position, word):
    controller = area.correcting.controller
    job_workspace.go_to(1)
    if typing:
        controller.open()
        area.view.setFocus()
    click_twice(area, position)
    assert controller.segment == 1
    assert controller.panel.edit.place() == TARGETS[1].index(word)
    assert controller.panel.edit.textCursor().selectedText() == word
    assert list(job_workspace.corpus.layers) == [SYSTEM]


def test_double_click_in_the_target_selects_the_word_under_the_mouse(area, job_workspace):
    job_workspace.go_to(1)
    click_twice(area, 0)
    edit = area.correcting.controller.panel.edit
    cursor = edit.textCursor()
    cursor.setPosition(TARGETS[1].index("Apfel") + 2)
    point = edit.cursorRect(cursor).center()
    QTest.mouseClick(edit.viewport(), Qt.MouseButton.LeftButton, pos=point)
    QTest.mouseDClick(edit.viewport(), Qt.MouseButton.LeftButton, pos=point)
    # the highlights are shown in a later event-loop iteration
    QTest.qWait(0)
    assert edit.textCursor().selectedText() == "Apfel"


def test_correct_command_opens_the_target_at_the_word_without_selection(area, job_workspace):
    job_workspace.go_to(1)
    area.reader.go_to_index(2)
    area.correcting.controller.correct()
    assert area.correcting.controller.panel.edit.place() == TARGETS[1].index("Apfel")
    assert not area.correcting.controller.panel.edit.textCursor().hasSelection()


def test_double_click_toggles_the_tag_while_a_layer_is_edited(area, job_workspace):
    job_workspace.own_layer(job_workspace.copied)
    job_workspace.go_to(1)
    click_twice(area, 2)
    assert area.correcting.controller.segment is None
    assert job_workspace.session.view.segment_tags(job_workspace.target, 1).tolist()[2] == 1


def test_no_tags_hint_is_shown_without_tagged_words(area, job_workspace):
    assert not area.tags.untagged.isVisible()
    job_workspace.session.remove(SYSTEM)
    assert area.tags.untagged.isVisible()
    # the layout must not change when typing begins
    job_workspace.session.reviewing.set({0: {ReviewField.TARGET: "Anders"}})
    assert area.tags.untagged.isVisible()


def test_no_tags_hint_is_shown_in_an_area_created_after_opening(qtbot, workspace):
    workspace.open(replace(job_corpus(), layers={}))
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    assert not area.tags.isHidden()
    assert not area.tags.untagged.isHidden()


def test_bad_filter_is_available_only_while_words_are_tagged(area, job_workspace):
    bad, layer = area.filters.bad, job_workspace.corpus.layers[SYSTEM]
    assert bad.isVisible()
    bad.click()
    assert area.filters.query.only_bad
    job_workspace.session.remove(SYSTEM)
    assert not bad.isVisible()
    assert not area.filters.query.only_bad
    job_workspace.session.extend(replace(job_workspace.corpus, layers={SYSTEM: layer}))
    assert bad.isVisible()
