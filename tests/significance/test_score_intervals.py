"""Intervals of scores: Fisher's in closed form, drawn ones, and where there is none."""

from __future__ import annotations

import json

import numpy as np
import pytest

from qe_desktop.metrics import SENTENCE_METRICS, WORD_METRICS, metric_families
from qe_desktop.metrics.scores.correlation import GoldNumbers, SystemNumbers
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
from tests.significance.simulated import tag_corpora


def rows_of(systems, gold, *names):
    metrics = [SENTENCE_METRICS[name] for name in names]
    pairs = [SystemNumbers(np.asarray(system, float), GoldNumbers(np.asarray(gold, float))) for system in systems]
    rows = {family.name: np.stack([family.rows(pair) for pair in pairs]) for family in metric_families(metrics)}
    return group_by_family(metrics, rows)


def noisy(seed, size=60):
    dice = np.random.default_rng(seed)
    gold = dice.normal(size=size)
    return [gold + dice.normal(size=size), dice.normal(size=size), np.ones(size)], gold


def test_drawn_ones_are_those_of_resampled_scores_and_undefined_scores_have_none():
    systems, gold = noisy(1)
    families = rows_of(systems, gold, "Pearson", "MAE")
    found = score_intervals(families, seed=3)
    drawn = percentile_intervals(resampled_scores(families, rounds=1000, seed=3))
    assert found["Pearson"][:2] == pytest.approx(drawn[0][:2])
    assert np.isnan(found["Pearson"][2]).all()
    assert found["MAE"] == pytest.approx(drawn[1])


def test_rounds_are_chosen_or_as_usual():
    systems, gold = noisy(1)
    families = rows_of(systems[:2], gold, "Pearson", "MAE")
    for rounds in (40, 1000):
        drawn = percentile_intervals(resampled_scores(families, rounds=rounds, seed=1))
        assert score_intervals(families, rounds=rounds)["MAE"] == pytest.approx(drawn[1])
    assert score_intervals(families)["MAE"] == pytest.approx(drawn[1])
    assert (default_interval_rounds(100_000), default_interval_rounds(100_001)) == (1000, 200)
    metrics = [SENTENCE_METRICS[name] for name in ("Pearson", "MAE", "Kendall")]
    assert [is_resampled(metric, "bootstrap") for metric in metrics] == [True, True, False]
    assert [is_resampled(metric, "fisher") for metric in metrics] == [False, True, False]


def test_metrics_of_pairs_of_segments_have_none():
    systems, gold = noisy(2)
    found = score_intervals(rows_of(systems, gold, "Kendall", "DeltaAvg", "RMSE"))
    assert np.isnan(found["Kendall"]).all()
    assert np.isnan(found["DeltaAvg"]).all()
    assert np.isfinite(found["RMSE"]).all()


@pytest.mark.published
def test_fisher_is_the_oracles(data_folder):
    cases = json.loads((data_folder.parent / "oracles/sentences/correlations.json").read_text())["cases"]
    for case in cases:
        found = score_intervals(rows_of([case["x"]], case["y"], "Pearson", "Spearman"), way="fisher")
        assert found["Pearson"][0] == pytest.approx(case["fisher_ci95"], abs=1e-5)
        assert found["Spearman"][0].tolist() != pytest.approx(case["fisher_ci95"], abs=1e-5)


def test_fisher_at_the_ends():
    assert fisher_intervals(np.array([1.0, -1.0]), np.array([9.0, 9.0])).tolist() == [[1, 1], [-1, -1]]
    assert np.isnan(fisher_intervals(np.array([0.5]), np.array([3.0]))).all()


def test_bca_is_scipys():
    from scipy import stats

    systems, gold = noisy(4)
    family = rows_of(systems[:2], gold, "Pearson")[0]
    metric = family.metrics[0]
    for system, rows in enumerate(family.rows):

        def score(places, axis, rows=rows):
            return metric.score(rows[places.astype(int)].sum(axis=-2))

        places = (np.arange(len(rows)),)
        theirs = stats.bootstrap(places, score, n_resamples=500, vectorized=True, method="BCa", rng=7)
        accelerated = jackknife_accelerations(metric, family.rows)[system]
        ours = bca_intervals(theirs.bootstrap_distribution, metric.score(rows.sum(axis=0)), np.asarray(accelerated))
        assert ours.tolist() == pytest.approx([theirs.confidence_interval.low, theirs.confidence_interval.high])


def test_bca_is_the_percentiles_where_nothing_is_biased_or_skewed():
    drawn = np.random.default_rng(1).normal(size=999)
    drawn = np.concatenate([drawn, -drawn])
    ours = bca_intervals(drawn, np.asarray(0.0), np.asarray(0.0))
    assert ours.tolist() == pytest.approx(percentile_intervals(drawn).tolist())


def test_bca_of_what_is_constant_or_beyond_all_rounds():
    constant = bca_intervals(np.zeros((2, 100)), np.zeros(2), np.zeros(2))
    assert constant.tolist() == [[0, 0], [0, 0]]
    drawn = np.linspace(0, 1, 101)
    beyond = bca_intervals(np.stack([drawn, drawn]), np.array([-1.0, 2.0]), np.zeros(2))
    assert np.isfinite(beyond).all()
    assert beyond[0, 1] < 0.1
    assert beyond[1, 0] > 0.9
    some = np.where(np.arange(101) < 60, np.nan, drawn)
    assert np.isnan(bca_intervals(some, np.asarray(0.5), np.asarray(0.0))).all()


def test_accelerations_in_pieces_and_of_large_skewness(monkeypatch):
    rows = tag_corpora(np.random.default_rng(2), 3, 50)
    whole = jackknife_accelerations(WORD_METRICS["MCC"], rows)
    monkeypatch.setattr("qe_desktop.significance.bootstrap.MAX_JACKKNIFE_CELLS", 28)
    assert jackknife_accelerations(WORD_METRICS["MCC"], rows) == pytest.approx(whole)
    assert (whole != 0).all()
    # an end that the acceleration turns round stays the end
    low, high = bca_intervals(np.linspace(0, 1, 101), np.asarray(0.5), np.asarray(0.9))
    assert 0 <= low < 0.5 < high == 1


def test_intervals_by_bca_are_those_of_the_same_rounds():
    families = [FamilyRows(tag_corpora(np.random.default_rng(5), 4, 60), (WORD_METRICS["MCC"], WORD_METRICS["F1-BAD"]))]
    found = score_intervals(families, way="bca", seed=9)
    plain = score_intervals(families, seed=9)
    assert list(found) == list(plain) == ["MCC", "F1-BAD"]
    for name, ends in found.items():
        assert (ends != plain[name]).any()
        assert ends == pytest.approx(plain[name], abs=0.05)


@pytest.mark.parametrize("way", ["bootstrap", "bca", "fisher"])
def test_one_unit_has_no_interval(way):
    one = FamilyRows(tag_corpora(np.random.default_rng(5), 2, 1), (WORD_METRICS["accuracy"],))
    assert np.isnan(score_intervals([one], way=way)["accuracy"]).all()
    two = FamilyRows(tag_corpora(np.random.default_rng(5), 2, 2), (WORD_METRICS["accuracy"],))
    assert np.isfinite(score_intervals([two], way=way)["accuracy"]).all()
