"""Bootstrap: intervals of each score, and a paired test, from one product of resampling weights with the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics import Metric
from qe_desktop.significance import random_masks
from qe_desktop.significance.randomization import FamilyRows, OnRandomisation, PairTests, tests_from_counts

MAX_BOOTSTRAP_CELLS = 1 << 21
"""Weights drawn at once, so that a corpus of a million segments needs no more memory than a small one."""
MIN_UNITS = 2
"""Segments or documents that an interval needs: of one, all resamples are the same."""
MAX_CACHED_WEIGHTS = 1 << 25
"""Weights that are held at the most, in two bytes each."""


def resampled_scores(
    families: Sequence[FamilyRows], *, rounds: int, seed: int, watch: OnRandomisation | None = None
) -> NDArray[np.float64]:
    """Every metric of every system on `rounds` corpora drawn with replacement, shape (metrics, systems, rounds)."""
    systems, units = families[0].rows.shape[:2]
    out = np.empty((sum(len(family.metrics) for family in families), systems, rounds))
    for first, weights in bootstrap_weights(rounds, seed, units):
        row = 0
        for family in families:
            # (rounds, units) @ (systems, units, columns) -> (systems, rounds, columns)
            totals = weights @ np.asarray(family.rows, np.float64)
            for metric in family.metrics:
                out[row, :, first : first + len(weights)] = metric.comparable(totals)
                row += 1
        if watch is not None:
            watch(first + len(weights), rounds)
    return out


def bootstrap_weights(rounds: int, seed: int, units: int) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """How often each unit is drawn: the first round of each block, and weights of shape (rounds in it, units)."""
    step = max(1, min(random_masks.ROUNDS_PER_BLOCK, MAX_BOOTSTRAP_CELLS // max(1, units)))
    for first in range(0, rounds, step):
        # one generator a round keeps results the same whatever the step
        drawn = [
            random_masks.resampling_weights(seed, number, 1, units)
            for number in range(first, min(rounds, first + step))
        ]
        yield first, np.concatenate(drawn)


class BootstrapWeights:
    """Weights as `drawn_weights` gives them, drawn once for all who ask, as long as they are few enough to be held."""

    def __init__(self, rounds: int, seed: int) -> None:
        self.rounds, self.seed = rounds, seed
        self._held: dict[int, list[tuple[int, NDArray[np.uint16]]]] = {}

    def of(self, units: int) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """Those of so many units."""
        if self.rounds * units > MAX_CACHED_WEIGHTS or units > np.iinfo(np.uint16).max:
            yield from bootstrap_weights(self.rounds, self.seed, units)
            return
        if units not in self._held:
            drawn = bootstrap_weights(self.rounds, self.seed, units)
            # none of so many units is drawn more often than there are units
            self._held[units] = [(first, weights.astype(np.uint16)) for first, weights in drawn]
        for first, weights in self._held[units]:
            yield first, weights.astype(np.float64)


def percentile_intervals(scores: NDArray[np.float64], level: float = 0.95) -> NDArray[np.float64]:
    """Percentile intervals of resampled scores (…, rounds): shape (…, 2), low and high."""
    tail = (1 - level) / 2
    return np.moveaxis(np.quantile(scores, [tail, 1 - tail], axis=-1), 0, -1)


def percentile_intervals_ignoring_nan(scores: NDArray[np.float64], level: float = 0.95) -> NDArray[np.float64]:
    """As `intervals` of scores that are NaN in some rounds, such as those without any segment of a system.

    Such rounds are left out; NaN where they are more than half of all.
    """
    known = np.isfinite(scores)
    if known.all():
        return percentile_intervals(scores, level)
    out = np.full((*scores.shape[:-1], 2), np.nan)
    for place in np.ndindex(out.shape[:-1]):
        if known[place].mean() > 0.5:
            out[place] = percentile_intervals(scores[place][known[place]], level)
    return out


def bootstrap_test(scores: NDArray[np.float64], observed: NDArray[np.float64]) -> PairTests:
    """Paired two-sided p by shifting the resampled differences to 0 (Koehn 2004).

    `scores` has shape (metrics, systems, rounds), `observed` (metrics, systems). p = (c+1)/(R+1) with c the
    rounds whose centred difference is at least the observed one; identical systems give 1. Bootstrap tests find more
    differences than randomisation does (Riezler and Maxwell 2005), so randomisation is the default.
    """
    metrics, systems, rounds = scores.shape
    pairs = list(combinations(range(systems), 2))
    counts = np.empty((metrics, len(pairs)), np.int64)
    for place, (left, right) in enumerate(pairs):
        differences = scores[:, left] - scores[:, right]
        centred = np.abs(differences - differences.mean(axis=-1, keepdims=True))
        bar = np.abs(observed[:, left] - observed[:, right])[:, None] * (1 - 1e-9)
        counts[:, place] = np.count_nonzero(centred >= bar, axis=-1)
    return tests_from_counts(counts, rounds, systems)


Floats = NDArray[np.float64]
MAX_JACKKNIFE_CELLS = 1 << 20
"""Totals evaluated at a time, so that many units need no more memory than few."""


def bca_intervals(resampled: Floats, observed: Floats, acceleration: Floats, level: float = 0.95) -> Floats:
    """BCa intervals of resampled scores (..., rounds), shape (..., 2), low and high.

    `observed` and `acceleration` have the shape of the scores without the rounds. Rounds that are NaN are left out;
    NaN where they are more than half. An observed score beyond all rounds counts as if half a round lay beyond it.
    """
    from scipy.special import ndtr, ndtri

    known = np.isfinite(resampled)
    rounds = np.count_nonzero(known, axis=-1)
    with np.errstate(invalid="ignore"):
        below = np.count_nonzero(resampled < observed[..., None], axis=-1)
        up_to = np.count_nonzero(resampled <= observed[..., None], axis=-1)
    most = np.maximum(rounds, 1)
    bias = ndtri(np.clip((below + up_to) / (2 * most), 0.5 / most, 1 - 0.5 / most))
    ends = bias[..., None] + ndtri(np.asarray([(1 - level) / 2, (1 + level) / 2]))
    shrunk = 1 - acceleration[..., None] * ends
    # an acceleration this large turns the normal scale round: its end is that of the rounds
    shares = np.where(shrunk > 0, ndtr(bias[..., None] + ends / np.where(shrunk > 0, shrunk, 1)), ends > 0)
    intervals = np.full((*observed.shape, 2), np.nan)
    for index in np.ndindex(observed.shape):
        if rounds[index] * 2 > resampled.shape[-1]:
            intervals[index] = np.quantile(resampled[index][known[index]], shares[index])
    return intervals


def jackknife_accelerations(metric: Metric, rows: NDArray[np.floating]) -> Floats:
    """The acceleration of a metric's score for each system, shape (systems,), from rows (systems, units, columns).

    A sixth of the skewness of the jackknife values, whose totals are the sums less one row each; 0 where the score is
    the same whichever unit is left out. Units in which leaving out makes the score undefined do not count.
    """
    found = np.zeros(len(rows))
    units, columns = rows.shape[1:]
    step = max(1, MAX_JACKKNIFE_CELLS // max(1, columns))
    for system, own in enumerate(rows):
        totals = own.sum(axis=0, dtype=np.float64)
        values = np.concatenate(
            [metric.score(totals - own[start : start + step]) for start in range(0, units, step)] or [np.empty(0)]
        )
        values = values[np.isfinite(values)]
        if len(values) < 2:
            continue
        influence = values.mean() - values
        spread = np.sum(influence**2)
        # rounding of equal values is no spread
        if spread > len(values) * (1e-12 * np.abs(values).max()) ** 2:
            found[system] = np.sum(influence**3) / (6 * spread**1.5)
    return found
