"""Targets, statuses and notes as reviewed, and every row that led there: edits, undo and redo, by everybody."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import compress, repeat

from qe_desktop.corpus import Review, ReviewStatus
from qe_desktop.project.events import EditAction, ReviewField, ReviewRow, ReviewValue, new_uid, new_uids
from qe_desktop.project.review.block_map import SegmentBlocks
from qe_desktop.project.undo.undo_manager import NO_STEP, StepCounter, StepOrder, step_order

ReviewFields = Mapping[ReviewField, ReviewValue]
_OF_TEXT = {ReviewField.TARGET, ReviewField.STATUS}


class ReviewLog:
    """What rows set, over what was loaded. `kept` are the rows that a project has, in its order.

    `rows` are all, in the order in which they came; those of other windows and people are among them.
    """

    def __init__(self, kept: Iterable[ReviewRow] = (), person: str = "", steps: StepCounter | None = None) -> None:
        self._steps = steps or StepCounter()
        self.person = person
        """Whose rows are made."""
        self.window = ""
        """The running program that makes them."""
        self.rows: list[ReviewRow] = []
        self._of_segment: dict[int, list[ReviewRow]] = {}
        self._values: dict[ReviewField, dict[int, ReviewValue]] = {field: {} for field in ReviewField}
        self._setters: dict[ReviewField, dict[int, ReviewRow]] = {field: {} for field in ReviewField}
        self._targets: SegmentBlocks[str] = SegmentBlocks()
        self._statuses: SegmentBlocks[ReviewStatus] = SegmentBlocks()
        self._notes: SegmentBlocks[str] = SegmentBlocks()
        self._people: SegmentBlocks[str] = SegmentBlocks()
        self._review = Review()
        self.last_edit = NO_STEP
        """When the person last set anything of what was kept."""
        self._done: list[tuple[ReviewRow, ...]] = []
        self._undone: list[tuple[ReviewRow, ...]] = []
        for row in kept:
            self._take(row)
        self._freeze(self._of_segment)
        self._remember_stacks()

    # --- how it is

    @property
    def review(self) -> Review:
        """What was set, as a value that later rows leave alone."""
        return self._review

    def history(self, segment: int) -> tuple[ReviewRow, ...]:
        """The rows of a segment, in their order."""
        return tuple(self._of_segment.get(segment, ()))

    def touched(self) -> Iterable[int]:
        """The segments that any row is about."""
        return self._of_segment.keys()

    # --- making rows

    def set(self, wanted: Mapping[int, ReviewFields], text_of: Callable[[int], str]) -> tuple[ReviewRow, ...]:
        """Set fields of segments, all at once; rows hold only what changed, and there are none where nothing did."""
        group = new_uid() if len(wanted) > 1 else ""
        made = tuple(self._rows(wanted, text_of, group, self._steps.next()))
        if made:
            self._done.append(made)
            self._undone.clear()
            self._add(made)
        return made

    def _rows(
        self, wanted: Mapping[int, ReviewFields], text_of: Callable[[int], str], group: str, step: int
    ) -> Iterator[ReviewRow]:
        now, person, window = time.time(), self.person, self.window
        for uid, (segment, fields) in zip(new_uids(len(wanted)), wanted.items(), strict=True):
            befores = {
                field: before
                for field, value in fields.items()
                if (before := self._values[field].get(segment)) != value
            }
            if befores:
                yield ReviewRow(
                    uid, segment, tuple(befores), tuple([fields[field] for field in befores]), tuple(befores.values()),
                    group=group, text=text_of(segment), at=now, person=person, window=window, step=step,
                )  # fmt: skip

    def undo(self) -> tuple[ReviewRow, ...]:
        """Take back what one did last, where it still holds; no rows where there is nothing to take back."""
        return self._move(self._done, self._undone, EditAction.UNDO)

    def redo(self) -> tuple[ReviewRow, ...]:
        """Make again what one took back last, where that still holds."""
        return self._move(self._undone, self._done, EditAction.REDO)

    def _move(
        self, taken: list[tuple[ReviewRow, ...]], put: list[tuple[ReviewRow, ...]], action: EditAction
    ) -> tuple[ReviewRow, ...]:
        if not taken:
            return ()
        made = tuple(self._reverting(taken.pop(), action, self._steps.next()))
        put.append(made)
        self._add(made)
        return made

    def _reverting(self, rows: Sequence[ReviewRow], action: EditAction, step: int) -> Iterator[ReviewRow]:
        """The rows that revert these, in the fields that nobody else has set since."""
        now, person, window = time.time(), self.person, self.window
        for uid, row in zip(new_uids(len(rows)), rows, strict=True):
            fields, values, befores = row.fields, row.values, row.befores
            still = [*map(self._stands, repeat(row.segment), fields, values)]
            if not all(still):
                fields, values = tuple(compress(fields, still)), tuple(compress(values, still))
                befores = tuple(compress(befores, still))
            # replacing fields one by name takes longer, and there may be thousands of rows
            yield ReviewRow(
                uid, row.segment, fields, befores, values, action=action, refers=row.refers or row.uid,
                group=row.group, text=row.text, at=now, person=person, window=window, step=step,
            )  # fmt: skip

    def _stands(self, segment: int, field: ReviewField, value: ReviewValue) -> bool:
        """Whether a field is as it was set to, and nobody else set it since."""
        if self._values[field].get(segment) != value:
            return False
        setter = self._setters[field].get(segment)
        return setter is None or setter.person == self.person

    def next_undo(self) -> tuple[ReviewRow, ...]:
        """What undo would take back."""
        return self._done[-1] if self._done else ()

    def next_redo(self) -> tuple[ReviewRow, ...]:
        """What redo would make again."""
        return self._undone[-1] if self._undone else ()

    def forget_undone(self) -> None:
        """Something else was done: what was taken back cannot be made again."""
        self._undone.clear()

    def forget_undone_before(self, order: StepOrder) -> None:
        """Something else was done then: what was taken back before cannot be made again."""
        self._undone = [rows for rows in self._undone if step_order(rows[-1]) > order]

    # --- what others did

    def take_over(self, rows: Iterable[ReviewRow]) -> list[ReviewRow]:
        """Bring all rows into the order that a project has them in; `rows` are those it took since, one's own too.

        What the project does not have yet comes last. Returns those that are new here.
        """
        new: list[ReviewRow] = []
        met: set[int] = set()
        for row in rows:
            here = self._of_segment.setdefault(row.segment, [])
            place = next((number for number, one in enumerate(here) if one.uid == row.uid), None)
            if place is None:
                new.append(row)
                self.rows.append(row)
                here.append(row)
            else:
                here[place] = row
            met.add(row.segment)
        for segment in met:
            self._settle(segment)
        self._freeze(met)
        return new

    def _settle(self, segment: int) -> None:
        here = self._of_segment[segment]
        here.sort(key=lambda row: row.seq or math.inf)
        for field in ReviewField:
            self._values[field].pop(segment, None)
            self._setters[field].pop(segment, None)
        for row in here:
            self._set(row)

    # --- rows in

    def _add(self, rows: Sequence[ReviewRow]) -> None:
        for row in rows:
            self._take(row)
        self._freeze({row.segment for row in rows}, set().union(*{row.fields for row in rows}))

    def _take(self, row: ReviewRow) -> None:
        self.rows.append(row)
        self._of_segment.setdefault(row.segment, []).append(row)
        self._set(row)

    def _set(self, row: ReviewRow) -> None:
        for field, value in zip(row.fields, row.values, strict=True):
            self._values[field][row.segment] = value
            self._setters[field][row.segment] = row

    def _freeze(self, segments: Collection[int], fields: Collection[ReviewField] = tuple(ReviewField)) -> None:
        """Make the value anew, in which only these fields of these segments are others; the rest is shared with the
        one before."""
        if ReviewField.TARGET in fields:
            target_of = self._values[ReviewField.TARGET].get
            self._targets = self._targets.changed(
                {one: target if isinstance(target := target_of(one), str) else None for one in segments}
            )
        if ReviewField.STATUS in fields:
            status_of = self._values[ReviewField.STATUS].get
            self._statuses = self._statuses.changed(
                {one: ReviewStatus(status) if isinstance(status := status_of(one), int) else None for one in segments}
            )
        if ReviewField.NOTE in fields:
            note_of = self._values[ReviewField.NOTE].get
            self._notes = self._notes.changed(
                {one: note if isinstance(note := note_of(one), str) and note else None for one in segments}
            )
        if not _OF_TEXT.isdisjoint(fields):
            self._people = self._people.changed({one: self._last_of_text(one) for one in segments})
        self._review = Review(self._targets, self._statuses, self._notes, self._people)

    def _last_of_text(self, segment: int) -> str | None:
        """Who touched target or status last; None where nobody did."""
        for row in reversed(self._of_segment[segment]):
            if not _OF_TEXT.isdisjoint(row.fields):
                return row.person
        return None

    def _remember_stacks(self) -> None:
        """What the person can take back of kept rows: what became of each edit says the last row about it."""
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
        mine = [row for row in self.rows if row.person == self.person and row.action is EditAction.EDIT]
        last_edit = max((row.seq for row in mine), default=0)
        self.last_edit = max(map(step_order, mine), default=NO_STEP)
        self._done = [rows for rows in groups if rows[-1].action is not EditAction.UNDO]
        self._undone = [rows for rows in groups if rows[-1].action is EditAction.UNDO and rows[-1].seq > last_edit]
