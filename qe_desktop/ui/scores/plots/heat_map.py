"""Heat map: matrix of values from −1 to 1, with the theme's colours for negative and positive values."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QObject, QSize, Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.levels.chart_model import HeatMap, PairGoal
from qe_desktop.ui.scores.number_format import format_score
from qe_desktop.ui.widgets.matrix.matrix_model import AbstractMatrixModel, MatrixCell
from qe_desktop.ui.widgets.matrix.matrix_painter import MatrixPainter
from qe_desktop.ui.widgets.matrix.matrix_view import MatrixTableView

DECIMALS = 2
"""Number of decimals of the value in a cell; the description of the cell may have more."""
MAX_LINES = 30
"""Upper limit of the minimum height of a heat map, in lines of text."""


class HeatMapModel(AbstractMatrixModel):
    """Model of a `HeatMap`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.heat: HeatMap | None = None

    def show_heat(self, heat: HeatMap) -> None:
        """Show another heat map."""
        self.heat = heat
        self.show_names(heat.names)

    def _cell(self, row: int, column: int) -> MatrixCell:
        if self.heat is None:
            return MatrixCell("", "")
        value = float(self.heat.values[row, column])
        return MatrixCell(format_score(value, DECIMALS), "", scaled_value=None if math.isnan(value) else value)

    def _exact_value(self, row: int, column: int) -> float | None:
        return None if self.heat is None else float(self.heat.values[row, column])

    def _corner(self) -> str:
        return "system"

    def _sentence(self, row: int, column: int) -> str:
        return "" if self.heat is None else self.heat.describe(row, column)

    def _header_tooltip(self, index: int) -> str:
        return self._sentence(index, index)


class HeatMapPainter(MatrixPainter):
    """Painter of narrow cells that contain only numbers."""

    def full_size(self, metrics: QFontMetrics) -> QSize:
        """Return the smallest size of a cell in which a number fits."""
        return QSize(metrics.horizontalAdvance(format_score(-0.88, DECIMALS)), metrics.height() + 1)

    def line_size(self, metrics: QFontMetrics) -> QSize:
        """Return the same size as `full_size`, because cells contain no symbols."""
        return self.full_size(metrics)


class HeatMapView(MatrixTableView):
    """View of a heat map; Enter or a double click requests the segments behind the difference between two systems."""

    goal_requested = Signal(object)
    """`PairGoal` of the cell that was double-clicked or on which Enter was pressed."""

    def __init__(self, content: Callable[[], HeatMap | str], parent: QWidget | None = None) -> None:
        self._content = content
        self.heat = HeatMapModel()
        super().__init__(self.heat, tr("Correlation matrix"), parent)
        self._painter = HeatMapPainter()
        for signal in (self.doubleClicked, self.cell_activated):
            signal.connect(self._request_pair)

    @property
    def widget(self) -> QWidget:
        """Widget that displays the heat map: the view itself."""
        return self

    def refresh(self, font: QFont) -> str:
        """Show the current content and return an empty string; without content, return a text to show instead."""
        content = self._content()
        if isinstance(content, str):
            return content
        self.heat.show_heat(content)
        line, cell = self.fontMetrics().height(), self._painter.full_size(self.fontMetrics())
        needed = self.names_width() + len(content.names) * cell.height() + 8
        self.setMinimumHeight(min(needed, line * MAX_LINES))
        self.fit()
        return ""

    def finish(self) -> None:
        """Do nothing, because the matrix is drawn immediately."""

    def _request_pair(self, index: QModelIndex) -> None:
        heat = self.heat.heat
        if heat is not None and index.isValid() and index.row() != index.column():
            self.goal_requested.emit(PairGoal(heat.subjects[index.row()], heat.subjects[index.column()]))
