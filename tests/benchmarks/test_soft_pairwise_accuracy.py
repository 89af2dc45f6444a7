"""How fast the agreement of metrics with human scores is computed, relative to mt-metrics-eval's method."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.metrics.external import ExternalScores, external_metric, external_rows
from qe_desktop.significance.randomization import FamilyRows
from qe_desktop.studies.meta_eval.soft_pairwise_accuracy import SPA_ROUNDS, pairwise_p_values, soft_pairwise_accuracy
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import time_ratio_of

METRICS, SYSTEMS, SEGMENTS = 14, 12, 460


def one_metric_at_a_time(scores: np.ndarray) -> np.ndarray:
    """p-values of pairs as in mt-metrics-eval: new signs for each metric, one product, and a loop over pairs."""
    draw = np.random.default_rng(4)
    signs = np.rint(draw.random((SPA_ROUNDS, scores.shape[1]), dtype=np.float32)) * 2 - 1
    sums, totals = signs @ scores.astype(np.float32).T, scores.sum(axis=1)
    p = np.full((len(scores), len(scores)), np.nan)
    for i in range(len(scores)):
        for j in range(i + 1, len(scores)):
            p[i, j] = np.sum(sums[:, i] - sums[:, j] >= totals[i] - totals[j]) / SPA_ROUNDS
    return p[np.triu_indices(len(scores), 1)]


@pytest.mark.benchmark
def test_time_of_soft_pairwise_accuracy_relative_to_loops(benchmark):
    rng = np.random.default_rng(1)
    human_scores = rng.normal(size=(SYSTEMS, SEGMENTS)) + np.linspace(0, 0.5, SYSTEMS)[:, None]
    scores = [
        human_scores,
        *(human_scores + rng.normal(0, 1 + number, human_scores.shape) for number in range(METRICS)),
    ]
    families = [
        FamilyRows(
            np.stack([external_rows(ExternalScores(row)) for row in metric_scores]), (external_metric(f"m{index}"),)
        )
        for index, metric_scores in enumerate(scores)
    ]

    def ours() -> np.ndarray:
        p = pairwise_p_values(families)
        return soft_pairwise_accuracy(p[1:], p[0])

    def plain_loops() -> np.ndarray:
        p = np.stack([one_metric_at_a_time(metric_scores) for metric_scores in scores])
        return soft_pairwise_accuracy(p[1:], p[0])

    result = benchmark.pedantic(ours, rounds=5, warmup_rounds=1)
    assert result == pytest.approx(plain_loops(), abs=0.015)
    figure = record_figure(
        "SPA of 14 metrics, 12 systems: a metric and a pair at a time takes",
        time_ratio_of(plain_loops, ours, 9, best_of=3), 20, is_minimum=True,
    )  # fmt: skip
    assert figure.value > 5
