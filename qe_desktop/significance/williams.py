"""Williams test of whether one of two systems correlates better with the gold (Williams 1959; Graham 2015)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from qe_desktop.corpus import QeError
from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.correlation import CORRELATIONS, SCORE_COLUMN
from qe_desktop.significance.randomization import FamilyRows, OnRounds, PairTests

MIN_WILLIAMS_SEGMENTS = 4
"""Minimum number of segments; with n segments, the test has n − 3 degrees of freedom."""
_ROUNDING = 1e-12


def williams_p(with_gold: Floats, correlations: Floats, segments: int, *, two_tailed: bool = False) -> Floats:
    """Test, for each pair of systems, whether one of them correlates better with the gold.

    Parameters
    ----------
    with_gold
        Correlations with the gold, −1 to 1, shape (systems,); NaN if undefined.
    correlations
        Correlations between systems, −1 to 1, shape (systems, systems).
    segments
        Number of segments n.
    two_tailed
        Whether the p-values are two-sided.

    Returns
    -------
    ndarray
        Symmetric matrix of p-values, shape (systems, systems), with 1 on the diagonal. Two systems whose correlation
        with each other is 1 have p = 1. The p-value of a pair is NaN if one of its three correlations is undefined, or
        if the combination of the three is mathematically impossible.

    Raises
    ------
    QeError
        For fewer than 4 segments.

    Notes
    -----
    t(n−3) = (r_a − r_b) √((n−1)(1+r_ab)) / √(2K(n−1)/(n−3) + ((r_a+r_b)²/4)(1−r_ab)³) with K = 1 − r_ab² − r_a² − r_b²
    + 2 r_ab r_a r_b.

    As in Graham's script, the one-sided test is whether the system with the higher correlation is better. Since the
    data determine which system that is, p ≤ alpha for a share of 2·alpha of all pairs that do not differ.

    References
    ----------
    Williams 1959; Graham 2015
    """
    from scipy.special import stdtr

    if segments < MIN_WILLIAMS_SEGMENTS:
        raise QeError(
            tr("the Williams test needs at least {n} segments", "", MIN_WILLIAMS_SEGMENTS),
            hint=tr("Add more segments."),
        )
    first, second = with_gold[:, None], with_gold[None, :]
    determinant = 1 - correlations**2 - first**2 - second**2 + 2 * correlations * first * second
    is_possible = determinant > -_ROUNDING
    determinant = np.maximum(determinant, 0.0)
    degrees_of_freedom = segments - 3
    squared_denominator = (
        2 * determinant * (segments - 1) / degrees_of_freedom + (first + second) ** 2 / 4 * (1 - correlations) ** 3
    )
    numerator = np.abs(first - second) * np.sqrt((segments - 1) * np.maximum(1 + correlations, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(numerator == 0, 0.0, numerator / np.sqrt(squared_denominator))
    tail = stdtr(degrees_of_freedom, -t)
    p = 2 * tail if two_tailed else tail
    is_identical = correlations > 1 - _ROUNDING
    p = np.where(is_identical, 1.0, np.where(is_possible, p, np.nan))
    np.fill_diagonal(p, 1.0)
    return np.asarray(p)


def williams_tests(
    families: Sequence[FamilyRows],
    observed: Floats,
    *,
    rounds: int,
    seed: int,
    on_progress: OnRounds | None,
    two_tailed: bool = False,
) -> PairTests:
    """Test all pairs of systems by correlation metrics with the Williams test.

    Parameters
    ----------
    families
        Rows of correlation metrics, one unit per segment.
    observed
        Correlations with the gold, shape (metrics, systems); 0 if undefined.
    rounds, seed, on_progress
        Not used: the p-values have a closed form.
    two_tailed
        Whether the p-values are two-sided.

    Returns
    -------
    PairTests
        P-values computed by `williams_p`; the number of rounds and the standard errors are 0.

    Raises
    ------
    QeError
        If a metric is not a Pearson or Spearman correlation, if the units are documents, or if there are fewer than
        `MIN_WILLIAMS_SEGMENTS` segments.
    """
    results: list[Floats] = []
    for family in families:
        for metric in family.metrics:
            if metric.family.name not in CORRELATIONS:
                message = tr(
                    "the Williams test compares Pearson or Spearman correlations, not {metric}", metric=metric.name
                )
                raise QeError(message, hint=tr("Use Pearson or Spearman, or another test."))
        rows = np.asarray(family.rows, np.float64)
        if not (rows[..., 0] == 1).all():
            message = tr("the Williams test uses segments as units, not documents")
            raise QeError(message, hint=tr("Use segments as resampling units, or another test."))
        scores = rows[..., SCORE_COLUMN]
        correlations = np.clip(scores @ scores.T / scores.shape[1], -1.0, 1.0)
        defined = scores.any(axis=1) & bool(rows[0, :, 1].any())
        for _ in family.metrics:
            with_gold = np.where(defined, observed[len(results)], np.nan)
            results.append(williams_p(with_gold, correlations, scores.shape[1], two_tailed=two_tailed))
    p = np.stack(results)
    return PairTests(p, np.zeros_like(p), 0, False)


two_tailed_tests = partial(williams_tests, two_tailed=True)
"""Two-sided Williams test: the usual test if the better system is not known in advance."""
