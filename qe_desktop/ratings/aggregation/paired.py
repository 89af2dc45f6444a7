"""Paired one-sided tests on differences: Student's t, and Wilcoxon's signed ranks (1945), exact for few pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
MOST_EXACT = 50
"""Pairs up to which the exact distribution of signed ranks is computed."""


def paired_t(differences: Floats) -> float | None:
    """p that the differences (pairs,) lie below 0; equals scipy's ttest_rel. None where they have no deviation."""
    n = len(differences)
    if n < 2 or np.all(differences == differences[0]):
        return None
    from scipy.special import stdtr

    return float(stdtr(n - 1, differences.mean() / (differences.std(ddof=1) / np.sqrt(n))))


def signed_rank(differences: Floats) -> float | None:
    """p that the differences (pairs,) lie below 0; None where none differs.

    Pairs without a difference are dropped first, the default of R and scipy. For up to MOST_EXACT pairs p is from all
    ways to sign the ranks, ties or not; else asymptotic with ties corrected and no correction for continuity (scipy's
    "asymptotic").
    """
    differences = differences[differences != 0]
    n = len(differences)
    if not n:
        return None
    _, codes, counts = np.unique(np.abs(differences), return_inverse=True, return_counts=True)
    # the mean rank where values are tied
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[codes]
    positive = float(ranks[differences > 0].sum())
    if n <= MOST_EXACT:
        return _exact(ranks, positive)
    from scipy.special import ndtr

    sizes = counts.astype(np.float64)
    variance = n * (n + 1) * (2 * n + 1) / 24 - float((sizes**3 - sizes).sum()) / 48
    return float(ndtr((positive - n * (n + 1) / 4) / np.sqrt(variance)))


def _exact(ranks: Floats, positive: float) -> float:
    """P(W+ ≤ w) over all 2^n signs; twice a mid-rank is whole, so the sums can be counted one by one."""
    twice = np.rint(2 * ranks).astype(np.int64)
    ways = np.zeros(int(twice.sum()) + 1)
    ways[0] = 1
    for rank in twice:
        ways[rank:] = ways[rank:] + ways[: len(ways) - rank]
    return float(ways[: round(2 * positive) + 1].sum() / ways.sum())
