"""Correlations over systems: scipy's values, pairs counted the slow way, and which way round differences are taken."""

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
def test_they_are_scipys(pair):
    metric, people = pair
    if len(set(metric)) < 2 or len(set(people)) < 2:
        assert all(np.isnan(figure(metric, people)) for figure in (system_pearson, system_spearman, system_kendall))
        return
    assert system_pearson(metric, people) == pytest.approx(stats.pearsonr(metric, people).statistic, abs=1e-9)
    assert system_spearman(metric, people) == pytest.approx(stats.spearmanr(metric, people).statistic, abs=1e-9)
    assert system_kendall(metric, people) == pytest.approx(stats.kendalltau(metric, people).statistic, abs=1e-9)


@given(two)
def test_pairs_are_those_counted_one_by_one(pair):
    metric, people = pair
    places = list(combinations(range(len(metric)), 2))
    alike = [np.sign(metric[i] - metric[j]) == np.sign(people[i] - people[j]) for i, j in places]
    assert pairwise_accuracy(metric, people) == pytest.approx(np.mean(alike))


@given(two, st.randoms(use_true_random=False))
def test_differences_ahead_do_not_depend_on_the_order_of_systems(pair, dice):
    metric, people = pair
    if len(set(people)) < len(people):
        return
    order = list(range(len(metric)))
    dice.shuffle(order)
    one, other = pairwise_differences(metric, people), pairwise_differences(metric[order], people[order])
    assert sorted(zip(*map(np.ndarray.tolist, one), strict=True)) == sorted(
        zip(*map(np.ndarray.tolist, other), strict=True)
    )
    assert (one[1] >= 0).all()


def test_draws_come_each_by_itself():
    dice = np.random.default_rng(1)
    metric, people = dice.random((5, 6)), dice.random((5, 6))
    for figure in (system_pearson, system_spearman, system_kendall, pairwise_accuracy):
        each = [float(figure(*one)) for one in zip(metric, people, strict=True)]
        assert figure(metric, people).tolist() == pytest.approx(each)


@pytest.mark.published
def test_the_oracle(data_folder):
    oracle = json.loads((data_folder.parent / "oracles/ratings/metric_vs_human.json").read_text())
    metric, people = np.asarray(oracle["metric"]), np.asarray(oracle["human_total"])
    assert float(system_pearson(metric, people)) == pytest.approx(oracle["pearson"], abs=1e-6)
    assert float(system_spearman(metric, people)) == pytest.approx(oracle["spearman"], abs=1e-6)
    assert float(system_kendall(metric, people)) == pytest.approx(oracle["kendall_tau_b"], abs=1e-6)
    ours, theirs = pairwise_differences(metric, people, "listed")
    assert ours.tolist() == pytest.approx(oracle["pair_differentials_metric"])
    assert theirs.tolist() == pytest.approx(oracle["pair_differentials_human"])
    assert float(system_pearson(ours, theirs)) == pytest.approx(oracle["pearson_differentials"], abs=1e-6)
