"""Rows and totals of tag metrics, computed in blocks of segments that fit into the CPU cache."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import TagColumn
from qe_desktop.corpus.columns import Floats
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.metrics.family import Family
from qe_desktop.metrics.tags.tag_overlap import TagOverlap, TagSpans

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
