"""Propagation controller: applies a confirmed target to segments with the same source, or offers to do so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer

from qe_desktop.corpus import QeError, ReviewStatus, View
from qe_desktop.corpus.columns import Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import ReviewField
from qe_desktop.project.review.propagation import (
    IdenticalSegments,
    check_propagation,
    describe_elsewhere,
    find_identical_segments,
)
from qe_desktop.project.review.review_edits import FieldsBySegment
from qe_desktop.project.review.review_log import ReviewFields
from qe_desktop.project.segment_filter import SegmentQuery
from qe_desktop.ui.action_registry import ActionRegistry, display_shortcut
from qe_desktop.ui.inspect.postedit.post_edit_controller import PostEditController
from qe_desktop.ui.shell.notice_slot import NoticeSlot
from qe_desktop.ui.shell.notices import KEEP_OPEN, Message

APPLY_TO_ALL, APPLY_TO_OPEN, SHOW = "inspect.equal-all", "inspect.equal-open", "inspect.equal-show"
MAX_UPDATED_WITH_REPORT = 1_000
"""Maximum number of confirmed segments that are reported immediately, not in the next event-loop iteration."""
ShowQuery = Callable[[SegmentQuery, str], object]


class PropagationController(QObject):
    """Controller that propagates a confirmed target to identical segments and confirms them, or offers to do so.

    `Settings.identical_segments` determines which identical segments are confirmed without asking, as one undo step
    together with the segment that the user confirms. Segments whose notes or rules in the file differ are only offered.
    `show_query` shows segments in the list.
    """

    def __init__(self, controller: PostEditController, show_query: ShowQuery) -> None:
        super().__init__(controller)
        self.workspace, self.controller, self._show_query = controller.workspace, controller, show_query
        self.notices: NoticeSlot | None = None
        """Slot that shows the notices; None if notices are not shown."""
        self._commands: ActionRegistry | None = None
        self._confirmed: tuple[int, str] | None = None
        """Confirmed segment that the notice is about, and the target of this segment; None without a notice."""
        self._reported_segment = 0
        """First segment that the notice reports as confirmed; the segment in `_confirmed` if there is only an offer."""
        self._propagated_segments: tuple[IdenticalSegments, Ints] | None = None
        """Segments identical to the current one, and those confirmed together with it; None if none were."""
        controller.add_identical_segments = self._add_identical_segments
        controller.finished.connect(self._on_finished)
        self.workspace.opened.connect(self._withdraw)
        self.workspace.changed.connect(self._on_change)

    def connect_actions(self, commands: ActionRegistry) -> None:
        """Connect the commands for identical segments."""
        self._commands = commands
        commands.connect_to(APPLY_TO_ALL, self.apply)
        commands.connect_to(APPLY_TO_OPEN, partial(self.apply, only_open=True))
        commands.connect_to(SHOW, self.show_identical)

    # --- when a segment is confirmed

    def _add_identical_segments(self, segment: int, fields: ReviewFields) -> FieldsBySegment:
        """Return `fields` for `segment` and, depending on the setting, fields that confirm identical segments.

        Fields for identical segments are added only if `fields` confirms `segment`.
        """
        self._propagated_segments = None
        view, choice = self.controller.view, self.workspace.settings.identical_segments
        if view is None or choice == "ask" or fields.get(ReviewField.STATUS) != ReviewStatus.CONFIRMED:
            return {segment: fields}
        line = fields.get(ReviewField.TARGET, view.target(segment))
        line = line if isinstance(line, str) else view.corpus.target_line(segment)
        identical = find_identical_segments(view, segment, line)
        # the other identical segments are offered afterwards
        selected = identical.automatic_segments(only_open=choice == "open")
        if not len(selected):
            return {segment: fields}
        try:
            checked = check_propagation(view, {segment: fields}, selected, line)
        except QeError:
            # the segment is checked alone, and identical segments are offered
            return {segment: fields}
        self._propagated_segments = identical, selected
        return checked

    def _on_finished(self, segment: int) -> None:
        propagated, self._propagated_segments = self._propagated_segments, None
        view = self.controller.view
        if propagated is not None:
            self._report(*propagated, with_others=True)
        elif view is not None and view.status(segment) is ReviewStatus.CONFIRMED:
            self._show_offer(view, find_identical_segments(view, segment))
        else:
            self._withdraw()

    def _show_offer(self, view: View, identical: IdenticalSegments) -> None:
        selected = identical.segments_to_change()
        is_excluded = self.workspace.settings.identical_segments == "open" and not len(identical.untouched)
        if not len(selected) or is_excluded:
            self._withdraw()
            return
        segment, apply = identical.segment, self._apply_from_notice
        text = tr("Apply to {n:,} {n:segment|segments}", "", len(selected))
        buttons: list[tuple[str, Callable[[], object]]] = [
            (self._with_key(text, APPLY_TO_ALL), partial(apply, segment))
        ]
        if len(identical.untouched) and len(identical.edited):
            text = tr("Apply only to {n:,} open {n:segment|segments}", "", len(identical.untouched))
            buttons.append((self._with_key(text, APPLY_TO_OPEN), partial(apply, segment, only_open=True)))
        buttons.append((tr("Show in the list"), partial(self.show_identical, segment)))
        details = describe_elsewhere(view.corpus, identical, selected)
        message = Message(
            _offer_text(identical, selected), advice=_unchanged_text(identical), details=details, buttons=tuple(buttons)
        )
        self._show(view, segment, segment, message)

    def _report(self, identical: IdenticalSegments, chosen: Ints, *, with_others: bool = False) -> None:
        """Report the confirmed segments `chosen`; `with_others` adds an offer for identical segments that remain."""
        view, segment = self.controller.view, identical.segment
        if view is None:
            return
        message = Message(_report_text(identical, chosen), details=describe_elsewhere(view.corpus, identical, chosen))
        if with_others:
            message = self._with_offer(view, segment, message)
        self._show(view, segment, int(chosen[0]), message)

    def _with_offer(self, view: View, segment: int, message: Message) -> Message:
        """Return `message` with an offer to change the identical segments whose notes or rules differ, if any."""
        only_open = self.workspace.settings.identical_segments == "open"
        equal = find_identical_segments(view, segment)
        identical = equal.segments_to_change(only_open=only_open)
        if not len(identical):
            return message
        text, command = tr("Apply to {n:,} {n:segment|segments}", "", len(identical)), APPLY_TO_ALL
        if only_open:
            text, command = tr("Apply only to {n:,} open {n:segment|segments}", "", len(identical)), APPLY_TO_OPEN
        apply = partial(self._apply_from_notice, segment, only_open=only_open)
        return replace(
            message,
            advice=_others_text(identical),
            details=(*message.details, *describe_elsewhere(view.corpus, equal, identical)),
            buttons=(
                (self._with_key(text, command), apply),
                (tr("Show in the list"), partial(self.show_identical, segment)),
            ),
        )

    def _show(self, view: View, segment: int, reported: int, message: Message) -> None:
        self._withdraw()
        self._confirmed, self._reported_segment = (segment, view.target(segment)), reported
        if self.notices is not None:
            self.notices.show(message)

    def _with_key(self, text: str, command: str) -> str:
        keys = [] if self._commands is None else self._commands.keys(command)
        return tr("{text} ({key})", text=text, key=display_shortcut(keys[0])) if keys else text

    def _on_change(self) -> None:
        """Remove the notice after a change that invalidates it, such as undo."""
        view = self.controller.view
        if self._confirmed is None or view is None:
            return
        segment, line = self._confirmed
        confirmed = {view.status(segment), view.status(self._reported_segment)} == {ReviewStatus.CONFIRMED}
        if not confirmed or view.target(segment) != line:
            self._withdraw()

    def _withdraw(self) -> None:
        self._confirmed = None
        if self.notices is not None:
            self.notices.remove_messages()

    # --- commands

    def apply(self, segment: int | None = None, *, only_open: bool = False) -> None:
        """Apply the target of a confirmed segment to identical segments and confirm them, as one undo step.

        By default, `segment` is the current segment or, if that is not confirmed, the segment of the notice.
        Identical segments are confirmed only if they are open or, unless `only_open` is true, edited. If there are
        none, or if `segment` is not confirmed, a message is shown instead.
        """
        controller = self.controller
        controller.flush()
        view, segment = controller.view, self._segment() if segment is None else segment
        if view is None:
            return
        if view.status(segment) is not ReviewStatus.CONFIRMED:
            controller.message_posted.emit(
                tr("Confirm segment {number:,} first; then apply its target to identical segments", number=segment + 1)
            )
            return
        identical = find_identical_segments(view, segment)
        selected = identical.segments_to_change(only_open=only_open)
        if not len(selected):
            controller.message_posted.emit(
                tr("Segment {number:,} has no open identical segments", number=segment + 1) if only_open
                else tr("Segment {number:,} has no open or edited identical segments", number=segment + 1)
            )  # fmt: skip
        elif (
            self.workspace.attempt(lambda: self._confirm_segments(view, identical, selected))
            and controller.segment in selected
        ):
            # the target that was being edited is confirmed now
            controller.step(1)

    def _confirm_segments(self, view: View, identical: IdenticalSegments, chosen: Ints) -> None:
        checked = check_propagation(view, {}, chosen, view.target(identical.segment))
        if self.controller.set_checked(checked):
            # typed text is stored by now, so the next undo reverts this step
            self.controller.history.clear()
            report = partial(self._report, identical, chosen)
            if len(chosen) > MAX_UPDATED_WITH_REPORT:
                QTimer.singleShot(0, self, report)
            else:
                report()

    def _apply_from_notice(self, segment: int, *, only_open: bool = False) -> None:
        self.apply(segment, only_open=only_open)
        self.controller.restore_focus()

    def show_identical(self, segment: int | None = None) -> object:
        """Show `segment` and all segments with the same source in the list; the notice stays open.

        The default of `segment` is the same as in `apply`.
        """
        self.controller.flush()
        view, segment = self.controller.view, self._segment() if segment is None else segment
        if view is not None:
            self.workspace.go_to(segment)
            query = SegmentQuery(listed_segments=tuple(find_identical_segments(view, segment).all_segments().tolist()))
            self._show_query(query, tr("same source as segment {number:,}", number=segment + 1))
        return KEEP_OPEN

    def _segment(self) -> int:
        """Return the current segment if it is confirmed or there is no notice, otherwise the segment of the notice."""
        view, current = self.controller.view, self.workspace.segment
        if self._confirmed is None or view is None or view.status(current) is ReviewStatus.CONFIRMED:
            return current
        return self._confirmed[0]


def _offer_text(identical: IdenticalSegments, chosen: Ints) -> str:
    number, elsewhere = identical.segment + 1, identical.count_elsewhere(chosen)
    if elsewhere:
        return tr(
            "Segment {number:,} is confirmed. Apply its target to {n:,} identical {n:segment|segments}"
            " ({elsewhere:,} in another context)?",
            "", len(chosen), number=number, elsewhere=elsewhere,
        )  # fmt: skip
    return tr(
        "Segment {number:,} is confirmed. Apply its target to {n:,} identical {n:segment|segments}?",
        "", len(chosen), number=number,
    )  # fmt: skip


def _report_text(identical: IdenticalSegments, chosen: Ints) -> str:
    number, elsewhere = identical.segment + 1, identical.count_elsewhere(chosen)
    if elsewhere:
        return tr(
            "{n:,} identical {n:segment|segments} confirmed with the target of segment {number:,}"
            " ({elsewhere:,} in another context); undo reverts all changes",
            "", len(chosen), number=number, elsewhere=elsewhere,
        )  # fmt: skip
    return tr(
        "{n:,} identical {n:segment|segments} confirmed with the target of segment {number:,}"
        "; undo reverts all changes",
        "", len(chosen), number=number,
    )  # fmt: skip


def _others_text(identical: Ints) -> str:
    return tr(
        "{n:,} more identical {n:segment has a different note, context or rule|segments have different notes, "
        "contexts or rules} in the file.",
        "", len(identical),
    )  # fmt: skip


def _unchanged_text(identical: IdenticalSegments) -> str:
    if not len(identical.finished):
        return ""
    return tr(
        "{n:,} confirmed, rejected or locked {n:segment|segments} with the same source will not be changed.",
        "", len(identical.finished),
    )  # fmt: skip
