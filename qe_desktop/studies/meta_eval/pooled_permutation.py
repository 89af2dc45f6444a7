"""Permutation test of correlations over all translations: the scores of two metrics are swapped for whole segments.

As in PERM-BOTH (Deutsch et al. 2021), the scores of each metric are standardized over all systems and segments, and the
statistic of each metric is recomputed in each round. The scores of all systems for a segment are swapped together,
because metric errors caused by the source or reference are common to all systems. Swapping single translations, as in
`mt-metrics-eval`, would find too many significant differences.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats
from qe_desktop.metrics.scores.correlation import GoldNumbers, SystemNumbers, standardize
from qe_desktop.metrics.scores.kendall import concordance_rows
from qe_desktop.significance import random_masks
from qe_desktop.significance.randomization import OnRounds
from qe_desktop.studies.meta_eval.perm_both import TOLERANCE, PermBoth, Sides

POOLED_STATISTICS = ("segments_pearson", "segments_kendall")
"""Names of the statistics over all translations, as in JSON."""
SwappedDifferences = Callable[[Floats], Floats]
"""Function that returns the differences of a statistic between metrics (rounds, pairs) after swaps (rounds, units)."""


def permute_pooled(
    metrics: Floats,
    human: Floats,
    units: NDArray[np.intp],
    *,
    rounds: int,
    seed: int,
    sides: Sides = "two",
    on_progress: OnRounds | None = None,
) -> PermBoth:
    """Test all pairs of metrics on every statistic of `POOLED_STATISTICS`; all tests use the same swaps.

    Parameters
    ----------
    metrics
        Segment scores, higher is better, shape (metrics, systems, segments), finite.
    human
        Human scores of the same segments, shape (systems, segments), finite.
    units
        Index of the unit to which each segment belongs, shape (segments,), from 0 without gaps; units are swapped as a
        whole.
    rounds, seed, sides
        As in `perm_both`.
    on_progress
        Progress callback (rounds done, rounds); may raise to stop.

    Returns
    -------
    PermBoth
        P-values and statistics, keyed by the names in `POOLED_STATISTICS`.
    """
    count = len(metrics)
    scores = np.stack([standardize(metric.ravel()).reshape(metric.shape) for metric in metrics])
    first, second = np.triu_indices(count, 1)
    swapped: dict[str, SwappedDifferences] = {}
    observed: dict[str, Floats] = {}
    observed["segments_pearson"], swapped["segments_pearson"] = _pearson(scores, human, units)
    observed["segments_kendall"], swapped["segments_kendall"] = _kendall(scores, human, units)
    differ = {name: values[first] - values[second] for name, values in observed.items()}
    reached = {name: np.zeros(len(first), np.int64) for name in observed}
    size, completed = int(units.max(initial=-1)) + 1, 0
    for block, drawn in random_masks.round_blocks(rounds):
        flips = random_masks.unpack_flips(random_masks.swap_bits(seed, block, drawn, size), 0, size).astype(np.float64)
        for name, differences in swapped.items():
            magnitudes, moved = np.abs(differ[name]), differences(flips)
            # equal statistics: all rounds reach their difference
            moved = (
                np.abs(moved)
                if sides == "two"
                else moved * np.where(magnitudes > TOLERANCE, np.sign(differ[name]), 0.0)
            )
            reached[name] += np.count_nonzero(~(moved < magnitudes - TOLERANCE), axis=0)
        completed += drawn
        if on_progress is not None:
            on_progress(completed, rounds)
    p = {}
    for name, hits in reached.items():
        values = np.where(np.isnan(differ[name]), np.nan, (hits + 1) / (rounds + 1))
        p[name] = np.ones((count, count))
        p[name][first, second] = p[name][second, first] = values
    return PermBoth(p, observed, human.shape[1])


def _pearson(scores: Floats, human: Floats, units: NDArray[np.intp]) -> tuple[Floats, SwappedDifferences]:
    """Return Pearson's r of each metric, and a function that returns differences of r between metrics after swaps."""
    standardized, cells = standardize(human.ravel()).reshape(human.shape), human.size
    first, second = np.triu_indices(len(scores), 1)
    columns = np.stack(
        [
            np.stack([sum_by_unit(row, units) for row in values.sum(axis=1)], axis=-1)
            for values in (scores, scores**2, scores * standardized)
        ]
    )  # (3, units, metrics)
    totals = columns.sum(axis=1)

    def correlation(sums: Floats) -> Floats:
        # human scores are standardized: their mean is 0, and their squares sum up to the number of cells
        total, square, product = sums
        spread = square - total**2 / cells
        varied = (spread > TOLERANCE * cells) & bool(np.ptp(human))
        return np.where(varied, product / np.sqrt(np.where(varied, spread, 1.0) * cells), np.nan)

    def differences(flips: Floats) -> Floats:
        swapped_sums = flips @ columns
        left = totals[:, None] - swapped_sums
        return correlation(left[..., first] + swapped_sums[..., second]) - correlation(
            left[..., second] + swapped_sums[..., first]
        )

    return correlation(totals), differences


def _kendall(scores: Floats, human: Floats, units: NDArray[np.intp]) -> tuple[Floats, SwappedDifferences]:
    """Return Kendall's τ-b of each metric, and a function that returns differences of τ-b between metrics after swaps.

    With w = 1 for swapped and w = −1 for unswapped units, the concordance of a metric is quadratic in w. Its even part
    is common to both metrics, and its odd part is linear: Σ w (R_b − R_a) / 2, where R_a and R_b are the sums of the
    concordance rows of metrics a and b over a unit, computed among the scores of both metrics. The same holds for the
    untied pairs in the denominator. The even parts are replaced by their means over swaps, which is exact if there are
    no ties.
    """
    size, cells = int(units.max(initial=-1)) + 1, human.size
    of_cells = np.broadcast_to(units, human.shape).ravel()
    flat, gold = scores.reshape(len(scores), -1), GoldNumbers(human.ravel())
    repeated_gold = GoldNumbers(np.tile(human.ravel(), 2))
    concordances = np.stack([concordance_rows(SystemNumbers(metric, gold)).sum(axis=0) for metric in flat])
    first, second = np.triu_indices(len(scores), 1)
    even_parts, odd = np.empty((2, len(first))), np.empty((2, size, len(first)))
    for pair, (left, right) in enumerate(zip(first, second, strict=True)):
        rows = concordance_rows(SystemNumbers(np.concatenate([flat[left], flat[right]]), repeated_gold))[:, 1:]
        # the two scores of a cell are never both in use
        unused = np.array([2 * np.count_nonzero(flat[left] != flat[right]), 0])
        even_parts[:, pair] = (rows.sum(axis=0) - unused) / 4
        for part, values in enumerate((rows[cells:] - rows[:cells]).T / 2):
            odd[part, :, pair] = sum_by_unit(values, of_cells)
    untied_gold = concordances[0, 0] if len(concordances) else 0.0

    def differences(flips: Floats) -> Floats:
        signs = 2 * flips - 1
        untied, concordant = signs @ odd
        return _tau(even_parts[1] + concordant, even_parts[0] + untied, untied_gold) - _tau(
            even_parts[1] - concordant, even_parts[0] - untied, untied_gold
        )

    return _tau(concordances[:, 2], concordances[:, 1], untied_gold), differences


def _tau(concordant: Floats, untied: Floats, untied_gold: float) -> Floats:
    pairs = np.maximum(untied, 0) * untied_gold
    return np.where(pairs > 0, concordant / np.sqrt(np.where(pairs > 0, pairs, 1.0)), np.nan)


def sum_by_unit(values: Floats, units: NDArray[np.intp]) -> Floats:
    """Return the sum of `values` over the segments of each unit, shape (units,)."""
    return np.asarray(np.bincount(units, values, int(units.max(initial=-1)) + 1), np.float64)
