"""Counts, for all pairs of systems, of the swaps whose difference of scores reaches the observed one.

Metrics are functions of parts that are linear in the columns, so parts are evaluated once a system: with P the swapped
rows' part of a system and T all of it, PB = parts(P) − parts(0) is what the other side receives of it and
PA = parts(T) − PB what stays with it, and the sides of a pair (i, j) are PA[i] + PB[j] and PA[j] + PB[i].
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics import Metric, ScoreTerm
from qe_desktop.metrics.family import Floats

TOLERANCE = 1e-9
"""A round whose difference falls short of the observed one by no more than this share of it counts as equal."""
ROUNDING = 1e-7
"""The same for fractions, as a difference of scores: many times what writing them in fixed point moves a score."""
PAIRS_PER_TILE = 34
"""Pairs whose sides are evaluated at once: few enough for the cache, many enough that calls of numpy do not count."""
COUNTER_LANES = 8
"""Hits are added as bytes, eight to a word."""
MAX_BATCH_ROUNDS = 255 * COUNTER_LANES
"""Rounds that can be counted at once before a byte overflows."""

TileRun = tuple[int, int, int, int]
"""The system i and the systems first to end that it is paired with, and the place of their first pair in a tile."""


class Buffers:
    """Where one thread keeps what it computes of a tile, so that no round asks for memory anew.

    `sides` are parts of one term, `values` its terms, `product` a metric of several, `differences` of scores of two.
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
    """All pairs i < j in the order of `combinations`, in tiles of so many that can be evaluated at once.

    Which pairs are in each tile, and the runs of them that share a first system.
    """
    at, runs, tiled = 0, [], 0
    for i in range(systems):
        first = i + 1
        while first < systems:
            end = min(systems, first + PAIRS_PER_TILE - tiled)
            runs.append((i, first, end, tiled))
            tiled += end - first
            first = end
            if tiled == PAIRS_PER_TILE:
                yield slice(at, at + tiled), runs
                at, runs, tiled = at + tiled, [], 0
    if runs:
        yield slice(at, at + tiled), runs


class _TermSides:
    """The parts of a term on both sides of pairs; those that are the same for all systems are numbers."""

    def __init__(self, term: ScoreTerm, arguments: list[Any], totals: tuple[Any, ...], zero: tuple[Any, ...]) -> None:
        self.function = term.function
        self.parts: list[_TermPart | float] = [
            _TermPart(part - nothing, total) if np.ndim(part) else part
            for part, total, nothing in zip(term.parts(*arguments), totals, zero, strict=True)
        ]

    def write(self, runs: Sequence[TileRun], sides: Iterator[Floats], out: Floats) -> None:
        """The term on both sides of the pairs of a tile, shape (2, pairs, rounds)."""
        arguments = [part.write(runs, next(sides)) if isinstance(part, _TermPart) else part for part in self.parts]
        written = self.function(*arguments, out=out)
        if written is not out:
            out[...] = written


class _TermPart:
    """What of a part is swapped and what of it stays with its system, shape (systems, rounds)."""

    def __init__(self, swapped: Floats, total: Floats) -> None:
        self.swapped = swapped
        self.stays = total - swapped

    def write(self, runs: Sequence[TileRun], out: Floats) -> Floats:
        """Both sides of the pairs of a tile, shape (2, pairs, rounds)."""
        left, right = out
        for i, first, end, at in runs:
            there = slice(at, at + end - first)
            np.add(self.swapped[first:end], self.stays[i], out=left[there])
            np.add(self.stays[first:end], self.swapped[i], out=right[there])
        return out


class PairCounts:
    """One family's metrics and observed differences, and the count of some rounds.

    `totals` are the family's own columns summed, shape (own, systems, 1), and `shared` the sums of all its columns, of
    which those are used that no swap changes. `whole` says that nothing was rounded.
    """

    def __init__(self, metrics: tuple[Metric, ...], totals: Floats, shared: Floats, *, whole: bool) -> None:
        self.metrics = metrics
        systems = totals.shape[1]
        self.tiles = list(tiles_of(systems))
        self.pairs = systems * (systems - 1) // 2
        self.own = metrics[0].family.own
        self._shared: list[Any] = shared.tolist()
        self.terms = list(dict.fromkeys(term for metric in metrics for term in metric.terms))
        self._terms_of = [[self.terms.index(term) for term in metric.terms] for metric in metrics]
        self._totals = [term.parts(*self._arguments(totals)) for term in self.terms]
        self._zero = [term.parts(*self._arguments(np.zeros(len(self.own)))) for term in self.terms]
        self.parts = max(map(len, self._zero))
        observed = self._differences(np.zeros_like(totals), Buffers([self], 1))
        slack = 0.0 if whole else ROUNDING
        self.bars = np.empty((len(metrics), self.pairs, 1))
        for where, place, difference in observed:
            self.bars[place, where] = difference * (1 - TOLERANCE) - slack

    def _arguments(self, own: Floats) -> list[Any]:
        arguments = list(self._shared)
        for place, column in enumerate(self.own):
            arguments[column] = own[place]
        return arguments

    def _differences(self, swapped: Floats, buffers: Buffers) -> Iterator[tuple[slice, int, Floats]]:
        """|score left − score right| of the pairs of each tile and each metric, shape (pairs, rounds).

        `swapped` has the shape (own, systems, rounds).
        """
        arguments, rounds = self._arguments(swapped), swapped.shape[-1]
        sides = [
            _TermSides(term, arguments, totals, zero)
            for term, totals, zero in zip(self.terms, self._totals, self._zero, strict=True)
        ]
        for where, runs in self.tiles:
            pairs = where.stop - where.start
            values = buffers.values[:, :, :pairs, :rounds]
            for one, value in zip(sides, values, strict=False):
                one.write(runs, iter(buffers.sides[:, :, :pairs, :rounds]), value)
            for place, terms in enumerate(self._terms_of):
                left, right = _product([values[term] for term in terms], buffers.product[:, :pairs, :rounds])
                difference = np.subtract(left, right, out=buffers.differences[:pairs, :rounds])
                yield where, place, np.abs(difference, out=difference)

    def of(self, swapped: Floats, buffers: Buffers) -> NDArray[np.int64]:
        """How many rounds reach the observed difference, shape (metrics, pairs).

        `swapped` are sums of the own columns over the swapped units, shape (own, systems, rounds).
        """
        rounds = swapped.shape[-1]
        counts = np.empty((len(self.metrics), self.pairs), np.int64)
        buffers.hits[:, rounds:] = False
        for where, place, difference in self._differences(swapped, buffers):
            hits = buffers.hits[: len(difference)]
            np.greater_equal(difference, self.bars[place, where], out=hits[:, :rounds])
            lanes = hits.view(np.uint64).sum(axis=1)
            counts[place, where] = lanes.view(np.uint8).reshape(len(hits), COUNTER_LANES).sum(axis=1)
        return counts


def _product(terms: list[Floats], out: Floats) -> Floats:
    return reduce(lambda left, right: np.multiply(left, right, out=out), terms)
