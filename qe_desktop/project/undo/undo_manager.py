"""One order of all that a person can take back: tags, what was reviewed, and layers that came or went."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from qe_desktop.i18n.messages import tr
from qe_desktop.project.edits import SessionChange

StepOrder = tuple[int, float]
"""A step's number; and its time, for rows of 0, which were kept before steps had numbers."""
NO_STEP: StepOrder = (-1, -1.0)
"""Before all steps."""
MAX_STEP = 2**53
"""More than all people together make."""


class NumberedRow(Protocol):
    """A row with the number of the step that made it, and its time."""

    @property
    def step(self) -> int:
        """Its number."""
        ...

    @property
    def at(self) -> float:
        """Unix time by the clock of a computer, which may be set back, and stand still for two steps."""
        ...


def step_order(row: NumberedRow | None) -> StepOrder:
    """Where a row stands among those of one person; `NEVER` for none."""
    return NO_STEP if row is None else (row.step, row.at)


class StepCounter:
    """Numbers steps, each above all numbers that it gave or heard of: those of a project, and of other windows."""

    def __init__(self, newest: int = 0, rows: Iterable[NumberedRow] = ()) -> None:
        self._newest = newest
        self.hear(rows)

    def next(self) -> int:
        """The number of a step that is made now."""
        self._newest = min(self._newest + 1, MAX_STEP - 1)
        return self._newest

    def hear(self, rows: Iterable[NumberedRow]) -> None:
        """Other rows have come: what is done from now on comes after them."""
        self._newest = max([self._newest, *(row.step for row in rows)])


class Undoable(Protocol):
    """Something whose steps can be taken back, and made again."""

    @property
    def undo_order(self) -> StepOrder:
        """Where what undo would take back stands among all steps."""
        ...

    @property
    def redo_order(self) -> StepOrder:
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

    def undo(self, done: str, left: str) -> SessionChange | None:
        """Take the last step back; `done` says it, `left` where somebody else has set it since."""
        ...

    def redo(self, done: str, left: str) -> SessionChange | None:
        """Make it again."""
        ...

    def forget_undone(self) -> None:
        """What was taken back cannot be made again."""
        ...


class UndoManager:
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

    def undo(self) -> SessionChange | None:
        """Take the last step back where it still holds; None where there is none."""
        text = self.undo_text
        left = tr("Undo: {text} – somebody else has changed it since, so it stays as it is", text=text)
        return self._last.undo(tr("Undo: {text}", text=text), left) if text else None

    def redo(self) -> SessionChange | None:
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
