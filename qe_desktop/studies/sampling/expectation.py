"""Analytic mode: expected p-values from means and variances of scores on shared random orders.

The t-test depends only on the means and variances of samples. Both are estimated from many orders, each cut at every
share, so that a difference of means comes from the same orders and is far more precise than from separate orders. The
mean p-value over all samples of a size then has a closed form (`t_tests.expected_p`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics.family import Floats
from qe_desktop.studies.sampling.sampling_options import SamplingOptions
from qe_desktop.studies.sampling.t_tests import expected_p


@dataclass(frozen=True, slots=True, eq=False)
class ScoreMoments:
    """Means and variances of scores in batches of `size` data sets each, shape (batches, metrics, shares)."""

    means: Floats
    variances: Floats
    size: int

    def of_all(self) -> tuple[Floats, Floats]:
        """Return mean and variance over all data sets, shape (metrics, shares)."""
        return self._without(np.zeros(self.means.shape[1:]), np.zeros(self.means.shape[1:]), 0)

    def without_each(self) -> tuple[Floats, Floats]:
        """Return mean and variance without one batch at a time, shape (batches, metrics, shares)."""
        return self._without(self.means - self._middle, self.variances, 1)

    @property
    def _middle(self) -> Floats:
        # centering preserves the precision of sums of squares
        return np.asarray(self.means.mean(axis=0))

    def _without(self, away: Floats, variances: Floats, batches: int) -> tuple[Floats, Floats]:
        """Return means and variances without `batches` (0 or 1) that have centered means `away` and these variances."""
        from_middle = self.means - self._middle
        left = len(self.means) - batches
        sums = from_middle.sum(axis=0) - away
        squares = (from_middle**2).sum(axis=0) - away**2
        within = self.variances.sum(axis=0) - variances
        mean = sums / left
        between = np.maximum(squares - left * mean**2, 0.0)
        spread = ((self.size - 1) * within + self.size * between) / (left * self.size - 1)
        return mean + self._middle, spread


def expected_p_values(moments: ScoreMoments, options: SamplingOptions) -> tuple[Floats, Floats]:
    """Return the p-value of each metric, pair and size, and its standard error, shape (metrics, pairs, sizes) both.

    The error is from a jackknife over batches of the standardized difference of two shares.
    """
    pairs: NDArray[np.int64] = np.asarray(options.pairs, np.int64)
    sizes = np.asarray(options.sizes, np.float64)
    means, variances = moments.of_all()
    one, other = variances[:, pairs[:, 0], None], variances[:, pairs[:, 1], None]
    apart = (means[:, pairs[:, 0]] - means[:, pairs[:, 1]])[..., None]
    without_means, without_variances = moments.without_each()
    distances = _distances(without_means, without_variances, pairs)
    batches = len(distances)
    deviation = np.sqrt((batches - 1) * distances.var(axis=0))[..., None] * np.sqrt(one + other)
    p, *moved = (
        expected_p(ahead, one, other, sizes, options.variances)
        for ahead in (apart, np.abs(apart) - deviation, np.abs(apart) + deviation)
    )
    return p, np.asarray(np.max([np.abs(each - p) for each in moved], axis=0))


def _distances(means: Floats, variances: Floats, pairs: NDArray[np.int64]) -> Floats:
    """Return standardized differences of pairs of shares, shape (batches, metrics, pairs); 0 if scores do not vary."""
    spread = variances[..., pairs[:, 0]] + variances[..., pairs[:, 1]]
    apart = means[..., pairs[:, 0]] - means[..., pairs[:, 1]]
    return np.asarray(apart / np.sqrt(np.where(spread > 0, spread, np.inf)))
