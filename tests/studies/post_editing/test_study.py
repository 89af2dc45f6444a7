"""The study of post-editing: its figures, highlights and skipping beside a plain program that counts one by one."""

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
from tests.building import random_tags, tags
from tests.studies.post_editing.made import MT, POST_EDIT, SOURCE, WORKS, corpus, session


@pytest.fixture
def study():
    return study_post_editing(select_reviewed(session().view), WORKS, rounds=200)


def test_only_what_was_reviewed_counts(study):
    assert study.reviewed.segments.tolist() == [0, 1, 2, 3]
    assert study.reviewed.post_edits == POST_EDIT[:4]
    assert study.reviewed.mts == MT[:4]
    assert study.reviewed.people == ("ann",) * 4


def test_what_a_file_says_was_confirmed_before_is_no_post_edit():
    column = TextColumn.of(list(MT))
    files = (JobFile("job.xlf", "/job.xlf", "xliff", b"", 0, 5),)
    job = TranslationJob(
        files, TextColumn.of(list(SOURCE)), column, np.array([2, 2, 0, 0, 0], np.uint8), np.zeros(5, bool)
    )
    made = Session(replace(corpus(), job=job), person="ann")
    assert made.view.status(0) is ReviewStatus.CONFIRMED
    with pytest.raises(QeError, match="No segment has been reviewed"):
        select_reviewed(made.view)
    made.reviewing.set({1: {ReviewField.TARGET: POST_EDIT[1], ReviewField.STATUS: ReviewStatus.CONFIRMED}})
    made.reviewing.set({3: {ReviewField.STATUS: ReviewStatus.CONFIRMED}})
    assert select_reviewed(made.view).segments.tolist() == [1, 3]


def test_edits_stand_with_whoever_touched_a_segment_last_and_times_with_whoever_took_them(study):
    rows = {(one.segment, one.person): one for one in study.figures}
    assert list(rows) == [(0, "ann"), (1, "ann"), (2, "ann"), (3, "ann"), (3, "ben"), (4, "ann")]
    second = rows[1, "ann"]
    assert (second.visits, second.seconds, second.pauses, second.away) == (2, 30.0, 400.0, 30.0)
    assert second.keys[:2] == (9, 0)
    assert (second.edits, second.hter) == ((1, 0, 1, 0), 0.5)
    assert rows[3, "ann"].edits == (0, 0, 0, 1)
    assert rows[3, "ben"].edits == ()
    assert rows[4, "ann"].status is None
    assert math.isnan(rows[2, "ann"].seconds)


def test_words_an_hour_are_of_segments_with_a_post_edit_and_a_time(study):
    ann, ben, everybody = study.totals
    assert (ann.segments, ann.edited, ann.recorded) == (4, 2, 2)
    # three source words each, in 6 and 30 seconds; the 5 seconds on segment 5 gave no post-edit
    assert ann.words_an_hour == pytest.approx(6 / 36 * 3600)
    assert ann.seconds == 41.0
    assert math.isnan(ben.words_an_hour)
    assert everybody.words_an_hour == pytest.approx(9 / 40 * 3600)
    assert everybody.seconds == 45.0
    assert everybody.edits == (1, 0, 1, 1)


def test_a_review_that_was_taken_back_leaves_nothing():
    made = session()
    while made.undo() is not None:
        pass
    with pytest.raises(QeError, match="No segment has been reviewed"):
        select_reviewed(made.view)
    with pytest.raises(QeError, match="no system “other”"):
        study_post_editing(select_reviewed(session().view), systems=["other"])


def test_hter_is_that_of_the_metric(study):
    mt, post_edit = TextColumn.of([*MT, "a", "", ""]), TextColumn.of([*POST_EDIT, "x y z", "b", ""])
    made = count_reviewed_edits(replace(study.reviewed, mt=mt, post_edit=post_edit))
    assert made.hter.tolist() == segment_hter(mt, post_edit).tolist()


@pytest.mark.parametrize("from_files", [False, True])
def test_a_change_of_letter_case_is_edited_and_no_edit(from_files):
    texts = {TextRole.MT: TextColumn.of(["sie kommt", "es regnet"])}
    if from_files:
        texts[TextRole.POST_EDIT] = TextColumn.of(["Sie kommt", "es regnet "])
    made = Session(Corpus("case", 2, texts), person="ann")
    if not from_files:
        made.reviewing.set({0: {ReviewField.TARGET: "Sie kommt"}, 1: {ReviewField.STATUS: ReviewStatus.CONFIRMED}})
    found = study_post_editing(select_reviewed(made.view), rounds=40)
    [total] = found.totals
    assert (total.segments, total.edited) == (2, 1)
    assert sum(total.edits) == total.hter == total.edit_rate == 0
    assert [one.changed for one in found.figures] == [True, False]
    told = PostEditingReport(found).json()
    assert told["totals"][0]["edited"] == 1
    assert [one["changed"] for one in told["segments"]] == [True, False]


def test_mean_and_pooled_hter_are_both_named(study):
    [total, *_] = PostEditingReport(study).tables()
    assert total.header[-2:] == ("mean HTER", "pooled HTER")
    assert total.rows[-1][-2:] == (study.totals[-1].hter, study.totals[-1].edit_rate)
    assert total.header[-2:] == ("mean HTER", "pooled HTER")


def test_codes_are_no_text():
    assert line_text("a ⟨1⟩b⟨/1⟩ ⟨⟨c⟩ ⟨2/⟩d\u2028e") == "a b ⟨c⟩ d e"


# --- highlights


def characters(mt, post_edit, tags):
    """The counts of the docstring, a character at a time."""
    kept = compare_post_edits(TextColumn.of(mt), TextColumn.of(post_edit)).words
    rows = np.zeros((len(mt), 4))
    for segment, line in enumerate(mt):
        for word, bad, high in zip(line.split(), kept[segment], tags[segment], strict=True):
            for _ in word:
                rows[segment, (0 if high else 1) if bad else (2 if high else 3)] += 1
    return rows


def test_characters_are_counted_one_by_one(study):
    [found] = study.highlights
    wanted = characters(MT[:4], POST_EDIT[:4], study.reviewed.highlights["qe"])
    assert found.rows.tolist() == wanted.tolist()
    both, edited, highlighted, neither = wanted.sum(axis=0)
    precision, recall = both / (both + highlighted), both / (both + edited)
    assert found.figures == pytest.approx(
        [precision, recall, precision / (edited / (edited + neither)), recall / (highlighted / (highlighted + neither))]
    )


@given(st.integers(0, 1000), st.integers(1, 4), st.integers(0, 4))
def test_random_highlights_hit_what_all_ways_of_placing_them_hit_on_average(seed, words, marks):
    """All subsets of as many words, each once."""
    from itertools import combinations

    marks = min(marks, words)
    dice = np.random.default_rng(seed)
    tags = TagColumn.of([[1] * marks + [0] * (words - marks)])
    bad = TagColumn(dice.integers(0, 2, words).astype(np.uint8), tags.offsets)
    edited = ReviewedEdits(np.zeros((1, 4)), np.zeros(1), bad, bad, dice.integers(1, 9, words))
    ways = [
        character_rows(TagColumn.of([[int(place in chosen) for place in range(words)]]), edited)
        for chosen in combinations(range(words), marks)
    ]
    assert random_rows(tags, edited) == pytest.approx(np.mean(ways, axis=0))


def test_highlights_on_every_word_are_as_good_as_random_ones():
    bad = random_tags(np.full(30, 6), 0.3, 1)
    edited = ReviewedEdits(np.zeros((30, 4)), np.zeros(30), bad, bad, np.ones(180, np.int64))
    everywhere = TagColumn(np.ones(180, np.uint8), bad.offsets)
    found = highlight_statistics("all", everywhere, edited, BootstrapWeights(100, 1))
    assert found.figures[:2] == pytest.approx(found.of_random[:2])
    assert np.isnan(found.figures[2])
    assert found.ahead == pytest.approx(0)
    right = highlight_statistics("gold", bad, edited, BootstrapWeights(100, 1))
    assert right.figures[:2].tolist() == [1, 1]
    assert right.ahead_interval[0] > 0.2


def test_one_segment_has_no_interval():
    bad = random_tags(np.full(1, 6), 0.5, 1)
    edited = ReviewedEdits(np.zeros((1, 4)), np.zeros(1), bad, bad, np.ones(6, np.int64))
    found = highlight_statistics("gold", bad, edited, BootstrapWeights(100, 1))
    assert found.figures[:2].tolist() == [1, 1]
    assert np.isnan(found.intervals).all()
    assert np.isnan(found.ahead_interval).all()


def test_figures_that_rest_on_one_segment_have_no_interval():
    """Of three segments one is edited, and two are highlighted."""
    bad, marked = tags("ob", "oo", "oo"), tags("ob", "bo", "oo")
    edited = ReviewedEdits(np.zeros((3, 4)), np.zeros(3), bad, bad, np.ones(6, np.int64))
    found = highlight_statistics("qe", marked, edited, BootstrapWeights(100, 1))
    assert found.figures[:2].tolist() == [0.5, 1]
    assert np.isfinite(found.intervals[0]).all()
    assert np.isnan(found.intervals[1]).all()
    assert np.isnan(found.intervals[3]).all()


def test_figures_of_nothing_are_undefined():
    assert np.isnan(statistics_of_totals(np.zeros(4))).all()


# --- skipping


@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.5, math.nan]), st.integers(0, 3)), min_size=1, max_size=12),
)
def test_every_threshold_skips_what_a_plain_loop_skips(segments):
    doubt = Uncertainty(np.array([one for one, _ in segments]), "scores")
    found = skipping_curve("qe", doubt, np.array([edits for _, edits in segments], float), BootstrapWeights(50, 1))
    known = [(one, edits) for one, edits in segments if not math.isnan(one)]
    assert found.thresholds.tolist() == sorted({one for one, _ in known})
    total = sum(edits for _, edits in known)
    for place, threshold in enumerate(found.thresholds):
        below = [edits for one, edits in known if one <= threshold]
        assert found.skipped[place] == pytest.approx(len(below) / len(known))
        assert (
            np.isnan(found.through[place]) if not total else found.through[place] == pytest.approx(sum(below) / total)
        )
    if total:
        if sum(edits > 0 for _, edits in known) > 1:
            assert (found.low <= found.high + 1e-12).all()
        else:
            # edits of one segment have no interval
            assert np.isnan([found.low, found.high]).all()
        assert (np.diff(found.through) >= 0).all()
        assert found.through[-1] == 1


def test_intervals_hold_what_slips_through_and_are_drawn_over_segments():
    dice = np.random.default_rng(3)
    doubt, edits = dice.random(400), dice.poisson(2, 400).astype(float)
    found = skipping_curve("qe", Uncertainty(doubt, "scores"), edits, BootstrapWeights(400, 2))
    inside = (found.low <= found.through) & (found.through <= found.high)
    assert inside.mean() > 0.99
    # the middle of the curve, beside a bootstrap that is written out
    place = 200
    draws = []
    for _ in range(2000):
        drawn = dice.integers(0, 400, 400)
        draws.append(edits[drawn][doubt[drawn] <= found.thresholds[place]].sum() / edits[drawn].sum())
    assert found.low[place] == pytest.approx(np.quantile(draws, 0.025), abs=0.015)
    assert found.high[place] == pytest.approx(np.quantile(draws, 0.975), abs=0.015)
    assert found.skipped[found.most_within(0.2)] < 0.25


def test_of_many_thresholds_intervals_are_drawn_at_some():
    doubt, edits = np.arange(3 * MAX_CURVE_POINTS, dtype=float), np.ones(3 * MAX_CURVE_POINTS)
    found = skipping_curve("qe", Uncertainty(doubt, "scores"), edits, BootstrapWeights(40, 1))
    assert len(found.low) == 3 * MAX_CURVE_POINTS
    assert ((found.low <= found.through) & (found.through <= found.high)).mean() > 0.98


def test_a_system_that_doubts_all_alike_has_one_threshold():
    found = skipping_curve(
        "flat", Uncertainty(np.full(4, 0.5), "scores"), np.array([1.0, 0, 2, 0]), BootstrapWeights(40, 1)
    )
    assert (found.skipped.tolist(), found.through.tolist()) == ([1.0], [1.0])
    assert found.most_within(0.05) == -1


def test_without_scores_the_share_of_bad_words_is_the_doubt():
    made = corpus()
    bare = View(made.without_layer(next(key for key in made.layers if key.kind.value == "scores")))
    from qe_desktop.studies.post_editing.skipping import system_uncertainties

    assert system_uncertainties(bare)["qe"].values == pytest.approx([0, 1 / 3, 0.5, 0, 0])
    assert system_uncertainties(View(made), "higher")["qe"].values.tolist() == [-0.1, -0.6, -0.5, -0.9, -0.2]


# --- real data


@pytest.mark.published
def test_the_numbers_of_real_files_are_those_of_a_plain_program(data_folder: Path):
    found, _ = read_corpora([data_folder / "openkiwi_toy_wmt18"])
    [one] = found.values()
    study = study_post_editing(select_reviewed(View(one)), rounds=100)
    [highlights], [skipping] = study.highlights, study.skipping
    folder = data_folder / "openkiwi_toy_wmt18"
    mt, gold, system = (
        [line.split() for line in (folder / name).read_text(encoding="utf-8").splitlines()]
        for name in ("dev.mt", "dev.tags", "sys.tags")
    )
    counts = dict.fromkeys([(True, True), (True, False), (False, True), (False, False)], 0)
    for words, right, said in zip(mt, gold, system, strict=True):
        for word, bad, high in zip(words, right[1::2], said[1::2], strict=True):
            counts[bad == "BAD", high == "BAD"] += len(word)
    assert highlights.rows.sum(axis=0).tolist() == list(counts.values())
    rates = np.loadtxt(folder / "dev.hter")
    assert study.edited.hter == pytest.approx(rates, abs=6e-7)
    scores = np.loadtxt(folder / "sys.hter")
    edits = study.edited.edits
    for place in range(0, len(skipping.thresholds), 7):
        below = scores <= skipping.thresholds[place]
        assert skipping.skipped[place] == pytest.approx(below.mean())
        assert skipping.through[place] == pytest.approx(edits[below].sum() / edits.sum())


@pytest.mark.published
@pytest.mark.parametrize("name", ["wmt18_en-de_nmt_dev", "mlqe_pe/ro-en-test20"])
def test_post_edits_in_files_give_their_hter_and_tags(data_folder: Path, name: str):
    found, _ = read_corpora([data_folder / name])
    [one] = found.values()
    study = study_post_editing(select_reviewed(View(one)), rounds=40)
    assert study.reviewed.from_files
    [path] = (data_folder / name).glob("*.hter")
    assert study.edited.hter == pytest.approx(np.loadtxt(path), abs=6e-7)
    assert study.totals[0].segments == one.size
    assert math.isnan(study.totals[0].words_an_hour)
