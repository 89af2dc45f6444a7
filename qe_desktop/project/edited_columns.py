"""Tag edits of a project as columns, for vectorized replay of millions of edits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import EditedTags, LayerKey, Offsets, TagColumn, Tags
from qe_desktop.corpus.columns import Ints


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

    `base` is the column that a project stores; it has the offsets of the loaded column, which is also the default.
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
