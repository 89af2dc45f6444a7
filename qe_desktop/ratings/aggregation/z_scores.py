"""Standardized ratings: z-scores with the mean and standard deviation of each rater (Graham et al. 2016)."""

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
"""Name of the scale of ratings that were already standardized in the file they come from."""


@dataclass(frozen=True, slots=True, eq=False)
class Standardised:
    """Standardized ratings on one scale.

    `values` are the z-scores, shape (ratings,); they are NaN for ratings on other scales, in the training round, or by
    excluded raters. `mean`, `sd` (both NaN if undefined) and `n`, the number of ratings, have shape (raters,).
    `dropped` maps each excluded rater to the reason for the exclusion. `constant` maps each rater whose z-scores were
    set to 0 to the reason.
    """

    values: Floats
    mean: Floats
    sd: Floats
    n: Ints
    dropped: Mapping[str, str]
    constant: Mapping[str, str]

    @property
    def has_z_score(self) -> NDArray[np.bool_]:
        """Whether each rating has a z-score, shape (ratings,); WMT includes only such ratings in raw averages."""
        return np.isfinite(self.values)


def standardise(scores: ScoreRatings, scale: str, constant: Constant = "drop") -> Standardised:
    """Return z-scores (x - mean) / sd, with the mean and sd (divisor n - 1) of each rater's ratings on `scale`.

    Quality-control items and references are included; the training round is not. For raters with one rating, or with
    constant ratings, z-scores are undefined: "drop" excludes these raters, as WMT does; "appraise" divides by 1, as
    Appraise does, so that their z-scores are 0. Values on the scale "z" are not changed.
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
        return tr("{rater} gave only one rating, so the standard deviation is undefined", rater=rater)
    return tr(
        "{rater} gave the value {value:g} all {n} times, so the standard deviation is 0",
        "",
        n,
        rater=rater,
        value=value,
    )
