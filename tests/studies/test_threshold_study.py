"""Threshold studies compared with tags computed at each threshold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import QeError, TagColumn
from qe_desktop.levels.words import WORD_LEVEL
from qe_desktop.levels.words.tag_inputs import tags_from_python as given_tags
from qe_desktop.metrics import WORD_METRICS, compute_rows, compute_totals, metric_families
from qe_desktop.report.thresholds import ThresholdsReport
from qe_desktop.significance import bootstrap_weights
from qe_desktop.studies import threshold_study, threshold_sweep
from qe_desktop.studies.threshold_study import ThresholdData, WordScores, study_thresholds
from qe_desktop.studies.threshold_sweep import ThresholdPositions, threshold_rows
from tests.small_corpora import random_tags, tags
from tests.tag_comparison import word_metrics

METRICS = list(WORD_METRICS.values())
segments = st.lists(st.lists(st.tuples(st.integers(0, 1), st.integers(-3, 3)), max_size=8), max_size=8)


def columns(rows):
    gold = TagColumn.of([[tag for tag, _ in segment] for segment in rows])
    return gold, np.asarray([number for segment in rows for _, number in segment], float) / 4


def tags_above(gold, numbers, threshold):
    return TagColumn((numbers > threshold).astype(np.uint8), gold.offsets)


def simulated_scores(segments=60, seed=3, distinct=None):
    """Return gold tags, and scores that are higher for BAD words."""
    generator = np.random.default_rng(seed)
    gold = random_tags(generator.integers(0, 12, segments), 0.25, seed)
    numbers = np.clip(generator.normal(0.35 + 0.25 * gold.values, 0.2), 0.001, 0.999)
    return gold, numbers if distinct is None else (numbers * distinct).round() / distinct


@given(segments, st.integers(1, 40))
def test_totals_at_every_threshold_equal_a_recount(corpus_data, block):
    gold, numbers = columns(corpus_data)
    families = metric_families(METRICS)
    positions = ThresholdPositions.of(numbers)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threshold_sweep, "BLOCK_WORDS", block)
        totals_by_family = {name: steps.totals() for name, steps in threshold_rows(families, gold, positions).items()}
    assert len(positions.thresholds) == len(set(numbers.tolist())) + 1
    assert (np.diff(positions.thresholds) < 0).all()
    for index, threshold in enumerate(positions.thresholds):
        system = tags_above(gold, numbers, threshold)
        assert positions.position_of(threshold) == index
        for name, totals in compute_totals(families, gold, [system]).items():
            np.testing.assert_allclose(totals_by_family[name][index], totals[0], atol=1e-9)


def test_scores_equal_those_of_tags_at_any_threshold():
    gold, numbers = simulated_scores()
    study = study_thresholds(ThresholdData(gold, {"s": WordScores(numbers, probabilities=True)}), METRICS, rounds=40)
    sweep = study.systems[0].sweep
    for threshold in (-1, 0, 0.1, 0.123456, 0.5, float(numbers[7]), float(numbers.max()), 2):
        system = tags_above(gold, numbers, threshold)
        expected = given_tags(WORD_LEVEL, gold, {"s": system}).scores(METRICS)[0]
        np.testing.assert_allclose(sweep.scores_at(threshold), expected, atol=1e-9)
    for best, scores in zip(study.systems[0].best, sweep.scores, strict=True):
        assert best.score == pytest.approx(np.nanmax(np.nan_to_num(scores)))
        index = sweep.positions.position_of(best.threshold)
        assert best.bad_share == pytest.approx(np.mean(numbers > best.threshold))
        assert (np.nan_to_num(scores[:index]) < best.score).all()


@pytest.mark.parametrize("max_thresholds", [1000, 7])
def test_intervals_are_quantiles_of_best_thresholds_of_resamples(monkeypatch, max_thresholds):
    """The reference computes each resample separately: weights times the rows of each threshold."""
    monkeypatch.setattr(threshold_study, "MAX_THRESHOLDS", max_thresholds)
    gold, numbers = simulated_scores(25, distinct=20)
    metrics, rounds = word_metrics(["F1-mult", "SeqCor", "phr-F1-BAD-bounded"]), 60
    study = study_thresholds(ThresholdData(gold, {"s": WordScores(numbers)}), metrics, seed=4, rounds=rounds)
    every = ThresholdPositions.of(numbers).thresholds
    tried = every[np.unique(np.linspace(0, len(every) - 1, min(len(every), max_thresholds)).round().astype(int))]
    rows = compute_rows(metric_families(metrics), gold, [tags_above(gold, numbers, threshold) for threshold in tried])
    weights = np.concatenate([block for _, block in bootstrap_weights(rounds, 4, len(gold))])
    for metric, best in zip(metrics, study.systems[0].best, strict=True):
        drawn = np.einsum("rs,tsc->rtc", weights, rows[metric.family.name])
        scores = metric.finite_scores(drawn)
        chosen = tried[np.argmax(scores >= scores.max(axis=1, keepdims=True) - 1e-12, axis=1)]
        np.testing.assert_allclose(best.interval, np.quantile(chosen, [0.025, 0.975]), atol=1e-12)


def test_thresholds_tuned_on_dev_data_are_scored_on_test_data():
    (gold, numbers), (dev_gold, dev_numbers) = simulated_scores(seed=3), simulated_scores(seed=4)
    metrics = word_metrics(["F1-mult", "MCC"])
    study = study_thresholds(
        ThresholdData(gold, {"s": WordScores(numbers, probabilities=True)}),
        metrics,
        ThresholdData(dev_gold, {"s": WordScores(dev_numbers, probabilities=True), "more": WordScores(dev_numbers)}),
        rounds=40,
    )
    dev_study = study_thresholds(
        ThresholdData(dev_gold, {"s": WordScores(dev_numbers, probabilities=True)}), metrics, rounds=40
    )
    system = study.systems[0]
    assert system.tuned == dev_study.systems[0].best
    scoring = given_tags(WORD_LEVEL, gold, {"s": gold})
    report = ThresholdsReport.build(scoring, study)
    assert not any("optimistic" in note for note in report.notes())
    metrics_json = report.json()["systems"]["s"]["metrics"]
    for index, metric in enumerate(metrics):
        tagged = given_tags(WORD_LEVEL, gold, {"s": tags_above(gold, numbers, system.tuned[index].threshold)})
        score = tagged.scores([metric])[0, 0]
        assert metrics_json[metric.name]["score"] == pytest.approx(score)
        assert metrics_json[metric.name]["score"] <= metrics_json[metric.name]["best"]["score"] + 1e-12
        assert metrics_json[metric.name]["dev_score"] == pytest.approx(system.tuned[index].score)
    assert any("optimistic" in note for note in ThresholdsReport.build(scoring, dev_study).notes())
    assert "on dev" in report.tables()[1].header


@pytest.mark.parametrize("gold", ["ooo", "bbb", "", "o", "b"])
def test_gold_of_one_class_leaves_rankings_undefined_with_a_note(gold):
    column = tags(gold, gold)
    numbers = np.random.default_rng(1).random(len(column.values))
    study = study_thresholds(ThresholdData(column, {"s": WordScores(numbers)}), METRICS, rounds=40)
    report = ThresholdsReport.build(given_tags(WORD_LEVEL, column, {"s": column}), study, curves=True)
    assert any("all OK or all BAD" in note for note in report.notes())
    system_json = report.json()["systems"]["s"]
    assert (system_json["auc"], system_json["average_precision"], system_json["segments"]["auc"]) == (None, None, None)
    assert system_json["metrics"]["MCC"]["threshold"] is None
    assert any("MCC of s is the same at all thresholds" in note for note in report.notes())
    assert all(table.text() for table in report.tables())
    assert report.pictures()[0].startswith("<svg")


def test_constant_scores_are_reported():
    gold = tags("obo", "bbo")
    study = study_thresholds(
        ThresholdData(gold, {"s": WordScores(np.full(6, 0.2), probabilities=True)}), METRICS, rounds=40
    )
    system = study.systems[0]
    assert system.sweep.is_constant
    assert system.sweep.together.auc == 0.5
    np.testing.assert_array_equal(system.sweep.positions.thresholds, [0.2, 0.0])
    report = ThresholdsReport.build(given_tags(WORD_LEVEL, gold, {"s": gold}), study)
    assert any("the same score" in note for note in report.notes())
    assert any("F1-mult of s is the same at all thresholds" in note for note in report.notes())
    best = dict(zip([metric.name for metric in METRICS], system.best, strict=True))["F1-BAD"]
    assert (best.threshold, best.bad_share) == (0.0, 1.0)
    assert "below all scores" in report.tables()[1].text()


def test_invalid_or_mismatched_scores_are_refused():
    gold, numbers = simulated_scores()
    valid = ThresholdData(gold, {"s": WordScores(numbers)})
    for invalid_value in (np.nan, np.inf):
        broken = numbers.copy()
        broken[3] = invalid_value
        with pytest.raises(QeError, match="infinite or missing"):
            study_thresholds(ThresholdData(gold, {"s": WordScores(broken)}), METRICS)
        with pytest.raises(QeError, match="infinite or missing"):
            study_thresholds(valid, METRICS, ThresholdData(gold, {"s": WordScores(broken)}))
    with pytest.raises(QeError, match="but the gold has"):
        study_thresholds(ThresholdData(gold, {"s": WordScores(numbers[1:])}), METRICS)
    with pytest.raises(QeError, match="the tuning data have no word scores for s"):
        study_thresholds(valid, METRICS, ThresholdData(gold, {"other": WordScores(numbers)}))


def test_same_seed_gives_the_same_result_and_progress_is_reported():
    gold, numbers = simulated_scores()
    data = ThresholdData(gold, {"a": WordScores(numbers), "b": WordScores(-numbers)})
    shares = []
    first, again = (
        study_thresholds(data, METRICS, data, seed=6, rounds=50, on_progress=watch)
        for watch in (None, lambda done, total: shares.append(done / total))
    )
    for system, same_system in zip(first.systems, again.systems, strict=True):
        assert repr((system.best, system.tuned)) == repr((same_system.best, same_system.tuned))
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_single_segment_has_no_interval():
    gold, numbers = simulated_scores(segments=1)
    study = study_thresholds(ThresholdData(gold, {"s": WordScores(numbers, probabilities=True)}), METRICS, rounds=40)
    assert all(math.isnan(end) for best in study.systems[0].best for end in best.interval)


@pytest.mark.parametrize(("segments", "explained"), [(1, False), (8, True)])
def test_intervals_of_thresholds_are_explained_only_if_there_are_any(segments, explained):
    gold = random_tags(np.full(segments, 20), 0.4, 5)
    numbers = np.random.default_rng(5).random(len(gold.values))
    study = study_thresholds(ThresholdData(gold, {"qe": WordScores(numbers, True)}), word_metrics(["MCC"]), rounds=50)
    assert study.systems[0].best[0].threshold >= 0
    notes = ThresholdsReport(study).notes()
    assert any(note.startswith("Intervals of thresholds") for note in notes) is explained
