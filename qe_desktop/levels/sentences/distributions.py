"""Distributions of scores: densities, histograms, and rounding to the values of the gold.

Graham (2015) shows the densities of gold and predictions (figures 2 and 3), and discrete and continuous predictions
with a discrete gold (figure 1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus.columns import Floats, Ints

DENSITY_POINTS = 512
"""Number of points of a density curve, as in R's `density`."""
DENSITY_REACH = 3.0
"""Number of bandwidths by which a density curve extends beyond the lowest and the highest value."""
MAX_DISCRETE_VALUES = 24
"""Maximum number of distinct values of a discrete scale, unless half the number of data points is lower."""
MIN_BINS, MAX_BINS = 8, 60
BAR_WIDTH_SHARE = 0.8
"""Width of a bar, as a fraction of the width of a bin or of the smallest gap between discrete values."""


@dataclass(frozen=True, slots=True, eq=False)
class DensityCurve:
    """Density curve of area 1 at evenly spaced points; `x` and `heights` have shape (points,)."""

    x: Floats
    heights: Floats
    bandwidth: float


@dataclass(frozen=True, slots=True, eq=False)
class HistogramBars:
    """Bars of a histogram, without empty bars.

    `shares` are the fractions of all values that are in each bar, shape (bars,). A bar covers the values from `low` to
    `high`, which are equal if `discrete`. `half_width` is half the width of a plotted bar. `bar_indices` is the index
    of the bar of each value, shape (values,).
    """

    low: Floats
    high: Floats
    shares: Floats
    half_width: float
    discrete: bool
    bar_indices: Ints

    @property
    def middles(self) -> Floats:
        """Return the midpoints of the bars, shape (bars,)."""
        return (self.low + self.high) / 2


def silverman_bandwidth(values: Floats) -> float:
    """Return Silverman's bandwidth as R's `bw.nrd0` does: 0.9 · min(sd, IQR / 1.34) · n^(−1/5); 0 if constant."""
    if len(values) < 2 or values.min() == values.max():
        return 0.0
    low, high = np.percentile(values, [25, 75])
    spread = float(values.std(ddof=1))
    return 0.9 * (min(spread, float(high - low) / 1.34) or spread) * float(len(values) ** -0.2)


def kernel_density(values: Floats) -> DensityCurve | None:
    """Return a Gaussian kernel density; None for constant values.

    Linear binning makes the run time nearly independent of the number of values.
    """
    width = silverman_bandwidth(values)
    if not width:
        return None
    points = np.linspace(values.min() - DENSITY_REACH * width, values.max() + DENSITY_REACH * width, DENSITY_POINTS)
    step = points[1] - points[0]
    positions = (values - points[0]) / step
    below = np.minimum(positions.astype(np.int64), DENSITY_POINTS - 2)
    above = positions - below
    weights = np.bincount(below, 1 - above, DENSITY_POINTS) + np.bincount(below + 1, above, DENSITY_POINTS)
    distances = (np.arange(1 - DENSITY_POINTS, DENSITY_POINTS) * step) / width
    kernel = np.exp(-(distances**2) / 2) / (width * np.sqrt(2 * np.pi))
    heights = np.convolve(weights, kernel)[DENSITY_POINTS - 1 : 2 * DENSITY_POINTS - 1] / len(values)
    return DensityCurve(points, heights, width)


def detect_scale(values: Floats) -> Floats | None:
    """Return the distinct values in ascending order if there are few enough for a discrete scale; else None."""
    different = np.unique(values)
    return different if len(different) <= min(MAX_DISCRETE_VALUES, max(1, len(values) // 2)) else None


def choose_bin_count(values: Floats, low: float, high: float) -> int:
    """Return the number of bins from `low` to `high` (Freedman and Diaconis), from `MIN_BINS` to `MAX_BINS`."""
    lower, upper = np.quantile(values, [0.25, 0.75])
    width = 2 * (upper - lower) / np.cbrt(len(values))
    # no edges are computed: a single outlier could need more of them than fit into memory
    count = np.ceil((high / width) - (low / width)) if width > 0 else 1.0
    return int(np.clip(np.nan_to_num(count, nan=1.0), MIN_BINS, MAX_BINS))


def histogram_bars(values: Floats, low: float, high: float, bins: int) -> HistogramBars:
    """Return one bar per distinct value if the values are discrete, else one per bin.

    There are `bins` bins from `low` to `high`. No value may be outside this range.
    """
    scale = detect_scale(values)
    if scale is not None:
        bar_of = np.searchsorted(scale, values)
        gap = float(np.diff(scale).min()) if len(scale) > 1 else (high - low) / 10
        half = BAR_WIDTH_SHARE / 2 * (min(gap, (high - low) / 10) or 1.0)
        return _count_bars(bar_of, scale, scale, half, discrete=True)
    edges = np.linspace(low, high, bins + 1)
    bar_of = np.clip(np.searchsorted(edges, values, "right") - 1, 0, len(edges) - 2)
    return _count_bars(bar_of, edges[:-1], edges[1:], BAR_WIDTH_SHARE / 2 * float(edges[1] - edges[0]), discrete=False)


def _count_bars(bar_of: Ints, low: Floats, high: Floats, half: float, *, discrete: bool) -> HistogramBars:
    counts = np.bincount(bar_of, minlength=len(low))
    is_filled = counts > 0
    bar_index = np.cumsum(is_filled) - 1
    return HistogramBars(
        low[is_filled], high[is_filled], counts[is_filled] / len(bar_of), half, discrete, bar_index[bar_of]
    )


def farthest_in_bars(bar_of: Ints, errors: Floats) -> Ints:
    """Return the index of the value with the largest error in each bar, shape (bars,); the first in a tie.

    `bar_of` is the bar index of each value. No bar may be empty.
    """
    order = np.lexsort((-np.arange(len(errors)), errors, bar_of))
    last = np.flatnonzero(np.diff(bar_of[order], append=-1))
    return np.asarray(order[last])


def round_to_scale(values: Floats, scale: Floats) -> Floats:
    """Round each value to the nearest value of an ascending scale; in a tie, to the lower one."""
    return np.asarray(scale[np.searchsorted((scale[:-1] + scale[1:]) / 2, values)])
