"""Base class of background results shown on the pages of the Scores area."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.significance import SignificanceOptions
from qe_desktop.ui.jobs import Job, Progress
from qe_desktop.ui.scores.significance.significance_service import RERUN_DELAY_MS, SignificanceService

ServiceResult = TypeVar("ServiceResult")
JobResult = TypeVar("JobResult")


class ResultService(QObject, Generic[ServiceResult]):
    """A background result. States: empty, waiting (the user must start it), working, ready, failed.

    `found` remains while another result is computed; `error` is the last failure. Subclasses call `_want` when an input
    changes, decide in `_look` whether to start automatically, and implement `run`.
    """

    changed = Signal()
    """State, result, selection or progress changed."""

    def __init__(self, comparison: SignificanceService) -> None:
        super().__init__(comparison)
        self.comparison, self.workspace = comparison, comparison.workspace
        self.state = "empty"
        self.found: ServiceResult | None = None
        self.stale = False
        """Whether the data were edited since the result."""
        self.progress, self.progress_text = 0.0, ""
        self.error: QeError | None = None
        self._watched, self._due = False, True
        self._job: Job | None = None

    @property
    def options(self) -> SignificanceOptions:
        """Correction, alpha, trials, seed and unit of the area."""
        return self.comparison.options

    def about(self) -> str:
        """Text of the progress line."""
        return self.progress_text or tr("starting")

    # --- when it is made

    def set_watched(self, watched: bool) -> None:
        """Set whether the result is visible."""
        self._watched = watched
        self._look()

    def _want(self) -> None:
        self._due = True
        self._look()

    def _look(self) -> None:
        """Run if pending, visible and small."""
        raise NotImplementedError

    def _once_edits_pause(self, action: Callable[[], object]) -> QTimer:
        """Timer started by each edit; runs `action` when edits pause."""
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(RERUN_DELAY_MS)
        timer.timeout.connect(action)
        return timer

    # --- making it

    def run(self) -> None:
        """Run regardless of duration."""
        raise NotImplementedError

    def _begin(
        self, name: str, key: str, work: Callable[[Progress], JobResult], done: Callable[[JobResult], object]
    ) -> None:
        """Run in a job that replaces an earlier one."""
        self.state, self.progress, self.progress_text = "working", 0.0, ""
        self._job = self.workspace.jobs.submit(
            name,
            work,
            done,
            self._on_failed,
            self._on_progress,
            on_cancelled=self._on_cancelled,
            latest=key,
            owner=self,
            computing=True,
        )
        self.changed.emit()

    def cancel(self) -> None:
        """Cancel the job; the previous result remains."""
        if self._job is not None:
            self.workspace.jobs.cancel(self._job)

    def _cancel_quietly(self) -> None:
        # superseded work is not a cancellation by the user
        job, self._job = self._job, None
        if job is not None:
            job.on_cancelled = None
            self.workspace.jobs.cancel(job)

    def _on_progress(self, fraction: float, text: str) -> None:
        self.progress, self.progress_text = fraction, text
        self.changed.emit()

    def _take(self, result: ServiceResult) -> None:
        self.found, self.state, self.error, self._job = result, "ready", None, None
        self.changed.emit()

    def _on_failed(self, error: QeError) -> None:
        self.state, self.error, self._job = "failed", error, None
        self.changed.emit()

    def _on_cancelled(self) -> None:
        self.state, self._job = "waiting", None
        self.changed.emit()
