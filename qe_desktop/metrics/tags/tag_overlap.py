"""Gold and system tags laid over each other: the one pass that all word families draw their rows from."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Offsets, TagColumn, segment_sums

Ints = NDArray[np.int64]


class TagSpans:
    """Maximal runs of one tag within a segment.

    `begins` (items,) flags the first item of each span; spans never cross segments.
    """

    def __init__(self, column: TagColumn) -> None:
        self.column = column
        tags = column.values
        self.begins = np.empty(len(tags), bool)
        if len(tags):
            np.not_equal(tags[1:], tags[:-1], out=self.begins[1:])
            starts = column.offsets[:-1]
            self.begins[starts[starts < len(tags)]] = True

    @cached_property
    def places(self) -> Ints:
        """Where each span begins, shape (spans,)."""
        return np.flatnonzero(self.begins)

    @cached_property
    def lengths(self) -> Ints:
        """How many items each span has, shape (spans,)."""
        return np.diff(self.places, append=len(self.begins))

    @cached_property
    def tags(self) -> NDArray[np.uint8]:
        """The tag of each span, shape (spans,)."""
        return self.column.values[self.places]

    @cached_property
    def offsets(self) -> Offsets:
        """Where each segment's spans begin among all spans, shape (segments + 1,)."""
        return np.searchsorted(self.places, self.column.offsets)

    @cached_property
    def words(self) -> Ints:
        """Items of each segment, shape (segments,)."""
        return self.column.lengths()

    @cached_property
    def bad_words(self) -> Ints:
        """BAD items of each segment, shape (segments,)."""
        return segment_sums(self.column.values, self.column.offsets)

    @cached_property
    def count(self) -> Ints:
        """Spans of each segment, shape (segments,)."""
        return np.diff(self.offsets)

    @cached_property
    def bad_count(self) -> Ints:
        """BAD spans of each segment, shape (segments,)."""
        return segment_sums(self.tags, self.offsets)

    @cached_property
    def ok_count(self) -> Ints:
        """OK spans of each segment, shape (segments,)."""
        return self.count - self.bad_count


class TagOverlap:
    """A system's tags over the gold's, cut into atoms: the longest pieces within one gold and one system span.

    An atom whose tags agree is one cell of the overlap of gold and system spans, so counts of words, shares of spans
    and matchings of spans all come from atoms, of which there are far fewer than words.
    """

    def __init__(self, gold: TagSpans, system: TagColumn) -> None:
        if not np.array_equal(gold.column.offsets, system.offsets):
            raise ValueError("gold and system differ in the length of a segment")
        self.gold = gold
        self.system = TagSpans(system)

    @cached_property
    def places(self) -> Ints:
        """Where each atom begins, shape (atoms,)."""
        return np.flatnonzero(self.gold.begins | self.system.begins)

    @cached_property
    def lengths(self) -> Ints:
        """Words of each atom, shape (atoms,)."""
        return np.diff(self.places, append=len(self.gold.begins))

    @cached_property
    def offsets(self) -> Offsets:
        """Where each segment's atoms begin, shape (segments + 1,)."""
        return np.searchsorted(self.places, self.gold.column.offsets)

    @cached_property
    def gold_tags(self) -> NDArray[np.uint8]:
        """The gold tag of each atom."""
        return self.gold.column.values[self.places]

    @cached_property
    def system_tags(self) -> NDArray[np.uint8]:
        """The system's tag of each atom."""
        return self.system.column.values[self.places]

    @cached_property
    def agree(self) -> NDArray[np.bool_]:
        """Which atoms carry the same tag in gold and system."""
        return np.equal(self.gold_tags, self.system_tags)

    @cached_property
    def gold_span(self) -> Ints:
        """The gold span that each atom lies in."""
        return np.cumsum(self.gold.begins[self.places]) - 1

    @cached_property
    def system_span(self) -> Ints:
        """The system span that each atom lies in."""
        return np.cumsum(self.system.begins[self.places]) - 1

    @cached_property
    def agreed(self) -> Ints:
        """Words of each atom whose tags agree, 0 for the others."""
        return np.multiply(self.lengths, self.agree)

    @cached_property
    def bad(self) -> NDArray[np.bool_]:
        """Which atoms are BAD in the gold."""
        return self.gold_tags.astype(bool)

    def by_tag(self, values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Sums of atoms' values by segment, of the atoms that are OK in the gold and of those that are BAD."""
        if values.dtype.kind != "i":
            return segment_sums(values * ~self.bad, self.offsets), segment_sums(values * self.bad, self.offsets)
        # whole numbers: both sums in one pass, one in the upper half of the other's bits
        both = segment_sums(values << self._upper_half, self.offsets)
        return both & 0xFFFFFFFF, both >> 32

    @cached_property
    def _upper_half(self) -> Ints:
        """How far each atom's whole numbers are shifted: those of BAD ones into the upper half of the bits."""
        return np.multiply(self.bad, 32, dtype=np.int64)

    @cached_property
    def gold_spans_found(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Gold spans, each as the share of its words that the system tags rightly: OK and BAD ones of each segment."""
        return self.by_tag(self.agreed / self.gold.lengths[self.gold_span])

    @cached_property
    def system_spans_right(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """System spans, each as the share of its words whose gold tag it is: OK and BAD ones of each segment."""
        return self.by_tag(self.agreed / self.system.lengths[self.system_span])
