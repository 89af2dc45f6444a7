"""False positive rates of the tests, and coverage of the intervals."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.levels.sentences.sentence_level import SENTENCES
from qe_desktop.metrics import SENTENCE_METRICS, WORD_METRICS
from qe_desktop.significance import SIGNIFICANCE_TESTS, FamilyRows, score_intervals
from tests.benchmarks.figures import record_figure
from tests.significance.simulated_data import correlated_systems, correlation_corpora, tag_corpora

SIMULATIONS = 4_000
PEARSON = SENTENCE_METRICS["Pearson"]


@pytest.mark.benchmark
def test_false_positive_rate_of_the_default_correlation_test(benchmark):
    default_test = SENTENCES.default_test([PEARSON], "segment")

    def rate(name: str) -> float:
        rng = np.random.default_rng(11)
        significant = 0
        for _ in range(SIMULATIONS):
            family, observed = correlated_systems(rng, segments=100)
            tests = SIGNIFICANCE_TESTS[name].run([family], observed, rounds=1_000, seed=1, on_progress=None)
            significant += bool(tests.p[0, 0, 1] <= 0.05)
        return significant / SIMULATIONS

    false_positives = benchmark.pedantic(rate, (default_test,), rounds=1)
    record_figure("false positives of the usual test of Pearson's r, n = 100, α = .05", 100 * false_positives, 7, "%")
    record_figure("the same, at least", 100 * false_positives, 3, "%", is_minimum=True)
    assert 0.03 < false_positives < 0.07
    assert 0.08 < rate("williams") < 0.12


CORPORA, REPETITIONS = 400, 5
RHO = 0.5**0.5


@pytest.mark.benchmark
@pytest.mark.parametrize("name", ["Pearson", "MCC"])
def test_coverage_of_bootstrap_and_bca_intervals(benchmark, name):
    rng = np.random.default_rng(17)
    metric = {**SENTENCE_METRICS, **WORD_METRICS}[name]
    if metric is PEARSON:
        true_value, corpora = RHO, correlation_corpora
    else:
        true_value, corpora = float(metric.score(tag_corpora(rng, 1, 2_000_000).sum(axis=(0, 1)))), tag_corpora
    counts = dict.fromkeys(("bootstrap", "bca"), 0)

    def simulate() -> None:
        for seed in range(REPETITIONS):
            family = FamilyRows(corpora(rng, CORPORA, 100), (metric,))
            for method in counts:
                low, high = score_intervals([family], method=method, seed=seed)[name].T
                counts[method] += int(np.count_nonzero((low <= true_value) & (true_value <= high)))

    benchmark.pedantic(simulate, rounds=1)
    for method, count in counts.items():
        share = count / (CORPORA * REPETITIONS)
        record_figure(
            f"{name}, 100 segments: 95 % intervals by {method} hold the true value",
            100 * share,
            91,
            "%",
            is_minimum=True,
        )
        assert 0.9 < share < 0.97
