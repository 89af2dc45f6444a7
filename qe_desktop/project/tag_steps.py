"""Edits of tags as steps that can be taken back."""

from __future__ import annotations

from collections.abc import Callable

from qe_desktop.project.edits import Change
from qe_desktop.project.events import EditRow
from qe_desktop.project.review_desk import ReviewDesk
from qe_desktop.project.step_counter import NEVER, Order
from qe_desktop.project.tagging import Tagging


class TagSteps:
    """What one did to tags, the last first (`taking_back.Undoable`); `tell` keeps a row and says a text."""

    def __init__(self, tagging: Tagging, tell: Callable[[EditRow, str], Change]) -> None:
        self._tagging = tagging
        self._tell = tell

    @property
    def undo_order(self) -> Order:
        """Where what undo would take back stands among all steps."""
        return self._tagging.undo_order

    @property
    def redo_order(self) -> Order:
        """The same of the taking back of what redo would make again."""
        return self._tagging.redo_order

    @property
    def undo_text(self) -> str:
        """What undo would take back, or nothing."""
        return self._tagging.undo_text

    @property
    def redo_text(self) -> str:
        """What redo would make again, or nothing."""
        return self._tagging.redo_text

    def undo(self, done: str, left: str) -> Change | None:
        """Take the last edit back where it still holds."""
        return self._stepped(self._tagging.undo(), done, left)

    def redo(self, done: str, left: str) -> Change | None:
        """Make it again."""
        return self._stepped(self._tagging.redo(), done, left)

    def _stepped(self, row: EditRow | None, done: str, left: str) -> Change | None:
        return None if row is None else self._tell(row, done if row.places else left)

    def forget_undone(self) -> None:
        """What was taken back cannot be made again."""
        self._tagging.forget_undone()


def only_after_the_last_edit(tagging: Tagging, reviewing: ReviewDesk) -> None:
    """Of what a project says was taken back, only what was so after the last edit of either kind can be made again."""
    if reviewing.last_edit != NEVER:
        if reviewing.redo_order != NEVER:
            reviewing.forget_undone_before(tagging.last_edit_order())
        tagging.forget_undone_before(reviewing.last_edit)
