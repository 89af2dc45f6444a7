"""Paired tests on differences: Student's t, and Wilcoxon's signed ranks (1945), exact for few pairs on request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.ratings.aggregation.means import SegmentMeans
from qe_desktop.wording import tr

Floats = NDArray[np.float64]
Zeros = Literal["wilcox", "pratt"]
MOST_EXACT = 50
"""Pairs up to which the exact distribution of signed ranks is computed when it is asked for."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """p that the differences lie above 0 (`greater`), below (`less`), or on either side; None where `problem` says
    in words why there is no test. `n` counts the differences given, `statistic` is t or the sum of positive ranks.
    """

    n: int
    statistic: float | None = None
    greater: float | None = None
    less: float | None = None
    two_sided: float | None = None
    problem: str = ""


def paired_t(differences: Floats) -> PairedTest:
    """Student's t on differences (pairs,); equals scipy's ttest_rel."""
    n = len(differences)
    if n < 2:
        none = tr("undefined: there is no pair, and a deviation needs two")
        one = tr("undefined: there is one pair only, and a deviation needs two")
        return PairedTest(n, problem=one if n else none)
    if np.all(differences == differences[0]):
        problem = tr(
            "undefined: all {n} differences are {value:g}, so there is no deviation", "", n, value=differences[0]
        )
        return PairedTest(n, problem=problem)
    from scipy.special import stdtr

    t = float(differences.mean() / (differences.std(ddof=1) / np.sqrt(n)))
    less, greater = float(stdtr(n - 1, t)), float(stdtr(n - 1, -t))
    return PairedTest(n, t, greater, less, min(1.0, 2 * min(less, greater)))


def signed_rank(differences: Floats, *, zeros: Zeros = "wilcox", exact: bool = False) -> PairedTest:
    """Wilcoxon's signed-rank test on differences (pairs,).

    Pairs without a difference are dropped first ("wilcox", the default of R and scipy), or ranked with the others and
    dropped then ("pratt", Pratt 1959). p is asymptotic with ties corrected and no correction for continuity (scipy's
    "asymptotic"), or, if `exact` and for up to MOST_EXACT pairs, from all ways to sign the ranks, ties or not.
    """
    n = len(differences)
    if not np.any(differences):
        none, zero = tr("undefined: there is no pair"), tr("undefined: all {n} differences are 0", "", n)
        return PairedTest(n, problem=zero if n else none)
    if zeros == "wilcox":
        differences = differences[differences != 0]
    size = np.abs(differences)
    ranks, tied = _midranks(size)
    differing = differences != 0
    positive = float(ranks[differences > 0].sum())
    if exact and differing.sum() <= MOST_EXACT:
        less, greater = _exact_tails(ranks[differing], positive)
    else:
        less, greater = _normal_tails(
            len(size), int(len(size) - differing.sum()), tied[size[tied[:, 0]] > 0, 1], positive
        )
    return PairedTest(n, positive, greater, less, min(1.0, 2 * min(less, greater)))


def paired_matrix(means: SegmentMeans, test: Literal["t", "signed-rank"], zeros: Zeros = "wilcox") -> Floats:
    """One-sided p that the row's system is better than the column's, on the segments rated for both.

    Shape (systems, systems); NaN on the diagonal and where there is no test.
    """
    systems = len(means.systems)
    out = np.full((systems, systems), np.nan)
    for left in range(systems):
        for right in range(left + 1, systems):
            one, other = means.matched(left, right)
            found = paired_t(one - other) if test == "t" else signed_rank(one - other, zeros=zeros)
            if found.greater is not None and found.less is not None:
                out[left, right], out[right, left] = found.greater, found.less
    return out


def _midranks(values: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Ranks from 1, the mean rank where values are tied; and for each group of ties one of its places and its size."""
    _, place, codes, counts = np.unique(values, return_index=True, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2
    return ranks[codes], np.stack([place, counts], axis=1)


def _normal_tails(n: int, zeros: int, ties: NDArray[np.int64], positive: float) -> tuple[float, float]:
    from scipy.special import ndtr

    mean = (n * (n + 1) - zeros * (zeros + 1)) / 4
    variance = (n * (n + 1) * (2 * n + 1) - zeros * (zeros + 1) * (2 * zeros + 1)) / 24
    sizes = ties.astype(np.float64)
    variance -= float((sizes**3 - sizes).sum()) / 48
    z = (positive - mean) / np.sqrt(variance)
    return float(ndtr(z)), float(ndtr(-z))


def _exact_tails(ranks: Floats, positive: float) -> tuple[float, float]:
    """P(W+ ≤ w) and P(W+ ≥ w) over all 2^n signs; twice a mid-rank is whole, so the sums can be counted one by one."""
    twice = np.rint(2 * ranks).astype(np.int64)
    ways = np.zeros(int(twice.sum()) + 1)
    ways[0] = 1
    for rank in twice:
        ways[rank:] = ways[rank:] + ways[: len(ways) - rank]
    place = round(2 * positive)
    total = ways.sum()
    return float(ways[: place + 1].sum() / total), float(ways[place:].sum() / total)
