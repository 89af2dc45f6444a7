"""What both tables of scores are: the keepers' values, told once for each change, and the metric looked at."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QWidget

from qe_desktop.metrics import Metric
from qe_desktop.ui.parts.flat_table import FlatTable
from qe_desktop.ui.scores.comparison_keeper import ComparisonKeeper
from qe_desktop.ui.scores.score_keeper import ScoreKeeper
from qe_desktop.ui.scores.score_model import ScoreModel
from qe_desktop.wording import tr


class ScoreTable(FlatTable):
    """A `ScoreModel` as a flat table; Enter on a value looks at its metric. Subclasses say which metrics have a column.

    The model is told before anything else hears of a change: no paint meets a half-told one.
    """

    def __init__(
        self,
        scores: ScoreKeeper,
        comparison: ComparisonKeeper,
        parent: QWidget | None = None,
        *,
        with_interval: bool = True,
    ) -> None:
        self._scores, self._comparison, self._settings = scores, comparison, scores.workspace.settings
        self.scores_model = model = ScoreModel(self.shown_metrics(), with_interval=with_interval)
        model.decimals = self._settings.decimals
        model.show_looked(comparison.looked())
        model.show_scores(scores.scored())
        super().__init__(model, self._settings, tr("Scores of the systems"), parent)
        scores.reset.connect(self._on_reset)
        scores.moved.connect(self._on_moved)
        comparison.changed.connect(self._on_compared)
        self._settings.changed.connect(self._on_setting)
        self.entered_cell.connect(self._look_at)

    def shown_metrics(self) -> list[Metric]:
        """The metrics that have a column, as things are now."""
        raise NotImplementedError

    def _on_reset(self) -> None:
        self.scores_model.show_scores(self._scores.scored())

    def _on_moved(self) -> None:
        self._on_reset()
        self.flash.start()

    def _on_compared(self) -> None:
        self.scores_model.show_looked(self._comparison.looked())
        self.scores_model.set_metrics(self.shown_metrics())

    def _on_setting(self, key: str) -> None:
        if key == "view/decimals":
            self.scores_model.set_decimals(self._settings.decimals)
            self.fit()

    def _look_at(self, index: QModelIndex) -> None:
        metric = self.scores_model.metric(index.column())
        if metric is not None and metric.name != self._comparison.metric:
            self._comparison.set_metric(metric.name)
