"""Correlation within systems: whether people and a metric scored the same segments under the same numbers.

Good systems have high scores by people and by metrics whatever the order of segments, so the correlation over all
translations stays high where segments are numbered otherwise. What is left without the mean of each system does not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qe_desktop.metrics.family import Floats

DEVIATIONS = 2
"""A correlation of so many standard deviations is more than an order at random would give."""
VISIBLE = 0.15
"""Where only correlations above this are told from an order at random, nothing is concluded."""


@dataclass(frozen=True, slots=True)
class SegmentMatch:
    """`r` is Pearson's correlation of what scores differ from their systems' means, NaN where undefined; `deviation`
    is that of r over all orders of the segments, the same order for all systems.
    """

    r: float
    deviation: float

    @property
    def is_random(self) -> bool:
        """Whether r is what an order at random would give, on as many segments as such a test needs."""
        return DEVIATIONS * self.deviation < VISIBLE and self.r < DEVIATIONS * self.deviation


UNKNOWN = SegmentMatch(math.nan, math.nan)


def segment_match(metric: Floats, people: Floats) -> SegmentMatch:
    """The match of two arrays of shape (systems, segments), NaN where there is no score.

    With scores m and h centred by system, Σ_s Σ_i m_is h_iπ(s) over random orders π has mean 0 and variance
    tr(M Mᵀ H Hᵀ) / (n − 1).
    """
    both = ~(np.isnan(metric) | np.isnan(people))
    segments = int(both.any(axis=0).sum())
    ours, theirs = _centred(metric, both), _centred(people, both)
    spread = math.sqrt(float((ours**2).sum()) * float((theirs**2).sum()))
    if segments < 2 or not spread:
        return UNKNOWN
    variance = float(np.sum((ours @ ours.T) * (theirs @ theirs.T))) / (segments - 1)
    return SegmentMatch(float((ours * theirs).sum()) / spread, math.sqrt(max(0.0, variance)) / spread)


def _centred(scores: Floats, known: np.ndarray) -> Floats:
    """Scores less their system's mean, 0 where they are not known and where all of a system are alike."""
    count = np.maximum(known.sum(axis=1, keepdims=True), 1)
    kept = np.where(known, scores, 0.0)
    centred = np.where(known, kept - kept.sum(axis=1, keepdims=True) / count, 0.0)
    # what is left of a constant by rounding is no spread
    alike = np.abs(centred).max(axis=1, keepdims=True) <= 1e-12 * np.abs(kept).max(axis=1, keepdims=True)
    return np.where(alike, 0.0, centred)
