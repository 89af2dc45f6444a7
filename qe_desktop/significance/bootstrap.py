"""Bootstrap confidence intervals and a paired bootstrap test.

The scores of resamples are computed from matrix products of resampling weights and rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats
from qe_desktop.metrics import Metric
from qe_desktop.significance import random_masks
from qe_desktop.significance.randomization import FamilyRows, OnRounds, PairTests, tests_from_counts

MAX_BOOTSTRAP_CELLS = 1 << 21
"""Maximum number of weights per block, which limits memory use for large corpora."""
MIN_UNITS = 2
"""Minimum number of segments or documents for an interval."""
MAX_CACHED_WEIGHTS = 1 << 25
"""Maximum number of weights (two bytes each) that are cached for one number of units."""


def resampled_scores(
    families: Sequence[FamilyRows], *, rounds: int, seed: int, on_progress: OnRounds | None = None
) -> Floats:
    """Return the scores of every system by every metric on bootstrap resamples.

    All systems and metrics use the same resamples.

    Parameters
    ----------
    families
        Rows and metrics; all families have the same systems and units.
    rounds
        Number of resamples.
    seed
        Random seed.
    on_progress
        Progress callback, called with the number of completed resamples and the total. An exception that it raises
        stops the computation.

    Returns
    -------
    ndarray
        Scores in the units of each metric, 0 if undefined, shape (metrics, systems, rounds). Metrics are in the order
        in which `families` lists them.
    """
    systems, units = families[0].rows.shape[:2]
    out = np.empty((sum(len(family.metrics) for family in families), systems, rounds))
    for first, weights in bootstrap_weights(rounds, seed, units):
        row = 0
        for family in families:
            # (rounds, units) @ (systems, units, columns) -> (systems, rounds, columns)
            totals = weights @ np.asarray(family.rows, np.float64)
            for metric in family.metrics:
                out[row, :, first : first + len(weights)] = metric.finite_scores(totals)
                row += 1
        if on_progress is not None:
            on_progress(first + len(weights), rounds)
    return out


def bootstrap_weights(rounds: int, seed: int, units: int) -> Iterator[tuple[int, Floats]]:
    """Yield bootstrap resamples as weights of the units, in blocks that fit in memory.

    Parameters
    ----------
    rounds
        Number of resamples.
    seed
        Random seed. The weights of the resample at an index do not depend on `rounds`.
    units
        Number of segments or documents.

    Yields
    ------
    tuple of int and ndarray
        Index of the first resample of the block, and the number of times that each unit is sampled, shape (resamples,
        units). Each row adds up to `units`.
    """
    step = max(1, min(random_masks.ROUNDS_PER_BLOCK, MAX_BOOTSTRAP_CELLS // max(1, units)))
    for first in range(0, rounds, step):
        yield first, random_masks.resampling_weights(seed, first, min(step, rounds - first), units)


class BootstrapWeights:
    """Weights from `bootstrap_weights`, cached for reuse if there are at most `MAX_CACHED_WEIGHTS`."""

    def __init__(self, rounds: int, seed: int) -> None:
        self.rounds, self.seed = rounds, seed
        self._cached: dict[int, list[tuple[int, NDArray[np.uint16]]]] = {}

    def weight_blocks(self, units: int) -> Iterator[tuple[int, Floats]]:
        """Yield blocks of weights for a number of units.

        Parameters
        ----------
        units
            Number of segments or documents.

        Yields
        ------
        tuple of int and ndarray
            Index of the first resample of the block, and weights, as yielded by `bootstrap_weights`.
        """
        if self.rounds * units > MAX_CACHED_WEIGHTS or units > np.iinfo(np.uint16).max:
            yield from bootstrap_weights(self.rounds, self.seed, units)
            return
        if units not in self._cached:
            batches = bootstrap_weights(self.rounds, self.seed, units)
            # a unit is sampled at most `units` times, which fits uint16
            self._cached[units] = [(first, weights.astype(np.uint16)) for first, weights in batches]
        for first, weights in self._cached[units]:
            yield first, weights.astype(np.float64)


class GroupedBootstrapWeights(BootstrapWeights):
    """Weights of segments that are resampled in groups, such as documents.

    `units` is the index of each segment's group, shape (segments,). Groups are numbered from 0 without gaps.
    """

    def __init__(self, rounds: int, seed: int, units: NDArray[np.intp]) -> None:
        super().__init__(rounds, seed)
        self.units = units

    def weight_blocks(self, units: int) -> Iterator[tuple[int, Floats]]:
        """Yield blocks of weights for all segments; `units` must be the number of segments.

        Blocks are like those of `bootstrap_weights`, but the weights have shape (resamples, segments). Each segment has
        the weight of its group.
        """
        assert units == len(self.units)
        step = max(1, MAX_BOOTSTRAP_CELLS // max(1, units))
        for first, weights in super().weight_blocks(int(self.units.max(initial=-1)) + 1):
            for start in range(0, len(weights), step):
                yield first + start, weights[start : start + step, self.units]


def percentile_intervals(scores: Floats, level: float = 0.95) -> Floats:
    """Return percentile intervals of resampled scores.

    Parameters
    ----------
    scores
        Resampled scores, shape (…, rounds).
    level
        Confidence level, between 0 and 1.

    Returns
    -------
    ndarray
        Lower and upper limits, shape (…, 2).

    References
    ----------
    Efron and Tibshirani 1993, section 13.3
    """
    tail = (1 - level) / 2
    return np.moveaxis(np.quantile(scores, [tail, 1 - tail], axis=-1), 0, -1)


def percentile_intervals_ignoring_nan(scores: Floats, level: float = 0.95) -> Floats:
    """Return percentile intervals of resampled scores; NaN is ignored.

    For example, the score of a system is NaN in resamples that contain no segment of that system.

    Parameters
    ----------
    scores
        Resampled scores, shape (…, rounds).
    level
        Confidence level, between 0 and 1.

    Returns
    -------
    ndarray
        Lower and upper limits, shape (…, 2); NaN if at least half of the resampled values of a score are NaN.
    """
    is_finite = np.isfinite(scores)
    if is_finite.all():
        return percentile_intervals(scores, level)
    out = np.full((*scores.shape[:-1], 2), np.nan)
    for index in np.ndindex(out.shape[:-1]):
        if is_finite[index].mean() > 0.5:
            out[index] = percentile_intervals(scores[index][is_finite[index]], level)
    return out


def are_all_equal(resampled: Floats) -> NDArray[np.bool_]:
    """Return, for each score, whether its resampled values are equal up to rounding.

    Parameters
    ----------
    resampled
        Resampled scores, shape (…, rounds); NaN is ignored.

    Returns
    -------
    ndarray
        Whether the largest and smallest values of each score differ by at most 1e-12 times the larger absolute value,
        shape (…); True if all values of the score are NaN.
    """
    is_finite = np.isfinite(resampled)
    high = np.where(is_finite, resampled, -np.inf).max(axis=-1)
    low = np.where(is_finite, resampled, np.inf).min(axis=-1)
    with np.errstate(invalid="ignore"):
        return np.asarray(high - low <= 1e-12 * np.maximum(np.abs(high), np.abs(low)))


def bootstrap_test(scores: Floats, observed: Floats, units: int) -> PairTests:
    """Run a paired two-sided bootstrap test on resampled score differences, which are shifted to mean 0.

    p = (c+1)/(R+1), with R the number of resamples and c the number of resamples whose |shifted difference| is at least
    the |observed difference|. p is 1 for identical systems. It is also 1 for a single unit, because all resamples are
    then equal. The bootstrap test is more liberal than the randomization test, which is therefore the default.

    Parameters
    ----------
    scores
        Resampled scores, shape (metrics, systems, rounds).
    observed
        Observed scores, shape (metrics, systems).
    units
        Number of units that were resampled.

    Returns
    -------
    PairTests
        P-values of all pairs of systems, by metric.

    References
    ----------
    Koehn 2004; Riezler and Maxwell 2005
    """
    metrics, systems, rounds = scores.shape
    pairs = list(combinations(range(systems), 2))
    counts = np.empty((metrics, len(pairs)), np.int64)
    for index, (left, right) in enumerate(pairs):
        differences = scores[:, left] - scores[:, right]
        centred = np.abs(differences - differences.mean(axis=-1, keepdims=True))
        threshold = np.abs(observed[:, left] - observed[:, right])[:, None] * (1 - 1e-9)
        counts[:, index] = np.count_nonzero(centred >= threshold, axis=-1) if units > 1 else rounds
    return tests_from_counts(counts, rounds, systems)


MAX_JACKKNIFE_CELLS = 1 << 20
"""Maximum number of column totals computed at a time, which limits memory use."""


def bca_intervals(resampled: Floats, observed: Floats, acceleration: Floats, level: float = 0.95) -> Floats:
    """Return bias-corrected and accelerated (BCa) intervals of resampled scores.

    Parameters
    ----------
    resampled
        Resampled scores, shape (…, rounds). NaN is ignored.
    observed, acceleration
        Observed scores and their accelerations (see `jackknife_accelerations`), shape (…) each.
    level
        Confidence level, between 0 and 1.

    Returns
    -------
    ndarray
        Lower and upper limits, shape (…, 2); NaN if at least half of the resampled values of a score are NaN.

    Notes
    -----
    The limits are the quantiles Φ(z₀ + (z₀ + z) / (1 − a(z₀ + z))) of the resampled scores, with a the acceleration and
    z the standard normal quantile of the lower or upper tail. z₀ is Φ⁻¹(share of resamples below the observed score).
    Resamples equal to the observed score count half. If all resamples are below the observed score or all are above it,
    half a resample is counted on the other side, so that z₀ is finite.

    References
    ----------
    Efron 1987; Efron and Tibshirani 1993, section 14.3
    """
    from scipy.special import ndtr, ndtri

    is_finite = np.isfinite(resampled)
    rounds = np.count_nonzero(is_finite, axis=-1)
    with np.errstate(invalid="ignore"):
        below = np.count_nonzero(resampled < observed[..., None], axis=-1)
        up_to = np.count_nonzero(resampled <= observed[..., None], axis=-1)
    counts = np.maximum(rounds, 1)
    bias = ndtri(np.clip((below + up_to) / (2 * counts), 0.5 / counts, 1 - 0.5 / counts))
    ends = bias[..., None] + ndtri(np.asarray([(1 - level) / 2, (1 + level) / 2]))
    shrunk = 1 - acceleration[..., None] * ends
    # an acceleration this large reverses the normal scale: the limit is then the extreme resample
    shares = np.where(shrunk > 0, ndtr(bias[..., None] + ends / np.where(shrunk > 0, shrunk, 1)), ends > 0)
    intervals = np.full((*observed.shape, 2), np.nan)
    for index in np.ndindex(observed.shape):
        if rounds[index] * 2 > resampled.shape[-1]:
            intervals[index] = np.quantile(resampled[index][is_finite[index]], shares[index])
    return intervals


def jackknife_accelerations(metric: Metric, rows: NDArray[np.floating]) -> Floats:
    """Return the BCa acceleration of a metric's score for each system.

    Parameters
    ----------
    metric
        Metric.
    rows
        Rows of the metric's family, shape (systems, units, columns).

    Returns
    -------
    ndarray
        Accelerations, shape (systems,); 0 if all jackknife values are equal, or if there are fewer than two.

    Notes
    -----
    A jackknife value is the score without one of the units. Units without which the score is undefined are ignored. The
    acceleration is Σd³ / (6 (Σd²)^1.5); each d is the mean of all jackknife values minus one jackknife value.

    References
    ----------
    Efron and Tibshirani 1993, section 14.3
    """
    accelerations = np.zeros(len(rows))
    units, columns = rows.shape[1:]
    step = max(1, MAX_JACKKNIFE_CELLS // max(1, columns))
    for system, system_rows in enumerate(rows):
        totals = system_rows.sum(axis=0, dtype=np.float64)
        values = np.concatenate(
            [metric.score(totals - system_rows[start : start + step]) for start in range(0, units, step)]
            or [np.empty(0)]
        )
        values = values[np.isfinite(values)]
        if len(values) < 2:
            continue
        influence = values.mean() - values
        spread = np.sum(influence**2)
        # rounding errors of equal values are not variance
        if spread > len(values) * (1e-12 * np.abs(values).max()) ** 2:
            accelerations[system] = np.sum(influence**3) / (6 * spread**1.5)
    return accelerations
