"""Layout of source, MT and target in the window: all are in view, with the tag rows of the current word."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, TagColumn, TextColumn, TextRole
from qe_desktop.project.review.target_changes import ChangeKind
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.postedit.diff_view import shorten_diff
from qe_desktop.ui.inspect.postedit.target_diff import DiffRun
from qe_desktop.ui.inspect.reader.segment_pane import MAX_SOURCE_FRACTION
from qe_desktop.ui.inspect.segment_list.list_height import MIN_ROWS
from tests.ui.inspect.postedit.conftest import job_corpus

WORDS = 80


def long_corpus() -> Corpus:
    lines = [" ".join(f"Wortanzahl{index}" for index in range(WORDS)), "kurz und gut ."]
    layers = {}
    for name in ("a", "b", "c", "d", "e"):
        key = LayerKey(Provenance.SYSTEM, name, Kind.WORDS)
        tags = TagColumn.of([[index % 7 == 0 for index in range(len(line.split()))] for line in lines])
        layers[key] = Layer(key, TagColumn(tags.values.astype(np.uint8), tags.offsets), origin=name, form="n")
    return Corpus("long", 2, {TextRole.SOURCE: TextColumn.of(lines), TextRole.MT: TextColumn.of(lines)}, layers)


def show_area(qtbot, workspace) -> InspectArea:
    """Return the visible area with a long segment, as large as in a window of 1280 × 800."""
    workspace.open(long_corpus())
    side = QWidget()
    side.setMinimumWidth(300)
    widget = InspectArea(workspace, side)
    qtbot.addWidget(widget)
    # without menu bar, rail and status bar
    widget.resize(1210, 740)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


@pytest.fixture
def area(qtbot, workspace) -> InspectArea:
    return show_area(qtbot, workspace)


def visible_rect(widget: QWidget, area: QWidget) -> QRect:
    """Return the visible rectangle of a widget, in coordinates of the area."""
    region = widget.visibleRegion().boundingRect()
    return QRect(widget.mapTo(area, region.topLeft()), region.size())


@pytest.mark.parametrize("word", [0, 40, WORDS - 1])
def test_source_and_tag_rows_of_the_word_are_in_view_at_every_position(area, word):
    reader, source = area.reader, area.segment_pane.source
    reader.go_to_index(word)
    assert source.visibleRegion().boundingRect().height() >= 3 * area.fontMetrics().height()
    page = reader.page
    block = page.block(Kind.WORDS)
    line = block.layout.rect_lines[word][0]
    top = page.position_rect(word).top() - reader.visible_top
    bottom = page.row_top(block, line, 4) + page.metrics.row_height - reader.visible_top
    visible = reader.visibleRegion().boundingRect()
    assert visible.top() <= top
    assert bottom <= visible.bottom() + 1


def test_source_target_and_status_of_the_word_are_in_view_while_typing(area, qtbot):
    controller = area.review.controller
    controller.open()
    controller._show_draft()
    edit = controller.panel.edit
    QTest.keyClick(edit, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    controller._show_draft()
    parts = (controller.panel.status, area.segment_pane.source, edit, area.reader)

    def are_stacked() -> bool:
        rects = [visible_rect(part, area) for part in parts]
        return all(above.bottom() <= below.top() for above, below in pairwise(rects))

    # the layout is computed in a later event-loop iteration
    qtbot.waitUntil(are_stacked)
    shown = [visible_rect(part, area) for part in parts]
    assert all(rect.height() >= area.fontMetrics().height() - 2 for rect in shown)
    assert area.rect().contains(shown[-1])
    assert edit.viewport().rect().contains(edit.cursorRect())
    # the status bar describes the word
    assert controller.panel.word_label.isHidden()
    assert "of 80" in area.reader.describe()


def test_pinned_source_has_its_own_height_up_to_a_limit_in_whole_lines(area, workspace):
    pane = area.segment_pane
    max_height = round(pane.height() * MAX_SOURCE_FRACTION)
    pinned = pane._pinned.height()
    assert pinned <= max_height < round(area.reader.visible_top)
    lines = area.reader.page.blocks[0].layout.lines
    edges = [round(area.reader.page.blocks[0].top + line.bottom + 2) for line in lines]
    assert pinned in edges
    workspace.go_to(1)
    assert pane._pinned.height() == round(area.reader.visible_top) < max_height


def test_long_source_does_not_scroll_if_all_texts_fit(area, workspace, qtbot):
    lines = TextColumn.of([" ".join(f"Wortanzahl{index}" for index in range(WORDS))])
    workspace.open(Corpus("plain", 1, {TextRole.SOURCE: lines, TextRole.MT: lines}))
    pane, reader = area.segment_pane, area.reader
    area.resize(area.width(), 300)
    qtbot.waitUntil(lambda: pane._pinned.height() < round(reader.visible_top))
    while pane.height() <= reader.page.height + 1:
        area.resize(area.width(), area.height() + 10)
        qtbot.wait(1)
    assert pane.height() * MAX_SOURCE_FRACTION < reader.visible_top
    qtbot.waitUntil(lambda: pane._pinned.height() == round(reader.visible_top))


def test_mouse_positions_map_to_the_same_words_in_reader_and_source_pane(area, workspace):
    workspace.go_to(1)
    reader, source = area.reader, area.segment_pane.source
    word = reader.page.position_rect(2).center()
    QTest.mouseClick(reader, Qt.MouseButton.LeftButton, pos=(word - QPointF(0, reader.visible_top)).toPoint())
    assert reader.word_cursor.index == 2
    block = reader.page.blocks[0]
    first = reader.page.word_rects(block, 1)[0].center().toPoint()
    QTest.mouseMove(source, first)
    source._reader.hover(QPointF(first), Qt.MouseButton.NoButton)
    assert reader._hovered == (Kind.SOURCE, 1)
    source.leaveEvent(None)
    assert reader._hovered is None
    assert source.mapTo(area, QPoint(0, 0)).y() < reader.mapTo(area, QPoint(0, 0)).y()


def sentences(words: int, rows: int) -> Corpus:
    """Corpus of `rows` segments of `words` ordinary words, with the tags of five systems."""
    usual = ["Bevor", "Sie", "die", "Taste", "zum", "ersten", "Mal", "drücken", "füllen", "Sie", "den", "Tank", "mit"]
    line = " ".join((usual * words)[:words])
    layers = {}
    for name in ("a", "b", "c", "d", "e"):
        key = LayerKey(Provenance.SYSTEM, name, Kind.WORDS)
        tags = TagColumn.of([[index % 7 == 0 for index in range(words)]] * rows)
        layers[key] = Layer(key, TagColumn(tags.values.astype(np.uint8), tags.offsets), origin=name, form="n")
    column = TextColumn.of([line] * rows)
    return Corpus("usual", rows, {TextRole.SOURCE: column, TextRole.MT: column}, layers)


def is_fully_visible(area: InspectArea) -> bool:
    """Whether source, target and the tag rows of the current word are fully visible."""
    pane, reader, edit = area.segment_pane, area.reader, area.review.controller.panel.edit
    position = reader.word_cursor.index
    block = reader.page.block(Kind.WORDS)
    bottom = reader.page.row_top(block, block.layout.rect_lines[position][0], 4) + reader.page.metrics.row_height
    visible = reader.visibleRegion().boundingRect().translated(0, round(reader.visible_top))
    return (
        pane.source.visibleRegion().boundingRect().height() == pane.source.height()
        and not edit.verticalScrollBar().isVisible()
        and visible.top() <= reader.page.position_rect(position).top() + 1
        and bottom <= visible.bottom() + 1
    )


@pytest.mark.parametrize("rows", [1, 40])
def test_eighty_words_source_and_tag_rows_are_fully_visible_while_typing(area, workspace, qtbot, rows):
    workspace.open(sentences(WORDS, rows))
    controller = area.review.controller
    controller.open()
    for key in (Qt.Key.Key_End, Qt.Key.Key_Home):
        QTest.keyClick(controller.panel.edit, key, Qt.KeyboardModifier.ControlModifier)
        controller._show_draft()
        qtbot.waitUntil(lambda: is_fully_visible(area))
    assert area.view.viewport().height() >= area.view.verticalHeader().defaultSectionSize()
    QTest.keyClicks(controller.panel.edit, "Also ")
    controller._show_draft()
    qtbot.waitUntil(lambda: is_fully_visible(area))


def test_tag_rows_below_all_lines_have_names_if_there_is_space(area, workspace, qtbot):
    reader = area.reader
    block = reader.page.block(Kind.WORDS)
    assert block.named_lines == range(1), "the longest segment needs all the space"
    assert len(block.layout.lines) > 3
    reader.go_to_index(WORDS - 1)
    assert block.named_lines == range(len(block.layout.lines) - 1, len(block.layout.lines))
    lines = [" ".join(f"Wortanzahl{index}" for index in range(words)) for words in (WORDS, WORDS // 3)]
    text, corpus = TextColumn.of(lines), long_corpus()
    tags = TagColumn.of([[False] * len(line.split()) for line in lines])
    layers = {
        key: Layer(key, TagColumn(tags.values.astype(np.uint8), tags.offsets), origin=key.name, form="n")
        for key in corpus.layers
    }
    workspace.open(replace(corpus, texts={TextRole.SOURCE: text, TextRole.MT: text}, layers=layers))
    workspace.go_to(1)
    qtbot.waitUntil(lambda: len(reader.page.block(Kind.WORDS).named_lines) > 1)
    block = reader.page.block(Kind.WORDS)
    assert block.named_lines == range(len(block.layout.lines))
    tops = [reader.page.row_top(block, line, row) for line in block.named_lines for row in range(5)]
    assert all(below - above >= reader.page.metrics.row_height for above, below in pairwise(tops))
    bottom = tops[-1] + reader.page.metrics.row_height - reader.visible_top
    qtbot.waitUntil(lambda: bottom <= reader.visibleRegion().boundingRect().bottom())
    # the cursor moves no line
    reader.go_to_index(reader.page.position_count() - 1)
    assert [reader.page.row_top(block, line, row) for line in block.named_lines for row in range(5)] == tops
    workspace.go_to(0)
    qtbot.waitUntil(lambda: len(reader.page.block(Kind.WORDS).named_lines) == 1)


def test_mt_of_a_long_segment_is_compact_while_its_target_is_edited(area, workspace, qtbot):
    workspace.open(sentences(WORDS, 40))
    reader, controller = area.reader, area.review.controller
    source, height = reader.page.blocks[0].layout.rects, reader.page.height
    controller.open()
    qtbot.waitUntil(lambda: reader.is_compact)
    assert reader.page.height < height
    assert not reader.page.block(Kind.WORDS).named_lines
    # the source does not move
    assert reader.page.blocks[0].layout.rects == source
    controller.stop_editing()
    qtbot.waitUntil(lambda: not reader.is_compact)
    assert reader.page.block(Kind.WORDS).named_lines
    workspace.open(sentences(5, 40))
    controller.open()
    qtbot.waitUntil(lambda: area.segment_pane.is_editing)
    assert not reader.is_compact


def test_list_regains_its_height_after_typing(area, workspace, qtbot):
    # a height in text lines, independent of the font
    area.resize(1210, 43 * area.fontMetrics().height())
    workspace.open(sentences(WORDS, 40))
    area.list_splitter.moveSplitter(400, 1)
    qtbot.waitUntil(lambda: area.list_splitter.sizes()[0] > 300)
    before = area.list_splitter.sizes()[0]
    controller = area.review.controller
    controller.open()
    qtbot.waitUntil(lambda: area.list_splitter.sizes()[0] < before)
    while_typing = area.list_splitter.sizes()[0]
    controller.confirm()
    assert controller.segment == 1
    qtbot.waitUntil(lambda: is_fully_visible(area))
    assert area.list_splitter.sizes()[0] <= while_typing
    controller.stop_editing()
    # the first edit adds one line above the list
    row = area.view.verticalHeader().defaultSectionSize()
    qtbot.waitUntil(lambda: abs(area.list_splitter.sizes()[0] - before) < row)


def test_short_target_does_not_shrink_the_list(area, workspace, qtbot):
    workspace.open(sentences(5, 40))
    qtbot.waitUntil(lambda: area.list_splitter.sizes()[0] > 150)
    before = area.list_splitter.sizes()[0]
    area.review.controller.open()
    area.review.controller._show_draft()
    qtbot.waitUntil(lambda: area.segment_pane.is_editing)
    area.list_height.update_list_height()
    assert abs(area.list_splitter.sizes()[0] - before) < area.view.verticalHeader().defaultSectionSize()


def test_list_is_not_higher_than_its_rows(area, workspace, qtbot):
    workspace.open(sentences(5, 40))
    qtbot.waitUntil(lambda: area.list_splitter.sizes()[0] > 150)
    many = area.list_splitter.sizes()[0]
    area.resize(1210, 1400)
    workspace.open(sentences(5, 2))
    row = area.view.verticalHeader().defaultSectionSize()
    qtbot.waitUntil(lambda: area.view.viewport().height() <= (MIN_ROWS + 1) * row)
    workspace.open(sentences(5, 400))
    qtbot.waitUntil(lambda: area.list_splitter.sizes()[0] > many)


def test_list_height_set_by_the_user_is_saved(area, workspace, qtbot):
    workspace.open(sentences(5, 40))
    area.list_splitter.moveSplitter(330, 1)
    chosen = area.list_splitter.sizes()[0]
    assert chosen != round(sum(area.list_splitter.sizes()) / 3)
    other = InspectArea(workspace, QWidget())
    qtbot.addWidget(other)
    other.resize(area.size())
    other.show()
    row = area.view.verticalHeader().defaultSectionSize()
    # only whole rows are shown
    qtbot.waitUntil(lambda: 0 <= chosen - other.list_splitter.sizes()[0] <= row)
    qtbot.waitUntil(lambda: other.view.viewport().height() % row == 0)


@pytest.mark.parametrize("saved", [b"", b"nan", b"7", b"\xff\x00", b"-1"])
def test_invalid_saved_list_height_is_ignored(area, workspace, qtbot, saved):
    workspace.settings.save_state("inspect-list", saved)
    other = InspectArea(workspace, QWidget())
    qtbot.addWidget(other)
    assert other.list_height._saved_fraction == area.list_height._saved_fraction is None


def test_diff_is_shortened_to_changes_with_context_while_typing(area, workspace):
    # space for all changes when the editor is closed, in any font
    area.resize(1280, 2000)
    workspace.open(sentences(WORDS, 2))
    controller = area.review.controller
    controller.open()
    QTest.keyClick(controller.panel.edit, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(controller.panel.edit, " Ende")
    controller._show_draft()
    shown = controller.panel.changes.toPlainText()
    assert shown.startswith("… ")
    assert shown.endswith("und Ende") or shown.endswith(" Ende")
    assert len(shown) < 60
    controller.stop_editing()
    assert controller.panel.changes.toPlainText().startswith("Bevor Sie die Taste")


def test_target_without_marks_is_shown_above_its_changes_if_there_is_room(area, workspace, qtbot):
    workspace.open(sentences(WORDS, 2))
    controller = area.review.controller
    panel = controller.panel
    area.resize(1280, 2000)
    controller.open()
    QTest.keyClick(panel.edit, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(panel.edit, " Ende")
    assert panel.unmarked_target.isHidden()
    controller.stop_editing()
    qtbot.waitUntil(panel.unmarked_target.isVisible)
    target = workspace.view.target(workspace.segment)
    assert panel.unmarked_target.toPlainText() == target
    assert target.endswith(" Ende")
    assert (panel._label.text(), panel._changes_label.text()) == ("target", "changes")
    panel.set_room(panel.changes.height())
    assert panel.unmarked_target.isHidden()
    assert panel._label.isHidden()
    assert panel._changes_label.text() == "target"


@pytest.mark.parametrize("text", ["ab " * 40, "字" * 90, "a" * 100, " x" * 60])
def test_shortened_diff_keeps_every_change_and_some_context(text):
    runs = [DiffRun(ChangeKind.KEPT, text), DiffRun(ChangeKind.ADDED, " neu"), DiffRun(ChangeKind.KEPT, f" {text}")]
    first, added, last = shorten_diff(runs)
    assert added == runs[1]
    assert first.text.startswith("… ")
    assert text.endswith(first.text.removeprefix("… "))
    assert last.text.endswith(" … ")
    beginning = last.text.removesuffix(" … ")
    assert f" {text}".startswith(beginning)
    assert beginning.strip()
    short = [DiffRun(ChangeKind.KEPT, "kurz")]
    assert shorten_diff(short) == short


@pytest.mark.parametrize("in_file", [False, True])
def test_target_editor_is_next_to_its_text_and_buttons_do_not_move(area, workspace, qtbot, in_file):
    """Target and MT of a bilingual file are compared word by word; with tag rows, the target is below the source."""
    workspace.open(job_corpus() if in_file else sentences(12, 4))
    controller, pane = area.review.controller, area.segment_pane

    def buttons_bottom() -> int:
        button = controller.panel.buttons["confirm"]
        return button.mapTo(area, QPoint(0, button.height())).y()

    workspace.go_to(0)
    bottom = buttons_bottom()
    controller.open()
    qtbot.waitUntil(lambda: controller.panel.edit.isVisible())
    workspace.go_to(1)
    controller.open()
    line = area.fontMetrics().height()

    def end_of_text() -> int:
        reader, source = area.reader, pane.source
        if in_file:
            return reader.mapTo(area, QPoint(0, round(reader.page.height - reader.visible_top))).y()
        return source.mapTo(area, QPoint(0, source.height())).y()

    qtbot.waitUntil(lambda: abs(controller.panel.edit.mapTo(area, QPoint(0, 0)).y() - end_of_text()) < line)
    qtbot.waitUntil(lambda: abs(buttons_bottom() - bottom) <= 1)
