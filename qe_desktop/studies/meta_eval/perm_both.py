"""PERM-BOTH: permutation test of whether one metric agrees better than another with human scores (Deutsch et al. 2021).

The scores of each metric are standardized over all systems and segments. In each round, the scores of the two metrics
are swapped in each (system, segment) cell with probability ½, and the statistic of each metric is recomputed, as in
`mt-metrics-eval` since WMT21. The systems are fixed, so a result applies to these systems only. Correlations over all
translations are tested by `permute_pooled`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats
from qe_desktop.metrics.correlation import standardize
from qe_desktop.significance import random_masks
from qe_desktop.significance.randomization import OnRounds
from qe_desktop.studies.meta_eval.system_level import (
    Orientation,
    pairwise_accuracy,
    pairwise_differences,
    system_kendall,
    system_pearson,
    system_spearman,
)

Sides = Literal["two", "one"]
"""Sides of the test: two-sided, or one-sided for the metric with the higher statistic."""
PERM_BOTH_STATISTICS = (
    "pearson",
    "spearman",
    "kendall",
    "pairwise_accuracy",
    "differentials",
    "spa",
)
"""Names of the tested statistics, as in JSON."""
MIN_SEGMENTS = 2
_SEGMENTS_PER_BLOCK = 1024
"""Number of segments per matrix product."""
_MAX_CELLS = 1 << 19
"""Maximum product of the numbers of metric pairs, system pairs and rounds that are computed at once."""
TOLERANCE = 1e-6
"""Maximum difference between statistics that count as equal; it exceeds single-precision errors."""


@dataclass(frozen=True, slots=True, eq=False)
class PermBoth:
    """Result of `perm_both` or `permute_pooled`; the mappings are keyed by statistic.

    `p` has symmetric matrices of p-values, shape (metrics, metrics), with 1 on the diagonal and NaN for undefined
    values. `observed` has the values for the standardized scores, shape (metrics,). `segments` is the number of
    segments.
    """

    p: dict[str, Floats]
    observed: dict[str, Floats]
    segments: int


def perm_both(
    metrics: Floats,
    human: Floats,
    *,
    rounds: int,
    seed: int,
    sides: Sides = "two",
    orientation: Orientation = "ahead",
    units: NDArray[np.intp] | None = None,
    on_progress: OnRounds | None = None,
) -> PermBoth:
    """Test all pairs of metrics on every statistic of `PERM_BOTH_STATISTICS`; all tests use the same swaps.

    Parameters
    ----------
    metrics
        Segment scores, higher is better, shape (metrics, systems, segments), finite.
    human
        Human scores of the same segments, shape (systems, segments), finite.
    rounds, seed
        Number of rounds, and random seed of the swaps.
    sides
        "two": p = (#{|δ*| ≥ |δ|} + 1) / (rounds + 1), where δ is the difference between the statistics of two metrics,
        and δ* is this difference after swaps.
        "one": the condition is δ* ≥ δ, where δ is the higher statistic minus the lower. Equal statistics have p = 1.
    orientation
        Direction of score differences, for the statistic "differentials".
    units
        Index of the document of each segment, shape (segments,), from 0 without gaps: the scores of all segments of a
        document by one system are swapped together. If None, the score of each system for each segment is swapped
        separately.
    on_progress
        Progress callback (rounds done, rounds); may raise to stop.

    Returns
    -------
    PermBoth
        P-values and statistics. For SPA, p-values of system pairs come from the normal limit of the permutation
        distribution of a difference (mean 0, variance Σd²), both before and after swaps.
    """
    count, _, segments = metrics.shape
    figures = _StatisticValues(human, orientation)
    scores = np.stack([standardize(metric.ravel()).reshape(metric.shape) for metric in metrics])
    blocks = _segment_blocks(scores)
    original = _observed_sums(scores, figures)
    observed = figures.compute(original)
    defined = {name: ~np.isnan(values) for name, values in observed.items()}
    differ = {name: values[:, None] - values[None, :] for name, values in observed.items()}
    magnitudes = {name: np.abs(values) for name, values in differ.items()}
    # equal statistics: all rounds reach their difference
    direction = {name: np.where(magnitudes[name] > TOLERANCE, np.sign(values), 0.0) for name, values in differ.items()}
    reached = {name: np.zeros((count, count), np.int64) for name in observed}
    completed = 0
    units = np.arange(segments) if units is None else units
    for sums in _swapped_sums(blocks, original, figures, units, rounds, seed):
        for name, values in figures.compute(sums).items():
            # [a, b] is metric a with b's scores in its swapped cells, and [b, a] is metric b with a's
            moved = values - np.swapaxes(values, 1, 2)
            moved = np.abs(moved) if sides == "two" else moved * direction[name]
            # a round in which a statistic is undefined counts as reaching the difference
            reached[name] += np.count_nonzero(~(moved < magnitudes[name] - TOLERANCE), axis=0)
        completed += len(sums.totals)
        if on_progress is not None:
            on_progress(completed, rounds)
    p = {}
    for name, hits in reached.items():
        p[name] = np.where(defined[name][:, None] & defined[name][None, :], (hits + 1) / (rounds + 1), np.nan)
        np.fill_diagonal(p[name], 1.0)
    return PermBoth(p, observed, segments)


def normal_p_values(sums: Floats, squares: Floats, zero_tolerance: float = 0.0) -> Floats:
    """Return one-sided p-values of sums of differences under permutation, in the limit of many segments.

    `sums` are Σd over segments, and `squares` are Σd². The result is 1 if `squares` is at most `zero_tolerance`, that
    is, if no segment differs.
    """
    from scipy.special import ndtr

    differ = squares > zero_tolerance
    return np.where(differ, ndtr(-sums / np.sqrt(np.where(differ, squares, 1.0))), 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class _StatisticSums:
    """Sums from which statistics are computed, with leading axes such as (rounds, metrics, metrics).

    `totals` (…, systems) are sums of scores over segments, and `squares` (…, pairs) are sums of squared score
    differences between two systems.
    """

    totals: Floats
    squares: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _StatisticValues:
    """Statistics of agreement with the human scores `human`, shape (systems, segments)."""

    human: Floats
    orientation: Orientation
    systems: Floats = field(init=False)
    human_p_values: Floats = field(init=False)
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]] = field(init=False)

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        first, second = np.triu_indices(len(self.human), 1)
        differences = self.human[first] - self.human[second]
        set_field(self, "systems", self.human.mean(axis=1))
        set_field(self, "pairs", (first, second))
        set_field(self, "human_p_values", normal_p_values(differences.sum(axis=1), (differences**2).sum(axis=1)))

    def compute(self, sums: _StatisticSums) -> dict[str, Floats]:
        """Return each statistic of `PERM_BOTH_STATISTICS`, with the shape of the leading axes of `sums`."""
        first, second = self.pairs
        human, totals = self.systems, sums.totals
        p = normal_p_values(totals[..., first] - totals[..., second], sums.squares, TOLERANCE * self.human.shape[1])
        metric_differences, human_differences = pairwise_differences(totals, human, self.orientation)
        results = (
            system_pearson(totals, human),
            system_spearman(totals, human),
            system_kendall(totals, human),
            pairwise_accuracy(totals, human),
            system_pearson(metric_differences, human_differences),
            1 - np.abs(p - self.human_p_values).mean(axis=-1),
        )
        return dict(zip(PERM_BOTH_STATISTICS, results, strict=True))


def _observed_sums(scores: Floats, figures: _StatisticValues) -> _StatisticSums:
    """Return the sums of the scores before swaps, with leading axis (metrics,)."""
    first, second = figures.pairs
    squares = np.stack([((score[first] - score[second]) ** 2).sum(axis=1) for score in scores])
    return _StatisticSums(scores.sum(axis=2), squares)


def _segment_blocks(scores: Floats) -> list[NDArray[np.float32]]:
    """Return blocks of segments, shape (metrics, systems, segments) each."""
    return [
        np.ascontiguousarray(scores[:, :, begin : begin + _SEGMENTS_PER_BLOCK], np.float32)
        for begin in range(0, scores.shape[2], _SEGMENTS_PER_BLOCK)
    ]


def _swapped_sums(
    blocks: Sequence[NDArray[np.float32]],
    original: _StatisticSums,
    figures: _StatisticValues,
    units: NDArray[np.intp],
    rounds: int,
    seed: int,
) -> Iterator[_StatisticSums]:
    """Yield, for each pair of metrics, the sums of the first metric with its swapped cells taken from the second.

    The leading axes are (rounds in a chunk, first metric, second metric). `original` has the sums of each metric before
    swaps.
    """
    count, systems = original.totals.shape
    segments, size = figures.human.shape[1], int(units.max(initial=-1)) + 1
    first, second = figures.pairs
    step = max(1, _MAX_CELLS // (count * count * len(first)))
    for begin in range(0, rounds, step):
        numbers = range(begin, min(rounds, begin + step))
        totals = np.empty((len(numbers), count, systems))
        squares = np.empty((len(numbers), count, count, len(first)))
        for index, number in enumerate(numbers):
            bits = random_masks.swap_bits(seed, number, 1, systems * size)
            flips = np.unpackbits(bits[0], count=systems * size).reshape(size, systems)[units].T
            swapped = _SwappedSums(count, systems)
            for block, begin in zip(blocks, range(0, segments, _SEGMENTS_PER_BLOCK), strict=True):
                swapped.add(block, flips[:, begin : begin + _SEGMENTS_PER_BLOCK])
            totals[index] = swapped.totals
            squares[index] = swapped.squares(original.squares, first, second)
        # the remaining cells are all cells minus the swapped ones
        yield _StatisticSums((original.totals - totals)[:, :, None] + totals[:, None], squares)


class _SwappedSums:
    """Sums over the swapped cells of one round."""

    def __init__(self, metrics: int, systems: int) -> None:
        self.totals = np.zeros((metrics, systems))
        self.products = np.zeros((metrics, systems, systems), np.float32)
        """Sums of products of two systems' swapped cells, for each metric."""
        self.cross_products = np.zeros((metrics, systems, metrics, systems), np.float32)
        """Sums of products of unswapped cells of one metric and system with swapped cells of any metric and system."""

    def add(self, block: NDArray[np.float32], flips: NDArray[np.uint8]) -> None:
        """Add the cells of a block of segments; `flips` (systems, segments) are 1 for swapped cells."""
        metrics, systems, segments = block.shape
        swapped = block * np.ascontiguousarray(flips, np.float32)
        left = block - swapped
        self.totals += swapped.sum(axis=2, dtype=np.float64)
        self.products += swapped @ swapped.transpose(0, 2, 1)
        flat = metrics * systems, segments
        self.cross_products += (left.reshape(flat) @ swapped.reshape(flat).T).reshape(self.cross_products.shape)

    def squares(self, original: Floats, first: NDArray[np.intp], second: NDArray[np.intp]) -> Floats:
        """Return sums of squared score differences of system pairs after swaps, shape (metrics, metrics, pairs).

        `original` has the sums before swaps, shape (metrics, pairs). Each cell is either swapped or not, so the cross
        products of a system with itself are 0.
        """
        diagonal = np.einsum("ass->as", self.products)
        removed = diagonal[:, first] + diagonal[:, second] - 2 * self.products[:, first, second]
        crossed = self.cross_products.transpose(0, 2, 1, 3)
        crossed = crossed[:, :, first, second] + crossed[:, :, second, first]
        crossed_own = np.einsum("aap->ap", crossed)
        left = original - removed + 2 * crossed_own
        return np.asarray(np.maximum(left[:, None] + removed[None] - 2 * crossed, 0.0), np.float64)


def paired_p_values(
    values: Floats, *, rounds: int, seed: int, sides: Sides = "two", on_progress: OnRounds | None = None
) -> Floats:
    """Return p-values of all pairs of series, from random swaps of paired values.

    `values` has shape (series, n); the result is symmetric and has shape (series, series).

    p = (c + 1) / (rounds + 1), where c is the number of rounds in which the sums of two series differ at least as much
    as the observed sums. In a one-sided test, they must also differ in the observed direction. p is 1 for identical
    series and on the diagonal. `on_progress` may raise to stop.
    """
    count, size = values.shape
    first, second = np.triu_indices(count, 1)
    sums = values.sum(axis=1)
    differences = sums[first] - sums[second]
    direction, observed = np.sign(differences), np.abs(differences)
    threshold = observed - 1e-9 * np.abs(values).sum(axis=1).max(initial=0.0)
    reached = np.zeros(len(first), np.int64)
    completed = 0
    for block, drawn in random_masks.round_blocks(rounds):
        flips = random_masks.unpack_flips(random_masks.swap_bits(seed, block, drawn, size), 0, size).astype(np.float64)
        # a swapped value is subtracted from one sum and added to the other
        swapped = sums - 2 * (flips @ values.T)
        moved = (swapped[:, first] - swapped[:, second]) * direction
        reached += np.count_nonzero((np.abs(moved) if sides == "two" else moved) >= threshold, axis=0)
        completed += drawn
        if on_progress is not None:
            on_progress(completed, rounds)
    p = np.ones((count, count))
    p[first, second] = p[second, first] = (reached + 1) / (rounds + 1)
    is_identical = (values[:, None] == values[None, :]).all(axis=-1)
    return np.where(is_identical, 1.0, p)
