"""Review order: the next flagged segment of the list, otherwise the next unfinished one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import TagColumn, View
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.tag_voting import VotingRule, marked_segments
from qe_desktop.project.review.flagged_segments import flagging_columns, unfinished_segments

SegmentMask = NDArray[np.bool_]


class ReviewQueue:
    """Segments of a view that are still to be reviewed; flagged segments are cached per voting rule and tag columns."""

    def __init__(self, agreement: Callable[[], VotingRule]) -> None:
        self._agreement = agreement
        self._cached_masks: list[tuple[VotingRule, list[TagColumn], SegmentMask]] = []

    def flagged_unfinished(self, view: View) -> SegmentMask:
        """Return a mask of the flagged segments that are still unfinished, shape (segments,)."""
        rule = self._agreement()
        cached = {(known_rule, *map(id, columns)): flagged for known_rule, columns, flagged in self._cached_masks}
        self._cached_masks = []
        any_flagged = np.zeros(view.corpus.size, bool)
        for columns in filter(None, flagging_columns(view)):
            flagged = cached.get((rule, *map(id, columns)))
            if flagged is None:
                flagged = marked_segments(columns, rule)
            self._cached_masks.append((rule, columns, flagged))
            any_flagged |= flagged
        return any_flagged & unfinished_segments(view)

    def next(self, view: View, rows: Ints, segment: int, step: int = 1) -> int | None:
        """Return the next (`step` 1) or previous (−1) flagged unfinished segment among the listed `rows`.

        The search wraps around and skips `segment`. Without flagged segments, any unfinished segment is returned; None
        if no other listed segment is unfinished.
        """
        for selected in (self.flagged_unfinished(view), unfinished_segments(view)):
            next_segment = next_row(rows, segment, selected, step)
            if next_segment is not None:
                return next_segment
        return None


def next_row(rows: Ints, segment: int, mask: SegmentMask, step: int = 1) -> int | None:
    """Return the next (`step` 1) or previous (−1) segment of `mask` in the list; None if there is none.

    The search begins at `segment`, which is never returned itself, and wraps around. If `segment` is not listed, it
    begins at the first row or, for −1, at the last.
    """
    position = np.flatnonzero(rows == segment)
    index = int(position[0]) if len(position) else -1
    order = np.concatenate([rows[index + 1 :], rows[: max(0, index)]])
    if step < 0:
        order = order[::-1]
    matches = order[mask[order]]
    return int(matches[0]) if len(matches) else None
