"""Steps from the segment whose target is being edited to another segment, whose target is then edited."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtCore import SignalInstance

from qe_desktop.corpus import View
from qe_desktop.corpus.columns import Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.inspect.inspect_view_controller import InspectViewController
from qe_desktop.ui.inspect.postedit.review_queue import ReviewQueue
from qe_desktop.ui.inspect.postedit.target_panel import TargetPanel
from qe_desktop.ui.workspace import Workspace


class EditingController(Protocol):
    """Members of `PostEditController` that steps need."""

    workspace: Workspace
    panel: TargetPanel
    review_queue: ReviewQueue
    segment: int | None
    listed_segments: Callable[[], Ints]

    @property
    def view(self) -> View | None:
        """View of the session; None if there is no target."""

    @property
    def list_focus_requested(self) -> SignalInstance:
        """Signal that requests the focus for the segment list."""

    @property
    def message_posted(self) -> SignalInstance:
        """Signal with a message for the user."""

    def open(self) -> None:
        """Edit the target of the current segment if possible."""

    def close_target(self, *, keep_editor: bool = False) -> None:
        """Stop editing without committing."""

    def flush(self) -> None:
        """Commit pending edits."""

    def refresh(self) -> None:
        """Update the panel for the current segment."""

    def restore_focus(self) -> None:
        """Focus the editor if a target is being edited, otherwise the segment list."""


class SegmentSteps:
    """Steps to other segments; if a target is being edited, the target of the new segment is opened."""

    def __init__(self, controller: EditingController) -> None:
        self._controller = controller
        self.keeps_editor = False
        """Whether the editor stays on screen while the current segment changes."""
        self._stopped_at: int | None = None
        """Segment at which a step closed the target: a locked segment, or the last one that was to be reviewed."""
        self._has_messages = False

    def forget(self) -> None:
        """Forget that a step closed the target; called when the user closes it or goes to another segment."""
        self._stopped_at = None

    def keep_editing(self, go: Callable[[], object]) -> None:
        """Call `go`, which may change the current segment; if a target was open, edit the new segment's target.

        Also do so if the last step closed the target because the segment was locked or no more were to be reviewed.
        """
        controller = self._controller
        controller.flush()
        was_open, stopped_at = controller.segment is not None, self._stopped_at
        was_editing = was_open or stopped_at == controller.workspace.segment
        self.keeps_editor = was_open
        try:
            go()
        finally:
            self.keeps_editor = False
        if was_editing and controller.segment is None:
            self._open()

    def keep_typing(self, go: Callable[[], object]) -> None:
        """Call `go` and keep editing if the editor has the focus; otherwise only call `go`.

        In other widgets, letters are commands; if the editor took the focus, the letters that follow would become text.
        """
        controller = self._controller
        if controller.panel.edit.hasFocus() or self._stopped_at == controller.workspace.segment:
            self.keep_editing(go)
        else:
            go()

    def _open(self) -> None:
        controller = self._controller
        controller.open()
        self._stopped_at = controller.workspace.segment if controller.segment is None else None
        if controller.segment is None:
            controller.panel.show_editing(False)
            controller.list_focus_requested.emit()

    def show_changed(self, segment: int) -> None:
        """Go to a segment that undo or redo changed, and keep editing."""
        self.keep_editing(partial(self._controller.workspace.go_to, segment))

    def show(self, segment: int) -> None:
        """Show a segment in the list, even if filters hide it, and open its target if a target was open."""
        self.keep_editing(partial(self._controller.workspace.segment_requested.emit, segment))
        self._controller.restore_focus()

    def go_to_next(self, *, is_editing: bool, step: int = 1) -> None:
        """Go to the next (`step` 1) or previous (−1) segment to review; without one, stop editing and post a message.

        `is_editing` states whether the target of the current segment is being edited; its text must be committed.
        """
        controller = self._controller
        view = None if controller.view is None else InspectViewController.of(controller.workspace).view
        rows, current = controller.listed_segments(), controller.workspace.segment
        next_segment, texts = None, [tr("No other segments to review in the list")]
        if view is not None:
            controller.review_queue.leave(view, current, step)
            next_segment = controller.review_queue.next(view, rows, current, step)
        if view is not None and next_segment is not None:
            texts = controller.review_queue.step_texts(view, rows, current, next_segment, step)
        if is_editing:
            controller.close_target(keep_editor=next_segment is not None)
        if next_segment is None:
            self._stopped_at = current if is_editing else None
            controller.refresh()
            controller.list_focus_requested.emit()
        if self._has_messages and not texts:
            # the messages of an earlier step are no longer true
            controller.message_posted.emit("")
        self._has_messages = bool(texts)
        for text in texts:
            controller.message_posted.emit(text)
        if next_segment is not None:
            controller.workspace.go_to(next_segment)
            if is_editing:
                self._open()
