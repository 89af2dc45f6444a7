"""Counts of the permutations that reach the observed difference, for all pairs of systems.

Metrics are functions of parts, and parts are affine functions of the column sums. Therefore, parts are evaluated once
per system, not once per pair. Let P be the sums of a system's swapped rows, and T the sums of all rows of that system.
Then PB = parts(P) − parts(0) is the portion that goes to the other system, and PA = parts(T) − PB is the portion that
stays. The sides of a pair (i, j) are the parts of its two systems after the swap: PA[i] + PB[j] and PA[j] + PB[i].
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

import numpy as np

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.metrics import Metric, ScoreTerm

TOLERANCE = 1e-9
"""Relative tolerance within which a trial counts as reaching the observed difference."""
ROUNDING = 1e-7
"""Absolute tolerance for score differences if fractions were rounded; far above the fixed-point rounding error."""
PAIRS_PER_TILE = 34
"""Number of pairs evaluated at a time: few enough to fit in the cache, many enough to amortize numpy calls."""
COUNTER_LANES = 8
"""Number of bytes in a 64-bit word, each of which counts trials that reach the observed difference."""
MAX_BATCH_ROUNDS = 255 * COUNTER_LANES
"""Maximum number of trials that can be counted at once without overflow of a byte counter."""

TileRun = tuple[int, int, int, int]
"""Tuple (i, first, end, index): pairs of system i with systems `first` to `end` - 1, starting at `index` in a tile."""


class Buffers:
    """Reusable buffers of one thread, to avoid allocation in each trial.

    Parameters
    ----------
    tests
        Counters that use the buffers.
    rounds
        Maximum number of trials counted at once.

    Attributes
    ----------
    sides, values, product
        Parts of one term, values of all terms, and product of the terms of a metric, for both sides of each pair.
    differences, hits
        Score differences of each pair, and whether they reach the observed difference.

    Raises
    ------
    ValueError
        If `rounds` exceeds `MAX_BATCH_ROUNDS`.
    """

    def __init__(self, tests: Sequence[PairCounts], rounds: int) -> None:
        if rounds > MAX_BATCH_ROUNDS:
            raise ValueError(f"{rounds} rounds would overflow the byte lanes, which count {MAX_BATCH_ROUNDS}")
        parts, terms = max(test.parts for test in tests), max(len(test.terms) for test in tests)
        self.sides = np.empty((parts, 2, PAIRS_PER_TILE, rounds))
        self.values = np.empty((terms, 2, PAIRS_PER_TILE, rounds))
        self.product = np.empty((2, PAIRS_PER_TILE, rounds))
        self.differences = np.empty((PAIRS_PER_TILE, rounds))
        self.hits = np.zeros((PAIRS_PER_TILE, -(-rounds // COUNTER_LANES) * COUNTER_LANES), bool)


def tiles_of(systems: int) -> Iterator[tuple[slice, list[TileRun]]]:
    """Yield all pairs i < j in the order of `itertools.combinations`, in tiles whose pairs are evaluated at once.

    Each item has the slice of the tile's pairs, and the runs of pairs with the same first system in the tile.
    """
    tile_start, runs, tiled = 0, [], 0
    for i in range(systems):
        first = i + 1
        while first < systems:
            end = min(systems, first + PAIRS_PER_TILE - tiled)
            runs.append((i, first, end, tiled))
            tiled += end - first
            first = end
            if tiled == PAIRS_PER_TILE:
                yield slice(tile_start, tile_start + tiled), runs
                tile_start, runs, tiled = tile_start + tiled, [], 0
    if runs:
        yield slice(tile_start, tile_start + tiled), runs


class _TermSides:
    """Parts of a term for both sides of each pair; parts that are the same for all systems are scalars."""

    def __init__(self, term: ScoreTerm, arguments: list[Any], totals: tuple[Any, ...], zero: tuple[Any, ...]) -> None:
        self.function = term.function
        self.parts: list[_TermPart | float] = [
            _TermPart(part - zero_part, total) if np.ndim(part) else part
            for part, total, zero_part in zip(term.parts(*arguments), totals, zero, strict=True)
        ]

    def write(self, runs: Sequence[TileRun], sides: Iterator[Floats], out: Floats) -> None:
        """Write the term for both sides of each pair in a tile to `out`, shape (2, pairs, rounds)."""
        arguments = [part.write(runs, next(sides)) if isinstance(part, _TermPart) else part for part in self.parts]
        written = self.function(*arguments, out=out)
        if written is not out:
            out[...] = written


class _TermPart:
    """Swapped and remaining portions of one part of a term, shape (systems, rounds) each."""

    def __init__(self, swapped: Floats, total: Floats) -> None:
        self.swapped = swapped
        self.remaining = total - swapped

    def write(self, runs: Sequence[TileRun], out: Floats) -> Floats:
        """Write the part for both sides of each pair in a tile to `out`, shape (2, pairs, rounds), and return `out`."""
        left, right = out
        for i, first, end, at in runs:
            target = slice(at, at + end - first)
            np.add(self.swapped[first:end], self.remaining[i], out=left[target])
            np.add(self.remaining[first:end], self.swapped[i], out=right[target])
        return out


class PairCounts:
    """Counter of the trials that reach the observed differences, for the metrics of one family.

    Parameters
    ----------
    metrics
        Metrics of the family.
    totals
        Sums of the systems' own columns (`Family.system_columns`), shape (own columns, systems, 1).
    shared
        Sums of all columns of the family for one system, shape (columns,). Only the columns that no permutation changes
        are used; their sums are equal for all systems.
    integers
        Whether all own columns contain only integers, so that no value was rounded.
    """

    def __init__(self, metrics: tuple[Metric, ...], totals: Floats, shared: Floats, *, integers: bool) -> None:
        self.metrics = metrics
        systems = totals.shape[1]
        self.tiles = list(tiles_of(systems))
        self.pairs = systems * (systems - 1) // 2
        self.own_columns = metrics[0].family.system_columns
        self._shared: list[Any] = shared.tolist()
        self.terms = list(dict.fromkeys(term for metric in metrics for term in metric.terms))
        self._terms_of = [[self.terms.index(term) for term in metric.terms] for metric in metrics]
        self._totals = [term.parts(*self._arguments(totals)) for term in self.terms]
        self._zero = [term.parts(*self._arguments(np.zeros(len(self.own_columns)))) for term in self.terms]
        self.parts = max(map(len, self._zero))
        observed = self._differences(np.zeros_like(totals), Buffers([self], 1))
        absolute_tolerance = 0.0 if integers else ROUNDING
        self.thresholds = np.empty((len(metrics), self.pairs, 1))
        for pair_slice, index, difference in observed:
            self.thresholds[index, pair_slice] = difference * (1 - TOLERANCE) - absolute_tolerance

    def _arguments(self, sums: Floats) -> list[Any]:
        arguments = list(self._shared)
        for index, column in enumerate(self.own_columns):
            arguments[column] = sums[index]
        return arguments

    def _differences(self, swapped: Floats, buffers: Buffers) -> Iterator[tuple[slice, int, Floats]]:
        """Yield, for each tile and metric, the slice of the tile's pairs, the metric's index and |score differences|.

        The differences have shape (pairs, rounds); `swapped` has shape (own columns, systems, rounds).
        """
        arguments, rounds = self._arguments(swapped), swapped.shape[-1]
        sides = [
            _TermSides(term, arguments, totals, zero)
            for term, totals, zero in zip(self.terms, self._totals, self._zero, strict=True)
        ]
        for pair_slice, runs in self.tiles:
            pairs = pair_slice.stop - pair_slice.start
            values = buffers.values[:, :, :pairs, :rounds]
            for side, value in zip(sides, values, strict=False):
                side.write(runs, iter(buffers.sides[:, :, :pairs, :rounds]), value)
            for index, terms in enumerate(self._terms_of):
                left, right = _product([values[term] for term in terms], buffers.product[:, :pairs, :rounds])
                difference = np.subtract(left, right, out=buffers.differences[:pairs, :rounds])
                yield pair_slice, index, np.abs(difference, out=difference)

    def count(self, swapped: Floats, buffers: Buffers) -> Ints:
        """Return how many trials reach the observed difference, shape (metrics, pairs).

        `swapped` are sums of the systems' own columns over the swapped units, shape (own columns, systems, rounds).
        """
        rounds = swapped.shape[-1]
        counts = np.empty((len(self.metrics), self.pairs), np.int64)
        buffers.hits[:, rounds:] = False
        for pair_slice, index, difference in self._differences(swapped, buffers):
            hits = buffers.hits[: len(difference)]
            np.greater_equal(difference, self.thresholds[index, pair_slice], out=hits[:, :rounds])
            lanes = hits.view(np.uint64).sum(axis=1)
            counts[index, pair_slice] = lanes.view(np.uint8).reshape(len(hits), COUNTER_LANES).sum(axis=1)
        return counts


def _product(terms: list[Floats], out: Floats) -> Floats:
    return reduce(lambda left, right: np.multiply(left, right, out=out), terms)
