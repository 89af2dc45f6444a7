"""The source stays where it is while a target is edited, and the list has whole rows."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Corpus, Kind, TextColumn, TextRole
from qe_desktop.project import Edit
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.fold_bar import TRANSLATIONS
from qe_desktop.ui.inspect.segment_list.list_height import MIN_SHRUNK_ROWS
from tests.ui.inspect.conftest import rich_corpus
from tests.ui.inspect.postedit.conftest import job_corpus
from tests.ui.inspect.test_segment_pane import sentences

LINES_HIGH = 43
"""Height of the area in lines, so that the tests do not depend on the font."""


@pytest.fixture
def area(qtbot, workspace) -> InspectArea:
    widget = InspectArea(workspace, QWidget())
    qtbot.addWidget(widget)
    widget.resize(1210, LINES_HIGH * widget.fontMetrics().height())
    workspace.open(sentences(12, 40))
    widget.show()
    qtbot.waitExposed(widget)
    settle(widget, qtbot)
    return widget


def settle(area: InspectArea, qtbot) -> None:
    """Wait until the height of the list is up to date."""
    qtbot.waitUntil(lambda: not area.list_height._update_timer.isActive())


def source_top(area: InspectArea) -> int:
    return area.segment_pane.source.mapTo(area, QPoint()).y()


def rows_shown(area: InspectArea) -> float:
    return area.view.viewport().height() / area.view.verticalHeader().defaultSectionSize()


def type_and_commit(area: InspectArea, text: str) -> None:
    controller = area.review.controller
    QTest.keyClicks(controller.panel.edit, text)
    controller._show_draft()
    controller.flush()


@pytest.mark.parametrize("words", [5, 12, 30, 50, 80, 200])
def test_source_stays_while_a_target_is_edited(area, workspace, qtbot, words):
    workspace.open(sentences(words, 40))
    settle(area, qtbot)
    top, lines = source_top(area), area.reader.page.blocks[0].layout.rects
    rows = rows_shown(area)
    assert rows == int(rows) >= MIN_SHRUNK_ROWS
    controller = area.review.controller

    def check() -> None:
        settle(area, qtbot)
        assert (source_top(area), rows_shown(area)) == (top, rows)
        assert area.reader.page.blocks[0].layout.rects == lines

    controller.open()
    check()
    QTest.keyClicks(controller.panel.edit, "a")
    controller._show_draft()
    check()
    controller.flush()
    check()
    controller.stop_editing()
    check()
    workspace.undo()
    check()


def varied_corpus() -> Corpus:
    """Corpus of 25 segments without tags, of one to three lines."""
    lines = [" ".join(["Satz"] * (40 if row == 7 else 25 if row % 9 == 4 else 6)) for row in range(25)]
    column = TextColumn.of(lines)
    return Corpus("varied", len(lines), {TextRole.SOURCE: column, TextRole.MT: column})


def test_source_stays_while_segments_of_other_lengths_are_shown(area, workspace, qtbot):
    workspace.open(varied_corpus())
    places = set()
    for segment in range(workspace.corpus.size):
        workspace.go_to(segment)
        settle(area, qtbot)
        places.add((source_top(area), rows_shown(area)))
    assert len(places) == 1


def test_source_stays_when_the_hint_without_highlights_disappears(area, workspace, qtbot):
    workspace.open(varied_corpus())
    settle(area, qtbot)
    hint = area.tag_toolbar.no_tags_hint
    assert hint.isVisible()
    place = source_top(area), rows_shown(area)
    workspace.add_own_layer()
    workspace.edit(Edit(workspace.target, 0, (0,), (1,)))
    qtbot.waitUntil(lambda: not hint.isVisible())
    settle(area, qtbot)
    assert (source_top(area), rows_shown(area)) == place
    workspace.go_to(1)
    assert not hint.sizePolicy().retainSizeWhenHidden()
    workspace.open(sentences(12, 40))
    assert not hint.sizePolicy().retainSizeWhenHidden()


def test_source_of_a_bilingual_file_stays_and_its_note_takes_one_line(area, workspace, qtbot):
    workspace.open(job_corpus())
    settle(area, qtbot)
    panel = area.segment_pane.target
    # a wrapped label asks for many lines as long as its width is unknown
    assert not panel.file_notes.isHidden()
    assert panel.reading_height(area.segment_pane.width()) < 3 * area.fontMetrics().height()
    top = source_top(area)
    area.review.controller.open()
    settle(area, qtbot)
    type_and_commit(area, "a")
    settle(area, qtbot)
    assert source_top(area) == top


def test_first_change_does_not_move_the_mt_below_the_target(area, qtbot):
    controller = area.review.controller
    controller.open()
    settle(area, qtbot)
    top = area.reader.mapTo(area, QPoint()).y()
    QTest.keyClicks(controller.panel.edit, "a")
    controller._show_draft()
    settle(area, qtbot)
    assert controller.panel.changes.isVisible()
    assert area.reader.mapTo(area, QPoint()).y() == top


def test_new_tag_row_appears_when_editing_ends(area, workspace, qtbot):
    workspace.open(rich_corpus())
    controller, reader = area.review.controller, area.reader
    rows = list(reader.page.block(Kind.WORDS).tag_rows)
    controller.open()
    type_and_commit(area, "a")
    assert reader.page.block(Kind.WORDS).tag_rows == rows
    controller.stop_editing()
    assert len(reader.page.block(Kind.WORDS).tag_rows) == len(rows) + 1
    workspace.undo()
    assert reader.page.block(Kind.WORDS).tag_rows == rows


def test_source_is_back_where_it_was_when_translations_are_folded(area, workspace, qtbot):
    corpus = sentences(12, 40)
    column = TextColumn.of(["Wort " * 40] * 40)
    workspace.open(replace(corpus, translations={"other": column, "third": column}))
    settle(area, qtbot)
    top = source_top(area)
    for _ in range(2):
        area.fold_bar.toggle(TRANSLATIONS)
        qtbot.waitUntil(lambda: area.comparison.isVisible() == area.fold_bar.is_open(TRANSLATIONS))
        settle(area, qtbot)
        assert rows_shown(area) == int(rows_shown(area)) >= MIN_SHRUNK_ROWS
    assert source_top(area) == top


@pytest.mark.parametrize("words", [12, 80])
def test_replace_bar_takes_its_height_from_the_list_in_whole_rows(area, workspace, qtbot, words):
    workspace.open(sentences(words, 40))
    settle(area, qtbot)
    top, rows = source_top(area), rows_shown(area)
    area.review.show_replace_bar()
    bar = area.review.replace_controller.bar
    qtbot.waitUntil(lambda: bar.isVisible() and rows_shown(area) < rows)
    settle(area, qtbot)
    assert source_top(area) == top
    assert rows_shown(area) == int(rows_shown(area)) >= 1
    bar.close_bar()
    qtbot.waitUntil(lambda: rows_shown(area) == rows)
    settle(area, qtbot)
    assert (source_top(area), rows_shown(area)) == (top, rows)


@pytest.mark.parametrize("words", [12, 60])
def test_lines_of_the_target_end_where_those_of_the_mt_end(area, workspace, qtbot, words):
    workspace.open(sentences(words, 40))
    settle(area, qtbot)
    mt = area.reader.page_of(workspace.view, 0).block(Kind.WORDS).layout
    area.review.controller.open()
    settle(area, qtbot)
    edit = area.segment_pane.target.edit
    layout = edit.document().firstBlock().layout()
    ends = [layout.lineAt(index).textStart() for index in range(layout.lineCount())]
    assert ends == [mt._layout.lineAt(index).textStart() for index in range(len(mt.lines))]
    # all lines are in view, and their height is that of the lines of the other texts
    assert edit.verticalScrollBar().maximum() == 0
    source = area.reader.page.blocks[0].layout.lines
    edit.moveCursor(QTextCursor.MoveOperation.Start)
    top = edit.cursorRect().top()
    edit.moveCursor(QTextCursor.MoveOperation.End)
    if len(source) > 1:
        step = source[1].top - source[0].top
        assert abs(edit.cursorRect().top() - top - step * (len(ends) - 1)) <= len(ends)


def test_scroll_bar_does_not_narrow_the_texts(area, workspace, qtbot):
    workspace.open(sentences(12, 40))
    settle(area, qtbot)
    width = area.reader.width()
    workspace.open(sentences(400, 40))
    settle(area, qtbot)
    qtbot.waitUntil(lambda: area.segment_pane._scroll.scroll_bar.isVisible())
    assert area.reader.width() == width
    page = area.reader.page
    right = max(rect.right() for rects in page.blocks[0].layout.rects for rect in rects) + page.metrics.left
    assert (
        right <= width - area.segment_pane._scroll.scroll_bar.width()
        or area.segment_pane._scroll.scroll_bar.width() > page.metrics.margin
    )
    area.segment_pane._scroll.scroll_bar.setValue(7)
    assert area.segment_pane._scroll.verticalScrollBar().value() == 7
    assert area.segment_pane._scroll.scroll_bar.orientation() is Qt.Orientation.Vertical
