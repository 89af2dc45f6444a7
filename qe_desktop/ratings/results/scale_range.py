"""From where to where a scale goes: that of its protocol where values show which it is, else the values given; and
values that lie outside of it, as slips of the hand do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import ScoreRatings
from qe_desktop.ratings.aggregation.units import RATED, rows_of
from qe_desktop.wording import tr

FIVE, HUNDRED = (1.0, 5.0), (0.0, 100.0)
"""The scales of adequacy and fluency (LDC 2002), and of direct assessment."""
SHORT = 10.0
"""Values up to this are not taken to be of 0..100: 0..6 (SQM), 1..7 and 0..10 are in use as well."""
MOST = 0.9
"""The share of a scale's values from which on a range is taken to be the one meant: others are slips of the hand."""
_RANGES = {"adequacy": (FIVE, HUNDRED), "fluency": (FIVE, HUNDRED), "score": (HUNDRED,)}
"""The ranges that a scale is known to be used with."""


@dataclass(frozen=True, slots=True)
class Span:
    """`low`..`high`; `known` says that it is a scale in use, else these are the least and the greatest value given."""

    low: float
    high: float
    known: bool = True

    def __str__(self) -> str:
        """1–5, or 0.5–6.

        >>> f"{Span(1, 5)}, {Span(-1.5, 6)}"
        '1–5, −1.5 to 6'
        """
        low, high = (f"{value:g}".replace("-", "−") for value in (self.low, self.high))
        return f"{low}–{high}" if self.low >= 0 else tr("{low} to {high}", low=low, high=high)

    def __add__(self, other: Span) -> Span:
        """The span of the sum of two scales."""
        return Span(self.low + other.low, self.high + other.high, self.known and other.known)


def span_of(values: NDArray[np.float64], most: float = MOST) -> Span | None:
    """The span of a scale by all its values; None where there are none."""
    if not len(values):
        return None
    if np.mean(_within(values, FIVE) & (values % 1 == 0)) >= most:
        return Span(*FIVE)
    if np.mean(_within(values, HUNDRED)) >= most and np.mean(values > SHORT) > 1 - most:
        return Span(*HUNDRED)
    return Span(float(values.min()), float(values.max()), known=False)


def is_hundred(low: float, high: float) -> bool:
    """Whether values from `low` to `high` are all of a scale of 0..100."""
    return low >= HUNDRED[0] and SHORT < high <= HUNDRED[1]


def _within(values: NDArray[np.float64], ends: tuple[float, float]) -> NDArray[np.bool_]:
    return np.asarray((values >= ends[0]) & (values <= ends[1]))


def spans_of(scores: ScoreRatings, scales: Iterable[str]) -> dict[str, Span]:
    """The span of each scale by the values that were given on it; none of those that were only standardised."""
    spans = {name: span_of(scores.value[rows_of(scores, name, RATED)]) for name in scales}
    return {name: span for name, span in spans.items() if span is not None}


def outside(scores: ScoreRatings, scale: str, told: Span | None = None) -> str:
    """In words how many ratings lie outside of the range that is `told`, or that nearly all lie in; or nothing.

    The first of the scale's ranges (1..5 and 0..100) counts that holds `MOST` of the values, those of 1..5 whole ones;
    a scale with another name, or used in another way, has none.
    """
    rows = rows_of(scores, scale, RATED)
    values = scores.value[rows]
    for low, high in _RANGES.get(scale, ()) if told is None else ((told.low, told.high),):
        within = (values >= low) & (values <= high) & ((low, high) == HUNDRED or values % 1 == 0)
        if len(values) and (told is not None or within.mean() >= MOST):
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
