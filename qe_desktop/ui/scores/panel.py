"""The narrow view of the scores beside the reader: two metrics, live, and the matrix in signs."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from qe_desktop.levels import Level
from qe_desktop.metrics import Metric
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, Space, column_of, holding
from qe_desktop.ui.parts.state_page import Situation, StatePage
from qe_desktop.ui.scores.comparison_keeper import ComparisonKeeper
from qe_desktop.ui.scores.matrix_pane import MatrixPane
from qe_desktop.ui.scores.panel_table import PanelTable
from qe_desktop.ui.scores.score_keeper import ScoreKeeper
from qe_desktop.ui.scores.situations import AGAIN, OWN, situation
from qe_desktop.ui.scores.working_line import CountingLine
from qe_desktop.wording import tr


class ScorePanel(QWidget):
    """The same keepers as the Scores area, in 300 pixels."""

    def __init__(self, scores: ScoreKeeper, comparison: ComparisonKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scores = scores
        self._comparison = comparison
        self.table = PanelTable(scores, comparison, panel_metrics(scores.workspace.level, comparison.metric), self)
        self.matrix = MatrixPane(comparison, self, small=True, longest=12)
        self._working = CountingLine(scores, self)
        self._page = StatePage(self, icon="scores", centred=True)
        self._page.asked.connect(self._on_asked)
        alone = tr("With a second system, this is where it shows which is better.")
        self._alone = Label(alone, token="muted", wraps=True)
        self._alone.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._lay_out()
        scores.reset.connect(self._on_reset)
        comparison.changed.connect(self._on_compared)
        self.setAccessibleName(tr("Scores"))
        self.setFocusProxy(self.table)
        self._on_reset()

    def _lay_out(self) -> None:
        matrix = Placed(self.matrix, 1)
        content = holding(column_of(self._working, self.table, Space(8), matrix, Placed(self._alone, 1), gap=8))
        self._body = QStackedWidget()
        self._body.addWidget(self._page)
        self._body.addWidget(content)
        column_of(self._body, on=self, margins=8)

    def _on_reset(self) -> None:
        now = situation(self._scores)
        if now is not None:
            # opening is offered elsewhere in the window; here is only what concerns this corpus
            buttons = tuple(button for button in now.buttons if button in (OWN, AGAIN))
            self._page.show_situation(Situation(now.title, now.text, buttons, now.icon))
        self._body.setCurrentIndex(0 if now is not None else 1)
        several = len(self._scores.layers) > 1
        self.matrix.setVisible(several)
        self._alone.setVisible(not several)
        self._fit_table()

    def _on_compared(self) -> None:
        self.table.scores_model.set_metrics(panel_metrics(self._scores.workspace.level, self._comparison.metric))

    def _on_asked(self, what: str) -> None:
        if what == OWN.name:
            self._scores.workspace.own_layer()
        elif what == AGAIN.name:
            self._scores.run()

    def _fit_table(self) -> None:
        line = self.fontMetrics().height()
        below = self.matrix.minimumSizeHint().height() + 3 * line if self.matrix.isVisibleTo(self) else 0
        limit = max(min(self.height() * 2 // 5, self.height() - below), line * 6)
        self.table.setFixedHeight(min(self.table.natural_height(), limit))

    def event(self, event: QEvent) -> bool:
        """Share the height anew."""
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange):
            self._fit_table()
        return handled


def panel_metrics(level: Level, chosen: str) -> list[Metric]:
    """The metric looked at, and one beside it."""
    other = level.main if chosen == level.beside else level.beside
    return [level.metrics[name] for name in (chosen, other) if name in level.metrics]
