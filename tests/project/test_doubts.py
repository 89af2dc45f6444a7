"""Doubtful words and segments: by systems, not by people, at their thresholds, until they are finished."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from qe_desktop.corpus import Kind, LayerKey, NumberColumn, Provenance, ReviewStatus, TextColumn, TranslationJob
from qe_desktop.corpus.layers import Layer
from qe_desktop.project import ReviewField, Session
from qe_desktop.project.review.flagged_segments import (
    STRONG_SUSPICION,
    WEAK_SUSPICION,
    segments_with_notes,
    suspect_segments,
    suspecting_layers,
    unfinished_segments,
    word_suspicion,
)
from qe_desktop.project.segment_filter import SegmentQuery, filter_view, take_snapshot
from tests.building import corpus_of, tags


def session() -> Session:
    systems = {"a": tags("boo", "oo", "o"), "b": tags("bbo", "oo", "o"), "c": tags("boo", "ob", "o")}
    return Session(corpus_of(tags("bbb", "bb", "b"), systems))


def shown(one: Session, query: SegmentQuery) -> list[int]:
    return filter_view(take_snapshot(one.view, Kind.WORDS, query), query).tolist()


def test_of_two_systems_both_make_a_word_doubtful_strongly_as_the_reader_marks():
    view = Session(corpus_of(None, {"a": tags("bbo"), "b": tags("boo")})).view
    assert word_suspicion(view, 0).tolist() == [STRONG_SUSPICION, WEAK_SUSPICION, 0]


def test_systems_make_words_doubtful_most_of_them_strongly():
    view = session().view
    assert word_suspicion(view, 0).tolist() == [STRONG_SUSPICION, WEAK_SUSPICION, 0]
    assert word_suspicion(view, 1).tolist() == [0, WEAK_SUSPICION]
    assert suspect_segments(view).tolist() == [True, True, False]


def test_without_systems_the_gold_does_and_no_person():
    one = Session(corpus_of(tags("ob"), {}))
    one.add_person("me", Kind.WORDS)
    assert [key.provenance for key in suspecting_layers(one.view, Kind.WORDS)] == [Provenance.GOLD]
    assert word_suspicion(one.view, 0).tolist() == [0, STRONG_SUSPICION]


def test_a_threshold_says_what_is_doubtful():
    corpus = corpus_of(None, {"a": tags("oo", "o")})
    key = LayerKey(Provenance.SYSTEM, "a", Kind.PROBABILITIES)
    numbers = NumberColumn(np.array([0.2, 0.7, 0.1], np.float32), corpus.layers[next(iter(corpus.layers))].tags.offsets)
    one = Session(corpus.with_layer(Layer(key, numbers)))
    one.set_threshold("a", 0.5)
    assert suspect_segments(one.view).tolist() == [True, False]
    one.set_threshold("a", 0.8)
    assert suspect_segments(one.view).tolist() == [False, False]


def test_what_is_finished_is_in_no_list_of_what_is_left():
    one = session()
    one.reviewing.set({0: {ReviewField.STATUS: ReviewStatus.CONFIRMED}, 2: {ReviewField.NOTE: "hm"}})
    assert unfinished_segments(one.view).tolist() == [False, True, True]
    assert segments_with_notes(one.view).tolist() == [False, False, True]
    assert shown(one, SegmentQuery(only_doubtful=True)) == [1]
    assert shown(one, SegmentQuery(only_noted=True)) == [2]
    assert shown(one, SegmentQuery(statuses=frozenset({ReviewStatus.CONFIRMED}))) == [0]
    assert shown(one, SegmentQuery(statuses=frozenset({ReviewStatus.CONFIRMED, ReviewStatus.OPEN}))) == [0, 1, 2]
    assert shown(one, SegmentQuery(statuses=frozenset({ReviewStatus.OPEN}), only_doubtful=True)) == [1]


def test_notes_are_those_of_people_and_of_the_file():
    corpus = corpus_of(None, {"a": tags("o", "o", "o")})
    lines = TextColumn.of(["x"] * 3)
    job = TranslationJob((), lines, lines, np.zeros(3, np.uint8), np.zeros(3, bool), notes={2: ("of the file",)})
    one = Session(replace(corpus, job=job))
    one.reviewing.set({0: {ReviewField.NOTE: "mine"}})
    assert segments_with_notes(one.view).tolist() == [True, False, True]
    one.undo()
    assert segments_with_notes(one.view).tolist() == [False, False, True]
