"""Permutation tests of pooled correlations: comparison with a plain computation, and the false-positive rate."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau

from qe_desktop.metrics.correlation import standardize
from qe_desktop.significance import random_masks
from qe_desktop.studies.meta_eval.agreement_tests import POOLED_STATISTICS, permute_pooled
from tests.studies.simulated_agreement import false_positive_rates, human_and_metric_scores

ROUNDS = 60


def naive_statistics(scores, people):
    return {
        "segments_pearson": np.corrcoef(scores.ravel(), people.ravel())[0, 1],
        "segments_kendall": kendalltau(scores.ravel(), people.ravel()).statistic,
    }


def naive_p_values(metrics, people, units, sides):
    """Return p of each statistic for the first two metrics, from the statistics of swapped scores."""
    scores = [standardize(metric.ravel()).reshape(metric.shape) for metric in metrics[:2]]
    first, second = (naive_statistics(metric, people) for metric in scores)
    flips = random_masks.unpack_flips(random_masks.swap_bits(5, 0, ROUNDS, units.max() + 1), 0, units.max() + 1)
    reached = dict.fromkeys(POOLED_STATISTICS, 0)
    for swapped in flips[:, units] == 1:
        swapped_first, swapped_second = (
            naive_statistics(np.where(swapped, left, right), people) for left, right in (scores[::-1], scores)
        )
        for name in POOLED_STATISTICS:
            difference, swapped_difference = first[name] - second[name], swapped_first[name] - swapped_second[name]
            swapped_difference = abs(swapped_difference) if sides == "two" else swapped_difference * np.sign(difference)
            reached[name] += swapped_difference >= abs(difference) - 1e-6
    return {name: (count + 1) / (ROUNDS + 1) for name, count in reached.items()}


@pytest.mark.parametrize("sides", ["two", "one"])
@pytest.mark.parametrize("units", [np.arange(40), np.repeat(np.arange(10), 4)], ids=["segments", "documents"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_p_equals_that_of_statistics_of_swapped_scores(units, sides, seed):
    people, metrics = human_and_metric_scores([seed], 4, 40, metrics=3)
    metrics[1] = metrics[1] * 30 + 7
    people = np.round(people * 2)
    result = permute_pooled(metrics, people, units, rounds=ROUNDS, seed=5, sides=sides)
    for name, p in naive_p_values(metrics, people, units, sides).items():
        assert result.p[name][0, 1] == result.p[name][1, 0] == p, name
        assert result.observed[name] == pytest.approx([naive_statistics(metric, people)[name] for metric in metrics])
    assert result.segments == 40


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_many_ties_of_a_metric_hardly_change_p_of_kendall(seed):
    people, metrics = human_and_metric_scores([seed], 4, 40)
    metrics[1] = np.maximum(np.round(metrics[1]), 0)
    units = np.arange(40)
    result = permute_pooled(metrics, people, units, rounds=ROUNDS, seed=5)
    expected = naive_p_values(metrics, people, units, "two")["segments_kendall"]
    assert result.p["segments_kendall"][0, 1] == pytest.approx(expected, abs=0.05)


def test_rescaled_metric_does_not_differ_from_the_original():
    people, metrics = human_and_metric_scores([2], metrics=1)
    both = np.concatenate([metrics, metrics * 1000 - 3])
    result = permute_pooled(both, people, np.arange(100), rounds=50, seed=1)
    assert all(result.p[name].tolist() == [[1, 1], [1, 1]] for name in POOLED_STATISTICS)


def test_worse_metric_differs_significantly():
    people, metrics = human_and_metric_scores([3], metrics=1)
    both = np.stack([metrics[0], np.random.default_rng(3).normal(size=people.shape)])
    result = permute_pooled(both, people, np.arange(100), rounds=199, seed=1)
    assert all(result.p[name][0, 1] == 1 / 200 for name in POOLED_STATISTICS)


def test_constant_scores_are_not_tested():
    people, metrics = human_and_metric_scores([4])
    metrics[1] = 3.0
    for scores, humans in ((metrics, people), (metrics[:1].repeat(2, axis=0), np.ones_like(people))):
        result = permute_pooled(scores, humans, np.arange(100), rounds=20, seed=1)
        assert all(np.isnan(result.p[name][0, 1]) for name in POOLED_STATISTICS)


def test_errors_shared_within_segments_keep_the_significance_level():
    """Swapping single translations would report a difference in about 15 % of such samples."""
    rates = false_positive_rates(200, rounds=99, segments=60, error="segment")
    assert all(0.01 <= rates[name] <= 0.09 for name in POOLED_STATISTICS), rates
