"""Unpaired t-tests of two samples of one size: of scores that were drawn, and what p is to be expected."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics.family import Floats
from qe_desktop.studies.sampling.sampling_options import Variances

MIN_VARIANCE = 1e-24
"""Variances below this, of scores near 1, are rounding."""
QUADRATURE_NODES = 48


def p_from_moments(apart: Floats, one: Floats, other: Floats, size: int | Floats, variances: Variances) -> Floats:
    """Two-sided p of differences of means, of two variances, each of a sample of that size; arrays of one shape.

    Samples of one size have the same t with pooled variances and with Welch's; degrees of freedom differ. Where
    neither sample varies, p is 1 where the means are equal and 0 where they are not.
    """
    from scipy.special import stdtr

    spread = one + other
    still = spread <= MIN_VARIANCE
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(apart) / np.sqrt(spread / size)
        p = 2 * stdtr(degrees_of_freedom(one, other, size, variances), -t)
    return np.asarray(np.where(still, np.abs(apart) <= np.sqrt(MIN_VARIANCE), p), np.float64)


def degrees_of_freedom(one: Floats, other: Floats, size: int | Floats, variances: Variances) -> Floats:
    """Degrees of freedom: 2(n − 1) with one variance for both, else Welch's (1947)."""
    if variances == "equal":
        return np.broadcast_to(2.0 * (np.asarray(size) - 1), np.broadcast(one, other, size).shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((np.asarray(size) - 1) * (one + other) ** 2 / (one**2 + other**2))


def p_from_samples(
    first: Floats, second: Floats, sizes: Sequence[int], pairs: Sequence[tuple[int, int]], variances: Variances
) -> Floats:
    """p of each metric, pair and size, from scores of shape (metrics, shares, sets): (metrics, pairs, sizes).

    Of each pair the one share is taken from `first` and the other from `second`, the first so many sets of each.
    """
    places: NDArray[np.int64] = np.asarray(pairs, np.int64)
    found = []
    for size in sizes:
        means = [scores[..., :size].mean(axis=-1) for scores in (first, second)]
        spreads = [scores[..., :size].var(axis=-1, ddof=1) for scores in (first, second)]
        apart = means[0][:, places[:, 0]] - means[1][:, places[:, 1]]
        found.append(p_from_moments(apart, spreads[0][:, places[:, 0]], spreads[1][:, places[:, 1]], size, variances))
    return np.stack(found, axis=-1)


def expected_p(apart: Floats, one: Floats, other: Floats, size: int | Floats, variances: Variances) -> Floats:
    """The mean of p over all samples of that size, of a true difference and true variances; arrays of one shape.

    p is the chance that another t, of no difference, lies further out: P(|X| < r |Z|) with X normal around
    d = |difference| / √((v₁ + v₂)/n), Z around 0, and r² the quotient of the variance that was estimated and of that
    under the other t. Given r, that is 4 T(d/√(1 + r²), r) with Owen's (1956) T; r² has the F distribution. Scores of
    data sets are sums over many segments, so their means are as good as normal.
    """
    from scipy.special import fdtri, owens_t

    spread = one + other
    still = spread <= MIN_VARIANCE
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = np.abs(apart) / np.sqrt(spread / size)
    estimated = degrees_of_freedom(one, other, size, "unequal")
    tested = degrees_of_freedom(one, other, size, variances)
    nodes, weights = np.polynomial.legendre.leggauss(QUADRATURE_NODES)
    total = np.zeros(np.shape(distance))
    for node, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
        ratio = fdtri(estimated, tested, node)
        total += weight * 4 * owens_t(distance / np.sqrt(1 + ratio), np.sqrt(ratio))
    return np.asarray(np.where(still, np.abs(apart) <= np.sqrt(MIN_VARIANCE), total), np.float64)
