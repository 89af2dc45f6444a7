"""Krippendorff's alpha (2004, ch. 11) in closed form, without a coincidence matrix of all distinct values.

alpha = 1 - D_o / D_e is computed from distances d² between pairable ratings, that is, ratings of units with at least
two ratings. With n pairable ratings in all and m ratings in a unit, D_o = 1/n Σ_units Σ_{i≠j} d²_ij / (m - 1), where
the inner sum is over the ratings of the unit, and D_e = 1/(n(n - 1)) Σ_{i≠j} d²_ij over all ratings. For squared
differences, D_o and D_e are computed from sums of squared deviations from means. The ordinal distance between two
values is the squared difference of g(v) = (number of ratings up to v) - (number of ratings equal to v) / 2, so ordinal
alpha is interval alpha of g. Nominal alpha is computed from the counts of values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.ratings.aggregation.rating_groups import encode_values, exact_sums, group_means, sort_order
from qe_desktop.significance import bootstrap_weights

Level = Literal["nominal", "ordinal", "interval"]
MEASUREMENT_LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")


@dataclass(frozen=True, slots=True, eq=False)
class PairableRatings:
    """Ratings of units that have at least two ratings; arrays have shape (ratings,).

    `unit` is the index of the unit, 0..units-1, and `code` is an index into `distinct_values`.
    """

    unit: Ints
    code: Ints
    distinct_values: Floats
    units: int

    def __len__(self) -> int:
        return len(self.unit)


def select_pairable(unit: NDArray[np.integer], value: Floats) -> PairableRatings:
    """Return the ratings that are not NaN and belong to a unit with at least two such ratings."""
    is_known = np.isfinite(value)
    unit, value = np.asarray(unit, np.int64)[is_known], np.asarray(value, np.float64)[is_known]
    sizes = np.bincount(unit)
    keep = sizes[unit] > 1
    new_units = np.cumsum(sizes > 1) - 1
    distinct_values, code = encode_values(value[keep])
    return PairableRatings(new_units[unit[keep]], code, distinct_values, int(np.count_nonzero(sizes > 1)))


def tally_values(ratings: PairableRatings) -> tuple[Ints, Ints, Ints]:
    """Return the unit, code and count of each value that occurs in a unit; shape (cells,) each."""
    width = max(1, len(ratings.distinct_values))
    keys = ratings.unit * width + ratings.code
    ordered = keys[sort_order(keys, ratings.units * width)]
    begins = np.flatnonzero(np.diff(ordered, prepend=-1))
    return ordered[begins] // width, ordered[begins] % width, np.diff(begins, append=len(ordered))


def compute_alpha(ratings: PairableRatings, level: Level) -> float:
    """Return Krippendorff's alpha; NaN if there are no ratings, or if all ratings are equal."""
    if len(ratings.distinct_values) < 2:
        return float("nan")
    n = len(ratings)
    sizes = np.bincount(ratings.unit, minlength=ratings.units)
    if level == "nominal":
        unit, _, count = tally_values(ratings)
        equal_pair_counts = exact_sums(unit, count.astype(np.float64) ** 2, ratings.units)
        observed = float(((sizes**2 - equal_pair_counts) / (sizes - 1)).sum() / n)
        totals = np.bincount(ratings.code).astype(np.float64)
        expected = float((n**2 - (totals**2).sum()) / (n * (n - 1)))
        return 1 - observed / expected
    positions = value_positions(ratings, level)
    values = positions[ratings.code]
    means, _ = group_means(ratings.unit, values, ratings.units)
    deviations = values - means[ratings.unit]
    spread = exact_sums(ratings.unit, np.multiply(deviations, deviations, out=deviations), ratings.units)
    # sum over distinct values, weighted by frequency, instead of over all ratings
    value_counts, single_group = np.bincount(ratings.code, minlength=len(positions)), np.zeros(len(positions), np.int64)
    mean = exact_sums(single_group, value_counts * positions, 1)[0] / n
    # Σ_{i≠j} (x_i - x_j)² = 2 m Σ (x_i - mean)²
    observed = float((2 * sizes * spread / (sizes - 1)).sum() / n)
    expected = float(2 * exact_sums(single_group, value_counts * (positions - mean) ** 2, 1)[0] / (n - 1))
    return 1 - observed / expected


def value_positions(ratings: PairableRatings, level: Level) -> Floats:
    """Return a position for each distinct value; squared differences of positions are interval or ordinal distances."""
    if level == "interval":
        return ratings.distinct_values
    totals = np.bincount(ratings.code, minlength=len(ratings.distinct_values))
    return np.asarray(np.cumsum(totals) - totals / 2, np.float64)


GroupRows = Ints
MAX_SCALE_VALUES = 12
"""Maximum number V of distinct values for which a V × V coincidence matrix is stored per resample."""
MAX_PATTERNS = 4096
"""Maximum number of distinct patterns (value counts of a unit) for which patterns are resampled instead of units."""
MAX_UNDEFINED_SHARE = 0.5
"""Share of resamples with undefined alpha (all values equal) at or above which there is no interval."""


def alpha_intervals(
    ratings: PairableRatings,
    *,
    segments: NDArray[np.integer] | None = None,
    rounds: int = 1000,
    seed: int = 1,
    level: float = 0.95,
) -> dict[Level, tuple[float, float]]:
    """Return bootstrap percentile intervals of alpha by level of measurement; levels without an interval are left out.

    Segments are resampled: `segments` (units,) is the segment of each unit; by default, each unit is a segment of its
    own. `level` is the confidence level. Nominal and ordinal alpha have an interval only if there are at most
    `MAX_SCALE_VALUES` distinct values.
    """
    groups = None if segments is None else np.unique(segments, return_inverse=True)[1].astype(np.int64)
    resampled_units = ratings.units if groups is None else int(groups.max(initial=-1)) + 1
    if resampled_units < 2 or len(ratings.distinct_values) < 2 or rounds < 1:
        return {}
    if resampled_units == ratings.units:
        # one unit per segment: resampling the counts of patterns is faster
        groups = None
    resampled: dict[Level, Floats] = {}
    if len(ratings.distinct_values) <= MAX_SCALE_VALUES:
        sums = _coincidences(ratings, groups, rounds, seed)
        resampled = {
            measurement: _alphas(sums, measurement, ratings.distinct_values) for measurement in MEASUREMENT_LEVELS
        }
    else:
        resampled["interval"] = _interval_alphas(ratings, groups, rounds, seed)
    tail = (1 - level) / 2
    out: dict[Level, tuple[float, float]] = {}
    for name, values in resampled.items():
        defined = values[np.isfinite(values)]
        if len(defined) > (1 - MAX_UNDEFINED_SHARE) * rounds:
            low, high = np.quantile(defined, [tail, 1 - tail])
            out[name] = float(low), float(high)
    return out


def _coincidences(ratings: PairableRatings, groups: GroupRows | None, rounds: int, seed: int) -> Floats:
    """Return the coincidence matrix of each resample, shape (rounds, values, values)."""
    width = len(ratings.distinct_values)
    unit, code, count = tally_values(ratings)
    counts = np.zeros((ratings.units, width))
    counts[unit, code] = count
    patterns, pattern_of_unit, times = np.unique(counts, axis=0, return_inverse=True, return_counts=True)
    out = np.zeros((rounds, width * width))
    if groups is not None:
        # batches by number of segments, not units
        pattern_coincidences = _rows(patterns)
        out = _resample_sums(
            np.stack([_sum_by_group(column[pattern_of_unit], groups) for column in pattern_coincidences.T], axis=1),
            rounds,
            seed,
        )
    elif len(patterns) <= MAX_PATTERNS:
        generator = np.random.Generator(np.random.SFC64([seed, 2]))
        resampled = generator.multinomial(ratings.units, times / ratings.units, rounds)
        np.matmul(resampled.astype(np.float64), _rows(patterns), out=out)
    else:
        out = _resample_sums(_rows(counts), rounds, seed)
    return out.reshape(rounds, width, width)


def _sum_by_group(values: Floats, groups: GroupRows) -> Floats:
    return np.asarray(np.bincount(groups, values), np.float64)


def _resample_sums(rows: Floats, rounds: int, seed: int) -> Floats:
    """Return the sum of the sampled rows in each bootstrap resample of `rows`, shape (rounds, columns)."""
    # sorted: independent of the order of the file
    rows = rows[np.lexsort(rows.T)]
    out = np.empty((rounds, rows.shape[1]))
    for first, weights in bootstrap_weights(rounds, seed, len(rows)):
        out[first : first + len(weights)] = weights @ rows
    return out


def _rows(counts: Floats) -> Floats:
    """Return the coincidences of each unit, shape (units, values²), from its value counts, shape (units, values)."""
    width = counts.shape[1]
    rows = counts[:, :, None] * counts[:, None, :]
    rows[:, np.arange(width), np.arange(width)] -= counts
    rows /= (counts.sum(axis=1) - 1)[:, None, None]
    return rows.reshape(len(counts), -1)


def _alphas(coincidences: Floats, level: Level, values: Floats) -> Floats:
    """Return alpha of each coincidence matrix, shape (rounds,); `coincidences` has shape (rounds, values, values)."""
    totals = coincidences.sum(axis=2)
    n = totals.sum(axis=1)
    if level == "nominal":
        distance: Floats = 1 - np.eye(len(values))
    else:
        positions = values if level == "interval" else np.cumsum(totals, axis=1) - totals / 2
        distance = (positions[..., :, None] - positions[..., None, :]) ** 2
    observed = (coincidences * distance).sum(axis=(1, 2))
    expected = (totals[:, :, None] * totals[:, None, :] * distance).sum(axis=(1, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected > 0, 1 - (n - 1) * observed / expected, np.nan)


def _interval_alphas(ratings: PairableRatings, groups: GroupRows | None, rounds: int, seed: int) -> Floats:
    """Return interval alpha of each resample, shape (rounds,), computed from four sums per unit or group."""
    values = ratings.distinct_values[ratings.code]
    values = values - values.mean()
    sizes = np.bincount(ratings.unit, minlength=ratings.units).astype(np.float64)
    sums: Floats = np.asarray(np.bincount(ratings.unit, values, ratings.units), np.float64)
    squares: Floats = np.asarray(np.bincount(ratings.unit, values**2, ratings.units), np.float64)
    spread = np.bincount(ratings.unit, (values - (sums / sizes)[ratings.unit]) ** 2, ratings.units)
    disagreement: Floats = 2 * sizes * spread / (sizes - 1)
    columns: list[Floats] = [sizes, sums, squares, disagreement]
    rows: Floats = np.stack([column if groups is None else _sum_by_group(column, groups) for column in columns], axis=1)
    totals = _resample_sums(rows, rounds, seed)
    n, total, square, observed = totals.T
    with np.errstate(divide="ignore", invalid="ignore"):
        sum_of_squares = square - total**2 / n
        return np.where(sum_of_squares > 1e-9 * square, 1 - (n - 1) * observed / (2 * n * sum_of_squares), np.nan)
