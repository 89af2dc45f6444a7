"""acc*eq with all pairs in memory: the bitwise reference of `qe_desktop.studies.meta_eval.tied_accuracy`."""

from __future__ import annotations

import numpy as np


def tied_accuracy_of_all_pairs(metric, human_scores):
    """Return accuracy and ε of scores of shape (systems, segments)."""
    correct, tied, distance, weight = _pairs(metric, human_scores)
    scored = weight > 0
    if not scored.any():
        return np.nan, np.nan
    correct, tied, distance, weight = (values[scored] for values in (correct, tied, distance, weight))
    order = np.argsort(distance, kind="stable")
    distance, gain = distance[order], ((tied.astype(np.float64) - correct) * weight)[order]
    level = (correct * weight).sum() + np.concatenate([np.zeros(1), np.cumsum(gain)])
    last = np.flatnonzero(np.append(distance[1:] != distance[:-1], True)) + 1
    ends = last if distance[0] == 0 else np.concatenate([np.zeros(1, np.int64), last])
    best = ends[np.argmax(np.round(level[ends], 12))]
    return float(level[best]), float(distance[best - 1]) if best else 0.0


def segment_contributions(metric, human_scores, epsilon):
    """Return the contribution of each segment to the accuracy at an ε."""
    correct, tied, distance, weight = _pairs(metric, human_scores)
    return (np.where(distance <= epsilon, tied, correct) * weight).sum(axis=0)


def _pairs(metric, human_scores):
    first, second = np.triu_indices(len(metric), 1)
    metric_differences, human_differences = metric[first] - metric[second], human_scores[first] - human_scores[second]
    both = ~(np.isnan(metric_differences) | np.isnan(human_differences))
    counts = both.sum(axis=0)
    weight = both / np.maximum(counts, 1) / max(1, int(np.count_nonzero(counts)))
    correct = (np.sign(metric_differences) == np.sign(human_differences)) & (human_differences != 0)
    return correct, human_differences == 0, np.where(both, np.abs(metric_differences), np.inf), weight
