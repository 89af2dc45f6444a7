"""Standardised ratings: z of each rating by the mean and standard deviation of its rater (Graham et al. 2016)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import ScoreRatings
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.rating_groups import RATED_ROLES, group_deviations, group_means, scale_rows

Floats = NDArray[np.float64]
Constant = Literal["drop", "appraise"]
Z = "z"
"""The scale of ratings that their source has standardised already."""


@dataclass(frozen=True, slots=True, eq=False)
class Standardised:
    """`values` (ratings,): z of each rating, NaN for those of other scales, of the training round and of raters who
    are left out. `mean`, `sd` and `n`, shape (raters,), are what was standardised by; NaN where there is none.

    `dropped` says of raters, each in a sentence, why they are left out, `constant` why the z of others is 0.
    """

    values: Floats
    mean: Floats
    sd: Floats
    n: NDArray[np.int64]
    dropped: Mapping[str, str]
    constant: Mapping[str, str]

    @property
    def kept(self) -> NDArray[np.bool_]:
        """The ratings that have a z, shape (ratings,): raw means of the same ratings are what WMT prints beside z."""
        return np.isfinite(self.values)


def standardise(scores: ScoreRatings, scale: str, constant: Constant = "drop") -> Standardised:
    """z = (x - mean of the rater) / sd of the rater, with n - 1, over all that the rater rated on this scale.

    Control items and references are among them, the training round is not. A rater with one score, or the same score
    every time, has no z: "drop" leaves such raters out, as WMT does; "appraise" divides by 1, so that their z is 0, as
    Appraise does. The scale "z" is used as it is.
    """
    rows = scale_rows(scores, scale, RATED_ROLES)
    rater, raters = scores.rater[rows], len(scores.raters)
    given = scores.value[rows]
    mean, n = group_means(rater, given, raters)
    sd = group_deviations(rater, given, mean)
    values = np.full(len(scores), np.nan)
    if scale == Z:
        values[rows] = given
        return Standardised(values, mean, sd, n, {}, {})
    varied = sd > 0
    z = (given - mean[rater]) / np.where(varied, sd, 1.0)[rater]
    values[rows] = np.where(varied[rater], z, np.nan if constant == "drop" else 0.0)
    reasons = {
        scores.raters[place]: _reason(scores.raters[place], int(n[place]), float(mean[place]))
        for place in np.flatnonzero((n > 0) & ~varied)
    }
    return Standardised(values, mean, sd, n, *((reasons, {}) if constant == "drop" else ({}, reasons)))


def _reason(rater: str, n: int, value: float) -> str:
    if n == 1:
        return tr("{rater} gave one score only, which has no standard deviation", rater=rater)
    return tr(
        "{rater} gave the value {value:g} all {n} times, so the standard deviation is 0",
        "",
        n,
        rater=rater,
        value=value,
    )
