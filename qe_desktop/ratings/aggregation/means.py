"""Means of ratings: of ratings per segment, of segments per system, and adequacy + fluency (Lavie et al. 2004, 3.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import ScoreRatings
from qe_desktop.ratings.aggregation.sums import fifteen_digits, group_means
from qe_desktop.ratings.aggregation.units import COUNTED, compressed, rows_of, units_of

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
DECIMALS = 12
"""Sums of means are rounded to so many places: 10/3 + 4 and 11/3 + 11/3 are one value, and a tie."""


@dataclass(frozen=True, slots=True, eq=False)
class SegmentMeans:
    """The mean rating of each output that was rated, shape (units,), sorted by system, then segment.

    `system` and `segment` are places in the tuples of names.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    system: Counts
    segment: Counts
    mean: Floats

    def __len__(self) -> int:
        return len(self.mean)


@dataclass(frozen=True, slots=True, eq=False)
class SystemMeans:
    """A mean for each system, shape (systems,), NaN where nothing was rated; and of how many segments it is."""

    mean: Floats
    segments: Counts

    def order(self) -> Counts:
        """The places of the systems, highest mean first; equal ones as they stand, those without a mean last."""
        return np.argsort(np.where(np.isnan(self.mean), np.inf, -self.mean), kind="stable")


def segment_means(
    scores: ScoreRatings, scale: str, values: Floats | None = None, *, by_rater: bool = False
) -> SegmentMeans:
    """The mean over ratings for each system and segment on one scale.

    Ratings of role SYSTEM and REPEAT count, each of them as at WMT, so that a rater who rated an output twice weighs as
    much as two; or (`by_rater`) each rater's mean, so that all who rated it weigh the same. `values` (ratings,) are
    averaged instead of the ratings' own: z, for example, NaN where a rating is to be left out. Means have 15
    significant digits, as in the tables that WMT writes and goes on from: means that differ by rounding alone are tied.
    """
    rows = rows_of(scores, scale, COUNTED, values)
    units = units_of(scores, rows)
    given = (scores.value if values is None else values)[rows]
    mean = group_means(units.of_row, given, len(units))[0]
    if by_rater:
        raters = max(1, len(scores.raters))
        own, of_row = compressed(units.of_row * raters + scores.rater[rows], len(units) * raters)
        mean = group_means(own // raters, group_means(of_row, given, len(own))[0], len(units))[0]
    return SegmentMeans(scores.systems, scores.segments, units.system, units.segment, fifteen_digits(mean))


def system_means(means: SegmentMeans) -> SystemMeans:
    """The mean over segments for each system: every segment weighs the same, however many rated it."""
    return SystemMeans(*group_means(means.system, means.mean, len(means.systems)))


def segment_totals(adequacy: SegmentMeans, fluency: SegmentMeans) -> SegmentMeans:
    """Adequacy + fluency of each output that was rated on both scales."""
    if (adequacy.systems, adequacy.segments) != (fluency.systems, fluency.segments):
        raise ValueError("both scales must be of the same ratings")
    segments = max(1, len(adequacy.segments))
    _, here, there = np.intersect1d(
        adequacy.system * segments + adequacy.segment, fluency.system * segments + fluency.segment, True,
        return_indices=True,
    )  # fmt: skip
    total = np.round(adequacy.mean[here] + fluency.mean[there], DECIMALS)
    return SegmentMeans(adequacy.systems, adequacy.segments, adequacy.system[here], adequacy.segment[here], total)
