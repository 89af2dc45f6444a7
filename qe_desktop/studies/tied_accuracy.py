"""acc*eq: how often a metric orders two translations of one segment as people do, ties included.

Deutsch et al. 2023: a metric hardly ever gives two translations the same number, people often do. So two are tied in
the metric where they are no more than ε apart, and ε is the one at which the metric does best.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics.family import Floats


@dataclass(frozen=True, slots=True)
class TiedAccuracy:
    """The accuracy, 0..1, at the best ε, in units of the metric; NaN where no pair was scored by both.

    Where several ε are equally good it is the least of them.
    """

    accuracy: float
    epsilon: float


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """All pairs of systems in all segments, shape (pairs, segments) each.

    `right`: the metric orders them as people do; `tied`: people tie them; `apart`: how far apart the metric has them.
    A segment's pairs weigh 1 together, in units of all segments that have any; those that were not scored by both weigh
    nothing.
    """

    right: NDArray[np.bool_]
    tied: NDArray[np.bool_]
    apart: Floats
    weight: Floats


def tied_accuracy(metric: Floats, people: Floats) -> TiedAccuracy:
    """acc*eq of scores of shape (systems, segments), NaN where there are none: the mean over segments with pairs."""
    pairs = _pairs(metric, people)
    scored = pairs.weight > 0
    if not scored.any():
        return TiedAccuracy(np.nan, np.nan)
    right, tied, apart, weight = (one[scored] for one in (pairs.right, pairs.tied, pairs.apart, pairs.weight))
    order = np.argsort(apart, kind="stable")
    apart, gain = apart[order], ((tied.astype(np.float64) - right) * weight)[order]
    # as ε passes a pair's distance the pair is tied in the metric: right where people tie it, wrong where they do not
    level = (right * weight).sum() + np.concatenate([np.zeros(1), np.cumsum(gain)])
    # all pairs of one distance are passed at once; those without distance are tied by any ε
    last = np.flatnonzero(np.append(apart[1:] != apart[:-1], True)) + 1
    places = last if apart[0] == 0 else np.concatenate([np.zeros(1, np.int64), last])
    best = places[np.argmax(np.round(level[places], 12))]
    return TiedAccuracy(float(level[best]), float(apart[best - 1]) if best else 0.0)


def accuracy_by_segment(metric: Floats, people: Floats, epsilon: float) -> Floats:
    """What each segment adds to the accuracy at an ε ≥ 0, shape (segments,); 0 for those without pairs."""
    pairs = _pairs(metric, people)
    correct = np.where(pairs.apart <= epsilon, pairs.tied, pairs.right)
    return np.asarray((correct * pairs.weight).sum(axis=0))


def _pairs(metric: Floats, people: Floats) -> _Pairs:
    first, second = np.triu_indices(len(metric), 1)
    ours, theirs = metric[first] - metric[second], people[first] - people[second]
    both = ~(np.isnan(ours) | np.isnan(theirs))
    each = both.sum(axis=0)
    weight = both / np.maximum(each, 1) / max(1, int(np.count_nonzero(each)))
    right = (np.sign(ours) == np.sign(theirs)) & (theirs != 0)
    return _Pairs(right, theirs == 0, np.where(both, np.abs(ours), np.inf), weight)
