"""How often tests find a difference where there is none, and how often intervals hold the value they are meant for."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.levels.sentences.sentence_level import SENTENCES
from qe_desktop.metrics import SENTENCE_METRICS, WORD_METRICS
from qe_desktop.significance import SIGNIFICANCE_TESTS, FamilyRows, score_intervals
from tests.benchmarks.figures import note
from tests.significance.simulated import correlated_systems, correlation_corpora, tag_corpora

SIMULATIONS = 4_000
PEARSON = SENTENCE_METRICS["Pearson"]


@pytest.mark.benchmark
def test_false_positives_of_the_usual_test_of_correlations(benchmark):
    usual = SENTENCES.usual_test([PEARSON], "segment")

    def rate(name: str) -> float:
        dice = np.random.default_rng(11)
        significant = 0
        for _ in range(SIMULATIONS):
            family, observed = correlated_systems(dice, segments=100)
            tests = SIGNIFICANCE_TESTS[name].run([family], observed, rounds=1_000, seed=1, watch=None)
            significant += bool(tests.p[0, 0, 1] <= 0.05)
        return significant / SIMULATIONS

    found = benchmark.pedantic(rate, (usual,), rounds=1)
    note("false positives of the usual test of Pearson's r, n = 100, α = .05", 100 * found, 7, "%")
    note("the same, at least", 100 * found, 3, "%", least=True)
    assert 0.03 < found < 0.07
    assert 0.08 < rate("williams") < 0.12


CORPORA, REPETITIONS = 400, 5
RHO = 0.5**0.5


@pytest.mark.benchmark
@pytest.mark.parametrize("name", ["Pearson", "MCC"])
def test_coverage_of_intervals(benchmark, name):
    dice = np.random.default_rng(17)
    metric = {**SENTENCE_METRICS, **WORD_METRICS}[name]
    if metric is PEARSON:
        true, corpora = RHO, correlation_corpora
    else:
        true, corpora = float(metric.score(tag_corpora(dice, 1, 2_000_000).sum(axis=(0, 1)))), tag_corpora
    held = dict.fromkeys(("bootstrap", "bca"), 0)

    def simulate() -> None:
        for seed in range(REPETITIONS):
            family = FamilyRows(corpora(dice, CORPORA, 100), (metric,))
            for way in held:
                low, high = score_intervals([family], way=way, seed=seed)[name].T
                held[way] += int(np.count_nonzero((low <= true) & (true <= high)))

    benchmark.pedantic(simulate, rounds=1)
    for way, count in held.items():
        share = count / (CORPORA * REPETITIONS)
        note(f"{name}, 100 segments: 95 % intervals by {way} hold the true value", 100 * share, 91, "%", least=True)
        assert 0.9 < share < 0.97
