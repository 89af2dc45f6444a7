"""Undo and redo stacks of one person: rows stored in a project, and rows made since."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import LayerKey
from qe_desktop.project.edited_columns import EditColumns
from qe_desktop.project.events import EditAction, EditRow

Rows = NDArray[np.int64]


class UndoStack:
    """Stack of new rows on top of row numbers (`numbers`) of a stored history.

    An entry is the row that set the tags: edits and redos can be undone, and undos can be redone. Stored rows are
    loaded only when they reach the top, so that a million of them need only one array.
    """

    def __init__(self, kept: EditColumns | None, numbers: Rows) -> None:
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
        """Numbers of the next `count` stored rows."""
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


def _undo_and_redo_rows(kept: EditColumns | None, person: str) -> tuple[Rows, Rows]:
    """Rows that a person can undo, and rows that can be redone, the next one last.

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
