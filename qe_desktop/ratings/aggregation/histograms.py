"""Histograms of values by rater or system: one bin per value on short scales, otherwise bins of equal width."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.ratings.results.scale_range import FIVE_POINT_RANGE, is_hundred_scale

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
