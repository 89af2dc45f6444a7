"""Edited tags of all layers, and the local and remote rows (edits, undos and redos) that set them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np

from qe_desktop.corpus import EditedTags, LayerKey, QeError, TagColumn, Tags
from qe_desktop.corpus.columns import Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.project.edits import Edit, EditColumns, Overlay, describe_edit, describe_row
from qe_desktop.project.events import EditAction, EditRow, new_uid
from qe_desktop.project.undo_manager import (
    StepCounter,
    StepOrder,
    UndoStack,
    edited_positions,
    last_edit_number,
    positions_set_by_others,
    step_order,
    undo_stacks,
)

LoadColumn = Callable[[LayerKey], TagColumn]
"""Function that returns a layer's column as loaded, without edits. It raises QeError for an unknown layer."""
RowsOf = Callable[[Sequence[int]], Sequence[EditRow]]
"""Function that loads complete rows of a project, given their `seq` numbers."""
TagPosition = tuple[LayerKey, int]
"""Layer key and segment number."""
PREFETCH_ROWS = 200
"""Number of stored rows that are loaded at a time for undo and redo."""


class TagEditLog:
    """Tag edits, applied to loaded columns. `stored` contains a project's edits; `rows_of` loads their complete rows.

    `uid_of` returns the uid of the current layer with a key; rows of layers with other uids are ignored. The attribute
    `rows` contains the rows made since the project was read, in order of arrival, including those of other clients.
    """

    def __init__(
        self,
        loaded: LoadColumn,
        uid_of: Callable[[LayerKey], str],
        stored: EditColumns | None = None,
        person: str = "",
        rows_of: RowsOf | None = None,
        steps: StepCounter | None = None,
    ) -> None:
        self._steps = steps or StepCounter()
        self._loaded = loaded
        self._uid_of = uid_of
        self._stored = stored
        self.person = person
        """Author of new rows."""
        self.window = ""
        """Id of the client process that makes new rows."""
        self._rows_of = rows_of
        self._whole_rows: dict[int, EditRow] = {}
        self._overlays: dict[LayerKey, Overlay] = {}
        self._rows_by_position: dict[TagPosition, list[EditRow]] = {}
        self._remote_uids: set[str] = set()
        self._unconfirmed: dict[str, EditRow] = {}
        self._authors_cache: tuple[TagPosition, dict[int, str]] | None = None
        self._undoable, self._undone = undo_stacks(stored, person)
        self.rows: list[EditRow] = []
        layers = () if stored is None else stored.layers
        self._restored = {key for key in layers if self._restore(key)}
        for key in set(layers) - self._restored:
            self._drop(key)

    # --- current tags

    def snapshots(self) -> dict[LayerKey, EditedTags]:
        """Immutable snapshots of the tags of all edited layers."""
        return {key: overlay.snapshot() for key, overlay in self._overlays.items()}

    def segment(self, key: LayerKey, segment: int) -> Tags:
        """Current tags of one segment."""
        overlay = self._overlays.get(key)
        return self._loaded(key)[segment] if overlay is None else overlay[segment]

    def edited_segments(self, key: LayerKey) -> Ints:
        """Segments whose tags differ from the loaded ones, ascending, shape (k,)."""
        overlay = self._overlays.get(key)
        return np.zeros(0, np.int64) if overlay is None else overlay.edited_segments()

    def as_edits(self, key: LayerKey) -> list[Edit]:
        """Edits that turn a layer's loaded tags into its current tags, one edit per changed segment."""
        edits = []
        for segment in self.edited_segments(key).tolist():
            after = self.segment(key, segment)
            positions = np.flatnonzero(after != self._loaded(key)[segment])
            edits.append(Edit(key, segment, tuple(positions.tolist()), tuple(after[positions].tolist())))
        return edits

    def count(self) -> int:
        """Number of tags that differ from the loaded ones, over all layers."""
        return sum(overlay.count for overlay in self._overlays.values())

    def tag_authors(self, key: LayerKey, segment: int) -> dict[int, str]:
        """Return the user who last set each tag of a segment, by position; tags that were never set are omitted."""
        if self._authors_cache is None or self._authors_cache[0] != (key, segment):
            positions = edited_positions(self._stored, key, segment) if self._stored and key in self._restored else ()
            self._authors_cache = ((key, segment), dict(positions))
        return self._authors_cache[1] | {
            position: row.person for row in self._rows_by_position.get((key, segment), []) for position in row.places
        }

    # --- making rows

    def edit(self, edit: Edit) -> EditRow | None:
        """Apply an edit; return its row, which has only the changed positions, or None if nothing changed.

        Raises QeError for an unknown layer.
        """
        before = self.segment(edit.layer, edit.segment)
        changed = {
            position: tag for position, tag in zip(edit.positions, edit.tags, strict=True) if before[position] != tag
        }
        if not changed:
            return None
        row = EditRow(
            new_uid(), edit.layer, edit.segment, tuple(changed), tuple(changed.values()),
            tuple(int(before[position]) for position in changed), text=describe_edit(edit, before), at=time.time(),
            person=self.person, window=self.window, layer_uid=self._uid_of(edit.layer),
            step=self._steps.next(),
        )  # fmt: skip
        # a new edit clears the redo history
        self._undoable.push(row)
        self._undone.clear()
        return self._add_local(row)

    def undo(self) -> EditRow | None:
        """Undo the user's last edit at the positions where it is still in effect.

        Returns the new row, which has no positions if the edit is not in effect at any of them, or None if there is
        nothing to undo. Raises QeError if the edit cannot be read from the project, or if its layer does not exist.
        """
        return self._move(self._undoable, self._undone, EditAction.UNDO)

    def redo(self) -> EditRow | None:
        """Redo the last undone edit at the positions where its undo is still in effect.

        Returns the new row, which has no positions if the undo is not in effect at any of them, or None if there is
        nothing to redo. Raises QeError as `undo` does.
        """
        return self._move(self._undone, self._undoable, EditAction.REDO)

    def _move(self, source: UndoStack, target: UndoStack, action: EditAction) -> EditRow | None:
        row = self._make_reverse_row(source.top(), action)
        if row is not None:
            source.pop()
            target.push(row)
            self._add_local(row)
        return row

    @property
    def undo_text(self) -> str:
        """Description of the next undo; empty if there is none."""
        return self._text_of(self._undoable.top())

    @property
    def redo_text(self) -> str:
        """Description of the next redo; empty if there is none."""
        return self._text_of(self._undone.top())

    @property
    def undo_order(self) -> StepOrder:
        """Position, among all steps, of the step that the next undo reverts; `NO_STEP` if there is none."""
        return self._order_of(self._undoable.top())

    @property
    def redo_order(self) -> StepOrder:
        """Position, among all steps, of the undo that the next redo reverts; `NO_STEP` if there is none."""
        return self._order_of(self._undone.top())

    def forget_undone(self) -> None:
        """Clear the redo history; called after a step of another kind, such as a review step."""
        self._undone.clear()

    def last_edit_order(self) -> StepOrder:
        """Position, among all steps, of the user's last stored tag edit; `NO_STEP` if there is none."""
        return self._order_of(last_edit_number(self._stored, self.person))

    def forget_undone_before(self, order: StepOrder) -> None:
        """Remove the stored steps up to and including `order` from the redo history."""
        self._undone.retain_top(lambda number: self._order_of(number) > order)

    def _order_of(self, entry: EditRow | int | None) -> StepOrder:
        try:
            return step_order(self._load_row(entry) if isinstance(entry, int) else entry)
        except QeError:
            # the server is unreachable, so the order of the step is unknown: sort it first
            return 0, 0.0

    def _text_of(self, entry: EditRow | int | None) -> str:
        if entry is None:
            return ""
        try:
            return describe_row(entry if isinstance(entry, EditRow) else self._load_row(entry))
        except QeError:
            # the server is unreachable
            return tr("an earlier edit")

    def _make_reverse_row(self, entry: EditRow | int | None, action: EditAction) -> EditRow | None:
        """Return a row that reverts an entry at the positions where it is in effect and that others have not set since.

        Returns None if `entry` is None.
        """
        if entry is None:
            return None
        row = entry if isinstance(entry, EditRow) else self._load_row(entry)
        # raises for a removed layer before the stacks change
        current = self.segment(row.layer, row.segment)
        foreign = self._positions_set_by_others(entry, row)
        active = [
            (position, tag, before)
            for position, tag, before in zip(row.places, row.tags, row.before, strict=True)
            if position < len(current) and current[position] == tag and position not in foreign
        ]
        return replace(
            row, uid=new_uid(), places=tuple(item[0] for item in active), tags=tuple(item[2] for item in active),
            before=tuple(item[1] for item in active), action=action, refers=row.refers or row.uid, at=time.time(),
            person=self.person, window=self.window, seq=0, layer_uid=self._uid_of(row.layer),
            step=self._steps.next(),
        )  # fmt: skip

    def _positions_set_by_others(self, entry: EditRow | int, original: EditRow) -> set[int]:
        local = self._rows_by_position.get((original.layer, original.segment), [])
        if isinstance(entry, EditRow):
            since = next((number for number, row in enumerate(local) if row.uid == entry.uid), -1)
            local = local[since + 1 :]
        positions = {position for row in local if row.uid in self._remote_uids for position in row.places}
        if isinstance(entry, int) and self._stored is not None:
            positions |= positions_set_by_others(self._stored, entry)
        return positions

    def _load_row(self, number: int) -> EditRow:
        row = self._whole_rows.get(number)
        if row is None:
            assert self._stored is not None
            assert self._rows_of is not None
            indices = (number, *self._undoable.top_numbers(PREFETCH_ROWS), *self._undone.top_numbers(PREFETCH_ROWS))
            seqs = {int(self._stored.seq[index]): index for index in indices}
            self._whole_rows = {seqs[loaded.seq]: loaded for loaded in self._rows_of(sorted(seqs))}
            row = self._whole_rows[number]
        return row

    def _add_local(self, row: EditRow) -> EditRow:
        self._unconfirmed[row.uid] = row
        self._add_row(row)
        return row

    def _add_row(self, row: EditRow) -> None:
        self.rows.append(row)
        self._rows_by_position.setdefault((row.layer, row.segment), []).append(row)
        self._apply(row)

    def _apply(self, row: EditRow) -> None:
        overlay = self._overlays.get(row.layer)
        if overlay is None:
            overlay = self._overlays[row.layer] = Overlay(self._loaded(row.layer))
        after = overlay[row.segment].copy()
        for position, tag in zip(row.places, row.tags, strict=True):
            if position < len(after):
                after[position] = tag
        overlay.set(row.segment, after)

    # --- remote changes

    def merge_rows(self, rows: Iterable[EditRow]) -> tuple[list[EditRow], list[TagPosition]]:
        """Merge `rows` into the log; return the new rows, and the (layer, segment) pairs whose tags changed.

        `rows` are the rows that the project stored since the last call, including local ones. The log is sorted in the
        project's order; local rows that are not stored yet come last. Rows of closed or replaced layers and of unknown
        segments are skipped.
        """
        new: list[EditRow] = []
        changed: dict[TagPosition, None] = {}
        for row in rows:
            self._unconfirmed.pop(row.uid, None)
            if not self._is_current(row):
                continue
            local = self._rows_by_position.setdefault((row.layer, row.segment), [])
            index = next((number for number, item in enumerate(local) if item.uid == row.uid), None)
            if index is None:
                self._remote_uids.add(row.uid)
                self.rows.append(row)
                new.append(row)
                local.append(row)
            else:
                local[index] = row
            changed[row.layer, row.segment] = None
        with_new_rows = {(row.layer, row.segment) for row in new}
        return new, [position for position in changed if self._reorder(position, position in with_new_rows)]

    def _is_current(self, row: EditRow) -> bool:
        if self._uid_of(row.layer) != row.layer_uid or not row.layer.kind.is_tags:
            return False
        return 0 <= row.segment < len(self._loaded(row.layer))

    def _reorder(self, position: TagPosition, has_new_rows: bool) -> bool:
        """Sort the rows of a segment and apply them again; return whether the segment's tags changed.

        If `has_new_rows` is false and the order is unchanged, nothing is done.
        """
        local = self._rows_by_position[position]
        ordered = sorted(local, key=lambda row: row.seq or math.inf)
        if not has_new_rows and all(old_row is new_row for old_row, new_row in zip(local, ordered, strict=True)):
            return False
        local[:] = ordered
        key, segment = position
        before = self.segment(key, segment)
        overlay = self._overlays.get(key)
        if overlay is not None:
            overlay.set(segment, overlay.base[segment])
        for row in local:
            self._apply(row)
        return bool((self.segment(key, segment) != before).any())

    # --- layers

    def forget(self, key: LayerKey, *, closed: Collection[str] = ()) -> None:
        """Discard the edits of a removed layer.

        Local edits that are not stored yet are kept for `begin`, except those of layers whose uids are in `closed`.
        """
        self._overlays.pop(key, None)
        self._rows_by_position = {
            position: rows for position, rows in self._rows_by_position.items() if position[0] != key
        }
        self._unconfirmed = {uid: row for uid, row in self._unconfirmed.items() if row.layer_uid not in closed}
        self._restored.discard(key)
        self._authors_cache = None
        self.rows = [row for row in self.rows if row.layer != key]
        self._drop(key)

    def _drop(self, key: LayerKey) -> None:
        """Remove the edits of a layer from the undo and redo history."""
        self._undoable.drop(key)
        self._undone.drop(key)

    def begin(self, key: LayerKey, uids: Collection[str]) -> None:
        """Start recording the edits of a new layer.

        Local edits that are not stored yet are applied if their layer had the same key and a uid in `uids`.
        """
        if key.kind.is_tags:
            size = len(self._loaded(key))
            for row in self._unconfirmed.values():
                if row.layer == key and row.layer_uid in uids and row.segment < size:
                    self._add_row(row)

    def _restore(self, key: LayerKey) -> bool:
        """Restore a layer's edits from the project; return False if it has no tags or was closed or replaced."""
        stored = self._stored
        assert stored is not None
        if not key.kind.is_tags or stored.layer_uids[stored.layers.index(key)] != self._uid_of(key):
            # the layer was closed between two reads of the project
            return False
        loaded = self._loaded(key)
        restored = stored.replay(key, loaded)
        if restored is not loaded:
            self._overlays[key] = Overlay(loaded, restored)
        return True
