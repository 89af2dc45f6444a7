"""The rank-sum test between all pairs of systems at once (Mann and Whitney 1947), as WMT compares segment scores.

U of a over b counts the pairs of values in which a's is greater, a tie as a half. With C (systems, values) how often
each system has each of the different values, all U at once are C times the transpose of what lies below each value, and
the ties of all pairs follow from the powers of C in the same way.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.ratings.aggregation.units import sorted_rows, value_codes

Floats = NDArray[np.float64]
CELLS = 1 << 20
"""Cells of C held at once."""


def rank_sum(group: NDArray[np.integer], values: Floats, groups: int) -> Floats:
    """The one-sided p that the row's values are greater than the column's, shape (groups, groups).

    `group` (rows,) says which of the finite values is of which group. Asymptotic, corrected for ties and for
    continuity, equal to R's wilcox.test and to scipy. NaN on the diagonal and where a group is empty; 1 where all
    values of both are the same.
    """
    from scipy.special import ndtr

    n = np.bincount(group, minlength=groups)
    u, ties = _counted(np.asarray(group, np.int64), np.asarray(values, np.float64), groups)
    one, other = n[:, None].astype(np.float64), n[None, :].astype(np.float64)
    both = one + other
    with np.errstate(divide="ignore", invalid="ignore"):
        deviation = np.sqrt(one * other / 12 * (both + 1 - ties / (both * (both - 1))))
        # the same value throughout: nothing is greater, and the continuity correction alone decides
        upper = np.where(deviation > 0, (u - one * other / 2 - 0.5) / deviation, -np.inf)
    untested = (one == 0) | (other == 0) | np.eye(groups, dtype=bool)
    return np.where(untested, np.nan, ndtr(-upper))


def mann_whitney(first: Floats, second: Floats) -> float:
    """The one-sided p that the first are greater; NaN where either is empty."""
    group = np.repeat([0, 1], [len(first), len(second)])
    return float(rank_sum(group, np.concatenate([first, second]), 2)[0, 1])


def _counted(group: NDArray[np.int64], values: Floats, groups: int) -> tuple[Floats, Floats]:
    """U of all pairs, and the sum of t³ - t over the ties of each pair's values together, both (groups, groups)."""
    different, codes = value_codes(values)
    order = sorted_rows(codes, len(different))
    group, codes = group[order], codes[order]
    u, squares, cubes = np.zeros((groups, groups)), np.zeros((groups, groups)), np.zeros(groups)
    below = np.zeros((groups, 1))
    step = max(1, CELLS // max(1, groups))
    for first in range(0, len(different), step):
        width = min(step, len(different) - first)
        begin, end = np.searchsorted(codes, [first, first + width])
        cells = group[begin:end] * width + codes[begin:end] - first
        counts = np.bincount(cells, minlength=groups * width).reshape(groups, width).astype(np.float64)
        upto = below + np.cumsum(counts, axis=1)
        u += counts @ (upto - counts / 2).T
        squared = counts**2
        squares += squared @ counts.T
        cubes += (squared * counts).sum(axis=1)
        below = upto[:, -1:]
    n = below[:, 0]
    # (a + b)³ - (a + b), summed over the values
    ties = cubes[:, None] + cubes + 3 * (squares + squares.T) - n[:, None] - n
    return u, ties
