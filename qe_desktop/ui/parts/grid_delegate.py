"""How a cell of the matrix is drawn: sign above number, or the sign alone where cells are small."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from qe_desktop.ui import theme
from qe_desktop.ui.parts.grid_model import CELL_ROLE, MatrixCell
from qe_desktop.ui.parts.painting import focus_frame, tabular

LEAN_SHARE = 0.45
"""How much of its colour the largest difference takes on."""
_CENTRE = Qt.AlignmentFlag.AlignCenter


@dataclass(frozen=True, slots=True)
class _Measured:
    """The font of numbers, and the smallest cells that show a number in it: above its sign, and beside it."""

    font: QFont
    full: QSize
    line: QSize


class GridDelegate(QStyledItemDelegate):
    """Draws `MatrixCell`s; numbers only where there is room for them."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.stale = False
        self._measured: tuple[QFont, _Measured] | None = None

    def full_size(self, metrics: QFontMetrics) -> QSize:
        """The smallest cell that shows its number."""
        return QSize(metrics.horizontalAdvance("+.0000"), round(metrics.height() * 2.15))

    def line_size(self, metrics: QFontMetrics) -> QSize:
        """The smallest cell that shows number and sign beside each other."""
        return QSize(metrics.horizontalAdvance(" <.001 ◐ "), round(metrics.height() * 1.25))

    def small_size(self, metrics: QFontMetrics) -> QSize:
        """The smallest cell: a sign."""
        side = round(metrics.height() * 1.15)
        return QSize(side, side)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw one cell."""
        cell = index.data(CELL_ROLE)
        if not isinstance(cell, MatrixCell):
            return
        colours = theme.current()
        rect: QRect = option.rect
        state = option.state
        ground = fill_of(cell)
        ink = colours.muted if cell.level is None and cell.lean is None else colours.on(ground)
        measured = self._of_font(option.font)
        painter.save()
        painter.setFont(measured.font)
        painter.fillRect(rect, ground)
        painter.setPen(colours.border)
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.drawLine(rect.topRight(), rect.bottomRight())
        if self.stale:
            ink = theme.mixed(ink, ground, 0.4)
        painter.setPen(ink)
        self._write(painter, rect, cell, measured)
        if state & QStyle.StateFlag.State_Selected:
            focus_frame(painter, rect)
        painter.restore()

    def _of_font(self, font: QFont) -> _Measured:
        """What is the same for all cells: a large matrix is painted in the time that measuring each would take."""
        if self._measured is None or self._measured[0] != font:
            numbers = tabular(font)
            metrics = QFontMetrics(numbers)
            self._measured = QFont(font), _Measured(numbers, self.full_size(metrics), self.line_size(metrics))
        return self._measured[1]

    def _write(self, painter: QPainter, rect: QRect, cell: MatrixCell, measured: _Measured) -> None:
        full, line = measured.full, measured.line
        if rect.width() >= full.width() and rect.height() >= full.height():
            self._write_stacked(painter, rect, cell)
        elif rect.width() >= line.width() and rect.height() >= line.height():
            painter.drawText(rect, _CENTRE, f"{cell.text} {cell.sign}".strip())
        else:
            painter.drawText(rect, _CENTRE, cell.sign or _alone(cell.text))

    def _write_stacked(self, painter: QPainter, rect: QRect, cell: MatrixCell) -> None:
        if not cell.text or not cell.sign:
            painter.drawText(rect, _CENTRE, cell.text or cell.sign)
            return
        middle, line = rect.center(), painter.fontMetrics().height()
        upper = QRect(rect.left(), middle.y() - line, rect.width(), line)
        painter.drawText(upper, _CENTRE, cell.sign)
        painter.drawText(upper.translated(QPoint(0, line)), _CENTRE, cell.text)


def _alone(text: str) -> str:
    """What is left of a number in a cell that is too small for it: its sign, 0 where it is zero, else the colour."""
    if text[:1] in ("+", "−"):
        return text[0]
    return "0" if text and not text.strip("0.") else ""


def fill_of(cell: MatrixCell) -> QColor:
    """The ground of a cell."""
    colours = theme.current()
    if cell.level is not None:
        return colours.matrix[max(0, cell.level)]
    if cell.lean is not None:
        end = colours.positive if cell.lean >= 0 else colours.negative
        return theme.mixed(colours.surface, end, LEAN_SHARE * abs(cell.lean))
    return colours.raised
