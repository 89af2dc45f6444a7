"""Source, MT and target share the window: all of them in view, with the rows of the word in question."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QWidget

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, TagColumn, TextColumn, TextRole
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.commands import ACTIONS, AREA
from qe_desktop.ui.inspect.postedit.diff_view import shorten_diff
from qe_desktop.ui.inspect.postedit.target_diff import DiffRun, DiffType
from qe_desktop.ui.inspect.reader.segment_pane import MAX_SOURCE_FRACTION
from qe_desktop.ui.inspect.segment_list.list_height import DEFAULT_FRACTION, MIN_ROWS
from qe_desktop.ui.shell.commands import ACTIONS as OF_THE_WINDOW

WORDS = 80


def long_corpus() -> Corpus:
    lines = [" ".join(f"Wortanzahl{place}" for place in range(WORDS)), "kurz und gut ."]
    layers = {}
    for name in ("a", "b", "c", "d", "e"):
        key = LayerKey(Provenance.SYSTEM, name, Kind.WORDS)
        tags = TagColumn.of([[place % 7 == 0 for place in range(len(line.split()))] for line in lines])
        layers[key] = Layer(key, TagColumn(tags.values.astype(np.uint8), tags.offsets), origin=name, form="n")
    return Corpus("long", 2, {TextRole.SOURCE: TextColumn.of(lines), TextRole.MT: TextColumn.of(lines)}, layers)


@pytest.fixture
def area(qtbot, workspace) -> InspectArea:
    workspace.open(long_corpus())
    side = QWidget()
    side.setMinimumWidth(300)
    widget = InspectArea(workspace, side)
    qtbot.addWidget(widget)
    # what menu, rail and status line leave of 1280 × 800
    widget.resize(1210, 740)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def seen(widget: QWidget, area: QWidget) -> QRect:
    """What of a widget is on screen, in the area's own points."""
    region = widget.visibleRegion().boundingRect()
    return QRect(widget.mapTo(area, region.topLeft()), region.size())


@pytest.mark.parametrize("place", [0, 40, WORDS - 1])
def test_source_and_the_rows_of_the_word_are_in_view_wherever_one_reads(area, place):
    reader, source = area.reader, area.place.source
    reader.go_to_place(place)
    assert source.visibleRegion().boundingRect().height() >= 3 * area.fontMetrics().height()
    page = reader.page
    block = page.block(Kind.WORDS)
    line = block.layout.rect_lines[place][0]
    top = page.place_rect(place).top() - reader.top
    bottom = page.row_top(block, line, 4) + page.sizes.row - reader.top
    there = reader.visibleRegion().boundingRect()
    assert there.top() <= top
    assert bottom <= there.bottom() + 1


def test_source_target_and_what_the_systems_say_are_in_view_while_one_types(area, qtbot):
    controller = area.correcting.controller
    controller.open()
    controller._show_draft()
    edit = controller.panel.edit
    QTest.keyClick(edit, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    controller._show_draft()
    parts = (area.place.source, edit, controller.panel.word, controller.panel.status)

    def apart() -> bool:
        rooms = [seen(part, area) for part in parts]
        return all(above.bottom() <= below.top() for above, below in pairwise(rooms))

    # the layout is made when the window has a turn
    qtbot.waitUntil(apart)
    shown = [seen(one, area) for one in parts]
    assert all(rect.height() >= area.fontMetrics().height() - 2 for rect in shown)
    assert area.rect().contains(shown[-1])
    assert edit.viewport().rect().contains(edit.cursorRect())
    assert "of 80" in controller.panel.word.text()


def test_a_short_source_takes_no_more_than_it_needs_and_a_long_one_shows_whole_lines(area, workspace):
    place = area.place
    most = round(place.height() * MAX_SOURCE_FRACTION)
    pinned = place._pinned.height()
    assert pinned <= most < round(area.reader.top)
    lines = area.reader.page.blocks[0].layout.lines
    edges = [round(area.reader.page.blocks[0].top + line.bottom + 2) for line in lines]
    assert pinned in edges
    workspace.go_to(1)
    assert place._pinned.height() == round(area.reader.top) < most


def test_the_mouse_means_the_same_words_in_both_parts(area, workspace):
    workspace.go_to(1)
    reader, source = area.reader, area.place.source
    word = reader.page.place_rect(2).center()
    QTest.mouseClick(reader, Qt.MouseButton.LeftButton, pos=(word - QPointF(0, reader.top)).toPoint())
    assert reader.cursor_place.place == 2
    block = reader.page.blocks[0]
    first = reader.page.word_rects(block, 1)[0].center().toPoint()
    QTest.mouseMove(source, first)
    source._reader.hover(QPointF(first), Qt.MouseButton.NoButton)
    assert reader._hovered == (Kind.SOURCE, 1)
    source.leaveEvent(None)
    assert reader._hovered is None
    assert source.mapTo(area, QPoint(0, 0)).y() < reader.mapTo(area, QPoint(0, 0)).y()


def sentences(words: int, rows: int) -> Corpus:
    """Segments of so many words of usual length, with the tags of five systems."""
    usual = ["Bevor", "Sie", "die", "Taste", "zum", "ersten", "Mal", "drücken", "füllen", "Sie", "den", "Tank", "mit"]
    line = " ".join((usual * words)[:words])
    layers = {}
    for name in ("a", "b", "c", "d", "e"):
        key = LayerKey(Provenance.SYSTEM, name, Kind.WORDS)
        tags = TagColumn.of([[place % 7 == 0 for place in range(words)]] * rows)
        layers[key] = Layer(key, TagColumn(tags.values.astype(np.uint8), tags.offsets), origin=name, form="n")
    column = TextColumn.of([line] * rows)
    return Corpus("usual", rows, {TextRole.SOURCE: column, TextRole.MT: column}, layers)


def whole(area: InspectArea) -> bool:
    """Whether source, target and the rows of the word in question are on screen, and none of them in parts."""
    place, reader, edit = area.place, area.reader, area.correcting.controller.panel.edit
    here = reader.cursor_place.place
    block = reader.page.block(Kind.WORDS)
    bottom = reader.page.row_top(block, block.layout.rect_lines[here][0], 4) + reader.page.sizes.row
    there = reader.visibleRegion().boundingRect().translated(0, round(reader.top))
    return (
        place.source.visibleRegion().boundingRect().height() == place.source.height()
        and not edit.verticalScrollBar().isVisible()
        and there.top() <= reader.page.place_rect(here).top() + 1
        and bottom <= there.bottom() + 1
    )


@pytest.mark.parametrize("rows", [1, 40])
def test_eighty_words_are_in_view_whole_with_source_and_rows_while_one_types(area, workspace, qtbot, rows):
    workspace.open(sentences(WORDS, rows))
    controller = area.correcting.controller
    controller.open()
    for key in (Qt.Key.Key_End, Qt.Key.Key_Home):
        QTest.keyClick(controller.panel.edit, key, Qt.KeyboardModifier.ControlModifier)
        controller._show_draft()
        qtbot.waitUntil(lambda: whole(area))
    assert area.view.viewport().height() >= area.view.verticalHeader().defaultSectionSize()
    QTest.keyClicks(controller.panel.edit, "Also ")
    controller._show_draft()
    qtbot.waitUntil(lambda: whole(area))


def test_the_list_gets_back_what_it_gave_up_once_nobody_types(area, workspace, qtbot):
    # so many lines of text, whatever the height of the font
    area.resize(1210, 43 * area.fontMetrics().height())
    workspace.open(sentences(WORDS, 40))
    qtbot.waitUntil(lambda: area.rows.sizes()[0] > 150)
    before = area.rows.sizes()[0]
    controller = area.correcting.controller
    controller.open()
    qtbot.waitUntil(lambda: area.rows.sizes()[0] < before)
    assert area.tags.isHidden() is area.list_room.tight
    while_typing = area.rows.sizes()[0]
    controller.confirm()
    assert controller.segment == 1
    qtbot.waitUntil(lambda: whole(area))
    assert area.rows.sizes()[0] <= while_typing
    controller.leave()
    # a line over the list came with the first correction
    row = area.view.verticalHeader().defaultSectionSize()
    qtbot.waitUntil(lambda: abs(area.rows.sizes()[0] - before) < row)
    qtbot.waitUntil(area.tags.isVisible)


def test_a_short_target_takes_nothing_from_the_list(area, workspace, qtbot):
    workspace.open(sentences(5, 40))
    qtbot.waitUntil(lambda: area.rows.sizes()[0] > 150)
    before = area.rows.sizes()[0]
    area.correcting.controller.open()
    area.correcting.controller._show_draft()
    qtbot.waitUntil(lambda: area.place.typed)
    area.list_room._settle()
    assert abs(area.rows.sizes()[0] - before) < area.view.verticalHeader().defaultSectionSize()
    assert area.tags.isVisible()


def test_the_list_takes_no_more_than_its_rows_fill(area, workspace, qtbot):
    workspace.open(sentences(5, 40))
    qtbot.waitUntil(lambda: area.rows.sizes()[0] > 150)
    many = area.rows.sizes()[0]
    area.resize(1210, 1400)
    workspace.open(sentences(5, 2))
    row = area.view.verticalHeader().defaultSectionSize()
    qtbot.waitUntil(lambda: area.view.viewport().height() <= (MIN_ROWS + 1) * row)
    workspace.open(sentences(5, 400))
    qtbot.waitUntil(lambda: area.rows.sizes()[0] > many)


def test_what_a_person_gave_the_list_is_kept_for_the_next_time(area, workspace, qtbot):
    workspace.open(sentences(5, 40))
    area.rows.moveSplitter(330, 1)
    chosen = area.rows.sizes()[0]
    assert chosen != round(sum(area.rows.sizes()) / 3)
    other = InspectArea(workspace, QWidget())
    qtbot.addWidget(other)
    other.resize(area.size())
    other.show()
    row = area.view.verticalHeader().defaultSectionSize()
    # no row in parts
    qtbot.waitUntil(lambda: 0 <= chosen - other.rows.sizes()[0] <= row)
    qtbot.waitUntil(lambda: other.view.viewport().height() % row == 0)


@pytest.mark.parametrize("kept", [b"", b"nan", b"7", b"\xff\x00", b"-1"])
def test_what_the_settings_cannot_mean_is_passed_over(area, workspace, qtbot, kept):
    workspace.settings.keep_state("inspect-list", kept)
    other = InspectArea(workspace, QWidget())
    qtbot.addWidget(other)
    assert other.list_room._wanted == area.list_room._wanted == DEFAULT_FRACTION


def test_in_a_wide_window_the_source_stands_beside_the_rest(area, workspace, qtbot):
    workspace.open(sentences(WORDS, 40))
    assert not area.place.is_beside
    area.resize(1850, 1000)
    qtbot.waitUntil(lambda: area.place.is_beside)
    source, reader = area.place.source, area.reader
    qtbot.waitUntil(lambda: source.visibleRegion().boundingRect().height() >= round(reader.top))
    edge = source.mapTo(area, QPoint(source.width(), 0)).x()
    qtbot.waitUntil(lambda: reader.mapTo(area, QPoint(0, 0)).x() >= edge)
    # both texts begin on one line
    blocks = reader.page.blocks
    left = source.mapTo(area, QPoint(0, round(blocks[0].top))).y()
    qtbot.waitUntil(lambda: abs(reader.mapTo(area, QPoint(0, round(blocks[1].top - reader.top))).y() - left) <= 1)
    rooms = [rect for rects in blocks[0].layout.rects for rect in rects]
    assert max(rect.right() for rect in rooms) + reader.page.sizes.left <= source.width()
    controller = area.correcting.controller
    controller.open()
    QTest.keyClick(controller.panel.edit, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    controller._show_draft()
    qtbot.waitUntil(lambda: whole(area))
    word = reader.page.word_rects(blocks[0], 3)[0].center()
    source._reader.hover(word, Qt.MouseButton.NoButton)
    assert reader._hovered == (Kind.SOURCE, 3)


def test_who_wants_it_above_has_it_above_in_wide_windows_too_and_is_told_where_it_cannot_be_beside(
    area, workspace, qtbot
):
    window = QMainWindow()
    qtbot.addWidget(window)
    commands = ActionRegistry(window, workspace.settings)
    commands.add_all((*OF_THE_WINDOW, *ACTIONS))
    area.connect_actions(commands)
    turn, told = commands[f"{AREA}.source-beside"], []
    area.correcting.controller.message_posted.connect(told.append)
    workspace.open(sentences(WORDS, 2))
    area.resize(1850, 1000)
    qtbot.waitUntil(lambda: area.place.is_beside)
    assert turn.isChecked()
    turn.trigger()
    assert not area.place.is_beside
    assert not turn.isChecked()
    assert workspace.settings.source_beside is False
    source, reader = area.place.source, area.reader
    qtbot.waitUntil(lambda: source.mapTo(area, QPoint(0, source.height())).y() <= reader.mapTo(area, QPoint()).y() + 1)
    qtbot.waitUntil(lambda: reader.width() > 1500)
    assert told == []
    area.resize(1210, 740)
    turn.trigger()
    assert turn.isChecked()
    assert len(told) == 1
    assert "wide enough" in told[0]
    turn.trigger()
    assert not turn.isChecked()
    assert "above" in told[1]


def test_what_changed_is_shown_with_what_stands_around_it_while_one_types(area, workspace):
    workspace.open(sentences(WORDS, 2))
    controller = area.correcting.controller
    controller.open()
    QTest.keyClick(controller.panel.edit, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(controller.panel.edit, " Ende")
    controller._show_draft()
    shown = controller.panel.changes.toPlainText()
    assert shown.startswith(" … ")
    assert shown.endswith("und Ende") or shown.endswith(" Ende")
    assert len(shown) < 60
    controller.leave()
    assert controller.panel.changes.toPlainText().startswith("Bevor Sie die Taste")


@pytest.mark.parametrize("text", ["ab " * 40, "字" * 90, "a" * 100, " x" * 60])
def test_shortened_changes_keep_every_change_and_parts_of_the_text_around(text):
    runs = [DiffRun(DiffType.KEPT, text), DiffRun(DiffType.ADDED, " neu"), DiffRun(DiffType.KEPT, f" {text}")]
    first, added, last = shorten_diff(runs)
    assert added == runs[1]
    assert first.text.startswith(" … ")
    assert text.endswith(first.text.removeprefix(" … "))
    assert last.text.endswith(" … ")
    kept = last.text.removesuffix(" … ")
    assert f" {text}".startswith(kept)
    assert kept.strip()
    short = [DiffRun(DiffType.KEPT, "kurz")]
    assert shorten_diff(short) == short


def test_a_target_stands_below_its_mt_and_its_buttons_at_the_foot(area, workspace, qtbot):
    """Who corrects looks from one to the other all day; the buttons stay where they are for all segments."""
    controller, reader, place = area.correcting.controller, area.reader, area.place

    def foot() -> int:
        button = controller.panel.buttons["confirm"]
        return button.mapTo(area, QPoint(0, button.height())).y()

    workspace.go_to(0)
    controller.open()
    qtbot.waitUntil(lambda: controller.panel.edit.isVisible())
    low = foot()
    workspace.go_to(1)
    controller.open()
    page = reader.page
    end = reader.mapTo(area, QPoint(0, round(page.height - reader.top))).y()
    line = area.fontMetrics().height()
    qtbot.waitUntil(lambda: abs(controller.panel.edit.mapTo(area, QPoint(0, 0)).y() - end) < line)
    qtbot.waitUntil(lambda: abs(foot() - low) <= 1)
    assert place.height() - controller.panel.edit.mapTo(place, QPoint(0, controller.panel.edit.height())).y() > 3 * line
