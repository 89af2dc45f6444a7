"""Segment scores in the list: gold, one system and its error, and the sort orders."""

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
from qe_desktop.ui.widgets.tables.table_header import HEADER_ORDER_ROLE
from qe_desktop.ui.workspace import Workspace
from tests.ui.inspect.conftest import layer_key, rich_corpus

GOLD, TIME = layer_key(Provenance.GOLD, "hter", Kind.SCORES), layer_key(Provenance.GOLD, "time", Kind.SCORES)
ONE, TWO = (layer_key(Provenance.SYSTEM, name, Kind.SCORES) for name in ("one", "two"))
NUMBERS = {GOLD: [0.5, 0.1, 0.9, 0.4], ONE: [0.4, 0.8, 0.2, 0.4], TWO: [0.5, 0.1, 0.9, 0.0]}
DOWN, UP = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder
COLUMN = SegmentColumn


def corpus_of_scores(numbers: dict[LayerKey, list[float]] = NUMBERS) -> Corpus:
    return Corpus("numbers", 4, {}, {name: Layer(name, np.array(values)) for name, values in numbers.items()})


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


def score_texts(area: InspectArea, row: int) -> list[str]:
    return [area.model.index(row, column).data() for column in (COLUMN.GOLD, COLUMN.SCORE, COLUMN.ERROR)]


def click(area: InspectArea, column: SegmentColumn, qtbot: QtBot) -> list[int]:
    header = area.view.horizontalHeader()
    with qtbot.waitSignal(area.model.modelReset):
        x = header.sectionViewportPosition(column) + header.sectionSize(column) // 2
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, 5))
    return area.model.segments.tolist()


def header_data(area: InspectArea, column: SegmentColumn, role: int = Qt.ItemDataRole.DisplayRole) -> object:
    return area.model.headerData(column, Qt.Orientation.Horizontal, role)


def test_corpus_of_scores_shows_number_and_score_columns_only(area: InspectArea, workspace: Workspace) -> None:
    workspace.open(corpus_of_scores())
    assert columns(area) == [COLUMN.NUMBER, COLUMN.GOLD, COLUMN.SCORE, COLUMN.ERROR]
    assert score_texts(area, 1) == [".100", ".800", "+.700"]
    assert score_texts(area, 2) == [".900", ".200", "−.700"]
    assert (header_data(area, COLUMN.GOLD), header_data(area, COLUMN.SCORE)) == ("gold hter", "one")
    assert "one − gold hter" in str(header_data(area, COLUMN.ERROR, Qt.ItemDataRole.ToolTipRole))
    index = area.model.index(1, COLUMN.ERROR)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "error: +.700"
    # without words there is nothing to search, tag or count
    assert not area.filters.search.isEnabled()
    hidden = (area.filters.bad, area.filters.disputed, area.filters.edited)
    assert all(part.isHidden() for part in hidden)
    assert not area.tag_toolbar.is_taggable
    workspace.open(rich_corpus())
    assert not any(part.isHidden() for part in hidden)
    assert area.tag_toolbar.is_taggable
    assert area.filters.search.isEnabled()
    assert {COLUMN.MT, COLUMN.BAD} <= set(columns(area))
    assert COLUMN.GOLD not in columns(area)


def test_rating_labels_of_a_file_are_shown_instead_of_numbers(area: InspectArea, workspace: Workspace) -> None:
    layer = Layer(ONE, np.array([3.0, 1.0, np.nan, 2.0]), form=STUDIO_RANKS)
    corpus = corpus_of_scores()
    workspace.open(replace(corpus, layers={ONE: layer}))
    assert [area.model.index(row, COLUMN.SCORE).data() for row in range(4)] == ["Good", "Poor", "–", "Adequate"]
    about = header_data(area, COLUMN.SCORE, Qt.ItemDataRole.ToolTipRole)
    assert "Score by one: 3 Good, 2 Adequate, 1 Poor" in str(about)
    assert area.model.index(0, COLUMN.SCORE).data(Qt.ItemDataRole.AccessibleTextRole) == "one: Good"
    assert [header_text(workspace.view, segment) for segment in (2, 3)] == [
        "",
        "one: Adequate (scale: Poor–Good)",
    ]
    # segments are sorted by the numbers
    area.filters.sort_by(COLUMN.SCORE)
    assert area.model.segments.tolist()[0] in (0, 1)


def test_score_columns_are_hidden_at_word_level_unless_sorted_by(area: InspectArea, workspace: Workspace) -> None:
    workspace.open(rich_corpus())
    numbers = {COLUMN.GOLD, COLUMN.SCORE, COLUMN.ERROR}
    assert not numbers & set(columns(area))
    workspace.set_level(SENTENCES)
    assert numbers & set(columns(area)) == {COLUMN.GOLD}
    workspace.set_level(WORD_LEVEL)
    assert not numbers & set(columns(area))
    # sorting by scores shows their column
    area.filters.sort_by(COLUMN.GOLD)
    assert numbers & set(columns(area)) == {COLUMN.GOLD}


def test_header_click_sorts_and_second_click_reverses(area: InspectArea, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open(corpus_of_scores())
    area.step(3)
    assert click(area, COLUMN.ERROR, qtbot) == [1, 2, 0, 3]
    assert header_data(area, COLUMN.ERROR, HEADER_ORDER_ROLE) == DOWN
    # the segment with the largest error is selected
    assert workspace.segment == 1
    assert click(area, COLUMN.ERROR, qtbot) == [1, 3, 0, 2]
    assert click(area, COLUMN.ERROR, qtbot) == [2, 0, 3, 1]
    assert header_data(area, COLUMN.ERROR, HEADER_ORDER_ROLE) == UP
    assert area.filters.order.currentText() == "underestimated first"
    assert click(area, COLUMN.GOLD, qtbot) == [2, 0, 3, 1]
    assert click(area, COLUMN.GOLD, qtbot) == [1, 3, 0, 2]
    assert header_data(area, COLUMN.GOLD, HEADER_ORDER_ROLE) == UP
    assert header_data(area, COLUMN.ERROR, HEADER_ORDER_ROLE) is None
    assert click(area, COLUMN.SCORE, qtbot) == [1, 0, 3, 2]
    assert click(area, COLUMN.NUMBER, qtbot) == [0, 1, 2, 3]


def test_changing_the_system_keeps_the_sort_order(area: InspectArea, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open(corpus_of_scores())
    click(area, COLUMN.ERROR, qtbot)
    assert area.filters.system.isVisible()
    with qtbot.waitSignal(area.model.modelReset):
        area.filters.system.setCurrentIndex(area.filters.system.findData(TWO))
        area.filters.system.activated.emit(1)
    assert area.filters.query.order is SortOrder.ERROR
    assert area.filters.query.score == TWO
    assert area.model.segments.tolist() == [3, 0, 1, 2]
    assert score_texts(area, 0) == [".400", ".000", "−.400"]
    assert header_data(area, COLUMN.SCORE) == "two"


def test_errors_refer_to_the_selected_gold(area: InspectArea, workspace: Workspace, qtbot: QtBot) -> None:
    workspace.open(corpus_of_scores({**NUMBERS, TIME: [0.0, 0.8, 0.2, 0.4]}))
    click(area, COLUMN.ERROR, qtbot)
    with qtbot.waitSignal(area.model.modelReset):
        workspace.set_reference(TIME)
    assert area.model.segments.tolist() == [0, 1, 2, 3]
    assert header_data(area, COLUMN.GOLD) == "gold time"
    assert score_texts(area, 0) == [".000", ".400", "+.400"]


def test_system_box_needs_two_systems_and_error_column_needs_gold(area: InspectArea, workspace: Workspace) -> None:
    workspace.open(corpus_of_scores({GOLD: NUMBERS[GOLD], ONE: NUMBERS[ONE]}))
    assert not area.filters.system.isVisible()
    workspace.open(corpus_of_scores({ONE: NUMBERS[ONE], TWO: NUMBERS[TWO]}))
    assert columns(area) == [COLUMN.NUMBER, COLUMN.SCORE]
    orders = [area.filters.order.itemText(index) for index in range(area.filters.order.count())]
    assert orders == ["file order", "highest one first", "lowest one first"]


def test_scores_have_the_number_of_decimals_of_the_settings(area: InspectArea, workspace: Workspace) -> None:
    workspace.open(corpus_of_scores())
    workspace.settings.decimals = 2
    assert score_texts(area, 1) == [".10", ".80", "+.70"]
