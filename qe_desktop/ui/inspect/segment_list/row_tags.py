"""What the tags of a segment say in a row of the list: the marks of its words, and how many are BAD or disputed."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from qe_desktop.corpus import Kind, View
from qe_desktop.corpus.tag_voting import DEFAULT_VOTING_RULE, MarkArray, VotingRule, segment_marks

MAX_CACHED_ROWS = 2000
"""Facts of segments that are kept at the most: those of some screens."""


def bad_positions(view: View, kind: Kind, segment: int, agreement: VotingRule = DEFAULT_VOTING_RULE) -> list[int]:
    """Places that the reference, or without one enough systems, call BAD."""
    marks = segment_marks(view, kind, segment, agreement)
    return [] if marks is None else marks.nonzero()[0].tolist()


def disputed_positions(view: View, kind: Kind, segment: int, agreement: VotingRule = DEFAULT_VOTING_RULE) -> list[int]:
    """Places whose tags are not the same in all layers, however many agree."""
    unseen = view.reference(kind) if view.reference_at(kind, segment) is None else None
    tags = [view.segment_tags(key, segment) for key in view.tracks(kind) if key != unseen]
    if len(tags) < 2:
        return []
    return np.flatnonzero(np.any([one != tags[0] for one in tags[1:]], axis=0)).tolist()


class RowTagCache:
    """The same of one view, each looked up once: a row is painted often, and its marks stand in several columns."""

    def __init__(self, view: View, agreement: VotingRule) -> None:
        self._view, self._agreement = view, agreement
        self._marks: dict[tuple[Kind, int], MarkArray | None] = {}
        self._disputed: dict[tuple[Kind, int], int] = {}

    def follow(self, view: View, segments: Iterable[int]) -> None:
        """Go on with a view in which only these segments may have other tags."""
        self._view, changed = view, frozenset(segments)
        self._marks = {key: found for key, found in self._marks.items() if key[1] not in changed}
        self._disputed = {key: found for key, found in self._disputed.items() if key[1] not in changed}

    def marks(self, kind: Kind, segment: int) -> MarkArray | None:
        """The marks of a segment's places, None where nobody tagged them."""
        if (kind, segment) not in self._marks:
            self._make_room()
            self._marks[kind, segment] = segment_marks(self._view, kind, segment, self._agreement)
        return self._marks[kind, segment]

    def bad(self, kind: Kind, segment: int) -> int:
        """How many places are marked."""
        marks = self.marks(kind, segment)
        return 0 if marks is None else int(np.count_nonzero(marks))

    def disputed(self, kind: Kind, segment: int) -> int:
        """On how many places not all are of one opinion."""
        if (kind, segment) not in self._disputed:
            self._make_room()
            self._disputed[kind, segment] = len(disputed_positions(self._view, kind, segment))
        return self._disputed[kind, segment]

    def _make_room(self) -> None:
        if len(self._marks) + len(self._disputed) >= MAX_CACHED_ROWS:
            self._marks, self._disputed = {}, {}
