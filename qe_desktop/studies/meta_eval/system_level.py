"""Whether a metric puts systems in the order in which people do: correlations, pairs, and differences of scores.

Scores of systems are arrays of shape (…, systems); leading axes are draws of a bootstrap, of which each has its own.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics.family import Floats

Orientation = Literal["ahead", "listed"]
"""How differences of pairs are taken: of the system that people put ahead less the other, or in the order given."""
_ROUNDING = 1e-12


def system_pearson(metric: Floats, people: Floats) -> Floats:
    """Pearson's r over systems, shape (…,); NaN where all scores of one side are alike."""
    ours, theirs = (scores - scores.mean(axis=-1, keepdims=True) for scores in np.broadcast_arrays(metric, people))
    spread = np.sqrt((ours**2).sum(axis=-1) * (theirs**2).sum(axis=-1))
    # what is left of a constant by rounding is no spread
    scale = np.abs(metric).max(axis=-1) * np.abs(people).max(axis=-1) * metric.shape[-1]
    defined = spread > _ROUNDING * scale
    return np.where(defined, np.clip((ours * theirs).sum(axis=-1) / np.where(defined, spread, 1), -1, 1), np.nan)


def system_spearman(metric: Floats, people: Floats) -> Floats:
    """Spearman's ρ over systems, ties with their mean rank, shape (…,); NaN where a side is alike, or any is NaN."""
    return _nan_if_missing(system_pearson(mean_ranks(metric), mean_ranks(people)), metric, people)


def system_kendall(metric: Floats, people: Floats) -> Floats:
    """Kendall's tau-b over systems, shape (…,); NaN where all scores of one side are alike, or any is NaN."""
    ours, theirs = pairwise_signs(metric).astype(np.int64), pairwise_signs(people).astype(np.int64)
    untied = np.count_nonzero(ours, axis=-1) * np.count_nonzero(theirs, axis=-1)
    found = (ours * theirs).sum(axis=-1) / np.sqrt(np.maximum(untied, 1))
    return _nan_if_missing(np.where(untied > 0, found, np.nan), metric, people)


def pairwise_accuracy(metric: Floats, people: Floats) -> Floats:
    """The share of pairs of systems that metric and people order alike, or both tie, 0..1 (Kocmi et al. 2021).

    NaN without pairs, and where any score is NaN.
    """
    alike = pairwise_signs(metric) == pairwise_signs(people)
    found = alike.mean(axis=-1) if alike.shape[-1] else np.full(alike.shape[:-1], np.nan)
    return _nan_if_missing(np.asarray(found), metric, people)


def pairwise_differences(metric: Floats, people: Floats, orientation: Orientation = "ahead") -> tuple[Floats, Floats]:
    """What two systems are apart, of all pairs, by metric and by people, shape (…, pairs) each (Lavie 2004 §3.2).

    The correlation of these depends on which of two comes first; `ahead` takes from each pair the one that people put
    ahead (of equals the first), so that the order of systems does not matter.
    """
    ours, theirs = _score_differences(metric), _score_differences(people)
    ours, theirs = np.broadcast_arrays(ours, theirs)
    if orientation == "listed":
        return ours, theirs
    turn = np.where(theirs < 0, -1.0, 1.0)
    return ours * turn, theirs * turn


def mean_ranks(scores: Floats) -> Floats:
    """Ranks from 1 along the last axis, ties with their mean."""
    below = (scores[..., None, :] < scores[..., :, None]).sum(axis=-1)
    alike = (scores[..., None, :] == scores[..., :, None]).sum(axis=-1)
    return np.asarray(below + (alike + 1) / 2)


def pairwise_signs(scores: Floats) -> NDArray[np.int8]:
    """−1, 0 or 1 for each pair of systems, the first of them less the second, shape (…, pairs); 0 for NaN."""
    return np.asarray(np.nan_to_num(np.sign(_score_differences(scores))), np.int8)


def _nan_if_missing(found: Floats, metric: Floats, people: Floats) -> Floats:
    """What was found, NaN where a system has no score: what is not known has no rank."""
    known = ~(np.isnan(metric).any(axis=-1) | np.isnan(people).any(axis=-1))
    return np.where(known, found, np.nan)


def _score_differences(scores: Floats) -> Floats:
    first, second = np.triu_indices(scores.shape[-1], 1)
    return np.asarray(scores[..., first] - scores[..., second], np.float64)
