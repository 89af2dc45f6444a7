"""Kappa and alpha between raters, with the number of items and, for undefined values, the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.rating_groups import exact_sums
from qe_desktop.ratings.agreement.krippendorff import (
    Level,
    PairableRatings,
    compute_alpha,
    select_pairable,
    tally_values,
)
from qe_desktop.ratings.agreement.pairwise_kappa import ComparableRatings, pair_statistics

Weights = Literal["none", "linear", "quadratic"]
CONSTANT_RATINGS_NOTE = tr("undefined: all ratings are equal")
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
