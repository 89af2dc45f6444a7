"""Search for the next or previous BAD or disputed word, in the order of the segment list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus import Kind, View
from qe_desktop.corpus.columns import Ints
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
"""Maximum number of rows searched one by one; after that, the matches of all segments are counted in one call."""


@dataclass(frozen=True, slots=True)
class TagFinder:
    """Search criterion, with functions that find the matches in a segment and count the matches in each segment."""

    find_positions: Callable[[View, Kind, int, VotingRule], list[int]]
    count_matches: Callable[[SegmentSnapshot], Ints]


BAD_FINDER = TagFinder(bad_positions, count_bad)
DISPUTED_FINDER = TagFinder(disputed_positions, count_disagreements)


def find_next_tag(
    view: View, kind: Kind, model: SegmentModel, segment: int, index: int, finder: TagFinder, step: int
) -> tuple[int, int] | None:
    """Return the next (`step` 1) or previous (−1) match as (segment, position); None if there is none.

    The search starts after or before position `index` in `segment`, and follows the order of the segment list.
    """
    nearest, agreement = 0 if step > 0 else -1, model.agreement
    matches = [
        position for position in finder.find_positions(view, kind, segment, agreement) if (position - index) * step > 0
    ]
    if matches:
        return segment, matches[nearest]
    row = model.row_of(segment)
    # start above the first row if the segment is not listed
    remaining = model.segments[(-1 if row is None else row) + 1 :] if step > 0 else model.segments[: row or 0][::-1]
    for candidate in remaining[:MAX_ROWS_SCANNED].tolist():
        indices = finder.find_positions(view, kind, candidate, agreement)
        if indices:
            return candidate, indices[nearest]
    remaining_rows = remaining[MAX_ROWS_SCANNED:]
    if not len(remaining_rows):
        return None
    hits = np.flatnonzero(finder.count_matches(take_snapshot(view, kind, SegmentQuery(), agreement))[remaining_rows])
    if not len(hits):
        return None
    candidate = int(remaining_rows[hits[0]])
    return candidate, finder.find_positions(view, kind, candidate, agreement)[nearest]
