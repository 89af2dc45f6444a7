"""System-level agreement of a metric with human scores: correlations, pairwise accuracy, and score differences.

System scores are arrays of shape (…, systems); leading axes are, for example, bootstrap resamples.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats

Orientation = Literal["ahead", "listed"]
"""Order of the systems in score differences: higher human score first ("ahead"), or input order ("listed")."""
_ROUNDING = 1e-12


def system_pearson(metric: Floats, human: Floats) -> Floats:
    """Return Pearson's r over systems, shape (…,); NaN if an input is constant or has NaN."""
    metric_deviations, human_deviations = (
        scores - scores.mean(axis=-1, keepdims=True) for scores in np.broadcast_arrays(metric, human)
    )
    spread = np.sqrt((metric_deviations**2).sum(axis=-1) * (human_deviations**2).sum(axis=-1))
    # rounding errors of a constant are not variance
    scale = np.abs(metric).max(axis=-1) * np.abs(human).max(axis=-1) * metric.shape[-1]
    defined = spread > _ROUNDING * scale
    return np.where(
        defined,
        np.clip((metric_deviations * human_deviations).sum(axis=-1) / np.where(defined, spread, 1), -1, 1),
        np.nan,
    )


def system_spearman(metric: Floats, human: Floats) -> Floats:
    """Return Spearman's ρ over systems (mean ranks for ties), shape (…,); NaN if an input is constant or has NaN."""
    return _nan_if_missing(system_pearson(mean_ranks(metric), mean_ranks(human)), metric, human)


def system_kendall(metric: Floats, human: Floats) -> Floats:
    """Return Kendall's tau-b over systems, shape (…,); NaN if an input is constant or has NaN."""
    metric_signs, human_signs = pairwise_signs(metric).astype(np.int64), pairwise_signs(human).astype(np.int64)
    untied = np.count_nonzero(metric_signs, axis=-1) * np.count_nonzero(human_signs, axis=-1)
    results = (metric_signs * human_signs).sum(axis=-1) / np.sqrt(np.maximum(untied, 1))
    return _nan_if_missing(np.where(untied > 0, results, np.nan), metric, human)


def pairwise_accuracy(metric: Floats, human: Floats) -> Floats:
    """Return the share of system pairs with the same order, or both tied, by metric and human scores, 0..1.

    Source: Kocmi et al. (2021). The result is NaN if there are no pairs or if any score is NaN.
    """
    alike = pairwise_signs(metric) == pairwise_signs(human)
    values = alike.mean(axis=-1) if alike.shape[-1] else np.full(alike.shape[:-1], np.nan)
    return _nan_if_missing(np.asarray(values), metric, human)


def pairwise_differences(metric: Floats, human: Floats, orientation: Orientation = "ahead") -> tuple[Floats, Floats]:
    """Return the metric and human score differences of all system pairs, shape (…, pairs) each.

    The correlation of these differences (Lavie et al. 2004, §3.2) depends on which system of a pair comes first.
    "ahead" puts the system with the higher human score first, so that the input order matters only if human scores are
    tied. "listed" keeps the input order.
    """
    metric_differences, human_differences = _score_differences(metric), _score_differences(human)
    metric_differences, human_differences = np.broadcast_arrays(metric_differences, human_differences)
    if orientation == "listed":
        return metric_differences, human_differences
    sign = np.where(human_differences < 0, -1.0, 1.0)
    return metric_differences * sign, human_differences * sign


def mean_ranks(scores: Floats) -> Floats:
    """Return 1-based ranks along the last axis, lowest score first; tied scores get their mean rank."""
    below = (scores[..., None, :] < scores[..., :, None]).sum(axis=-1)
    alike = (scores[..., None, :] == scores[..., :, None]).sum(axis=-1)
    return np.asarray(below + (alike + 1) / 2)


def pairwise_signs(scores: Floats) -> NDArray[np.int8]:
    """Return the sign (−1, 0 or 1) of the score difference of each system pair, shape (…, pairs); 0 for NaN."""
    return np.asarray(np.nan_to_num(np.sign(_score_differences(scores))), np.int8)


def _nan_if_missing(values: Floats, metric: Floats, human: Floats) -> Floats:
    """Return `values`, shape (…,), with NaN wherever any system has no metric score or no human score."""
    is_defined = ~(np.isnan(metric).any(axis=-1) | np.isnan(human).any(axis=-1))
    return np.where(is_defined, values, np.nan)


def _score_differences(scores: Floats) -> Floats:
    first, second = np.triu_indices(scores.shape[-1], 1)
    return np.asarray(scores[..., first] - scores[..., second], np.float64)
