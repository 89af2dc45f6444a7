"""95% confidence intervals of scores: percentile or BCa bootstrap, or Fisher's z for Pearson's r."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics import Metric
from qe_desktop.metrics.correlation import PEARSON
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
from qe_desktop.significance.randomization import FamilyRows, OnRounds, subtask

IntervalMethod = Literal["bootstrap", "fisher", "bca"]
INTERVAL_LABELS: dict[IntervalMethod, str] = {
    "bootstrap": tr("percentile bootstrap"),
    "bca": tr("BCa bootstrap"),
    "fisher": tr("Fisher's z"),
}
INTERVAL_METHODS = tuple(INTERVAL_LABELS)
DEFAULT_INTERVAL_ROUNDS = 1_000
LARGE_CORPUS_UNITS, LARGE_CORPUS_ROUNDS = 100_000, 200
"""Number of units above which resampling is slow, and the default number of resamples for such large corpora."""
MIN_INTERVAL_ROUNDS, MAX_INTERVAL_ROUNDS = 40, 10_000
"""Minimum and maximum number of resamples: fewer cannot resolve a 95% interval, and more may not fit in memory."""


def default_interval_rounds(units: int) -> int:
    """Return the default number of resamples: 200 if there are more than 100,000 units, otherwise 1,000."""
    return DEFAULT_INTERVAL_ROUNDS if units <= LARGE_CORPUS_UNITS else LARGE_CORPUS_ROUNDS


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
    return metric.family.has_independent_rows and not (method == "fisher" and metric.family is PEARSON)


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
        Localized name of `method`. If `method` is "fisher" but the metric's intervals are computed by resampling (see
        `is_resampled`), the name of the percentile bootstrap.
    """
    return INTERVAL_LABELS["bootstrap" if method == "fisher" and is_resampled(metric, method) else method]


def score_intervals(
    families: Sequence[FamilyRows],
    *,
    method: IntervalMethod = "bootstrap",
    rounds: int | None = None,
    seed: int = 1,
    on_progress: OnRounds | None = None,
) -> dict[str, Floats]:
    """Return 95% confidence intervals of scores, keyed by metric name.

    An interval is NaN if the score is undefined, if segments cannot be resampled for the metric, or if the score is a
    mean of equal values. It is also NaN if the system has fewer than two units (four segments for Fisher's z). Units
    for which no system has output are not resampled. Resamples without any unit of a system are ignored for that
    system. If at least half of the resamples are ignored, the interval is NaN.

    Parameters
    ----------
    families
        Rows and metrics.
    method
        "bootstrap" for percentile intervals; "bca" for intervals corrected for bias and skewness; or "fisher" for a
        closed form for Pearson's r, and percentile intervals for other metrics.
    rounds
        Number of resamples; None for the default (`default_interval_rounds`).
    seed
        Random seed.
    on_progress
        Progress callback, called with the number of completed resamples and the total. An exception that it raises
        stops the computation.

    Returns
    -------
    dict of str to ndarray
        Lower and upper limits by metric name, shape (systems, 2) each.
    """
    intervals: dict[str, Floats] = {}
    families_with_missing_units = [family for family in families if has_missing_scores(family)]
    resampled_families = [
        item for item in families if is_resampled(item.metrics[0], method) and not has_missing_scores(item)
    ]
    parts = len(families_with_missing_units) + bool(resampled_families)
    for index, family in enumerate(families_with_missing_units):
        intervals |= _intervals_with_missing_units(
            family, method, rounds=rounds, seed=seed, on_progress=subtask(on_progress, parts, index)
        )
    if resampled_families:
        rounds = rounds or default_interval_rounds(resampled_families[0].rows.shape[1])
        progress = subtask(on_progress, parts, len(families_with_missing_units))
        resampled = resampled_scores(resampled_families, rounds=rounds, seed=seed, on_progress=progress)
        first = 0
        for family in resampled_families:
            of_family = resampled[first : first + len(family.metrics)]
            intervals |= _family_intervals(family, of_family, method)
            first += len(family.metrics)
    for family in families:
        totals = family.rows.sum(axis=1, dtype=np.float64)
        has_enough_units = count_system_units(family) >= MIN_UNITS
        for metric in family.metrics:
            scores = metric.score(totals)
            if metric.name not in intervals:
                closed = (
                    fisher_intervals(scores, totals[:, 0])
                    if metric.family.has_independent_rows
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
        Numbers of units, shape (systems,). A unit is missing if its row contains only zeros, unless a row of zeros is a
        score in this family.
    """
    systems, units = family.rows.shape[:2]
    if not family.metrics[0].family.has_missing_rows:
        return np.full(systems, units, np.int64)
    return np.asarray(np.count_nonzero(family.rows.any(axis=-1), axis=1), np.int64)


def _family_intervals(family: FamilyRows, resampled: Floats, method: IntervalMethod) -> dict[str, Floats]:
    """Return intervals by metric name; `resampled` has the scores of resamples, shape (metrics, systems, rounds)."""
    if family.metrics[0].family.has_missing_rows:
        # a mean of equal values has no interval: that no variance was observed does not make the mean certain
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


def _intervals_with_missing_units(
    family: FamilyRows, method: IntervalMethod, *, rounds: int | None, seed: int, on_progress: OnRounds | None
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
        if on_progress is not None:
            on_progress(first + len(weights), interval_rounds)
    return _family_intervals(FamilyRows(rows, family.metrics), resampled, method)


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

    variance_denominator = np.where(segments > 3, segments - 3, np.nan)
    with np.errstate(divide="ignore"):
        # r = 1 stays 1
        centre = np.arctanh(r)
    half_width = ndtri(0.975) / np.sqrt(variance_denominator)
    return np.stack([np.tanh(centre - half_width), np.tanh(centre + half_width)], axis=-1)
