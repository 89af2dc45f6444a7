"""Find and replace in targets; “Replace all” is one undo step, and so is each single replacement."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from qe_desktop.corpus import View
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.project.events import ReviewField
from qe_desktop.project.review.find_replace import (
    SearchResult,
    SearchText,
    TargetMatch,
    count_settled,
    find_all,
    next_match,
    replacements,
)
from qe_desktop.project.review.review_edits import CheckedFields, check_all_fields
from qe_desktop.ui.inspect.postedit import replace_bar
from qe_desktop.ui.inspect.postedit.post_edit_controller import PostEditController
from qe_desktop.ui.jobs import Progress

JOB = "replace"


class ReplaceController(QObject):
    """Controller that finds and replaces text in the targets of the current, the listed or all segments."""

    def __init__(self, controller: PostEditController) -> None:
        super().__init__(controller)
        self.controller = controller
        self.bar = replace_bar.ReplaceBar()
        self.bar.search_requested.connect(self.count_matches)
        self.bar.find_requested.connect(self.find)
        self.bar.replace_one_requested.connect(self.replace_one)
        self.bar.replace_requested.connect(self.replace)
        self.bar.closed.connect(controller.restore_focus)
        controller.workspace.opened.connect(self._on_opened)
        controller.workspace.changed.connect(self._on_change)
        controller.workspace.segment_changed.connect(lambda segment: self.follow_scope())
        self._is_replacing = False
        self._last_search: tuple[SearchText, Sequence[int]] | None = None
        """Search text and segments of the last search; None if there is no up-to-date result."""
        self._matching_segments: tuple[int, ...] = ()
        """Segments with matches in the last search."""
        self._pending_step = 0
        """Direction (1 or −1) in which to go to a match when the running search ends; 0 to stay."""
        self._read_only_match: TargetMatch | None = None
        """Most recently shown match in a read-only session, in which targets are not opened."""

    def show_bar(self) -> None:
        """Show the bar if there are targets."""
        if self.controller.view is not None:
            self.bar.show_and_focus()

    def _on_opened(self) -> None:
        # a search or replacement must not continue in another file
        self.controller.workspace.jobs.cancel(JOB)
        self._last_search, self._pending_step, self._read_only_match = None, 0, None
        self.bar.hide()

    def follow_scope(self) -> None:
        """Search again if the bar is visible and the segments in its scope have changed since the last search."""
        view = self.controller.view
        if view is None or self.bar.isHidden() or self._last_search is None:
            return
        if self._last_search[1] != self._segments(view):
            self._last_search = None
            self.bar.schedule_search()

    def _on_change(self) -> None:
        """Search again after an edit or undo: soon if the bar is visible, otherwise when it is next shown."""
        if self._is_replacing:
            return
        if self.bar.isVisible():
            self.bar.schedule_search()
        else:
            self._last_search = None

    def _set(self, fields: CheckedFields) -> bool:
        self._is_replacing = True
        try:
            return self.controller.set_checked(fields)
        finally:
            self._is_replacing = False

    def _segments(self, view: View) -> Sequence[int]:
        match self.bar.scope.currentData():
            case replace_bar.SEGMENT:
                return [self.controller.workspace.segment]
            case replace_bar.ALL:
                return range(view.corpus.size)
            case _:
                listed: list[int] = self.controller.listed_segments().tolist()
                return listed

    def count_matches(self) -> None:
        """Count the matches in the background."""
        self._pending_step = 0
        self.controller.flush()
        view, query = self.controller.view, self.bar.search_text
        if view is None or not query.text:
            self.controller.workspace.jobs.cancel(JOB)
            self.bar.show_search_result(None)
            return
        segments = self._segments(view)

        def work(progress: Progress) -> SearchResult:
            return find_all(view, segments, query, progress.report)

        def done(result: SearchResult) -> None:
            self._last_search, self._matching_segments = (query, segments), result.segments
            self.bar.show_search_result(result)
            step, self._pending_step = self._pending_step, 0
            if step and not self.bar.isHidden():
                self.find(step)

        jobs = self.controller.workspace.jobs
        jobs.submit(tr("Searching targets"), work, done, latest=JOB, owner=self)

    # --- one match

    def find(self, step: int = 1) -> None:
        """Open the target with the next match (`step` 1) or the previous one (−1), and select the match.

        In a read-only session, only go to the segment of the match. If the bar is hidden, it is shown. If the
        matches are not known yet, the match is selected when the search ends.
        """
        if self.bar.isHidden():
            self.show_bar()
        self.controller.flush()
        view, query = self.controller.view, self.bar.search_text
        if view is None or not query.text:
            return
        segments = self._segments(view)
        if len(segments) > 1 and self._last_search != (query, segments):
            self.bar.search_now()
            self._pending_step = step
            return
        # edits may have changed which segments match, so the current segment is always searched
        match = next_match(view, segments, self._matching_segments, query, self._selected_match(), step)
        if match is not None:
            self._show(match)
            if match.wrapped:
                self.bar.show_status(
                    tr("End reached; continued at the first match")
                    if step > 0
                    else tr("Start reached; continued at the last match")
                )

    def _selected_match(self) -> TargetMatch:
        """Return the selection in the open target as a match.

        If the target of the current segment is not open, return the match shown most recently in this segment (in a
        read-only session) or, without one, an empty match at the start of the target.
        """
        segment = self.controller.workspace.segment
        if (
            self.controller.segment is None
            and self._read_only_match is not None
            and self._read_only_match.segment == segment
        ):
            return self._read_only_match
        span = self.controller.panel.edit.selected_span() if self.controller.segment == segment else (0, 0)
        return TargetMatch(segment, *span)

    def _show(self, match: TargetMatch) -> None:
        """Go to the segment of a match and, in a writable session, select the match; a focused bar keeps the focus."""
        controller, workspace = self.controller, self.controller.workspace
        focus = QApplication.focusWidget()
        if workspace.segment != match.segment:
            workspace.segment_requested.emit(match.segment)
        self._read_only_match = match
        if workspace.session is not None and not workspace.session.read_only:
            self._read_only_match = None
            controller.open()
            controller.panel.edit.go_to(match.start, match.end)
        if focus is not None and self.bar.isAncestorOf(focus):
            focus.setFocus()

    def replace_one(self) -> None:
        """Replace the selected match, if any, as one undo step, and select the next match."""
        controller, edit, query = self.controller, self.controller.panel.edit, self.bar.search_text
        selected = self._selected_match()
        if controller.segment == selected.segment and selected[1:3] in query.spans(edit.line):
            match = strip_codes(edit.line)[selected.start : selected.end]
            by = query.replacement_of(match, self.bar.replacement_field.text())
            edit.replace_span(selected.start, selected.end, by)
            controller.flush()
            self.bar.clear_undo_history()
            if controller.view is None or controller.view.target(selected.segment) != edit.line:
                # the edit was refused and stays in the editor
                return
        self.find()

    # --- all matches

    def replace(self) -> None:
        """Replace all matches, in the background, as one undo step."""
        self.controller.flush()
        session, view = self.controller.workspace.session, self.controller.view
        query, by = self.bar.search_text, self.bar.replacement_field.text()
        if view is None or not query.text:
            return
        segments = self._segments(view)

        def work(progress: Progress) -> CheckedFields:
            matches = find_all(view, segments, query, lambda fraction: progress.report(fraction / 2))
            lines = replacements(view, matches, query, by)
            targets = {segment: {ReviewField.TARGET: line} for segment, line in lines.items()}
            return check_all_fields(view, targets, lambda fraction: progress.report((1 + fraction) / 2))

        def done(fields: CheckedFields) -> None:
            if session is not self.controller.workspace.session:
                return
            if view is not self.controller.view:
                # there were edits during the job
                self.replace()
            elif self._set(fields):
                segments = [*fields.fields]
                reopened = count_settled(view, segments) - count_settled(self.controller.view, segments)
                self.bar.show_done(_replaced_text(len(segments), reopened))

        jobs = self.controller.workspace.jobs
        jobs.submit(tr("Replacing in targets"), work, done, latest=JOB, owner=self)


def _replaced_text(changed: int, opened: int) -> str:
    """Return a message: how many segments changed, and how many of them are no longer confirmed or rejected."""
    parts = [tr("{n:,} {n:segment|segments} changed", "", changed)]
    if opened:
        parts.append(tr("{n:,} {n:is|are} no longer confirmed or rejected", "", opened))
    return join_localized("; ", [*parts, tr("undo reverts all changes")])
