"""Bootstrap confidence intervals and a paired test, from one product of resampling weights with the rows."""

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
"""Maximum number of weights per block; bounds memory for large corpora."""
MIN_UNITS = 2
"""Minimum number of segments or documents for an interval."""
MAX_CACHED_WEIGHTS = 1 << 25
"""Maximum number of cached weights (two bytes each)."""


def resampled_scores(
    families: Sequence[FamilyRows], *, rounds: int, seed: int, on_progress: OnRounds | None = None
) -> Floats:
    """Return the scores of every system by every metric on bootstrap resamples.

    All systems and metrics share the resamples.

    Parameters
    ----------
    families
        Rows and metrics; all families have the same systems and units.
    rounds
        Number of resamples.
    seed
        Random seed.
    on_progress
        Progress callback (resamples done, all resamples), which may raise an exception to stop.

    Returns
    -------
    ndarray
        Scores in the metric's units, 0 if undefined, shape (metrics, systems, rounds), in the order of the families'
        metrics.
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
    """Yield bootstrap resamples in blocks that fit in memory, as weights of the units.

    Parameters
    ----------
    rounds
        Number of resamples.
    seed
        Random seed; resample i is the same for every number of resamples.
    units
        Number of segments or documents.

    Yields
    ------
    tuple of int and ndarray
        Index of the first resample of the block, and how often each unit is sampled, shape (resamples, units); each row
        adds up to `units`.
    """
    step = max(1, min(random_masks.ROUNDS_PER_BLOCK, MAX_BOOTSTRAP_CELLS // max(1, units)))
    for first in range(0, rounds, step):
        yield first, random_masks.resampling_weights(seed, first, min(step, rounds - first), units)


class BootstrapWeights:
    """Weights of `bootstrap_weights`, cached for reuse up to `MAX_CACHED_WEIGHTS`."""

    def __init__(self, rounds: int, seed: int) -> None:
        self.rounds, self.seed = rounds, seed
        self._cached: dict[int, list[tuple[int, NDArray[np.uint16]]]] = {}

    def weight_blocks(self, units: int) -> Iterator[tuple[int, Floats]]:
        """Yield the blocks of weights for a number of units.

        Parameters
        ----------
        units
            Number of segments or documents.

        Yields
        ------
        tuple of int and ndarray
            As in `bootstrap_weights`.
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

    `units` is the group of each segment, shape (segments,), numbered from 0 without gaps.
    """

    def __init__(self, rounds: int, seed: int, units: NDArray[np.intp]) -> None:
        super().__init__(rounds, seed)
        self.units = units

    def weight_blocks(self, units: int) -> Iterator[tuple[int, Floats]]:
        """Yield the blocks of weights of all segments; `units` must be the number of segments.

        Blocks are as in `bootstrap_weights`, with weights of shape (resamples, segments).
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
    """Return percentile intervals of resampled scores, ignoring resamples in which a score is NaN.

    A score is NaN, for example, in resamples that contain no segment of a system.

    Parameters
    ----------
    scores
        Resampled scores, shape (…, rounds).
    level
        Confidence level, between 0 and 1.

    Returns
    -------
    ndarray
        Lower and upper limits, shape (…, 2); NaN if at least half of the resamples are ignored.
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
    """Return whether all resamples of a score are equal up to rounding.

    Parameters
    ----------
    resampled
        Resampled scores, shape (…, rounds); NaN is ignored.

    Returns
    -------
    ndarray
        Whether the largest and the smallest score differ by at most 1e-12 of the larger magnitude, shape (…); True if
        all are NaN.
    """
    is_finite = np.isfinite(resampled)
    high = np.where(is_finite, resampled, -np.inf).max(axis=-1)
    low = np.where(is_finite, resampled, np.inf).min(axis=-1)
    with np.errstate(invalid="ignore"):
        return np.asarray(high - low <= 1e-12 * np.maximum(np.abs(high), np.abs(low)))


def bootstrap_test(scores: Floats, observed: Floats, units: int) -> PairTests:
    """Run a paired two-sided bootstrap test: resampled differences are shifted to mean 0.

    p = (c+1)/(R+1), with c the number of resamples whose |centred difference| is at least the |observed difference|;
    identical systems give 1, and so does a single unit, of which all resamples are equal. Bootstrap tests are more
    liberal than randomization, which is therefore the default.

    Parameters
    ----------
    scores
        Resampled scores, shape (metrics, systems, rounds).
    observed
        Scores, shape (metrics, systems).
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
"""Maximum number of totals evaluated at a time; bounds memory."""


def bca_intervals(resampled: Floats, observed: Floats, acceleration: Floats, level: float = 0.95) -> Floats:
    """Return bias-corrected and accelerated (BCa) intervals of resampled scores.

    Parameters
    ----------
    resampled
        Resampled scores, shape (…, rounds). NaN is ignored.
    observed, acceleration
        Scores and their accelerations (`jackknife_accelerations`), shape (…).
    level
        Confidence level, between 0 and 1.

    Returns
    -------
    ndarray
        Lower and upper limits, shape (…, 2); NaN if at least half of the resamples are NaN.

    Notes
    -----
    The limits are the quantiles Φ(z₀ + (z₀ + z) / (1 − a(z₀ + z))) of the resampled scores, with a the acceleration and
    z the normal quantile of either tail. z₀ is Φ⁻¹(share of resamples below the observed score), where resamples equal
    to that score count half. An observed score beyond all resamples counts as if half a resample were beyond it.

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
        Rows of its family, shape (systems, units, columns).

    Returns
    -------
    ndarray
        Accelerations, shape (systems,); 0 if all jackknife values are equal or there are fewer than two.

    Notes
    -----
    The acceleration is Σd³ / (6 (Σd²)^1.5), with d the mean of the jackknife values minus each of them. Units whose
    removal makes the score undefined are ignored.

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
