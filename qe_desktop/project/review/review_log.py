"""Reviewed targets, statuses and notes, and their history: local and remote edits, undo and redo."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, compress, groupby
from operator import attrgetter, ne
from typing import TypeVar

from qe_desktop.corpus import Review, ReviewStatus
from qe_desktop.project.events import EditAction, ReviewField, ReviewRow, ReviewValue, VisitRow, new_uid, new_uids
from qe_desktop.project.undo_manager import NO_STEP, StepCounter, StepOrder, step_order
from qe_desktop.studies.post_editing.post_editing_study import RecordedVisit

Value = TypeVar("Value")
Default = TypeVar("Default")
BLOCK_BITS = 10
"""Number of bits of the index within a block.

Changing the value of one segment copies one block, which has at most 1,024 values, and the mapping of blocks.
"""
MERGE_RATIO = 8
"""If at least `1 / MERGE_RATIO` of all values are read at once, the blocks are merged first."""


class SegmentBlocks(Mapping[int, Value]):
    """Immutable mapping from segments to values; `with_changes` returns a copy that shares all unchanged blocks."""

    __slots__ = ("_blocks", "_size")

    def __init__(self, blocks: dict[int, dict[int, Value]] | None = None) -> None:
        self._blocks = blocks or {}
        self._size = sum(map(len, self._blocks.values()))

    def with_changes(self, changes: Mapping[int, Value | None]) -> SegmentBlocks[Value]:
        """Return a copy with changes (None removes a value), or the object itself if the changes have no effect."""
        blocks, copied = self._blocks, set[int]()
        last, block = -1, dict[int, Value]()
        for segment, value in changes.items():
            number = segment >> BLOCK_BITS
            if number != last:
                # neighbouring segments are in the same block
                last, block = number, blocks.get(number, {})
            if block.get(segment) == value:
                continue
            if number not in copied:
                if blocks is self._blocks:
                    blocks = dict(blocks)
                block = blocks[number] = dict(block)
                copied.add(number)
            if value is None:
                del block[segment]
            else:
                block[segment] = value
        return self if blocks is self._blocks else SegmentBlocks(blocks)

    def __getitem__(self, segment: int) -> Value:
        return self._blocks[segment >> BLOCK_BITS][segment]

    def get(self, segment: int, default: Default | None = None) -> Value | Default | None:  # type: ignore[override]
        """Return the value of a segment, as `dict.get` does, without the overhead of `Mapping.get`."""
        block = self._blocks.get(segment >> BLOCK_BITS)
        return default if block is None else block.get(segment, default)

    def values_of(self, segments: Sequence[int]) -> list[Value | None]:
        """Return the values of segments (None if there is no value); faster than `get` for thousands of segments."""
        if len(segments) * MERGE_RATIO < self._size:
            return [*map(self.get, segments)]
        values: dict[int, Value] = {}
        for block in self._blocks.values():
            values.update(block)
        return [*map(values.get, segments)]

    def __contains__(self, segment: object) -> bool:
        return isinstance(segment, int) and segment in self._blocks.get(segment >> BLOCK_BITS, ())

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(self._blocks.values())

    def __len__(self) -> int:
        return self._size


ReviewFields = Mapping[ReviewField, ReviewValue]
_TEXT_FIELDS = {ReviewField.TARGET, ReviewField.STATUS}
_new_row = partial(tuple.__new__, ReviewRow)
"""Make a row from a tuple of all its values; for thousands of rows, `ReviewRow` and `_replace` are too slow."""
_STATUSES = tuple(ReviewStatus)
"""Statuses by number; for thousands of segments, indexing is faster than calling `ReviewStatus`."""


_Change = tuple[tuple[ReviewField, ...], tuple[ReviewValue, ...], tuple[ReviewValue, ...]]
"""Fields that an edit changes, their new values, and their previous values."""


class ReviewLog:
    """Log of review edits: rows that set targets, statuses and notes, and the resulting values.

    `stored` are the stored rows of a project, `rows` all rows in order of arrival, including those of other clients.
    """

    def __init__(self, stored: Iterable[ReviewRow] = (), person: str = "", steps: StepCounter | None = None) -> None:
        self._steps = steps or StepCounter()
        self.person = person
        """Author of new rows."""
        self.window = ""
        """Id of this client, which is stored in new rows."""
        self.rows: list[ReviewRow] = []
        self._rows_by_segment: dict[int, list[ReviewRow]] = {}
        self._values: dict[ReviewField, dict[int, ReviewValue]] = {field: {} for field in ReviewField}
        self._setters: dict[ReviewField, dict[int, ReviewRow]] = {field: {} for field in ReviewField}
        self._targets: SegmentBlocks[str] = SegmentBlocks()
        self._statuses: SegmentBlocks[ReviewStatus] = SegmentBlocks()
        self._notes: SegmentBlocks[str] = SegmentBlocks()
        self._authors: SegmentBlocks[str] = SegmentBlocks()
        self._review = Review()
        self.last_edit = NO_STEP
        """Position, among all steps, of the user's last edit in the stored rows; `NO_STEP` if there is none."""
        self._undoable: list[tuple[ReviewRow, ...]] = []
        self._undone: list[tuple[ReviewRow, ...]] = []
        self._append(tuple(stored))
        self._freeze(self._rows_by_segment)
        self._restore_stacks()

    # --- current state

    @property
    def review(self) -> Review:
        """Immutable snapshot of the current targets, statuses, notes and their authors."""
        return self._review

    def history(self, segment: int) -> tuple[ReviewRow, ...]:
        """Return the rows of a segment, in the order in which they are applied."""
        return tuple(self._rows_by_segment.get(segment, ()))

    def segments_with_rows(self) -> Iterable[int]:
        """Return the segments that have rows."""
        return self._rows_by_segment.keys()

    # --- making rows

    def set(self, changes: Mapping[int, ReviewFields], text_of: Callable[[int], str]) -> tuple[ReviewRow, ...]:
        """Set fields of segments in one step and return the rows, which contain changed fields only.

        The result is empty if nothing changed. `text_of` returns the description to store for the edit of a segment.
        """
        group = new_uid() if len(changes) > 1 else ""
        rows = tuple(self._rows(changes, text_of, group, self._steps.next()))
        if rows:
            self._undoable.append(rows)
            self._undone.clear()
            self._add(rows)
        return rows

    def _rows(
        self, changes: Mapping[int, ReviewFields], text_of: Callable[[int], str], group: str, step: int
    ) -> Iterator[ReviewRow]:
        now, person, window = time.time(), self.person, self.window
        edit, value_of = EditAction.EDIT, {field: values.get for field, values in self._values.items()}
        uids = iter(new_uids(len(changes)))
        # thousands of segments often have the same fields, which are then read together
        for all_names, segments_of_names in groupby(changes.items(), lambda item: tuple(item[1])):
            items, previous = [*segments_of_names], None
            current = zip(*[map(value_of[name], [segment for segment, _ in items]) for name in all_names], strict=True)
            for (segment, fields), befores, uid in zip(items, current, uids, strict=False):
                if fields is not previous:
                    previous, all_values = fields, tuple(fields.values())
                    change_by_befores: dict[tuple[ReviewValue, ...], _Change] = {}
                change = change_by_befores.get(befores)
                if change is None:
                    change = change_by_befores[befores] = _change(all_names, all_values, befores)
                names, values, changed = change
                if not names:
                    continue
                yield _new_row((
                    uid, segment, names, values, changed, edit, "", group, text_of(segment), now, person, window, 0,
                    step,
                ))  # fmt: skip

    def undo(self) -> tuple[ReviewRow, ...]:
        """Undo the parts of the user's last step that are still in effect.

        Returns the new rows; empty if there is nothing to undo.
        """
        return self._move(self._undoable, self._undone, EditAction.UNDO)

    def redo(self) -> tuple[ReviewRow, ...]:
        """Redo the parts of the last undone step that have not been changed since.

        Returns the new rows; empty if there is nothing to redo.
        """
        return self._move(self._undone, self._undoable, EditAction.REDO)

    def _move(
        self, source: list[tuple[ReviewRow, ...]], target: list[tuple[ReviewRow, ...]], action: EditAction
    ) -> tuple[ReviewRow, ...]:
        if not source:
            return ()
        rows = tuple(self._revert_rows(source.pop(), action, self._steps.next()))
        target.append(rows)
        self._add(rows)
        return rows

    def _revert_rows(self, rows: Sequence[ReviewRow], action: EditAction, step: int) -> Iterator[ReviewRow]:
        """Yield, for each row, a row that reverts its fields, except fields changed since or set by other users."""
        now, person, window = time.time(), self.person, self.window
        getters = {field: (self._values[field].get, self._setters[field].get) for field in ReviewField}

        def is_in_effect(segment: int, field: ReviewField, value: ReviewValue) -> bool:
            value_of, setter_of = getters[field]
            setter = setter_of(segment)
            return value_of(segment) == value and (setter is None or setter.person == person)

        for uid, row in zip(new_uids(len(rows)), rows, strict=True):
            row_uid, segment, fields, values, befores, _, refers, group, text, *_ = row
            for field, value in zip(fields, values, strict=True):
                value_of, setter_of = getters[field]
                # the setter is usually the row itself or one of the same step
                if value_of(segment) != value or (
                    (setter := setter_of(segment)) is not row and setter is not None and setter.person != person
                ):
                    in_effect = [is_in_effect(segment, *item) for item in zip(fields, values, strict=True)]
                    fields, values = tuple(compress(fields, in_effect)), tuple(compress(values, in_effect))
                    befores = tuple(compress(befores, in_effect))
                    break
            yield _new_row((
                uid, segment, fields, befores, values, action, refers or row_uid, group, text, now, person, window,
                0, step,
            ))  # fmt: skip

    def next_undo(self) -> tuple[ReviewRow, ...]:
        """Return the rows that the next undo reverts; empty if there is nothing to undo."""
        return self._undoable[-1] if self._undoable else ()

    def next_redo(self) -> tuple[ReviewRow, ...]:
        """Return the undo rows that the next redo reverts; empty if there is nothing to redo."""
        return self._undone[-1] if self._undone else ()

    def forget_undone(self) -> None:
        """Clear the redo history; called after a step of another kind, such as a tag edit."""
        self._undone.clear()

    def forget_undone_before(self, order: StepOrder) -> None:
        """Remove the steps up to and including `order` from the redo history."""
        self._undone = [rows for rows in self._undone if step_order(rows[-1]) > order]

    # --- remote changes

    def merge_rows(self, rows: Iterable[ReviewRow]) -> list[ReviewRow]:
        """Merge `rows` into the history of each segment, in the project's order; return the rows that are new.

        `rows` are the rows stored in the project since the last call, including those made by this client. In a
        history, rows that are not stored yet come last.
        """
        new: list[ReviewRow] = []
        changed: set[int] = set()
        for row in rows:
            local = self._rows_by_segment.setdefault(row.segment, [])
            index = next((number for number, item in enumerate(local) if item.uid == row.uid), None)
            if index is None:
                new.append(row)
                self.rows.append(row)
                local.append(row)
            else:
                local[index] = row
            changed.add(row.segment)
        for segment in changed:
            self._reorder(segment)
        self._freeze(changed)
        return new

    def _reorder(self, segment: int) -> None:
        local = self._rows_by_segment[segment]
        local.sort(key=lambda row: row.seq or math.inf)
        for field in ReviewField:
            self._values[field].pop(segment, None)
            self._setters[field].pop(segment, None)
        self._apply(local)

    # --- applying rows

    def _add(self, rows: Sequence[ReviewRow]) -> None:
        self._append(rows)
        authors = {row.segment: row.person for row in rows if not _TEXT_FIELDS.isdisjoint(row.fields)}
        self._freeze({row.segment for row in rows}, set().union(*{row.fields for row in rows}), authors)

    def _append(self, rows: Sequence[ReviewRow]) -> None:
        self.rows += rows
        histories = self._rows_by_segment
        for row in rows:
            histories.setdefault(row.segment, []).append(row)
        self._apply(rows)

    def _apply(self, rows: Sequence[ReviewRow]) -> None:
        for fields, rows_of_fields in groupby(rows, attrgetter("fields")):
            group = [*rows_of_fields]
            segments = [row.segment for row in group]
            for field, values in zip(fields, zip(*[row.values for row in group], strict=True), strict=True):
                self._values[field].update(zip(segments, values, strict=True))
                self._setters[field].update(zip(segments, group, strict=True))

    def _freeze(
        self,
        segments: Collection[int],
        fields: Collection[ReviewField] = tuple(ReviewField),
        authors: Mapping[int, str | None] | None = None,
    ) -> None:
        """Update `fields` of `segments` in the snapshot; other values are shared with the previous snapshot.

        `authors` maps segments to the users who last set the target or status (None: they are found in the rows).
        """
        if ReviewField.TARGET in fields:
            target_of = self._values[ReviewField.TARGET].get
            self._targets = self._targets.with_changes(
                {segment: target if isinstance(target := target_of(segment), str) else None for segment in segments}
            )
        if ReviewField.STATUS in fields:
            status_of = self._values[ReviewField.STATUS].get
            self._statuses = self._statuses.with_changes(
                {
                    segment: _STATUSES[status] if isinstance(status := status_of(segment), int) else None
                    for segment in segments
                }
            )
        if ReviewField.NOTE in fields:
            note_of = self._values[ReviewField.NOTE].get
            self._notes = self._notes.with_changes(
                {segment: note if isinstance(note := note_of(segment), str) else None for segment in segments}
            )
        if not _TEXT_FIELDS.isdisjoint(fields):
            if authors is None:
                authors = {segment: self._last_author(segment) for segment in segments}
            self._authors = self._authors.with_changes(authors)
        self._review = Review(self._targets, self._statuses, self._notes, self._authors)

    def _last_author(self, segment: int) -> str | None:
        """Return the person who last set the target or status; None if neither was set."""
        for row in reversed(self._rows_by_segment[segment]):
            if not _TEXT_FIELDS.isdisjoint(row.fields):
                return row.person
        return None

    def _restore_stacks(self) -> None:
        """Restore the undo and redo stacks from stored rows; the last row of each edit shows whether it is undone."""
        latest: dict[str, ReviewRow] = {}
        order: dict[str, list[str]] = {}
        for row in self.rows:
            if row.person == self.person:
                edit = row.refers or row.uid
                latest.pop(edit, None)
                latest[edit] = row
                if row.action is EditAction.EDIT:
                    order.setdefault(row.group or row.uid, []).append(edit)
        groups = [tuple([latest[edit] for edit in edits]) for edits in order.values()]
        groups.sort(key=lambda rows: rows[-1].seq)
        own_edits = [row for row in self.rows if row.person == self.person and row.action is EditAction.EDIT]
        last_edit = max((row.seq for row in own_edits), default=0)
        self.last_edit = max(map(step_order, own_edits), default=NO_STEP)
        self._undoable = [rows for rows in groups if rows[-1].action is not EditAction.UNDO]
        self._undone = [rows for rows in groups if rows[-1].action is EditAction.UNDO and rows[-1].seq > last_edit]


def _change(
    fields: tuple[ReviewField, ...], values: tuple[ReviewValue, ...], befores: tuple[ReviewValue, ...]
) -> _Change:
    """Return the fields whose `values` and `befores` differ, with their new and previous values."""
    differ = [*map(ne, befores, values)]
    return tuple(compress(fields, differ)), tuple(compress(values, differ)), tuple(compress(befores, differ))


def recorded_visits(rows: Iterable[VisitRow]) -> tuple[RecordedVisit, ...]:
    """Return the visits of a session or project in the form that the post-editing study reads."""
    return tuple(_recorded_visit(row) for row in rows)


def _recorded_visit(row: VisitRow) -> RecordedVisit:
    visit = row.visit
    return RecordedVisit(
        row.segment, row.person, visit.seconds, visit.pauses, visit.away, visit.limit, visit.opened,
        visit.gaps_300, visit.gaps_1000, {kind.value: count for kind, count in visit.keys},
        visit.typed, visit.shown,
    )  # fmt: skip
