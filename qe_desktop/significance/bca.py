"""Bias-corrected and accelerated bootstrap intervals (Efron 1987)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics import Metric

Floats = NDArray[np.float64]
CELLS = 1 << 20
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


def accelerations(metric: Metric, rows: NDArray[np.floating]) -> Floats:
    """The acceleration of a metric's score for each system, shape (systems,), from rows (systems, units, columns).

    A sixth of the skewness of the jackknife values, whose totals are the sums less one row each; 0 where the score is
    the same whichever unit is left out. Units in which leaving out makes the score undefined do not count.
    """
    found = np.zeros(len(rows))
    units, columns = rows.shape[1:]
    step = max(1, CELLS // max(1, columns))
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
