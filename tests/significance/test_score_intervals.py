"""Confidence intervals of scores: Fisher's, bootstrap percentiles, BCa, and undefined ones."""

from __future__ import annotations

import json

import numpy as np
import pytest

from qe_desktop.metrics import SENTENCE_METRICS, WORD_METRICS, metric_families
from qe_desktop.metrics.correlation import GoldNumbers, SystemNumbers
from qe_desktop.significance import (
    FamilyRows,
    bca_intervals,
    group_by_family,
    jackknife_accelerations,
    percentile_intervals,
    resampled_scores,
    score_intervals,
)
from qe_desktop.significance.score_intervals import default_interval_rounds, fisher_intervals, is_resampled
from tests.significance.simulated_data import tag_corpora


def rows_of(systems, gold, *names):
    metrics = [SENTENCE_METRICS[name] for name in names]
    pairs = [SystemNumbers(np.asarray(system, float), GoldNumbers(np.asarray(gold, float))) for system in systems]
    rows = {family.name: np.stack([family.rows(pair) for pair in pairs]) for family in metric_families(metrics)}
    return group_by_family(metrics, rows)


def noisy(seed, size=60):
    dice = np.random.default_rng(seed)
    gold = dice.normal(size=size)
    return [gold + dice.normal(size=size), dice.normal(size=size), np.ones(size)], gold


def test_bootstrap_intervals_are_percentiles_and_undefined_scores_have_none():
    systems, gold = noisy(1)
    families = rows_of(systems, gold, "Pearson", "MAE")
    intervals = score_intervals(families, seed=3)
    resampled = percentile_intervals(resampled_scores(families, rounds=1000, seed=3))
    assert intervals["Pearson"][:2] == pytest.approx(resampled[0][:2])
    assert np.isnan(intervals["Pearson"][2]).all()
    assert intervals["MAE"] == pytest.approx(resampled[1])


def test_interval_rounds_are_given_or_default():
    systems, gold = noisy(1)
    families = rows_of(systems[:2], gold, "Pearson", "MAE")
    for rounds in (40, 1000):
        resampled = percentile_intervals(resampled_scores(families, rounds=rounds, seed=1))
        assert score_intervals(families, rounds=rounds)["MAE"] == pytest.approx(resampled[1])
    assert score_intervals(families)["MAE"] == pytest.approx(resampled[1])
    assert (default_interval_rounds(100_000), default_interval_rounds(100_001)) == (1000, 200)
    metrics = [SENTENCE_METRICS[name] for name in ("Pearson", "MAE", "Kendall")]
    assert [is_resampled(metric, "bootstrap") for metric in metrics] == [True, True, False]
    assert [is_resampled(metric, "fisher") for metric in metrics] == [False, True, False]


def test_metrics_of_segment_pairs_have_no_intervals():
    systems, gold = noisy(2)
    intervals = score_intervals(rows_of(systems, gold, "Kendall", "DeltaAvg", "RMSE"))
    assert np.isnan(intervals["Kendall"]).all()
    assert np.isnan(intervals["DeltaAvg"]).all()
    assert np.isfinite(intervals["RMSE"]).all()


@pytest.mark.published
def test_fisher_intervals_equal_the_oracle(data_folder):
    cases = json.loads((data_folder.parent / "oracles/sentences/correlations.json").read_text())["cases"]
    for case in cases:
        intervals = score_intervals(rows_of([case["x"]], case["y"], "Pearson", "Spearman"), method="fisher")
        assert intervals["Pearson"][0] == pytest.approx(case["fisher_ci95"], abs=1e-5)
        assert intervals["Spearman"][0].tolist() != pytest.approx(case["fisher_ci95"], abs=1e-5)


def test_fisher_intervals_of_perfect_correlations_and_too_few_segments():
    assert fisher_intervals(np.array([1.0, -1.0]), np.array([9.0, 9.0])).tolist() == [[1, 1], [-1, -1]]
    assert np.isnan(fisher_intervals(np.array([0.5]), np.array([3.0]))).all()


def test_bca_equals_scipy():
    from scipy import stats

    systems, gold = noisy(4)
    family = rows_of(systems[:2], gold, "Pearson")[0]
    metric = family.metrics[0]
    for system, rows in enumerate(family.rows):

        def score(places, axis, rows=rows):
            return metric.score(rows[places.astype(int)].sum(axis=-2))

        places = (np.arange(len(rows)),)
        scipy_result = stats.bootstrap(places, score, n_resamples=500, vectorized=True, method="BCa", rng=7)
        accelerated = jackknife_accelerations(metric, family.rows)[system]
        interval = bca_intervals(
            scipy_result.bootstrap_distribution, metric.score(rows.sum(axis=0)), np.asarray(accelerated)
        )
        assert interval.tolist() == pytest.approx(
            [scipy_result.confidence_interval.low, scipy_result.confidence_interval.high]
        )


def test_bca_without_bias_and_skew_equals_the_percentiles():
    resampled = np.random.default_rng(1).normal(size=999)
    resampled = np.concatenate([resampled, -resampled])
    interval = bca_intervals(resampled, np.asarray(0.0), np.asarray(0.0))
    assert interval.tolist() == pytest.approx(percentile_intervals(resampled).tolist())


def test_bca_of_constants_and_of_scores_outside_all_resamples():
    constant = bca_intervals(np.zeros((2, 100)), np.zeros(2), np.zeros(2))
    assert constant.tolist() == [[0, 0], [0, 0]]
    resampled = np.linspace(0, 1, 101)
    beyond = bca_intervals(np.stack([resampled, resampled]), np.array([-1.0, 2.0]), np.zeros(2))
    assert np.isfinite(beyond).all()
    assert beyond[0, 1] < 0.1
    assert beyond[1, 0] > 0.9
    some = np.where(np.arange(101) < 60, np.nan, resampled)
    assert np.isnan(bca_intervals(some, np.asarray(0.5), np.asarray(0.0))).all()


def test_accelerations_in_batches_and_of_large_skewness(monkeypatch):
    rows = tag_corpora(np.random.default_rng(2), 3, 50)
    whole = jackknife_accelerations(WORD_METRICS["MCC"], rows)
    monkeypatch.setattr("qe_desktop.significance.bootstrap.MAX_JACKKNIFE_CELLS", 28)
    assert jackknife_accelerations(WORD_METRICS["MCC"], rows) == pytest.approx(whole)
    assert (whole != 0).all()
    # an endpoint whose correction the acceleration reverses stays at the end
    low, high = bca_intervals(np.linspace(0, 1, 101), np.asarray(0.5), np.asarray(0.9))
    assert 0 <= low < 0.5 < high == 1


def test_bca_intervals_are_close_to_percentile_intervals():
    families = [FamilyRows(tag_corpora(np.random.default_rng(5), 4, 60), (WORD_METRICS["MCC"], WORD_METRICS["F1-BAD"]))]
    intervals = score_intervals(families, method="bca", seed=9)
    plain = score_intervals(families, seed=9)
    assert list(intervals) == list(plain) == ["MCC", "F1-BAD"]
    for name, ends in intervals.items():
        assert (ends != plain[name]).any()
        assert ends == pytest.approx(plain[name], abs=0.05)


@pytest.mark.parametrize("way", ["bootstrap", "bca", "fisher"])
def test_one_unit_has_no_interval(way):
    family_rows = FamilyRows(tag_corpora(np.random.default_rng(5), 2, 1), (WORD_METRICS["accuracy"],))
    assert np.isnan(score_intervals([family_rows], method=way)["accuracy"]).all()
    two = FamilyRows(tag_corpora(np.random.default_rng(5), 2, 2), (WORD_METRICS["accuracy"],))
    assert np.isfinite(score_intervals([two], method=way)["accuracy"]).all()
