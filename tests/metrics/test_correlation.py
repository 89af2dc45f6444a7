"""Correlations and errors of one number a segment: the oracles, scipy, and what is undefined."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from qe_desktop.metrics import SENTENCE_METRICS, metric_families
from qe_desktop.metrics.scores.correlation import GoldNumbers, SystemNumbers, average_ranks, standardize

numbers = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 3))
pairs = st.lists(st.tuples(numbers, numbers), min_size=3, max_size=40).map(np.array)


def scores(system, gold):
    pair = SystemNumbers(np.asarray(system, float), GoldNumbers(np.asarray(gold, float)))
    totals = {one.name: one.rows(pair).sum(axis=0) for one in metric_families(SENTENCE_METRICS.values())}
    return {name: float(metric.score(totals[metric.family.name])) for name, metric in SENTENCE_METRICS.items()}


@pytest.mark.published
def test_correlations_of_the_oracle(data_folder):
    cases = json.loads((data_folder.parent / "oracles/sentences/correlations.json").read_text())["cases"]
    assert len(cases) == 5
    for case in cases:
        found = scores(case["x"], case["y"])
        assert found["Pearson"] == pytest.approx(case["pearson"][0], abs=1e-12)
        assert found["Spearman"] == pytest.approx(case["spearman"][0], abs=1e-12)
        assert found["MAE"] == pytest.approx(case["mae"], rel=1e-12)
        assert found["RMSE"] == pytest.approx(case["rmse"], rel=1e-12)


@given(pairs)
def test_they_are_scipys(pair):
    system, gold = pair.T
    found = scores(system, gold)
    assert found["MAE"] == pytest.approx(np.abs(system - gold).mean(), rel=1e-9)
    assert found["RMSE"] == pytest.approx(np.sqrt(((system - gold) ** 2).mean()), rel=1e-9)
    if len(set(system)) < 2 or len(set(gold)) < 2:
        assert np.isnan(found["Pearson"])
        assert np.isnan(found["Spearman"])
        return
    assert found["Spearman"] == pytest.approx(stats.spearmanr(system, gold).statistic, abs=1e-9)
    assert found["Pearson"] == pytest.approx(stats.pearsonr(system, gold).statistic, abs=1e-7)


@given(pairs, st.floats(0.001, 1000), numbers)
def test_a_correlation_is_the_same_on_any_scale(pair, scale, shift):
    system, gold = np.round(pair.T)
    before, after = scores(system, gold), scores(system * scale + shift, gold)
    assert after["Pearson"] == pytest.approx(before["Pearson"], abs=1e-6, nan_ok=True)


def test_numbers_far_from_naught_lose_no_digits():
    rng = np.random.default_rng(1)
    gold = rng.normal(size=500)
    system = 0.5 * gold + rng.normal(size=500)
    near, far = scores(system, gold), scores(system + 1e9, gold - 1e9)
    assert far["Pearson"] == pytest.approx(near["Pearson"], abs=1e-6)


def test_ranks_of_ties_are_their_mean():
    assert average_ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1, 3.5, 2]
    assert standardize(np.full(3, 0.1)).tolist() == [0, 0, 0]
    assert standardize(np.zeros(0)).tolist() == []


def test_what_is_undefined_says_so():
    constant = scores([0.1] * 5, range(5))
    assert np.isnan(constant["Pearson"])
    assert np.isnan(constant["Spearman"])
    assert constant["MAE"] == pytest.approx(1.94)
    assert all(np.isnan(value) for value in scores([], []).values())
    for name in ("Pearson", "Spearman"):
        assert "scores or gold are constant" in SENTENCE_METRICS[name].reason
    less = [name for name, metric in SENTENCE_METRICS.items() if metric.better < 0]
    assert less == ["MAE", "RMSE"]


@given(pairs, st.randoms(use_true_random=False))
def test_the_order_of_segments_does_not_matter(pair, random):
    order = list(range(len(pair)))
    random.shuffle(order)
    system, gold = pair.T
    one, other = scores(system, gold), scores(system[order], gold[order])
    for name, value in one.items():
        assert other[name] == pytest.approx(value, abs=1e-7, rel=1e-9, nan_ok=True)


@pytest.mark.parametrize("scale", [1e-200, 1e-90, 1e90])
def test_a_scale_that_is_far_from_one_changes_nothing(scale):
    dice = np.random.default_rng(8)
    gold = dice.normal(size=50)
    system = gold + dice.normal(size=50)
    assert scores(system * scale, gold)["Pearson"] == pytest.approx(scores(system, gold)["Pearson"], abs=1e-12)
