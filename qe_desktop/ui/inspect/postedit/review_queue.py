"""Which segment is to be looked at next: of those in the list, the next that is doubtful, or else open."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import TagColumn, View
from qe_desktop.project.review.flagged_segments import suspecting_tags, unfinished_segments

SegmentIndices = NDArray[np.int64]
SegmentMask = NDArray[np.bool_]


class ReviewQueue:
    """Which segments of a view are still to be reviewed; what tags say is looked up once as long as they stay."""

    def __init__(self) -> None:
        self._known: list[tuple[TagColumn, SegmentMask]] = []

    def doubtful(self, view: View) -> SegmentMask:
        """Which are doubtful and nobody has finished, shape (segments,)."""
        known = {id(tags): found for tags, found in self._known}
        self._known = [
            (tags, known[id(tags)] if id(tags) in known else tags.bad_segments()) for tags in suspecting_tags(view)
        ]
        doubtful = np.zeros(view.corpus.size, bool)
        for _, found in self._known:
            doubtful |= found
        return doubtful & unfinished_segments(view)

    def next(self, view: View, rows: SegmentIndices, segment: int, step: int = 1) -> int | None:
        """Of the segments in the list, in its order, the next (`step` 1) or previous (−1) doubtful one that nobody has
        finished, and where there is none the next that nobody has finished; round about. None where all are finished.
        """
        for wanted in (self.doubtful(view), unfinished_segments(view)):
            found = next_row(rows, segment, wanted, step)
            if found is not None:
                return found
        return None


def next_row(rows: SegmentIndices, segment: int, wanted: SegmentMask, step: int = 1) -> int | None:
    """The next of the rows behind a segment (or before it, `step` −1) that is wanted, round about; never itself."""
    here = np.flatnonzero(rows == segment)
    place = int(here[0]) if len(here) else -1
    turned = np.concatenate([rows[place + 1 :], rows[: max(0, place)]])
    if step < 0:
        turned = turned[::-1]
    found = turned[wanted[turned]]
    return int(found[0]) if len(found) else None
