"""The matrix with its title above, and below it what the current cell says and the legend."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from qe_desktop.significance import Sureness
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, column_of
from qe_desktop.ui.parts.sign_legend import SignLegend
from qe_desktop.ui.scores.comparison_keeper import ComparisonKeeper
from qe_desktop.ui.scores.comparison_line import ComparisonLine
from qe_desktop.ui.scores.matrix_view import MatrixView
from qe_desktop.wording import tr

WAITING = tr("Once systems are compared, this shows which of them differ significantly.")
LEAST_LINES = 7
"""The least height of the matrix, in lines of text."""
HINT = tr("Choose a cell to read it in words; Enter shows the segments that make the difference.")


class MatrixPane(QWidget):
    """`small` draws signs only, for narrow places."""

    def __init__(self, comparison: ComparisonKeeper, parent: QWidget | None = None, *, small: bool = False) -> None:
        super().__init__(parent)
        self._keeper = comparison
        self.view = MatrixView(comparison, self, small=small)
        self.line = ComparisonLine(comparison, self.view.matrix, self, small=small)
        self._waiting = Label(WAITING, token="muted", wraps=True)
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._words = Label(HINT, token="muted", narrow=True, selectable=True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._legend = SignLegend(Sureness.IDENTICAL, tr("identical"), differences=not small)
        self._small = small
        column_of(self.line, Placed(self.view, 1), Placed(self._waiting, 1), self._words, self._legend, on=self, gap=8)
        self.view.said.connect(self._say)
        comparison.changed.connect(self._refresh)
        self._refresh()

    def _say(self, sentence: str) -> None:
        self._words.setText(sentence or HINT)
        self._words.setVisible(self.view.isVisibleTo(self) and bool(sentence or not self._small))

    def _refresh(self) -> None:
        line = self.fontMetrics().lineSpacing()
        self.view.setMinimumHeight(line * LEAST_LINES)
        if not self._small:
            # room for the longest sentence, so that the matrix does not jump from cell to cell
            self._words.setFixedHeight(line * 2 + 4)
        result = self._keeper.result
        shown = self.view.matrix.rowCount() > 0
        self.view.setVisible(shown)
        self._legend.setVisible(shown)
        self._waiting.setVisible(not shown)
        self._say(self.view.matrix.sentence(self.view.currentIndex()))
        options = result.comparison.options if result is not None else self._keeper.options
        self._legend.explain(options.correction, options.alpha)
