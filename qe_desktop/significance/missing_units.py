"""Tests of two systems on their shared units, for metrics that lack scores for some outputs.

A permutation must not swap a rating with a missing rating. Two systems with 1,000 and 10 ratings would both have about
505 after the swap, and the p-value would be far too small. So a pair is tested on the units that have a rating for both
systems; other units only contribute to the scores. A pair without shared units is not tested (NaN). If the shared units
reverse the order of the scores, the p-value is 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.metrics import Metric
from qe_desktop.significance import random_masks
from qe_desktop.significance.bootstrap import bootstrap_weights
from qe_desktop.significance.exact_columns import exact_columns
from qe_desktop.significance.randomization import (
    FamilyRows,
    OnRounds,
    PairTests,
    covers_all_swaps,
    sum_by_document,
    sum_masked,
    symmetric_matrix,
)
from qe_desktop.significance.randomization_kernel import ROUNDING, TOLERANCE

MAX_PAIR_CELLS = 1 << 22
"""Maximum number of cells of pair rows in memory."""


def has_missing_scores(family: FamilyRows) -> bool:
    """Return whether some system lacks a unit.

    Parameters
    ----------
    family
        Rows and metrics.

    Returns
    -------
    bool
        Whether any row is all zeros; always False for families in which a row of zeros is a score.
    """
    return family.metrics[0].family.has_missing_rows and not bool(_is_scored(family.rows).all())


def select_shared(rows: NDArray[np.floating]) -> Floats:
    """Return the rows of two systems, shape (2, …, units, columns), set to 0 in units that either lacks."""
    is_shared = np.logical_and(*_is_scored(rows))
    return np.asarray(rows * is_shared[..., None], np.float64)


def _is_scored(rows: NDArray[np.floating]) -> NDArray[np.bool_]:
    return np.asarray(rows.any(axis=-1))


@dataclass(frozen=True, slots=True, eq=False)
class PairRows:
    """Rows of both systems of some pairs, shape (2, pairs, units, columns); 0 in units that a pair does not share."""

    rows: Floats
    metrics: tuple[Metric, ...]

    @property
    def has_shared_unit(self) -> NDArray[np.bool_]:
        """Whether each pair shares a unit, shape (pairs,)."""
        return np.asarray(self.rows.any(axis=(0, 2, 3)))

    def observed_differences(self) -> Floats:
        """Return the first score minus the second, shape (metrics, pairs)."""
        return self.differences(*self.rows.sum(axis=2))

    def differences(self, first: Floats, second: Floats) -> Floats:
        """Return the score differences, shape (metrics, …), of two arrays of totals, shape (…, columns)."""
        return np.stack([metric.finite_scores(first) - metric.finite_scores(second) for metric in self.metrics])


@dataclass(frozen=True, slots=True, eq=False)
class ReachedCounts:
    """Numbers of trials that reach the observed difference: `counts`, shape (metrics, pairs), out of `trials` trials.

    `exact` is whether all permutations were enumerated.
    """

    counts: Ints
    trials: int
    exact: bool = False


PairTest = Callable[[PairRows, int, int], ReachedCounts]
"""Function that tests pairs, called with the pairs, the number of rounds and the seed."""


def compare_shared_units(
    families: Sequence[FamilyRows],
    test: PairTest,
    *,
    rounds: int,
    seed: int,
    documents: NDArray[np.integer] | None = None,
    on_progress: OnRounds | None = None,
) -> PairTests:
    """Test every pair of systems on its shared units.

    Parameters
    ----------
    families
        Rows and metrics; rows of zeros are missing scores.
    test
        Test of single pairs, such as `randomise_pairs`.
    rounds
        Number of trials or resamples.
    seed
        Random seed.
    documents
        Index of the document of each unit, shape (units,), if documents are resampled as a whole; else None.
    on_progress
        Progress callback (rounds done, all rounds), which may raise an exception to stop.

    Returns
    -------
    PairTests
        Two-sided p-values in the order of the families' metrics: NaN without shared units, 1 if the shared units
        reverse the order of the scores. If no scores are missing, the p-values are those of the standard test.
    """
    units = []
    for number, family in enumerate(families):
        first, second = np.triu_indices(len(family.rows), 1)
        total = family.rows.sum(axis=1, dtype=np.float64)
        scores = [metric.finite_scores(total) for metric in family.metrics]
        differences = np.stack([score[first] - score[second] for score in scores])
        p, error = np.empty(differences.shape), np.empty(differences.shape)
        for tile, pairs in _tiles(family, documents):
            reached = test(pairs, rounds, seed)
            p[:, tile], error[:, tile] = _pair_p_values(reached, pairs, differences[:, tile])
            if on_progress is not None:
                on_progress((number * len(first) + tile.stop) * rounds // (len(families) * len(first)), rounds)
        units.append((p, error))
    p, error = (np.concatenate(blocks) for blocks in zip(*units, strict=True))
    systems = len(families[0].rows)
    trials = 2 * reached.trials if reached.exact else rounds
    return PairTests(symmetric_matrix(p, systems, 1.0), symmetric_matrix(error, systems, 0.0), trials, reached.exact)


def _pair_p_values(reached: ReachedCounts, pairs: PairRows, differences: Floats) -> tuple[Floats, Floats]:
    """P-values and standard errors of pairs with these score differences, all of shape (metrics, pairs)."""
    trials = reached.trials
    p = reached.counts / trials if reached.exact else (reached.counts + 1) / (trials + 1)
    error = np.zeros(p.shape) if reached.exact else np.sqrt(p * (1 - p) / trials)
    is_reversed = pairs.observed_differences() * differences < 0
    p, error = np.where(is_reversed, 1.0, p), np.where(is_reversed, 0.0, error)
    return np.where(pairs.has_shared_unit, p, np.nan), np.where(pairs.has_shared_unit, error, np.nan)


def _tiles(family: FamilyRows, documents: NDArray[np.integer] | None) -> Iterator[tuple[slice, PairRows]]:
    """Yield all pairs i < j in the order of `triu_indices`, in batches that fit in memory."""
    rows = np.asarray(family.rows, np.float64)
    first, second = np.triu_indices(len(rows), 1)
    step = max(1, MAX_PAIR_CELLS // max(1, rows[0].size))
    for begin in range(0, len(first), step):
        tile = slice(begin, min(len(first), begin + step))
        shared_rows = select_shared(np.stack([rows[first[tile]], rows[second[tile]]]))
        if documents is not None:
            shared_rows = np.stack([sum_by_document(estimate, documents) for estimate in shared_rows])
        yield tile, PairRows(shared_rows, family.metrics)


def randomise_pairs(pairs: PairRows, rounds: int, seed: int) -> ReachedCounts:
    """Run approximate randomization with masks shared by all pairs.

    Parameters
    ----------
    pairs
        Rows of both systems of some pairs.
    rounds
        Number of trials; if they cover all masks, these are enumerated instead.
    seed
        Random seed.

    Returns
    -------
    ReachedCounts
        Numbers of trials that reach the observed difference.
    """
    first, second = pairs.rows
    units, columns = first.shape[1:]
    exact = covers_all_swaps(rounds, units)
    trials = max(1, 2 ** (units - 1)) if exact else rounds
    # change of the sum of the first system if the unit is swapped
    exact_differences = exact_columns([(first - second)[:, :, column] for column in range(columns)])
    absolute_tolerance = 0.0 if all(exact_differences.is_integer) else ROUNDING
    threshold = np.abs(pairs.observed_differences())[..., None] * (1 - TOLERANCE) - absolute_tolerance
    totals = [rows.sum(axis=1)[:, None] for rows in (first, second)]
    counts = np.zeros(threshold.shape[:2], np.int64)
    for block, size in random_masks.round_blocks(trials):
        bits = (
            random_masks.enumerated_bits(block, size, units)
            if exact
            else random_masks.swap_bits(seed, block, size, units)
        )
        swapped = np.moveaxis(exact_differences.combine(sum_masked(bits, exact_differences.matrix)), 0, -1)
        differences = pairs.differences(totals[0] - swapped, totals[1] + swapped)
        counts += np.count_nonzero(np.abs(differences) >= threshold, axis=-1)
    return ReachedCounts(counts, trials, exact)


def bootstrap_pairs(pairs: PairRows, rounds: int, seed: int) -> ReachedCounts:
    """Run a paired bootstrap.

    Parameters
    ----------
    pairs
        Rows of both systems of some pairs.
    rounds
        Number of resamples.
    seed
        Random seed.

    Returns
    -------
    ReachedCounts
        Numbers of resamples whose difference, shifted to mean 0, reaches the observed difference; all of them if a pair
        shares a single unit.
    """
    units = pairs.rows.shape[2]
    resampled = np.empty((*pairs.observed_differences().shape, rounds))
    for begin, weights in bootstrap_weights(rounds, seed, units):
        # (rounds, units) @ (2, pairs, units, columns) -> (2, pairs, rounds, columns)
        resampled[..., begin : begin + len(weights)] = pairs.differences(*(weights @ pairs.rows))
    centred = np.abs(resampled - resampled.mean(axis=-1, keepdims=True))
    threshold = np.abs(pairs.observed_differences())[..., None] * (1 - 1e-9)
    # with a single shared unit, all resamples are equal
    is_single = np.count_nonzero(pairs.rows.any(axis=(0, 3)), axis=1) < 2
    return ReachedCounts(np.where(is_single, rounds, np.count_nonzero(centred >= threshold, axis=-1)), rounds)
