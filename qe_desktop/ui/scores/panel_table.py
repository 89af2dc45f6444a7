"""The score table in a narrow place: names take what the values leave."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QWidget

from qe_desktop.metrics import Metric
from qe_desktop.ui.parts.flat_table import FlatTable
from qe_desktop.ui.parts.table_delegate import PADDING
from qe_desktop.ui.scores.comparison_keeper import ComparisonKeeper
from qe_desktop.ui.scores.figures import score_text
from qe_desktop.ui.scores.score_feed import ScoreFeed
from qe_desktop.ui.scores.score_keeper import ScoreKeeper
from qe_desktop.ui.scores.score_model import NAME, ScoreModel
from qe_desktop.wording import tr

SHORTEST = 10
"""Characters of a name that stay."""


class PanelTable(FlatTable):
    """Two metrics a system, the one looked at with bars; Enter on a value looks at its metric."""

    def __init__(
        self,
        scores: ScoreKeeper,
        comparison: ComparisonKeeper,
        metrics: Sequence[Metric],
        parent: QWidget | None = None,
    ) -> None:
        settings = scores.workspace.settings
        model = ScoreModel(metrics, with_interval=False)
        model.decimals = settings.decimals
        ScoreFeed(model, scores, comparison)
        super().__init__(model, settings, tr("Scores of the systems"), parent)
        self.scores_model = model
        self._comparison = comparison
        self._settings = settings
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        model.moved.connect(self.flash.start)
        settings.changed.connect(self._on_setting)
        self.entered_cell.connect(self._look_at)
        self.fit()

    def _look_at(self, index: QModelIndex) -> None:
        metric = self.scores_model.metric(index.column())
        if metric is not None and metric.name != self._comparison.metric:
            self._comparison.set_metric(metric.name)

    def _on_setting(self, key: str) -> None:
        if key == "view/decimals":
            self.scores_model.set_decimals(self._settings.decimals)
            self.fit()

    def fit_columns(self) -> None:
        """Values as wide as they need, names take the rest."""
        metrics, decimals = self.fontMetrics(), self.scores_model.decimals
        values, room = self.scores_model.columnCount() - 1, self.viewport().width()
        least = metrics.averageCharWidth() * SHORTEST
        alone = metrics.horizontalAdvance(score_text(-0.1, decimals)) + 2 * PADDING
        changed = alone + metrics.horizontalAdvance(f"{score_text(-0.1, decimals + 1)} ")
        # changes are left out before names become unreadable
        value = changed if room - values * changed >= least else max(alone, (room - least) // max(1, values))
        for column in range(1, values + 1):
            self.setColumnWidth(column, value)
        self.setColumnWidth(NAME, max(least, room - values * value))
