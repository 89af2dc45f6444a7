"""Source, MT and target share the window: all of them in view, with the rows of the word in question."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, TagColumn, TextColumn, TextRole
from qe_desktop.ui.inspect.area import InspectArea

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
    desk = area.correcting.desk
    desk.open()
    desk._show_draft()
    edit = desk.panel.edit
    QTest.keyClick(edit, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    desk._show_draft()
    parts = (area.place.source, edit, desk.panel.word, desk.panel.status)

    def apart() -> bool:
        rooms = [seen(part, area) for part in parts]
        return all(above.bottom() <= below.top() for above, below in pairwise(rooms))

    # the layout is made when the window has a turn
    qtbot.waitUntil(apart)
    shown = [seen(one, area) for one in parts]
    assert all(rect.height() >= area.fontMetrics().height() - 2 for rect in shown)
    assert area.rect().contains(shown[-1])
    assert edit.viewport().rect().contains(edit.cursorRect())
    assert "of 80" in desk.panel.word.text()


def test_a_short_source_takes_no_more_than_it_needs_and_a_long_one_a_third(area, workspace):
    third = area.place.height() // 3
    assert area.place._pinned.height() == third
    workspace.go_to(1)
    assert area.place._pinned.height() == round(area.reader.top) < third


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
