"""Means of ratings per segment and system (Lavie et al. 2004, section 3.1), and z-scores (Graham et al. 2016)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import ScoreRatings
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.rating_groups import (
    COUNTED_ROLES,
    RATED_ROLES,
    compress_keys,
    group_deviations,
    group_means,
    output_units,
    resampling_order,
    round_to_15_digits,
    scale_rows,
)
from qe_desktop.significance import bootstrap_weights
from qe_desktop.significance.randomization import OnRounds

DECIMALS = 12
"""Number of decimals to which sums of means are rounded, so that the sums 10/3 + 4 and 11/3 + 11/3 are tied."""


@dataclass(frozen=True, slots=True, eq=False)
class SegmentMeans:
    """Mean rating of each rated output (unit), sorted by system, then by segment.

    `system`, `segment` and `mean` have shape (units,); `system` is an index into `systems`, `segment` into `segments`.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    system: Ints
    segment: Ints
    mean: Floats

    def __len__(self) -> int:
        return len(self.mean)


@dataclass(frozen=True, slots=True, eq=False)
class SystemMeans:
    """Mean rating of each system (NaN without ratings) and number of its rated segments, both of shape (systems,)."""

    mean: Floats
    segments: Ints

    def order(self) -> Ints:
        """Return the indices of the systems by descending mean (stable), with systems without a mean last."""
        return np.argsort(np.where(np.isnan(self.mean), np.inf, -self.mean), kind="stable")


def segment_means(
    scores: ScoreRatings, scale: str, values: Floats | None = None, *, by_rater: bool = False
) -> SegmentMeans:
    """Return the mean rating of each system on each segment, on one scale.

    All ratings with the role SYSTEM or REPEAT count equally, as at WMT, so a rater who rated an output twice counts
    twice. With `by_rater`, the ratings of each rater are averaged first, so all raters of an output have equal weight.
    `values` (ratings,), such as z-scores, replace the ratings; NaN excludes a rating. Means are rounded to 15
    significant digits, as in WMT's tables, so that rounding errors do not break ties.
    """
    rows = scale_rows(scores, scale, COUNTED_ROLES, values)
    units = output_units(scores, rows)
    used_values = (scores.value if values is None else values)[rows]
    mean = group_means(units.unit_by_row, used_values, len(units))[0]
    if by_rater:
        raters = max(1, len(scores.raters))
        rater_units, of_row = compress_keys(units.unit_by_row * raters + scores.rater[rows], len(units) * raters)
        mean = group_means(rater_units // raters, group_means(of_row, used_values, len(rater_units))[0], len(units))[0]
    return SegmentMeans(scores.systems, scores.segments, units.system, units.segment, round_to_15_digits(mean))


def system_means(means: SegmentMeans) -> SystemMeans:
    """Return the mean over segments for each system; segments have equal weight, however many ratings they have."""
    return SystemMeans(*group_means(means.system, means.mean, len(means.systems)))


def segment_totals(adequacy: SegmentMeans, fluency: SegmentMeans) -> SegmentMeans:
    """Return the sum of mean adequacy and mean fluency of each output that is rated on both scales.

    Raises ValueError if the two scales differ in the names of systems or segments.
    """
    if (adequacy.systems, adequacy.segments) != (fluency.systems, fluency.segments):
        raise ValueError("both scales must have the same systems and segments")
    segments = max(1, len(adequacy.segments))
    _, in_adequacy, in_fluency = np.intersect1d(
        adequacy.system * segments + adequacy.segment, fluency.system * segments + fluency.segment, True,
        return_indices=True,
    )  # fmt: skip
    total = np.round(adequacy.mean[in_adequacy] + fluency.mean[in_fluency], DECIMALS)
    return SegmentMeans(
        adequacy.systems, adequacy.segments, adequacy.system[in_adequacy], adequacy.segment[in_adequacy], total
    )


MAX_DENSE_CELLS = 1 << 22
"""Number of cells (segments × systems) up to which a table is always stored as a dense array."""
MAX_SPARSE_SHARE = 0.1
"""Share of rated cells below which tables of more than `MAX_DENSE_CELLS` cells are stored as sparse arrays."""


def resampled_means(
    scales: Sequence[SegmentMeans], *, rounds: int = 1000, seed: int = 1, on_progress: OnRounds | None = None
) -> Floats:
    """Return system means on resampled segments, shape (scales, systems, rounds).

    A mean is NaN if none of the system's segments is in the resample. Sums of the means over scales are the resampled
    totals. Segments are sorted by name (`resampling_order`) before resampling, so the order of a file does not matter.
    Raises ValueError if the scales differ in the names of systems or segments. `on_progress` is called with the number
    of completed rounds and `rounds`.
    """
    systems = len(scales[0].systems)
    rated, rows, counts = _rows(scales)
    if not rated:
        return np.full((len(scales), systems, rounds), np.nan)
    sums, numbers = (np.empty((rounds, len(scales) * systems)) for _ in range(2))
    for first, weights in bootstrap_weights(rounds, seed, rated):
        last = first + len(weights)
        sums[first:last] = weights @ rows
        numbers[first:last] = rated if counts is None else weights @ counts
        if on_progress is not None:
            on_progress(last, rounds)
    means = sums / np.where(numbers > 0, numbers, np.nan)
    return np.ascontiguousarray(means.T).reshape(len(scales), systems, rounds)


def _rows(scales: Sequence[SegmentMeans]) -> tuple[int, Any, Any]:
    """Return the number of rated segments, the means of each system by segment, and a mask of the existing means.

    The array of means and the mask have shape (segments, scales × systems); missing means are 0. The mask is None if no
    mean is missing. Large arrays that are mostly empty are sparse. Raises ValueError as `resampled_means` does.
    """
    names = scales[0].segments
    systems = len(scales[0].systems)
    if any(part.systems != scales[0].systems or part.segments != names for part in scales):
        raise ValueError("all scales must have the same systems and segments")
    segments, segment_index = compress_keys(np.concatenate([part.segment for part in scales]), len(names))
    by_name = np.empty(len(segments), np.int64)
    by_name[resampling_order([names[segment] for segment in segments])] = np.arange(len(segments))
    cells = np.concatenate([part.system + number * systems for number, part in enumerate(scales)])
    means = np.concatenate([part.mean for part in scales])
    shape = (len(segments), len(scales) * systems)
    indices, cell_count = (by_name[segment_index], cells), shape[0] * shape[1]
    if cell_count > MAX_DENSE_CELLS and len(means) < cell_count * MAX_SPARSE_SHARE:
        # deferred import: fast start of the command line
        from scipy.sparse import csr_array

        return len(segments), csr_array((means, indices), shape), csr_array((np.ones(len(means)), indices), shape)
    rows, counts = np.zeros(shape), np.zeros(shape)
    rows[indices] = means
    counts[indices] = 1
    return len(segments), rows, None if len(means) == cell_count else counts


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
    # numpy converts indices of other types at each use
    rater, raters = scores.rater[rows].astype(np.intp), len(scores.raters)
    rated = scores.value[rows]
    mean, n = group_means(rater, rated, raters)
    sd = group_deviations(rater, rated, mean)
    values = np.full(len(scores), np.nan)
    if scale == Z:
        values[rows] = rated
        return Standardised(values, mean, sd, n, {}, {})
    varied = sd > 0
    z = rated - mean[rater]
    z /= np.where(varied, sd, np.nan)[rater]
    if constant == "appraise":
        z[~varied[rater]] = 0.0
    values[rows] = z
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
