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

    @property
    def at(self) -> float:
        """Unix time of the client's clock, which may be set back or stop."""


def step_order(row: NumberedRow | None) -> StepOrder:
    """Sort key of a row among one person's rows; `NO_STEP` for None."""
    return NO_STEP if row is None else (row.step, row.at)


class StepCounter:
    """Generator of step numbers, each above all numbers issued or seen (in the project or from other clients)."""

    def __init__(self, last: int = 0, rows: Iterable[NumberedRow] = ()) -> None:
        self._last = last
        self.record_rows(rows)

    def next(self) -> int:
        """Number of a new step, at most `MAX_STEP` - 1."""
        self._last = min(self._last + 1, MAX_STEP - 1)
        return self._last

    def record_rows(self, rows: Iterable[NumberedRow]) -> None:
        """Record the step numbers of other rows; new steps are numbered after them."""
        self._last = max([self._last, *(row.step for row in rows)])


class Undoable(Protocol):
    """Undo stack."""

    @property
    def undo_order(self) -> StepOrder:
        """Position, among all steps, of the step that the next undo reverts; `NO_STEP` if there is none."""

    @property
    def redo_order(self) -> StepOrder:
        """Position, among all steps, of the undo that the next redo reverts; `NO_STEP` if there is none."""

    @property
    def undo_text(self) -> str:
        """Description of the next undo; empty if there is none."""

    @property
    def redo_text(self) -> str:
        """Description of the next redo; empty if there is none."""

    def undo(self, message: str, left: str) -> SessionChange | None:
        """Undo the last step; return the change, or None if there is nothing to undo.

        The message is `message`, or `left` if no part of the step is still in effect.
        """

    def redo(self, message: str, left: str) -> SessionChange | None:
        """Redo the last undone step; the message and the result are as for `undo`."""

    def forget_undone(self) -> None:
        """Clear the redo history."""


class UndoManager:
    """Dispatcher of undo and redo to the stack with the latest step."""

    def __init__(self, sources: Sequence[Undoable]) -> None:
        self._sources = sources

    def record_step(self, source: Undoable) -> None:
        """Record a step, which clears the redo history of the other stacks."""
        for stack in self._sources:
            if stack is not source:
                stack.forget_undone()

    @property
    def undo_text(self) -> str:
        """Description of the next undo; empty if there is none."""
        return self._undo_source.undo_text

    @property
    def redo_text(self) -> str:
        """Description of the next redo; empty if there is none."""
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
        """Undo the last step where it is still in effect; return the change, or None if there is nothing to undo."""
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
    """Stack of new rows on top of row numbers (`numbers`) of a stored history.

    An entry is the row that set the tags: edits and redos can be undone, and undos can be redone. Stored rows are
    loaded only when they reach the top, so that a million of them need only one array.
    """

    def __init__(self, stored: EditColumns | None, numbers: Ints) -> None:
        self._stored = stored
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
        if self._stored is not None and layer in self._stored.layers:
            self._numbers = self._numbers[self._stored.layer[self._numbers] != self._stored.layers.index(layer)]

    def retain_top(self, predicate: Callable[[int], bool]) -> None:
        """Keep, of the stored entries, only the unbroken run at the top for which `predicate` is true."""
        start = len(self._numbers)
        while start and predicate(int(self._numbers[start - 1])):
            start -= 1
        self._numbers = self._numbers[start:]

    def top_numbers(self, count: int) -> list[int]:
        """Numbers of the top `count` stored rows or fewer, the topmost last."""
        return [int(number) for number in self._numbers[-count:]]


def positions_set_by_others(stored: EditColumns, row: int) -> set[int]:
    """Positions of a stored row's segment that others have set later in the same layer."""
    later = slice(row + 1, None)
    same_segment = (stored.segment[later] == stored.segment[row]) & (stored.layer[later] == stored.layer[row])
    later_rows = np.flatnonzero(same_segment & (stored.author[later] != stored.author[row])) + row + 1
    return {int(position) for number in later_rows for position in stored.of_row(int(number))[0]}


def edited_positions(stored: EditColumns, layer: LayerKey, segment: int) -> Iterator[tuple[int, str]]:
    """Yield each position set in a segment of a layer, with its author, in order."""
    if layer in stored.layers:
        for row in np.flatnonzero((stored.segment == segment) & (stored.layer == stored.layers.index(layer))).tolist():
            for position in stored.of_row(row)[0].tolist():
                yield position, stored.authors[stored.author[row]]


def undo_stacks(stored: EditColumns | None, person: str) -> tuple[UndoStack, UndoStack]:
    """Undo and redo stacks of a person from a history."""
    undoable, undone = _undo_and_redo_rows(stored, person)
    return UndoStack(stored, undoable), UndoStack(stored, undone)


def last_edit_number(stored: EditColumns | None, person: str) -> int | None:
    """Number of a person's last edit (not undo or redo) in a history; None if there is none."""
    if stored is None or person not in stored.authors:
        return None
    own_edits = np.flatnonzero((stored.author == stored.authors.index(person)) & (stored.action == EditAction.EDIT))
    return int(own_edits[-1]) if len(own_edits) else None


def _undo_and_redo_rows(stored: EditColumns | None, person: str) -> tuple[Ints, Ints]:
    """Rows that a person can undo, and rows that the person can redo, both with the next one last.

    The last row that refers to an edit determines its state. Rows undone before the person's last edit cannot be
    redone.
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
