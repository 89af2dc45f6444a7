"""Bootstrap intervals of Krippendorff's alpha over segments: the outputs of all systems for one come together.

Outputs of one segment are alike, so resampling them one by one gives intervals that are too narrow. In a simulation of
5 systems on 100 segments with 3 raters, segments being what differs most, alpha varied by .096 where intervals over
outputs were .076 wide and intervals over segments .106.

Coincidences of values add up over units: o_ck = n_c n_k / (m - 1), or n_c (n_c - 1) / (m - 1) for c = k. So alpha of a
resample is a function of a sum of rows, at every level. Units with the same ratings have the same row; on scales of few
values it is enough to draw how often each pattern of ratings comes. With more values, interval alpha alone is a
function of few sums: ratings, values, squares and observed distances.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.ratings.agreement.krippendorff import LEVELS, Level, Pairable, tally
from qe_desktop.significance import drawn_weights

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
FEW = 12
"""Different values up to which coincidences are kept, V² numbers a resample."""
PATTERNS = 4096
"""Patterns up to which it is quicker to draw how often each comes than to draw the units."""
UNDEFINED = 0.5
"""Share of resamples that may be undefined (all the same value) before there is no interval."""


def alpha_intervals(
    ratings: Pairable,
    *,
    segments: NDArray[np.integer] | None = None,
    rounds: int = 1000,
    seed: int = 1,
    level: float = 0.95,
) -> dict[Level, tuple[float, float]]:
    """Percentile intervals of alpha by level of measurement; levels that have none are left out.

    `segments` (units,) says which segment each unit is of; if not given, each is of its own. Nominal and ordinal alpha
    have an interval on scales of up to FEW different values.
    """
    groups = None if segments is None else np.unique(segments, return_inverse=True)[1].astype(np.int64)
    drawn = ratings.units if groups is None else int(groups.max(initial=-1)) + 1
    if drawn < 2 or len(ratings.different) < 2 or rounds < 1:
        return {}
    if drawn == ratings.units:
        # each segment has one unit: how often each pattern comes is quicker to draw
        groups = None
    found: dict[Level, Floats] = {}
    if len(ratings.different) <= FEW:
        sums = _coincidences(ratings, groups, rounds, seed)
        found = {one: _alphas(sums, one, ratings.different) for one in LEVELS}
    else:
        found["interval"] = _interval_alphas(ratings, groups, rounds, seed)
    tail = (1 - level) / 2
    out: dict[Level, tuple[float, float]] = {}
    for name, values in found.items():
        defined = values[np.isfinite(values)]
        if len(defined) > UNDEFINED * rounds:
            low, high = np.quantile(defined, [tail, 1 - tail])
            out[name] = float(low), float(high)
    return out


def _coincidences(ratings: Pairable, groups: Rows | None, rounds: int, seed: int) -> Floats:
    """Resampled coincidences, shape (rounds, values, values)."""
    width = len(ratings.different)
    unit, code, count = tally(ratings)
    counts = np.zeros((ratings.units, width))
    counts[unit, code] = count
    patterns, which, times = np.unique(counts, axis=0, return_inverse=True, return_counts=True)
    out = np.zeros((rounds, width * width))
    if groups is not None:
        # as many numbers at once as there are segments, not units
        of_pattern = _rows(patterns)
        out = _resampled(np.stack([_summed(column[which], groups) for column in of_pattern.T], axis=1), rounds, seed)
    elif len(patterns) <= PATTERNS:
        generator = np.random.Generator(np.random.SFC64([seed, 2]))
        drawn = generator.multinomial(ratings.units, times / ratings.units, rounds)
        np.matmul(drawn.astype(np.float64), _rows(patterns), out=out)
    else:
        out = _resampled(_rows(counts), rounds, seed)
    return out.reshape(rounds, width, width)


def _summed(values: Floats, groups: Rows) -> Floats:
    """Values of units summed by group."""
    return np.asarray(np.bincount(groups, values), np.float64)


def _resampled(rows: Floats, rounds: int, seed: int) -> Floats:
    """Sums of rows drawn with replacement, shape (rounds, columns)."""
    # sorted, so that the order of a file does not matter
    rows = rows[np.lexsort(rows.T)]
    out = np.empty((rounds, rows.shape[1]))
    for first, weights in drawn_weights(rounds, seed, len(rows)):
        out[first : first + len(weights)] = weights @ rows
    return out


def _rows(counts: Floats) -> Floats:
    """The coincidences that units with these counts of values (units, values) add, shape (units, values²)."""
    width = counts.shape[1]
    rows = counts[:, :, None] * counts[:, None, :]
    rows[:, np.arange(width), np.arange(width)] -= counts
    rows /= (counts.sum(axis=1) - 1)[:, None, None]
    return rows.reshape(len(counts), -1)


def _alphas(coincidences: Floats, level: Level, values: Floats) -> Floats:
    """Alpha of each of the matrices (rounds, values, values)."""
    totals = coincidences.sum(axis=2)
    n = totals.sum(axis=1)
    if level == "nominal":
        distance: Floats = 1 - np.eye(len(values))
    else:
        place = values if level == "interval" else np.cumsum(totals, axis=1) - totals / 2
        distance = (place[..., :, None] - place[..., None, :]) ** 2
    observed = (coincidences * distance).sum(axis=(1, 2))
    expected = (totals[:, :, None] * totals[:, None, :] * distance).sum(axis=(1, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected > 0, 1 - (n - 1) * observed / expected, np.nan)


def _interval_alphas(ratings: Pairable, groups: Rows | None, rounds: int, seed: int) -> Floats:
    """Interval alpha of resamples, from four sums a unit."""
    values = ratings.different[ratings.code]
    values = values - values.mean()
    sizes = np.bincount(ratings.unit, minlength=ratings.units).astype(np.float64)
    sums: Floats = np.asarray(np.bincount(ratings.unit, values, ratings.units), np.float64)
    squares: Floats = np.asarray(np.bincount(ratings.unit, values**2, ratings.units), np.float64)
    spread = np.bincount(ratings.unit, (values - (sums / sizes)[ratings.unit]) ** 2, ratings.units)
    apart: Floats = 2 * sizes * spread / (sizes - 1)
    columns: list[Floats] = [sizes, sums, squares, apart]
    rows: Floats = np.stack([column if groups is None else _summed(column, groups) for column in columns], axis=1)
    totals = _resampled(rows, rounds, seed)
    n, total, square, observed = totals.T
    with np.errstate(divide="ignore", invalid="ignore"):
        about_mean = square - total**2 / n
        return np.where(about_mean > 1e-9 * square, 1 - (n - 1) * observed / (2 * n * about_mean), np.nan)
