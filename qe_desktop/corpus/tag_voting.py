"""Which places are marked where several have tagged them and none of them is the reference."""

from __future__ import annotations

import enum

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.layers import Kind, LayerKey
from qe_desktop.corpus.ragged import TagColumn, segment_sums
from qe_desktop.corpus.view import Tags, View

Marks = NDArray[np.uint8]
"""The marks of a segment's places, shape (places,): 0 none, 1 light, 2 full."""
LIGHT, FULL = 1, 2


class Agreement(enum.StrEnum):
    """How many of several systems must call a place BAD before it is marked.

    Of two systems none is outvoted: either is enough, or else a second one would take away the marks of the first.
    """

    ANY = "any"
    MAJORITY = "majority"
    ALL = "all"

    def needed(self, systems: int) -> int:
        """How many of so many systems are enough; at least one."""
        match self:
            case Agreement.ANY:
                return 1
            case Agreement.MAJORITY:
                return 1 if systems == 2 else systems // 2 + 1
            case _:
                return max(1, systems)

    @classmethod
    def distinct(cls, systems: int) -> tuple[Agreement, ...]:
        """Those that can differ for so many systems."""
        if systems < 2:
            return ()
        return (cls.ANY, cls.ALL) if systems == 2 else (cls.ANY, cls.MAJORITY, cls.ALL)

    def among(self, systems: int) -> Agreement:
        """The one of `distinct` that marks the same as this."""
        return Agreement.ANY if self is Agreement.MAJORITY and systems == 2 else self


USUAL = Agreement.MAJORITY
"""Few marks, and none for a system that doubts every other word: readers stop looking at what is often wrong."""


def are_several(view: View, kind: Kind) -> bool:
    """Whether several tagged a kind of places where there is no reference, so that agreement decides."""
    reference = view.reference(kind)
    if reference is not None and view.is_whole(reference):
        return False
    return len(others(view, kind)) > 1


def marks_of(view: View, kind: Kind, segment: int, agreement: Agreement = USUAL) -> Marks | None:
    """The marks of a segment's places: full where the reference, or else all who tagged them, say BAD, light where
    only some do, but enough of them. None where nobody tagged them. What a person makes here is a reference in the
    segments that were reviewed.
    """
    keys = markers(view, kind, segment)
    if not keys:
        return None
    tags: list[Tags] = [view.segment_tags(key, segment) for key in keys]
    votes = np.sum(tags, axis=0, dtype=np.int64) if len(tags) > 1 else tags[0].astype(np.int64)
    marks = np.where(votes >= agreement.needed(len(tags)), LIGHT, 0)
    marks[votes == len(tags)] = FULL
    return marks.astype(np.uint8)


def markers(view: View, kind: Kind, segment: int) -> list[LayerKey]:
    """Whose tags make the marks of a segment: the reference's, or else those of all others."""
    reference = view.reference_at(kind, segment)
    return [reference] if reference is not None else others(view, kind)


def others(view: View, kind: Kind) -> list[LayerKey]:
    """All who tagged places of a kind but the reference: those among whom agreement decides."""
    reference = view.reference(kind)
    return [key for key in view.tracks(kind) if key != reference]


def marked_counts(columns: list[TagColumn], agreement: Agreement) -> NDArray[np.int64]:
    """How many places of each segment are marked by these columns of tags, shape (segments,); at least one column."""
    first = columns[0]
    if len(columns) == 1:
        return segment_sums(first.values, first.offsets)
    # a corpus of a million segments has many words, and no task has as many systems
    votes = np.zeros(len(first.values), np.uint16)
    for column in columns:
        votes += column.values
    return segment_sums(votes >= agreement.needed(len(columns)), first.offsets)
