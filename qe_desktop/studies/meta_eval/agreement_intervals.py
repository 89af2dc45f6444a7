"""Bootstrap intervals of a metric's agreement with human scores: segments are resampled, systems are fixed.

A segment is resampled with the human and metric scores of all systems, and all metrics use the same resamples. Every
statistic is recomputed on each resample:

- for SPA, p-values of system pairs come from the normal limit of the permutation distribution, δ / √Σ influence²;
- for acc*eq, ε is tuned again, among at most `MAX_EPSILONS` quantiles of the metric's score differences;
- Kendall's τ is linearized in the weights of the segments (Hájek projection).

An interval generalizes to other segments translated by the same systems: it covers the mean of a statistic over samples
with the same number of segments.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats
from qe_desktop.metrics.scores.correlation import GoldNumbers, SystemNumbers, standardize
from qe_desktop.metrics.scores.kendall import concordance_rows
from qe_desktop.significance.bootstrap import BootstrapWeights, percentile_intervals
from qe_desktop.significance.influence import segment_influence
from qe_desktop.significance.randomization import FamilyRows
from qe_desktop.studies.meta_eval.agreement import MetricAgreement
from qe_desktop.studies.meta_eval.perm_both import normal_p_values
from qe_desktop.studies.meta_eval.score_data import CORRELATIONS, UNDEFINED
from qe_desktop.studies.meta_eval.system_level import (
    Orientation,
    pairwise_accuracy,
    pairwise_differences,
    system_pearson,
)

Interval = tuple[float, float]
MAX_EPSILONS = 256
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
    """Return Kendall's tau-b over all translations of each resample, to first order, shape (draws,).

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

    `family` must have exactly one metric.
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
    """Return 95% intervals of segment-level statistics; scores have shape (systems, segments), NaN if missing."""
    resampled = {
        "segments_pearson": bootstrap_pearson(scores, human, draws),
        "segments_kendall": bootstrap_kendall(scores, human, draws),
        "acc_eq": bootstrap_tied_accuracy(scores, human, agreement.tied.epsilon, draws),
    }
    return {name: percentile_interval(values) for name, values in resampled.items()}


def system_intervals(metric: Floats, human: Floats, orientation: Orientation) -> dict[str, Interval]:
    """Return 95% intervals of system-level statistics, from resampled scores of shape (draws, systems)."""
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
