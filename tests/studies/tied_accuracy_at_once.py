"""acc*eq with all pairs in memory: what `qe_desktop.studies.meta_eval.tied_accuracy` must give to the last bit."""

from __future__ import annotations

import numpy as np


def tied_accuracy_at_once(metric, people):
    """The accuracy and ε of scores of shape (systems, segments)."""
    right, tied, apart, weight = _pairs(metric, people)
    scored = weight > 0
    if not scored.any():
        return np.nan, np.nan
    right, tied, apart, weight = (values[scored] for values in (right, tied, apart, weight))
    order = np.argsort(apart, kind="stable")
    apart, gain = apart[order], ((tied.astype(np.float64) - right) * weight)[order]
    level = (right * weight).sum() + np.concatenate([np.zeros(1), np.cumsum(gain)])
    last = np.flatnonzero(np.append(apart[1:] != apart[:-1], True)) + 1
    places = last if apart[0] == 0 else np.concatenate([np.zeros(1, np.int64), last])
    best = places[np.argmax(np.round(level[places], 12))]
    return float(level[best]), float(apart[best - 1]) if best else 0.0


def by_segment_at_once(metric, people, epsilon):
    """What each segment adds at an ε."""
    right, tied, apart, weight = _pairs(metric, people)
    return (np.where(apart <= epsilon, tied, right) * weight).sum(axis=0)


def _pairs(metric, people):
    first, second = np.triu_indices(len(metric), 1)
    ours, theirs = metric[first] - metric[second], people[first] - people[second]
    both = ~(np.isnan(ours) | np.isnan(theirs))
    each = both.sum(axis=0)
    weight = both / np.maximum(each, 1) / max(1, int(np.count_nonzero(each)))
    right = (np.sign(ours) == np.sign(theirs)) & (theirs != 0)
    return right, theirs == 0, np.where(both, np.abs(ours), np.inf), weight
