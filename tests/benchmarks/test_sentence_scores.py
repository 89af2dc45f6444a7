"""How fast correlations are compared, relative to plain implementations."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from qe_desktop.metrics import SENTENCE_METRICS, metric_families
from qe_desktop.metrics.correlation import GoldNumbers, SystemNumbers
from qe_desktop.significance import FamilyRows, group_by_family, randomization_tests
from qe_desktop.significance.williams import williams_p
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import time_ratio_of
from tests.benchmarks.test_significance import ROUNDS, bare

SYSTEMS, SEGMENTS = 17, 1817


def scores_of(systems: int, segments: int) -> tuple[np.ndarray, np.ndarray]:
    """Gold scores, and scores of systems of decreasing quality."""
    rng = np.random.default_rng(1)
    gold = rng.beta(1, 4, segments)
    noise = np.linspace(0.2, 2, systems)[:, None]
    return gold + noise * rng.normal(0, gold.std(), (systems, segments)), gold


def correlate(systems: int, segments: int) -> list[FamilyRows]:
    scores, gold = scores_of(systems, segments)
    metrics = [SENTENCE_METRICS["Pearson"]]
    gold_numbers = GoldNumbers(gold)
    rows = {
        family.name: np.stack([family.rows(SystemNumbers(system_scores, gold_numbers)) for system_scores in scores])
        for family in metric_families(metrics)
    }
    return group_by_family(metrics, rows)


@pytest.mark.benchmark
def test_time_of_pearson_comparison_relative_to_bare_resampling(benchmark):
    families = correlate(SYSTEMS, SEGMENTS)
    columns = SYSTEMS * len(families[0].metrics[0].family.system_columns)
    tests = benchmark.pedantic(randomization_tests, (families,), {"rounds": ROUNDS}, rounds=3, warmup_rounds=1)
    assert tests.p.shape == (1, SYSTEMS, SYSTEMS)
    time_ratio = time_ratio_of(
        lambda: randomization_tests(families, rounds=ROUNDS), lambda: bare(columns, SEGMENTS), times=9
    )
    figure = record_figure("compare 17 × 1817 by Pearson, R = 10,000: relative to masks and one product", time_ratio, 3)
    assert figure.value < 4 * figure.limit


@pytest.mark.benchmark
def test_time_of_williams_test_relative_to_a_scipy_loop(benchmark):
    from scipy import stats

    scores, gold = scores_of(22, 450)
    with_gold = np.array([stats.pearsonr(system_scores, gold).statistic for system_scores in scores])
    between = np.corrcoef(scores)

    def loop() -> np.ndarray:
        p = np.ones((22, 22))
        for a, b in combinations(range(22), 2):
            n, r, s, t = 450, *(stats.pearsonr(*pair)[0] for pair in (
                (scores[a], gold), (scores[b], gold), (scores[a], scores[b])
            ))  # fmt: skip
            inner = 1 - t**2 - r**2 - s**2 + 2 * t * r * s
            below = 2 * inner * (n - 1) / (n - 3) + (r + s) ** 2 / 4 * (1 - t) ** 3
            p[a, b] = p[b, a] = stats.t.sf(abs(r - s) * np.sqrt((n - 1) * (1 + t) / below), n - 3)
        return p

    p_values = benchmark.pedantic(williams_p, (with_gold, between, 450), rounds=5, warmup_rounds=1)
    assert p_values == pytest.approx(loop(), rel=1e-9)

    def ours() -> None:
        standard = (scores - scores.mean(axis=1, keepdims=True)) / scores.std(axis=1, keepdims=True)
        other = (gold - gold.mean()) / gold.std()
        williams_p(standard @ other / 450, standard @ standard.T / 450, 450)

    figure = record_figure(
        "Williams, 22 systems: a loop with scipy takes", time_ratio_of(loop, ours, 3), 200, is_minimum=True
    )
    assert figure.value > 20
