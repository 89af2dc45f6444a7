"""Inter-annotator agreement on one scale, and intra-annotator agreement on repeated items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import ItemRole, ScoreRatings
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.rating_groups import (
    compress_keys,
    encode_values,
    first_occurrences,
    output_units,
    scale_rows,
    sort_order,
    time_order,
)
from qe_desktop.ratings.aggregation.scale_range import HUNDRED_POINT_RANGE, is_hundred_scale
from qe_desktop.ratings.agreement.kappa import (
    CONSTANT_RATINGS_NOTE,
    NO_PAIR_NOTE,
    ROUNDING_FACTOR,
    Agreement,
    ComparableRatings,
    RaterPairs,
    cohen_kappa,
    compare_rater_pairs,
    fleiss_kappa,
    krippendorff_alpha,
    make_agreement,
    randolph_kappa,
)
from qe_desktop.ratings.agreement.krippendorff import MEASUREMENT_LEVELS, Level, alpha_intervals, select_pairable

MIN_BINNED_VALUES = 20
"""Number of distinct values above which categorical measures use bins."""
VALUE_BINS = 10


@dataclass(frozen=True, slots=True, eq=False)
class FirstRatings:
    """First rating of each unit by each rater, for the units that at least two raters rated.

    `unit`, `rater` and `value` have shape (ratings,). `unit` is the index of the unit, 0..units-1, and `rater` is an
    index into `raters`. `segment` is the segment index of each unit, shape (units,).
    """

    raters: tuple[str, ...]
    units: int
    unit: Ints
    rater: Ints
    value: Floats
    segment: Ints


@dataclass(frozen=True, slots=True, eq=False)
class InterRater:
    """Agreement on one scale over all units that were rated by at least two raters; `units` is their number.

    `cohen` (keys "unweighted", "linear" and "quadratic") is the mean kappa over the `pairs` of raters, weighted by the
    number of shared units. `exact` is the share of rating pairs that are equal, and `within_one` the share that differ
    by at most 1; None if there are no pairs. `krippendorff` has the keys "nominal", "ordinal" and "interval". If `bins`
    is not 0, categorical measures (Fleiss, Randolph, nominal alpha, unweighted and linear kappa) use this number of
    bins of equal width.
    """

    scale: str
    raters: tuple[str, ...]
    units: int
    ratings: int
    exact: float | None
    within_one: float | None
    cohen: Mapping[str, Agreement]
    fleiss: Agreement
    randolph: Agreement
    krippendorff: Mapping[Level, Agreement]
    pairs: RaterPairs
    bins: int = 0


def first_ratings(scores: ScoreRatings, scale: str) -> FirstRatings:
    """Return the ratings with the role SYSTEM of outputs that were rated by at least two raters.

    If a rater has several ratings of an output, only the first one counts.
    """
    rows = time_order(scores, scale_rows(scores, scale, (ItemRole.SYSTEM,)))
    units = output_units(scores, rows)
    # rows are sorted by rater and by time, and the sort is stable
    order = sort_order(units.unit_by_row, len(units))
    rows, unit = rows[order], units.unit_by_row[order]
    rater = scores.rater[rows].astype(np.int64)
    is_first = np.ones(len(rows), bool)
    is_first[1:] = (unit[1:] != unit[:-1]) | (rater[1:] != rater[:-1])
    if not is_first.all():
        rows, unit, rater = rows[is_first], unit[is_first], rater[is_first]
    sizes = np.bincount(unit, minlength=len(units))
    is_shared = sizes > 1
    if not is_shared.all():
        keep = is_shared[unit]
        rows, rater, unit = rows[keep], rater[keep], (np.cumsum(is_shared) - 1)[unit[keep]]
    return FirstRatings(
        scores.raters, int(np.count_nonzero(is_shared)), unit, rater, scores.value[rows], units.segment[is_shared]
    )


def inter_rater_agreement(
    scores: ScoreRatings, scale: str, *, rounds: int = 0, seed: int = 1, level: float = 0.95
) -> InterRater:
    """Return all measures of agreement between raters on one scale.

    Categorical measures use bins if there are more than `MIN_BINNED_VALUES` distinct values. If `rounds` is above 0,
    Krippendorff's alpha has bootstrap intervals over segments, with the confidence level `level`. There is no interval
    for measurement levels that `alpha_intervals` leaves out, or for nominal alpha of bins.
    """
    ratings = first_ratings(scores, scale)
    positions, codes = encode_values(ratings.value)
    bins = VALUE_BINS if len(positions) > MIN_BINNED_VALUES else 0
    if bins:
        codes, positions = bin_values(ratings.value, bins), np.arange(bins, dtype=np.float64)
    category = codes.astype(np.float64)
    comparable_ratings = ComparableRatings(ratings.value, codes, positions)
    present, rater = compress_keys(ratings.rater, len(ratings.raters))
    pairs = compare_rater_pairs(ratings.unit, rater, comparable_ratings, len(present))
    intervals = alpha_intervals(
        select_pairable(ratings.unit, ratings.value), segments=ratings.segment, rounds=rounds, seed=seed, level=level
    )
    alphas = {
        measurement: krippendorff_alpha(
            ratings.unit, category if measurement == "nominal" else ratings.value, measurement
        )
        for measurement in MEASUREMENT_LEVELS
    }
    for measurement, (low, high) in intervals.items():
        if not (bins and measurement == "nominal"):
            alphas[measurement] = replace(alphas[measurement], low=low, high=high)
    return InterRater(
        scale, tuple(ratings.raters[index] for index in present), ratings.units, len(ratings.value),
        _share(pairs, pairs.statistics.exact), _share(pairs, pairs.statistics.within_one), _mean_kappas(pairs,
        ratings.units),
        fleiss_kappa(ratings.unit, category), randolph_kappa(ratings.unit, category, bins), alphas, pairs, bins,
    )  # fmt: skip


def bin_values(values: Floats, bins: int) -> Ints:
    """Return the bin index of each value, shape (values,).

    The bins divide 0..100 into equal parts if the values fit that scale; otherwise, they divide the range of the
    values.
    """
    if not len(values):
        return np.zeros(0, np.int64)
    low, high = float(values.min()), float(values.max())
    if is_hundred_scale(low, high):
        low, high = HUNDRED_POINT_RANGE
    parts = np.floor((values - low) / (high - low or 1.0) * bins).astype(np.int64)
    return np.minimum(parts, bins - 1)


def _share(pairs: RaterPairs, shares: Floats) -> float | None:
    n = pairs.statistics.n
    return float((shares * n).sum() / n.sum()) if n.sum() else None


def _mean_kappas(pairs: RaterPairs, units: int) -> dict[str, Agreement]:
    statistics = pairs.statistics
    by_weights = {"unweighted": statistics.unweighted, "linear": statistics.linear, "quadratic": statistics.quadratic}
    return {name: _mean_kappa(kappas, statistics.n, units) for name, kappas in by_weights.items()}


def _mean_kappa(kappas: Floats, n: Ints, units: int) -> Agreement:
    """Return the mean kappa over rater pairs, weighted by shared units; a note states how many pairs have no kappa."""
    defined = np.isfinite(kappas)
    excluded_count = int(len(kappas) - defined.sum())
    if not defined.any():
        constant_pairs_note = tr("undefined: each pair of raters used only a single value for shared items")
        return Agreement(
            None,
            units,
            CONSTANT_RATINGS_NOTE if len(kappas) == 1 else constant_pairs_note if excluded_count else NO_PAIR_NOTE,
        )
    note = ""
    if excluded_count:
        note = tr(
            "mean over {n} {n:pair|pairs} of raters, weighted by number of shared items; excludes {others} "
            "{others:pair|pairs} with undefined kappa (a single value for all shared items)",
            "",
            len(kappas) - excluded_count,
            others=excluded_count,
        )
    elif len(kappas) > 1:
        note = tr("mean over {n} {n:pair|pairs} of raters, weighted by number of shared items", "", len(kappas))
    return make_agreement(float(np.average(kappas[defined], weights=n[defined])), units, note=note)


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedRatings:
    """Pairs of ratings of the same output by the same rater.

    `first` is the first rating of the output; `repeated` is the rating of a repeat or of a degraded copy. Both have
    shape (pairs,), as does `rater`, the index of the rater. `unpaired_counts`, shape (raters,), is the number of
    ratings of repeats or degraded copies without a first rating of the same output.
    """

    rater: Ints
    first: Floats
    repeated: Floats
    unpaired_counts: Ints


@dataclass(frozen=True, slots=True)
class IntraRater:
    """Agreement between the first and second ratings of `n` items; undefined statistics are None.

    `mean_difference` is the mean of the second rating minus the first rating. `mean_difference`, `mean_abs_difference`
    and `rmse` are in units of the scale.
    """

    n: int
    exact: float | None
    within_one: float | None
    mean_difference: float | None
    mean_abs_difference: float | None
    rmse: float | None
    pearson: float | None
    quadratic: Agreement
    ordinal: Agreement
    interval: Agreement
    problem: str = ""


def find_repeats(scores: ScoreRatings, scale: str, role: ItemRole) -> RepeatedRatings:
    """Pair each rating of a repeat or degraded copy with the first rating of the same output by the same rater.

    `role` is REPEAT or BAD; first ratings have the role SYSTEM.
    """
    rows = time_order(scores, scale_rows(scores, scale, (ItemRole.SYSTEM,)))
    repeat_rows = time_order(scores, scale_rows(scores, scale, (role,)))
    keys, first = first_occurrences(
        _keys(scores, rows), len(scores.systems) * len(scores.segments) * len(scores.raters)
    )
    repeat_keys = _keys(scores, repeat_rows)
    index = np.minimum(np.searchsorted(keys, repeat_keys), max(0, len(keys) - 1))
    is_paired = keys[index] == repeat_keys if len(keys) else np.zeros(len(repeat_rows), bool)
    unpaired = np.bincount(scores.rater[repeat_rows[~is_paired]], minlength=len(scores.raters))
    paired = repeat_rows[is_paired]
    first_rows = rows[first[index[is_paired]]]
    return RepeatedRatings(
        scores.rater[paired].astype(np.int64), scores.value[first_rows], scores.value[paired], unpaired
    )


def scale_intra_rater(scores: ScoreRatings, scale: str) -> IntraRater:
    """Return the agreement between first and repeated ratings on one scale, pooled over all raters."""
    repeats = find_repeats(scores, scale, ItemRole.REPEAT)
    return intra_rater_agreement(repeats.first, repeats.repeated)


def intra_rater_agreement(first: Floats, repeated: Floats) -> IntraRater:
    """Return the agreement between first and repeated ratings of items, shape (items,) each."""
    n = len(first)
    unit = np.tile(np.arange(n), 2)
    all_values = np.concatenate([first, repeated])
    distances = np.abs(repeated - first)
    return IntraRater(
        n,
        _mean(distances <= ROUNDING_FACTOR - 1),
        _mean(distances <= ROUNDING_FACTOR),
        _mean(repeated - first),
        _mean(distances),
        float(np.sqrt(np.mean(distances**2))) if n else None,
        pearson_or_none(first, repeated),
        cohen_kappa(first, repeated, "quadratic"),
        krippendorff_alpha(unit, all_values, "ordinal"),
        krippendorff_alpha(unit, all_values, "interval"),
        "" if n else tr("no rater rated an item twice"),
    )


def pearson_or_none(first: Floats, second: Floats) -> float | None:
    """Return Pearson's correlation; None if there are fewer than two items, or if `first` or `second` is constant."""
    if len(first) < 2 or np.all(first == first[0]) or np.all(second == second[0]):
        return None
    return float(np.clip(np.corrcoef(first, second)[0, 1], -1, 1))


def _keys(scores: ScoreRatings, rows: Ints) -> Ints:
    unit = scores.system[rows].astype(np.int64) * len(scores.segments) + scores.segment[rows]
    return unit * len(scores.raters) + scores.rater[rows]


def _mean(values: Floats | NDArray[np.bool_]) -> float | None:
    return float(values.mean()) if len(values) else None
