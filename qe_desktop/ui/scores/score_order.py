"""Order of the systems by score in the Inspect area, where systems that are being compared come first."""

from __future__ import annotations

from PySide6.QtCore import QObject

from qe_desktop.corpus import LayerKey, Provenance
from qe_desktop.project import Session
from qe_desktop.ui.scores.live_score_service import LiveScoreService
from qe_desktop.ui.scores.significance.significance_service import SignificanceService

OrderKey = tuple[Session | None, str, LayerKey | None, tuple[LayerKey, ...]]
"""Session, level, gold and systems that an order applies to."""


class ScoreOrder(QObject):
    """Order of systems by the current metric, determined when scores against the gold are first ready.

    Later edits do not change the order. If the user edits anything before the scores are ready, the order is not set.
    """

    def __init__(self, scores: LiveScoreService, comparison: SignificanceService) -> None:
        super().__init__(scores)
        self._scores, self._comparison = scores, comparison
        self._key: OrderKey | None = None
        self._undo_text: str | None = None
        """Undo text of the session when `_key` was set, to detect edits; None once the scores are ready."""
        scores.reset.connect(self._on_reset)
        self._on_reset()

    def _on_reset(self) -> None:
        session, gold = self._scores.workspace.session, self._scores.reference
        if session is None or gold is None or gold.provenance is not Provenance.GOLD:
            # a closed session must not be kept alive
            self._key = self._undo_text = None
            return
        systems = tuple(key for key in self._scores.layers if key.provenance is Provenance.SYSTEM)
        key = session, self._scores.workspace.level.name, gold, systems
        if key != self._key:
            self._key, self._undo_text = key, session.undo_text
        if self._scores.state == "ready" and self._undo_text is not None:
            is_edited, self._undo_text = session.undo_text != self._undo_text, None
            if not is_edited:
                self._scores.workspace.set_score_order(self._names())

    def _names(self) -> tuple[str, ...]:
        """Return the names of the systems, best first."""
        scored, level = self._scores.snapshot(), self._scores.workspace.level
        metric = level.metrics.get(self._comparison.metric) or level.metrics[level.main_metric]
        order = scored.order(metric.name, descending=metric.better > 0)
        return tuple(scored.layers[row].name for row in order if scored.layers[row].provenance is Provenance.SYSTEM)
