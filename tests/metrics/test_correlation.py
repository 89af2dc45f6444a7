"""Correlations and errors of one number per segment: oracles, scipy, and undefined scores."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from qe_desktop.metrics import SENTENCE_METRICS, metric_families
from qe_desktop.metrics.correlation import GoldNumbers, SystemNumbers, average_ranks, standardize

numbers = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 3))
pairs = st.lists(st.tuples(numbers, numbers), min_size=3, max_size=40).map(np.array)


def scores(system, gold):
    pair = SystemNumbers(np.asarray(system, float), GoldNumbers(np.asarray(gold, float)))
    totals = {family.name: family.rows(pair).sum(axis=0) for family in metric_families(SENTENCE_METRICS.values())}
    return {name: float(metric.score(totals[metric.family.name])) for name, metric in SENTENCE_METRICS.items()}


@pytest.mark.published
def test_correlations_and_errors_equal_the_oracle(data_folder):
    cases = json.loads((data_folder.parent / "oracles/sentences/correlations.json").read_text())["cases"]
    assert len(cases) == 5
    for case in cases:
        result = scores(case["x"], case["y"])
        assert result["Pearson"] == pytest.approx(case["pearson"][0], abs=1e-12)
        assert result["Spearman"] == pytest.approx(case["spearman"][0], abs=1e-12)
        assert result["MAE"] == pytest.approx(case["mae"], rel=1e-12)
        assert result["RMSE"] == pytest.approx(case["rmse"], rel=1e-12)


@given(pairs)
def test_correlations_equal_scipy_and_errors_equal_numpy(pair):
    system, gold = pair.T
    result = scores(system, gold)
    assert result["MAE"] == pytest.approx(np.abs(system - gold).mean(), rel=1e-9)
    assert result["RMSE"] == pytest.approx(np.sqrt(((system - gold) ** 2).mean()), rel=1e-9)
    if len(set(system)) < 2 or len(set(gold)) < 2:
        assert np.isnan(result["Pearson"])
        assert np.isnan(result["Spearman"])
        return
    assert result["Spearman"] == pytest.approx(stats.spearmanr(system, gold).statistic, abs=1e-9)
    assert result["Pearson"] == pytest.approx(stats.pearsonr(system, gold).statistic, abs=1e-7)


@given(pairs, st.floats(0.001, 1000), numbers)
def test_pearson_is_invariant_under_scale_and_shift(pair, scale, shift):
    system, gold = np.round(pair.T)
    before, after = scores(system, gold), scores(system * scale + shift, gold)
    assert after["Pearson"] == pytest.approx(before["Pearson"], abs=1e-6, nan_ok=True)


def test_pearson_of_values_far_from_zero_keeps_its_precision():
    rng = np.random.default_rng(1)
    gold = rng.normal(size=500)
    system = 0.5 * gold + rng.normal(size=500)
    near, far = scores(system, gold), scores(system + 1e9, gold - 1e9)
    assert far["Pearson"] == pytest.approx(near["Pearson"], abs=1e-6)


def test_tied_values_have_their_average_rank_and_constants_standardize_to_zero():
    assert average_ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1, 3.5, 2]
    assert standardize(np.full(3, 0.1)).tolist() == [0, 0, 0]
    assert standardize(np.zeros(0)).tolist() == []


def test_correlations_of_constants_and_scores_of_empty_input_are_undefined():
    constant = scores([0.1] * 5, range(5))
    assert np.isnan(constant["Pearson"])
    assert np.isnan(constant["Spearman"])
    assert constant["MAE"] == pytest.approx(1.94)
    assert all(np.isnan(value) for value in scores([], []).values())
    for name in ("Pearson", "Spearman"):
        assert "scores or gold are constant" in SENTENCE_METRICS[name].reason
    less = [name for name, metric in SENTENCE_METRICS.items() if metric.better < 0]
    assert less == ["MAE", "RMSE"]


@pytest.mark.parametrize("name", ["Pearson", "Spearman"])
def test_resamples_of_one_repeated_segment_score_zero(name):
    metric, dice = SENTENCE_METRICS[name], np.random.default_rng(3)
    for _ in range(100):
        pair = SystemNumbers(dice.normal(size=6), GoldNumbers(dice.normal(size=6)))
        rows = metric.family.rows(pair)
        # drawn one after the other, as in a resample: products have rounding errors
        totals = np.add.accumulate(np.repeat(rows, 7, axis=0).reshape(6, 7, -1), axis=1)[:, -1]
        assert np.isnan(metric.score(totals)).all()
        assert metric.finite_scores(totals).tolist() == [0.0] * 6


@given(pairs, st.randoms(use_true_random=False))
def test_segment_order_does_not_matter(pair, random):
    order = list(range(len(pair)))
    random.shuffle(order)
    system, gold = pair.T
    first, second = scores(system, gold), scores(system[order], gold[order])
    for name, value in first.items():
        assert second[name] == pytest.approx(value, abs=1e-7, rel=1e-9, nan_ok=True)


@pytest.mark.parametrize("scale", [1e-200, 1e-90, 1e90])
def test_pearson_is_unchanged_by_very_small_and_large_scales(scale):
    dice = np.random.default_rng(8)
    gold = dice.normal(size=50)
    system = gold + dice.normal(size=50)
    assert scores(system * scale, gold)["Pearson"] == pytest.approx(scores(system, gold)["Pearson"], abs=1e-12)
