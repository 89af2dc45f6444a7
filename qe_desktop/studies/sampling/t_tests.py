"""Unpaired t-tests of two samples of equal size: p-values of sampled scores, and expected p-values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.studies.sampling.sampling_options import SamplingOptions, Variances

MIN_VARIANCE = 1e-24
"""Variance up to which scores count as constant; rounding errors of constant scores near 1 cause such variances."""
QUADRATURE_NODES = 48


def p_from_moments(
    difference: Floats, first: Floats, second: Floats, size: int | Floats, variances: Variances
) -> Floats:
    """Return two-sided p-values of differences between the means of two samples of equal size; arrays broadcast.

    `first` and `second` are the variances of the samples, and `size` is the size of each sample. `variances` selects
    the test. The t statistics of the pooled and of Welch's test are equal; only the degrees of freedom differ. If
    neither sample varies, the p-value is 1 for equal means and 0 otherwise.
    """
    from scipy.special import stdtr

    spread = first + second
    is_constant = spread <= MIN_VARIANCE
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(difference) / np.sqrt(spread / size)
        p = 2 * stdtr(degrees_of_freedom(first, second, size, variances), -t)
    return np.asarray(np.where(is_constant, np.abs(difference) <= np.sqrt(MIN_VARIANCE), p), np.float64)


def degrees_of_freedom(first: Floats, second: Floats, size: int | Floats, variances: Variances) -> Floats:
    """Return the degrees of freedom for samples of size n: 2(n − 1) with pooled variances, else as in Welch (1947)."""
    if variances == "equal":
        return np.broadcast_to(2.0 * (np.asarray(size) - 1), np.broadcast(first, second, size).shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((np.asarray(size) - 1) * (first + second) ** 2 / (first**2 + second**2))


def p_from_samples(
    first: Floats, second: Floats, sizes: Sequence[int], pairs: Sequence[tuple[int, int]], variances: Variances
) -> Floats:
    """Return p-values for each metric, pair and size, shape (metrics, pairs, sizes).

    `first` and `second` are scores, shape (metrics, shares, sets). The sample for the first share of a pair is taken
    from `first`, and the sample for the second share from `second`. A sample of size n consists of the first n sets.
    """
    pair_array: Ints = np.asarray(pairs, np.int64)
    results = []
    for size in sizes:
        means = [scores[..., :size].mean(axis=-1) for scores in (first, second)]
        spreads = [scores[..., :size].var(axis=-1, ddof=1) for scores in (first, second)]
        differences = means[0][:, pair_array[:, 0]] - means[1][:, pair_array[:, 1]]
        results.append(
            p_from_moments(
                differences, spreads[0][:, pair_array[:, 0]], spreads[1][:, pair_array[:, 1]], size, variances
            )
        )
    return np.stack(results, axis=-1)


def expected_p(difference: Floats, first: Floats, second: Floats, size: int | Floats, variances: Variances) -> Floats:
    """Return the expected p-value of samples of a given size; arrays broadcast.

    `difference`, `first` (v₁) and `second` (v₂) are the true difference of means and the true variances; `size` is n.
    The expected p-value is the probability that an independent t statistic, computed without a true difference, is more
    extreme than the t statistic of the samples: P(|X| < r |Z|). X is normal with mean d = |difference| / √((v₁ + v₂)/n)
    and variance 1, and Z is standard normal. r² is the variance estimate of the samples divided by the variance
    estimate of the independent t statistic; it has an F distribution. Given r, the probability is
    4 T(d/√(1 + r²), r), where T is the function of Owen (1956). The means are approximately normal, because the scores
    of data sets are sums over many segments.
    """
    from scipy.special import fdtri, owens_t

    spread = first + second
    is_constant = spread <= MIN_VARIANCE
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = np.abs(difference) / np.sqrt(spread / size)
    estimated = degrees_of_freedom(first, second, size, "unequal")
    tested = degrees_of_freedom(first, second, size, variances)
    nodes, weights = np.polynomial.legendre.leggauss(QUADRATURE_NODES)
    total = np.zeros(np.shape(distance))
    for node, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
        ratio = fdtri(estimated, tested, node)
        total += weight * 4 * owens_t(distance / np.sqrt(1 + ratio), np.sqrt(ratio))
    return np.asarray(np.where(is_constant, np.abs(difference) <= np.sqrt(MIN_VARIANCE), total), np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class ScoreMoments:
    """Means and variances of scores in batches of `size` data sets each, shape (batches, metrics, shares)."""

    means: Floats
    variances: Floats
    size: int

    def overall_moments(self) -> tuple[Floats, Floats]:
        """Return the mean and the variance over all data sets, each of shape (metrics, shares)."""
        return self._leave_out(np.zeros(self.means.shape[1:]), np.zeros(self.means.shape[1:]), 0)

    def leave_one_out(self) -> tuple[Floats, Floats]:
        """Return the mean and the variance without each batch in turn, each of shape (batches, metrics, shares)."""
        return self._leave_out(self.means - self._middle, self.variances, 1)

    @property
    def _middle(self) -> Floats:
        # centring preserves the precision of sums of squares
        return np.asarray(self.means.mean(axis=0))

    def _leave_out(self, removed_means: Floats, variances: Floats, batches: int) -> tuple[Floats, Floats]:
        """Return the mean and the variance after the removal of no batch or one batch (`batches` is 0 or 1).

        `removed_means` (minus `_middle`) and `variances` are the moments of the removed batch; 0 if none is removed.
        """
        from_middle = self.means - self._middle
        left = len(self.means) - batches
        sums = from_middle.sum(axis=0) - removed_means
        squares = (from_middle**2).sum(axis=0) - removed_means**2
        within_batches = self.variances.sum(axis=0) - variances
        mean = sums / left
        between_batches = np.maximum(squares - left * mean**2, 0.0)
        spread = ((self.size - 1) * within_batches + self.size * between_batches) / (left * self.size - 1)
        return mean + self._middle, spread


def expected_p_values(moments: ScoreMoments, options: SamplingOptions) -> tuple[Floats, Floats]:
    """Return expected p-values and their standard errors, both of shape (metrics, pairs, sizes).

    The standard errors are derived from a jackknife over batches of the standardized difference between two shares.
    """
    pairs: Ints = np.asarray(options.pairs, np.int64)
    sizes = np.asarray(options.sizes, np.float64)
    means, variances = moments.overall_moments()
    first, second = variances[:, pairs[:, 0], None], variances[:, pairs[:, 1], None]
    differences = (means[:, pairs[:, 0]] - means[:, pairs[:, 1]])[..., None]
    without_means, without_variances = moments.leave_one_out()
    distances = _distances(without_means, without_variances, pairs)
    batches = len(distances)
    deviation = np.sqrt((batches - 1) * distances.var(axis=0))[..., None] * np.sqrt(first + second)
    p, *moved = (
        expected_p(shifted, first, second, sizes, options.variances)
        for shifted in (differences, np.abs(differences) - deviation, np.abs(differences) + deviation)
    )
    return p, np.asarray(np.max([np.abs(p_moved - p) for p_moved in moved], axis=0))


def _distances(means: Floats, variances: Floats, pairs: Ints) -> Floats:
    """Return the standardized difference between the mean scores at the two shares of each pair.

    The result has shape (batches, metrics, pairs). It is 0 where the scores do not vary.
    """
    spread = variances[..., pairs[:, 0]] + variances[..., pairs[:, 1]]
    differences = means[..., pairs[:, 0]] - means[..., pairs[:, 1]]
    return np.asarray(differences / np.sqrt(np.where(spread > 0, spread, np.inf)))
