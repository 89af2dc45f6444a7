"""Order of review: flagged unfinished segments of the list first, then other unfinished segments."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import TagColumn, View
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.tag_voting import VotingRule, marked_segments
from qe_desktop.i18n.messages import tr
from qe_desktop.project.review.flagged_segments import flagging_columns, unfinished_segments

SegmentMask = NDArray[np.bool_]


class ReviewQueue:
    """Queue of segments still to be reviewed; masks of flagged segments are cached by voting rule and tag columns."""

    def __init__(self, agreement: Callable[[], VotingRule]) -> None:
        self._agreement = agreement
        self._cached_masks: list[tuple[VotingRule, list[TagColumn], SegmentMask]] = []
        self._order_was_explained = False

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

        The search starts at `segment`, which is never returned itself, and wraps around. If there is no flagged
        unfinished segment, return the next (or previous) unfinished segment, or None if there is none.
        """
        for selected in (self.flagged_unfinished(view), unfinished_segments(view)):
            next_segment = next_row(rows, segment, selected, step)
            if next_segment is not None:
                return next_segment
        return None

    def order_text(self, view: View, rows: Ints, segment: int, next_segment: int, step: int = 1) -> str:
        """Return a message that a step from `segment` to `next_segment` skipped unfinished segments without flags.

        Empty if none was skipped, or if this queue has returned a message before.
        """
        skipped_rows = _rows_after(rows, segment, step)
        skipped_rows = skipped_rows[: int(np.argmax(skipped_rows == next_segment))]
        skipped = int(unfinished_segments(view)[skipped_rows].sum())
        if not skipped or self._order_was_explained:
            return ""
        self._order_was_explained = True
        return tr("{n:,} unfinished {n:segment|segments} skipped: flagged segments come first", "", skipped)


def next_row(rows: Ints, segment: int, mask: SegmentMask, step: int = 1) -> int | None:
    """Return the next (`step` 1) or previous (−1) segment in `rows` that is set in `mask`; None if there is none.

    The search starts at `segment`, which is never returned itself, and wraps around. If `segment` is not in `rows`, the
    search starts at the first row or, if `step` is −1, at the last row.
    """
    order = _rows_after(rows, segment, step)
    matches = order[mask[order]]
    return int(matches[0]) if len(matches) else None


def _rows_after(rows: Ints, segment: int, step: int) -> Ints:
    """Return the other rows in the order in which a search from `segment` visits them (see `next_row`)."""
    position = np.flatnonzero(rows == segment)
    index = int(position[0]) if len(position) else -1
    return np.concatenate([rows[index + 1 :], rows[: max(0, index)]])[::step]
