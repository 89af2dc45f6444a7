"""The line over the matrix: which comparison this is, how far it is, and what can be done about it."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from qe_desktop.significance import Comparison
from qe_desktop.ui.comparing import ComparisonKeeper
from qe_desktop.ui.scores.matrix_model import MatrixModel
from qe_desktop.ui.scores.sentences import CORRECTION_NAMES
from qe_desktop.ui.shell.labels import Label, tip


class ComparisonLine(QWidget):
    """Title, state, progress, and one button: cancel, compare, or try again."""

    def __init__(self, comparison: ComparisonKeeper, matrix: MatrixModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keeper = comparison
        self._matrix = matrix
        self._title = Label(bold=True)
        self._state = Label(token="muted")
        self._warning = Label(token="warning")
        self._bar = QProgressBar()
        self._bar.setRange(0, 100)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Progress of the comparison")
        self._button = QPushButton()
        self._button.clicked.connect(self._act)
        self._lay_out()
        comparison.changed.connect(self.refresh)
        matrix.modelReset.connect(self.refresh)
        self.refresh()

    def _lay_out(self) -> None:
        first, second = QHBoxLayout(), QHBoxLayout()
        first.setSpacing(8)
        second.setSpacing(8)
        self._state.setMinimumWidth(1)
        self._warning.setWordWrap(True)
        first.addWidget(self._title)
        first.addStretch(1)
        first.addWidget(self._bar)
        first.addWidget(self._button)
        second.addWidget(self._state, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(first)
        column.addLayout(second)
        column.addWidget(self._warning)

    def refresh(self) -> None:
        """Say how things are now."""
        keeper = self._keeper
        self._title.setText(f"Significance, {self._matrix.metric or keeper.metric}")
        self._state.setText(self._said())
        self._state.setToolTip(tip(self._told()))
        working = keeper.state == "working"
        self._bar.setVisible(working)
        if working:
            self._bar.setValue(round(keeper.progress * 100))
            self._bar.setFixedWidth(self.fontMetrics().averageCharWidth() * 16)
            self._bar.setFixedHeight(max(6, self.fontMetrics().height() // 2))
        text = {"working": "Cancel", "waiting": "Compare systems", "failed": "Try again"}.get(keeper.state, "")
        self._button.setVisible(bool(text))
        self._button.setText(text)
        warning = self._warned()
        self._warning.setText(warning)
        self._warning.setVisible(bool(warning))

    def _said(self) -> str:
        keeper, result = self._keeper, self._keeper.result
        if keeper.state == "failed" and keeper.error is not None:
            return f"Not compared: {keeper.error.message}"
        if keeper.state == "working":
            doing = {"": "", "rows": "counting", "intervals": "intervals"}.get(keeper.progress_text)
            doing = keeper.progress_text if doing is None else doing
            kept = " · the old result until then" if result is not None else ""
            return (doing or "starting") + kept
        if keeper.state == "waiting":
            what = "Edited since this was compared" if result is not None else "Not compared yet"
            return f"{what}: a corpus this large is compared on request"
        return "" if result is None else _made(result.comparison, stale=keeper.stale)

    def _told(self) -> str:
        keeper = self._keeper
        if keeper.result is None:
            return self._said()
        options = keeper.result.comparison.options
        return f"{self._said()}. Approximate randomisation, seed {options.seed}, swapping whole {options.unit}s."

    def _warned(self) -> str:
        """What a reader must know about the options; the hint of a failure."""
        keeper = self._keeper
        if keeper.state == "failed" and keeper.error is not None:
            return keeper.error.hint
        if keeper.result is None:
            return ""
        comparison = keeper.result.comparison
        systems, options = len(comparison.systems), comparison.options
        pairs = 1 if options.correction == "none" else systems * (systems - 1) // 2
        if comparison.exact or pairs / (comparison.rounds + 1) <= options.alpha:
            return ""
        name = CORRECTION_NAMES[options.correction]
        return f"{comparison.rounds:,} rounds are too few for {name} over {pairs:,} pairs: choose more rounds."

    def _act(self) -> None:
        if self._keeper.state == "working":
            self._keeper.cancel()
        else:
            self._keeper.run()


def _made(comparison: Comparison, *, stale: bool) -> str:
    rounds = f"all {comparison.rounds:,} swaps" if comparison.exact else f"{comparison.rounds:,} rounds"
    units = f"{comparison.units:,} {comparison.options.unit}s"
    return f"{rounds} over {units}" + (" · before the last edits" if stale else "")
