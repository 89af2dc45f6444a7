"""Values that lie outside of their scale, as slips of the hand do."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from qe_desktop.corpus import ScoreRatings
from qe_desktop.ratings.aggregation.units import RATED, rows_of
from qe_desktop.ratings.scale_span import FIVE, HUNDRED, MOST, Span, span_of
from qe_desktop.wording import tr

_RANGES = {"adequacy": (FIVE, HUNDRED), "fluency": (FIVE, HUNDRED), "score": (HUNDRED,)}
"""The ranges that a scale is known to be used with."""


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
                "{n:,} ratings outside of {low:g}..{high:g}, the first is {value:g} by {rater}", "", len(wrong),
                low=low, high=high, value=value, rater=rater,
            )  # fmt: skip
    return ""
