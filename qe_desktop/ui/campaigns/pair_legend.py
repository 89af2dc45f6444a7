"""What the signs and numbers of the matrix of pairs mean, below each other."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from qe_desktop.significance import Correction, Sureness
from qe_desktop.ui.scores.legend import SignSwatches, Swatch
from qe_desktop.ui.scores.matrix_model import MatrixCell


class PairLegend(QWidget):
    """One line for each sign above the diagonal, and one for the numbers below it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.signs = SignSwatches()
        self._below = Swatch(MatrixCell("", "+", lean=1.0), "")
        unknown = Sureness.UNTESTED
        self._untested = Swatch(MatrixCell("", unknown.sign, level=unknown), "nothing to compare")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for line in (*self.signs.swatches.values(), self._untested, self._below):
            column.addWidget(line)

    def explain(self, correction: Correction, alpha: float, below: str) -> None:
        """Say what the signs mean under a correction and alpha, and the numbers below the diagonal."""
        said = self.signs.explain(correction, alpha)
        self._below.set_text(below)
        self.setAccessibleName(f"Legend: {said}; dash, {self._untested.text}; below the diagonal, {below}")
