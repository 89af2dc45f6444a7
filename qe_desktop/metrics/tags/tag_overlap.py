"""Overlap of gold and system tags, and the rows and totals that tag metrics compute from it in blocks."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Offsets, TagColumn, segment_sums
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.metrics.family import Family


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
        """Share of correctly tagged words, summed over OK and over BAD gold spans, shape (segments,) each."""
        return self.sum_by_tag(self.same_tag_words / self.gold.lengths[self.gold_span])

    @cached_property
    def system_span_precision(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Share of correctly tagged words, summed over OK and over BAD system spans, shape (segments,) each."""
        return self.sum_by_tag(self.same_tag_words / self.system.lengths[self.system_span])


BLOCK_WORDS = 1 << 17
"""Maximum number of words in a block: small enough for the CPU cache, large enough to keep threads busy."""


def segment_blocks(column: TagColumn, words: int = BLOCK_WORDS) -> Iterator[tuple[int, int]]:
    """Yield consecutive ranges of segments that together cover a column.

    Parameters
    ----------
    column
        Tags.
    words
        Maximum number of words of a block; a longer segment is a block of its own.

    Yields
    ------
    tuple of int
        First segment and end (exclusive) of a range.
    """
    first = 0
    while first < len(column):
        last = int(np.searchsorted(column.offsets, column.offsets[first] + words, side="right")) - 1
        last = min(max(first + 1, last), len(column))
        yield first, last
        first = last


def compute_rows(
    families: Sequence[Family[TagOverlap]],
    gold: TagColumn,
    systems: Sequence[TagColumn],
    *,
    dtype: type[np.floating] = np.float64,
    on_progress: OnProgress | None = None,
) -> dict[str, NDArray[Any]]:
    """Return the rows of families for all systems.

    Parameters
    ----------
    families
        Families of tag metrics.
    gold
        Gold tags.
    systems
        Tags of each system.
    dtype
        Data type of the rows.
    on_progress
        Progress callback, called with the completed share (0 to 1) after each block; may raise an exception to stop.

    Returns
    -------
    dict of str to ndarray
        Rows by the name of the family, shape (systems, segments, columns) each.

    Raises
    ------
    ValueError
        If segment lengths of gold and systems differ.
    """
    _check_lengths(gold, systems)
    out: dict[str, NDArray[Any]] = {
        family.name: np.empty((len(systems), len(gold), len(family.columns)), dtype) for family in families
    }
    for first, last in segment_blocks(gold):
        spans = TagSpans(gold.take(first, last))
        for index, system in enumerate(systems):
            overlap = TagOverlap(spans, system.take(first, last))
            for family in families:
                out[family.name][index, first:last] = family.rows(overlap)
        if on_progress is not None:
            on_progress(last / len(gold))
    return out


def compute_totals(
    families: Sequence[Family[TagOverlap]],
    gold: TagColumn,
    systems: Sequence[TagColumn],
    *,
    on_progress: OnProgress | None = None,
    threads: int | None = None,
) -> dict[str, Floats]:
    """Return the sums of rows over all segments, without storing rows.

    Blocks are computed on several threads and added in order, so sums do not depend on the number of threads.

    Parameters
    ----------
    families
        Families of tag metrics.
    gold
        Gold tags.
    systems
        Tags of each system.
    on_progress
        Progress callback, called in the calling thread with the completed share (0 to 1); may raise an exception to
        stop.
    threads
        Number of threads; None for the number of processors.

    Returns
    -------
    dict of str to ndarray
        Sums by the name of the family, shape (systems, columns) each.

    Raises
    ------
    ValueError
        If segment lengths of gold and systems differ.
    """
    _check_lengths(gold, systems)

    def count(block: tuple[int, int]) -> list[Floats]:
        first, last = block
        spans = TagSpans(gold.take(first, last))
        overlaps = [TagOverlap(spans, system.take(first, last)) for system in systems]
        return [np.stack([family.rows(overlap).sum(axis=0) for overlap in overlaps]) for family in families]

    out = {family.name: np.zeros((len(systems), len(family.columns))) for family in families}
    if not systems:
        return out
    parts = list(segment_blocks(gold))
    with ThreadPoolExecutor(min(len(parts), threads or os.cpu_count() or 1) or 1) as pool:
        futures = [pool.submit(count, part) for part in parts]
        try:
            for (_, last), future in zip(parts, futures, strict=True):
                for family, sums in zip(families, future.result(), strict=True):
                    out[family.name] += sums
                if on_progress is not None:
                    on_progress(last / len(gold))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return out


def _check_lengths(gold: TagColumn, systems: Sequence[TagColumn]) -> None:
    if not all(system.offsets is gold.offsets or np.array_equal(system.offsets, gold.offsets) for system in systems):
        raise ValueError("segment lengths of gold and systems differ")
