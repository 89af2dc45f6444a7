"""Marks of the positions that the reference or, without a reference, enough layers tag as BAD.

The `decisive_layers` of a view do not vote: positions that they tag BAD have full marks. In the view for translators,
these are the layers of the QA checks.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import NamedTuple

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

    With two systems, one is enough for `MAJORITY`. If both were required, adding a second system would remove marks of
    the first.
    """

    ANY = "any"
    MAJORITY = "majority"
    ALL = "all"

    def required_votes(self, systems: int) -> int:
        """Number of systems out of `systems` that must tag a position BAD; at least 1."""
        match self:
            case VotingRule.ANY:
                return 1
            case VotingRule.MAJORITY:
                return 1 if systems == 2 else systems // 2 + 1
            case _:
                return max(1, systems)

    @classmethod
    def distinct_rules(cls, systems: int) -> tuple[VotingRule, ...]:
        """Rules that give different results for `systems` systems; empty for fewer than two systems."""
        if systems < 2:
            return ()
        return (cls.ANY, cls.ALL) if systems == 2 else (cls.ANY, cls.MAJORITY, cls.ALL)

    def for_system_count(self, systems: int) -> VotingRule:
        """Return this rule; for two systems, `MAJORITY` is replaced by `ANY`, because both give the same results."""
        return VotingRule.ANY if self is VotingRule.MAJORITY and systems == 2 else self


DEFAULT_VOTING_RULE = VotingRule.MAJORITY
"""Default rule, which marks few positions, because readers ignore marks if false alarms are frequent."""


def has_several_tagging_layers(view: View, kind: Kind) -> bool:
    """Whether marks depend on the voting rule: there is no complete reference, but several voters (`count_voters`)."""
    reference = view.reference(kind)
    if reference is not None and view.is_complete(reference):
        return False
    return count_voters(view, tagging_layers(view, kind)) > 1


def count_voters(view: View, keys: Sequence[LayerKey]) -> int:
    """Number of the given layers that vote, that is, layers that are not decisive."""
    return sum(key not in view.decisive_layers for key in keys)


def segment_marks(
    view: View, kind: Kind, segment: int, agreement: VotingRule = DEFAULT_VOTING_RULE
) -> MarkArray | None:
    """Marks of a segment's positions, shape (positions,); None if no layer determines them (`marking_layers`).

    In a segment with a reference, positions that it tags BAD have full marks. In other segments, a mark is full if a
    decisive layer or every voter tags the position BAD, and light if fewer voters do, but at least as many as
    `agreement` requires. A layer that the user creates is a reference only in reviewed segments.
    """
    keys = marking_layers(view, kind, segment)
    if not keys:
        return None
    return _segment_marks(view, keys, segment, agreement)


def _segment_marks(view: View, keys: list[LayerKey], segment: int, agreement: VotingRule) -> MarkArray:
    tags: list[Tags] = [view.segment_tags(key, segment) for key in keys if key not in view.decisive_layers]
    decisive: list[Tags] = [view.segment_tags(key, segment) for key in keys if key in view.decisive_layers]
    if tags:
        votes: Ints = np.sum(tags, axis=0, dtype=np.int64) if len(tags) > 1 else tags[0].astype(np.int64)
        marks = marks_of_votes(votes, len(tags), agreement)
    else:
        marks = np.zeros(len(decisive[0]), np.uint8)
    for layer_tags in decisive:
        marks[layer_tags > 0] = FULL_MARK
    return marks


def marks_of_votes(votes: Ints, layers: int, agreement: VotingRule = DEFAULT_VOTING_RULE) -> MarkArray:
    """Marks of positions, shape (positions,); `votes` are the numbers of layers, out of `layers`, that tag them BAD."""
    marks = np.where(votes >= agreement.required_votes(layers), LIGHT_MARK, 0)
    marks[votes == layers] = FULL_MARK
    return marks.astype(np.uint8)


def marking_layers(view: View, kind: Kind, segment: int) -> list[LayerKey]:
    """Layers that determine a segment's marks: the reference (`reference_at`), else all `tagging_layers`."""
    reference = view.reference_at(kind, segment)
    return [reference] if reference is not None else tagging_layers(view, kind)


def tagging_layers(view: View, kind: Kind) -> list[LayerKey]:
    """Tag layers of a kind except the reference; they determine the marks of segments without a reference."""
    reference = view.reference(kind)
    return [key for key in view.tag_layers(kind) if key != reference]


class MarkingColumns(NamedTuple):
    """Tag columns of the layers that mark positions: the voting layers and the decisive layers."""

    voting: tuple[TagColumn, ...]
    decisive: tuple[TagColumn, ...] = ()

    @property
    def all(self) -> tuple[TagColumn, ...]:
        """All columns; the columns of voting layers come first."""
        return self.voting + self.decisive

    def marks(self, agreement: VotingRule = DEFAULT_VOTING_RULE) -> MarkArray:
        """Return the marks of all positions of the corpus, shape (positions,); requires at least one column."""
        marks = np.zeros(len(self.all[0].values), np.uint8)
        if self.voting:
            votes: Ints = np.sum([column.values for column in self.voting], axis=0, dtype=np.int64)
            marks = marks_of_votes(votes, len(self.voting), agreement)
        for column in self.decisive:
            marks[column.values > 0] = FULL_MARK
        return marks

    def count_marked(self, agreement: VotingRule) -> Ints:
        """Return the number of marked positions in each segment, shape (segments,); requires at least one column."""
        first = self.all[0]
        if len(self.all) == 1:
            return segment_sums(first.values, first.offsets)
        # 16 bits save memory in a large corpus, and no task has more systems than fit into them
        votes = np.zeros(len(first.values), np.uint16)
        for column in self.voting:
            votes += column.values
        marked = votes >= agreement.required_votes(len(self.voting))
        for column in self.decisive:
            marked |= column.values > 0
        return segment_sums(marked, first.offsets)

    def marked_segments(self, agreement: VotingRule) -> NDArray[np.bool_]:
        """Return a mask of the segments with marked positions, shape (segments,); requires at least one column.

        Faster than `count_marked` if one layer is enough to mark a position.
        """
        if agreement.required_votes(len(self.voting)) > 1:
            return self.count_marked(agreement) > 0
        marked: NDArray[np.bool_] = np.logical_or.reduce([column.bad_segments() for column in self.all])
        return marked


def marking_columns(view: View, keys: Sequence[LayerKey]) -> MarkingColumns:
    """Return the tag columns of layers; the columns are reused until the tags change."""
    return MarkingColumns(
        tuple(view.tags(key) for key in keys if key not in view.decisive_layers),
        tuple(view.tags(key) for key in keys if key in view.decisive_layers),
    )


def flagging_layers(view: View, kind: Kind) -> list[LayerKey]:
    """Layers that flag positions: the layers of all systems or, if there are none, the gold layer.

    Unlike those returned by `marking_layers`, these layers do not depend on the user's tags and edits.
    """
    keys = view.tag_layers(kind)
    systems = [key for key in keys if key.provenance is Provenance.SYSTEM]
    return systems or [key for key in keys if key.provenance is Provenance.GOLD]


def flag_marks(view: View, segment: int, agreement: VotingRule = DEFAULT_VOTING_RULE) -> MarkArray:
    """Marks of a segment's MT words based on `flagging_layers`, shape (words,); shape (0,) if there are no such layers.

    A mark is full if a decisive layer or every voter among these layers tags the word BAD, and light if fewer voters
    do, but at least as many as `agreement` requires.
    """
    keys = flagging_layers(view, Kind.WORDS)
    return _segment_marks(view, keys, segment, agreement) if keys else np.zeros(0, np.uint8)


def flagging_columns(view: View) -> list[MarkingColumns]:
    """Tag columns that flag words, then those that flag gaps; kinds that no layer flags are left out."""
    keys_by_kind = [flagging_layers(view, kind) for kind in (Kind.WORDS, Kind.GAPS)]
    return [marking_columns(view, keys) for keys in keys_by_kind if keys]
