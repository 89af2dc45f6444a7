"""Overlap of gold and system tags, computed once, from which all families of tag metrics compute their rows."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Offsets, TagColumn, segment_sums
from qe_desktop.corpus.columns import Ints


class TagSpans:
    """Spans of a column of tags: maximal runs of items (words or gaps) with the same tag within a segment.

    `begins` has shape (items,) and is True at the first item of each span.
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
    def starts(self) -> Ints:
        """Start index of each span, shape (spans,)."""
        return np.flatnonzero(self.begins)

    @cached_property
    def lengths(self) -> Ints:
        """Number of items of each span, shape (spans,)."""
        return np.diff(self.starts, append=len(self.begins))

    @cached_property
    def tags(self) -> NDArray[np.uint8]:
        """Tag of each span, shape (spans,)."""
        return self.column.values[self.starts]

    @cached_property
    def offsets(self) -> Offsets:
        """Index of the first span of each segment, followed by the number of spans, shape (segments + 1,)."""
        return np.searchsorted(self.starts, self.column.offsets)

    @cached_property
    def words(self) -> Ints:
        """Number of items in each segment, shape (segments,)."""
        return self.column.lengths()

    @cached_property
    def bad_words(self) -> Ints:
        """Number of BAD items in each segment, shape (segments,)."""
        return segment_sums(self.column.values, self.column.offsets)

    @cached_property
    def count(self) -> Ints:
        """Number of spans in each segment, shape (segments,)."""
        return np.diff(self.offsets)

    @cached_property
    def bad_count(self) -> Ints:
        """Number of BAD spans in each segment, shape (segments,)."""
        return segment_sums(self.tags, self.offsets)

    @cached_property
    def ok_count(self) -> Ints:
        """Number of OK spans in each segment, shape (segments,)."""
        return self.count - self.bad_count


class TagOverlap:
    """System and gold tags split into atoms: maximal runs of words within one gold span and one system span.

    Word counts, shares of spans and span matchings are computed from atoms, of which there are far fewer than words.

    Parameters
    ----------
    gold
        Spans of the gold.
    system
        Tags of the system.

    Raises
    ------
    ValueError
        If the segment lengths of gold and system differ.
    """

    def __init__(self, gold: TagSpans, system: TagColumn) -> None:
        if not np.array_equal(gold.column.offsets, system.offsets):
            raise ValueError("gold and system have different segment lengths")
        self.gold = gold
        self.system = TagSpans(system)

    @cached_property
    def starts(self) -> Ints:
        """Start index of each atom, shape (atoms,)."""
        return np.flatnonzero(self.gold.begins | self.system.begins)

    @cached_property
    def lengths(self) -> Ints:
        """Number of words of each atom, shape (atoms,)."""
        return np.diff(self.starts, append=len(self.gold.begins))

    @cached_property
    def offsets(self) -> Offsets:
        """Index of the first atom of each segment, followed by the number of atoms, shape (segments + 1,)."""
        return np.searchsorted(self.starts, self.gold.column.offsets)

    @cached_property
    def gold_tags(self) -> NDArray[np.uint8]:
        """Gold tag of each atom, shape (atoms,)."""
        return self.gold.column.values[self.starts]

    @cached_property
    def system_tags(self) -> NDArray[np.uint8]:
        """System tag of each atom, shape (atoms,)."""
        return self.system.column.values[self.starts]

    @cached_property
    def has_same_tag(self) -> NDArray[np.bool_]:
        """Whether each atom has the same tag in gold and system, shape (atoms,)."""
        return np.equal(self.gold_tags, self.system_tags)

    @cached_property
    def gold_span(self) -> Ints:
        """Index of the gold span of each atom, shape (atoms,)."""
        return np.cumsum(self.gold.begins[self.starts]) - 1

    @cached_property
    def system_span(self) -> Ints:
        """Index of the system span of each atom, shape (atoms,)."""
        return np.cumsum(self.system.begins[self.starts]) - 1

    @cached_property
    def same_tag_words(self) -> Ints:
        """Number of words of each atom, or 0 if its gold and system tags differ, shape (atoms,)."""
        return np.multiply(self.lengths, self.has_same_tag)

    @cached_property
    def is_bad(self) -> NDArray[np.bool_]:
        """Whether each atom is BAD in the gold, shape (atoms,)."""
        return self.gold_tags.astype(bool)

    def sum_by_tag(self, values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Sum the values of atoms by segment and gold tag.

        Parameters
        ----------
        values
            Values, shape (atoms,); integers must not be negative, and their sums must be below 2^31.

        Returns
        -------
        tuple of ndarray
            Sums over the atoms that are OK in the gold, and over those that are BAD, shape (segments,) each.
        """
        if values.dtype.kind != "i":
            return segment_sums(values * ~self.is_bad, self.offsets), segment_sums(values * self.is_bad, self.offsets)
        # integers: both sums in one pass, one of them in the upper half of the bits
        packed_sums = segment_sums(values << self._upper_half, self.offsets)
        return packed_sums & 0xFFFFFFFF, packed_sums >> 32

    @cached_property
    def _upper_half(self) -> Ints:
        """Bit shift for the integer of each atom, shape (atoms,): 32 if the atom is BAD in the gold, otherwise 0."""
        return np.multiply(self.is_bad, 32, dtype=np.int64)

    @cached_property
    def gold_span_recall(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Sums over OK and over BAD gold spans of the share of correctly tagged words, shape (segments,) each."""
        return self.sum_by_tag(self.same_tag_words / self.gold.lengths[self.gold_span])

    @cached_property
    def system_span_precision(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Sums over OK and over BAD system spans of the share of correctly tagged words, shape (segments,) each."""
        return self.sum_by_tag(self.same_tag_words / self.system.lengths[self.system_span])
