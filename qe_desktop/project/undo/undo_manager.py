"""One order of all that a person can take back: tags, what was reviewed, and layers that came or went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from qe_desktop.project.edits import Change
from qe_desktop.project.step_counter import Order
from qe_desktop.wording import tr


class Undoable(Protocol):
    """Something whose steps can be taken back, and made again."""

    @property
    def undo_order(self) -> Order:
        """Where what undo would take back stands among all steps."""
        ...

    @property
    def redo_order(self) -> Order:
        """The same of the taking back of what redo would make again."""
        ...

    @property
    def undo_text(self) -> str:
        """What undo would take back, or nothing."""
        ...

    @property
    def redo_text(self) -> str:
        """What redo would make again, or nothing."""
        ...

    def undo(self, done: str, left: str) -> Change | None:
        """Take the last step back; `done` says it, `left` where somebody else has set it since."""
        ...

    def redo(self, done: str, left: str) -> Change | None:
        """Make it again."""
        ...

    def forget_undone(self) -> None:
        """What was taken back cannot be made again."""
        ...


class TakingBack:
    """Asks whichever was used last."""

    def __init__(self, sources: Sequence[Undoable]) -> None:
        self._sources = sources

    def done(self, source: Undoable) -> None:
        """Something was done: what was taken back of the others cannot be made again."""
        for other in self._sources:
            if other is not source:
                other.forget_undone()

    @property
    def undo_text(self) -> str:
        """What undo would take back, or nothing."""
        return self._last.undo_text

    @property
    def redo_text(self) -> str:
        """What redo would make again, or nothing."""
        return self._next.redo_text

    def undo(self) -> Change | None:
        """Take the last step back where it still holds; None where there is none."""
        text = self.undo_text
        left = tr("Undo: {text} – somebody else has changed it since, so it stays as it is", text=text)
        return self._last.undo(tr("Undo: {text}", text=text), left) if text else None

    def redo(self) -> Change | None:
        """Make the step again that was taken back last; None where there is none."""
        text = self.redo_text
        left = tr("Redo: {text} – somebody else has changed it since, so it stays as it is", text=text)
        return self._next.redo(tr("Redo: {text}", text=text), left) if text else None

    @property
    def _last(self) -> Undoable:
        return max(self._sources, key=lambda one: one.undo_order)

    @property
    def _next(self) -> Undoable:
        return max(self._sources, key=lambda one: one.redo_order)
