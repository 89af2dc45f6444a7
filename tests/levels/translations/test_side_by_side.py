"""Side-by-side translations of one segment: displayed texts, marked differences and scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, MetricColumn, TextColumn, TextRole, View
from qe_desktop.levels.level import Selection
from qe_desktop.levels.translations import TRANSLATIONS
from qe_desktop.levels.translations.diff_styles import DIFF_STYLES
from qe_desktop.levels.translations.side_by_side import (
    POST_EDIT,
    ScoredTranslations,
    SideBySideRequest,
    available_texts,
    displayed_texts,
    mark_more,
    possible_bases,
    side_by_side,
    text_label,
    unmarked_texts,
)
from qe_desktop.levels.translations.translation_level import ALL_REFERENCES, reference_key, system_key

REFERENCES = {"A": ["the dog runs in the park", "a  cat"], "B": ["a dog ran through a park", "one cat"]}
SYSTEMS = {"near": ["the dog runs in a park", "a cat"], "far": ["dog park running in", "the cats"]}


def columns(texts):
    return {name: TextColumn.of(lines) for name, lines in texts.items()}


@pytest.fixture
def view() -> View:
    source = TextColumn.of(["ein Hund", "eine Katze"])
    corpus = Corpus(
        "made", 2, {TextRole.SOURCE: source, TextRole.POST_EDIT: TextColumn.of(["the dog", "cat"])},
        references=columns(REFERENCES), translations=columns(SYSTEMS), language_pair="de-en",
    )  # fmt: skip
    return View(corpus)


def request_of(view: View, **others) -> SideBySideRequest:
    texts = available_texts(view.corpus)
    usual = {
        "segment": 0,
        "displayed_keys": tuple(texts),
        "base_key": reference_key(ALL_REFERENCES),
        "diff_style": DIFF_STYLES["differences"],
    }
    return SideBySideRequest(view, texts=texts, **{**usual, **others})


def test_texts_are_references_then_post_edit_then_systems(view):
    texts = available_texts(view.corpus)
    assert [text_label(key) for key in texts] == ["reference A", "reference B", "post-edit", "near", "far"]
    assert [text_label(key) for key in possible_bases(texts)][:2] == ["all references", "reference A"]
    one = available_texts(replace(view.corpus, references={"reference": TextColumn.of(["x", "y"])}))
    assert text_label(possible_bases(one)[0]) == "reference"
    mt = available_texts(replace(view.corpus, texts={TextRole.MT: TextColumn.of(["x", "y"])}))
    assert [key.name for key in mt][2:] == ["MT", "near", "far"]


def test_unmarked_texts_have_no_marks_and_no_scores(view):
    comparison = unmarked_texts(request_of(view, segment=1))
    assert (comparison.source, comparison.segment, comparison.is_complete) == ("eine Katze", 1, False)
    assert [(line.name, line.text, line.is_base) for line in comparison.lines][:2] == [
        ("reference A", "a cat", True), ("reference B", "one cat", True),
    ]  # fmt: skip
    assert all(line.marks == () and line.score is None for line in comparison.lines)


def test_texts_are_compared_with_the_base(view):
    against_all = side_by_side(request_of(view))
    assert [len(line.marks) for line in against_all.lines[:2]] == [0, 0]
    near = against_all.lines[3]
    assert [against_all.describe(mark) for mark in near.marks] == ["reference A has “the” instead"]
    far = side_by_side(request_of(view, base_key=system_key("far")))
    assert [line.is_base for line in far.lines] == [False, False, False, False, True]
    assert not far.lines[-1].marks
    assert all(line.marks for line in far.lines[:-1])
    assert side_by_side(request_of(view, base_key=POST_EDIT)).compared_names == ("post-edit",)


def test_description_of_a_word_includes_marks_at_its_edges(view):
    comparison = side_by_side(request_of(view, base_key=reference_key("A")))
    line = comparison.lines[-1]
    starts = {"dog": 0, "park": 4, "running": 9, "in": 17}
    assert line.text == " ".join(starts)
    assert {word: comparison.describe_range(line, start, start + len(word)) for word, start in starts.items()} == {
        "dog": ["reference A has “the” at this position"],
        "park": ["no counterpart in reference A"],
        "running": ["reference A has “runs” instead"],
        "in": ["reference A has “the park” at this position"],
    }


@pytest.mark.parametrize("metric", TRANSLATIONS.metrics)
def test_segment_scores_equal_those_of_the_level(view, metric):
    for reference in (reference_key(ALL_REFERENCES), reference_key("B")):
        comparison = side_by_side(request_of(view, scored=ScoredTranslations(TRANSLATIONS, reference, metric)))
        selection = Selection(view, reference, (system_key("near"), system_key("far")))
        scored_metric = TRANSLATIONS.metrics[metric]
        rows = TRANSLATIONS.rows(selection, [scored_metric.family])[scored_metric.family.name][:, 0]
        np.testing.assert_array_equal([line.score for line in comparison.lines[3:]], scored_metric.score(rows))
        assert [line.score for line in comparison.lines[:3]] == [None] * 3
        assert comparison.metric == metric


def test_imported_segment_scores(view):
    scores = {"near": np.array([0.9, np.nan]), "other": np.array([0.1, 0.2])}
    view = View(replace(view.corpus, metric_scores={"COMET": MetricColumn(scores, 1, "c.scores")}))
    level = TRANSLATIONS.of_view(view)
    ask = request_of(view, scored=ScoredTranslations(level, reference_key("A"), "COMET"))
    near, far = side_by_side(ask).lines[3:]
    assert near.score == 0.9
    assert np.isnan(far.score)
    assert np.isnan(side_by_side(replace(ask, segment=1)).lines[3].score)
    # a metric that the level no longer has gives no scores
    without_metric = side_by_side(
        request_of(view, scored=ScoredTranslations(TRANSLATIONS, reference_key("A"), "COMET"))
    )
    assert {line.score for line in without_metric.lines} == {None}


def test_the_two_compared_systems_are_displayed_first(view):
    texts = available_texts(view.corpus)
    between = (system_key("far"), system_key("near"))
    assert [key.name for key in displayed_texts(texts, between)] == ["far", "near", "A", "B"]
    assert [key.name for key in displayed_texts(texts, between, show_all=True)] == [
        "far",
        "near",
        "A",
        "B",
        "post-edit",
    ]
    # a compared system may have tags only, and no text
    assert displayed_texts(texts, (system_key("nobody"),)) == displayed_texts(texts)


def test_only_the_first_of_many_texts_are_displayed():
    many = {f"s{number}": ["x"] for number in range(40)}
    references = {f"r{number}": ["y"] for number in range(9)}
    texts = available_texts(Corpus("made", 1, references=columns(references), translations=columns(many)))
    assert [key.name for key in displayed_texts(texts)] == ["r0", "r1", "r2", "s0", "s1", "s2", "s3", "s4"]
    assert len(displayed_texts(texts, show_all=True)) == 49


def test_texts_are_marked_in_batches_from_the_first(view, monkeypatch):
    monkeypatch.setattr("qe_desktop.levels.translations.side_by_side.TEXTS_PER_BATCH", 4)
    ask = request_of(view, scored=ScoredTranslations(TRANSLATIONS, reference_key("A"), "BLEU"), base_key=POST_EDIT)
    some = mark_more(ask, unmarked_texts(ask))
    assert (some.marked_count, some.is_complete) == (4, False)
    assert [bool(line.marks) for line in some.lines] == [True, True, False, True, False]
    assert [line.score is not None for line in some.lines] == [False, False, False, True, True]
    assert mark_more(ask, some).lines == side_by_side(ask).lines
    assert mark_more(ask, some).is_complete


def test_comparison_reports_progress_and_can_be_stopped(view):
    shares = []
    side_by_side(request_of(view), shares.append)
    assert shares == [0.0, 0.2, 0.4, 0.6, 0.8]

    def stop(share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        side_by_side(request_of(view), stop)


def test_right_to_left_words_are_isolated_in_descriptions(view):
    hebrew = {"A": TextColumn.of(["שלום עולם", "x"])}
    comparison = side_by_side(request_of(View(replace(view.corpus, references=hebrew)), base_key=reference_key("A")))
    assert "\u2068שלום\u2069" in " ".join(comparison.describe(mark) for mark in comparison.lines[-1].marks)


@pytest.mark.parametrize(("pair", "language"), [("de-en", "en"), ("de-DE-en-GB", "en"), ("en-de-AT", "de"), ("", "")])
def test_target_language_is_taken_from_the_language_pair(view, pair, language):
    assert request_of(View(replace(view.corpus, language_pair=pair))).language == language


def test_selected_reference_is_displayed_once(view):
    texts = available_texts(view.corpus)
    assert [key.name for key in displayed_texts(texts, (system_key("far"), reference_key("A")))] == ["far", "A", "B"]
