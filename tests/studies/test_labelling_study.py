"""Study of trivial baselines: d as in a comparison, and the number of systems ranked lower."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import LayerKey, Provenance, QeError, TagColumn
from qe_desktop.levels.words import GAP_LEVEL, WORD_LEVEL
from qe_desktop.levels.words.tag_inputs import tags_from_python as given_tags
from qe_desktop.metrics import WORD_METRICS
from qe_desktop.report.labellings import LabellingsReport
from qe_desktop.significance import SignificanceOptions
from qe_desktop.studies.labelling_study import LabellingOptions, real_systems, study_labellings
from qe_desktop.studies.synthetic_labellings import LABELLINGS, make_labelling
from tests.small_corpora import noisy, random_tags, tags
from tests.tag_comparison import word_metrics

OPTIONS = LabellingOptions(SignificanceOptions(rounds=300, seed=5))


def scoring_of(systems=6, segments=80, level=WORD_LEVEL):
    gold = random_tags(np.random.default_rng(2).integers(4, 15, segments), 0.2, 3)
    system_tags = {f"s{number}": noisy(gold, 0.05 + 0.07 * number, number) for number in range(systems)}
    return given_tags(level, gold, system_tags), gold, system_tags


@pytest.mark.parametrize("level", [WORD_LEVEL, GAP_LEVEL])
def test_study_equals_a_comparison_and_the_scores_of_each_labelling(level):
    scoring, gold, system_tags = scoring_of(level=level)
    metrics = list(WORD_METRICS.values())
    study = study_labellings(scoring, metrics, replace(OPTIONS, draws=3))
    compared = scoring.compare(metrics, OPTIONS.comparison)
    for index, metric in enumerate(compared.metrics):
        np.testing.assert_array_equal(study.distinctions[index], [metric.d, metric.d_top, metric.d_bottom])
        np.testing.assert_array_equal(study.order[index], metric.order)
        low, high = study.distinction_ranges[index].T
        assert (low <= study.distinctions[index]).all()
        assert (high >= study.distinctions[index]).all()
    for metric in study.labellings:
        assert metric.draws == (1 if metric.name in ("all-BAD", "all-OK") else 3)
        for draw in range(metric.draws):
            scores = given_tags(level, gold, {"made": make_labelling(gold, metric.name, 5, draw)}).scores(metrics)[0]
            np.testing.assert_allclose(metric.scores[:, draw], scores, rtol=1e-12)
            system_scores = given_tags(level, gold, system_tags).scores(metrics)
            # none of these metrics is an error rate, and undefined scores count as 0
            lower = (np.nan_to_num(system_scores) < np.nan_to_num(scores) - 1e-12).sum(axis=0)
            np.testing.assert_array_equal(metric.lower_counts[:, draw], lower)


def test_known_weaknesses_of_metrics_are_found():
    """F1-mult ranks no system below a baseline of one class; phr-F1-BAD as defined in the paper favours all-BAD."""
    scoring, *_ = scoring_of()
    study = study_labellings(scoring, word_metrics(["F1-mult", "phr-F1-BAD", "recall-BAD"]), OPTIONS)
    lower = {labelling.name: labelling.lower_counts[:, 0].tolist() for labelling in study.labellings}
    assert lower["all-BAD"][0] == lower["all-OK"][0] == 0
    assert lower["all-BAD"][1] > 0
    assert lower["all-BAD"][2] == 6
    assert study.totals[2] == sum(counts[2] for counts in lower.values())


def test_equal_scores_do_not_count_as_lower():
    gold = tags("oboo", "bbo")
    systems = {"same": gold, "all": TagColumn(np.ones(7, np.uint8), gold.offsets)}
    study = study_labellings(given_tags(WORD_LEVEL, gold, systems), word_metrics(["F1-BAD", "recall-BAD"]), OPTIONS)
    assert study.labellings[0].lower_counts.tolist() == [[0], [0]]


def test_intervals_are_reproducible_and_contain_the_observed_values():
    scoring, *_ = scoring_of()
    metrics = word_metrics(["MCC", "SeqCor", "F1-BAD"])
    options = replace(OPTIONS, intervals=True, interval_rounds=200)
    study, again = (study_labellings(scoring, metrics, options) for _ in range(2))
    for labelling, same in zip(study.labellings, again.labellings, strict=True):
        np.testing.assert_array_equal(labelling.score_intervals, same.score_intervals)
        low, high = labelling.lower_intervals.T
        assert ((low <= labelling.lower_counts[:, 0]) & (labelling.lower_counts[:, 0] <= high)).all()
        known = ~np.isnan(labelling.scores[:, 0])
        assert (np.isnan(labelling.score_intervals).any(axis=1) == ~known).all()
        low, high = labelling.score_intervals[known].T
        assert ((low <= labelling.scores[known, 0] + 0.02) & (labelling.scores[known, 0] <= high + 0.02)).all()


def test_whole_documents_are_permuted_and_resampled():
    from qe_desktop.corpus import Documents

    scoring, gold, _ = scoring_of()
    documents = Documents(("a", "b", "c", "d", "e", "f", "g", "h"), np.arange(len(gold)) // 10)
    options = LabellingOptions(
        SignificanceOptions(rounds=300, seed=5, unit="document"), intervals=True, interval_rounds=100
    )
    metrics = word_metrics(["MCC"])
    study = study_labellings(scoring.with_documents(documents), metrics, options)
    assert study.comparison.units == 8
    assert study.comparison.exact
    np.testing.assert_array_equal(study.distinction_ranges[..., 0], study.distinctions)
    with pytest.raises(QeError, match="documents"):
        study_labellings(scoring, metrics, options)


@pytest.mark.parametrize("gold", ["ooo", "bbb", "", "o"])
def test_gold_of_one_class_leaves_d_undefined_with_a_note(gold):
    column = tags(gold, gold)
    systems = {name: noisy(column, 0.4, seed) for seed, name in enumerate("abc")}
    scoring = given_tags(WORD_LEVEL, column, systems)
    study = study_labellings(scoring, list(WORD_METRICS.values()), OPTIONS)
    assert np.isnan(study.distinctions).all()
    report = LabellingsReport.build(scoring, study)
    assert any("all OK or all BAD" in note for note in report.notes())
    assert {metric_json["d"] for metric_json in report.json()["metrics"].values()} == {None}
    assert all(table.text() for table in report.tables())


def test_single_system_has_no_d_but_is_compared_with_labellings():
    scoring, *_ = scoring_of(systems=1)
    study = study_labellings(scoring, word_metrics(["F1-BAD"]), OPTIONS)
    report = LabellingsReport.build(scoring, study)
    assert any("undefined because there is only one system" in note for note in report.notes())
    metric_json = report.json()["metrics"]["F1-BAD"]
    assert (metric_json["d"], metric_json["d_top"], metric_json["d_bottom"], metric_json["order"]) == (
        None,
        None,
        None,
        ["s0"],
    )
    assert set(metric_json["labellings"]) == set(LABELLINGS)
    assert report.tables()[0].text()


def test_synthetic_labellings_are_left_out_of_the_systems():
    scoring, gold, _ = scoring_of(systems=2)
    synthetic_key = LayerKey(Provenance.SYSTEM, "synthetic-random-2", WORD_LEVEL.tags)
    extended = replace(scoring, subjects=(*scoring.subjects, synthetic_key))
    real, excluded = real_systems(extended)
    assert (real.subjects, excluded) == (scoring.subjects, ("synthetic-random-2",))
    with pytest.raises(QeError, match="trivial baselines"):
        real_systems(replace(scoring, subjects=(synthetic_key,)))
    assert len(gold) == 80


def test_range_of_d_has_a_note_only_if_there_is_one():
    """Few rounds leave p uncertain, so d has a range; two clearly different systems have none."""
    scoring, *_ = scoring_of()
    uncertain, certain = (
        LabellingsReport.build(
            scores, study_labellings(scores, word_metrics(["F1-BAD"]), LabellingOptions(SignificanceOptions(rounds=r)))
        )
        for scores, r in ((scoring, 20), (replace(scoring, subjects=(scoring.subjects[0], scoring.subjects[5])), 2000))
    )
    assert any("Monte Carlo" in note for note in uncertain.notes())
    assert "[" in str(uncertain.tables()[0].rows[0][1])
    assert not any("Monte Carlo" in note for note in certain.notes())
    assert certain.tables()[0].rows[0][1:4] == ("1.00", "–", "–")


def test_report_has_columns_tables_and_json():
    scoring, *_ = scoring_of()
    metrics = word_metrics(["MCC", "phr-F1-BAD"])
    study = study_labellings(scoring, metrics, replace(OPTIONS, draws=4, intervals=True, interval_rounds=100))
    report = LabellingsReport.build(scoring, study, ("a remark",))
    ds, labellings, order = report.columns()
    assert len(ds.rows) == 2
    assert len(labellings.rows) == 2 * 5
    assert len(order.rows) == 2 * 6
    first = dict(zip(labellings.header, labellings.rows[3], strict=True))
    assert (first["metric"], first["baseline"], first["repetitions"]) == ("MCC", "pessimistic", 4)
    assert first["ranked below min"] <= first["ranked below"] <= first["ranked below max"]
    table = report.with_pair("en-de").tables()[0]
    assert table.title.startswith("en-de. ")
    assert table.header == ("metric", "d", "d_top", "d_bottom", *LABELLINGS, "total")
    assert "a remark" in table.notes
    labelling_json = report.json()["metrics"]["MCC"]["labellings"]["random"]
    assert (
        labelling_json["rated_lower_range"][0]
        <= labelling_json["rated_lower"]
        <= labelling_json["rated_lower_range"][1]
    )
    assert len(labelling_json["score_interval"]) == 2


def test_single_segment_has_no_intervals_and_a_note():
    scoring, _, _ = scoring_of(segments=1)
    study = study_labellings(scoring, word_metrics(["F1-BAD"]), replace(OPTIONS, intervals=True))
    assert study.interval_rounds == 0
    assert all(labelling.score_intervals is None for labelling in study.labellings)
    note = "There is only one segment or document to resample, so there are no intervals."
    assert note in LabellingsReport.build(scoring, study).notes()
