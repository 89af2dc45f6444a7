"""From where to where a scale goes: that of its protocol where values show which it is, else the values given; and
values that lie outside of it, as slips of the hand do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import ScoreRatings
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.rating_groups import RATED_ROLES, scale_rows

FIVE_POINT_RANGE, HUNDRED_POINT_RANGE = (1.0, 5.0), (0.0, 100.0)
"""The scales of adequacy and fluency (LDC 2002), and of direct assessment."""
MAX_GUESSED_SPAN = 10.0
"""Values up to this are not taken to be of 0..100: 0..6 (SQM), 1..7 and 0..10 are in use as well."""
MIN_COVERED_SHARE = 0.9
"""The share of a scale's values from which on a range is taken to be the one meant: others are slips of the hand."""
_RANGES = {
    "adequacy": (FIVE_POINT_RANGE, HUNDRED_POINT_RANGE),
    "fluency": (FIVE_POINT_RANGE, HUNDRED_POINT_RANGE),
    "score": (HUNDRED_POINT_RANGE,),
}
"""The ranges that a scale is known to be used with."""


@dataclass(frozen=True, slots=True)
class ScaleRange:
    """`low`..`high`; `known` says that it is a scale in use, else these are the least and the greatest value given."""

    low: float
    high: float
    known: bool = True

    def __str__(self) -> str:
        """1–5, or 0.5–6.

        >>> f"{ScaleRange(1, 5)}, {ScaleRange(-1.5, 6)}"
        '1–5, −1.5 to 6'
        """
        low, high = (f"{value:g}".replace("-", "−") for value in (self.low, self.high))
        return f"{low}–{high}" if self.low >= 0 else tr("{low} to {high}", low=low, high=high)

    def __add__(self, other: ScaleRange) -> ScaleRange:
        """The span of the sum of two scales."""
        return ScaleRange(self.low + other.low, self.high + other.high, self.known and other.known)


def scale_range(values: NDArray[np.float64], most: float = MIN_COVERED_SHARE) -> ScaleRange | None:
    """The span of a scale by all its values; None where there are none."""
    if not len(values):
        return None
    if np.mean(_within(values, FIVE_POINT_RANGE) & (values % 1 == 0)) >= most:
        return ScaleRange(*FIVE_POINT_RANGE)
    if np.mean(_within(values, HUNDRED_POINT_RANGE)) >= most and np.mean(values > MAX_GUESSED_SPAN) > 1 - most:
        return ScaleRange(*HUNDRED_POINT_RANGE)
    return ScaleRange(float(values.min()), float(values.max()), known=False)


def is_hundred_scale(low: float, high: float) -> bool:
    """Whether values from `low` to `high` are all of a scale of 0..100."""
    return low >= HUNDRED_POINT_RANGE[0] and MAX_GUESSED_SPAN < high <= HUNDRED_POINT_RANGE[1]


def _within(values: NDArray[np.float64], ends: tuple[float, float]) -> NDArray[np.bool_]:
    return np.asarray((values >= ends[0]) & (values <= ends[1]))


def scale_ranges(scores: ScoreRatings, scales: Iterable[str]) -> dict[str, ScaleRange]:
    """The span of each scale by the values that were given on it; none of those that were only standardised."""
    spans = {name: scale_range(scores.value[scale_rows(scores, name, RATED_ROLES)]) for name in scales}
    return {name: span for name, span in spans.items() if span is not None}


def out_of_range_note(scores: ScoreRatings, scale: str, told: ScaleRange | None = None) -> str:
    """In words how many ratings lie outside of the range that is `told`, or that nearly all lie in; or nothing.

    The first of the scale's ranges (1..5 and 0..100) counts that holds `MOST` of the values, those of 1..5 whole ones;
    a scale with another name, or used in another way, has none.
    """
    rows = scale_rows(scores, scale, RATED_ROLES)
    values = scores.value[rows]
    for low, high in _RANGES.get(scale, ()) if told is None else ((told.low, told.high),):
        within = (values >= low) & (values <= high) & ((low, high) == HUNDRED_POINT_RANGE or values % 1 == 0)
        if len(values) and (told is not None or within.mean() >= MIN_COVERED_SHARE):
            wrong = np.flatnonzero((values < low) | (values > high))
            if not len(wrong):
                return ""
            first = rows[wrong[0]]
            value, rater = scores.value[first], scores.raters[scores.rater[first]]
            if len(wrong) == 1:
                return tr(
                    "1 rating outside of {low:g}..{high:g}, which is {value:g} by {rater}",
                    low=low, high=high, value=value, rater=rater,
                )  # fmt: skip
            return tr(
                "{n:,} {n:rating|ratings} outside of {low:g}..{high:g}, the first is {value:g} by "
                "{rater}", "", len(wrong),
                low=low, high=high, value=value, rater=rater,
            )  # fmt: skip
    return ""
