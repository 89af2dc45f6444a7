"""Vectorized rank-sum tests (Mann and Whitney 1947) of all pairs of systems, as used at WMT, and paired tests.

For systems A and B, every value of A is paired with every value of B; U is the number of these pairs in which the value
of A is greater, with a tie counted as a half. Matrix C, shape (systems, values), contains the number of times that each
system has each distinct value. Matrix D, of the same shape, contains the number of the system's values that are smaller
than the distinct value, plus half the number that are equal to it. The matrix of all U is the product of C and the
transpose of D. The tie corrections of all pairs are computed in a similar way from elementwise powers of C.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.ratings.aggregation.rating_groups import encode_values, sort_order

RANK_BLOCK_CELLS = 1 << 20
"""Approximate number of cells (systems × values) per block of the matrix of counts."""


def rank_sum_tests(group: NDArray[np.integer], values: Floats, groups: int) -> Floats:
    """Return one-sided p-values of all pairs of groups, shape (groups, groups).

    The alternative hypothesis is that the values of the row's group are greater than those of the column's group.
    `values` must be finite; `group` is the group index of each value, shape (values,). P-values are asymptotic,
    corrected for ties and for continuity, as in R's `wilcox.test` with `exact=FALSE` and scipy's `mannwhitneyu` with
    `method="asymptotic"`. They are NaN on the diagonal and for empty groups, and 1 if all values of both groups are
    equal.
    """
    from scipy.special import ndtr

    n = np.bincount(group, minlength=groups)
    u, ties = _u_statistics(np.asarray(group, np.int64), np.asarray(values, np.float64), groups)
    row_n, column_n = n[:, None].astype(np.float64), n[None, :].astype(np.float64)
    total_n = row_n + column_n
    with np.errstate(divide="ignore", invalid="ignore"):
        deviation = np.sqrt(row_n * column_n / 12 * (total_n + 1 - ties / (total_n * (total_n - 1))))
        # if all values are equal, none is greater: p is 1
        upper = np.where(deviation > 0, (u - row_n * column_n / 2 - 0.5) / deviation, -np.inf)
    untested = (row_n == 0) | (column_n == 0) | np.eye(groups, dtype=bool)
    return np.where(untested, np.nan, ndtr(-upper))


def mann_whitney_test(first: Floats, second: Floats) -> float:
    """Return the one-sided p-value (alternative: `first` has greater values than `second`); NaN if either is empty."""
    group = np.repeat([0, 1], [len(first), len(second)])
    return float(rank_sum_tests(group, np.concatenate([first, second]), 2)[0, 1])


def _u_statistics(group: Ints, values: Floats, groups: int) -> tuple[Floats, Floats]:
    """Return U, and the sum of t³ - t over the sets of t tied values, for all pairs of groups.

    Both have shape (groups, groups).
    """
    distinct_values, codes = encode_values(values)
    order = sort_order(codes, len(distinct_values))
    group, codes = group[order], codes[order]
    u, squares, cubes = np.zeros((groups, groups)), np.zeros((groups, groups)), np.zeros(groups)
    counts_below = np.zeros((groups, 1))
    step = max(1, RANK_BLOCK_CELLS // max(1, groups))
    for first in range(0, len(distinct_values), step):
        width = min(step, len(distinct_values) - first)
        begin, end = np.searchsorted(codes, [first, first + width])
        cells = group[begin:end] * width + codes[begin:end] - first
        counts = np.bincount(cells, minlength=groups * width).reshape(groups, width).astype(np.float64)
        cumulative_counts = counts_below + np.cumsum(counts, axis=1)
        u += counts @ (cumulative_counts - counts / 2).T
        squared = counts**2
        squares += squared @ counts.T
        cubes += (squared * counts).sum(axis=1)
        counts_below = cumulative_counts[:, -1:]
    n = counts_below[:, 0]
    # (a + b)³ - (a + b), summed over the values
    ties = cubes[:, None] + cubes + 3 * (squares + squares.T) - n[:, None] - n
    return u, ties


MAX_EXACT_PAIRS = 50
"""Maximum number of nonzero differences for which the signed-rank test is exact."""


def paired_t_test(differences: Floats) -> float | None:
    """Return the one-sided p-value of the paired t-test (alternative: mean below 0), as in scipy's `ttest_rel`.

    The result is None if there are fewer than two differences, or if all differences are equal.
    """
    n = len(differences)
    if n < 2 or np.all(differences == differences[0]):
        return None
    from scipy.special import stdtr

    return float(stdtr(n - 1, differences.mean() / (differences.std(ddof=1) / np.sqrt(n))))


def signed_rank_test(differences: Floats) -> float | None:
    """Return the one-sided p-value of Wilcoxon's signed-rank test (alternative: differences below 0).

    Zero differences are dropped first, as by default in R and scipy; the result is None if none remain. For up to
    `MAX_EXACT_PAIRS` remaining differences, the p-value is exact, with or without ties. Otherwise, it is asymptotic,
    with a correction for ties but not for continuity, as in scipy's `wilcoxon` with `method="asymptotic"`.
    """
    differences = differences[differences != 0]
    n = len(differences)
    if not n:
        return None
    _, codes, counts = np.unique(np.abs(differences), return_inverse=True, return_counts=True)
    # mean rank for ties
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[codes]
    positive = float(ranks[differences > 0].sum())
    if n <= MAX_EXACT_PAIRS:
        return _exact_p(ranks, positive)
    from scipy.special import ndtr

    sizes = counts.astype(np.float64)
    variance = n * (n + 1) * (2 * n + 1) / 24 - float((sizes**3 - sizes).sum()) / 48
    return float(ndtr((positive - n * (n + 1) / 4) / np.sqrt(variance)))


def _exact_p(ranks: Floats, positive: float) -> float:
    """Return P(W+ ≤ `positive`) over all 2^n choices of signs of the n `ranks`; W+ is the sum of the positive ranks.

    Ranks of ties are means and thus multiples of 1/2; they are doubled, so that the sums are integers and can be
    counted.
    """
    doubled_ranks = np.rint(2 * ranks).astype(np.int64)
    sign_counts = np.zeros(int(doubled_ranks.sum()) + 1)
    sign_counts[0] = 1
    for rank in doubled_ranks:
        sign_counts[rank:] = sign_counts[rank:] + sign_counts[: len(sign_counts) - rank]
    return float(sign_counts[: round(2 * positive) + 1].sum() / sign_counts.sum())
