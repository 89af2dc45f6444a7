"""A thin line while scores are counted."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from qe_desktop.ui.parts.progress_bar import WorkingLine
from qe_desktop.ui.scores.score_keeper import ScoreKeeper
from qe_desktop.wording import tr

JOB = "scores"


class CountingLine(WorkingLine):
    """Seen only while counting."""

    def __init__(self, scores: ScoreKeeper, parent: QWidget | None = None) -> None:
        super().__init__(tr("Progress of counting"), tr("Cancel"), parent)
        self._scores = scores
        self._row.addStretch(1)
        self.stopped.connect(self._cancel)
        scores.reset.connect(self.refresh)
        scores.workspace.jobs.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show how far it is."""
        if self._scores.state != "working":
            self.hide()
            return
        job = next((job for job in self._scores.workspace.jobs.running() if job.key == JOB), None)
        self.show_progress(tr("Counting…"), job.fraction if job is not None else 0.0)

    def _cancel(self) -> None:
        self._scores.workspace.jobs.cancel(JOB)
