"""The matrix with its title above, and below it what the current cell says and the legend."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from qe_desktop.ui.comparing import ComparisonKeeper
from qe_desktop.ui.scores.comparison_line import ComparisonLine
from qe_desktop.ui.scores.legend import Legend
from qe_desktop.ui.scores.matrix_header import LONGEST
from qe_desktop.ui.scores.matrix_view import MatrixView
from qe_desktop.ui.shell.labels import Label

HINT = "Choose a cell to read it in words; Enter shows the segments where two systems differ most."


class MatrixPane(QWidget):
    """`small` draws signs only, for narrow places."""

    def __init__(
        self,
        comparison: ComparisonKeeper,
        parent: QWidget | None = None,
        *,
        small: bool = False,
        longest: int = LONGEST,
    ) -> None:
        super().__init__(parent)
        self._keeper = comparison
        self.view = MatrixView(comparison, self, small=small, longest=longest)
        self._line = ComparisonLine(comparison, self.view.matrix, self)
        self._words = Label(HINT, token="muted")
        self._words.setWordWrap(True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._legend = Legend(self, with_differences=not small)
        self._lines = 4 if small else 2
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self._line)
        column.addWidget(self.view, 1)
        column.addWidget(self._words)
        column.addWidget(self._legend)
        self.view.said.connect(self._say)
        comparison.changed.connect(self._refresh)
        self._refresh()

    def _say(self, sentence: str) -> None:
        self._words.setText(sentence or HINT)

    def _refresh(self) -> None:
        # room for the longest sentence, so that the matrix does not jump from cell to cell
        self._words.setFixedHeight(self.fontMetrics().lineSpacing() * self._lines + 4)
        result = self._keeper.result
        options = result.comparison.options if result is not None else self._keeper.options
        self._legend.explain(options.correction, options.alpha)
