"""What the signs and grounds of the matrix mean."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.ui import theme
from qe_desktop.ui.scores.flow import FlowLayout
from qe_desktop.ui.scores.matrix_delegate import fill_of
from qe_desktop.ui.scores.matrix_model import SAME, MatrixCell

GAP = 6


class Swatch(QWidget):
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
        ground = fill_of(self._cell)
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


class Legend(QWidget):
    """The legend of the matrix, in as many lines as it needs."""

    def __init__(self, parent: QWidget | None = None, *, with_differences: bool = True) -> None:
        super().__init__(parent)
        layout = FlowLayout(self, gap=10, line_gap=4)
        self._certain = Swatch(MatrixCell("", "●", level=3), "")
        self._strong = Swatch(MatrixCell("", "●", level=2), "")
        self._weak = Swatch(MatrixCell("", "◐", level=1), "")
        cells = [self._certain, self._strong, self._weak, Swatch(MatrixCell("", "○", level=0), "not significant")]
        self._same = Swatch(MatrixCell("", SAME, level=0), "identical")
        cells.append(self._same)
        if with_differences:
            cells.append(Swatch(MatrixCell("", "+", lean=1.0), "column − row"))
        for swatch in cells:
            layout.addWidget(swatch)
        self._short = not with_differences
        self.explain("none", 0.05)

    def explain(self, correction: str, alpha: float) -> None:
        """Say what the signs mean under a correction and alpha."""
        letter = "p" if correction == "none" or self._short else "adjusted p"
        self._certain.set_text(f"{letter} < .001")
        self._strong.set_text(f"{letter} < .01")
        self._weak.set_text(f"{letter} ≤ {alpha:g}".replace("0.", "."))
        self.setAccessibleName(
            f"Legend: filled circle, {letter} below .01; half circle, {letter} up to {alpha:g}; "
            "open circle, not significant; equals sign, identical tags"
        )
