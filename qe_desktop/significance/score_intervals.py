"""95% confidence intervals of scores: percentile or BCa bootstrap, or Fisher's z for Pearson's r."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics import Metric
from qe_desktop.metrics.scores.correlation import PEARSON
from qe_desktop.significance.bootstrap import (
    MIN_UNITS,
    are_all_equal,
    bca_intervals,
    bootstrap_weights,
    jackknife_accelerations,
    percentile_intervals_ignoring_nan,
    resampled_scores,
)
from qe_desktop.significance.missing_units import has_missing_scores
from qe_desktop.significance.randomization import FamilyRows, OnRandomization, subtask

IntervalMethod = Literal["bootstrap", "fisher", "bca"]
INTERVAL_LABELS: dict[IntervalMethod, str] = {
    "bootstrap": tr("percentile bootstrap"),
    "bca": tr("BCa bootstrap"),
    "fisher": tr("Fisher's z"),
}
INTERVAL_METHODS = tuple(INTERVAL_LABELS)
DEFAULT_INTERVAL_ROUNDS = 1_000
MANY_UNITS, LARGE_CORPUS_ROUNDS = 100_000, 200
"""Number of units above which resampling is slow, and the smaller default number of resamples above it."""
MIN_INTERVAL_ROUNDS, MAX_INTERVAL_ROUNDS = 40, 10_000
"""Limits of the number of resamples: fewer cannot resolve 95%, and more would not fit in memory."""


def default_interval_rounds(units: int) -> int:
    """Return the default number of resamples for a number of units: 1,000, and 200 for more than 100,000 units."""
    return DEFAULT_INTERVAL_ROUNDS if units <= MANY_UNITS else LARGE_CORPUS_ROUNDS


def is_resampled(metric: Metric, method: IntervalMethod) -> bool:
    """Return whether a metric's intervals are computed by resampling.

    Parameters
    ----------
    metric
        Metric.
    method
        Interval method.

    Returns
    -------
    bool
        False if the intervals have a closed form or are undefined.
    """
    return metric.family.separate and not (method == "fisher" and metric.family is PEARSON)


def interval_label(metric: Metric, method: IntervalMethod) -> str:
    """Return the name of a metric's interval method.

    Parameters
    ----------
    metric
        Metric.
    method
        Interval method that the user selected.

    Returns
    -------
    str
        Localized name; the percentile bootstrap if `method` is "fisher" but the metric is resampled
        (`is_resampled`).
    """
    return INTERVAL_LABELS["bootstrap" if method == "fisher" and is_resampled(metric, method) else method]


def score_intervals(
    families: Sequence[FamilyRows],
    *,
    method: IntervalMethod = "bootstrap",
    rounds: int | None = None,
    seed: int = 1,
    watch: OnRandomization | None = None,
) -> dict[str, Floats]:
    """Return 95% intervals of the scores by metric name.

    Intervals are NaN for undefined scores, metrics whose segments cannot be resampled, and means of equal values. They
    are also NaN for systems with fewer than two units (for Fisher's z, four segments). Units without output of any
    system are not resampled. Resamples without any unit of a system are ignored for that system; its intervals are NaN
    if at least half of the resamples are ignored.

    Parameters
    ----------
    families
        Rows and metrics.
    method
        "bootstrap"; "bca", corrected for bias and skewness; or "fisher", a closed form for Pearson's r
        (other metrics: bootstrap).
    rounds
        Number of resamples; None for the default (`default_interval_rounds`).
    seed
        Random seed.
    watch
        Progress callback (resamples done, all resamples), which may raise an exception to stop.

    Returns
    -------
    dict of str to ndarray
        Lower and upper limits by metric name, shape (systems, 2) each.
    """
    intervals: dict[str, Floats] = {}
    holes = [family for family in families if has_missing_scores(family)]
    resampled_families = [
        item for item in families if is_resampled(item.metrics[0], method) and not has_missing_scores(item)
    ]
    parts = len(holes) + bool(resampled_families)
    for index, family in enumerate(holes):
        intervals |= _with_holes(family, method, rounds=rounds, seed=seed, watch=subtask(watch, parts, index))
    if resampled_families:
        rounds = rounds or default_interval_rounds(resampled_families[0].rows.shape[1])
        progress = subtask(watch, parts, len(holes))
        resampled = resampled_scores(resampled_families, rounds=rounds, seed=seed, watch=progress)
        first = 0
        for family in resampled_families:
            of_family = resampled[first : first + len(family.metrics)]
            intervals |= _ends(family, of_family, method)
            first += len(family.metrics)
    for family in families:
        totals = family.rows.sum(axis=1, dtype=np.float64)
        has_enough_units = count_system_units(family) >= MIN_UNITS
        for metric in family.metrics:
            scores = metric.score(totals)
            if metric.name not in intervals:
                closed = (
                    fisher_intervals(scores, totals[:, 0])
                    if metric.family.separate
                    else np.full((len(scores), 2), np.nan)
                )
                intervals[metric.name] = closed
            is_defined = (has_enough_units & ~np.isnan(scores))[:, None]
            intervals[metric.name] = np.where(is_defined, intervals[metric.name], np.nan)
    return intervals


def count_system_units(family: FamilyRows) -> Ints:
    """Return the number of units in which each system has output.

    Parameters
    ----------
    family
        Rows and metrics of one family.

    Returns
    -------
    ndarray
        Numbers of units, shape (systems,). A missing unit is 0 in all columns; in families in which a row of zeros is a
        score, no unit is missing.
    """
    systems, units = family.rows.shape[:2]
    if not family.metrics[0].family.partial:
        return np.full(systems, units, np.int64)
    return np.asarray(np.count_nonzero(family.rows.any(axis=-1), axis=1), np.int64)


def _ends(family: FamilyRows, resampled: Floats, method: IntervalMethod) -> dict[str, Floats]:
    """Intervals by metric name from the resampled scores of a family, shape (metrics, systems, rounds)."""
    if family.metrics[0].family.partial:
        # means of equal values: no variance was observed, which is not certainty
        resampled = np.where(are_all_equal(resampled)[..., None], np.nan, resampled)
    if method != "bca":
        return dict(
            zip((metric.name for metric in family.metrics), percentile_intervals_ignoring_nan(resampled), strict=True)
        )
    totals = family.rows.sum(axis=1, dtype=np.float64)
    return {
        metric.name: bca_intervals(scores, metric.finite_scores(totals), jackknife_accelerations(metric, family.rows))
        for metric, scores in zip(family.metrics, resampled, strict=True)
    }


def _with_holes(
    family: FamilyRows, method: IntervalMethod, *, rounds: int | None, seed: int, watch: OnRandomization | None
) -> dict[str, Floats]:
    rows = np.asarray(family.rows, np.float64)
    # units without any output are not resampled
    rows = rows[:, rows.any(axis=(0, 2))]
    units = rows.shape[1]
    interval_rounds = rounds or default_interval_rounds(units)
    resampled = np.full((len(family.metrics), len(rows), interval_rounds), np.nan)
    for first, weights in bootstrap_weights(interval_rounds, seed, units) if units else ():
        totals = weights @ rows
        for index, metric in enumerate(family.metrics):
            resampled[index, :, first : first + len(weights)] = metric.score(totals)
        if watch is not None:
            watch(first + len(weights), interval_rounds)
    return _ends(FamilyRows(rows, family.metrics), resampled, method)


def fisher_intervals(r: Floats, segments: Floats) -> Floats:
    """Return 95% intervals of Pearson correlations by Fisher's z.

    Parameters
    ----------
    r
        Correlations, −1 to 1, shape (systems,).
    segments
        Number of segments n of each correlation, shape (systems,).

    Returns
    -------
    ndarray
        Lower and upper limits, shape (systems, 2); NaN for fewer than 4 segments.

    Notes
    -----
    The limits are tanh(artanh(r) ± 1.96 / √(n − 3)): artanh(r) is approximately normal with standard deviation 1 / √(n
    − 3).

    References
    ----------
    Fisher 1921
    """
    from scipy.special import ndtri

    free = np.where(segments > 3, segments - 3, np.nan)
    with np.errstate(divide="ignore"):
        # r = 1 stays 1
        middle = np.arctanh(r)
    reach = ndtri(0.975) / np.sqrt(free)
    return np.stack([np.tanh(middle - reach), np.tanh(middle + reach)], axis=-1)
