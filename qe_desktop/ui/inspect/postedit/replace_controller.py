"""Find and replace in targets; the search runs in the background, and all targets are set in one undo step."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject

from qe_desktop.corpus import View
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.project.events import ReviewField
from qe_desktop.project.review.find_replace import SearchResult, count_settled, find_all, replacements
from qe_desktop.project.review.review_edits import CheckedFields, check_all_fields
from qe_desktop.ui.inspect.postedit import replace_bar
from qe_desktop.ui.inspect.postedit.post_edit_controller import PostEditController
from qe_desktop.ui.jobs import Progress

JOB = "replace"


class ReplaceController(QObject):
    """Controller that finds and replaces text in the targets of the segment, the list or the corpus."""

    def __init__(self, controller: PostEditController) -> None:
        super().__init__(controller)
        self.controller = controller
        self.bar = replace_bar.ReplaceBar()
        self.bar.requested.connect(self.look)
        self.bar.replace_wanted.connect(self.replace)
        self.bar.left.connect(controller.back)
        controller.workspace.opened.connect(self.bar.hide)
        controller.workspace.changed.connect(self._on_change)
        self._replacing = False

    def enter(self) -> None:
        """Show the bar if there are targets."""
        if self.controller.view is not None:
            self.bar.enter()

    def _on_change(self) -> None:
        """Search again after an edit or undo."""
        if self.bar.isVisible() and not self._replacing:
            self.bar.ask()

    def _set(self, fields: CheckedFields) -> bool:
        self._replacing = True
        try:
            return self.controller.set_checked(fields)
        finally:
            self._replacing = False

    def _segments(self, view: View) -> Iterable[int]:
        match self.bar.scope.currentData():
            case replace_bar.SEGMENT:
                return [self.controller.workspace.segment]
            case replace_bar.ALL:
                return range(view.corpus.size)
            case _:
                listed: list[int] = self.controller.rows().tolist()
                return listed

    def look(self) -> None:
        """Count the matches in the background."""
        self.controller.flush()
        view, wanted = self.controller.view, self.bar.wanted
        if view is None or not wanted.text:
            self.controller.workspace.jobs.cancel(JOB)
            self.bar.show_found(None)
            return
        segments = self._segments(view)

        def work(progress: Progress) -> SearchResult:
            return find_all(view, segments, wanted, progress.report)

        jobs = self.controller.workspace.jobs
        jobs.submit(tr("Find in targets"), work, self.bar.show_found, latest=JOB, owner=self)

    def replace(self) -> None:
        """Replace all matches as one undo step."""
        self.controller.flush()
        view, wanted, by = self.controller.view, self.bar.wanted, self.bar.by.text()
        if view is None or not wanted.text:
            return
        segments = self._segments(view)

        def work(progress: Progress) -> CheckedFields:
            matches = find_all(view, segments, wanted, lambda fraction: progress.report(fraction / 2))
            lines = replacements(view, matches, wanted, by)
            targets = {segment: {ReviewField.TARGET: line} for segment, line in lines.items()}
            return check_all_fields(view, targets, lambda fraction: progress.report((1 + fraction) / 2))

        def done(fields: CheckedFields) -> None:
            if view is not self.controller.view:
                # the session changed during the job
                self.replace()
            elif self._set(fields):
                segments = [*fields.fields]
                reopened = count_settled(view, segments) - count_settled(self.controller.view, segments)
                self.bar.show_done(_replaced_text(len(segments), reopened))

        jobs = self.controller.workspace.jobs
        jobs.submit(tr("Replace in targets"), work, done, latest=JOB, owner=self)


def _replaced_text(changed: int, opened: int) -> str:
    """Return a message with the numbers of changed segments and of segments to confirm again."""
    parts = [tr("{n:,} {n:segment|segments} changed", "", changed)]
    if opened:
        parts.append(tr("{n:,} no longer confirmed or rejected", "", opened))
    return join_localized("; ", [*parts, tr("one undo step")])
