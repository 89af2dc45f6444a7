"""Agreement of one metric with human scores: statistics and their intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from qe_desktop.metrics import Metric
from qe_desktop.metrics.family import Floats
from qe_desktop.studies.meta_eval.score_data import UNDEFINED
from qe_desktop.studies.meta_eval.tied_accuracy import TiedAccuracy

MIN_MATCH_DEVIATIONS = 2
"""Number of standard deviations above which a correlation is not random."""
MIN_VISIBLE_R = 0.15
"""Minimum r that a test of order must detect; if only higher ones are detectable, nothing is concluded."""


@dataclass(frozen=True, slots=True)
class SegmentMatch:
    """Correlation of metric and human segment scores within systems, to detect segments in a random order.

    `r` is Pearson's correlation of deviations from the systems' means, NaN if undefined; `deviation` is its standard
    deviation over random orders of the segments, the same order for all systems.
    """

    r: float
    deviation: float

    @property
    def is_random(self) -> bool:
        """Return whether r is compatible with a random order, given enough segments for the test."""
        return (
            MIN_MATCH_DEVIATIONS * self.deviation < MIN_VISIBLE_R
            and abs(self.r) < MIN_MATCH_DEVIATIONS * self.deviation
        )


UNKNOWN_MATCH = SegmentMatch(math.nan, math.nan)


def match_segments(metric: Floats, people: Floats) -> SegmentMatch:
    """Return the match of two arrays of shape (systems, segments), NaN for missing scores.

    With scores m and h centred by system, Σ_s Σ_i m_is h_iπ(s) over random orders π has mean 0 and variance tr(M Mᵀ H
    Hᵀ) / (n − 1).
    """
    both = ~(np.isnan(metric) | np.isnan(people))
    segments = int(both.any(axis=0).sum())
    ours, theirs = _centre_scores(metric, both), _centre_scores(people, both)
    spread = math.sqrt(float((ours**2).sum()) * float((theirs**2).sum()))
    if segments < 2 or not spread:
        return UNKNOWN_MATCH
    variance = float(np.sum((ours @ ours.T) * (theirs @ theirs.T))) / (segments - 1)
    return SegmentMatch(float((ours * theirs).sum()) / spread, math.sqrt(max(0.0, variance)) / spread)


def _centre_scores(scores: Floats, known: np.ndarray) -> Floats:
    """Scores minus their system's mean; 0 for missing and for constant ones."""
    count = np.maximum(known.sum(axis=1, keepdims=True), 1)
    kept = np.where(known, scores, 0.0)
    centred = np.where(known, kept - kept.sum(axis=1, keepdims=True) / count, 0.0)
    # rounding errors of a constant are not variance
    alike = np.abs(centred).max(axis=1, keepdims=True) <= 1e-12 * np.abs(kept).max(axis=1, keepdims=True)
    return np.where(alike, 0.0, centred)


@dataclass(frozen=True, slots=True, eq=False)
class MetricAgreement:
    """Agreement of one metric with human scores; NaN for undefined statistics.

    `scores` (systems,) are in the units of the metric, `score_intervals` (systems, 2) their 95% bootstrap intervals, if
    any; `correlations` are by name, 95% `intervals` by that of the statistic (see `agreement_intervals`);
    `differentials` is the correlation of score differences over pairs, and `ahead` (pairs,) the one-sided p that the
    first system of each is better, if tested; `pooled` has Pearson and Kendall over all segment scores, `match` is
    Pearson within systems, and `tied` is acc*eq. `counts` is the number of segments of each statistic, by the names of
    `agreement_tests.TESTED_STATISTICS`; it is empty for system-level metrics.
    """

    metric: Metric
    scores: Floats
    correlations: dict[str, float]
    pairwise_accuracy: float
    differentials: float
    intervals: dict[str, tuple[float, float]] = field(default_factory=dict)
    score_intervals: Floats | None = None
    ahead: Floats | None = None
    spa: float = UNDEFINED
    pooled: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    match: SegmentMatch = UNKNOWN_MATCH
    tied: TiedAccuracy = TiedAccuracy(UNDEFINED, UNDEFINED)  # noqa: RUF009
