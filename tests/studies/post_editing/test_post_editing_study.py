"""Post-editing study: figures, highlights and skipping compared with plain loops."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import (
    Corpus,
    JobFile,
    Kind,
    Layer,
    LayerKey,
    Provenance,
    QeError,
    ReviewStatus,
    TagColumn,
    TextColumn,
    TextRole,
    TranslationJob,
    View,
)
from qe_desktop.levels.shared_task import read_corpora
from qe_desktop.metrics.tags.post_edit_tags import compare_post_edits, segment_hter
from qe_desktop.project import ReviewField, Session
from qe_desktop.report.post_editing import PostEditingReport
from qe_desktop.significance import BootstrapWeights
from qe_desktop.studies.post_editing.highlights import (
    character_rows,
    highlight_statistics,
    random_rows,
    statistics_of_totals,
)
from qe_desktop.studies.post_editing.post_editing_study import study_post_editing
from qe_desktop.studies.post_editing.reviewed_segments import (
    ReviewedEdits,
    count_reviewed_edits,
    line_text,
    select_reviewed,
)
from qe_desktop.studies.post_editing.skipping import MAX_CURVE_POINTS, Uncertainty, skipping_curve
from tests.small_corpora import random_tags, tags
from tests.studies.post_editing.reviewed_corpus import MT, POST_EDIT, RECORDED_VISITS, SOURCE, make_corpus, make_session


@pytest.fixture
def study():
    return study_post_editing(select_reviewed(make_session().view), RECORDED_VISITS, rounds=200)


def test_only_reviewed_segments_are_studied(study):
    assert study.reviewed.segments.tolist() == [0, 1, 2, 3]
    assert study.reviewed.post_edits == POST_EDIT[:4]
    assert study.reviewed.mts == MT[:4]
    assert study.reviewed.post_editors == ("ann",) * 4


def test_status_from_the_imported_file_does_not_count_as_review():
    column = TextColumn.of(list(MT))
    files = (JobFile("job.xlf", "/job.xlf", "xliff", b"", 0, 5),)
    job = TranslationJob(
        files, TextColumn.of(list(SOURCE)), column, np.array([2, 2, 0, 0, 0], np.uint8), np.zeros(5, bool)
    )
    opened = Session(replace(make_corpus(), job=job), person="ann")
    assert opened.view.status(0) is ReviewStatus.CONFIRMED
    with pytest.raises(QeError, match="No segment has been reviewed"):
        select_reviewed(opened.view)
    opened.reviewing.set({1: {ReviewField.TARGET: POST_EDIT[1], ReviewField.STATUS: ReviewStatus.CONFIRMED}})
    opened.reviewing.set({3: {ReviewField.STATUS: ReviewStatus.CONFIRMED}})
    reviewed = select_reviewed(opened.view)
    assert reviewed.segments.tolist() == [1, 3]
    assert reviewed.excluded_count == 1, "segment 0, whose MT is unknown"


def test_edits_belong_to_the_last_editor_and_times_to_each_visitor(study):
    rows = {(figures.segment, figures.person): figures for figures in study.statistics}
    assert list(rows) == [(0, "ann"), (1, "ann"), (2, "ann"), (3, "ann"), (3, "ben"), (4, "ann")]
    second = rows[1, "ann"]
    assert (second.visits, second.seconds, second.pauses, second.away) == (2, 30.0, 400.0, 30.0)
    assert second.keys[:2] == (9, 0)
    assert (second.edits, second.hter) == ((1, 0, 1, 0), 0.5)
    assert rows[3, "ann"].edits == (0, 0, 0, 1)
    assert rows[3, "ben"].edits == ()
    assert rows[4, "ann"].status is None
    assert math.isnan(rows[2, "ann"].seconds)


def test_words_per_hour_use_segments_with_a_post_edit_and_a_time(study):
    ann, ben, everybody = study.totals
    assert (ann.segments, ann.edited, ann.recorded) == (4, 2, 2)
    # three source words each, in 6 and 30 seconds; the 5 seconds on segment 5 led to no post-edit
    assert ann.words_an_hour == pytest.approx(6 / 36 * 3600)
    assert ann.seconds == 41.0
    assert math.isnan(ben.words_an_hour)
    assert everybody.words_an_hour == pytest.approx(9 / 40 * 3600)
    assert everybody.seconds == 45.0
    assert everybody.edits == (1, 0, 1, 1)


def test_undone_review_and_unknown_system_are_refused():
    opened = make_session()
    while opened.undo() is not None:
        pass
    with pytest.raises(QeError, match="No segment has been reviewed"):
        select_reviewed(opened.view)
    with pytest.raises(QeError, match="no system “other”"):
        study_post_editing(select_reviewed(make_session().view), systems=["other"])


def test_hter_equals_that_of_the_metric(study):
    mt, post_edit = TextColumn.of([*MT, "a", "", ""]), TextColumn.of([*POST_EDIT, "x y z", "b", ""])
    edits = count_reviewed_edits(replace(study.reviewed, mt=mt, post_edit=post_edit))
    assert edits.hter.tolist() == segment_hter(mt, post_edit).tolist()


@pytest.mark.parametrize("from_files", [False, True])
def test_letter_case_change_marks_the_segment_edited_but_counts_no_edit(from_files):
    texts = {TextRole.MT: TextColumn.of(["sie kommt", "es regnet"])}
    if from_files:
        texts[TextRole.POST_EDIT] = TextColumn.of(["Sie kommt", "es regnet "])
    opened = Session(Corpus("case", 2, texts), person="ann")
    if not from_files:
        opened.reviewing.set({0: {ReviewField.TARGET: "Sie kommt"}, 1: {ReviewField.STATUS: ReviewStatus.CONFIRMED}})
    result = study_post_editing(select_reviewed(opened.view), rounds=40)
    [total] = result.totals
    assert (total.segments, total.edited) == (2, 1)
    assert sum(total.edits) == total.hter == total.edit_rate == 0
    assert [figures.changed for figures in result.statistics] == [True, False]
    report = PostEditingReport(result).json()
    assert report["totals"][0]["edited"] == 1
    assert [figures["changed"] for figures in report["segments"]] == [True, False]


def test_report_has_mean_and_pooled_hter(study):
    [total, *_] = PostEditingReport(study).tables()
    assert total.header[-2:] == ("mean HTER", "pooled HTER")
    assert total.rows[-1][-2:] == (study.totals[-1].hter, study.totals[-1].edit_rate)
    assert total.header[-2:] == ("mean HTER", "pooled HTER")


def test_line_text_has_no_inline_codes():
    assert line_text("a ⟨1⟩b⟨/1⟩ ⟨⟨c⟩ ⟨2/⟩d\u2028e") == "a b ⟨c⟩ d e"


# --- highlights


def count_characters(mt, post_edit, tags):
    """Return the counts of `character_rows`, one character at a time."""
    bad_words = compare_post_edits(TextColumn.of(mt), TextColumn.of(post_edit)).words
    rows = np.zeros((len(mt), 4))
    for segment, line in enumerate(mt):
        for word, bad, high in zip(line.split(), bad_words[segment], tags[segment], strict=True):
            for _ in word:
                rows[segment, (0 if high else 1) if bad else (2 if high else 3)] += 1
    return rows


def test_highlight_statistics_equal_a_count_of_characters(study):
    [result] = study.highlights
    expected = count_characters(MT[:4], POST_EDIT[:4], study.reviewed.highlights["qe"])
    assert result.rows.tolist() == expected.tolist()
    both, edited, highlighted, neither = expected.sum(axis=0)
    precision, recall = both / (both + highlighted), both / (both + edited)
    assert result.values == pytest.approx(
        [precision, recall, precision / (edited / (edited + neither)), recall / (highlighted / (highlighted + neither))]
    )


@given(st.integers(0, 1000), st.integers(1, 4), st.integers(0, 4))
def test_random_rows_are_the_mean_over_all_placements_of_highlights(seed, words, marks):
    """The reference enumerates all subsets of as many words."""
    from itertools import combinations

    marks = min(marks, words)
    generator = np.random.default_rng(seed)
    tags = TagColumn.of([[1] * marks + [0] * (words - marks)])
    bad = TagColumn(generator.integers(0, 2, words).astype(np.uint8), tags.offsets)
    edited = ReviewedEdits(np.zeros((1, 4)), np.zeros(1), bad, bad, generator.integers(1, 9, words))
    placements = [
        character_rows(TagColumn.of([[int(index in chosen) for index in range(words)]]), edited)
        for chosen in combinations(range(words), marks)
    ]
    assert random_rows(tags, edited) == pytest.approx(np.mean(placements, axis=0))


def test_highlights_on_every_word_equal_random_highlights():
    bad = random_tags(np.full(30, 6), 0.3, 1)
    edited = ReviewedEdits(np.zeros((30, 4)), np.zeros(30), bad, bad, np.ones(180, np.int64))
    everywhere = TagColumn(np.ones(180, np.uint8), bad.offsets)
    result = highlight_statistics("all", everywhere, edited, BootstrapWeights(100, 1))
    assert result.values[:2] == pytest.approx(result.of_random[:2])
    assert np.isnan(result.values[2])
    assert result.precision_gain == pytest.approx(0)
    gold_result = highlight_statistics("gold", bad, edited, BootstrapWeights(100, 1))
    assert gold_result.values[:2].tolist() == [1, 1]
    assert gold_result.precision_gain_interval[0] > 0.2


def test_one_segment_has_no_interval_of_highlight_statistics():
    bad = random_tags(np.full(1, 6), 0.5, 1)
    edited = ReviewedEdits(np.zeros((1, 4)), np.zeros(1), bad, bad, np.ones(6, np.int64))
    result = highlight_statistics("gold", bad, edited, BootstrapWeights(100, 1))
    assert result.values[:2].tolist() == [1, 1]
    assert np.isnan(result.intervals).all()
    assert np.isnan(result.precision_gain_interval).all()


def test_statistics_based_on_one_segment_have_no_interval():
    """One of three segments is edited, and two are highlighted."""
    bad, highlighted = tags("ob", "oo", "oo"), tags("ob", "bo", "oo")
    edited = ReviewedEdits(np.zeros((3, 4)), np.zeros(3), bad, bad, np.ones(6, np.int64))
    result = highlight_statistics("qe", highlighted, edited, BootstrapWeights(100, 1))
    assert result.values[:2].tolist() == [0.5, 1]
    assert np.isfinite(result.intervals[0]).all()
    assert np.isnan(result.intervals[1]).all()
    assert np.isnan(result.intervals[3]).all()


def test_statistics_of_zero_totals_are_undefined():
    assert np.isnan(statistics_of_totals(np.zeros(4))).all()


# --- skipping


@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.5, math.nan]), st.integers(0, 3)), min_size=1, max_size=12),
)
def test_skipping_curve_equals_a_plain_loop_over_thresholds(segments):
    uncertainty = Uncertainty(np.array([score for score, _ in segments]), "scores")
    curve = skipping_curve(
        "qe", uncertainty, np.array([edits for _, edits in segments], float), BootstrapWeights(50, 1)
    )
    known = [(score, edits) for score, edits in segments if not math.isnan(score)]
    assert curve.thresholds.tolist() == sorted({score for score, _ in known})
    total = sum(edits for _, edits in known)
    for index, threshold in enumerate(curve.thresholds):
        below = [edits for score, edits in known if score <= threshold]
        assert curve.skipped[index] == pytest.approx(len(below) / len(known))
        assert np.isnan(curve.missed[index]) if not total else curve.missed[index] == pytest.approx(sum(below) / total)
    if total:
        if sum(edits > 0 for _, edits in known) > 1:
            assert (curve.low <= curve.high + 1e-12).all()
        else:
            # edits of one segment have no interval
            assert np.isnan([curve.low, curve.high]).all()
        assert (np.diff(curve.missed) >= 0).all()
        assert curve.missed[-1] == 1


def test_intervals_of_missed_edits_equal_a_bootstrap_over_segments():
    generator = np.random.default_rng(3)
    uncertainty, edits = generator.random(400), generator.poisson(2, 400).astype(float)
    curve = skipping_curve("qe", Uncertainty(uncertainty, "scores"), edits, BootstrapWeights(400, 2))
    inside = (curve.low <= curve.missed) & (curve.missed <= curve.high)
    assert inside.mean() > 0.99
    # the middle of the curve compared with a plain bootstrap
    index = 200
    draws = []
    for _ in range(2000):
        drawn = generator.integers(0, 400, 400)
        draws.append(edits[drawn][uncertainty[drawn] <= curve.thresholds[index]].sum() / edits[drawn].sum())
    assert curve.low[index] == pytest.approx(np.quantile(draws, 0.025), abs=0.015)
    assert curve.high[index] == pytest.approx(np.quantile(draws, 0.975), abs=0.015)
    assert curve.skipped[curve.last_index_within(0.2)] < 0.25


def test_many_thresholds_all_have_intervals():
    uncertainty, edits = np.arange(3 * MAX_CURVE_POINTS, dtype=float), np.ones(3 * MAX_CURVE_POINTS)
    curve = skipping_curve("qe", Uncertainty(uncertainty, "scores"), edits, BootstrapWeights(40, 1))
    assert len(curve.low) == 3 * MAX_CURVE_POINTS
    assert ((curve.low <= curve.missed) & (curve.missed <= curve.high)).mean() > 0.98


def test_system_with_constant_scores_has_one_threshold():
    curve = skipping_curve(
        "flat", Uncertainty(np.full(4, 0.5), "scores"), np.array([1.0, 0, 2, 0]), BootstrapWeights(40, 1)
    )
    assert (curve.skipped.tolist(), curve.missed.tolist()) == ([1.0], [1.0])
    assert curve.last_index_within(0.05) == -1


def test_uncertainty_without_scores_is_the_share_of_bad_words():
    with_scores = make_corpus()
    without_scores = View(
        with_scores.without_layer(next(key for key in with_scores.layers if key.kind.value == "scores"))
    )
    from qe_desktop.studies.post_editing.skipping import system_uncertainties

    assert system_uncertainties(without_scores)["qe"].values == pytest.approx([0, 1 / 3, 0.5, 0, 0])
    assert system_uncertainties(View(with_scores), "higher")["qe"].values.tolist() == [-0.1, -0.6, -0.5, -0.9, -0.2]


# --- real data


@pytest.mark.published
def test_figures_of_published_files_equal_a_plain_count(data_folder: Path):
    corpora, _ = read_corpora([data_folder / "openkiwi_toy_wmt18"])
    [published_corpus] = corpora.values()
    study = study_post_editing(select_reviewed(View(published_corpus)), rounds=100)
    [highlights], [skipping] = study.highlights, study.skipping
    folder = data_folder / "openkiwi_toy_wmt18"
    mt, gold, system = (
        [line.split() for line in (folder / name).read_text(encoding="utf-8").splitlines()]
        for name in ("dev.mt", "dev.tags", "sys.tags")
    )
    counts = dict.fromkeys([(True, True), (True, False), (False, True), (False, False)], 0)
    for words, gold_tags, system_tags in zip(mt, gold, system, strict=True):
        for word, bad, high in zip(words, gold_tags[1::2], system_tags[1::2], strict=True):
            counts[bad == "BAD", high == "BAD"] += len(word)
    assert highlights.rows.sum(axis=0).tolist() == list(counts.values())
    rates = np.loadtxt(folder / "dev.hter")
    assert study.edited.hter == pytest.approx(rates, abs=6e-7)
    scores = np.loadtxt(folder / "sys.hter")
    edits = study.edited.edits
    for index in range(0, len(skipping.thresholds), 7):
        below = scores <= skipping.thresholds[index]
        assert skipping.skipped[index] == pytest.approx(below.mean())
        assert skipping.missed[index] == pytest.approx(edits[below].sum() / edits.sum())


@pytest.mark.published
@pytest.mark.parametrize("name", ["wmt18_en-de_nmt_dev", "mlqe_pe/ro-en-test20"])
def test_published_post_edits_give_the_published_hter(data_folder: Path, name: str):
    corpora, _ = read_corpora([data_folder / name])
    [published_corpus] = corpora.values()
    study = study_post_editing(select_reviewed(View(published_corpus)), rounds=40)
    assert study.reviewed.from_files
    [path] = (data_folder / name).glob("*.hter")
    assert study.edited.hter == pytest.approx(np.loadtxt(path), abs=6e-7)
    assert study.totals[0].segments == published_corpus.size
    assert math.isnan(study.totals[0].words_an_hour)


def test_undefined_shares_of_an_empty_mt_are_shown_as_dashes():
    layer = Layer(LayerKey(Provenance.SYSTEM, "qe", Kind.WORDS), tags("", ""))
    session = Session(Corpus("empty", 2, {TextRole.MT: TextColumn.of(("", ""))}, {layer.key: layer}))
    session.reviewing.set({0: {ReviewField.TARGET: "new text"}})
    report = PostEditingReport(study_post_editing(select_reviewed(session.view), rounds=50))
    (table,) = [table for table in report.tables() if table.title.startswith("Precision of highlights")]
    assert table.title == "Precision of highlights"
    assert set(table.cells()[0][1:]) == {"–"}
