"""Keeps the study of post-editing up to date beside the window: made in a job while somebody looks."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer, Signal

from qe_desktop.corpus import QeError
from qe_desktop.project import Change
from qe_desktop.project.worked import works_of
from qe_desktop.report.post_editing import PostEditingReport
from qe_desktop.studies.post_editing.edited import Compared, Pair
from qe_desktop.studies.post_editing.known import Known
from qe_desktop.studies.post_editing.reviewed import KnownTexts, reviewed_in
from qe_desktop.studies.post_editing.study import study_post_editing
from qe_desktop.ui.jobs import Job, Progress
from qe_desktop.ui.scores.comparison_keeper import PAUSE, ComparisonKeeper
from qe_desktop.wording import tr


class PostEditingKeeper(QObject):
    """`found` is the last study, which stays while another one is made; `error` says why there is none.

    `system` is what is looked at; the seed is that of the Scores area.
    """

    changed = Signal()
    """Study, error, system, or whether one is being made, are other ones."""

    def __init__(self, comparison: ComparisonKeeper) -> None:
        super().__init__(comparison)
        self.comparison, self.workspace = comparison, comparison.workspace
        self.found: PostEditingReport | None = None
        self.error: QeError | None = None
        self.working = False
        self.fraction = 0.0
        self.late = False
        """Whether something was edited since the study that is there."""
        self._system = ""
        self._seed = comparison.options.seed
        self._begun = 0.0
        self._watched = False
        self._job: Job | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._look)
        self.workspace.opened.connect(self._on_opened)
        self.workspace.changed.connect(self._on_change)
        comparison.changed.connect(self._on_compared)
        self._due = True
        self._forget()

    def _forget(self) -> None:
        """Nothing is known of segments yet; later, an edit has its own counted anew and no others."""
        self._texts, self._edits = KnownTexts(), Known[Pair, Compared]()

    @property
    def system(self) -> str:
        """The system that is looked at: the one chosen last, else the first."""
        names = [] if self.found is None else [one.name for one in self.found.study.skipping]
        return self._system if self._system in names else next(iter(names), "")

    def look_at(self, system: str) -> None:
        """Look at another system."""
        if system and system != self.system:
            self._system = system
            self.changed.emit()

    def set_watched(self, watched: bool) -> None:
        """Say whether somebody looks."""
        self._watched = watched
        self._look()

    def _on_opened(self) -> None:
        self._cancel()
        self._timer.setInterval(PAUSE)
        self.found, self.error, self.late, self._due = None, None, False, True
        self._forget()
        self._look()
        self.changed.emit()

    def _on_change(self, change: Change) -> None:
        self._due = True
        self._timer.start()
        if self.found is not None and not self.late:
            self.late = True
            self.changed.emit()

    def _on_compared(self) -> None:
        if self.comparison.options.seed != self._seed:
            self._seed = self.comparison.options.seed
            self._due = True
            self._look()

    def _look(self) -> None:
        """Make what is due, if somebody looks."""
        session = self.workspace.session
        if not (self._watched and self._due) or session is None:
            return
        self._due = False
        view, visits, seed = session.view, session.reviewing.visits(), self._seed
        texts, edits = self._texts, self._edits

        def work(progress: Progress) -> PostEditingReport:
            reviewed = reviewed_in(view, known=texts)
            return PostEditingReport(
                study_post_editing(reviewed, works_of(visits), seed=seed, watch=progress.report, known=edits)
            )

        self.working, self.fraction, self._begun = True, 0.0, time.monotonic()
        self._job = self.workspace.jobs.submit(
            tr("Post-editing"), work, self._on_done, self._on_failed, self._on_progress,
            on_cancelled=self._on_cancelled, latest="post-editing", owner=self,
        )  # fmt: skip
        self.changed.emit()

    def again(self) -> None:
        """Make it anew."""
        self._due = True
        self._look()

    def cancel(self) -> None:
        """Stop; the last study stays."""
        if self._job is not None:
            self.workspace.jobs.cancel(self._job)

    def _cancel(self) -> None:
        # what is no longer asked for is no person's cancelling
        job, self._job, self.working = self._job, None, False
        if job is not None:
            job.on_cancelled = None
            self.workspace.jobs.cancel(job)

    def _on_progress(self, fraction: float, text: str) -> None:
        self.fraction = fraction
        self.changed.emit()

    def _on_done(self, found: PostEditingReport) -> None:
        self.found, self.error, self.working, self._job, self.late = found, None, False, None, self._due
        # what takes long is made once hands have rested for as long
        self._timer.setInterval(max(PAUSE, round(1000 * (time.monotonic() - self._begun))))
        self.changed.emit()

    def _on_failed(self, error: QeError) -> None:
        # nothing is reviewed any more: the last figures are of nothing that is there
        self.found, self.error, self.working, self._job = None, error, False, None
        self.changed.emit()

    def _on_cancelled(self) -> None:
        self.working, self._job = False, None
        self.changed.emit()
