"""Marked positions of a segment: tagged BAD by the reference or, if there is none, by enough layers."""

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


class VotingRule(enum.StrEnum):
    """Rule that determines how many systems must tag a position BAD for it to be marked.

    With two systems, one is enough for `MAJORITY`; otherwise, adding a second system would remove marks of the first.
    """

    ANY = "any"
    MAJORITY = "majority"
    ALL = "all"

    def required_votes(self, systems: int) -> int:
        """Number of systems out of `systems` that must agree; at least one."""
        match self:
            case VotingRule.ANY:
                return 1
            case VotingRule.MAJORITY:
                return 1 if systems == 2 else systems // 2 + 1
            case _:
                return max(1, systems)

    @classmethod
    def distinct_rules(cls, systems: int) -> tuple[VotingRule, ...]:
        """Rules that give different results for this number of systems; empty for fewer than two."""
        if systems < 2:
            return ()
        return (cls.ANY, cls.ALL) if systems == 2 else (cls.ANY, cls.MAJORITY, cls.ALL)

    def for_system_count(self, systems: int) -> VotingRule:
        """Return this rule or, for two systems, `ANY` instead of `MAJORITY`, which gives the same results."""
        return VotingRule.ANY if self is VotingRule.MAJORITY and systems == 2 else self


DEFAULT_VOTING_RULE = VotingRule.MAJORITY
"""Default rule: it marks few positions, because readers ignore frequent false alarms."""


def has_several_tagging_layers(view: View, kind: Kind) -> bool:
    """Whether marks depend on agreement: no reference is complete, and several other layers have tags of a kind."""
    reference = view.reference(kind)
    if reference is not None and view.is_complete(reference):
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
    return _segment_marks(view, keys, segment, agreement)


def _segment_marks(view: View, keys: list[LayerKey], segment: int, agreement: VotingRule) -> MarkArray:
    tags: list[Tags] = [view.segment_tags(key, segment) for key in keys]
    votes: Ints = np.sum(tags, axis=0, dtype=np.int64) if len(tags) > 1 else tags[0].astype(np.int64)
    return marks_of_votes(votes, len(tags), agreement)


def marks_of_votes(votes: Ints, layers: int, agreement: VotingRule = DEFAULT_VOTING_RULE) -> MarkArray:
    """Marks of positions, shape (positions,), given how many of the `layers` layers tag each position BAD."""
    marks = np.where(votes >= agreement.required_votes(layers), LIGHT_MARK, 0)
    marks[votes == layers] = FULL_MARK
    return marks.astype(np.uint8)


def marking_layers(view: View, kind: Kind, segment: int) -> list[LayerKey]:
    """Layers that determine a segment's marks: the reference if the segment has one, else all other layers, if any."""
    reference = view.reference_at(kind, segment)
    return [reference] if reference is not None else tagging_layers(view, kind)


def tagging_layers(view: View, kind: Kind) -> list[LayerKey]:
    """Layers of a kind except the reference; in segments without a reference, their agreement determines the marks."""
    reference = view.reference(kind)
    return [key for key in view.tag_layers(kind) if key != reference]


def count_marked(columns: list[TagColumn], agreement: VotingRule) -> Ints:
    """Number of positions per segment that these tag columns mark, shape (segments,); `columns` must not be empty."""
    first = columns[0]
    if len(columns) == 1:
        return segment_sums(first.values, first.offsets)
    # 16 bits save memory in a large corpus, and no task has more systems than fit into them
    votes = np.zeros(len(first.values), np.uint16)
    for column in columns:
        votes += column.values
    return segment_sums(votes >= agreement.required_votes(len(columns)), first.offsets)


def marked_segments(columns: list[TagColumn], agreement: VotingRule) -> NDArray[np.bool_]:
    """Mask of the segments in which these tag columns mark a position, shape (segments,); `columns` must not be empty.

    Faster than `count_marked` if one layer is enough.
    """
    if agreement.required_votes(len(columns)) > 1:
        return count_marked(columns, agreement) > 0
    marked: NDArray[np.bool_] = np.logical_or.reduce([column.bad_segments() for column in columns])
    return marked


def flagging_layers(view: View, kind: Kind) -> list[LayerKey]:
    """Layers that flag positions: the layers of all systems or, if there are none, the gold layer.

    Unlike `marking_layers`, they do not depend on the user's tags and edits.
    """
    keys = view.tag_layers(kind)
    systems = [key for key in keys if key.provenance is Provenance.SYSTEM]
    return systems or [key for key in keys if key.provenance is Provenance.GOLD]


def flag_marks(view: View, segment: int, agreement: VotingRule = DEFAULT_VOTING_RULE) -> MarkArray:
    """Marks of a segment's MT words by the layers that flag words, shape (words,); shape (0,) without such layers.

    The marks are those of `segment_marks`: light if enough but not all layers flag a word, full if all do.
    """
    keys = flagging_layers(view, Kind.WORDS)
    return _segment_marks(view, keys, segment, agreement) if keys else np.zeros(0, np.uint8)
