"""Brings the keepers' values to a table of scores, once for each change: no paint meets a half-told one."""

from __future__ import annotations

from PySide6.QtCore import QObject

from qe_desktop.ui.scores.comparison_keeper import ComparisonKeeper
from qe_desktop.ui.scores.score_keeper import ScoreKeeper
from qe_desktop.ui.scores.score_model import ScoreModel


class ScoreFeed(QObject):
    """Lives as long as its model."""

    def __init__(self, model: ScoreModel, scores: ScoreKeeper, comparison: ComparisonKeeper) -> None:
        super().__init__(model)
        self._model = model
        self._scores = scores
        self._comparison = comparison
        scores.reset.connect(self._on_reset)
        scores.moved.connect(self._on_moved)
        comparison.changed.connect(self._on_compared)
        self._on_compared()
        self._on_reset()

    def _on_reset(self) -> None:
        self._model.show_scores(self._scores.scored())

    def _on_moved(self) -> None:
        self._model.show_moved(self._scores.scored())

    def _on_compared(self) -> None:
        self._model.show_looked(self._comparison.looked())
