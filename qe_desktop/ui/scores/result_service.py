"""What the pages of the Scores area show: the latest that was found, kept up to date by jobs beside the window."""

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
    """`state` is empty (there is nothing to be found), waiting (a person begins it), working, ready or failed.

    `found` stays while another one is made, and `error` says why the last could not be. Subclasses connect what it
    depends on, `_want` another one when that is another, say in `_look` whether it is made by itself, and `run`.
    """

    changed = Signal()
    """State, what was found, what was chosen or progress are other ones."""

    def __init__(self, comparison: SignificanceService) -> None:
        super().__init__(comparison)
        self.comparison, self.workspace = comparison, comparison.workspace
        self.state = "empty"
        self.found: ServiceResult | None = None
        self.stale = False
        """Whether edits came since."""
        self.progress, self.progress_text = 0.0, ""
        self.error: QeError | None = None
        self._watched, self._due = False, True
        self._job: Job | None = None

    @property
    def options(self) -> SignificanceOptions:
        """Correction, alpha, rounds, seed and unit, as in the whole area."""
        return self.comparison.options

    def about(self) -> str:
        """What is being done, for the line of progress."""
        return self.progress_text or tr("starting")

    # --- when it is made

    def set_watched(self, watched: bool) -> None:
        """Say whether somebody looks."""
        self._watched = watched
        self._look()

    def _want(self) -> None:
        self._due = True
        self._look()

    def _look(self) -> None:
        """Make what is due, if somebody looks and it does not take long."""
        raise NotImplementedError

    def _once_edits_pause(self, action: Callable[[], object]) -> QTimer:
        """What is started with each edit, and does something when they pause."""
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(RERUN_DELAY_MS)
        timer.timeout.connect(action)
        return timer

    # --- making it

    def run(self) -> None:
        """Make it now, however long it takes."""
        raise NotImplementedError

    def _begin(
        self, name: str, key: str, work: Callable[[Progress], JobResult], done: Callable[[JobResult], object]
    ) -> None:
        """Make it in a job, which takes the place of one that was asked for before."""
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
        """Stop; what was found last stays."""
        if self._job is not None:
            self.workspace.jobs.cancel(self._job)

    def _cancel_quietly(self) -> None:
        # what is no longer asked for is no person's cancelling
        job, self._job = self._job, None
        if job is not None:
            job.on_cancelled = None
            self.workspace.jobs.cancel(job)

    def _on_progress(self, fraction: float, text: str) -> None:
        self.progress, self.progress_text = fraction, text
        self.changed.emit()

    def _take(self, found: ServiceResult) -> None:
        self.found, self.state, self.error, self._job = found, "ready", None, None
        self.changed.emit()

    def _on_failed(self, error: QeError) -> None:
        self.state, self.error, self._job = "failed", error, None
        self.changed.emit()

    def _on_cancelled(self) -> None:
        self.state, self._job = "waiting", None
        self.changed.emit()
