"""Scores of segments in the list: gold, one system and its error, and the orders they are sorted in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance
from qe_desktop.corpus.layers import STUDIO_RANKS
from qe_desktop.levels.sentences import SENTENCES
from qe_desktop.levels.words import WORD_LEVEL
from qe_desktop.project.segment_filter import SortOrder
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.reader.segment_header import header_text
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from qe_desktop.ui.inspect.segment_list.sort_orders import column_sorts
from qe_desktop.ui.widgets.tables.table_header import HEADER_ORDER_ROLE
from qe_desktop.ui.workspace import Workspace
from tests.ui.inspect.conftest import key, rich_corpus

GOLD, TIME = key(Provenance.GOLD, "hter", Kind.SCORES), key(Provenance.GOLD, "time", Kind.SCORES)
ONE, TWO = (key(Provenance.SYSTEM, name, Kind.SCORES) for name in ("one", "two"))
NUMBERS = {GOLD: [0.5, 0.1, 0.9, 0.4], ONE: [0.4, 0.8, 0.2, 0.4], TWO: [0.5, 0.1, 0.9, 0.0]}
DOWN, UP = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder
COLUMN = SegmentColumn


def scores_alone(numbers: dict[LayerKey, list[float]] = NUMBERS) -> Corpus:
    return Corpus("numbers", 4, {}, {name: Layer(name, np.array(held)) for name, held in numbers.items()})


@pytest.fixture
def area(qtbot: QtBot, workspace: Workspace) -> InspectArea:
    widget = InspectArea(workspace, QWidget())
    qtbot.addWidget(widget)
    widget.resize(1200, 700)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def columns(area: InspectArea) -> list[SegmentColumn]:
    return [column for column in COLUMN if not area.view.isColumnHidden(column)]


def said(area: InspectArea, row: int) -> list[str]:
    return [area.model.index(row, column).data() for column in (COLUMN.GOLD, COLUMN.SCORE, COLUMN.ERROR)]


def click(area: InspectArea, column: SegmentColumn, qtbot: QtBot) -> list[int]:
    header = area.view.horizontalHeader()
    with qtbot.waitSignal(area.model.modelReset):
        place = header.sectionViewportPosition(column) + header.sectionSize(column) // 2
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place, 5))
    return area.model.segments.tolist()


def head(area: InspectArea, column: SegmentColumn, role: int = Qt.ItemDataRole.DisplayRole) -> object:
    return area.model.headerData(column, Qt.Orientation.Horizontal, role)


def test_scores_alone_fill_the_columns_that_there_are(area: InspectArea, workspace: Workspace) -> None:
    workspace.open(scores_alone())
    assert columns(area) == [COLUMN.NUMBER, COLUMN.GOLD, COLUMN.SCORE, COLUMN.ERROR]
    assert said(area, 1) == [".100", ".800", "+.700"]
    assert said(area, 2) == [".900", ".200", "−.700"]
    assert (head(area, COLUMN.GOLD), head(area, COLUMN.SCORE)) == ("gold hter", "one")
    assert "one − gold hter" in str(head(area, COLUMN.ERROR, Qt.ItemDataRole.ToolTipRole))
    index = area.model.index(1, COLUMN.ERROR)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "error: +.700"
    # there is no word to be found, tagged or counted
    assert not area.filters.search.isEnabled()
    hidden = (area.filters.bad, area.filters.disputed, area.filters.edited, area.tags, area.legend)
    assert not any(part.isVisible() for part in hidden)
    workspace.open(rich_corpus())
    assert all(part.isVisible() for part in hidden)
    assert area.filters.search.isEnabled()
    assert {COLUMN.MT, COLUMN.BAD} <= set(columns(area))
    assert COLUMN.GOLD not in columns(area)


def test_words_of_a_file_are_shown_where_numbers_stand_for_them(area: InspectArea, workspace: Workspace) -> None:
    held = Layer(ONE, np.array([3.0, 1.0, np.nan, 2.0]), form=STUDIO_RANKS)
    corpus = scores_alone()
    workspace.open(replace(corpus, layers={ONE: held}))
    assert [area.model.index(row, COLUMN.SCORE).data() for row in range(4)] == ["Good", "Poor", "–", "Adequate"]
    about = head(area, COLUMN.SCORE, Qt.ItemDataRole.ToolTipRole)
    assert "Score by one: 3 Good, 2 Adequate, 1 Poor" in str(about)
    assert area.model.index(0, COLUMN.SCORE).data(Qt.ItemDataRole.AccessibleTextRole) == "one: Good"
    assert [header_text(workspace.view, one) for one in (2, 3)] == ["segment 3", "segment 4 · one: Adequate, 2 of 3"]
    # the best and the worst are found by their numbers
    area.filters.sort_by(*column_sorts(COLUMN.SCORE, None, area.filters.scored))
    assert area.model.segments.tolist()[0] in (0, 1)


def test_where_tags_are_looked_at_texts_have_the_room_of_scores(area: InspectArea, workspace: Workspace) -> None:
    workspace.open(rich_corpus())
    numbers = {COLUMN.GOLD, COLUMN.SCORE, COLUMN.ERROR}
    assert not numbers & set(columns(area))
    workspace.set_level(SENTENCES)
    assert numbers & set(columns(area)) == {COLUMN.GOLD}
    workspace.set_level(WORD_LEVEL)
    assert not numbers & set(columns(area))
    # whoever sorts by scores sees them
    area.filters.sort_by(*column_sorts(COLUMN.GOLD, area._gold(), area.filters.scored))
    assert numbers & set(columns(area)) == {COLUMN.GOLD}


def test_a_head_sorts_and_once_more_the_other_way_round(area: InspectArea, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open(scores_alone())
    area.step(3)
    assert click(area, COLUMN.ERROR, qtbot) == [1, 2, 0, 3]
    assert head(area, COLUMN.ERROR, HEADER_ORDER_ROLE) == DOWN
    # the worst is looked at
    assert workspace.segment == 1
    assert click(area, COLUMN.ERROR, qtbot) == [1, 3, 0, 2]
    assert click(area, COLUMN.ERROR, qtbot) == [2, 0, 3, 1]
    assert head(area, COLUMN.ERROR, HEADER_ORDER_ROLE) == UP
    assert area.filters.order.currentText() == "underestimated first"
    assert click(area, COLUMN.GOLD, qtbot) == [2, 0, 3, 1]
    assert click(area, COLUMN.GOLD, qtbot) == [1, 3, 0, 2]
    assert head(area, COLUMN.GOLD, HEADER_ORDER_ROLE) == UP
    assert head(area, COLUMN.ERROR, HEADER_ORDER_ROLE) is None
    assert click(area, COLUMN.SCORE, qtbot) == [1, 0, 3, 2]
    assert click(area, COLUMN.NUMBER, qtbot) == [0, 1, 2, 3]


def test_another_system_keeps_the_order(area: InspectArea, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open(scores_alone())
    click(area, COLUMN.ERROR, qtbot)
    assert area.filters.system.isVisible()
    with qtbot.waitSignal(area.model.modelReset):
        area.filters.system.setCurrentIndex(area.filters.system.findData(TWO))
        area.filters.system.activated.emit(1)
    assert area.filters.query.order is SortOrder.ERROR
    assert area.filters.query.score == TWO
    assert area.model.segments.tolist() == [3, 0, 1, 2]
    assert said(area, 0) == [".400", ".000", "−.400"]
    assert head(area, COLUMN.SCORE) == "two"


def test_errors_are_against_the_gold_that_is_chosen(area: InspectArea, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open(scores_alone({**NUMBERS, TIME: [0.0, 0.8, 0.2, 0.4]}))
    click(area, COLUMN.ERROR, qtbot)
    with qtbot.waitSignal(area.model.modelReset):
        workspace.set_reference(TIME)
    assert area.model.segments.tolist() == [0, 1, 2, 3]
    assert head(area, COLUMN.GOLD) == "gold time"
    assert said(area, 0) == [".000", ".400", "+.400"]


def test_one_system_is_not_asked_for_and_none_has_no_error(area: InspectArea, workspace: Workspace) -> None:
    workspace.open(scores_alone({GOLD: NUMBERS[GOLD], ONE: NUMBERS[ONE]}))
    assert not area.filters.system.isVisible()
    workspace.open(scores_alone({ONE: NUMBERS[ONE], TWO: NUMBERS[TWO]}))
    assert columns(area) == [COLUMN.NUMBER, COLUMN.SCORE]
    orders = [area.filters.order.itemText(place) for place in range(area.filters.order.count())]
    assert orders == ["file order", "highest one first", "lowest one first"]


def test_numbers_have_as_many_digits_as_a_person_chose(area: InspectArea, workspace: Workspace) -> None:
    workspace.open(scores_alone())
    workspace.settings.decimals = 2
    assert said(area, 1) == [".10", ".80", "+.70"]
