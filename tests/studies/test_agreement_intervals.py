"""Intervals of agreement with human scores: statistics of each resample, and coverage of the true value."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau

from qe_desktop.significance.bootstrap import BootstrapWeights
from qe_desktop.studies.meta_eval import agreement as module
from qe_desktop.studies.meta_eval.agreement import (
    bootstrap_kendall,
    bootstrap_p_values,
    bootstrap_pearson,
    bootstrap_tied_accuracy,
    percentile_interval,
)
from qe_desktop.studies.meta_eval.perm_both import normal_p_values
from qe_desktop.studies.meta_eval.tied_accuracy import tied_accuracy
from tests.studies.simulated_agreement import coverage_rates, human_and_metric_scores
from tests.studies.test_soft_pairwise_accuracy import rows_of


def sample(holes=False, segments=60):
    people, metrics = human_and_metric_scores([1], 5, segments, metrics=1)
    people, metric = np.round(people * 2), np.round(metrics[0], 1)
    if holes:
        people[1, :7], metric[2, 5:9], people[:, 20] = np.nan, np.nan, np.nan
    return metric, people


def resamples(draws, segments):
    """Yield the segments of each resample, repeated as often as they were drawn."""
    for _, weights in draws.weight_blocks(segments):
        for row in weights:
            yield np.repeat(np.arange(segments), row.astype(int))


@pytest.mark.parametrize("holes", [False, True])
def test_bootstrap_statistics_equal_those_of_each_resample(holes):
    metric, people = sample(holes)
    draws = BootstrapWeights(40, 3)
    pearson, kendall, accuracy = [], [], []
    for chosen in resamples(draws, metric.shape[1]):
        metric_scores, human_scores = metric[:, chosen], people[:, chosen]
        both = ~(np.isnan(metric_scores) | np.isnan(human_scores))
        pearson.append(np.corrcoef(metric_scores[both], human_scores[both])[0, 1])
        kendall.append(kendalltau(metric_scores[both], human_scores[both])[0])
        accuracy.append(tied_accuracy(metric_scores, human_scores).accuracy)
    assert bootstrap_pearson(metric, people, draws) == pytest.approx(np.array(pearson))
    linear = bootstrap_kendall(metric, people, draws)
    assert np.std(linear - kendall) < 0.2 * np.std(kendall)
    assert np.mean(linear) == pytest.approx(np.mean(kendall), abs=0.01)
    epsilon = tied_accuracy(metric, people).epsilon
    assert bootstrap_tied_accuracy(metric, people, epsilon, draws) == pytest.approx(np.array(accuracy))


def test_tied_accuracy_of_sampled_distances_approximates_all_distances(monkeypatch):
    people, metrics = human_and_metric_scores([2], 6, 80, metrics=1)
    draws = BootstrapWeights(30, 3)
    expected = [
        tied_accuracy(metrics[0][:, chosen], np.round(people[:, chosen])).accuracy for chosen in resamples(draws, 80)
    ]
    epsilon = tied_accuracy(metrics[0], np.round(people)).epsilon
    accuracies = bootstrap_tied_accuracy(metrics[0], np.round(people), epsilon, draws)
    assert (accuracies <= np.array(expected) + 1e-9).all()
    assert accuracies == pytest.approx(np.array(expected), abs=0.005)
    monkeypatch.setattr(module, "_MAX_CELLS", 6 * 80 * 7)
    assert bootstrap_tied_accuracy(metrics[0], np.round(people), epsilon, draws) == pytest.approx(accuracies, abs=0.005)


@pytest.mark.parametrize("better", [1, -1])
def test_bootstrap_p_values_equal_those_of_each_resample(better):
    metric, _ = sample()
    draws = BootstrapWeights(20, 3)
    p_values = bootstrap_p_values(rows_of(metric, better), draws)
    first, second = np.triu_indices(len(metric), 1)
    for p, chosen in zip(p_values, resamples(draws, metric.shape[1]), strict=True):
        differences = better * (metric[first][:, chosen] - metric[second][:, chosen])
        assert p == pytest.approx(normal_p_values(differences.sum(axis=1), (differences**2).sum(axis=1)))


def test_undefined_scores_have_no_interval():
    undefined = np.full((3, 10), np.nan)
    draws = BootstrapWeights(10, 1)
    for drawn in (
        bootstrap_pearson(undefined, undefined, draws), bootstrap_kendall(undefined, undefined, draws),
        bootstrap_tied_accuracy(undefined, undefined, np.nan, draws),
    ):  # fmt: skip
        assert np.isnan(percentile_interval(drawn)).all()


def test_intervals_cover_the_mean_over_samples():
    rates = coverage_rates(40, draws=200, systems=6, segments=60, truths=200)
    assert all(rate >= 0.8 for rate in rates.values()), rates
