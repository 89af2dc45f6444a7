"""Base class of services whose results are computed in the background."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.jobs import Job, Progress
from qe_desktop.ui.workspace import Workspace

ServiceResult = TypeVar("ServiceResult")
JobResult = TypeVar("JobResult")
RERUN_DELAY_MS = 250
"""Milliseconds without an edit before a result is computed again."""


class ResultService(QObject, Generic[ServiceResult]):
    """Base class of services that compute results in the background.

    `state` is empty, waiting (the user must start the work), working, ready or failed.

    `result` remains while a new one is computed; `error` is the last failure. Subclasses implement `run`, and
    `_after_edits` if edits change the result.
    """

    changed = Signal()
    """Emitted when the state, the result or a selection of the subclass has changed."""
    progressed = Signal()
    """Emitted when only the progress has changed."""

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.state = "empty"
        self.result: ServiceResult | None = None
        self.is_data_outdated = False
        """Whether the data changed after the computation of the result began."""
        self.progress, self.progress_text = 0.0, ""
        self.error: QeError | None = None
        self.was_cancelled = False
        """Whether the user cancelled the last computation."""
        self._job: Job | None = None
        self._is_run_pending = True
        self._edits = self._started_at = 0
        self._timer = QTimer(self, singleShot=True, interval=RERUN_DELAY_MS)
        self._timer.timeout.connect(self._after_edits)

    def progress_label(self) -> str:
        """Return the text of the progress line."""
        return self.progress_text or tr("starting")

    @property
    def is_outdated(self) -> bool:
        """Whether the data or, in some subclasses, the options changed after the computation of the result began."""
        return self.result is not None and self.is_data_outdated

    # --- edits

    def _on_edit(self) -> None:
        """Mark the result as outdated; `_after_edits` is called when edits pause."""
        self._edits += 1
        self._timer.start()
        if not self.is_data_outdated and self.result is not None:
            self.is_data_outdated = True
            self.changed.emit()

    def _after_edits(self) -> None:
        """Handle the end of a series of edits."""

    # --- computation

    def run(self) -> None:
        """Start the work, whatever its duration."""
        raise NotImplementedError

    def _begin(
        self, name: str, key: str, work: Callable[[Progress], JobResult], done: Callable[[JobResult], object]
    ) -> None:
        """Run `work` in a background job, which replaces a running job with the same `key`."""
        self.state, self.progress, self.progress_text = "working", 0.0, ""
        self._is_run_pending, self._started_at, self.was_cancelled = False, self._edits, False
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
        job, self._job, self.was_cancelled = self._job, None, False
        if job is not None:
            job.on_cancelled = None
            self.workspace.jobs.cancel(job)

    def _on_progress(self, fraction: float, text: str) -> None:
        self.progress, self.progress_text = fraction, text
        self.progressed.emit()

    def _store_result(self, result: ServiceResult) -> None:
        self.result, self.state, self.error, self._job = result, "ready", None, None
        self.is_data_outdated = self._edits != self._started_at
        self.changed.emit()

    def _on_failed(self, error: QeError) -> None:
        self.state, self.error, self._job = "failed", error, None
        self.changed.emit()

    def _on_cancelled(self) -> None:
        self.state, self._job, self.was_cancelled = self._idle_state(), None, True
        self.changed.emit()

    def _idle_state(self) -> str:
        """Return the state of the service when its job has been cancelled or must be started by the user."""
        return "waiting"
