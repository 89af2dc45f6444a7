"""Common undo order of tag edits, review steps and added or removed layers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from qe_desktop.i18n.messages import tr
from qe_desktop.project.edits import SessionChange

StepOrder = tuple[int, float]
"""Step number, then time (for rows with step number 0, which were stored before steps were numbered)."""
NO_STEP: StepOrder = (-1, -1.0)
"""Sorts before all steps."""
MAX_STEP = 2**53
"""Upper limit of step numbers (exclusive)."""


class NumberedRow(Protocol):
    """A row with its step number and time."""

    @property
    def step(self) -> int:
        """Step number."""
        ...

    @property
    def at(self) -> float:
        """Unix time of the client's clock, which may go back or stand still."""
        ...


def step_order(row: NumberedRow | None) -> StepOrder:
    """Sort key of a row among one person's rows; `NO_STEP` for None."""
    return NO_STEP if row is None else (row.step, row.at)


class StepCounter:
    """Generator of step numbers, each above all numbers issued or seen (in the project or from other clients)."""

    def __init__(self, newest: int = 0, rows: Iterable[NumberedRow] = ()) -> None:
        self._newest = newest
        self.hear(rows)

    def next(self) -> int:
        """Number of a new step."""
        self._newest = min(self._newest + 1, MAX_STEP - 1)
        return self._newest

    def hear(self, rows: Iterable[NumberedRow]) -> None:
        """Record the step numbers of other rows; new steps are numbered after them."""
        self._newest = max([self._newest, *(row.step for row in rows)])


class Undoable(Protocol):
    """An undo stack."""

    @property
    def undo_order(self) -> StepOrder:
        """Position of the next undo among all steps; `NO_STEP` if there is none."""
        ...

    @property
    def redo_order(self) -> StepOrder:
        """Position among all steps of the undo that the next redo reverts; `NO_STEP` if there is none."""
        ...

    @property
    def undo_text(self) -> str:
        """Description of the next undo; empty if there is none."""
        ...

    @property
    def redo_text(self) -> str:
        """Description of the next redo; empty if there is none."""
        ...

    def undo(self, done: str, left: str) -> SessionChange | None:
        """Undo the last step; the message is `done`, or `left` if another user has changed it since."""
        ...

    def redo(self, done: str, left: str) -> SessionChange | None:
        """Redo the last undone step; the message is as for `undo`."""
        ...

    def forget_undone(self) -> None:
        """Clear the redo history."""
        ...


class UndoManager:
    """Dispatcher of undo and redo to the stack that was used last."""

    def __init__(self, sources: Sequence[Undoable]) -> None:
        self._sources = sources

    def done(self, source: Undoable) -> None:
        """Record a step, which clears the redo history of the other stacks."""
        for stack in self._sources:
            if stack is not source:
                stack.forget_undone()

    @property
    def undo_text(self) -> str:
        """Description of the next undo; empty if there is none."""
        return self._last.undo_text

    @property
    def redo_text(self) -> str:
        """Description of the next redo; empty if there is none."""
        return self._next.redo_text

    def undo(self) -> SessionChange | None:
        """Undo the last step at positions where it is still in effect; None if there is none."""
        text = self.undo_text
        left = tr("Undo: {text} – not undone: changed by another user since", text=text)
        return self._last.undo(tr("Undo: {text}", text=text), left) if text else None

    def redo(self) -> SessionChange | None:
        """Redo the last undone step; None if there is none."""
        text = self.redo_text
        left = tr("Redo: {text} – not redone: changed by another user since", text=text)
        return self._next.redo(tr("Redo: {text}", text=text), left) if text else None

    @property
    def _last(self) -> Undoable:
        return max(self._sources, key=lambda stack: stack.undo_order)

    @property
    def _next(self) -> Undoable:
        return max(self._sources, key=lambda stack: stack.redo_order)
