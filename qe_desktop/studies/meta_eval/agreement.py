"""Agreement of one metric with human scores, and its bootstrap intervals: segments resampled, systems fixed.

Bootstrap: a segment is resampled with the human and metric scores of all systems, and all metrics use the same
resamples. Every statistic is recomputed on each resample:

- for SPA, p-values of system pairs come from the normal limit of the permutation distribution, δ / √Σ influence²;
- for acc*eq, ε is tuned again, among at most `MAX_EPSILONS` quantiles of the metric's score differences;
- Kendall's τ is linearized in the weights of the segments (Hájek projection).

An interval generalizes to other segments translated by the same systems: it covers the mean of a statistic over samples
with the same number of segments.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats
from qe_desktop.metrics import Metric
from qe_desktop.metrics.correlation import GoldNumbers, SystemNumbers, standardize
from qe_desktop.metrics.kendall import concordance_rows
from qe_desktop.significance.bootstrap import BootstrapWeights, percentile_intervals
from qe_desktop.significance.influence import segment_influence
from qe_desktop.significance.randomization import FamilyRows
from qe_desktop.studies.meta_eval.perm_both import normal_p_values
from qe_desktop.studies.meta_eval.score_data import CORRELATIONS, UNDEFINED
from qe_desktop.studies.meta_eval.system_level import (
    Orientation,
    pairwise_accuracy,
    pairwise_differences,
    system_pearson,
)
from qe_desktop.studies.meta_eval.tied_accuracy import TiedAccuracy

MAX_RANDOM_DEVIATIONS = 2
"""Number of standard deviations from 0 within which `SegmentMatch.r` is compatible with a random segment order."""
MIN_CLEAR_DEVIATIONS = 4
"""Number of standard deviations from 0 beyond which `SegmentMatch.r` is unlikely to be due to chance.

This does not apply to the highest r over many shifts, which may lie beyond this number by chance.
"""
MIN_CERTAIN_DEVIATIONS = 6
"""Number of standard deviations from 0 that `SegmentMatch.best_r` hardly ever exceeds by chance."""
MIN_SHIFT_DEVIATIONS = 3
"""Number of standard deviations by which `SegmentMatch.best_r` must exceed `SegmentMatch.r` in shifted segments."""
MIN_VISIBLE_R = 0.15
"""Value of r that a test for a random segment order must be able to distinguish from 0 to be conclusive."""


@dataclass(frozen=True, slots=True)
class SegmentMatch:
    """Correlation of metric and human segment scores within systems, to detect wrong segment numbers.

    `r` is Pearson's correlation of deviations from system means, NaN if undefined. `deviation` is the standard
    deviation of r over random segment orders, or over circular shifts of the human scores by 1 to n − 1 segments,
    whichever is larger. `best_r` is the highest r over these shifts, NaN if none is defined. `shift` is the shift with
    `best_r`, in segments, negative if it is backward; it assigns the human scores of segment i + `shift` (circular) to
    segment i.
    """

    r: float
    deviation: float
    best_r: float = math.nan
    shift: int = 0

    @property
    def is_random(self) -> bool:
        """Whether `r` is compatible with a random segment order; False if there are too few segments for the test."""
        return (
            MAX_RANDOM_DEVIATIONS * self.deviation < MIN_VISIBLE_R
            and abs(self.r) < MAX_RANDOM_DEVIATIONS * self.deviation
        )

    @property
    def is_shifted(self) -> bool:
        """Whether `best_r` is clearly above 0 and clearly above `r`."""
        return self.best_r > MIN_CLEAR_DEVIATIONS * self.deviation and self.best_r - self.r > (
            MIN_SHIFT_DEVIATIONS * self.deviation
        )

    @property
    def is_certain_shift(self) -> bool:
        """Whether `is_shifted` is True and the shift is so clear that it is unlikely to be due to chance."""
        return self.is_shifted and self.best_r > MIN_CERTAIN_DEVIATIONS * self.deviation

    @property
    def is_clear(self) -> bool:
        """Whether the segments clearly match: `r` is far from 0 in either direction, and no shift is clearly better."""
        return abs(self.r) > MIN_CLEAR_DEVIATIONS * self.deviation and not self.is_shifted


UNKNOWN_MATCH = SegmentMatch(math.nan, math.nan)


def match_segments(metric: Floats, human: Floats) -> SegmentMatch:
    """Return the `SegmentMatch` of metric and human scores, shape (systems, segments) each, NaN if missing.

    Let M and H be the metric and human scores centred by system, with elements m and h. For a random order π of the n
    segments, Σ_s Σ_i m_si h_sπ(i) has mean 0 and variance tr(M Mᵀ H Hᵀ) / (n − 1). Circular shifts are used, too,
    because unlike random orders they keep the similarity of adjacent segments. The result is `UNKNOWN_MATCH` if fewer
    than two segments have both scores, or if the metric scores or the human scores are constant within every system.
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
    """Return Pearson's r within systems for each circular shift of the human scores, shape (segments,).

    Shift k pairs metric segment i with human segment i + k. Scores have shape (systems, segments), NaN if missing. r is
    NaN if the paired metric scores or the paired human scores are constant within every system, and for shifts with
    fewer than half as many pairs of scores as shift 0.
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
    """Return each score minus the mean of its system; 0 for missing scores and for systems with constant scores."""
    count = np.maximum(is_known.sum(axis=1, keepdims=True), 1)
    filled = np.where(is_known, scores, 0.0)
    centred = np.where(is_known, filled - filled.sum(axis=1, keepdims=True) / count, 0.0)
    # rounding errors of a constant are not variance
    is_constant = np.abs(centred).max(axis=1, keepdims=True) <= 1e-12 * np.abs(filled).max(axis=1, keepdims=True)
    return np.where(is_constant, 0.0, centred)


@dataclass(frozen=True, slots=True, eq=False)
class MetricAgreement:
    """Agreement of one metric with human scores; undefined statistics are NaN.

    `scores` (systems,) are system scores in the units of the metric; `score_intervals` (systems, 2) are their 95%
    bootstrap intervals, if any. `correlations`, 95% `intervals` and `counts` are keyed by names in
    `agreement_tests.TESTED_STATISTICS`. `differentials` is the correlation of metric and human score differences over
    system pairs. `pair_p_values` (pairs,) are one-sided p-values of the metric for system pairs (alternative: the first
    system of the pair is better), None if untested. `pooled` has Pearson's r and Kendall's τ over all segment scores,
    `match` has Pearson's r within systems, and `tied` has acc*eq. `counts` are numbers of segments, empty for
    system-level metrics. `observations` maps segment-level statistics to the number of translations used, or, for
    acc*eq, of translation pairs.
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


Interval = tuple[float, float]
MAX_EPSILONS = 256
"""Maximum number of quantiles of a metric's score differences among which ε is tuned again."""
_MAX_CELLS = 1 << 20


def bootstrap_pearson(metric: Floats, human: Floats, draws: BootstrapWeights) -> Floats:
    """Return Pearson's r over all translations of each resample, shape (draws,), NaN if undefined.

    Scores have shape (systems, segments), NaN if missing.
    """
    is_defined = ~(np.isnan(metric) | np.isnan(human))
    metric_standard, human_standard = _standardize_known(metric, is_defined), _standardize_known(human, is_defined)
    columns = np.stack(
        [
            is_defined,
            metric_standard,
            metric_standard**2,
            human_standard,
            human_standard**2,
            metric_standard * human_standard,
        ],
        axis=-1,
    ).sum(axis=0)
    totals = np.concatenate([weights @ columns for _, weights in draws.weight_blocks(len(columns))])
    count, x, xx, y, yy, xy = totals.T
    spread = np.maximum(count * xx - x * x, 0) * np.maximum(count * yy - y * y, 0)
    return np.where(spread > 0, (count * xy - x * y) / np.sqrt(np.where(spread > 0, spread, 1)), np.nan)


def bootstrap_kendall(metric: Floats, human: Floats, draws: BootstrapWeights) -> Floats:
    """Return Kendall's tau-b over all translations of each resample, to first order (Hájek), shape (draws,).

    Scores have shape (systems, segments), NaN if missing. The result is NaN if undefined.
    """
    is_defined = ~(np.isnan(metric) | np.isnan(human))
    rows = np.zeros((*is_defined.shape, 3))
    rows[is_defined] = concordance_rows(SystemNumbers(metric[is_defined], GoldNumbers(human[is_defined])))
    columns = rows.sum(axis=0)
    totals = np.concatenate([weights @ columns for _, weights in draws.weight_blocks(len(columns))])
    # first-order expansion of a sum over pairs in which both segments are weighted
    gold, system, concordant = (2 * totals - columns.sum(axis=0)).T
    untied = np.maximum(gold, 0) * np.maximum(system, 0)
    return np.where(untied > 0, concordant / np.sqrt(np.where(untied > 0, untied, 1)), np.nan)


def bootstrap_tied_accuracy(metric: Floats, human: Floats, epsilon: float, draws: BootstrapWeights) -> Floats:
    """Return acc*eq of each resample, with ε tuned for that resample, shape (draws,).

    `epsilon` is the ε of the original segments, which is one of the candidates. Scores have shape (systems, segments),
    NaN if missing. The result is NaN for a resample without pairs of translations.
    """
    edges = _edges(metric, epsilon)
    segments = metric.shape[1]
    levels = np.empty((segments, len(edges)))
    scored = np.empty(segments)
    for part in _parts(segments, len(metric) * len(edges)):
        levels[part], scored[part] = _levels(metric[:, part], human[:, part], edges)
    values = []
    for _, weights in draws.weight_blocks(segments):
        count = weights @ scored
        best = (weights @ levels).max(axis=1)
        values.append(np.where(count > 0, best / np.maximum(count, 1), np.nan))
    return np.concatenate(values)


def bootstrap_p_values(family: FamilyRows, draws: BootstrapWeights) -> Floats:
    """Return one-sided p-values of system pairs by a single metric on each resample, shape (draws, pairs).

    They come from the normal limit of the permutation distribution. `family` must have exactly one metric.
    """
    rows, metric = np.asarray(family.rows, np.float64), family.metrics[0]
    first, second = np.triu_indices(len(rows), 1)
    squares = np.stack(
        [segment_influence(metric, rows[[i, j]]) ** 2 for i, j in zip(first, second, strict=True)], axis=-1
    )
    p_values = []
    for _, weights in draws.weight_blocks(rows.shape[1]):
        scores = metric.better * metric.finite_scores(np.matmul(weights, rows))
        p_values.append(normal_p_values(scores[first] - scores[second], (weights @ squares).T).T)
    return np.concatenate(p_values)


def segment_intervals(
    agreement: MetricAgreement, scores: Floats, human: Floats, draws: BootstrapWeights
) -> dict[str, Interval]:
    """Return 95% bootstrap intervals of segment-level statistics, keyed by name, from the resamples `draws`.

    Scores have shape (systems, segments), NaN if missing.
    """
    resampled = {
        "segments_pearson": bootstrap_pearson(scores, human, draws),
        "segments_kendall": bootstrap_kendall(scores, human, draws),
        "acc_eq": bootstrap_tied_accuracy(scores, human, agreement.tied.epsilon, draws),
    }
    return {name: percentile_interval(values) for name, values in resampled.items()}


def system_intervals(metric: Floats, human: Floats, orientation: Orientation) -> dict[str, Interval]:
    """Return 95% intervals of system-level statistics, keyed by name, from resampled scores, shape (draws, systems)."""
    resampled = {name: figure(metric, human) for name, figure in CORRELATIONS.items()}
    resampled["pairwise_accuracy"] = pairwise_accuracy(metric, human)
    resampled["differentials"] = system_pearson(*pairwise_differences(metric, human, orientation))
    return {name: percentile_interval(values) for name, values in resampled.items()}


def percentile_interval(resampled: Floats) -> Interval:
    """Return the 95% percentile interval of a statistic over resamples, NaN if no resample has a defined value."""
    defined = resampled[~np.isnan(resampled)]
    low, high = percentile_intervals(defined).tolist() if len(defined) else (UNDEFINED, UNDEFINED)
    return low, high


def _standardize_known(scores: Floats, is_known: NDArray[np.bool_]) -> Floats:
    """Return standardized scores, with 0 for missing scores."""
    standard = np.zeros(scores.shape)
    standard[is_known] = standardize(scores[is_known])
    return standard


def _edges(metric: Floats, epsilon: float) -> Floats:
    """Return candidate values of ε, in ascending order.

    The candidates are 0, `epsilon`, and quantiles of the score differences between two systems in a segment.
    """
    segments = metric.shape[1]
    first, second = np.triu_indices(len(metric), 1)
    step = max(1, segments * len(first) // _MAX_CELLS)
    distances = np.abs(metric[first, ::step] - metric[second, ::step])
    defined = np.unique(distances[~np.isnan(distances)])
    max_count = int(np.clip(_MAX_CELLS * 4 // max(1, segments), 32, MAX_EPSILONS))
    if len(defined) > max_count:
        defined = defined[np.linspace(0, len(defined) - 1, max_count).astype(np.int64)]
    return np.unique(np.concatenate([[0.0, epsilon], defined]))


def _levels(metric: Floats, human: Floats, edges: Floats) -> tuple[Floats, Floats]:
    """Return the share of correct pairs in each segment at each ε, and which segments have pairs.

    The first array has shape (segments, edges). The second has shape (segments,) and is 1 for segments with pairs,
    else 0.
    """
    first, second = np.triu_indices(len(metric), 1)
    metric_differences, human_differences = metric[first] - metric[second], human[first] - human[second]
    is_defined = ~(np.isnan(metric_differences) | np.isnan(human_differences))
    is_correct = is_defined & (np.sign(metric_differences) == np.sign(human_differences)) & (human_differences != 0)
    gain = (is_defined & (human_differences == 0)).astype(np.float64) - is_correct
    segments, width = metric.shape[1], len(edges) + 1
    tied_from = np.searchsorted(edges, np.where(is_defined, np.abs(metric_differences), np.inf))
    cells = np.bincount((tied_from + np.arange(segments) * width).ravel(), gain.ravel(), segments * width)
    gained = np.cumsum(cells.reshape(segments, width)[:, :-1], axis=1)
    count = is_defined.sum(axis=0)
    return (is_correct.sum(axis=0)[:, None] + gained) / np.maximum(count, 1)[:, None], (count > 0).astype(np.float64)


def _parts(segments: int, cells: int) -> Iterator[slice]:
    """Return slices, of bounded size, that cover all segments; `cells` is the number of values per segment."""
    step = max(1, _MAX_CELLS // max(1, cells))
    return (slice(begin, begin + step) for begin in range(0, segments, step))
