"""What the signs and grounds of the matrix mean."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.significance import Correction, Sureness, meanings
from qe_desktop.ui import theme
from qe_desktop.ui.scores.flow import FlowLayout
from qe_desktop.ui.scores.matrix_delegate import fill_of
from qe_desktop.ui.scores.matrix_model import MatrixCell

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
    """The legend of the matrix, in as many lines as it needs: one swatch for each sign."""

    def __init__(self, parent: QWidget | None = None, *, with_differences: bool = True) -> None:
        super().__init__(parent)
        layout = FlowLayout(self, gap=10, line_gap=4)
        self.signs = SignSwatches()
        cells = [
            *self.signs.swatches.values(),
            Swatch(MatrixCell("", Sureness.IDENTICAL.sign, level=Sureness.IDENTICAL), "identical"),
        ]
        if with_differences:
            cells.append(Swatch(MatrixCell("", "+", lean=1.0), "column − row"))
        for swatch in cells:
            layout.addWidget(swatch)
        self.explain("none", 0.05)

    def explain(self, correction: Correction, alpha: float) -> None:
        """Say what the signs mean under a correction and alpha."""
        said = self.signs.explain(correction, alpha)
        self.setAccessibleName(f"Legend: {said}; equals sign, identical output")


class SignSwatches:
    """A swatch for each sign of a tested pair, the surest first; those that cannot occur are hidden."""

    def __init__(self) -> None:
        levels = (Sureness.STRONG, Sureness.WEAK, Sureness.NOT)
        self.swatches = {level: Swatch(MatrixCell("", level.sign, level=level), "") for level in levels}

    def explain(self, correction: Correction, alpha: float) -> str:
        """Say what the signs mean under a correction and alpha; the same in words."""
        said = meanings(alpha, correction)
        for level, swatch in self.swatches.items():
            swatch.set_text(said.get(level, ""))
            swatch.setHidden(level not in said)
        return "; ".join(f"{_SPOKEN[level]}, {text}" for level, text in said.items())


_SPOKEN = {Sureness.STRONG: "filled circle", Sureness.WEAK: "half circle", Sureness.NOT: "open circle"}
