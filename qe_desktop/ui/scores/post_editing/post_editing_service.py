"""Service that runs the post-editing study in the background while the post-editing page is visible."""

from __future__ import annotations

import time
from collections.abc import Callable

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.project import SessionChange
from qe_desktop.project.review.review_log import recorded_visits
from qe_desktop.report.post_editing import PostEditingReport
from qe_desktop.studies.post_editing.post_editing_study import study_post_editing
from qe_desktop.studies.post_editing.reviewed_segments import (
    Pair,
    RecentCache,
    SegmentEdits,
    TextCache,
    select_reviewed,
)
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.page_controller import PageResultService
from qe_desktop.ui.scores.result_service import RERUN_DELAY_MS
from qe_desktop.ui.scores.significance.significance_service import SignificanceService


class PostEditingService(PageResultService[PostEditingReport]):
    """Service that runs the post-editing study with the random seed of the Scores area."""

    def __init__(self, comparison: SignificanceService) -> None:
        super().__init__(comparison)
        self._system = ""
        self._seed = comparison.options.seed
        self._start_time = 0.0
        self.workspace.opened.connect(self._on_opened)
        self.workspace.changed.connect(self._on_change)
        comparison.changed.connect(self._on_compared)
        self._clear_caches()

    def _clear_caches(self) -> None:
        """Clear the caches, which are kept between runs so that only the edited segment is recomputed after an edit."""
        self._texts, self._segment_edits = TextCache(), RecentCache[Pair, SegmentEdits]()

    @property
    def is_working(self) -> bool:
        """Whether a study is running."""
        return self.state == "working"

    def progress_label(self) -> str:
        """Return the text of the progress line."""
        return tr("Comparing MT and post-edits")

    @property
    def system(self) -> str:
        """Name of the current system: the one selected last, or else the first one; empty if there are no systems."""
        names = [] if self.result is None else [curve.name for curve in self.result.study.skipping]
        return self._system if self._system in names else next(iter(names), "")

    def select_system(self, system: str) -> None:
        """Select another system; if the name is empty, do nothing."""
        if system and system != self.system:
            self._system = system
            self.changed.emit()

    def _on_opened(self) -> None:
        self._cancel_quietly()
        self._timer.setInterval(RERUN_DELAY_MS)
        self.result, self.error, self.is_data_outdated, self.state = None, None, False, "waiting"
        self._clear_caches()
        self._request_run()
        self.changed.emit()

    def _on_change(self, change: SessionChange) -> None:
        self._is_run_pending = True
        self._on_edit()

    def _on_compared(self) -> None:
        if self.comparison.options.seed != self._seed:
            self._seed = self.comparison.options.seed
            self._edits += 1
            self._request_run()

    def _can_run(self) -> bool:
        return self.workspace.session is not None

    def run(self) -> None:
        """Run the study, even if the post-editing page is hidden."""
        work = self.prepare_study()
        if work is None:
            return
        self._start_time = time.monotonic()
        self._begin(tr("Post-editing"), "post-editing", work, self._store_result)

    def prepare_study(self) -> Callable[[Progress], PostEditingReport] | None:
        """Return a function that studies the current post-edits and can run on any thread; None if no data are open."""
        session = self.workspace.session
        if session is None:
            return None
        view, visits, seed = session.view, session.reviewing.visits(), self._seed
        texts, edits = self._texts, self._segment_edits

        def work(progress: Progress) -> PostEditingReport:
            reviewed = select_reviewed(view, cache=texts)
            return PostEditingReport(
                study_post_editing(
                    reviewed, recorded_visits(visits), seed=seed, on_progress=progress.report, cache=edits
                )
            )

        return work

    def _store_result(self, result: PostEditingReport) -> None:
        # after a slow run, the study runs again only if editing pauses for as long as that run took
        self._timer.setInterval(max(RERUN_DELAY_MS, round(1000 * (time.monotonic() - self._start_time))))
        super()._store_result(result)

    def _on_failed(self, error: QeError) -> None:
        # the previous values no longer apply, for example if no segment is reviewed
        self.result = None
        super()._on_failed(error)
