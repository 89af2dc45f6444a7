"""Marked positions in a segment: those that the reference or, if there is none, enough layers tag BAD."""

from __future__ import annotations

import enum

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Ints, TagColumn, segment_sums
from qe_desktop.corpus.layers import Kind, LayerKey, Provenance
from qe_desktop.corpus.view import Tags, View

MarkArray = NDArray[np.uint8]
"""Marks of a segment's positions, shape (positions,): 0 none, 1 light, 2 full."""
LIGHT_MARK, FULL_MARK = 1, 2
WEAK_SUSPICION, STRONG_SUSPICION = 1, 2
"""Levels of suspicion: at least one but at most half of the systems tag a word BAD, or more than half do."""


class VotingRule(enum.StrEnum):
    """Rule that determines how many systems must tag a position BAD for it to be marked.

    With two systems, one is enough for `MAJORITY`; otherwise the second one would remove the marks of the first.
    """

    ANY = "any"
    MAJORITY = "majority"
    ALL = "all"

    def needed(self, systems: int) -> int:
        """Number of systems out of `systems` that must agree; at least one."""
        match self:
            case VotingRule.ANY:
                return 1
            case VotingRule.MAJORITY:
                return 1 if systems == 2 else systems // 2 + 1
            case _:
                return max(1, systems)

    @classmethod
    def distinct(cls, systems: int) -> tuple[VotingRule, ...]:
        """Rules that give different results for this number of systems; empty for fewer than two."""
        if systems < 2:
            return ()
        return (cls.ANY, cls.ALL) if systems == 2 else (cls.ANY, cls.MAJORITY, cls.ALL)

    def among(self, systems: int) -> VotingRule:
        """Return this rule or, for two systems, `ANY` instead of `MAJORITY`, which gives the same results."""
        return VotingRule.ANY if self is VotingRule.MAJORITY and systems == 2 else self


DEFAULT_VOTING_RULE = VotingRule.MAJORITY
"""Default rule: it marks few positions, because readers ignore frequent false alarms."""


def has_several_taggers(view: View, kind: Kind) -> bool:
    """Whether several layers have tags of this kind but no reference is complete, so that their agreement matters."""
    reference = view.reference(kind)
    if reference is not None and view.is_whole(reference):
        return False
    return len(tagging_layers(view, kind)) > 1


def segment_marks(
    view: View, kind: Kind, segment: int, agreement: VotingRule = DEFAULT_VOTING_RULE
) -> MarkArray | None:
    """Marks of a segment's positions, shape (positions,); None if there are no tags.

    A mark is full if the reference tags the position BAD or all layers do, and light if enough but not all layers do. A
    layer that the user creates is a reference only in reviewed segments.
    """
    keys = marking_layers(view, kind, segment)
    if not keys:
        return None
    tags: list[Tags] = [view.segment_tags(key, segment) for key in keys]
    votes = np.sum(tags, axis=0, dtype=np.int64) if len(tags) > 1 else tags[0].astype(np.int64)
    marks = np.where(votes >= agreement.needed(len(tags)), LIGHT_MARK, 0)
    marks[votes == len(tags)] = FULL_MARK
    return marks.astype(np.uint8)


def marking_layers(view: View, kind: Kind, segment: int) -> list[LayerKey]:
    """Layers that determine a segment's marks: the reference, or else all others."""
    reference = view.reference_at(kind, segment)
    return [reference] if reference is not None else tagging_layers(view, kind)


def tagging_layers(view: View, kind: Kind) -> list[LayerKey]:
    """Layers of a kind except the reference; if there is none, their agreement determines the marks."""
    reference = view.reference(kind)
    return [key for key in view.tracks(kind) if key != reference]


def count_marked(columns: list[TagColumn], agreement: VotingRule) -> Ints:
    """Number of positions per segment that these tag columns mark, shape (segments,); `columns` must not be empty."""
    first = columns[0]
    if len(columns) == 1:
        return segment_sums(first.values, first.offsets)
    # 16 bits save memory in a large corpus, and no task has more systems than fit into them
    votes = np.zeros(len(first.values), np.uint16)
    for column in columns:
        votes += column.values
    return segment_sums(votes >= agreement.needed(len(columns)), first.offsets)


def suspecting_layers(view: View, kind: Kind) -> list[LayerKey]:
    """Layers whose tags flag words: those of all systems or, if there are none, the gold layer."""
    keys = view.tracks(kind)
    systems = [key for key in keys if key.provenance is Provenance.SYSTEM]
    return systems or [key for key in keys if key.provenance is Provenance.GOLD]


def word_suspicion(view: View, segment: int) -> NDArray[np.uint8]:
    """Suspicion of each MT word: 0, `WEAK_SUSPICION` or `STRONG_SUSPICION`, shape (words,).

    The array is empty if no layer flags words (see `suspecting_layers`). If only one layer does, a BAD tag is strong
    suspicion.
    """
    tags = [view.segment_tags(key, segment) for key in suspecting_layers(view, Kind.WORDS)]
    if not tags:
        return np.zeros(0, np.uint8)
    votes = np.sum(tags, axis=0, dtype=np.int64)
    return np.where(2 * votes > len(tags), STRONG_SUSPICION, WEAK_SUSPICION).astype(np.uint8) * (votes > 0)
