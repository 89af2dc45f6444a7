"""One segment's translations side by side: which are shown, what they are marked against, and their scores."""

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
from qe_desktop.levels.translations.translation_texts import ALL_REFERENCES, reference_key, system_key

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


def asked(view: View, **others) -> SideBySideRequest:
    texts = available_texts(view.corpus)
    usual = {
        "segment": 0,
        "shown": tuple(texts),
        "base": reference_key(ALL_REFERENCES),
        "marking": DIFF_STYLES["differences"],
    }
    return SideBySideRequest(view, texts=texts, **{**usual, **others})


def test_references_then_the_post_edit_then_systems(view):
    texts = available_texts(view.corpus)
    assert [text_label(key) for key in texts] == ["reference A", "reference B", "post-edit", "near", "far"]
    assert [text_label(key) for key in possible_bases(texts)][:2] == ["all references", "reference A"]
    one = available_texts(replace(view.corpus, references={"reference": TextColumn.of(["x", "y"])}))
    assert text_label(possible_bases(one)[0]) == "reference"
    mt = available_texts(replace(view.corpus, texts={TextRole.MT: TextColumn.of(["x", "y"])}))
    assert [key.name for key in mt][2:] == ["MT", "near", "far"]


def test_the_texts_stand_there_at_once(view):
    found = unmarked_texts(asked(view, segment=1))
    assert (found.source, found.segment, found.whole) == ("eine Katze", 1, False)
    assert [(line.name, line.text, line.base) for line in found.lines][:2] == [
        ("reference A", "a cat", True), ("reference B", "one cat", True),
    ]  # fmt: skip
    assert all(line.marks == () and line.score is None for line in found.lines)


def test_marks_are_against_the_base(view):
    against_all = side_by_side(asked(view))
    assert [len(line.marks) for line in against_all.lines[:2]] == [0, 0]
    near = against_all.lines[3]
    assert [against_all.describe(mark) for mark in near.marks] == ["reference A has “the” instead"]
    far = side_by_side(asked(view, base=system_key("far")))
    assert [line.base for line in far.lines] == [False, False, False, False, True]
    assert not far.lines[-1].marks
    assert all(line.marks for line in far.lines[:-1])
    assert side_by_side(asked(view, base=POST_EDIT)).against == ("post-edit",)


def test_what_is_said_of_a_word_is_said_of_its_edges(view):
    found = side_by_side(asked(view, base=reference_key("A")))
    line = found.lines[-1]
    starts = {"dog": 0, "park": 4, "running": 9, "in": 17}
    assert line.text == " ".join(starts)
    assert {word: found.said_at(line, start, start + len(word)) for word, start in starts.items()} == {
        "dog": ["reference A has “the” at this position"],
        "park": ["not in reference A"],
        "running": ["reference A has “runs” instead"],
        "in": ["reference A has “the park” at this position"],
    }


@pytest.mark.parametrize("metric", TRANSLATIONS.metrics)
def test_scores_are_those_of_the_segments_rows(view, metric):
    for reference in (reference_key(ALL_REFERENCES), reference_key("B")):
        found = side_by_side(asked(view, scored=ScoredTranslations(TRANSLATIONS, reference, metric)))
        taken = Selection(view, reference, (system_key("near"), system_key("far")))
        one = TRANSLATIONS.metrics[metric]
        rows = TRANSLATIONS.rows(taken, [one.family])[one.family.name][:, 0]
        np.testing.assert_array_equal([line.score for line in found.lines[3:]], one.score(rows))
        assert [line.score for line in found.lines[:3]] == [None] * 3
        assert found.metric == metric


def test_scores_that_were_brought(view):
    scores = {"near": np.array([0.9, np.nan]), "other": np.array([0.1, 0.2])}
    view = View(replace(view.corpus, metric_scores={"COMET": MetricColumn(scores, 1, "c.scores")}))
    level = TRANSLATIONS.of_view(view)
    ask = asked(view, scored=ScoredTranslations(level, reference_key("A"), "COMET"))
    near, far = side_by_side(ask).lines[3:]
    assert near.score == 0.9
    assert np.isnan(far.score)
    assert np.isnan(side_by_side(replace(ask, segment=1)).lines[3].score)
    # a metric that is not there any more gives none
    gone = side_by_side(asked(view, scored=ScoredTranslations(TRANSLATIONS, reference_key("A"), "COMET")))
    assert {line.score for line in gone.lines} == {None}


def test_the_two_that_were_set_side_by_side_come_first(view):
    texts = available_texts(view.corpus)
    between = (system_key("far"), system_key("near"))
    assert [key.name for key in displayed_texts(texts, between)] == ["far", "near", "A", "B"]
    assert [key.name for key in displayed_texts(texts, between, every=True)] == ["far", "near", "A", "B", "post-edit"]
    # layers of tags are no texts
    assert displayed_texts(texts, (system_key("nobody"),)) == displayed_texts(texts)


def test_of_many_the_first_few():
    many = {f"s{number}": ["x"] for number in range(40)}
    references = {f"r{number}": ["y"] for number in range(9)}
    texts = available_texts(Corpus("made", 1, references=columns(references), translations=columns(many)))
    assert [key.name for key in displayed_texts(texts)] == ["r0", "r1", "r2", "s0", "s1", "s2", "s3", "s4"]
    assert len(displayed_texts(texts, every=True)) == 49


def test_what_stands_first_is_marked_first(view, monkeypatch):
    monkeypatch.setattr("qe_desktop.levels.translations.side_by_side.TEXTS_PER_BATCH", 4)
    ask = asked(view, scored=ScoredTranslations(TRANSLATIONS, reference_key("A"), "BLEU"), base=POST_EDIT)
    some = mark_more(ask, unmarked_texts(ask))
    assert (some.done, some.whole) == (4, False)
    assert [bool(line.marks) for line in some.lines] == [True, True, False, True, False]
    assert [line.score is not None for line in some.lines] == [False, False, False, True, True]
    assert mark_more(ask, some).lines == side_by_side(ask).lines
    assert mark_more(ask, some).whole


def test_who_waits_hears_how_far_it_is_and_can_stop(view):
    heard = []
    side_by_side(asked(view), heard.append)
    assert heard == [0.0, 0.2, 0.4, 0.6, 0.8]

    def stop(share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        side_by_side(asked(view), stop)


def test_names_and_words_of_files_turn_nothing(view):
    hebrew = {"A": TextColumn.of(["שלום עולם", "x"])}
    found = side_by_side(asked(View(replace(view.corpus, references=hebrew)), base=reference_key("A")))
    assert "\u2068שלום\u2069" in " ".join(found.describe(mark) for mark in found.lines[-1].marks)


@pytest.mark.parametrize(("pair", "language"), [("de-en", "en"), ("de-DE-en-GB", "en"), ("en-de-AT", "de"), ("", "")])
def test_the_language_that_is_translated_into_is_that_of_the_pair(view, pair, language):
    assert asked(View(replace(view.corpus, language_pair=pair))).language == language


def test_selected_reference_is_displayed_once(view):
    texts = available_texts(view.corpus)
    assert [key.name for key in displayed_texts(texts, (system_key("far"), reference_key("A")))] == ["far", "A", "B"]
