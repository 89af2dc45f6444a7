"""Simulated data from known distributions, to measure error rates of tests and intervals."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics import SENTENCE_METRICS
from qe_desktop.metrics.correlation import GoldNumbers, SystemNumbers
from qe_desktop.significance import FamilyRows


def correlated_systems(dice: np.random.Generator, segments: int) -> tuple[FamilyRows, NDArray[np.float64]]:
    """Return two systems with equal correlation with the gold, r = .71 in the population, and their Pearson's r."""
    metric = SENTENCE_METRICS["Pearson"]
    gold = dice.normal(size=segments)
    gold_numbers = GoldNumbers(gold)
    rows = np.stack(
        [metric.family.rows(SystemNumbers(gold + dice.normal(size=segments), gold_numbers)) for _ in range(2)]
    )
    return FamilyRows(rows, (metric,)), np.stack([metric.score(rows.sum(axis=1))])


def correlation_corpora(dice: np.random.Generator, corpora: int, segments: int) -> NDArray[np.float64]:
    """Return rows of Pearson's r for one system per corpus, r = .71 in the population of normal scores."""
    family = SENTENCE_METRICS["Pearson"].family
    gold = dice.normal(size=(corpora, segments))
    scores = gold + dice.normal(size=gold.shape)
    return np.stack([family.rows(SystemNumbers(*pair)) for pair in zip(scores, map(GoldNumbers, gold), strict=True)])


def tag_corpora(dice: np.random.Generator, corpora: int, segments: int) -> NDArray[np.float64]:
    """Return rows (hits, false alarms, gold BAD, words) of corpora whose segments differ in quality."""
    words = dice.integers(5, 35, (corpora, segments))
    bad = dice.binomial(words, dice.beta(0.6, 3.4, words.shape))
    hits, false_alarms = dice.binomial(bad, 0.5), dice.binomial(words - bad, 0.1)
    return np.stack([hits, false_alarms, bad, words], axis=-1).astype(np.float64)
