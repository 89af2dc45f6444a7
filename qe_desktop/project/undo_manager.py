"""Undo stacks of one person, and the common order of tag edits, review steps, and added or removed layers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

import numpy as np

from qe_desktop.corpus import LayerKey
from qe_desktop.corpus.columns import Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.project.edits import EditColumns, SessionChange
from qe_desktop.project.events import EditAction, EditRow

StepOrder = tuple[int, float]
"""Position among all steps: step number, then Unix time, which orders old rows without a step number (0)."""
NO_STEP: StepOrder = (-1, -1.0)
"""Position that sorts before all steps, and stands for no step."""
MAX_STEP = 2**53
"""Upper limit of step numbers (exclusive)."""


class NumberedRow(Protocol):
    """Row of tag or review edits, with a step number and a time."""

    @property
    def step(self) -> int:
        """Number of the step that the row belongs to; 0 in rows stored before steps were numbered."""

    @property
    def at(self) -> float:
        """Unix time according to the client's clock; it may stay the same or decrease from row to row."""


def step_order(row: NumberedRow | None) -> StepOrder:
    """Return the sort key of a row among the rows of one person; `NO_STEP` for None."""
    return NO_STEP if row is None else (row.step, row.at)


class StepCounter:
    """Counter of steps; each new step number is higher than all numbers that were issued or recorded before."""

    def __init__(self, last: int = 0, rows: Iterable[NumberedRow] = ()) -> None:
        self._last = last
        self.record_rows(rows)

    def next(self) -> int:
        """Return the number for a new step, at most `MAX_STEP` - 1."""
        self._last = min(self._last + 1, MAX_STEP - 1)
        return self._last

    def record_rows(self, rows: Iterable[NumberedRow]) -> None:
        """Record the step numbers of `rows`, such as those from other clients; new steps get higher numbers."""
        self._last = max([self._last, *(row.step for row in rows)])


class Undoable(Protocol):
    """Undo stack for one kind of step, with its redo history."""

    @property
    def undo_order(self) -> StepOrder:
        """Position, among all steps, of the step that the next undo reverts; `NO_STEP` if there is none."""

    @property
    def redo_order(self) -> StepOrder:
        """Position, among all steps, of the undo that the next redo reverts; `NO_STEP` if there is none."""

    @property
    def undo_text(self) -> str:
        """Description of the step that the next undo reverts; empty if there is none."""

    @property
    def redo_text(self) -> str:
        """Description of the step that the next redo restores; empty if there is none."""

    def undo(self, message: str, left: str) -> SessionChange | None:
        """Undo the last step; return the change, or None if there is nothing to undo.

        The text of the change is `message`, or `left` if no part of the step could be undone because none is still in
        effect.
        """

    def redo(self, message: str, left: str) -> SessionChange | None:
        """Redo the last undone step; return the change, or None if there is nothing to redo.

        The text of the change is `message`, or `left` if no part of the step could be redone.
        """

    def forget_undone(self) -> None:
        """Clear the redo history."""


class UndoManager:
    """Manager that undoes or redoes the latest step of several undo stacks."""

    def __init__(self, sources: Sequence[Undoable]) -> None:
        self._sources = sources

    def record_step(self, source: Undoable) -> None:
        """Record a new step on the stack `source`: clear the redo history of all other stacks."""
        for stack in self._sources:
            if stack is not source:
                stack.forget_undone()

    @property
    def undo_text(self) -> str:
        """Description of the step that the next undo reverts; empty if there is none."""
        return self._undo_source.undo_text

    @property
    def redo_text(self) -> str:
        """Description of the step that the next redo restores; empty if there is none."""
        return self._redo_source.redo_text

    @property
    def undo_order(self) -> StepOrder:
        """Position, among all steps, of the step that the next undo reverts; `NO_STEP` if there is none."""
        return self._undo_source.undo_order

    @property
    def redo_order(self) -> StepOrder:
        """Position, among all steps, of the undo that the next redo reverts; `NO_STEP` if there is none."""
        return self._redo_source.redo_order

    def undo(self) -> SessionChange | None:
        """Undo the last step; return the change, or None if there is nothing to undo.

        Values that were changed after that step, by the user or by others, stay as they are.
        """
        text = self.undo_text
        left = tr("Undo: {text} – not undone: changed in the meantime by another user or in another window", text=text)
        return self._undo_source.undo(tr("Undo: {text}", text=text), left) if text else None

    def redo(self) -> SessionChange | None:
        """Redo the last undone step; return the change, or None if there is nothing to redo."""
        text = self.redo_text
        left = tr("Redo: {text} – not redone: changed in the meantime by another user or in another window", text=text)
        return self._redo_source.redo(tr("Redo: {text}", text=text), left) if text else None

    @property
    def _undo_source(self) -> Undoable:
        return max(self._sources, key=lambda stack: stack.undo_order)

    @property
    def _redo_source(self) -> Undoable:
        return max(self._sources, key=lambda stack: stack.redo_order)


class UndoStack:
    """Stack of rows that can be undone, or of rows that can be redone: new rows on top of stored rows.

    Rows of edits and redos can be undone; rows of undos can be redone. `numbers` are the row numbers of the stored rows
    in `stored`. Whole stored rows are loaded only when they reach the top, so a million of them need only one array.
    """

    def __init__(self, stored: EditColumns | None, numbers: Ints) -> None:
        self._stored = stored
        self._numbers = numbers
        self._rows: list[EditRow] = []

    def top(self) -> EditRow | int | None:
        """Return the top entry: a new row, or the row number of a stored row; None if the stack is empty."""
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
        """Remove all entries of `layer`."""
        self._rows = [row for row in self._rows if row.layer != layer]
        if self._stored is not None and layer in self._stored.layers:
            self._numbers = self._numbers[self._stored.layer[self._numbers] != self._stored.layers.index(layer)]

    def retain_top(self, predicate: Callable[[int], bool]) -> None:
        """Remove the topmost stored entry whose row number fails `predicate`, and all stored entries below it."""
        start = len(self._numbers)
        while start and predicate(int(self._numbers[start - 1])):
            start -= 1
        self._numbers = self._numbers[start:]

    def top_numbers(self, count: int) -> list[int]:
        """Return the row numbers of up to `count` stored entries from the top of the stack, the topmost last."""
        return [int(number) for number in self._numbers[-count:]]


def positions_set_by_others(stored: EditColumns, row: int) -> set[int]:
    """Return the positions that other people set, after a stored row, in the segment and layer of that row."""
    later = slice(row + 1, None)
    same_segment = (stored.segment[later] == stored.segment[row]) & (stored.layer[later] == stored.layer[row])
    later_rows = np.flatnonzero(same_segment & (stored.author[later] != stored.author[row])) + row + 1
    return {int(position) for number in later_rows for position in stored.of_row(int(number))[0]}


def edited_positions(stored: EditColumns, layer: LayerKey, segment: int) -> Iterator[tuple[int, str]]:
    """Yield the position and author of each tag that was set in a segment of a layer, in the order of the edits."""
    if layer in stored.layers:
        for row in np.flatnonzero((stored.segment == segment) & (stored.layer == stored.layers.index(layer))).tolist():
            for position in stored.of_row(row)[0].tolist():
                yield position, stored.authors[stored.author[row]]


def undo_stacks(stored: EditColumns | None, person: str) -> tuple[UndoStack, UndoStack]:
    """Return the undo stack and the redo stack of a person, built from the stored edits."""
    undoable, undone = _undo_and_redo_rows(stored, person)
    return UndoStack(stored, undoable), UndoStack(stored, undone)


def last_edit_number(stored: EditColumns | None, person: str) -> int | None:
    """Return the row number of a person's last edit (not undo or redo) in `stored`; None if there is none."""
    if stored is None or person not in stored.authors:
        return None
    own_edits = np.flatnonzero((stored.author == stored.authors.index(person)) & (stored.action == EditAction.EDIT))
    return int(own_edits[-1]) if len(own_edits) else None


def _undo_and_redo_rows(stored: EditColumns | None, person: str) -> tuple[Ints, Ints]:
    """Return the numbers of the rows that a person can undo, and of the rows that the person can redo.

    In both arrays, the next row to undo or redo is last. For each edit, only the person's last row counts: an UNDO row
    can be redone, an EDIT or REDO row can be undone. Edits undone before the person's last edit cannot be redone.
    """
    no_rows = np.zeros(0, np.int64)
    if stored is None or person not in stored.authors:
        return no_rows, no_rows
    own_rows = np.flatnonzero(stored.author == stored.authors.index(person))
    is_edit = stored.action[own_rows] == EditAction.EDIT
    edited_row = np.where(is_edit, own_rows, stored.refers[own_rows])
    last = np.full(len(stored), -1, np.int64)
    is_known = edited_row >= 0
    np.maximum.at(last, edited_row[is_known], own_rows[is_known])
    latest = np.sort(last[last >= 0])
    undone = stored.action[latest] == EditAction.UNDO
    edited = own_rows[is_edit]
    since = latest > (edited[-1] if len(edited) else -1)
    return latest[~undone], latest[undone & since]
