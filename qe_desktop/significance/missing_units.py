"""Tests of two systems on their shared units, for metrics that lack scores for some outputs.

A permutation must not swap a rating with a missing rating. Otherwise, two systems with 1,000 and 10 ratings would both
have about 505 ratings after random swaps, and the p-value would be far too small. Therefore, a pair is tested only on
the units that have a rating for both systems; other units only contribute to the scores. A pair without shared units is
not tested (NaN). The p-value is 1 if the system with the higher overall score has the lower score on the shared units.
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
from qe_desktop.significance.exact_columns import SwappedSums, exact_columns
from qe_desktop.significance.randomization import (
    FamilyRows,
    OnRounds,
    PairTests,
    covers_all_swaps,
    sum_by_document,
    symmetric_matrix,
)
from qe_desktop.significance.randomization_kernel import ROUNDING, TOLERANCE

MAX_PAIR_CELLS = 1 << 22
"""Maximum number of row values per batch of pairs, counting one system of each pair; limits memory use."""


def has_missing_scores(family: FamilyRows) -> bool:
    """Return whether any system has no score for a unit.

    Parameters
    ----------
    family
        Rows and metrics.

    Returns
    -------
    bool
        Whether any row contains only zeros; always False for families in which a row of zeros is a score.
    """
    return family.metrics[0].family.has_missing_rows and not bool(_is_scored(family.rows).all())


def select_shared(rows: NDArray[np.floating]) -> Floats:
    """Return the rows of two systems, shape (2, …, units, columns), with 0 in units missing for either system."""
    is_shared = np.logical_and(*_is_scored(rows))
    return np.asarray(rows * is_shared[..., None], np.float64)


def _is_scored(rows: NDArray[np.floating]) -> NDArray[np.bool_]:
    return np.asarray(rows.any(axis=-1))


@dataclass(frozen=True, slots=True, eq=False)
class PairRows:
    """Rows of both systems of each pair, shape (2, pairs, units, columns); 0 in units missing for either system."""

    rows: Floats
    metrics: tuple[Metric, ...]

    @property
    def has_shared_unit(self) -> NDArray[np.bool_]:
        """Whether the two systems of each pair share at least one unit, shape (pairs,)."""
        return np.asarray(self.rows.any(axis=(0, 2, 3)))

    def observed_differences(self) -> Floats:
        """Return the score of the first system of each pair minus that of the second, shape (metrics, pairs)."""
        return self.differences(*self.rows.sum(axis=2))

    def differences(self, first: Floats, second: Floats) -> Floats:
        """Return the score differences, shape (metrics, …), between two arrays of totals, shape (…, columns) each."""
        return np.stack([metric.finite_scores(first) - metric.finite_scores(second) for metric in self.metrics])


@dataclass(frozen=True, slots=True, eq=False)
class ReachedCounts:
    """Counts of the trials that reach the observed difference, shape (metrics, pairs).

    `trials` is the number of all trials. If `exact`, all permutations were enumerated; `trials` is half their number,
    because a permutation and its complement have equal absolute differences.
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
    """Test each pair of systems on the units that both systems share.

    Parameters
    ----------
    families
        Rows and metrics; rows of zeros are missing scores.
    test
        Function that tests pairs, such as `randomise_pairs`.
    rounds
        Number of trials or resamples.
    seed
        Random seed.
    documents
        Index of the document of each unit, shape (units,), to resample documents as a whole; None to resample units.
    on_progress
        Progress callback, called with the number of completed rounds and the total. An exception that it raises stops
        the test.

    Returns
    -------
    PairTests
        Two-sided p-values, in the order in which `families` lists the metrics. The p-value of a pair is NaN if there
        are no shared units, and 1 if the system with the higher overall score has the lower score on the shared units.
        If no scores are missing, the p-values equal those of the test on all units.
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
    """Return p-values and standard errors of pairs whose score differences over all units are `differences`.

    All arrays have shape (metrics, pairs).
    """
    trials = reached.trials
    p = reached.counts / trials if reached.exact else (reached.counts + 1) / (trials + 1)
    error = np.zeros(p.shape) if reached.exact else np.sqrt(p * (1 - p) / trials)
    is_reversed = pairs.observed_differences() * differences < 0
    p, error = np.where(is_reversed, 1.0, p), np.where(is_reversed, 0.0, error)
    return np.where(pairs.has_shared_unit, p, np.nan), np.where(pairs.has_shared_unit, error, np.nan)


def _tiles(family: FamilyRows, documents: NDArray[np.integer] | None) -> Iterator[tuple[slice, PairRows]]:
    """Yield batches of all pairs i < j, in the order of `triu_indices`: the slice of the pairs, and their rows.

    Batches fit in memory.
    """
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
    """Run approximate randomization with the same swap masks for all pairs.

    Parameters
    ----------
    pairs
        Rows of both systems of each pair.
    rounds
        Number of trials. If it is at least 2^n for n units, all permutations are enumerated instead, except
        complements, which have equal absolute differences.
    seed
        Random seed.

    Returns
    -------
    ReachedCounts
        Number of trials that reach the observed difference, for each metric and pair.
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
    sums = SwappedSums(exact_differences, random_masks.ROUNDS_PER_BLOCK)
    for block, size in random_masks.round_blocks(trials):
        bits = (
            random_masks.enumerated_bits(block, size, units)
            if exact
            else random_masks.swap_bits(seed, block, size, units)
        )
        swapped = np.moveaxis(sums.add_swapped([bits]), 0, -1)
        differences = pairs.differences(totals[0] - swapped, totals[1] + swapped)
        counts += np.count_nonzero(np.abs(differences) >= threshold, axis=-1)
    return ReachedCounts(counts, trials, exact)


def bootstrap_pairs(pairs: PairRows, rounds: int, seed: int) -> ReachedCounts:
    """Run a paired bootstrap test.

    Parameters
    ----------
    pairs
        Rows of both systems of each pair.
    rounds
        Number of resamples.
    seed
        Random seed.

    Returns
    -------
    ReachedCounts
        Number of resamples whose difference, shifted to mean 0, reaches the observed difference, for each metric and
        pair. If a pair shares only one unit, all resamples are counted.
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
