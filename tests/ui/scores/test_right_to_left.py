"""Matrix and charts in a right-to-left layout: all cells are drawn, and axes stay at the left and below."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qe_desktop.levels.chart_model import Panel
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.plots.plot_panels import PanelGrid
from qe_desktop.ui.widgets.matrix_view import MatrixTableView
from tests.ui.scores.test_chart_plot import chart


@pytest.fixture
def turn(qapp: QApplication) -> Iterator[Callable[[], None]]:
    """Switch the program to a right-to-left layout until the end of the test."""
    yield lambda: qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def read_cells(view: MatrixTableView) -> list[list[bytes]]:
    """Return the pixels inside each cell of a view that is painted at once."""
    image, count = view.viewport().grab().toImage(), range(view.model().rowCount())

    def read(row: int, column: int) -> bytes:
        cell = image.copy(view.visualRect(view.model().index(row, column)).adjusted(3, 3, -3, -3))
        return bytes(cell.constBits())

    return [[read(row, column) for column in count] for row in count]


def test_cells_of_the_matrix_are_those_from_left_to_right(
    environment: Any, corpus: Any, area: ScoresArea, turn: Callable[[], None], qtbot: QtBot
) -> None:
    environment.open(corpus(4))
    area.show()
    qtbot.waitExposed(area)
    view = area.systems.matrix.view
    view.setFixedSize(600, 400)
    cells = read_cells(view)
    assert len({pixels for row in cells for pixels in row}) > 4
    turn()
    qtbot.waitUntil(lambda: view.columnViewportPosition(0) > view.columnViewportPosition(3))
    assert read_cells(view) == cells


def test_axes_of_charts_stay_at_the_left(turn: Callable[[], None], qtbot: QtBot) -> None:
    turn()
    grid = PanelGrid(lambda: (Panel("a title", chart()),))
    qtbot.addWidget(grid)
    grid.resize(700, 500)
    grid.show()
    grid.refresh(grid.font())
    grid.finish()
    qtbot.waitExposed(grid)
    plot = grid.frames[0].current_plot()
    assert plot is not None
    item: Any = plot.widget.getPlotItem()  # type: ignore[attr-defined]
    box = item.getViewBox().geometry()
    assert item.getAxis("left").geometry().right() <= box.left() + 1
    assert abs(item.getAxis("bottom").geometry().left() - box.left()) <= 1
