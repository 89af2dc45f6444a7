"""The tags of all layers as edited, and every row that led there: edits, undo and redo, one's own and others'."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np

from qe_desktop.corpus import EditedTags, LayerKey, QeError, TagColumn, Tags
from qe_desktop.i18n.messages import tr
from qe_desktop.project.edited_columns import EditColumns, Indices, Overlay
from qe_desktop.project.edits import Edit, describe_edit, describe_row
from qe_desktop.project.events import EditAction, EditRow, new_uid
from qe_desktop.project.undo.undo_manager import StepCounter, StepOrder, step_order
from qe_desktop.project.undo.undo_stack import (
    UndoStack,
    changed_by_others,
    edited_positions,
    last_edit_number,
    undo_stacks,
)

LoadColumn = Callable[[LayerKey], TagColumn]
"""Gives a layer's column as loaded; a QeError where there is no such layer."""
RowsOf = Callable[[Sequence[int]], Sequence[EditRow]]
"""Gives whole rows of a project by their `seq`."""
TagPosition = tuple[LayerKey, int]
"""A segment of a layer."""
PREFETCH_ROWS = 200
"""Kept rows that are looked up at a time when one of them is to be taken back."""


class TagEditLog:
    """Edits over loaded columns. `kept` is what a project has of them, `rows_of` looks up whole rows of it.

    `uid_of` gives the uid of the layer that a key stands for; rows of another one are none of its edits. `rows` are
    those made since, in the order in which they came; those of other windows and people are among them.
    """

    def __init__(
        self,
        loaded: LoadColumn,
        uid_of: Callable[[LayerKey], str],
        kept: EditColumns | None = None,
        person: str = "",
        rows_of: RowsOf | None = None,
        steps: StepCounter | None = None,
    ) -> None:
        self._steps = steps or StepCounter()
        self._loaded = loaded
        self._uid_of = uid_of
        self._kept = kept
        self.person = person
        """Whose rows are made."""
        self.window = ""
        """The running program that makes them."""
        self._rows_of = rows_of
        self._whole_rows: dict[int, EditRow] = {}
        self._overlays: dict[LayerKey, Overlay] = {}
        self._spots: dict[TagPosition, list[EditRow]] = {}
        self._others: set[str] = set()
        self._untold: dict[str, EditRow] = {}
        self._asked: tuple[TagPosition, dict[int, str]] | None = None
        self._done, self._undone = undo_stacks(kept, person)
        self.rows: list[EditRow] = []
        layers = () if kept is None else kept.layers
        self._restored = {key for key in layers if self._restore(key)}
        for key in set(layers) - self._restored:
            self._drop(key)

    # --- what the tags are

    def frozen(self) -> dict[LayerKey, EditedTags]:
        """The tags of all edited layers as values that later edits leave alone."""
        return {key: overlay.frozen() for key, overlay in self._overlays.items()}

    def segment(self, key: LayerKey, segment: int) -> Tags:
        """One segment's tags as edited."""
        overlay = self._overlays.get(key)
        return self._loaded(key)[segment] if overlay is None else overlay[segment]

    def edited_segments(self, key: LayerKey) -> Indices:
        """The segments whose tags differ from those loaded, ascending, shape (k,)."""
        overlay = self._overlays.get(key)
        return np.zeros(0, np.int64) if overlay is None else overlay.edited_segments()

    def as_edits(self, key: LayerKey) -> list[Edit]:
        """What makes a layer's tags of those loaded: an edit for each segment that differs."""
        edits = []
        for segment in self.edited_segments(key).tolist():
            after = self.segment(key, segment)
            places = np.flatnonzero(after != self._loaded(key)[segment])
            edits.append(Edit(key, segment, tuple(places.tolist()), tuple(after[places].tolist())))
        return edits

    def count(self) -> int:
        """How many tags differ from those loaded, over all layers."""
        return sum(overlay.count for overlay in self._overlays.values())

    def people(self, key: LayerKey, segment: int) -> dict[int, str]:
        """Who set the tags of a segment last, by place; only places that anybody has set."""
        if self._asked is None or self._asked[0] != (key, segment):
            found: dict[int, str] = {}
            for place, person in (
                edited_positions(self._kept, key, segment) if self._kept and key in self._restored else ()
            ):
                found[place] = person
            self._asked = ((key, segment), found)
        return self._asked[1] | {
            place: row.person for row in self._spots.get((key, segment), []) for place in row.places
        }

    # --- making rows

    def edit(self, edit: Edit) -> EditRow | None:
        """Make an edit; its row has only the places that changed, and there is none where nothing did."""
        before = self.segment(edit.layer, edit.segment)
        changed = {place: tag for place, tag in zip(edit.places, edit.tags, strict=True) if before[place] != tag}
        if not changed:
            return None
        row = EditRow(
            new_uid(), edit.layer, edit.segment, tuple(changed), tuple(changed.values()),
            tuple(int(before[place]) for place in changed), text=describe_edit(edit, before), at=time.time(),
            person=self.person, window=self.window, layer_uid=self._uid_of(edit.layer),
            step=self._steps.next(),
        )  # fmt: skip
        # what had been taken back cannot be made again
        self._done.push(row)
        self._undone.clear()
        return self._made_here(row)

    def undo(self) -> EditRow | None:
        """Take one's last edit back where it still holds; None where there is none to take back."""
        return self._move(self._done, self._undone, EditAction.UNDO)

    def redo(self) -> EditRow | None:
        """Make one's last undone edit again where the undo still holds; None where there is none."""
        return self._move(self._undone, self._done, EditAction.REDO)

    def _move(self, taken: UndoStack, put: UndoStack, action: EditAction) -> EditRow | None:
        row = self._step(taken.top(), action)
        if row is not None:
            taken.pop()
            put.push(row)
            self._made_here(row)
        return row

    @property
    def undo_text(self) -> str:
        """What undo would take back, or nothing."""
        return self._text_of(self._done.top())

    @property
    def redo_text(self) -> str:
        """What redo would make again, or nothing."""
        return self._text_of(self._undone.top())

    @property
    def undo_order(self) -> StepOrder:
        """Where what undo would take back stands among all steps."""
        return self._order_of(self._done.top())

    @property
    def redo_order(self) -> StepOrder:
        """The same of the taking back of what redo would make again."""
        return self._order_of(self._undone.top())

    def forget_undone(self) -> None:
        """Something else was done: what was taken back cannot be made again."""
        self._undone.clear()

    def last_edit_order(self) -> StepOrder:
        """When the person last edited tags of what a project has."""
        return self._order_of(last_edit_number(self._kept, self.person))

    def forget_undone_before(self, order: StepOrder) -> None:
        """Something else was done then: what was taken back before cannot be made again."""
        self._undone.keep(lambda number: self._order_of(number) > order)

    def _order_of(self, entry: EditRow | int | None) -> StepOrder:
        try:
            return step_order(self._whole(entry) if isinstance(entry, int) else entry)
        except QeError:
            # a server that is away cannot say when it was: before all that is known
            return 0, 0.0

    def _text_of(self, entry: EditRow | int | None) -> str:
        if entry is None:
            return ""
        try:
            return describe_row(entry if isinstance(entry, EditRow) else self._whole(entry))
        except QeError:
            # a server that is away cannot say which it is
            return tr("an earlier edit")

    def _step(self, entry: EditRow | int | None, action: EditAction) -> EditRow | None:
        """The row that reverts an entry in the places that nobody else has set since."""
        if entry is None:
            return None
        made = entry if isinstance(entry, EditRow) else self._whole(entry)
        # a layer that is gone is said before the stacks move
        now = self.segment(made.layer, made.segment)
        theirs = self._set_by_others_since(entry, made)
        still = [
            (place, tag, before)
            for place, tag, before in zip(made.places, made.tags, made.before, strict=True)
            if place < len(now) and now[place] == tag and place not in theirs
        ]
        return replace(
            made, uid=new_uid(), places=tuple(one[0] for one in still), tags=tuple(one[2] for one in still),
            before=tuple(one[1] for one in still), action=action, refers=made.refers or made.uid, at=time.time(),
            person=self.person, window=self.window, seq=0, layer_uid=self._uid_of(made.layer),
            step=self._steps.next(),
        )  # fmt: skip

    def _set_by_others_since(self, entry: EditRow | int, made: EditRow) -> set[int]:
        here = self._spots.get((made.layer, made.segment), [])
        if isinstance(entry, EditRow):
            since = next((number for number, row in enumerate(here) if row.uid == entry.uid), -1)
            here = here[since + 1 :]
        places = {place for row in here if row.uid in self._others for place in row.places}
        if isinstance(entry, int) and self._kept is not None:
            places |= changed_by_others(self._kept, entry)
        return places

    def _whole(self, number: int) -> EditRow:
        row = self._whole_rows.get(number)
        if row is None:
            assert self._kept is not None
            assert self._rows_of is not None
            numbers = (number, *self._done.upcoming(PREFETCH_ROWS), *self._undone.upcoming(PREFETCH_ROWS))
            seqs = {int(self._kept.seq[one]): one for one in numbers}
            self._whole_rows = {seqs[found.seq]: found for found in self._rows_of(sorted(seqs))}
            row = self._whole_rows[number]
        return row

    def _made_here(self, row: EditRow) -> EditRow:
        self._untold[row.uid] = row
        self._make(row)
        return row

    def _make(self, row: EditRow) -> None:
        self.rows.append(row)
        self._spots.setdefault((row.layer, row.segment), []).append(row)
        self._set(row)

    def _set(self, row: EditRow) -> None:
        overlay = self._overlays.get(row.layer)
        if overlay is None:
            overlay = self._overlays[row.layer] = Overlay(self._loaded(row.layer))
        after = overlay[row.segment].copy()
        for place, tag in zip(row.places, row.tags, strict=True):
            if place < len(after):
                after[place] = tag
        overlay.set(row.segment, after)

    # --- what others did

    def take_over(self, rows: Iterable[EditRow]) -> tuple[list[EditRow], list[TagPosition]]:
        """Bring all edits into the order that a project has them in; `rows` are those it took since, one's own too.

        What the project does not have yet comes last. Rows of other layers than those that are there, and of unknown
        segments, are left out. Returns the rows that are new here, and the segments whose tags changed.
        """
        new: list[EditRow] = []
        met: dict[TagPosition, None] = {}
        for row in rows:
            self._untold.pop(row.uid, None)
            if not self._is_here(row):
                continue
            here = self._spots.setdefault((row.layer, row.segment), [])
            place = next((number for number, one in enumerate(here) if one.uid == row.uid), None)
            if place is None:
                self._others.add(row.uid)
                self.rows.append(row)
                new.append(row)
                here.append(row)
            else:
                here[place] = row
            met[row.layer, row.segment] = None
        fresh = {(row.layer, row.segment) for row in new}
        return new, [spot for spot in met if self._settle(spot, spot in fresh)]

    def _is_here(self, row: EditRow) -> bool:
        if self._uid_of(row.layer) != row.layer_uid or not row.layer.kind.is_tags:
            return False
        return 0 <= row.segment < len(self._loaded(row.layer))

    def _settle(self, spot: TagPosition, more: bool) -> bool:
        """Bring a segment's rows into their order (`more`: there are new ones); whether its tags changed by that."""
        here = self._spots[spot]
        ordered = sorted(here, key=lambda row: row.seq or math.inf)
        if not more and all(one is other for one, other in zip(here, ordered, strict=True)):
            return False
        here[:] = ordered
        key, segment = spot
        before = self.segment(key, segment)
        overlay = self._overlays.get(key)
        if overlay is not None:
            overlay.set(segment, overlay.base[segment])
        for row in here:
            self._set(row)
        return bool((self.segment(key, segment) != before).any())

    # --- layers

    def forget(self, key: LayerKey, *, closed: Collection[str] = ()) -> None:
        """A layer is gone, and its edits with it; those of the `closed` layers' uids will not come back."""
        self._overlays.pop(key, None)
        self._spots = {spot: rows for spot, rows in self._spots.items() if spot[0] != key}
        self._untold = {uid: row for uid, row in self._untold.items() if row.layer_uid not in closed}
        self._restored.discard(key)
        self._asked = None
        self.rows = [row for row in self.rows if row.layer != key]
        self._drop(key)

    def _drop(self, key: LayerKey) -> None:
        """Nothing of a layer can be taken back or made again any more."""
        self._done.drop(key)
        self._undone.drop(key)

    def begin(self, key: LayerKey, uids: Collection[str]) -> None:
        """A layer came; what was done here in the layers of these uids, and is not told of yet, will be its edits."""
        if key.kind.is_tags:
            size = len(self._loaded(key))
            for row in self._untold.values():
                if row.layer == key and row.layer_uid in uids and row.segment < size:
                    self._make(row)

    def _restore(self, key: LayerKey) -> bool:
        """Take up a layer as the project left it; False where it is gone, or another one of its name is there."""
        kept = self._kept
        assert kept is not None
        if not key.kind.is_tags or kept.layer_uids[kept.layers.index(key)] != self._uid_of(key):
            # somebody closed the layer between two looks at the project
            return False
        loaded = self._loaded(key)
        restored = kept.replayed(key, loaded)
        if restored is not loaded:
            self._overlays[key] = Overlay(loaded, restored)
        return True
