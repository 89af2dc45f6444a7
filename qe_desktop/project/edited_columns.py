"""The tag edits of a project as columns: a million of them at once, and what the tags are after all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import EditedTags, LayerKey, Offsets, TagColumn, Tags

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class EditColumns:
    """All tag edits of the layers that are there, one a row in the order in which they hold; shape (edits,) each.

    `layer`, `person` and `window` are places in the tuples of names (`layer_uids` stand beside `layers`); `action` is
    an `EditAction`. A row that set one tag has it in `place`, `tag` and `before`; one that set several has place -1 and
    stands in `several` (rows, ascending), with its places, tags and tags before in `places`, `tags` and `befores`, cut
    by `offsets`. `refers` is the row of action EDIT that an UNDO or REDO is about, -1 for others. `newest_step` is the
    highest `step` of all rows.
    """

    layers: tuple[LayerKey, ...]
    layer_uids: tuple[str, ...]
    people: tuple[str, ...]
    windows: tuple[str, ...]
    seq: Ints
    layer: NDArray[np.int32]
    person: NDArray[np.int32]
    window: NDArray[np.int32]
    action: NDArray[np.uint8]
    segment: NDArray[np.int32]
    place: NDArray[np.int32]
    tag: NDArray[np.uint8]
    before: NDArray[np.uint8]
    refers: Ints
    several: Ints
    offsets: Offsets
    places: NDArray[np.int32]
    tags: NDArray[np.uint8]
    befores: NDArray[np.uint8]
    newest_step: int = 0

    def __len__(self) -> int:
        return len(self.seq)

    def of_row(self, row: int) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.uint8]]:
        """The places of one row, the tags they were given, and the tags before."""
        if self.place[row] >= 0:
            one = slice(row, row + 1)
            return self.place[one], self.tag[one], self.before[one]
        at = int(np.searchsorted(self.several, row))
        part = slice(int(self.offsets[at]), int(self.offsets[at + 1]))
        return self.places[part], self.tags[part], self.befores[part]

    def effects(self, key: LayerKey) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8]]:
        """Every tag that was set in a layer, in order: segments, places and tags, shape (tags set,) each."""
        if key not in self.layers:
            empty = np.zeros(0, np.int32)
            return empty, empty, np.zeros(0, np.uint8)
        mine = self.layer == self.layers.index(key)
        single = np.flatnonzero(mine & (self.place >= 0))
        if not len(self.several) or not mine[self.several].any():
            return self.segment[single], self.place[single], self.tag[single]
        counts = np.diff(self.offsets)
        of_value = np.repeat(self.several, counts)
        kept = mine[of_value]
        rows = np.concatenate([single, of_value[kept]])
        places = np.concatenate([self.place[single], self.places[kept]])
        tags = np.concatenate([self.tag[single], self.tags[kept]])
        order = np.argsort(rows, kind="stable")
        return self.segment[rows[order]], places[order], tags[order]

    def replayed(self, key: LayerKey, column: TagColumn) -> TagColumn:
        """A layer's tags after all edits; `column` itself where there are none. Places beyond a segment are left out.

        The last row that set a tag holds, whoever wrote it.
        """
        segments, places, tags = self.effects(key)
        if not len(tags):
            return column
        known = segments < len(column)
        segments, places, tags = segments[known], places[known], tags[known]
        begin = column.offsets[segments]
        fits = places < column.offsets[segments + 1] - begin
        values = column.values.copy()
        # of repeated places numpy assigns the last one
        values[(begin + places)[fits]] = tags[fits]
        return TagColumn(values, column.offsets)


Indices = NDArray[np.int64]


class Overlay:
    """Edits over a loaded column, which itself stays as it is.

    `base` is the column as a project left it, with the same offsets; the loaded one itself where nothing was edited.
    Edits are kept by segment on top of it, so that one edit costs one segment.
    """

    __slots__ = ("_edited", "_frozen", "_segments", "base", "count", "loaded")

    def __init__(self, loaded: TagColumn, base: TagColumn | None = None) -> None:
        self.loaded = loaded
        self.base = loaded if base is None else base
        self._segments: dict[int, Tags] = {}
        self._frozen: EditedTags | None = None
        self._edited: Indices | None = None
        self.count = 0 if base is None else int(np.count_nonzero(base.values != loaded.values))
        """How many tags differ from those loaded."""

    def __getitem__(self, segment: int) -> Tags:
        """One segment's tags as edited."""
        edited = self._segments.get(segment)
        return self.base[segment] if edited is None else edited

    def frozen(self) -> EditedTags:
        """The tags as they are now, as a value that later edits leave alone."""
        if self._frozen is None:
            self._frozen = EditedTags(self.loaded, self.base, self._segments, self._restored_segments)
        return self._frozen

    def set(self, segment: int, after: Tags) -> None:
        """Let a segment have other tags, as many as it has."""
        loaded = self.loaded[segment]
        self.count += int(np.count_nonzero(after != loaded)) - int(np.count_nonzero(self[segment] != loaded))
        if self._frozen is not None:
            # somebody holds these; copied once for all the edits until somebody asks again
            self._segments, self._frozen = dict(self._segments), None
        self._segments[segment] = after

    def edited_segments(self) -> Indices:
        """The segments whose tags differ from those loaded, ascending, shape (k,)."""
        return self.frozen().edited_segments()

    def _restored_segments(self) -> Indices:
        """Where the column as a project left it differs from the one loaded; looked up once."""
        if self._edited is None:
            self._edited = _differing(self.loaded, self.base)
        return self._edited


def _differing(loaded: TagColumn, base: TagColumn) -> Indices:
    if base is loaded:
        return np.zeros(0, np.int64)
    places = np.flatnonzero(loaded.values != base.values)
    return np.unique(np.searchsorted(loaded.offsets, places, side="right") - 1)
