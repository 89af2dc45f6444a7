"""QA checks of targets during post-editing.

Results are highlighted in the target, listed below the editor, and reported when the target is confirmed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from qe_desktop.corpus import Corpus, QeError, ReviewStatus, TextRole
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.local_qe.qa_checks.live_checks import TargetChecks, TargetIssue, checked_segments
from qe_desktop.project import SessionChange
from qe_desktop.ui.highlighting.highlighting_settings import CHECK_SETTINGS, CheckSettings
from qe_desktop.ui.inspect.postedit.post_edit_controller import PostEditController
from qe_desktop.ui.inspect.postedit.target_diff import TargetDiff
from qe_desktop.ui.inspect.postedit.target_editor import TextHighlight
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.settings import HIGHLIGHTS_KEY
from qe_desktop.ui.workspace import Workspace

JOB = "current-checks"
MAX_SYNC_SEGMENTS = 50
"""Maximum number of changed segments to check on the GUI thread; a larger number is checked in the background."""
CODES_CHECK = "codes"
"""Name of the inline code check; during editing, `CodeProblemsBar` shows the problems with inline codes."""


class LiveChecks(QObject):
    """Controller that updates the QA check results of edited segments, and shows the results for the current target."""

    changed = Signal()
    """Emitted when check results have changed or have been discarded."""
    marks_changed = Signal()
    """Emitted when `are_highlighted` changes."""
    remaining_text_changed = Signal(str)
    """Emitted with a message about problems that remain in a segment just confirmed, or "" to clear the message."""

    def __init__(self, workspace: Workspace, controller: PostEditController) -> None:
        super().__init__(controller)
        self.workspace, self.controller = workspace, controller
        self._current: TargetChecks | None = None
        self._pending_segments: set[int] | None = None
        """Segments changed during the background run; None while no run is in progress."""
        self._draft: TargetDiff | None = None
        self._issues: tuple[TargetIssue, ...] = ()
        self._cached_issues: tuple[TargetChecks, int, str, tuple[TargetIssue, ...]] | None = None
        """Checks, segment, line and results for the draft checked last; None if the results may be outdated."""
        self._remaining_text = ""
        self.are_highlighted = False
        """Whether check results are highlighted in the target being edited."""
        workspace.opened.connect(self._on_opened)
        workspace.changed.connect(self._on_change)
        workspace.segment_changed.connect(lambda segment: self._show_remaining(""))
        workspace.settings.changed.connect(self._on_setting)
        controller.review_started.connect(self._on_review_started)
        controller.draft_changed.connect(self._on_draft_changed)
        controller.finished.connect(self._on_finished)
        controller.panel.check_links.result_requested.connect(self._select)
        self._on_opened()

    # --- all segments

    @property
    def is_ready(self) -> bool:
        """Whether the check results of all edited segments are up to date."""
        return self.current is not None

    @property
    def is_running(self) -> bool:
        """Whether segments are being checked in the background; `changed` is emitted afterwards."""
        return self._pending_segments is not None

    @property
    def current(self) -> TargetChecks | None:
        """Up-to-date check results of all edited segments.

        None before the first run, during each run, and after a failed or cancelled run.
        """
        return self._current if self._pending_segments is None else None

    def segments(self) -> NDArray[np.bool_]:
        """Return a mask of the segments with QA check results, shape (segments,); (0,) if nothing is open.

        Before the first run and after a failed or cancelled run, the mask selects the segments in which the command
        "Run checks" tagged a word, gap or source word as BAD.
        """
        view = self.workspace.view
        if self._current is not None:
            return self._current.flagged_segments()
        return np.zeros(0, bool) if view is None else checked_segments(view)

    def recheck_if_outdated(self) -> None:
        """Check all edited segments again if targets have changed since `TargetChecks.conventions` was determined."""
        if self._current is not None and self._current.is_evidence_outdated and not self.is_running:
            self._begin()

    def _on_opened(self) -> None:
        self.workspace.jobs.cancel(JOB)
        self._current, self._pending_segments, self._cached_issues = None, None, None
        self._on_draft_changed(None)
        self._show_remaining("")
        if self.controller.is_reviewing:
            self._begin()

    def _on_review_started(self) -> None:
        if self._current is None and not self.is_running:
            self._begin()

    def _begin(self) -> None:
        """Check all edited segments in the background; on failure, retry without word lists, which may be invalid."""
        view, settings = self.workspace.view, CheckSettings.of(self.workspace.settings)
        if view is None or not can_check(view.corpus):
            return

        def fail(error: QeError) -> None:
            self._fail(error)
            if settings.has_lists:
                self._submit(
                    lambda check_cancelled: TargetChecks(view, settings.without_lists().checks(), check_cancelled),
                    self._fail,
                )

        self._submit(lambda check_cancelled: TargetChecks(view, settings.checks(), check_cancelled), fail)

    def _update_in_background(self, current: TargetChecks, segments: Iterable[int]) -> None:
        """Check `segments` in the background, and replace the results with an updated copy of `current`."""
        view, updated, segments = self.workspace.view, current.copy(), tuple(segments)

        def work(check_cancelled: Callable[[], object]) -> TargetChecks:
            if view is not None:
                updated.update_to_view(view, segments, check_cancelled)
            return updated

        self._submit(work, self._fail)

    def _submit(self, work: Callable[[Callable[[], object]], TargetChecks], fail: Callable[[QeError], object]) -> None:
        self._pending_segments = set()

        def run(progress: Progress) -> TargetChecks:
            return work(lambda: progress.report(0))

        jobs = self.workspace.jobs
        jobs.submit(
            tr("QA checks"), run, self._on_checked, fail, on_cancelled=self._forget, latest=JOB, owner=self,
            computing=True,
        )  # fmt: skip

    def _on_checked(self, current: TargetChecks) -> None:
        pending, self._pending_segments = self._pending_segments or set(), None
        view = self.workspace.view
        if view is None:
            return
        if not current.has_same_texts(view):
            # other texts were added
            self._begin()
        elif len(pending) > MAX_SYNC_SEGMENTS:
            self._update_in_background(current, pending)
        else:
            current.update_to_view(view, pending)
            self._current = current
            self._notify_changed()

    def _forget(self) -> None:
        """Discard the results after a cancelled or failed run."""
        self._current, self._pending_segments = None, None
        self._notify_changed()

    def _fail(self, error: QeError) -> None:
        self._forget()
        self.workspace.failed.emit(error)

    def _on_change(self, change: SessionChange) -> None:
        view, current = self.workspace.view, self._current
        if change.affects_review and change.segments and not change.is_remote:
            self._show_remaining("")
        if view is None:
            return
        changed_segments = change.segments if change.affects_review else ()
        if self._pending_segments is not None:
            self._pending_segments.update(changed_segments)
        elif current is None and self.controller.is_reviewing:
            self._begin()
        if current is None:
            return
        if not current.has_same_texts(view) or (change.affects_review and not changed_segments):
            self._begin()
        elif len(changed_segments) <= MAX_SYNC_SEGMENTS:
            current.update_to_view(view, changed_segments)
            if change.affects_review or change.affects_all_views:
                self._notify_changed()
        elif self._pending_segments is None:
            self._update_in_background(current, changed_segments)

    def _on_setting(self, key: str) -> None:
        if key in CHECK_SETTINGS and (self._current is not None or self._pending_segments is not None):
            self._begin()
        elif key == HIGHLIGHTS_KEY:
            self._show()

    def _notify_changed(self) -> None:
        self._cached_issues = None
        self._on_draft_changed(self._draft)
        self.changed.emit()

    # --- current target

    def _on_draft_changed(self, draft: TargetDiff | None) -> None:
        self._draft = draft
        view, current, typing = self.workspace.view, self._current, self.controller.segment is not None
        issues: tuple[TargetIssue, ...] = ()
        # the first draft of a new corpus may arrive before the results of the previous one are cleared
        is_current = view is not None and current is not None and current.has_same_texts(view)
        if draft is not None and current is not None and is_current and (typing or draft.is_edited):
            issues = self._draft_issues(current, draft.context.segment, draft.line)
            if typing and draft.codes.are_errors:
                issues = tuple(issue for issue in issues if issue.check != CODES_CHECK)
        self._issues = issues
        self._show()

    def _draft_issues(self, current: TargetChecks, segment: int, line: str) -> tuple[TargetIssue, ...]:
        """Return the check results of a draft; they are cached because each cursor move requests them again."""
        if (
            self._cached_issues is None
            or self._cached_issues[0] is not current
            or self._cached_issues[1:3] != (segment, line)
        ):
            self._cached_issues = current, segment, line, current.issues(segment, line)
        return self._cached_issues[3]

    def _show(self) -> None:
        panel, draft = self.controller.panel, self._draft
        marks = () if draft is None else tuple(issue_highlight(issue, draft.text) for issue in self._issues)
        panel.edit.show_check_results(marks if self.workspace.settings.highlights else ())
        marking = bool(self._issues) and self.controller.segment is not None and self.workspace.settings.highlights
        if marking is not self.are_highlighted:
            self.are_highlighted = marking
            self.marks_changed.emit()
        offset = panel.edit.cursor_offset() if self._issues else 0
        # results at the cursor come first
        order = sorted(self._issues, key=lambda issue: not issue.span[0] <= offset <= issue.span[1])
        panel.check_links.show_results(order)

    def _select(self, issue: TargetIssue) -> None:
        """Open the editor, unless the target cannot be edited, and select the words of a check result in it."""
        if self._draft is None:
            return
        mark = issue_highlight(issue, self._draft.text)
        if self.controller.segment is None:
            self.controller.open()
        if self.controller.segment is not None:
            edit = self.controller.panel.edit
            edit.go_to(mark.start, mark.end)
            edit.setFocus()

    def _on_finished(self, segment: int) -> None:
        view = self.workspace.view
        if view is None or self._current is None or view.status(segment) is not ReviewStatus.CONFIRMED:
            return
        issues = self._current.issues(segment, view.target(segment))
        # problems with inline codes are reported on saving
        reasons = dict.fromkeys(issue.reason for issue in issues if issue.check != CODES_CHECK)
        reasons_text = join_localized(" · ", reasons)
        message = tr("Segment {number:,} is confirmed. QA checks: {reasons}", number=segment + 1, reasons=reasons_text)
        self._show_remaining(message if reasons else "")

    def _show_remaining(self, text: str) -> None:
        """Show a message about remaining check results, or clear it if `text` is empty; other messages stay."""
        if text != self._remaining_text:
            self._remaining_text = text
            self.remaining_text_changed.emit(text)


def can_check(corpus: Corpus) -> bool:
    """Return whether a corpus has a source and an MT."""
    texts = corpus.texts
    source = TextRole.SOURCE in texts or TextRole.RAW_SOURCE in texts
    return source and (TextRole.MT in texts or TextRole.RAW_MT in texts)


def issue_highlight(finding: TargetIssue, text: str) -> TextHighlight:
    """Return the highlight of a check result; an empty span is extended to the white space that follows."""
    start, end = finding.span
    if start == end:
        end += len(text[start:]) - len(text[start:].lstrip())
    return TextHighlight(start, end, reason=finding.reason)
