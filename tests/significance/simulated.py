"""Data from known distributions, on which the error rates of tests and intervals are counted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics import SENTENCE_METRICS
from qe_desktop.metrics.correlation import GoldNumbers, Numbers
from qe_desktop.significance import FamilyRows


def correlated_systems(dice: np.random.Generator, segments: int) -> tuple[FamilyRows, NDArray[np.float64]]:
    """Two systems that correlate alike with the gold, r = .71 in the population, and their observed Pearson's r."""
    metric = SENTENCE_METRICS["Pearson"]
    gold = dice.normal(size=segments)
    beside = GoldNumbers(gold)
    rows = np.stack([metric.family.rows(Numbers(gold + dice.normal(size=segments), beside)) for _ in range(2)])
    return FamilyRows(rows, (metric,)), np.stack([metric.score(rows.sum(axis=1))])
