"""What one person can take back and make again: what a project has kept of it, and what was done since."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import LayerKey
from qe_desktop.project.edited_columns import EditColumns
from qe_desktop.project.events import EditAction, EditRow

Rows = NDArray[np.int64]


class UndoStack:
    """Entries of which the last one comes first: rows that were made since, over `numbers` of rows of a kept history.

    An entry is the row that set the tags: an edit or a redo can be taken back, an undo made again. Kept rows are looked
    up only when they come to the top, so that a million of them cost an array.
    """

    def __init__(self, kept: EditColumns | None, numbers: Rows) -> None:
        self._kept = kept
        self._numbers = numbers
        self._rows: list[EditRow] = []

    def top(self) -> EditRow | int | None:
        """The entry that comes first: a row, or its number in the kept history; None where there is none."""
        if self._rows:
            return self._rows[-1]
        return int(self._numbers[-1]) if len(self._numbers) else None

    def push(self, row: EditRow) -> None:
        """Put a row on top."""
        self._rows.append(row)

    def pop(self) -> None:
        """Take the top away."""
        if self._rows:
            self._rows.pop()
        else:
            self._numbers = self._numbers[:-1]

    def clear(self) -> None:
        """Forget all."""
        self._rows.clear()
        self._numbers = self._numbers[:0]

    def drop(self, layer: LayerKey) -> None:
        """Forget what was done in a layer that is gone."""
        self._rows = [row for row in self._rows if row.layer != layer]
        if self._kept is not None and layer in self._kept.layers:
            self._numbers = self._numbers[self._kept.layer[self._numbers] != self._kept.layers.index(layer)]

    def keep(self, wanted: Callable[[int], bool]) -> None:
        """Of what was kept, go on with those at the top that are wanted; they were taken back one after the other."""
        kept = len(self._numbers)
        while kept and wanted(int(self._numbers[kept - 1])):
            kept -= 1
        self._numbers = self._numbers[kept:]

    def upcoming(self, count: int) -> list[int]:
        """The numbers of the next kept rows."""
        return [int(number) for number in self._numbers[-count:]]


def changed_by_others(kept: EditColumns, row: int) -> set[int]:
    """The places of a kept row's segment that others have set after it, in the same layer."""
    later = slice(row + 1, None)
    same = (kept.segment[later] == kept.segment[row]) & (kept.layer[later] == kept.layer[row])
    theirs = np.flatnonzero(same & (kept.person[later] != kept.person[row])) + row + 1
    return {int(place) for other in theirs for place in kept.of_row(int(other))[0]}


def edited_positions(kept: EditColumns, layer: LayerKey, segment: int) -> Iterator[tuple[int, str]]:
    """Every place that was set in a segment of a layer and the person who did, in order."""
    if layer in kept.layers:
        for row in np.flatnonzero((kept.segment == segment) & (kept.layer == kept.layers.index(layer))).tolist():
            for place in kept.of_row(row)[0].tolist():
                yield place, kept.people[kept.person[row]]


def undo_stacks(kept: EditColumns | None, person: str) -> tuple[UndoStack, UndoStack]:
    """What a person can take back of a history, and what can be made again."""
    done, undone = _last_of_each(kept, person)
    return UndoStack(kept, done), UndoStack(kept, undone)


def last_edit_number(kept: EditColumns | None, person: str) -> int | None:
    """The number of a person's last edit in a history, but for undo and redo; None where there is none."""
    if kept is None or person not in kept.people:
        return None
    mine = np.flatnonzero((kept.person == kept.people.index(person)) & (kept.action == EditAction.EDIT))
    return int(mine[-1]) if len(mine) else None


def _last_of_each(kept: EditColumns | None, person: str) -> tuple[Rows, Rows]:
    """The rows of a history that a person can take back, and those that can be made again, the next one last.

    What became of an edit is what the last row about it says. What was taken back before the person's last edit cannot
    be made again.
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
