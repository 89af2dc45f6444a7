"""The tags of one layer as edited: the loaded column, what was restored over it, and what was edited since."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import EditedTags, TagColumn, Tags

Places = NDArray[np.int64]


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
        self._edited: Places | None = None
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

    def edited_segments(self) -> Places:
        """The segments whose tags differ from those loaded, ascending, shape (k,)."""
        return self.frozen().edited_segments()

    def _restored_segments(self) -> Places:
        """Where the column as a project left it differs from the one loaded; looked up once."""
        if self._edited is None:
            self._edited = _differing(self.loaded, self.base)
        return self._edited


def _differing(loaded: TagColumn, base: TagColumn) -> Places:
    if base is loaded:
        return np.zeros(0, np.int64)
    places = np.flatnonzero(loaded.values != base.values)
    return np.unique(np.searchsorted(loaded.offsets, places, side="right") - 1)
