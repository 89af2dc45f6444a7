"""Mouse actions in a bilingual file, where words are edited instead of their tags."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem, QWidget

from qe_desktop.corpus import TextColumn, TextRole
from qe_desktop.project import ReviewField
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from tests.ui.inspect.postedit.conftest import SYSTEM, TARGETS, job_corpus


def point_at(area, position):
    """Return the centre of a word or gap in the reader; a comma may be only a few pixels wide."""
    reader = area.reader
    return (reader.page.position_rect(position).center() - QPointF(0, reader.visible_top)).toPoint()


def click_twice(area, position):
    point = point_at(area, position)
    QTest.mouseClick(area.reader, Qt.MouseButton.LeftButton, pos=point)
    QTest.mouseDClick(area.reader, Qt.MouseButton.LeftButton, pos=point)


@pytest.mark.parametrize(("position", "word"), [(0, "Der"), (2, "Apfel")])
@pytest.mark.parametrize("typing", [False, True])
def test_double_click_opens_the_target_at_the_word(area, job_workspace, typing, position, word):
    controller = area.review.controller
    job_workspace.go_to(1)
    if typing:
        controller.open()
        area.view.setFocus()
    click_twice(area, position)
    assert controller.segment == 1
    assert controller.panel.edit.cursor_offset() == TARGETS[1].index(word)
    assert controller.panel.edit.textCursor().selectedText() == word
    assert list(job_workspace.corpus.layers) == [SYSTEM]


@pytest.mark.parametrize("is_edited", [False, True])
def test_double_click_in_the_list_opens_the_target_at_the_word(area, job_workspace, is_edited):
    target = "Der rote Apfel." if is_edited else TARGETS[1]
    if is_edited:
        job_workspace.session.reviewing.set({1: {ReviewField.TARGET: target}})
    index = area.model.index(1, SegmentColumn.MT)
    cell = QStyleOptionViewItem()
    area.view.initViewItemOption(cell)
    cell.rect = area.view.visualRect(index)
    delegate = area.view.itemDelegate()
    x = next(x for x in range(cell.rect.left(), cell.rect.right()) if delegate.word_at(cell, index, x) == 2)
    point = QPoint(x + 2, cell.rect.center().y())
    QTest.mouseClick(area.view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    QTest.mouseDClick(area.view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    controller = area.review.controller
    assert controller.segment == 1
    assert controller.panel.edit.textCursor().selectedText() == "Apfel"
    assert controller.panel.edit.hasFocus()


def test_double_click_in_the_target_selects_the_word_under_the_mouse(area, job_workspace):
    job_workspace.go_to(1)
    click_twice(area, 0)
    edit = area.review.controller.panel.edit
    cursor = edit.textCursor()
    cursor.setPosition(TARGETS[1].index("Apfel") + 2)
    point = edit.cursorRect(cursor).center()
    QTest.mouseClick(edit.viewport(), Qt.MouseButton.LeftButton, pos=point)
    QTest.mouseDClick(edit.viewport(), Qt.MouseButton.LeftButton, pos=point)
    # the highlights are shown in a later event-loop iteration
    QTest.qWait(0)
    assert edit.textCursor().selectedText() == "Apfel"


def selection_by_double_click(edit, position):
    cursor = edit.textCursor()
    cursor.setPosition(position)
    point = edit.cursorRect(cursor).center() + QPoint(2, 0)
    QTest.mouseClick(edit.viewport(), Qt.MouseButton.LeftButton, pos=point)
    # a press starts no third click of an earlier double click
    QTest.mousePress(edit.viewport(), Qt.MouseButton.LeftButton, pos=point)
    QTest.mouseRelease(edit.viewport(), Qt.MouseButton.LeftButton, pos=point)
    QTest.mouseDClick(edit.viewport(), Qt.MouseButton.LeftButton, pos=point)
    return edit.textCursor().selectedText()


@pytest.mark.parametrize("letter", range(5))
@pytest.mark.parametrize("word", ["don't", "l’ami", "Apfel"])
def test_double_click_in_the_target_selects_words_with_apostrophes(area, job_workspace, word, letter):
    job_workspace.go_to(1)
    area.review.controller.open()
    edit = area.review.controller.panel.edit
    edit.replace_line(f"😀 Sie {word} ja")
    assert selection_by_double_click(edit, len("xx Sie ") + letter) == word


def test_double_clicked_word_stays_selected_while_the_mouse_moves_within_it(area, job_workspace):
    job_workspace.go_to(1)
    area.review.controller.open()
    edit = area.review.controller.panel.edit
    edit.replace_line("Das don't ja")
    cursor = edit.textCursor()
    cursor.setPosition(len("Das d"))
    point = edit.cursorRect(cursor).center()
    left, viewport = Qt.MouseButton.LeftButton, edit.viewport()
    for kind in (QEvent.Type.MouseButtonDblClick, QEvent.Type.MouseMove):
        position = QPointF(point + QPoint(1, 0))
        pressed = left if kind == QEvent.Type.MouseButtonDblClick else Qt.MouseButton.NoButton
        event = QMouseEvent(
            kind, position, viewport.mapToGlobal(position), pressed, left, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(viewport, event)
        assert edit.textCursor().selectedText() == "don't"


@pytest.mark.parametrize(("position", "word"), [(1, "don"), (5, "t"), (11, "l'ami"), (16, "l'ami"), (18, "OK")])
def test_double_click_selects_no_inline_codes(area, job_workspace, position, word):
    area.review.controller.open()
    edit = area.review.controller.panel.edit
    edit.replace_line("don⟨1⟩'t⟨/1⟩ 😀 l'ami⟨2/⟩ OK")
    assert selection_by_double_click(edit, position) == word


TOKENS = "Don't co-operate by e-mail , (please) now!"
WORDS = ["Don't", "co-operate", "by", "e-mail", ",", "please", "now"]


@pytest.mark.parametrize("position", range(len(WORDS)))
def test_double_click_selects_all_words_of_a_token(area, job_workspace, position):
    corpus, text = job_corpus(), TOKENS.replace(" ,", ",")
    texts = {
        **corpus.texts,
        TextRole.MT: TextColumn.of([TOKENS] * 4),
        TextRole.RAW_MT: TextColumn.of([text] * 4),
    }
    job_workspace.open(
        replace(corpus, texts=texts, layers={}, job=replace(corpus.job, targets=TextColumn.of([text] * 4)))
    )
    job_workspace.go_to(1)
    click_twice(area, position)
    assert area.review.controller.panel.edit.textCursor().selectedText() == WORDS[position]


def test_correct_command_opens_the_target_at_the_word_without_selection(area, job_workspace):
    job_workspace.go_to(1)
    area.reader.go_to_index(2)
    area.review.controller.toggle_editing()
    assert area.review.controller.panel.edit.cursor_offset() == TARGETS[1].index("Apfel")
    assert not area.review.controller.panel.edit.textCursor().hasSelection()


def test_double_click_toggles_the_tag_while_a_layer_is_edited(area, job_workspace):
    job_workspace.add_own_layer(job_workspace.copy_source)
    job_workspace.go_to(1)
    click_twice(area, 2)
    assert area.review.controller.segment is None
    assert job_workspace.session.view.segment_tags(job_workspace.target, 1).tolist()[2] == 1


def test_no_tags_hint_is_shown_without_tagged_words(area, job_workspace):
    assert not area.tag_toolbar.no_tags_hint.isVisible()
    job_workspace.session.remove(SYSTEM)
    assert area.tag_toolbar.no_tags_hint.isVisible()
    # the layout must not change when typing begins
    job_workspace.session.reviewing.set({0: {ReviewField.TARGET: "Anders"}})
    assert area.tag_toolbar.no_tags_hint.isVisible()


def test_no_tags_hint_is_shown_in_an_area_created_after_opening(qtbot, workspace):
    workspace.open(replace(job_corpus(), layers={}))
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    assert not area.tag_toolbar.no_tags_hint.isHidden()


def test_bad_filter_is_available_only_while_words_are_tagged(area, job_workspace):
    area.inspect_view.show_evaluation()
    bad, layer = area.filters.bad, job_workspace.corpus.layers[SYSTEM]
    assert not bad.isHidden()
    bad.click()
    assert area.filters.query.only_bad
    job_workspace.session.remove(SYSTEM)
    assert bad.isHidden()
    assert not area.filters.query.only_bad
    job_workspace.session.extend(replace(job_workspace.corpus, layers={SYSTEM: layer}))
    assert not bad.isHidden()
