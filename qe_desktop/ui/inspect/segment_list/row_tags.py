"""Tags of a segment as shown in its row of the list: marked words, and the counts of BAD and disputed words."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from rapidfuzz.distance import Levenshtein

from qe_desktop.corpus import Kind, TextRole, View
from qe_desktop.corpus.tag_voting import DEFAULT_VOTING_RULE, MarkArray, VotingRule, segment_marks
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.formats.bilingual.word_tokenization import word_spans

MAX_CACHED_ROWS = 2000
"""Maximum number of cache entries, enough for a few screens."""

WINDOW_WORDS = 5
"""Number of words that an excerpt usually shows, even in a narrow column."""


def bad_positions(view: View, kind: Kind, segment: int, agreement: VotingRule = DEFAULT_VOTING_RULE) -> list[int]:
    """Return the positions tagged BAD by the reference or, without one, by as many layers as `agreement` requires."""
    marks = segment_marks(view, kind, segment, agreement)
    return [] if marks is None else marks.nonzero()[0].tolist()


def disputed_positions(view: View, kind: Kind, segment: int, agreement: VotingRule = DEFAULT_VOTING_RULE) -> list[int]:
    """Return the positions whose tags differ between the compared layers or, if there are none, between all layers.

    `agreement` has no effect.
    """
    absent_reference = view.reference(kind) if view.reference_at(kind, segment) is None else None
    keys = view.compared_layers(kind) or [key for key in view.tag_layers(kind) if key != absent_reference]
    tags = [view.segment_tags(key, segment) for key in keys]
    if len(tags) < 2:
        return []
    return np.flatnonzero(np.any([layer_tags != tags[0] for layer_tags in tags[1:]], axis=0)).tolist()


def excerpt_position(marks: MarkArray) -> int | None:
    """Return the position of the mark that an excerpt must show; None if there are no marks.

    A group consists of a mark and the marks on the next words, `WINDOW_WORDS` words in all. The result is the first
    mark or, if the densest group has more than twice as many marks as the first group, the first mark of the densest
    group.
    """
    positions = marks.nonzero()[0]
    if not len(positions):
        return None
    counts = np.searchsorted(positions, positions + WINDOW_WORDS) - np.arange(len(positions))
    return int(positions[0 if 2 * counts[0] >= counts.max() else counts.argmax()])


class RowTagCache:
    """Cache of the marks and counts of a view; rows are painted often and show these values in several columns."""

    def __init__(self, view: View, agreement: VotingRule) -> None:
        self._view, self._agreement = view, agreement
        self._marks: dict[tuple[Kind, int], MarkArray | None] = {}
        self._disputed: dict[tuple[Kind, int], int] = {}
        self._target_marks: dict[int, MarkArray | None] = {}

    def update_view(self, view: View, segments: Iterable[int]) -> None:
        """Switch to a view in which only the tags of `segments` have changed."""
        self._view, changed = view, frozenset(segments)
        self._marks = {key: value for key, value in self._marks.items() if key[1] not in changed}
        self._disputed = {key: value for key, value in self._disputed.items() if key[1] not in changed}
        self._target_marks = {key: value for key, value in self._target_marks.items() if key not in changed}

    def marks(self, kind: Kind, segment: int) -> MarkArray | None:
        """Return the marks of a segment, one per word or gap of `kind`; None if the segment has no tags."""
        if (kind, segment) not in self._marks:
            self._limit_size()
            self._marks[kind, segment] = segment_marks(self._view, kind, segment, self._agreement)
        return self._marks[kind, segment]

    def target_marks(self, segment: int) -> MarkArray | None:
        """Return the marks of an edited target, one per word: those of the MT words that it still contains.

        Return None if the segment has no tags of words.
        """
        if segment not in self._target_marks:
            self._limit_size()
            marks = self.marks(Kind.WORDS, segment)
            self._target_marks[segment] = None if marks is None else _kept_marks(self._view, segment, marks)
        return self._target_marks[segment]

    def bad_count(self, kind: Kind, segment: int) -> int:
        """Return the number of marked positions of a segment."""
        marks = self.marks(kind, segment)
        return 0 if marks is None else int(np.count_nonzero(marks))

    def disputed_count(self, kind: Kind, segment: int) -> int:
        """Return the number of positions of a segment whose tags differ between layers."""
        if (kind, segment) not in self._disputed:
            self._limit_size()
            self._disputed[kind, segment] = len(disputed_positions(self._view, kind, segment))
        return self._disputed[kind, segment]

    def _limit_size(self) -> None:
        if len(self._marks) + len(self._disputed) + len(self._target_marks) >= MAX_CACHED_ROWS:
            self._marks, self._disputed, self._target_marks = {}, {}, {}


def _kept_marks(view: View, segment: int, marks: MarkArray) -> MarkArray:
    """Return the marks of an edited target, one per word; `marks` are the marks of the MT words."""
    text = strip_codes(view.target(segment))
    words = [text[start:end] for start, end in word_spans(text)]
    kept_marks = np.zeros(len(words), np.uint8)
    for kind, first, last, first_word, last_word in Levenshtein.opcodes(
        view.corpus.tokens(TextRole.MT, segment), words
    ):
        if kind == "equal":
            kept_marks[first_word:last_word] = marks[first:last]
    return kept_marks
