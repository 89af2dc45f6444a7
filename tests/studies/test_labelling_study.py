"""The study of labellings: d as a comparison has it, and systems counted that are rated lower."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import LayerKey, Provenance, QeError, TagColumn
from qe_desktop.levels.words import GAP_LEVEL, WORD_LEVEL
from qe_desktop.levels.words.python_tags import tags_from_python as given_tags
from qe_desktop.metrics import WORD_METRICS
from qe_desktop.report.labellings import LabellingsReport
from qe_desktop.significance import SignificanceOptions
from qe_desktop.studies.labellings.labelling_study import LabellingOptions, real_systems, study_labellings
from qe_desktop.studies.labellings.synthetic_labellings import LABELLINGS, make_labelling
from tests.building import noisy, random_tags, tags
from tests.comparing import word_metrics

OPTIONS = LabellingOptions(SignificanceOptions(rounds=300, seed=5))


def scoring_of(systems=6, segments=80, level=WORD_LEVEL):
    gold = random_tags(np.random.default_rng(2).integers(4, 15, segments), 0.2, 3)
    held = {f"s{place}": noisy(gold, 0.05 + 0.07 * place, place) for place in range(systems)}
    return given_tags(level, gold, held), gold, held


@pytest.mark.parametrize("level", [WORD_LEVEL, GAP_LEVEL])
def test_numbers_are_those_of_a_comparison_and_of_each_labelling_scored(level):
    scoring, gold, held = scoring_of(level=level)
    metrics = list(WORD_METRICS.values())
    study = study_labellings(scoring, metrics, replace(OPTIONS, draws=3))
    compared = scoring.compare(metrics, OPTIONS.comparison)
    for place, one in enumerate(compared.metrics):
        np.testing.assert_array_equal(study.distinctions[place], [one.d, one.d_top, one.d_bottom])
        np.testing.assert_array_equal(study.order[place], one.order)
        low, high = study.distinction_ranges[place].T
        assert (low <= study.distinctions[place]).all()
        assert (high >= study.distinctions[place]).all()
    for one in study.labellings:
        assert one.draws == (1 if one.name in ("all-BAD", "all-OK") else 3)
        for draw in range(one.draws):
            scores = given_tags(level, gold, {"made": make_labelling(gold, one.name, 5, draw)}).scores(metrics)[0]
            np.testing.assert_allclose(one.scores[:, draw], scores, rtol=1e-12)
            theirs = given_tags(level, gold, held).scores(metrics)
            # none of these is of an error, and what is undefined counts as 0
            lower = (np.nan_to_num(theirs) < np.nan_to_num(scores) - 1e-12).sum(axis=0)
            np.testing.assert_array_equal(one.lower[:, draw], lower)


def test_what_is_known_of_metrics_shows():
    """F1-mult knows no system that has one class only; phr-F1-BAD, as the paper reads, likes all-BAD."""
    scoring, *_ = scoring_of()
    study = study_labellings(scoring, word_metrics(["F1-mult", "phr-F1-BAD", "recall-BAD"]), OPTIONS)
    lower = {one.name: one.lower[:, 0].tolist() for one in study.labellings}
    assert lower["all-BAD"][0] == lower["all-OK"][0] == 0
    assert lower["all-BAD"][1] > 0
    assert lower["all-BAD"][2] == 6
    assert study.totals[2] == sum(counts[2] for counts in lower.values())


def test_equal_scores_are_not_lower():
    gold = tags("oboo", "bbo")
    systems = {"same": gold, "all": TagColumn(np.ones(7, np.uint8), gold.offsets)}
    study = study_labellings(given_tags(WORD_LEVEL, gold, systems), word_metrics(["F1-BAD", "recall-BAD"]), OPTIONS)
    assert study.labellings[0].lower.tolist() == [[0], [0]]


def test_intervals_hold_what_was_seen_and_are_the_same_again():
    scoring, *_ = scoring_of()
    metrics = word_metrics(["MCC", "SeqCor", "F1-BAD"])
    options = replace(OPTIONS, intervals=True, interval_rounds=200)
    study, again = (study_labellings(scoring, metrics, options) for _ in range(2))
    for one, same in zip(study.labellings, again.labellings, strict=True):
        np.testing.assert_array_equal(one.score_intervals, same.score_intervals)
        low, high = one.lower_intervals.T
        assert ((low <= one.lower[:, 0]) & (one.lower[:, 0] <= high)).all()
        known = ~np.isnan(one.scores[:, 0])
        assert (np.isnan(one.score_intervals).any(axis=1) == ~known).all()
        low, high = one.score_intervals[known].T
        assert ((low <= one.scores[known, 0] + 0.02) & (one.scores[known, 0] <= high + 0.02)).all()


def test_documents_are_swapped_and_drawn_as_wholes():
    from qe_desktop.corpus import Documents

    scoring, gold, _ = scoring_of()
    documents = Documents(("a", "b", "c", "d", "e", "f", "g", "h"), np.arange(len(gold)) // 10)
    options = LabellingOptions(
        SignificanceOptions(rounds=300, seed=5, unit="document"), intervals=True, interval_rounds=100
    )
    metrics = word_metrics(["MCC"])
    study = study_labellings(scoring.in_documents(documents), metrics, options)
    assert study.comparison.units == 8
    assert study.comparison.exact
    np.testing.assert_array_equal(study.distinction_ranges[..., 0], study.distinctions)
    with pytest.raises(QeError, match="documents"):
        study_labellings(scoring, metrics, options)


@pytest.mark.parametrize("gold", ["ooo", "bbb", "", "o"])
def test_one_class_alone_leaves_d_undefined_and_says_so(gold):
    column = tags(gold, gold)
    systems = {name: noisy(column, 0.4, seed) for seed, name in enumerate("abc")}
    scoring = given_tags(WORD_LEVEL, column, systems)
    study = study_labellings(scoring, list(WORD_METRICS.values()), OPTIONS)
    assert np.isnan(study.distinctions).all()
    report = LabellingsReport.made(scoring, study)
    assert any("all OK or all BAD" in note for note in report.notes())
    assert {one["d"] for one in report.json()["metrics"].values()} == {None}
    assert all(table.text() for table in report.tables())


def test_one_system_has_no_d_but_is_set_beside_labellings():
    scoring, *_ = scoring_of(systems=1)
    study = study_labellings(scoring, word_metrics(["F1-BAD"]), OPTIONS)
    report = LabellingsReport.made(scoring, study)
    assert any("undefined for one system" in note for note in report.notes())
    found = report.json()["metrics"]["F1-BAD"]
    assert (found["d"], found["d_top"], found["d_bottom"], found["order"]) == (None, None, None, ["s0"])
    assert set(found["labellings"]) == set(LABELLINGS)
    assert report.tables()[0].text()


def test_synthetic_files_are_no_systems():
    scoring, gold, _ = scoring_of(systems=2)
    made = LayerKey(Provenance.SYSTEM, "synthetic-random-2", WORD_LEVEL.tags)
    more = replace(scoring, subjects=(*scoring.subjects, made))
    kept, left = real_systems(more)
    assert (kept.subjects, left) == (scoring.subjects, ("synthetic-random-2",))
    with pytest.raises(QeError, match="synthetic"):
        real_systems(replace(scoring, subjects=(made,)))
    assert len(gold) == 80


def test_the_range_of_d_is_explained_where_there_is_one():
    """Few rounds leave p in doubt; between two systems, of which neither half has a pair, there may be none."""
    scoring, *_ = scoring_of()
    doubtful, sure = (
        LabellingsReport.made(
            one, study_labellings(one, word_metrics(["F1-BAD"]), LabellingOptions(SignificanceOptions(rounds=r)))
        )
        for one, r in ((scoring, 20), (replace(scoring, subjects=(scoring.subjects[0], scoring.subjects[5])), 2000))
    )
    assert any("Monte Carlo" in note for note in doubtful.notes())
    assert "[" in str(doubtful.tables()[0].rows[0][1])
    assert not any("Monte Carlo" in note for note in sure.notes())
    assert sure.tables()[0].rows[0][1:4] == ("1.00", "–", "–")


def test_every_form_of_the_report():
    scoring, *_ = scoring_of()
    metrics = word_metrics(["MCC", "phr-F1-BAD"])
    study = study_labellings(scoring, metrics, replace(OPTIONS, draws=4, intervals=True, interval_rounds=100))
    report = LabellingsReport.made(scoring, study, ("a remark",))
    ds, made, order = report.columns()
    assert len(ds.rows) == 2
    assert len(made.rows) == 2 * 5
    assert len(order.rows) == 2 * 6
    first = dict(zip(made.header, made.rows[3], strict=True))
    assert (first["metric"], first["labelling"], first["draws"]) == ("MCC", "pessimistic", 4)
    assert first["rated lower min"] <= first["rated lower"] <= first["rated lower max"]
    table = report.of_pair("en-de").tables()[0]
    assert table.title.startswith("en-de. ")
    assert table.header == ("metric", "d", "d_top", "d_bottom", *LABELLINGS, "total")
    assert "a remark" in table.notes
    found = report.json()["metrics"]["MCC"]["labellings"]["random"]
    assert found["rated_lower_range"][0] <= found["rated_lower"] <= found["rated_lower_range"][1]
    assert len(found["score_interval"]) == 2


def test_one_segment_has_no_intervals_and_a_note_says_so():
    scoring, _, _ = scoring_of(segments=1)
    study = study_labellings(scoring, word_metrics(["F1-BAD"]), replace(OPTIONS, intervals=True))
    assert study.interval_rounds == 0
    assert all(one.score_intervals is None for one in study.labellings)
    note = "There is only one segment or document to resample, so there are no intervals."
    assert note in LabellingsReport.made(scoring, study).notes()
