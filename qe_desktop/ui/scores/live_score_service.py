"""Service for the scores of the open data, which are computed in the background and then updated after every edit."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal

from qe_desktop.corpus import LayerKey, QeError
from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import Scoring
from qe_desktop.project import LiveScores, Session, SessionChange
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.score_values import ScoreTableState
from qe_desktop.ui.workspace import Workspace

SCORES_JOB = "scores"
"""Key of the job that computes the scores; a new job replaces a running job with the same key."""


class LiveScoreService(QObject):
    """Service for live scores of the current level.

    `state` is "empty", "working", "ready" or "failed"; `error` is the reason for a failure.
    """

    reset = Signal()
    """Emitted when the systems or the state changed, for example because new scores are ready."""
    scores_changed = Signal()
    """Emitted when an edit changed the scores; `differences` has the changes of each metric's scores."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.workspace = workspace
        self.state = "empty"
        self.error: QeError | None = None
        self.live: LiveScores | None = None
        self._session: Session | None = None
        self.values: dict[str, Floats] = {}
        self.differences: dict[str, Floats] = {}
        workspace.opened.connect(self.run)
        workspace.level_changed.connect(self.run)
        workspace.reference_changed.connect(self.run)
        workspace.changed.connect(self._on_change)

    @property
    def layers(self) -> list[LayerKey]:
        """Scored layers, in the order of the scores in `values`; empty if nothing is scored."""
        return self.live.layers if self.live is not None else []

    @property
    def reference(self) -> LayerKey | None:
        """Gold layer that the scored layers are compared with; None if there is none."""
        return self.live.reference if self.live is not None else None

    def scoring(self) -> Scoring | None:
        """Return the current scoring; None if nothing is scored."""
        view = self.workspace.view
        return None if self.live is None or view is None else self.live.scoring(view)

    def snapshot(self) -> ScoreTableState:
        """Return a snapshot of the scores for models and painters."""
        live = self.live
        if live is None:
            return ScoreTableState()
        view = self.workspace.view
        other_names = {} if view is None else live.level.other_names(view)
        totals = {name: rows.copy() for name, rows in (live.totals or {}).items()}
        return ScoreTableState(
            live.level, tuple(live.layers), dict(self.values), dict(self.differences), totals, self.state == "ready",
            other_names,
        )  # fmt: skip

    def run(self) -> None:
        """Start computing all scores from scratch in the background."""
        view, before = self.workspace.view, self._score_inputs()
        self.differences, self.error = {}, None
        self._session = self.workspace.session
        self.live = LiveScores(self.workspace.level) if view is not None else None
        self.workspace.jobs.cancel(SCORES_JOB)
        ready = self.live is not None and view is not None and self.live.start(view, self.workspace.reference)
        if self._score_inputs() != before:
            # the same systems at another threshold keep their scores until new ones are ready
            self.values = {}
        if self.live is None or not ready:
            self.values, self.state = {}, "empty"
            self.reset.emit()
            return
        self.state = "working"
        live = self.live

        def count(progress: Progress) -> tuple[LiveScores, Any]:
            return live, live.count(progress.report)

        self.workspace.jobs.submit(
            tr("Scores"), count, self._on_counted, self._on_failed,
            on_cancelled=lambda: self._on_cancelled(live), latest=SCORES_JOB, owner=self, computing=True,
        )  # fmt: skip
        self.reset.emit()

    def _score_inputs(self) -> tuple[Session | None, LayerKey | None, list[LayerKey], str]:
        return self._session, self.reference, self.layers, "" if self.live is None else self.live.level.tokenizer

    def _on_counted(self, result: tuple[LiveScores, Any]) -> None:
        live, totals = result
        view = self.workspace.view
        if live is not self.live or view is None:
            return
        live.finish(totals, view)
        self.values = _values(live)
        self.state = "ready"
        self.reset.emit()

    def _on_failed(self, error: QeError) -> None:
        self.state, self.error = "failed", error
        self.reset.emit()

    def _on_cancelled(self, live: LiveScores) -> None:
        if live is self.live:
            self._on_failed(QeError(tr("scoring was cancelled"), hint=tr("Select “Run again” to compute the scores.")))

    def _on_change(self, change: SessionChange) -> None:
        if change.affects_all_views or (self.live is not None and self.live.needs_recount(change)):
            self.run()
        elif (
            self.live is not None and self.workspace.view is not None and self.live.update(change, self.workspace.view)
        ):
            before = self.values
            self.values = _values(self.live)
            self.differences = {name: values - before[name] for name, values in self.values.items()}
            self.scores_changed.emit()


def _values(live: LiveScores) -> dict[str, Floats]:
    return {metric.name: live.scores(metric) for metric in live.metrics}
