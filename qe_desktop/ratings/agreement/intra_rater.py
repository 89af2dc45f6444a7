"""Intra-annotator agreement: ratings of repeated items compared with the first ratings of the same items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import ItemRole, ScoreRatings
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.rating_groups import first_occurrences, scale_rows, time_order
from qe_desktop.ratings.agreement.kappa import Agreement, cohen_kappa, krippendorff_alpha
from qe_desktop.ratings.agreement.pairwise_kappa import ROUNDING_FACTOR


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
