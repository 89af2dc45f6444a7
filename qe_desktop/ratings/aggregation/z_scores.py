"""Standardized ratings: z-scores by the mean and standard deviation of each rater (Graham et al. 2016)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import ScoreRatings
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.rating_groups import RATED_ROLES, group_deviations, group_means, scale_rows

Constant = Literal["drop", "appraise"]
Z = "z"
"""Scale of ratings that are already standardized in their source."""


@dataclass(frozen=True, slots=True, eq=False)
class Standardised:
    """Standardized ratings: `values` (ratings,), NaN for other scales, the training round and excluded raters.

    `mean`, `sd` (both NaN if undefined) and the number of ratings `n` have shape (raters,). `dropped` maps excluded
    raters to the reason, and `constant` maps raters whose z-scores are 0 to the reason.
    """

    values: Floats
    mean: Floats
    sd: Floats
    n: Ints
    dropped: Mapping[str, str]
    constant: Mapping[str, str]

    @property
    def has_z_score(self) -> NDArray[np.bool_]:
        """Whether each rating has a z-score, shape (ratings,); WMT averages raw ratings over these only."""
        return np.isfinite(self.values)


def standardise(scores: ScoreRatings, scale: str, constant: Constant = "drop") -> Standardised:
    """Return z = (x - mean) / sd, with the mean and sd (n - 1) of all ratings on this scale by the same rater.

    Quality-control items and references are included; the training round is not. For raters with one score, or constant
    scores, z is undefined. "drop" excludes them, as WMT does. "appraise" divides by 1, as Appraise does, so that their
    z is 0. The scale "z" is used unchanged.
    """
    rows = scale_rows(scores, scale, RATED_ROLES)
    rater, raters = scores.rater[rows], len(scores.raters)
    rated = scores.value[rows]
    mean, n = group_means(rater, rated, raters)
    sd = group_deviations(rater, rated, mean)
    values = np.full(len(scores), np.nan)
    if scale == Z:
        values[rows] = rated
        return Standardised(values, mean, sd, n, {}, {})
    varied = sd > 0
    z = (rated - mean[rater]) / np.where(varied, sd, 1.0)[rater]
    values[rows] = np.where(varied[rater], z, np.nan if constant == "drop" else 0.0)
    reasons = {
        scores.raters[index]: _reason(scores.raters[index], int(n[index]), float(mean[index]))
        for index in np.flatnonzero((n > 0) & ~varied)
    }
    return Standardised(values, mean, sd, n, *((reasons, {}) if constant == "drop" else ({}, reasons)))


def _reason(rater: str, n: int, value: float) -> str:
    if n == 1:
        return tr("{rater} has a single score and thus no standard deviation", rater=rater)
    return tr(
        "{rater} gave the value {value:g} all {n} times, so the standard deviation is 0",
        "",
        n,
        rater=rater,
        value=value,
    )
