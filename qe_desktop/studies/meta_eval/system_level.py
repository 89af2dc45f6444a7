"""System-level agreement of a metric with human scores: correlations, pairwise accuracy, and score differences.

System scores are arrays of shape (…, systems); leading axes are bootstrap resamples.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats

Orientation = Literal["ahead", "listed"]
"""Direction of score differences: the system with the higher human score minus the other, or in input order."""
_ROUNDING = 1e-12


def system_pearson(metric: Floats, people: Floats) -> Floats:
    """Return Pearson's r over systems, shape (…,); NaN if a side is constant or has NaN."""
    ours, theirs = (scores - scores.mean(axis=-1, keepdims=True) for scores in np.broadcast_arrays(metric, people))
    spread = np.sqrt((ours**2).sum(axis=-1) * (theirs**2).sum(axis=-1))
    # rounding errors of a constant are not variance
    scale = np.abs(metric).max(axis=-1) * np.abs(people).max(axis=-1) * metric.shape[-1]
    defined = spread > _ROUNDING * scale
    return np.where(defined, np.clip((ours * theirs).sum(axis=-1) / np.where(defined, spread, 1), -1, 1), np.nan)


def system_spearman(metric: Floats, people: Floats) -> Floats:
    """Return Spearman's ρ over systems with mean ranks for ties, shape (…,); NaN if a side is constant or has NaN."""
    return _nan_if_missing(system_pearson(mean_ranks(metric), mean_ranks(people)), metric, people)


def system_kendall(metric: Floats, people: Floats) -> Floats:
    """Return Kendall's tau-b over systems, shape (…,); NaN if a side is constant or has NaN."""
    ours, theirs = pairwise_signs(metric).astype(np.int64), pairwise_signs(people).astype(np.int64)
    untied = np.count_nonzero(ours, axis=-1) * np.count_nonzero(theirs, axis=-1)
    results = (ours * theirs).sum(axis=-1) / np.sqrt(np.maximum(untied, 1))
    return _nan_if_missing(np.where(untied > 0, results, np.nan), metric, people)


def pairwise_accuracy(metric: Floats, people: Floats) -> Floats:
    """Return the share of system pairs that metric and human scores order or tie alike, 0..1 (Kocmi et al. 2021).

    The result is NaN if there are no pairs or if any score is NaN.
    """
    alike = pairwise_signs(metric) == pairwise_signs(people)
    values = alike.mean(axis=-1) if alike.shape[-1] else np.full(alike.shape[:-1], np.nan)
    return _nan_if_missing(np.asarray(values), metric, people)


def pairwise_differences(metric: Floats, people: Floats, orientation: Orientation = "ahead") -> tuple[Floats, Floats]:
    """Return score differences of all pairs by metric and by human score, shape (…, pairs) each.

    Their correlation (Lavie et al. 2004, §3.2) depends on the orientation of pairs. `ahead` puts the system with the
    higher human score first (the first of ties), so that the order of systems does not matter.
    """
    ours, theirs = _score_differences(metric), _score_differences(people)
    ours, theirs = np.broadcast_arrays(ours, theirs)
    if orientation == "listed":
        return ours, theirs
    turn = np.where(theirs < 0, -1.0, 1.0)
    return ours * turn, theirs * turn


def mean_ranks(scores: Floats) -> Floats:
    """Return 1-based ranks along the last axis; ties have their mean rank."""
    below = (scores[..., None, :] < scores[..., :, None]).sum(axis=-1)
    alike = (scores[..., None, :] == scores[..., :, None]).sum(axis=-1)
    return np.asarray(below + (alike + 1) / 2)


def pairwise_signs(scores: Floats) -> NDArray[np.int8]:
    """Return the sign (−1, 0 or 1) of the score difference of each system pair, shape (…, pairs); 0 for NaN."""
    return np.asarray(np.nan_to_num(np.sign(_score_differences(scores))), np.int8)


def _nan_if_missing(found: Floats, metric: Floats, people: Floats) -> Floats:
    """Return the values, with NaN if a system has no score."""
    known = ~(np.isnan(metric).any(axis=-1) | np.isnan(people).any(axis=-1))
    return np.where(known, found, np.nan)


def _score_differences(scores: Floats) -> Floats:
    first, second = np.triu_indices(scores.shape[-1], 1)
    return np.asarray(scores[..., first] - scores[..., second], np.float64)
