"""Agreement of one metric with human scores: statistics and their intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.metrics import Metric
from qe_desktop.studies.meta_eval.score_data import UNDEFINED
from qe_desktop.studies.meta_eval.tied_accuracy import TiedAccuracy

MAX_RANDOM_DEVIATIONS = 2
"""Number of standard deviations from 0 within which r is compatible with a random order."""
MIN_CLEAR_DEVIATIONS = 4
"""Number of standard deviations from 0 beyond which r is not random; the highest r of many shifts may exceed it."""
MIN_CERTAIN_DEVIATIONS = 6
"""Number of standard deviations from 0 that even the highest r of shifts of a random order hardly ever exceeds."""
MIN_SHIFT_DEVIATIONS = 3
"""Number of standard deviations by which the r of a shift must exceed r without a shift."""
MIN_VISIBLE_R = 0.15
"""Value of r that a test for random order must be able to detect; if it cannot, nothing is concluded."""


@dataclass(frozen=True, slots=True)
class SegmentMatch:
    """Correlation of metric and human segment scores within systems, to detect wrong segment numbers.

    `r` is Pearson's correlation of deviations from the systems' means, NaN if undefined. `deviation` is its standard
    deviation over shifts of the human scores by 1 to n − 1 segments, or over random orders if that is larger. `best_r`
    is the highest r of these shifts, NaN if none is defined. `shift` is the number of segments of the shift with
    `best_r`, negative for backward shifts. The human scores of segment i + shift (circular) then belong to segment i.
    """

    r: float
    deviation: float
    best_r: float = math.nan
    shift: int = 0

    @property
    def is_random(self) -> bool:
        """Whether r is compatible with a random order; False if there are too few segments for the test."""
        return (
            MAX_RANDOM_DEVIATIONS * self.deviation < MIN_VISIBLE_R
            and abs(self.r) < MAX_RANDOM_DEVIATIONS * self.deviation
        )

    @property
    def is_shifted(self) -> bool:
        """Whether r is clearly above 0 for some shift, and clearly higher than without a shift."""
        return self.best_r > MIN_CLEAR_DEVIATIONS * self.deviation and self.best_r - self.r > (
            MIN_SHIFT_DEVIATIONS * self.deviation
        )

    @property
    def is_certain_shift(self) -> bool:
        """Whether the shift is unlikely to be due to chance; in a random order, some shift may fulfil `is_shifted`."""
        return self.is_shifted and self.best_r > MIN_CERTAIN_DEVIATIONS * self.deviation

    @property
    def is_clear(self) -> bool:
        """Whether the segments clearly match: r of either sign is far from 0, and no shift is clearly better."""
        return abs(self.r) > MIN_CLEAR_DEVIATIONS * self.deviation and not self.is_shifted


UNKNOWN_MATCH = SegmentMatch(math.nan, math.nan)


def match_segments(metric: Floats, human: Floats) -> SegmentMatch:
    """Return the match of two arrays of scores, shape (systems, segments), in which missing scores are NaN.

    With scores m and h centred by system, Σ_s Σ_i m_si h_sπ(i) over random orders π of the n segments has mean 0 and
    variance tr(M Mᵀ H Hᵀ) / (n − 1). Shifts keep the similarity of adjacent segments, such as those of a document.
    The result is `UNKNOWN_MATCH` if fewer than two segments have both scores, or if either score is constant within
    systems.
    """
    is_defined = ~(np.isnan(metric) | np.isnan(human))
    segments = int(is_defined.any(axis=0).sum())
    metric_centred, human_centred = _centre_scores(metric, is_defined), _centre_scores(human, is_defined)
    spread = math.sqrt(float((metric_centred**2).sum()) * float((human_centred**2).sum()))
    if segments < 2 or not spread:
        return UNKNOWN_MATCH
    variance = float(np.sum((metric_centred @ metric_centred.T) * (human_centred @ human_centred.T))) / (segments - 1)
    r, deviation = float((metric_centred * human_centred).sum()) / spread, math.sqrt(max(0.0, variance)) / spread
    shifted = correlate_shifted(metric, human)[1:]
    if np.isnan(shifted).all():
        return SegmentMatch(r, deviation)
    best = int(np.nanargmax(shifted))
    shift = best + 1 if 2 * (best + 1) <= len(shifted) + 1 else best - len(shifted)
    return SegmentMatch(r, max(deviation, math.sqrt(np.nanmean(shifted**2))), float(shifted[best]), shift)


def correlate_shifted(metric: Floats, people: Floats) -> Floats:
    """Return r within systems for each circular shift of the human scores, shape (segments,).

    Shift k pairs metric segment i with human segment i + k. Scores have shape (systems, segments), NaN if missing. r is
    NaN if either score is constant, and for shifts with fewer than half as many pairs of scores as shift 0.
    """
    is_scored, rated = ~np.isnan(metric), ~np.isnan(people)
    metric_centred, human_centred = _centre_scores(metric, is_scored), _centre_scores(people, rated)
    metric_spectra = [
        np.fft.rfft(values, axis=1).conj()
        for values in (is_scored.astype(np.float64), metric_centred, metric_centred**2)
    ]
    human_spectra = [
        np.fft.rfft(values, axis=1) for values in (rated.astype(np.float64), human_centred, human_centred**2)
    ]

    def sums(metric_index: int, human: int) -> Floats:
        return np.asarray(np.fft.irfft(metric_spectra[metric_index] * human_spectra[human], metric.shape[1], axis=1))

    pairs = np.rint(sums(0, 0))
    count = np.maximum(pairs, 1)
    metric_sums, human_sums = sums(1, 0), sums(0, 1)
    product = (sums(1, 1) - metric_sums * human_sums / count).sum(axis=0)
    spreads = np.stack([sums(2, 0) - metric_sums**2 / count, sums(0, 2) - human_sums**2 / count]).sum(axis=1)
    # rounding errors of constants are not variance
    varied = (spreads > 1e-9 * spreads.max(axis=1, keepdims=True, initial=0)).all(axis=0)
    usable = varied & (2 * pairs.sum(axis=0) >= pairs[:, 0].sum())
    return np.where(usable, product / np.sqrt(np.where(usable, spreads[0] * spreads[1], 1.0)), np.nan)


def _centre_scores(scores: Floats, is_known: np.ndarray) -> Floats:
    """Return scores minus their system's mean; 0 for missing scores and for systems with constant scores."""
    count = np.maximum(is_known.sum(axis=1, keepdims=True), 1)
    filled = np.where(is_known, scores, 0.0)
    centred = np.where(is_known, filled - filled.sum(axis=1, keepdims=True) / count, 0.0)
    # rounding errors of a constant are not variance
    is_constant = np.abs(centred).max(axis=1, keepdims=True) <= 1e-12 * np.abs(filled).max(axis=1, keepdims=True)
    return np.where(is_constant, 0.0, centred)


@dataclass(frozen=True, slots=True, eq=False)
class MetricAgreement:
    """Agreement of one metric with human scores; NaN for undefined statistics.

    `scores` (systems,) are in the units of the metric, `score_intervals` (systems, 2) their 95% bootstrap intervals, if
    any. `correlations` and 95% `intervals` are keyed by the name of the statistic (see `agreement_intervals`).
    `differentials` is the correlation of score differences over pairs. `pair_p_values` (pairs,) has one-sided p-values
    (alternative: the first system of the pair is better), None if untested. `pooled` has Pearson and Kendall over all
    segment scores, `match` is Pearson within systems, and `tied` is acc*eq. `counts` maps the names in
    `agreement_tests.TESTED_STATISTICS` to numbers of segments; it is empty for system-level metrics. `observations` is
    the number of translations (for acc*eq, of pairs of translations) over which a segment-level statistic is computed.
    """

    metric: Metric
    scores: Floats
    correlations: dict[str, float]
    pairwise_accuracy: float
    differentials: float
    intervals: dict[str, tuple[float, float]] = field(default_factory=dict)
    score_intervals: Floats | None = None
    pair_p_values: Floats | None = None
    spa: float = UNDEFINED
    pooled: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    observations: dict[str, int] = field(default_factory=dict)
    match: SegmentMatch = UNKNOWN_MATCH
    tied: TiedAccuracy = TiedAccuracy(UNDEFINED, UNDEFINED)  # noqa: RUF009
