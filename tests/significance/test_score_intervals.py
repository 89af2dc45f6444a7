"""Intervals of scores: Fisher's in closed form, drawn ones, and where there is none."""

from __future__ import annotations

import json

import numpy as np
import pytest

from qe_desktop.metrics import SENTENCE_METRICS, families_of
from qe_desktop.metrics.correlation import GoldNumbers, Numbers
from qe_desktop.significance import grouped, intervals, resampled_scores, score_intervals
from qe_desktop.significance.score_intervals import fisher, is_drawn, usual_rounds


def rows_of(systems, gold, *names):
    metrics = [SENTENCE_METRICS[name] for name in names]
    pairs = [Numbers(np.asarray(system, float), GoldNumbers(np.asarray(gold, float))) for system in systems]
    rows = {family.name: np.stack([family.rows(pair) for pair in pairs]) for family in families_of(metrics)}
    return grouped(metrics, rows)


def noisy(seed, size=60):
    dice = np.random.default_rng(seed)
    gold = dice.normal(size=size)
    return [gold + dice.normal(size=size), dice.normal(size=size), np.ones(size)], gold


def test_drawn_ones_are_those_of_resampled_scores_and_undefined_scores_have_none():
    systems, gold = noisy(1)
    families = rows_of(systems, gold, "Pearson", "MAE")
    found = score_intervals(families, seed=3)
    drawn = intervals(resampled_scores(families, rounds=1000, seed=3))
    assert found["Pearson"][:2] == pytest.approx(drawn[0][:2])
    assert np.isnan(found["Pearson"][2]).all()
    assert found["MAE"] == pytest.approx(drawn[1])


def test_rounds_are_chosen_or_as_usual():
    systems, gold = noisy(1)
    families = rows_of(systems[:2], gold, "Pearson", "MAE")
    for rounds in (40, 1000):
        drawn = intervals(resampled_scores(families, rounds=rounds, seed=1))
        assert score_intervals(families, rounds=rounds)["MAE"] == pytest.approx(drawn[1])
    assert score_intervals(families)["MAE"] == pytest.approx(drawn[1])
    assert (usual_rounds(100_000), usual_rounds(100_001)) == (1000, 200)
    metrics = [SENTENCE_METRICS[name] for name in ("Pearson", "MAE", "Kendall")]
    assert [is_drawn(metric, "bootstrap") for metric in metrics] == [True, True, False]
    assert [is_drawn(metric, "fisher") for metric in metrics] == [False, True, False]


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
    assert fisher(np.array([1.0, -1.0]), np.array([9.0, 9.0])).tolist() == [[1, 1], [-1, -1]]
    assert np.isnan(fisher(np.array([0.5]), np.array([3.0]))).all()
