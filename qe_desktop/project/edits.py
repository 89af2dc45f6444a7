"""Tag edits as values that can be undone and described, and as columns for vectorized replay of millions of edits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import EditedTags, Kind, LayerKey, Offsets, TagColumn, Tags
from qe_desktop.corpus.columns import Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import EditAction, EditRow

TAG_NAMES = ("OK", "BAD")
MAX_LISTED_EDITS = 2000
"""Maximum number of changed segments to report individually; if more change, views are refreshed completely."""


@dataclass(frozen=True, slots=True)
class Edit:
    """New tags of one segment in one layer: `tags[i]` at `positions[i]`."""

    layer: LayerKey
    segment: int
    positions: tuple[int, ...]
    tags: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SessionChange:
    """Description of a change: the layer and the segments that it affects.

    `affects_all_views` is true if all views must be updated: layers were added, removed or replaced, or more segments
    changed than `segments` lists. `text` describes the change for users, e.g. “word 4 BAD → OK, segment 12”.
    `is_remote` is true if another client made the change. `had_no_effect` is true if an undo or redo changed nothing,
    because later edits had already changed the values. `affects_review` is true if targets, statuses, notes or visits
    of the segments changed. `post_edit_layers` are the layers of post-edit tags that were updated to match the change.
    """

    layer: LayerKey | None
    segments: tuple[int, ...] = ()
    text: str = ""
    affects_all_views: bool = False
    is_remote: bool = False
    had_no_effect: bool = False
    affects_review: bool = False
    post_edit_layers: tuple[LayerKey, ...] = ()

    def may_affect(self, segment: int) -> bool:
        """Return whether tags or the review of a segment may have changed; false if only the saved state changed."""
        if self.segments:
            return self.affects_all_views or segment in self.segments
        return self.affects_all_views or self.affects_review or self.layer is not None


def describe_edit(edit: Edit, before: Tags) -> str:
    """Describe an edit in English, with 1-based position and segment numbers; the text is stored in the project."""
    word_kind = {Kind.WORDS: "word", Kind.GAPS: "gap", Kind.SOURCE: "source word"}[edit.layer.kind]
    segment = f"segment {edit.segment + 1:,}"
    changed = [(index, tag) for index, tag in zip(edit.positions, edit.tags, strict=True) if before[index] != tag]
    if len(changed) == 1:
        index, tag = changed[0]
        return f"{word_kind} {index + 1} {TAG_NAMES[1 - tag]} → {TAG_NAMES[tag]}, {segment}"
    new_tags = {tag for _, tag in changed}
    suffix = f" → {TAG_NAMES[new_tags.pop()]}" if len(new_tags) == 1 else " changed"
    return f"{len(changed)} {word_kind}s{suffix}, {segment}"


def describe_row(row: EditRow) -> str:
    """Describe, in the user's language, the tags that an EDIT or REDO row set or that an UNDO row reverted.

    A row without positions changed no tag; in this case, return the stored text of the row.
    """
    if not row.places:
        return row.text
    previous_tags, tags = (row.tags, row.before) if row.action is EditAction.UNDO else (row.before, row.tags)
    if len(row.places) == 1:
        return _single_tag_text(
            row.layer.kind, row.places[0] + 1, TAG_NAMES[previous_tags[0]], TAG_NAMES[tags[0]], row.segment + 1
        )
    if len(set(tags)) == 1:
        return _equal_tags_text(row.layer.kind, len(tags), TAG_NAMES[tags[0]], row.segment + 1)
    return _changed_tags_text(row.layer.kind, len(tags), row.segment + 1)


def _single_tag_text(kind: Kind, number: int, previous_tag: str, tag: str, segment: int) -> str:
    if kind is Kind.GAPS:
        return tr(
            "gap {place} {was} → {tag}, segment {segment:,}", place=number, was=previous_tag, tag=tag, segment=segment
        )
    if kind is Kind.SOURCE:
        return tr(
            "source word {place} {was} → {tag}, segment {segment:,}",
            place=number,
            was=previous_tag,
            tag=tag,
            segment=segment,
        )
    return tr(
        "word {place} {was} → {tag}, segment {segment:,}", place=number, was=previous_tag, tag=tag, segment=segment
    )


def _equal_tags_text(kind: Kind, count: int, tag: str, segment: int) -> str:
    if kind is Kind.GAPS:
        return tr("{n} {n:gap|gaps} → {tag}, segment {segment:,}", "", count, tag=tag, segment=segment)
    if kind is Kind.SOURCE:
        return tr("{n} {n:source word|source words} → {tag}, segment {segment:,}", "", count, tag=tag, segment=segment)
    return tr("{n} {n:word|words} → {tag}, segment {segment:,}", "", count, tag=tag, segment=segment)


def _changed_tags_text(kind: Kind, count: int, segment: int) -> str:
    if kind is Kind.GAPS:
        return tr("{n} {n:gap|gaps} changed, segment {segment:,}", "", count, segment=segment)
    if kind is Kind.SOURCE:
        return tr("{n} {n:source word|source words} changed, segment {segment:,}", "", count, segment=segment)
    return tr("{n} {n:word|words} changed, segment {segment:,}", "", count, segment=segment)


def changes_by_others(rows: Sequence[EditRow], changed: Iterable[tuple[LayerKey, int]]) -> list[SessionChange]:
    """Return the changes that other clients made, one per layer.

    `rows` are edits by other clients. `changed` are pairs of layer and segment whose tags changed as a result.
    """
    changed_segments = dict.fromkeys([*((row.layer, row.segment) for row in rows), *changed])
    changes = []
    for key in dict.fromkeys(layer for layer, _ in changed_segments):
        segments = tuple(segment for layer, segment in changed_segments if layer == key)
        text = _edit_origin([row for row in rows if row.layer == key])
        changes.append(
            SessionChange(
                key,
                segments[:MAX_LISTED_EDITS],
                text,
                affects_all_views=len(segments) > MAX_LISTED_EDITS,
                is_remote=True,
            )
        )
    return changes


def _edit_origin(rows: Sequence[EditRow]) -> str:
    """Name the authors of remote edits, and describe the edit if there is only one; empty if `rows` is empty."""
    if not rows:
        return ""
    authors = ", ".join(dict.fromkeys(row.person for row in rows))
    if len(rows) == 1:
        return tr("{person}: {text}", person=authors, text=describe_row(rows[0]))
    return tr("{people}: {n:,} {n:edit|edits}", "", len(rows), people=authors)


class UnsavedEdits:
    """Last effective edit of each layer, now and when the layer was last saved to a file."""

    def __init__(self) -> None:
        self._origins: dict[LayerKey, list[str]] = {}
        self._saved_edits: dict[LayerKey, str] = {}

    def record(self, row: EditRow) -> EditRow:
        """Record the row of an edit, undo or redo; return `row`."""
        origins = self._origins.setdefault(row.layer, [])
        if row.action is not EditAction.UNDO:
            origins.append(row.refers or row.uid)
        elif origins:
            origins.pop()
        return row

    def forget(self, key: LayerKey) -> None:
        """Delete the records of a layer that was removed."""
        self._saved_edits.pop(key, None)
        self._origins.pop(key, None)

    def mark_saved(self, key: LayerKey) -> None:
        """Record that a layer was saved in its current state."""
        self._saved_edits[key] = self._latest_edit(key)

    def is_saved(self, key: LayerKey) -> bool:
        """Return whether a layer is in the state last saved or, if it was never saved, in the state that was loaded."""
        return self._latest_edit(key) == self._saved_edits.get(key, "")

    def _latest_edit(self, key: LayerKey) -> str:
        origins = self._origins.get(key)
        return origins[-1] if origins else ""


@dataclass(frozen=True, slots=True, eq=False)
class EditColumns:
    """All tag edits of the current layers: one row per edit, in project order; columns have shape (edits,).

    `layer`, `author` and `client` are indices into `layers`, `authors` and `clients`; `layer_uids` is parallel to
    `layers`. `action` is an `EditAction`. If a row sets exactly one tag, `position`, `tag` and `previous_tag` describe
    this tag. If a row sets several tags or none, its `position` is -1, and its number is in `multi_tag_rows`, which is
    ascending. The positions, tags and previous tags of such rows are in `positions`, `tags` and `previous_tags`,
    delimited by `offsets`. For UNDO and REDO rows, `refers` is the number of the EDIT row that is reverted or restored;
    for EDIT rows, it is -1. `newest_step` is the highest step number of the edits (`EditRow.step`).
    """

    layers: tuple[LayerKey, ...]
    layer_uids: tuple[str, ...]
    authors: tuple[str, ...]
    clients: tuple[str, ...]
    seq: Ints
    layer: NDArray[np.int32]
    author: NDArray[np.int32]
    client: NDArray[np.int32]
    action: NDArray[np.uint8]
    segment: NDArray[np.int32]
    position: NDArray[np.int32]
    tag: NDArray[np.uint8]
    previous_tag: NDArray[np.uint8]
    refers: Ints
    multi_tag_rows: Ints
    offsets: Offsets
    positions: NDArray[np.int32]
    tags: NDArray[np.uint8]
    previous_tags: NDArray[np.uint8]
    newest_step: int = 0

    def __len__(self) -> int:
        return len(self.seq)

    def of_row(self, row: int) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.uint8]]:
        """Positions of the tags set by the edit in a row, the new tags, and the previous tags."""
        if self.position[row] >= 0:
            single = slice(row, row + 1)
            return self.position[single], self.tag[single], self.previous_tag[single]
        index = int(np.searchsorted(self.multi_tag_rows, row))
        part = slice(int(self.offsets[index]), int(self.offsets[index + 1]))
        return self.positions[part], self.tags[part], self.previous_tags[part]

    def effects(self, key: LayerKey) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8]]:
        """All tags set in a layer, in project order: segments, positions and new tags, each of shape (tags set,)."""
        if key not in self.layers:
            empty = np.zeros(0, np.int32)
            return empty, empty, np.zeros(0, np.uint8)
        in_layer = self.layer == self.layers.index(key)
        single = np.flatnonzero(in_layer & (self.position >= 0))
        if not len(self.multi_tag_rows) or not in_layer[self.multi_tag_rows].any():
            return self.segment[single], self.position[single], self.tag[single]
        counts = np.diff(self.offsets)
        row_of_tag = np.repeat(self.multi_tag_rows, counts)
        selected = in_layer[row_of_tag]
        rows = np.concatenate([single, row_of_tag[selected]])
        positions = np.concatenate([self.position[single], self.positions[selected]])
        tags = np.concatenate([self.tag[single], self.tags[selected]])
        order = np.argsort(rows, kind="stable")
        return self.segment[rows[order]], positions[order], tags[order]

    def replay(self, key: LayerKey, column: TagColumn) -> TagColumn:
        """Return the tags of a layer after applying all its edits to `column`; `column` itself if there are none.

        Invalid positions are skipped. If several edits set a tag, the last one takes effect, regardless of the author.
        """
        segments, positions, tags = self.effects(key)
        if not len(tags):
            return column
        is_known = segments < len(column)
        segments, positions, tags = segments[is_known], positions[is_known], tags[is_known]
        begin = column.offsets[segments]
        fits = positions < column.offsets[segments + 1] - begin
        values = column.values.copy()
        # numpy assigns the last value of a repeated index
        values[(begin + positions)[fits]] = tags[fits]
        return TagColumn(values, column.offsets)


class Overlay:
    """Edits on top of a loaded column, which is not changed.

    `base` is the column that a project stores (default: the loaded column); its offsets equal those of `loaded`.
    Edits are stored by segment, so that one edit copies the tags of one segment only.
    """

    __slots__ = ("_frozen", "_restored_cache", "_segments", "base", "count", "loaded")

    def __init__(self, loaded: TagColumn, base: TagColumn | None = None) -> None:
        self.loaded = loaded
        self.base = loaded if base is None else base
        self._segments: dict[int, Tags] = {}
        self._frozen: EditedTags | None = None
        self._restored_cache: Ints | None = None
        self.count = 0 if base is None else int(np.count_nonzero(base.values != loaded.values))
        """Number of tags that differ from the loaded ones."""

    def __getitem__(self, segment: int) -> Tags:
        """Current tags of one segment."""
        edited = self._segments.get(segment)
        return self.base[segment] if edited is None else edited

    def snapshot(self) -> EditedTags:
        """Immutable snapshot of the current tags."""
        if self._frozen is None:
            self._frozen = EditedTags(self.loaded, self.base, self._segments, self._restored_segments)
        return self._frozen

    def set(self, segment: int, after: Tags) -> None:
        """Replace the tags of a segment with `after`, which must have the same length."""
        loaded = self.loaded[segment]
        self.count += int(np.count_nonzero(after != loaded)) - int(np.count_nonzero(self[segment] != loaded))
        if self._frozen is not None:
            # a snapshot shares these arrays: copy them once per snapshot
            self._segments, self._frozen = dict(self._segments), None
        self._segments[segment] = after

    def edited_segments(self) -> Ints:
        """Return the segments whose tags differ from the loaded ones, ascending, shape (k,)."""
        return self.snapshot().edited_segments()

    def _restored_segments(self) -> Ints:
        """Return the segments in which `base` differs from the loaded column; the result is cached."""
        if self._restored_cache is None:
            self._restored_cache = _differing_segments(self.loaded, self.base)
        return self._restored_cache


def _differing_segments(loaded: TagColumn, base: TagColumn) -> Ints:
    if base is loaded:
        return np.zeros(0, np.int64)
    positions = np.flatnonzero(loaded.values != base.values)
    return np.unique(np.searchsorted(loaded.offsets, positions, side="right") - 1)
