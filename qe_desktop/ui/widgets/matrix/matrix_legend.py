"""What the signs and grounds of a matrix mean."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLayout, QSizePolicy, QVBoxLayout, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.significance import Correction, SignificanceLevel, sign_meanings
from qe_desktop.ui import theme
from qe_desktop.ui.widgets.layouts import FlowLayout
from qe_desktop.ui.widgets.matrix.matrix_model import MatrixCell
from qe_desktop.ui.widgets.matrix.matrix_painter import cell_colour

GAP = 6
_ACCESSIBLE_NAMES = {
    SignificanceLevel.STRONG: tr("filled circle"),
    SignificanceLevel.WEAK: tr("half circle"),
    SignificanceLevel.NOT: tr("open circle"),
    SignificanceLevel.IDENTICAL: tr("equals sign"),
    SignificanceLevel.UNTESTED: tr("dash"),
}


class MatrixLegendSwatch(QWidget):
    """A small cell, and what it means."""

    def __init__(self, cell: MatrixCell, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cell = cell
        self.text = text
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.themes.theme_changed.connect(self.update)

    def set_text(self, text: str) -> None:
        """Say something else."""
        if text != self.text:
            self.text = text
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        """The cell and its text."""
        metrics = self.fontMetrics()
        return QSize(self._side() + GAP + metrics.horizontalAdvance(self.text), self._side())

    def _side(self) -> int:
        return round(self.fontMetrics().height() * 1.15)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the cell, then its text in muted type."""
        colours, side = theme.current(), self._side()
        painter = QPainter(self)
        ground = cell_colour(self._cell)
        mirrored = self.isRightToLeft()
        box = QRect(self.width() - side if mirrored else 0, 0, side, side).adjusted(0, 0, -1, -1)
        painter.fillRect(box, ground)
        painter.setPen(colours.border)
        painter.drawRect(box)
        painter.setPen(colours.on(ground))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._cell.sign)
        painter.setPen(colours.muted)
        left = 0 if mirrored else side + GAP
        painter.drawText(
            QRect(left, 0, self.width() - side - GAP, side),
            Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter,
            self.text,
        )
        painter.end()


class MatrixLegend(QWidget):
    """A swatch for each sign of a tested pair, the surest first; then one for untested pairs, and for differences.

    It stands in as many lines as it needs, or `stacked`, one sign a line.
    """

    def __init__(self, rest: SignificanceLevel, text: str, *, differences: bool = True, stacked: bool = False) -> None:
        super().__init__()
        levels = (SignificanceLevel.STRONG, SignificanceLevel.WEAK, SignificanceLevel.NOT)
        self._signs = {level: MatrixLegendSwatch(MatrixCell("", level.sign, level=level), "") for level in levels}
        self._rest = f"{_ACCESSIBLE_NAMES[rest]}, {text}"
        self._below = MatrixLegendSwatch(MatrixCell("", "+", lean=1.0), "")
        self._below.setHidden(not differences)
        layout: QLayout = QVBoxLayout(self) if stacked else FlowLayout(self, gap=10, line_gap=4)
        layout.setContentsMargins(0, 0, 0, 0)
        if stacked:
            layout.setSpacing(6)
        for swatch in (
            *self._signs.values(),
            MatrixLegendSwatch(MatrixCell("", rest.sign, level=rest), text),
            self._below,
        ):
            layout.addWidget(swatch)
        self.explain("none", 0.05)

    def explain(self, correction: Correction, alpha: float, below: str = tr("column − row")) -> None:
        """Say what the signs mean under a correction and alpha, and the numbers below the diagonal.

        Signs that cannot occur are hidden.
        """
        meanings = sign_meanings(alpha, correction)
        for level, swatch in self._signs.items():
            swatch.set_text(meanings.get(level, ""))
            swatch.setHidden(level not in meanings)
        self._below.set_text(below)
        spoken = [*(f"{_ACCESSIBLE_NAMES[level]}, {text}" for level, text in meanings.items()), self._rest]
        if not self._below.isHidden():
            spoken.append(tr("below the diagonal, {difference}", difference=below))
        self.setAccessibleName(tr("Legend: {signs}", signs="; ".join(spoken)))
