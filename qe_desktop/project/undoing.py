"""What one person can take back and make again: what a project has kept of it, and what was done since."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import LayerKey
from qe_desktop.project.edit_columns import EditColumns
from qe_desktop.project.events import EditAction, EditRow

Rows = NDArray[np.int64]


class Undoing:
    """Two stacks of effects: the last one done is taken back first, the last one taken back is made again first.

    An entry is the row that set the tags: an edit or a redo can be taken back, an undo made again. The entries of a
    kept history are row numbers, looked up only when they come to the top, so that a million of them cost an array.
    """

    def __init__(self, kept: EditColumns | None = None, person: str = "") -> None:
        self._kept = kept
        self._kept_done, self._kept_undone = _stacks(kept, person)
        self._done: list[EditRow] = []
        self._undone: list[EditRow] = []

    def did(self, row: EditRow) -> None:
        """An edit was made; what had been taken back cannot be made again."""
        self._done.append(row)
        self._undone.clear()
        self._kept_undone = self._kept_undone[:0]

    def undid(self, row: EditRow) -> None:
        """The last entry was taken back, by `row`."""
        self._kept_done = _popped(self._done, self._kept_done)
        self._undone.append(row)

    def redid(self, row: EditRow) -> None:
        """The last entry taken back was made again, by `row`."""
        self._kept_undone = _popped(self._undone, self._kept_undone)
        self._done.append(row)

    def last_done(self) -> EditRow | int | None:
        """What would be taken back: a row, or its number in the kept history; None where there is nothing."""
        return _top(self._done, self._kept_done)

    def last_undone(self) -> EditRow | int | None:
        """What would be made again."""
        return _top(self._undone, self._kept_undone)

    def upcoming(self, count: int) -> list[int]:
        """The numbers of the next kept rows on both stacks."""
        return [*self._kept_done[-count:].tolist(), *self._kept_undone[-count:].tolist()]

    def drop(self, layer: LayerKey) -> None:
        """Forget what was done in a layer that is gone."""
        self._done = [row for row in self._done if row.layer != layer]
        self._undone = [row for row in self._undone if row.layer != layer]
        if self._kept is not None and layer in self._kept.layers:
            code = self._kept.layers.index(layer)
            self._kept_done = self._kept_done[self._kept.layer[self._kept_done] != code]
            self._kept_undone = self._kept_undone[self._kept.layer[self._kept_undone] != code]


def set_by_others_since(kept: EditColumns, row: int) -> set[int]:
    """The places of a kept row's segment that others have set after it, in the same layer."""
    later = slice(row + 1, None)
    same = (kept.segment[later] == kept.segment[row]) & (kept.layer[later] == kept.layer[row])
    theirs = np.flatnonzero(same & (kept.person[later] != kept.person[row])) + row + 1
    return {int(place) for other in theirs for place in kept.of_row(int(other))[0]}


def set_in(kept: EditColumns, layer: LayerKey, segment: int) -> Iterator[tuple[int, str]]:
    """Every place that was set in a segment of a layer and the person who did, in order."""
    if layer in kept.layers:
        for row in np.flatnonzero((kept.segment == segment) & (kept.layer == kept.layers.index(layer))).tolist():
            for place in kept.of_row(row)[0].tolist():
                yield place, kept.people[kept.person[row]]


def _top(rows: list[EditRow], kept: Rows) -> EditRow | int | None:
    if rows:
        return rows[-1]
    return int(kept[-1]) if len(kept) else None


def _popped(rows: list[EditRow], kept: Rows) -> Rows:
    """Take the top away: from the rows where there are any, else from the kept ones, which are returned."""
    if rows:
        rows.pop()
        return kept
    return kept[:-1]


def _stacks(kept: EditColumns | None, person: str) -> tuple[Rows, Rows]:
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
