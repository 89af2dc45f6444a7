"""Painter of matrix cells: a symbol with a number next to it or below it, or only the symbol if cells are small."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QStaticText

from qe_desktop.ui import theme
from qe_desktop.ui.widgets.keyboard_focus import tabular_font
from qe_desktop.ui.widgets.matrix_model import AbstractMatrixModel, MatrixCell

MAX_LEAN_FRACTION = 0.45
"""Proportion of the positive or negative colour in the background of a cell whose `scaled_value` is 1 or -1."""
MAX_CACHED_COLOURS = 10_000
"""Maximum number of cached colours; with hundreds of systems, each pair may have a different colour."""
_CENTRE = Qt.AlignmentFlag.AlignCenter


@dataclass(frozen=True, slots=True)
class HeaderSpan:
    """Row or column on screen: its 0-based index in the matrix, and its offset and length in pixels."""

    index: int
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class _CellMetrics:
    """Font of numbers, and minimum sizes of a cell with its number below (`full`) or next to (`line`) its symbol.

    `signs` caches the layout of each symbol, because hundreds of cells have the same symbol.
    """

    font: QFont
    full: QSize
    line: QSize
    signs: dict[str, QStaticText] = field(default_factory=dict)


class MatrixPainter:
    """Painter of all visible `MatrixCell`s in one pass; numbers are drawn only if they fit.

    No delegate is used, because it would be called for each cell: painting 40 systems took 0.1 s.
    """

    def __init__(self) -> None:
        self.is_outdated = False
        self._measured: tuple[QFont, _CellMetrics] | None = None
        self._colours: dict[tuple[int | None, float | None], tuple[QColor, QColor]] = {}
        self._coloured: tuple[theme.Theme, bool] | None = None

    def full_size(self, metrics: QFontMetrics) -> QSize:
        """Return the smallest size of a cell with its number below the symbol."""
        return QSize(metrics.horizontalAdvance("+.0000"), round(metrics.height() * 2.15))

    def line_size(self, metrics: QFontMetrics) -> QSize:
        """Return the smallest size of a cell with its number next to the symbol."""
        return QSize(metrics.horizontalAdvance(" <.001 ◐ "), round(metrics.height() * 1.15))

    def small_size(self, metrics: QFontMetrics) -> QSize:
        """Return the smallest size of a cell that shows only its symbol."""
        side = round(metrics.height() * 1.15)
        return QSize(side, side)

    def paint(
        self,
        painter: QPainter,
        model: AbstractMatrixModel,
        rows: Sequence[HeaderSpan],
        columns: Sequence[HeaderSpan],
        font: QFont,
    ) -> None:
        """Draw the cells in `rows` and `columns`."""
        measured = self._cell_metrics(font)
        painter.setFont(measured.font)
        # signs and numbers run from left to right in every layout direction
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        labelled_cells: list[tuple[QRect, MatrixCell, QColor]] = []
        for row in rows:
            for column in columns:
                cell = model.cell(row.index, column.index)
                background, text_colour = self._colours_of(cell)
                painter.fillRect(column.start, row.start, column.length, row.length, background)
                if cell.text or cell.sign:
                    rect = QRect(column.start, row.start, column.length, row.length)
                    labelled_cells.append((rect, cell, text_colour))
        self._draw_grid_lines(painter, rows, columns)
        for rect, cell, text_colour in labelled_cells:
            painter.setPen(text_colour)
            self._write(painter, rect, cell, measured)

    def _draw_grid_lines(self, painter: QPainter, rows: Sequence[HeaderSpan], columns: Sequence[HeaderSpan]) -> None:
        if not rows or not columns:
            return
        painter.setPen(theme.current().border)
        left = min(column.start for column in columns)
        right = max(column.start + column.length for column in columns) - 1
        top, bottom = rows[0].start, rows[-1].start + rows[-1].length - 1
        for row in rows:
            painter.drawLine(left, row.start + row.length - 1, right, row.start + row.length - 1)
        for column in columns:
            painter.drawLine(column.start + column.length - 1, top, column.start + column.length - 1, bottom)

    def _colours_of(self, cell: MatrixCell) -> tuple[QColor, QColor]:
        """Return the background colour and the text colour of a cell."""
        colours = theme.current()
        if self._coloured != (colours, self.is_outdated) or len(self._colours) > MAX_CACHED_COLOURS:
            self._coloured = colours, self.is_outdated
            self._colours.clear()
        key = cell.level, cell.scaled_value
        if key not in self._colours:
            background = cell_colour(cell)
            text_colour = (
                colours.muted
                if cell.level is None and cell.scaled_value is None
                else colours.text_colour_on(background)
            )
            self._colours[key] = (
                background,
                theme.mix_colours(text_colour, background, 0.4) if self.is_outdated else text_colour,
            )
        return self._colours[key]

    def _cell_metrics(self, font: QFont) -> _CellMetrics:
        """Return the cell metrics for a font.

        They are cached, because measuring them for every cell would take as long as painting all cells.
        """
        if self._measured is None or self._measured[0] != font:
            numbers = tabular_font(font)
            metrics = QFontMetrics(numbers)
            self._measured = QFont(font), _CellMetrics(numbers, self.full_size(metrics), self.line_size(metrics))
        return self._measured[1]

    def _write(self, painter: QPainter, rect: QRect, cell: MatrixCell, measured: _CellMetrics) -> None:
        full, line = measured.full, measured.line
        if rect.width() >= line.width() and rect.height() >= line.height():
            painter.drawText(rect, _CENTRE, f"{cell.sign}  {cell.text}".strip())
        elif rect.width() >= full.width() and rect.height() >= full.height():
            self._write_stacked(painter, rect, cell)
        else:
            _write_sign(painter, rect, cell.sign or _short_number(cell.text), measured)

    def _write_stacked(self, painter: QPainter, rect: QRect, cell: MatrixCell) -> None:
        if not cell.text or not cell.sign:
            painter.drawText(rect, _CENTRE, cell.text or cell.sign)
            return
        middle, line = rect.center(), painter.fontMetrics().height()
        upper = QRect(rect.left(), middle.y() - line, rect.width(), line)
        painter.drawText(upper, _CENTRE, cell.sign)
        painter.drawText(upper.translated(QPoint(0, line)), _CENTRE, cell.text)


def _write_sign(painter: QPainter, rect: QRect, sign: str, measured: _CellMetrics) -> None:
    """Draw `sign` in the centre of a cell; draw nothing if `sign` is empty."""
    if not sign:
        return
    if sign not in measured.signs:
        measured.signs[sign] = QStaticText(sign)
        measured.signs[sign].setTextFormat(Qt.TextFormat.PlainText)
        measured.signs[sign].prepare(font=measured.font)
    static_text = measured.signs[sign]
    size = static_text.size()
    left, top = (rect.width() - size.width()) / 2, (rect.height() - size.height()) / 2
    painter.drawStaticText(rect.left() + round(left), rect.top() + round(top), static_text)


def _short_number(text: str) -> str:
    """Abbreviate a number for a small cell: a signed number to its sign, zero to “0”, other numbers to “”."""
    if text[:1] in ("+", "−"):
        return text[0]
    return "0" if text and not text.strip("0.") else ""


def cell_colour(cell: MatrixCell) -> QColor:
    """Return the background colour of a cell."""
    colours = theme.current()
    if cell.level is not None:
        return colours.matrix[max(0, cell.level)]
    if cell.scaled_value is not None:
        end = colours.positive if cell.scaled_value >= 0 else colours.negative
        return theme.mix_colours(colours.surface, end, MAX_LEAN_FRACTION * abs(cell.scaled_value))
    return colours.raised
