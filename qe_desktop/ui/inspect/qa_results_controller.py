"""Controller of QA check results: runs checks, updates the list after edits, goes from result to result and exports."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLayout, QStackedWidget, QWidget

from qe_desktop.corpus import Corpus, Kind, QeError, View
from qe_desktop.escaping import escape_label, safe_file_name
from qe_desktop.formats.atomic_write import write_text
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check
from qe_desktop.local_qe.qa_checks.check_results import (
    QaResult,
    checked_segment_count,
    qa_result_position,
    segment_names,
    span_in_target,
    target_qa_results,
    view_qa_results,
)
from qe_desktop.local_qe.qa_checks.placeholders.gettext_check import CHECK as PO_CHECK
from qe_desktop.local_qe.qa_checks.placeholders.gettext_check import PO_FORM
from qe_desktop.project import SessionChange
from qe_desktop.report.qa_results import qa_results_html, qa_results_tsv
from qe_desktop.ui.highlighting.highlighting_settings import CHECK_SETTINGS, CheckSettings
from qe_desktop.ui.inspect.postedit.post_edit_controller import PostEditController
from qe_desktop.ui.inspect.postedit.target_checks import LiveChecks, can_check
from qe_desktop.ui.inspect.postedit.target_diff import SegmentContext
from qe_desktop.ui.inspect.qa_result_panel import (
    NOT_CHECKABLE,
    OUTDATED,
    RUNNING,
    QaResultList,
    QaResultPanel,
    ResultPosition,
    failed_state,
    no_problem_state,
    summary_text,
)
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.widgets.background_export import join_notes, shown_path, submit_export
from qe_desktop.ui.widgets.dialogs import FileDialog, require_suffix
from qe_desktop.ui.widgets.layouts import wrap_layout
from qe_desktop.ui.workspace import Workspace

EXPORT_FILTERS = {"html": tr("HTML page (*.html)"), "tsv": tr("Tab-separated values (*.tsv)")}
"""Filters of the file dialog, by file suffix."""


def ask_and_export_results(
    results: Sequence[QaResult], corpus: Corpus, suffix: str, workspace: Workspace, parent: QWidget,
    unlisted_count: int = 0,
) -> None:  # fmt: skip
    """Ask for a path, and write `results` to this path in the background; `suffix` is "html" or "tsv".

    `unlisted_count` is the number of results that are not listed because of the limit `MAX_RESULTS`.
    """
    settings, title = workspace.settings, tr("QA checks of {name}", name=corpus.name)
    folder = Path(settings.last_folder or corpus.folder or Path.home())
    proposed = folder / f"{safe_file_name(Path(corpus.name).stem, 'results')}.qa.{suffix}"
    selected, _ = FileDialog.getSaveFileName(
        parent, tr("Export QA check results"), str(proposed), EXPORT_FILTERS[suffix], require_suffix(suffix)
    )
    if not selected:
        return
    path = Path(selected)
    settings.last_folder = str(path.parent)
    note = (
        tr("{n:,} more {n:result|results} across all checks {n:is|are} not listed.", "", unlisted_count)
        if unlisted_count
        else ""
    )

    def work(progress: Progress) -> None:
        text = qa_results_html(results, title, note, corpus) if suffix == "html" else qa_results_tsv(results)
        progress.check()
        write_text(path, text)

    def done(_: None, links: Sequence[str]) -> None:
        name = escape_label(path.name)
        written = tr("{file} written: {n:,} QA check {n:result|results}", "", len(results), file=name)
        workspace.file_written.emit(join_notes(written, [note, *links] if note else links), shown_path(path))

    submit_export(workspace.jobs, tr("Export"), work, done, workspace.failed.emit, owner=workspace)


JOB = "qa-results"
MAX_UPDATED_SEGMENTS = 200
"""Maximum number of segments that are checked again on the GUI thread after an edit."""


class QaResultsController(QObject):
    """Controller that shows the QA check results of all current targets in place of the segment list.

    While the results are shown, they are updated immediately after edits of a few segments. Edits of many segments,
    edits while the results are not shown, and changes to checks or word lists make the results out of date until the
    checks run again.
    """

    def __init__(self, workspace: Workspace, controller: PostEditController, checking: LiveChecks) -> None:
        super().__init__(controller)
        self.workspace, self.controller, self.live_checks = workspace, controller, checking
        self.panel = QaResultPanel(workspace.settings)
        self._stack = QStackedWidget()
        self._segment_list: QWidget | None = None
        self._results = QaResultList()
        self._checks: tuple[Check, ...] = ()
        self._without_list: frozenset[str] = frozenset()
        self._is_outdated, self._is_running = True, False
        self._edited_segments: set[int] = set()
        """Segments edited since their results were computed."""
        self._visited_position: ResultPosition | None = None
        """Position of the result that the user visited most recently; None after a move to another row or segment."""
        workspace.opened.connect(self._on_opened)
        workspace.changed.connect(self._on_change)
        workspace.segment_changed.connect(self._on_segment)
        workspace.settings.changed.connect(self._on_setting)
        checking.changed.connect(self._update_edited_segments)
        panel = self.panel
        panel.run_requested.connect(self.run)
        panel.stop_requested.connect(partial(workspace.jobs.cancel, JOB))
        panel.closed.connect(self.close)
        panel.export_requested.connect(self._export)
        panel.current_row_changed.connect(self._show_segment_of_row)
        panel.row_activated.connect(self.go_to_row)

    # --- panel

    def stack_with(self, layout: QLayout, segment_list: QWidget) -> QStackedWidget:
        """Return a stacked widget with `layout`, which contains the segment list, and the panel.

        While the panel is shown, it receives the focus in place of `segment_list`.
        """
        self._segment_list = segment_list
        self._stack.addWidget(wrap_layout(layout))
        self._stack.addWidget(self.panel)
        return self._stack

    @property
    def is_open(self) -> bool:
        """Whether the results are shown instead of the segment list."""
        return self._segment_list is not None and self._stack.currentWidget() is self.panel

    @property
    def is_list_visible(self) -> bool:
        """Whether the results or the segment list are on screen, that is, whether the Inspect area is shown."""
        return self._stack.isVisible()

    def open(self) -> None:
        """Show the results, and run the checks if the results are out of date."""
        if self._segment_list is None:
            return
        self._stack.setCurrentWidget(self.panel)
        self._segment_list.setFocusProxy(self.panel)
        self.panel.setFocus()
        if self._is_outdated and not self._is_running:
            self.run()
        else:
            self._follow_segment()

    def close(self) -> None:
        """Return to the segment list; if the panel had the focus and a target is open, focus the target."""
        if self._segment_list is None or not self.is_open:
            return
        focus = self._stack.window().focusWidget()
        self._segment_list.setFocusProxy(None)  # type: ignore[arg-type]
        self._stack.setCurrentIndex(0)
        if focus is not None and (focus is self.panel or self.panel.isAncestorOf(focus)):
            self.controller.restore_focus()

    # --- running

    def run(self) -> None:
        """Run the checks on all current targets in the background."""
        self.controller.flush()
        view, settings = self.workspace.view, CheckSettings.of(self.workspace.settings)
        if view is None or not can_check(view.corpus):
            self._show_nothing()
            self.panel.show_state(NOT_CHECKABLE)
            return

        def work(progress: Progress) -> tuple[tuple[Check, ...], QaResultList]:
            checks = settings.checks()
            results = QaResultList.of(view_qa_results(view, checks, report=progress.report))
            progress.check()
            return checks, results

        # if the run is cancelled, the previous results lack these edits
        self._is_outdated = self._is_outdated or bool(self._edited_segments)
        self._edited_segments, self._is_running = set(), True
        if not self._results.items:
            self.panel.show_state(RUNNING)
        self.panel.show_progress(0, "")
        self.workspace.jobs.submit(
            tr("QA checks"), work, partial(self._on_checked, settings), self._fail, self.panel.show_progress,
            on_cancelled=self._on_cancelled, latest=JOB, owner=self, computing=True,
        )  # fmt: skip

    def _on_checked(self, settings: CheckSettings, result: tuple[tuple[Check, ...], QaResultList]) -> None:
        (self._checks, self._results), self._without_list = result, settings.checks_without_list
        self._is_outdated, self._is_running, self._visited_position = False, False, None
        self._show()
        self.live_checks.recheck_if_outdated()
        self._update_edited_segments()

    def _fail(self, error: QeError) -> None:
        self._show_nothing()
        self.panel.show_state(failed_state(error))

    def _on_cancelled(self) -> None:
        self._is_running = False
        self._show()
        self._update_edited_segments()

    def _show_nothing(self) -> None:
        self._is_outdated, self._is_running, self._visited_position = True, False, None
        self._results, self._checks, self._edited_segments = QaResultList(), (), set()
        self.panel.show_results(self._results)
        self.panel.show_title("")

    def _show(self) -> None:
        """Show the results or, if there are none, a placeholder that states which checks ran."""
        view, results = self.workspace.view, self._results
        if view is None:
            return
        self.panel.show_results(results)
        if results.items:
            self.panel.show_state(None)
        elif self._is_outdated:
            self.panel.show_state(OUTDATED)
        else:
            files = () if view.corpus.job is None else view.corpus.job.files
            inapplicable = () if any(file.form == PO_FORM for file in files) else (PO_CHECK.name,)
            names = self._checks, self._without_list, inapplicable
            self.panel.show_state(no_problem_state(checked_segment_count(view), *names))
        self.panel.show_title(summary_text(results, outdated=self._is_outdated), outdated=self._is_outdated)
        self._follow_segment()

    # --- changes

    def _on_opened(self) -> None:
        self.workspace.jobs.cancel(JOB)
        self._show_nothing()
        self.close()

    def _on_setting(self, key: str) -> None:
        if key in CHECK_SETTINGS:
            self._mark_outdated()

    def _mark_outdated(self) -> None:
        """Mark the results as out of date; restart a run in progress."""
        was_outdated, self._is_outdated = self._is_outdated, True
        if self._is_running:
            # the running job does not include the change
            self.run()
        elif not was_outdated:
            self._show()

    def _on_change(self, change: SessionChange) -> None:
        if change.affects_review and not change.segments:
            self._mark_outdated()
        elif change.affects_review and (self._is_running or not self._is_outdated):
            self._edited_segments.update(change.segments)
            self._update_edited_segments()

    def _update_edited_segments(self) -> None:
        """Update the results of edited segments once the live checks have processed the edits."""
        if not self._edited_segments or self._is_outdated or self._is_running or self.live_checks.is_running:
            return
        edited, self._edited_segments = self._edited_segments, set()
        self._is_outdated = not (self.is_open and self._update(edited))
        self._show()

    def _update(self, edited: set[int]) -> bool:
        """Update the results of `edited` segments and those with equal sources; return False if all must be checked."""
        current, view = self.live_checks.current, self.workspace.view
        if current is None or view is None or not current.has_same_texts(view):
            return False
        segments = current.affected_segments(edited) if len(edited) <= MAX_UPDATED_SEGMENTS else edited
        if len(segments) > MAX_UPDATED_SEGMENTS or self._results.total > len(self._results.items):
            return False
        names = segment_names(view)
        results = [result for segment in sorted(segments) for result in target_qa_results(current, segment, names)]
        self._results = self._results.with_segments(segments, results)
        return True

    # --- navigation

    def step(self, step: int) -> None:
        """Open the results if they are closed, run the checks if the results are outdated, or go to another result.

        A `step` of 1 goes to the current row if it was not visited yet, otherwise to the next row. A `step` of −1 goes
        to the previous row. Navigation wraps around at the ends of the list.
        """
        if not self.is_open:
            self.open()
            return
        if self._is_running:
            return
        if self._is_outdated:
            self.run()
            return
        count = len(self.panel.listed.items)
        if not count:
            return
        row = self._next_row(step)
        if not 0 <= row < count:
            row %= count
            at_start = tr("End of the QA check results; continued at the first result")
            at_end = tr("Start of the QA check results; continued at the last result")
            self.controller.message_posted.emit(at_start if step > 0 else at_end)
        self.go_to_row(row)

    def _next_row(self, step: int) -> int:
        row = self.panel.current_row
        if row is None:
            row = self.panel.listed.first_row_from((self.workspace.segment,))
            return row if step > 0 else row - 1
        is_visited = qa_result_position(self.panel.listed.items[row]) == self._visited_position
        return row + step if step < 0 or is_visited else row

    def go_to_row(self, row: int) -> None:
        """Open the target of a result with the cursor at the problem; a locked or read-only target is only shown."""
        if self._is_running or row >= len(self.panel.listed.items):
            return
        result = self.panel.listed.items[row]
        # this may update the list
        self.controller.flush()
        view, session = self.workspace.view, self.workspace.session
        if view is None or session is None:
            return
        self._visited_position = qa_result_position(result)
        self.panel.select_row(self.panel.listed.first_row_from(self._visited_position))
        self.workspace.go_to(result.segment)
        if not view.is_locked(result.segment) and not session.read_only:
            self.controller.open()
        if self.controller.segment == result.segment:
            self.controller.panel.edit.go_to(span_in_target(view, result)[0])
        else:
            self._show_word(view, result)

    def _show_segment_of_row(self, row: int) -> None:
        view = self.workspace.view
        if view is None or row >= len(self.panel.listed.items):
            return
        result = self.panel.listed.items[row]
        self._visited_position = None
        self.workspace.go_to(result.segment)
        if self.controller.segment is None and not self._is_outdated:
            self._show_word(view, result)

    def _show_word(self, view: View, result: QaResult) -> None:
        """Move the cursor of the reader to the MT word aligned with the target word at a result."""
        reader = self.controller.reader
        if reader.page is None or reader.page.kind is not Kind.WORDS:
            return
        draft = SegmentContext(view, result.segment).diff_with(view.target(result.segment))
        word = draft.nearest_token(span_in_target(view, result)[0])
        if word is not None:
            reader.go_to_index(word)

    def _on_segment(self) -> None:
        row = self.panel.current_row
        listed = self.panel.listed.items
        if row is None or row >= len(listed) or listed[row].segment != self.workspace.segment:
            self._visited_position = None
            self._follow_segment()

    def _follow_segment(self) -> None:
        """Select the most recently visited result or, if it no longer exists, the result after it.

        If no result in the current segment was visited, select the first result in or after that segment.
        """
        if self.is_open:
            segment = self.workspace.segment
            visited = (
                self._visited_position
                if self._visited_position is not None and self._visited_position[0] == segment
                else None
            )
            self.panel.select_row(self.panel.listed.first_row_from((segment,) if visited is None else visited))

    # --- export

    def _export(self, suffix: str) -> None:
        corpus = self.workspace.corpus
        if corpus is not None:
            left_out = self._results.total - len(self._results.items)
            ask_and_export_results(self.panel.listed.items, corpus, suffix, self.workspace, self.panel, left_out)
