"""Ranges of scales, and histograms. A range is a standard range that covers most values, or the range of the values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import ScoreRatings
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.rating_groups import RATED_ROLES, scale_rows

FIVE_POINT_RANGE, HUNDRED_POINT_RANGE = (1.0, 5.0), (0.0, 100.0)
"""Ranges of the scales of adequacy and fluency (LDC 2002), and of direct assessment."""
MAX_GUESSED_SPAN = 10.0
"""Maximum value assumed for scales other than 0..100, such as 0..6 (SQM), 1..7 and 0..10."""
MIN_COVERED_SHARE = 0.9
"""Minimum share of a scale's values that an assumed range must contain; other values are outliers."""
_RANGES = {
    "adequacy": (FIVE_POINT_RANGE, HUNDRED_POINT_RANGE),
    "fluency": (FIVE_POINT_RANGE, HUNDRED_POINT_RANGE),
    "score": (HUNDRED_POINT_RANGE,),
}
"""Known ranges of each scale, in the order in which they are tried."""


@dataclass(frozen=True, slots=True)
class ScaleRange:
    """Range `low`..`high` of a scale: a standard or specified range if `known`, else the minimum and maximum value."""

    low: float
    high: float
    known: bool = True

    def __str__(self) -> str:
        """Return the range as text.

        >>> f"{ScaleRange(1, 5)}, {ScaleRange(-1.5, 6)}"
        '1–5, −1.5 to 6'
        """
        low, high = (f"{value:g}".replace("-", "−") for value in (self.low, self.high))
        return f"{low}–{high}" if self.low >= 0 else tr("{low} to {high}", low=low, high=high)

    def __add__(self, other: ScaleRange) -> ScaleRange:
        """Return the range of the sum of two scales."""
        return ScaleRange(self.low + other.low, self.high + other.high, self.known and other.known)


def scale_range(values: Floats) -> ScaleRange | None:
    """Return the standard range that covers enough of the values (`MIN_COVERED_SHARE`), else the range of the values.

    The result is None if there are no values. For the range 1..5, only integers count as covered. For the range 0..100,
    the share of values above `MAX_GUESSED_SPAN` must also be greater than 1 - `MIN_COVERED_SHARE`.
    """
    if not len(values):
        return None
    if np.mean(_is_within(values, FIVE_POINT_RANGE) & (values % 1 == 0)) >= MIN_COVERED_SHARE:
        return ScaleRange(*FIVE_POINT_RANGE)
    if (
        np.mean(_is_within(values, HUNDRED_POINT_RANGE)) >= MIN_COVERED_SHARE
        and np.mean(values > MAX_GUESSED_SPAN) > 1 - MIN_COVERED_SHARE
    ):
        return ScaleRange(*HUNDRED_POINT_RANGE)
    return ScaleRange(float(values.min()), float(values.max()), known=False)


def is_hundred_scale(low: float, high: float) -> bool:
    """Return whether the range `low`..`high` lies within 0..100, and `high` is above `MAX_GUESSED_SPAN`."""
    return low >= HUNDRED_POINT_RANGE[0] and MAX_GUESSED_SPAN < high <= HUNDRED_POINT_RANGE[1]


def _is_within(values: Floats, ends: tuple[float, float]) -> NDArray[np.bool_]:
    return np.asarray((values >= ends[0]) & (values <= ends[1]))


def scale_ranges(scores: ScoreRatings, scales: Iterable[str]) -> dict[str, ScaleRange]:
    """Return the range of each scale as determined by `scale_range`; scales without values are left out."""
    spans = {name: scale_range(scores.value[scale_rows(scores, name, RATED_ROLES)]) for name in scales}
    return {name: span for name, span in spans.items() if span is not None}


def out_of_range_note(scores: ScoreRatings, scale: str, expected: ScaleRange | None = None) -> str:
    """Return a note on ratings outside `expected` or, by default, outside the assumed range; empty if there are none.

    The assumed range is the first of the scale's known ranges (1..5, 0..100) that covers at least a share
    `MIN_COVERED_SHARE` of the values. For 1..5, only integers count as covered. If no known range covers enough values,
    no range is assumed, and the note is empty.
    """
    rows = scale_rows(scores, scale, RATED_ROLES)
    values = scores.value[rows]
    for low, high in _RANGES.get(scale, ()) if expected is None else ((expected.low, expected.high),):
        is_within = (values >= low) & (values <= high) & ((low, high) == HUNDRED_POINT_RANGE or values % 1 == 0)
        if len(values) and (expected is not None or is_within.mean() >= MIN_COVERED_SHARE):
            outliers = np.flatnonzero((values < low) | (values > high))
            if not len(outliers):
                return ""
            first = rows[outliers[0]]
            value, rater = scores.value[first], scores.raters[scores.rater[first]]
            if len(outliers) == 1:
                return tr(
                    "1 rating outside the range {low:g} to {high:g}: {value:g} by {rater}",
                    low=low, high=high, value=value, rater=rater,
                )  # fmt: skip
            return tr(
                "{n:,} {n:rating|ratings} outside the range {low:g} to {high:g}; the first is {value:g} by {rater}",
                "", len(outliers), low=low, high=high, value=value, rater=rater,
            )  # fmt: skip
    return ""


MAX_VALUE_BINS = 11
"""Maximum number of bins if each integer has its own bin; the scale 0..10 needs 11."""
HUNDRED_BIN_WIDTH = 5.0
"""Width of a bin on the scale 0..100."""
DEFAULT_BINS = 20
"""Approximate maximum number of bins on scales other than 0..100 that do not have one bin per integer."""


@dataclass(frozen=True, slots=True, eq=False)
class HistogramBins:
    """Histogram bins, delimited by `edges`, shape (bins + 1,).

    A value on an edge belongs to the bin above the edge; the last edge belongs to the last bin. If `by_value` is true,
    there is one bin per integer, and `centres` are these integers.
    """

    edges: Floats
    by_value: bool

    @property
    def centres(self) -> Floats:
        """Middle of each bin, shape (bins,)."""
        return np.asarray((self.edges[1:] + self.edges[:-1]) / 2)

    def __len__(self) -> int:
        return len(self.edges) - 1


def choose_bins(values: Floats) -> HistogramBins:
    """Return histogram bins that cover all `values`, shape (ratings,).

    Short scales of integers have one bin per integer, the scale 0..100 has bins of width 5, and other scales have up to
    about 20 bins of a round width. Without values, there is a single bin.
    """
    if not len(values):
        return HistogramBins(np.array([-0.5, 0.5]), True)
    low, high = float(values.min()), float(values.max())
    if high - low < MAX_VALUE_BINS and np.array_equal(values, np.rint(values)):
        if low >= FIVE_POINT_RANGE[0] and high <= FIVE_POINT_RANGE[1]:
            low, high = FIVE_POINT_RANGE
        return HistogramBins(np.arange(low - 0.5, high + 1), True)
    if is_hundred_scale(low, high):
        return HistogramBins(np.arange(0, 100 + HUNDRED_BIN_WIDTH, HUNDRED_BIN_WIDTH), False)
    width = _round_width((high - low or 1.0) / DEFAULT_BINS)
    first, last = np.floor(low / width), np.floor(high / width) + 1
    return HistogramBins(np.arange(first, last + 1) * width, False)


def histograms(rater: Ints, values: Floats, raters: int, bins: HistogramBins) -> Ints:
    """Return the number of values of each rater (or system) in each bin, shape (raters, bins).

    `rater` and `values` have shape (ratings,). Values outside the bins are counted in the first or last bin.
    """
    bin_index = np.searchsorted(bins.edges, values, side="right") - 1
    bin_index = np.clip(bin_index, 0, len(bins) - 1)
    return np.bincount(rater * len(bins) + bin_index, minlength=raters * len(bins)).reshape(raters, len(bins))


def _round_width(width: float) -> float:
    """Round a width up to 1, 2 or 5 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(width))
    return float(power * next(step for step in (1, 2, 5, 10) if step * power >= width * (1 - 1e-9)))
