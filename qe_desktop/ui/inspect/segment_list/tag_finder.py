"""Walking by meaning: to the next BAD or disputed place, through the segments as the list has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Kind, View
from qe_desktop.corpus.tag_voting import VotingRule
from qe_desktop.project.segment_filter import (
    SegmentQuery,
    SegmentSnapshot,
    count_bad,
    count_disagreements,
    take_snapshot,
)
from qe_desktop.ui.inspect.segment_list.row_tags import bad_positions, disputed_positions
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentModel

MAX_ROWS_SCANNED = 300
"""Rows looked at one by one before all segments are counted at once."""


@dataclass(frozen=True, slots=True)
class TagFinder:
    """What is walked to: its places in one segment, and how many there are in each segment of a snapshot."""

    places: Callable[[View, Kind, int, VotingRule], list[int]]
    counts: Callable[[SegmentSnapshot], NDArray[np.int64]]


BAD_FINDER = TagFinder(bad_positions, count_bad)
DISPUTED_FINDER = TagFinder(disputed_positions, count_disagreements)


def find_next_tag(
    view: View, kind: Kind, model: SegmentModel, segment: int, place: int, finder: TagFinder, step: int
) -> tuple[int, int] | None:
    """The next (`step` 1) or previous (−1) place of a finder: (segment, place), or None at the list's end."""
    nearest, agreement = 0 if step > 0 else -1, model.agreement
    here = [one for one in finder.places(view, kind, segment, agreement) if (one - place) * step > 0]
    if here:
        return segment, here[nearest]
    row = model.row_of(segment)
    # a segment that the list does not show stands before its first row
    rest = model.segments[(-1 if row is None else row) + 1 :] if step > 0 else model.segments[: row or 0][::-1]
    for other in rest[:MAX_ROWS_SCANNED].tolist():
        places = finder.places(view, kind, other, agreement)
        if places:
            return other, places[nearest]
    far = rest[MAX_ROWS_SCANNED:]
    if not len(far):
        return None
    hits = np.flatnonzero(finder.counts(take_snapshot(view, kind, SegmentQuery(), agreement))[far])
    if not len(hits):
        return None
    other = int(far[hits[0]])
    return other, finder.places(view, kind, other, agreement)[nearest]
