"""Kappa and alpha of all raters together, and Cohen's kappa of each pair of raters on shared items.

The statistics of a pair of raters are computed from sums over shared items. Observed disagreement is the mean distance
between the two ratings of an item. Expected disagreement is computed from each rater's mean and variance for squared
distances, and from the frequencies of each rater's values for other distances.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.rating_groups import compress_keys, concatenate_ranges, exact_sums, sort_order
from qe_desktop.ratings.agreement.krippendorff import (
    Level,
    PairableRatings,
    compute_alpha,
    select_pairable,
    tally_values,
)

Weights = Literal["none", "linear", "quadratic"]
CONSTANT_RATINGS_NOTE = tr("undefined: only a single value was used")
NO_PAIR_NOTE = tr("undefined: no item has ratings by two raters")


@dataclass(frozen=True, slots=True)
class Agreement:
    """Measure of agreement: 1 is perfect, 0 is chance level, below 0 is worse than chance.

    `value` is None if the measure is undefined; `problem` is then the reason. `n` is the number of items (units)
    compared. `low` and `high` are the ends of a bootstrap interval, or None without an interval. `note` is a remark on
    the computation.
    """

    value: float | None
    n: int
    problem: str = ""
    low: float | None = None
    high: float | None = None
    note: str = ""


def cohen_kappa(a: NDArray[Any], b: NDArray[Any], weights: Weights = "none") -> Agreement:
    """Return Cohen's kappa of the ratings of the same items by two raters (Cohen 1960; weighted kappa: Cohen 1968).

    `a` and `b` have shape (items,). "none" compares labels of any kind. "linear" and "quadratic" weight a disagreement
    by the distance between the two values, or by its square. Distances are differences of values, not of ranks among
    the values that occur. Items with NaN are excluded. Raises ValueError if the shapes differ, or if weighted ratings
    are not numbers.
    """
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape:
        raise ValueError("both raters need one rating, or NaN, per item")
    if a.dtype.kind in "fiub" and b.dtype.kind in "fiub":
        a, b = a.astype(np.float64), b.astype(np.float64)
        is_known = np.isfinite(a) & np.isfinite(b)
        a, b = a[is_known], b[is_known]
    elif weights != "none":
        raise ValueError("weights require numbers")
    distinct_values, codes = np.unique(np.concatenate([a, b]), return_inverse=True)
    positions = (
        distinct_values if distinct_values.dtype.kind == "f" else np.arange(len(distinct_values), dtype=np.float64)
    )
    first, second = (ComparableRatings(positions[part], part, positions) for part in np.split(codes, 2))
    statistics = pair_statistics(np.zeros(len(a), np.int64), first, second, 1)
    kappa = {"none": statistics.unweighted, "linear": statistics.linear, "quadratic": statistics.quadratic}[weights][0]
    return make_agreement(float(kappa), len(a))


def fleiss_kappa(unit: NDArray[np.integer], value: Floats) -> Agreement:
    """Return Fleiss' kappa (1971) of ratings by unit, shape (rows,); NaN and units with one rating are excluded.

    If the numbers of ratings per unit differ, the form of Gwet (2014, ch. 2) is used, which averages the agreement and
    the share of each value over units. If the numbers are equal, this form equals Fleiss' kappa.
    """
    ratings = select_pairable(unit, value)
    sizes, observed, cells, share = _unit_agreement(ratings)
    if len(ratings.distinct_values) < 2:
        return make_agreement(float("nan"), ratings.units)
    shares = exact_sums(cells, share, len(ratings.distinct_values)) / ratings.units
    expected = float((shares**2).sum())
    return make_agreement((observed - expected) / (1 - expected), ratings.units, note=_unequal_counts_note(sizes))


def randolph_kappa(unit: NDArray[np.integer], value: Floats, categories: int = 0) -> Agreement:
    """Return Randolph's free-marginal kappa (2005): chance agreement is 1 / `categories`.

    `categories` is the number of values of the scale; if the ratings have more distinct values, the number of distinct
    values is used instead. NaN and units with one rating are excluded.
    """
    ratings = select_pairable(unit, value)
    sizes, observed, _, _ = _unit_agreement(ratings)
    number = max(categories, len(ratings.distinct_values))
    if number < 2:
        return make_agreement(float("nan"), ratings.units)
    if not ratings.units:
        return Agreement(None, 0, NO_PAIR_NOTE)
    return make_agreement((observed - 1 / number) / (1 - 1 / number), ratings.units, note=_unequal_counts_note(sizes))


def krippendorff_alpha(unit: NDArray[np.integer], value: Floats, level: Level = "interval") -> Agreement:
    """Return Krippendorff's alpha of ratings.

    `unit` and `value` have shape (ratings,). A unit may have any number of ratings; NaN is a missing rating.
    """
    ratings = select_pairable(unit, value)
    return make_agreement(compute_alpha(ratings, level), ratings.units)


def make_agreement(value: float, n: int, *, note: str = "") -> Agreement:
    """Return an `Agreement` with `value`; for NaN, `Agreement.value` is None and `problem` is the reason."""
    if np.isfinite(value):
        return Agreement(value, n, note=note)
    return Agreement(None, n, CONSTANT_RATINGS_NOTE if n else NO_PAIR_NOTE)


def _unit_agreement(ratings: PairableRatings) -> tuple[Ints, float, Ints, Floats]:
    """Return the size of each unit, the mean share of agreeing pairs, and the codes and shares of each unit's values.

    The size is the number of ratings, and a share is a fraction of these. Codes and shares have shape (cells,), with
    one cell per value that occurs in a unit.
    """
    unit, code, times = tally_values(ratings)
    sizes = np.bincount(ratings.unit, minlength=ratings.units)
    count = times.astype(np.float64)
    agreeing = exact_sums(unit, count * (count - 1), ratings.units) / (sizes * (sizes - 1))
    observed = float(agreeing.mean()) if ratings.units else float("nan")
    return sizes, observed, code, count / sizes[unit]


def _unequal_counts_note(sizes: Ints) -> str:
    minimum, maximum = int(sizes.min()), int(sizes.max())
    if minimum == maximum:
        return ""
    return tr("items have {least} to {n} ratings; agreement is averaged over items", "", maximum, least=minimum)


PAIRS_PER_BATCH = 1 << 20
"""Approximate maximum number of shared items per batch, summed over the pairs of raters."""
MAX_PAIR_CELLS = 1 << 23
"""Approximate maximum number of cells (pairs of raters × categories) in a table of value frequencies."""
ROUNDING_FACTOR = 1 + 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class PairStatistics:
    """Statistics of pairs of raters, each of shape (pairs,); NaN where undefined.

    `n` is the number of shared items. `exact` and `within_one` are the shares of items with equal ratings, and of items
    with ratings at most 1 apart. `unweighted`, `linear` and `quadratic` are Cohen's kappa with these weights (Cohen
    1960, 1968). `pearson` is Pearson's correlation. All are computed from sums over shared items.
    """

    n: Ints
    exact: Floats
    within_one: Floats
    unweighted: Floats
    linear: Floats
    quadratic: Floats
    pearson: Floats


@dataclass(frozen=True, slots=True, eq=False)
class RaterPairs:
    """Pairs of raters with a shared item: indices `first` and `second`, shape (pairs,), and their `statistics`."""

    first: Ints
    second: Ints
    statistics: PairStatistics


@dataclass(frozen=True, slots=True, eq=False)
class ComparableRatings:
    """Ratings for comparison: `value` and `category`, shape (rows,).

    `category` is an index into `positions`, which are the numerical positions of the categories. Unweighted kappa
    compares categories, linear kappa compares the positions of the categories, and all other statistics compare values.
    """

    value: Floats
    category: Ints
    positions: Floats

    def take(self, rows: Ints) -> ComparableRatings:
        """Return the ratings at the row indices `rows`."""
        return ComparableRatings(self.value[rows], self.category[rows], self.positions)


def compare_rater_pairs(unit: Ints, rater: Ints, ratings: ComparableRatings, raters: int) -> RaterPairs:
    """Return the statistics of all pairs of raters that share a unit.

    `rater` contains indices below `raters`. A rater must have at most one rating per unit.
    """
    order = sort_order(unit * raters + rater, (int(unit.max(initial=0)) + 1) * raters)
    unit, rater, ratings = unit[order], rater[order], ratings.take(order)
    ends = np.searchsorted(unit, unit, side="right")
    centred = ComparableRatings(
        ratings.value - (np.median(ratings.value) if len(order) else 0.0), ratings.category, ratings.positions
    )
    firsts, seconds, parts = [], [], []
    for rows in _blocks(rater, ends, len(ratings.positions)):
        # each row is paired with later rows of its unit, which have raters with higher numbers
        partners, row = concatenate_ranges(rows + 1, ends[rows] - rows - 1)
        row = rows[row]
        pairs, pair = compress_keys(rater[row] * raters + rater[partners], raters * raters)
        firsts.append(pairs // raters)
        seconds.append(pairs % raters)
        parts.append(pair_statistics(pair, *_narrow_categories(centred.take(row), centred.take(partners)), len(pairs)))
    no_rows = np.zeros(0, np.int64)
    blocks = parts or [pair_statistics(no_rows, centred.take(no_rows), centred.take(no_rows), 0)]
    joined = {
        field.name: np.concatenate([getattr(part, field.name) for part in blocks]) for field in fields(PairStatistics)
    }
    return RaterPairs(np.concatenate([no_rows, *firsts]), np.concatenate([no_rows, *seconds]), PairStatistics(**joined))


def _blocks(rater: Ints, ends: Ints, categories: int) -> Iterator[Ints]:
    """Yield row indices in batches of about `PAIRS_PER_BATCH` shared items, or fewer if there are many categories.

    Rows are sorted by unit; `ends` is the index after the last row of each row's unit. The rows of a rater are never
    split between batches, so that no pair of raters is split.
    """
    by_rater = sort_order(rater, int(rater.max(initial=0)) + 1)
    by_rater = by_rater[ends[by_rater] - by_rater > 1]
    if not len(by_rater):
        return
    begins = np.flatnonzero(np.diff(rater[by_rater], prepend=-1))
    sizes = np.add.reduceat(ends[by_rater] - by_rater - 1, begins)
    block = np.cumsum(sizes) // max(1, min(PAIRS_PER_BATCH, MAX_PAIR_CELLS // max(1, categories)))
    yield from np.split(by_rater, begins[1:][np.diff(block) > 0])


def _narrow_categories(
    first: ComparableRatings, second: ComparableRatings
) -> tuple[ComparableRatings, ComparableRatings]:
    """Remove categories that occur in neither `first` nor `second`, if there are more than two categories per row."""
    rows, categories = len(first.value), len(first.positions)
    if categories <= 2 * rows:
        return first, second
    present, codes = compress_keys(np.concatenate([first.category, second.category]), categories)
    first_codes, second_codes = codes[:rows], codes[rows:]
    positions = first.positions[present]
    return ComparableRatings(first.value, first_codes, positions), ComparableRatings(
        second.value, second_codes, positions
    )


def pair_statistics(pair: Ints, first: ComparableRatings, second: ComparableRatings, pairs: int) -> PairStatistics:
    """Return the statistics of `pairs` pairs of raters.

    Row i of `first` and `second` has the two ratings of an item shared by the raters of pair `pair[i]`.
    """
    n = np.bincount(pair, minlength=pairs)

    def mean(values: Floats) -> Floats:
        return np.asarray(np.bincount(pair, values, pairs) / np.where(n, n, np.nan))

    a, b = first.value, second.value
    distances = np.abs(a - b)
    is_same = first.category == second.category
    mean_a, mean_b = mean(a), mean(b)
    deviations_a, deviations_b = a - mean_a[pair], b - mean_b[pair]
    variance_a, variance_b = mean(deviations_a**2), mean(deviations_b**2)
    width = max(1, len(first.positions))
    counts = [np.bincount(pair * width + side.category, minlength=pairs * width) for side in (first, second)]
    share_a, share_b = (count.reshape(pairs, width) / np.where(n, n, np.nan)[:, None] for count in counts)
    categories = _has_variation(pair, first.category, second.category, pairs)
    values = _has_variation(pair, a, b, pairs)
    linear = np.abs(first.positions[first.category] - second.positions[second.category])
    with np.errstate(divide="ignore", invalid="ignore"):
        return PairStatistics(
            n,
            mean(np.asarray(distances <= ROUNDING_FACTOR - 1, np.float64)),
            mean(np.asarray(distances <= ROUNDING_FACTOR, np.float64)),
            _kappa(mean(np.asarray(~is_same, np.float64)), 1 - (share_a * share_b).sum(axis=1), categories),
            _kappa(mean(linear), _expected_distance(share_a, share_b, first.positions), categories),
            _kappa(mean(distances**2), variance_a + variance_b + (mean_a - mean_b) ** 2, values),
            np.clip(mean(deviations_a * deviations_b) / np.sqrt(variance_a * variance_b), -1, 1),
        )


def _expected_distance(a: Floats, b: Floats, positions: Floats) -> Floats:
    """Return the expected distance of two independent values x and y: E|x - y| = ∫ F(1 - G) + G(1 - F).

    `a` and `b`, shape (pairs, categories), are the probabilities that x and y are at each of the `positions`; F and G
    are the cumulative distributions of x and y.
    """
    below_a, below_b = np.cumsum(a, axis=1)[:, :-1], np.cumsum(b, axis=1)[:, :-1]
    return np.asarray((below_a * (1 - below_b) + below_b * (1 - below_a)) @ np.diff(positions))


def _has_variation(pair: Ints, a: NDArray[Any], b: NDArray[Any], pairs: int) -> NDArray[np.bool_]:
    """Return whether the ratings of each pair vary, shape (pairs,); if they do not, the expected disagreement is 0."""
    sample_values = np.zeros(pairs, a.dtype)
    sample_values[pair] = a
    return np.asarray(np.bincount(pair[(a != sample_values[pair]) | (b != sample_values[pair])], minlength=pairs) > 0)


def _kappa(observed: Floats, expected: Floats, varied: NDArray[np.bool_]) -> Floats:
    """Return 1 - observed / expected disagreement; NaN for pairs whose ratings are all equal (not `varied`)."""
    return np.where(varied, 1 - observed / expected, np.nan)
