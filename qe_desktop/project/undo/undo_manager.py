"""Undo: the stacks of one person, and the common order of tag edits, review steps and added or removed layers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

import numpy as np

from qe_desktop.corpus import LayerKey
from qe_desktop.corpus.columns import Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.project.edited_columns import EditColumns
from qe_desktop.project.edits import SessionChange
from qe_desktop.project.events import EditAction, EditRow

StepOrder = tuple[int, float]
"""Step number, then time (for rows with step number 0, which were stored before steps were numbered)."""
NO_STEP: StepOrder = (-1, -1.0)
"""Position before all steps."""
MAX_STEP = 2**53
"""Upper limit of step numbers (exclusive)."""


class NumberedRow(Protocol):
    """Row with its step number and time."""

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
        """Number of a new step, at most `MAX_STEP` - 1."""
        self._newest = min(self._newest + 1, MAX_STEP - 1)
        return self._newest

    def hear(self, rows: Iterable[NumberedRow]) -> None:
        """Record the step numbers of other rows; new steps are numbered after them."""
        self._newest = max([self._newest, *(row.step for row in rows)])


class Undoable(Protocol):
    """Undo stack."""

    @property
    def undo_order(self) -> StepOrder:
        """Position, among all steps, of the step that the next undo reverts; `NO_STEP` if there is none."""
        ...

    @property
    def redo_order(self) -> StepOrder:
        """Position, among all steps, of the undo that the next redo reverts; `NO_STEP` if there is none."""
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
        """Undo the last step; return the change, or None if there is nothing to undo.

        The message is `done`, or `left` if no part of the step is still in effect.
        """
        ...

    def redo(self, done: str, left: str) -> SessionChange | None:
        """Redo the last undone step; the message and the result are as for `undo`."""
        ...

    def forget_undone(self) -> None:
        """Clear the redo history."""
        ...


class UndoManager:
    """Dispatcher of undo and redo to the stack with the latest step."""

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

    @property
    def undo_order(self) -> StepOrder:
        """Position, among all steps, of the step that the next undo reverts; `NO_STEP` if there is none."""
        return self._last.undo_order

    @property
    def redo_order(self) -> StepOrder:
        """Position, among all steps, of the undo that the next redo reverts; `NO_STEP` if there is none."""
        return self._next.redo_order

    def undo(self) -> SessionChange | None:
        """Undo the last step where it is still in effect; return the change, or None if there is nothing to undo."""
        text = self.undo_text
        left = tr("Undo: {text} – not undone: changed by another user or in another window since", text=text)
        return self._last.undo(tr("Undo: {text}", text=text), left) if text else None

    def redo(self) -> SessionChange | None:
        """Redo the last undone step; return the change, or None if there is nothing to redo."""
        text = self.redo_text
        left = tr("Redo: {text} – not redone: changed by another user or in another window since", text=text)
        return self._next.redo(tr("Redo: {text}", text=text), left) if text else None

    @property
    def _last(self) -> Undoable:
        return max(self._sources, key=lambda stack: stack.undo_order)

    @property
    def _next(self) -> Undoable:
        return max(self._sources, key=lambda stack: stack.redo_order)


class UndoStack:
    """Stack of new rows on top of row numbers (`numbers`) of a stored history.

    An entry is the row that set the tags: edits and redos can be undone, and undos can be redone. Stored rows are
    loaded only when they reach the top, so that a million of them need only one array.
    """

    def __init__(self, kept: EditColumns | None, numbers: Ints) -> None:
        self._kept = kept
        self._numbers = numbers
        self._rows: list[EditRow] = []

    def top(self) -> EditRow | int | None:
        """Top entry: a row, or its number in the stored history; None if empty."""
        if self._rows:
            return self._rows[-1]
        return int(self._numbers[-1]) if len(self._numbers) else None

    def push(self, row: EditRow) -> None:
        """Push a row."""
        self._rows.append(row)

    def pop(self) -> None:
        """Remove the top entry."""
        if self._rows:
            self._rows.pop()
        else:
            self._numbers = self._numbers[:-1]

    def clear(self) -> None:
        """Remove all entries."""
        self._rows.clear()
        self._numbers = self._numbers[:0]

    def drop(self, layer: LayerKey) -> None:
        """Remove the entries of a removed layer."""
        self._rows = [row for row in self._rows if row.layer != layer]
        if self._kept is not None and layer in self._kept.layers:
            self._numbers = self._numbers[self._kept.layer[self._numbers] != self._kept.layers.index(layer)]

    def keep(self, wanted: Callable[[int], bool]) -> None:
        """Keep, of the stored entries, only the unbroken run at the top for which `wanted` is true."""
        start = len(self._numbers)
        while start and wanted(int(self._numbers[start - 1])):
            start -= 1
        self._numbers = self._numbers[start:]

    def upcoming(self, count: int) -> list[int]:
        """Numbers of the top `count` stored rows or fewer, the topmost last."""
        return [int(number) for number in self._numbers[-count:]]


def changed_by_others(kept: EditColumns, row: int) -> set[int]:
    """Positions of a stored row's segment that others have set later in the same layer."""
    later = slice(row + 1, None)
    same_segment = (kept.segment[later] == kept.segment[row]) & (kept.layer[later] == kept.layer[row])
    later_rows = np.flatnonzero(same_segment & (kept.person[later] != kept.person[row])) + row + 1
    return {int(place) for number in later_rows for place in kept.of_row(int(number))[0]}


def edited_positions(kept: EditColumns, layer: LayerKey, segment: int) -> Iterator[tuple[int, str]]:
    """Yield each position set in a segment of a layer, with its author, in order."""
    if layer in kept.layers:
        for row in np.flatnonzero((kept.segment == segment) & (kept.layer == kept.layers.index(layer))).tolist():
            for place in kept.of_row(row)[0].tolist():
                yield place, kept.people[kept.person[row]]


def undo_stacks(kept: EditColumns | None, person: str) -> tuple[UndoStack, UndoStack]:
    """Undo and redo stacks of a person from a history."""
    done, undone = _undo_and_redo_rows(kept, person)
    return UndoStack(kept, done), UndoStack(kept, undone)


def last_edit_number(kept: EditColumns | None, person: str) -> int | None:
    """Number of a person's last edit (not undo or redo) in a history; None if there is none."""
    if kept is None or person not in kept.people:
        return None
    mine = np.flatnonzero((kept.person == kept.people.index(person)) & (kept.action == EditAction.EDIT))
    return int(mine[-1]) if len(mine) else None


def _undo_and_redo_rows(kept: EditColumns | None, person: str) -> tuple[Ints, Ints]:
    """Rows that a person can undo, and rows that the person can redo, both with the next one last.

    The last row that refers to an edit determines its state. Rows undone before the person's last edit cannot be
    redone.
    """
    none = np.zeros(0, np.int64)
    if kept is None or person not in kept.people:
        return none, none
    mine = np.flatnonzero(kept.person == kept.people.index(person))
    is_edit = kept.action[mine] == EditAction.EDIT
    about = np.where(is_edit, mine, kept.refers[mine])
    last = np.full(len(kept), -1, np.int64)
    known = about >= 0
    np.maximum.at(last, about[known], mine[known])
    latest = np.sort(last[last >= 0])
    undone = kept.action[latest] == EditAction.UNDO
    edited = mine[is_edit]
    since = latest > (edited[-1] if len(edited) else -1)
    return latest[~undone], latest[undone & since]
