"""Counts of the permutations that reach the observed difference, for all pairs of systems.

Metrics are functions of parts, and parts are affine functions of the column sums. Therefore, parts are evaluated once
per system, not once per pair. Let P be the sums of a system's swapped rows, and T the sums of all rows of that system.
Then PB = parts(P) − parts(0) is the portion that goes to the other system, and PA = parts(T) − PB is the portion that
stays. The sides of a pair (i, j) are the parts of its two systems after the swap: PA[i] + PB[j] and PA[j] + PB[i].

Pairs are evaluated by distance: at distance d, the pairs are (i, i + d), modulo the number of systems. With the first
half of the systems repeated after the last system, the second systems of all pairs of several distances are a strided
view, so that one addition gives a part of all pairs in a tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.metrics import Metric, ScoreTerm

TOLERANCE = 1e-9
"""Relative tolerance within which a trial counts as reaching the observed difference."""
ROUNDING = 1e-7
"""Absolute tolerance for score differences if fractions were rounded; far above the fixed-point rounding error."""
PAIRS_PER_TILE = 68
"""Maximum number of pairs evaluated at a time: few enough for the cache, many enough to amortize numpy calls."""
COUNTER_LANES = 8
"""Number of bytes in a 64-bit word, each of which counts trials that reach the observed difference."""
MAX_BATCH_ROUNDS = 255 * COUNTER_LANES
"""Maximum number of trials that can be counted at once without overflow of a byte counter."""


@dataclass(frozen=True, slots=True)
class Tile:
    """Pairs (i, i + d), modulo the number of systems, that are evaluated at once: d is in `distances`, i in `rows`."""

    distances: range
    rows: range

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return len(self.distances) * len(self.rows)


def tiles_of(systems: int) -> Iterator[Tile]:
    """Yield tiles that contain each pair of systems once."""
    rows_per_tile = min(systems, PAIRS_PER_TILE)
    distances = range(1, (systems + 1) // 2)
    step = PAIRS_PER_TILE // rows_per_tile
    for first in range(0, len(distances), step):
        for row in range(0, systems, rows_per_tile):
            yield Tile(distances[first : first + step], range(row, min(systems, row + rows_per_tile)))
    if systems % 2 == 0:
        # at half the number of systems, (i, i + d) and (i + d, i) are the same pair
        half = systems // 2
        for row in range(0, half, rows_per_tile):
            yield Tile(range(half, half + 1), range(row, min(half, row + rows_per_tile)))


def pair_positions(tiles: Sequence[Tile], systems: int) -> Ints:
    """Return the position of each pair in the tiles, shape (pairs,), in the order of `itertools.combinations`."""
    pairs = [
        sorted((row, (row + distance) % systems)) for tile in tiles for distance in tile.distances for row in tile.rows
    ]
    return np.array(sorted(range(len(pairs)), key=pairs.__getitem__), np.int64)


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
    portions
        Swapped and remaining portions of each part, shape (parts, 2, systems + systems // 2, rounds). The first half
        of the systems is repeated at the end.
    windows
        View of `portions`, shape (parts, 2, distances, systems, rounds): at distance d, index i is system i + d.
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
        systems = tests[0].systems
        self.portions = np.empty((max(test.all_parts for test in tests), 2, systems + systems // 2, rounds))
        self.windows = np.moveaxis(sliding_window_view(self.portions, systems, axis=2), -1, -2)
        self.sides = np.empty((parts, 2, PAIRS_PER_TILE, rounds))
        self.values = np.empty((terms, 2, PAIRS_PER_TILE, rounds))
        self.product = np.empty((2, PAIRS_PER_TILE, rounds))
        self.differences = np.empty((PAIRS_PER_TILE, rounds))
        self.hits = np.zeros((PAIRS_PER_TILE, -(-rounds // COUNTER_LANES) * COUNTER_LANES), bool)


class _TermSides:
    """Parts of a term for both sides of each pair; parts that are the same for all systems are scalars."""

    def __init__(
        self,
        term: ScoreTerm,
        arguments: list[Any],
        totals: tuple[Any, ...],
        zero: tuple[Any, ...],
        buffers: Iterator[tuple[Floats, Floats]],
    ) -> None:
        self.function = term.function
        self.parts: list[_TermPart | float] = [
            _TermPart(part, total, zero_part, *next(buffers)) if np.ndim(part) else part
            for part, total, zero_part in zip(term.parts(*arguments), totals, zero, strict=True)
        ]

    def write(self, tile: Tile, sides: Iterator[Floats], out: Floats) -> None:
        """Write the term for both sides of each pair in a tile to `out`, shape (2, pairs, rounds)."""
        arguments = [part.write(tile, next(sides)) if isinstance(part, _TermPart) else part for part in self.parts]
        written = self.function(*arguments, out=out)
        if written is not out:
            out[...] = written


class _TermPart:
    """Swapped and remaining portions of one part of a term, written to `portions` (see `Buffers`)."""

    def __init__(self, part: Floats, total: Floats, zero: Any, portions: Floats, windows: Floats) -> None:
        systems, rounds = part.shape
        self._portions, self._windows = portions[..., :rounds], windows[..., :rounds]
        swapped, remaining = self._portions[:, :systems]
        np.subtract(part, zero, out=swapped)
        np.subtract(total, swapped, out=remaining)
        self._portions[:, systems:] = self._portions[:, : systems // 2]

    def write(self, tile: Tile, out: Floats) -> Floats:
        """Write the part for both sides of each pair in a tile to `out`, shape (2, pairs, rounds), and return `out`."""
        rows = slice(tile.rows.start, tile.rows.stop)
        second = self._windows[:, tile.distances.start : tile.distances.stop, rows]
        first = self._portions[::-1, None, rows]
        np.add(second, first, out=out.reshape(second.shape))
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
        self.systems = totals.shape[1]
        self.tiles = list(tiles_of(self.systems))
        self.pairs = self.systems * (self.systems - 1) // 2
        self._positions = pair_positions(self.tiles, self.systems)
        self.own_columns = metrics[0].family.system_columns
        self._shared: list[Any] = shared.tolist()
        self.terms = list(dict.fromkeys(term for metric in metrics for term in metric.terms))
        self._terms_of = [[self.terms.index(term) for term in metric.terms] for metric in metrics]
        self._totals = [term.parts(*self._arguments(totals)) for term in self.terms]
        self._zero = [term.parts(*self._arguments(np.zeros(len(self.own_columns)))) for term in self.terms]
        self.parts, self.all_parts = max(map(len, self._zero)), sum(map(len, self._zero))
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
        """Yield, for each tile and metric, the positions of the pairs, the metric's index and |score differences|.

        The differences have shape (pairs, rounds); `swapped` has shape (own columns, systems, rounds).
        """
        arguments, rounds = self._arguments(swapped), swapped.shape[-1]
        portions = zip(buffers.portions, buffers.windows, strict=True)
        sides = [
            _TermSides(term, arguments, totals, zero, portions)
            for term, totals, zero in zip(self.terms, self._totals, self._zero, strict=True)
        ]
        begin = 0
        for tile in self.tiles:
            pairs = tile.pairs
            values = buffers.values[:, :, :pairs, :rounds]
            for side, value in zip(sides, values, strict=False):
                side.write(tile, iter(buffers.sides[:, :, :pairs, :rounds]), value)
            for index, terms in enumerate(self._terms_of):
                left, right = _product([values[term] for term in terms], buffers.product[:, :pairs, :rounds])
                difference = np.subtract(left, right, out=buffers.differences[:pairs, :rounds])
                yield slice(begin, begin + pairs), index, np.abs(difference, out=difference)
            begin += pairs

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
        return counts[:, self._positions]


def _product(terms: list[Floats], out: Floats) -> Floats:
    return reduce(lambda left, right: np.multiply(left, right, out=out), terms)
