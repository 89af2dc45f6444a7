"""Plots of scores and their confidence intervals below the columns of the All metrics table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui import theme
from qe_desktop.ui.scores.number_format import format_score
from qe_desktop.ui.scores.result_table import NAME_COLUMN, ResultTableView
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.labels import elide_names, plain_tooltip
from qe_desktop.ui.widgets.tables.table_delegate import PADDING
from qe_desktop.ui.widgets.tables.table_model import TableCell
from qe_desktop.ui.widgets.themed_widget import ThemedWidget

ROW_LINES, MAX_ROW_LINES = 1.1, 2.4
"""Minimum and maximum height of a row, in lines of text."""
AXIS_LINES = 2.6
"""Total height of the axis and the column name below the rows, in lines of text."""
FAINT = 0.65
"""Fraction of the background colour in the colour of bars whose scores are not bold in the table."""
MAX_SHARED = 1.5
"""Largest absolute value of scores and interval limits at which all columns still share one scale."""


@dataclass(frozen=True, slots=True)
class IntervalScale:
    """Range of values on the axis of a column."""

    low: float
    high: float

    def x(self, value: float, column: QRect) -> float:
        """Return the horizontal position, in pixels, of a value in the rectangle of a column."""
        return column.left() + (value - self.low) / (self.high - self.low) * column.width()


class IntervalStrips(ThemedWidget):
    """Plots below the columns of a score table: for each score, a bar (its confidence interval) and a line (the score).

    The bar of a score that is bold in the table has the full accent colour. A click on a plot requests the table cell
    whose score is drawn in the clicked row.
    """

    chosen = Signal(int, int)
    """Emitted with the row and column of the table cell whose plot was clicked."""

    def __init__(self, view: ResultTableView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self.setAccessibleName(tr("Scores and 95 % intervals"))
        tip = tr("Line: score. Bar: 95 % interval; dark if no system is significantly better, otherwise light.")
        self.setToolTip(plain_tooltip(tip))
        view.header.sectionResized.connect(self.update)
        view.horizontalScrollBar().valueChanged.connect(self.update)
        view.cells.modelReset.connect(self.updateGeometry)

    # --- content

    @property
    def is_scale_shared(self) -> bool:
        """Whether all columns share one scale: true if all scores and interval limits are within ±`MAX_SHARED`."""
        values = [value for column in self._columns() for value in self._values(column)]
        return all(abs(value) <= MAX_SHARED for value in values)

    def _columns(self) -> Iterator[int]:
        """Yield the indices of the columns with intervals."""
        for index, column in enumerate(self._view.cells.columns):
            if index != NAME_COLUMN and len(column.exported_headers) > 1:
                yield index

    def _values(self, column: int) -> list[float]:
        cells = [row[column] for row in self._view.cells.rows]
        return [value for cell in cells for value in _score_and_interval(cell) if not math.isnan(value)]

    def _scale(self, column: int) -> IntervalScale | None:
        """Return the scale of a column; None if it has no values."""
        values = self._values(column)
        if not values:
            return None
        if self.is_scale_shared:
            values_of_all = [value for column_index in self._columns() for value in self._values(column_index)]
            # rounded outwards to tenths; 1e-9 absorbs rounding errors
            low = math.floor(min(values_of_all) * 10 + 1e-9) / 10
            return IntervalScale(low, max(low + 0.1, math.ceil(max(values_of_all) * 10 - 1e-9) / 10))
        low, high = min(values), max(values)
        padding = 0.08 * (high - low) or 0.5
        return IntervalScale(low - padding, high + padding)

    # --- size

    def sizeHint(self) -> QSize:
        """Return the size at the maximum row height."""
        return QSize(200, self._height(MAX_ROW_LINES))

    def minimumSizeHint(self) -> QSize:
        """Return the size at the minimum row height."""
        return QSize(100, self._height(ROW_LINES))

    def _height(self, lines: float) -> int:
        return round((len(self._view.cells.rows) * lines + AXIS_LINES) * self.fontMetrics().height())

    def _row_height(self) -> float:
        rows, line = max(1, len(self._view.cells.rows)), self.fontMetrics().height()
        return min(MAX_ROW_LINES * line, (self.height() - AXIS_LINES * line) / rows)

    def _plot_rect(self, column: int) -> QRect:
        """Return the rectangle of a column's plot, as wide as the cells of the column without their padding."""
        header = self._view.header
        left = header.sectionViewportPosition(column) + PADDING
        height = round(self._row_height() * len(self._view.cells.rows))
        return QRect(left, 0, header.sectionSize(column) - 2 * PADDING, height)

    # --- drawing

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the names of the rows, and the plot of each column."""
        painter.setPen(colours.text)
        names = self._plot_rect(NAME_COLUMN)
        row_height, texts = self._row_height(), [row[NAME_COLUMN].text for row in self._view.cells.rows]
        elided = elide_names(texts, self.fontMetrics(), names.width())
        for row_index, text in enumerate(texts):
            box = QRectF(names.left(), row_index * row_height, names.width(), row_height)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter), elided[text])
        for column in self._columns():
            scale = self._scale(column)
            if scale is not None:
                self._draw_column(painter, colours, column, scale)

    def _draw_column(self, painter: QPainter, colours: Theme, column: int, scale: IntervalScale) -> None:
        box, row_height = self._plot_rect(column), self._row_height()
        painter.fillRect(box, colours.surface)
        ticks = [scale.low, (scale.low + scale.high) / 2, scale.high]
        for tick in ticks:
            x = scale.x(tick, box)
            painter.fillRect(QRectF(x, box.top(), 1, box.height()), colours.border)
        for row_index, row in enumerate(self._view.cells.rows):
            self._draw_cell(painter, colours, row[column], scale, box, (row_index + 0.5) * row_height)
        painter.fillRect(QRect(box.left(), box.bottom(), box.width(), 1), colours.muted)
        self._draw_axis(painter, colours, column, ticks, scale, box)

    def _draw_cell(
        self, painter: QPainter, colours: Theme, cell: TableCell, scale: IntervalScale, box: QRect, middle: float
    ) -> None:
        score, low, high = _score_and_interval(cell)
        if math.isnan(score):
            return
        height = min(self._row_height() * 0.5, self.fontMetrics().height() * 0.8)
        fill = colours.accent if cell.is_bold else theme.mix_colours(colours.accent, colours.surface, FAINT)
        if not math.isnan(low):
            left, right = scale.x(low, box), scale.x(high, box)
            painter.fillRect(QRectF(left, middle - height / 2, max(1.0, right - left), height), fill)
        painter.fillRect(QRectF(scale.x(score, box) - 1, middle - height * 0.75, 2, height * 1.5), colours.text)

    def _draw_axis(
        self, painter: QPainter, colours: Theme, column: int, ticks: list[float], scale: IntervalScale, box: QRect
    ) -> None:
        line, head = self.fontMetrics().height(), self._view.cells.columns[column]
        painter.setPen(colours.muted)
        # numbers run from left to right in every layout direction
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        widest = self.fontMetrics().horizontalAdvance(self._number(-scale.high))
        for tick in ticks if widest * len(ticks) < box.width() * 1.4 else ticks[:: max(1, len(ticks) - 1)]:
            text = self._number(tick)
            width = self.fontMetrics().horizontalAdvance(text)
            x = min(max(scale.x(tick, box) - width / 2, box.left() - PADDING), box.right() + PADDING - width)
            painter.drawText(QPointF(x, box.bottom() + line * 1.1), text)
        painter.setPen(colours.accent if head.is_current else colours.muted)
        below = QRectF(box.left() - PADDING, box.bottom() + line * 1.3, box.width() + 2 * PADDING, line * 1.2)
        name = self.fontMetrics().elidedText(head.header, Qt.TextElideMode.ElideRight, round(below.width()))
        painter.drawText(below, int(Qt.AlignmentFlag.AlignCenter), name)

    def _number(self, value: float) -> str:
        if self.is_scale_shared:
            return f"{value:g}".removeprefix("0") if 0 < value < 1 else f"{value:g}"
        return format_score(value, 0 if abs(value) >= 10 else 2)

    # --- actions

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Emit `chosen` for the table cell whose plot is under the pointer, if any."""
        position = event.position()
        row = int(position.y() // self._row_height())
        for column in self._columns():
            box = self._plot_rect(column)
            if box.left() <= position.x() <= box.right() and 0 <= row < len(self._view.cells.rows):
                self.chosen.emit(row, column)
                return


def _score_and_interval(cell: TableCell) -> tuple[float, float, float]:
    """Return the score and the interval limits of a cell; undefined values are NaN."""
    defined: list[Any] = [*cell.exact_values[:3], None, None, None][:3]
    score, low, high = (math.nan if value is None else float(value) for value in defined)
    return score, low, high
