"""How often tests find a difference where there is none, and how often intervals hold the value they are meant for."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.levels.sentences.level import SENTENCES
from qe_desktop.metrics import SENTENCE_METRICS
from qe_desktop.significance import TESTS
from tests.benchmarks.figures import note
from tests.significance.simulated import correlated_systems

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
            tests = TESTS[name].run([family], observed, rounds=1_000, seed=1, watch=None)
            significant += bool(tests.p[0, 0, 1] <= 0.05)
        return significant / SIMULATIONS

    found = benchmark.pedantic(rate, (usual,), rounds=1)
    note("false positives of the usual test of Pearson's r, n = 100, α = .05", 100 * found, 7, "%")
    note("the same, at least", 100 * found, 3, "%", least=True)
    assert 0.03 < found < 0.07
    assert 0.08 < rate("williams") < 0.12
