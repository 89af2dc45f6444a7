"""System-level correlations compared with SciPy, pairwise accuracy, and the orientation of differences."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from qe_desktop.studies.meta_eval.system_level import (
    pairwise_accuracy,
    pairwise_differences,
    system_kendall,
    system_pearson,
    system_spearman,
)

scores = st.integers(-20, 20).map(lambda value: value / 4)
two = st.lists(st.tuples(scores, scores), min_size=3, max_size=12).map(lambda pairs: np.asarray(pairs, float).T)


@given(two)
def test_correlations_equal_scipy(pair):
    metric, people = pair
    if len(set(metric)) < 2 or len(set(people)) < 2:
        assert all(np.isnan(figure(metric, people)) for figure in (system_pearson, system_spearman, system_kendall))
        return
    assert system_pearson(metric, people) == pytest.approx(stats.pearsonr(metric, people).statistic, abs=1e-9)
    assert system_spearman(metric, people) == pytest.approx(stats.spearmanr(metric, people).statistic, abs=1e-9)
    assert system_kendall(metric, people) == pytest.approx(stats.kendalltau(metric, people).statistic, abs=1e-9)


@given(two)
def test_pairwise_accuracy_equals_a_count_of_pairs(pair):
    metric, people = pair
    pairs = list(combinations(range(len(metric)), 2))
    concordant = [np.sign(metric[i] - metric[j]) == np.sign(people[i] - people[j]) for i, j in pairs]
    assert pairwise_accuracy(metric, people) == pytest.approx(np.mean(concordant))


@given(two, st.randoms(use_true_random=False))
def test_pairwise_differences_do_not_depend_on_the_order_of_systems(pair, dice):
    metric, people = pair
    if len(set(people)) < len(people):
        return
    order = list(range(len(metric)))
    dice.shuffle(order)
    differences, shuffled_differences = (
        pairwise_differences(metric, people),
        pairwise_differences(metric[order], people[order]),
    )
    assert sorted(zip(*map(np.ndarray.tolist, differences), strict=True)) == sorted(
        zip(*map(np.ndarray.tolist, shuffled_differences), strict=True)
    )
    assert (differences[1] >= 0).all()


def test_two_dimensional_input_gives_one_value_per_row():
    generator = np.random.default_rng(1)
    metric, people = generator.random((5, 6)), generator.random((5, 6))
    for figure in (system_pearson, system_spearman, system_kendall, pairwise_accuracy):
        expected = [float(figure(*rows)) for rows in zip(metric, people, strict=True)]
        assert figure(metric, people).tolist() == pytest.approx(expected)


@pytest.mark.published
def test_published_correlations_are_reproduced(data_folder):
    oracle = json.loads((data_folder.parent / "oracles/ratings/metric_vs_human.json").read_text())
    metric, people = np.asarray(oracle["metric"]), np.asarray(oracle["human_total"])
    assert float(system_pearson(metric, people)) == pytest.approx(oracle["pearson"], abs=1e-6)
    assert float(system_spearman(metric, people)) == pytest.approx(oracle["spearman"], abs=1e-6)
    assert float(system_kendall(metric, people)) == pytest.approx(oracle["kendall_tau_b"], abs=1e-6)
    metric_differences, human_differences = pairwise_differences(metric, people, "listed")
    assert metric_differences.tolist() == pytest.approx(oracle["pair_differentials_metric"])
    assert human_differences.tolist() == pytest.approx(oracle["pair_differentials_human"])
    assert float(system_pearson(metric_differences, human_differences)) == pytest.approx(
        oracle["pearson_differentials"], abs=1e-6
    )
