"""An automatic metric beside human totals of systems: correlations, and of differences (Coughlin 2003, Lavie 2004)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.wording import tr

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class AgainstMetric:
    """Correlations of a metric with human scores over `n` systems; None where `problem` says why.

    `pearson_p` is two-sided. `differential` correlates the differences of all pairs of systems, each as the one listed
    first minus the other: it changes with the order of the systems. `differential_uncentred` takes no mean off: it does
    not change with the order, and equals `pearson`.
    """

    n: int
    pearson: float | None = None
    pearson_p: float | None = None
    spearman: float | None = None
    kendall: float | None = None
    differential: float | None = None
    differential_uncentred: float | None = None
    problem: str = ""


def against_metric(human: Floats, metric: Floats) -> AgainstMetric:
    """Compare scores (systems,) of humans and of a metric; systems without both (NaN) are left out.

    Kendall's tau is tau-b.
    """
    human, metric = np.asarray(human, np.float64), np.asarray(metric, np.float64)
    known = np.isfinite(human) & np.isfinite(metric)
    human, metric = human[known], metric[known]
    n = len(human)
    if n < 3:
        problem = tr("undefined: {n} systems have both scores, and a correlation needs three", "", n)
        return AgainstMetric(n, problem=problem)
    if np.all(human == human[0]):
        return AgainstMetric(n, problem=tr("undefined: the human scores of all {n} systems are the same", "", n))
    if np.all(metric == metric[0]):
        return AgainstMetric(n, problem=tr("undefined: the metric scores of all {n} systems are the same", "", n))
    upper = np.triu_indices(n, 1)
    one, other = ((values[:, None] - values[None, :])[upper] for values in (human, metric))
    signs = np.sign(one), np.sign(other)
    varied = not (np.all(one == one[0]) or np.all(other == other[0]))
    r = _correlation(human, metric)
    return AgainstMetric(
        n,
        r,
        _p(r, n),
        _correlation(_midranks(human), _midranks(metric)),
        _uncentred(*signs),
        _correlation(one, other) if varied else None,
        _uncentred(one, other),
    )


def _correlation(one: Floats, other: Floats) -> float:
    return _uncentred(one - one.mean(), other - other.mean())


def _uncentred(one: Floats, other: Floats) -> float:
    """Of signs of differences, this is Kendall's tau-b; of differences, Pearson's r of what they are differences of."""
    return float(np.clip(one @ other / np.sqrt((one @ one) * (other @ other)), -1, 1))


def _p(r: float, n: int) -> float:
    from scipy.special import stdtr

    if abs(r) == 1:
        return 0.0
    return float(2 * stdtr(n - 2, -abs(r) * np.sqrt((n - 2) / (1 - r * r))))


def _midranks(values: Floats) -> Floats:
    _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[codes], np.float64)
