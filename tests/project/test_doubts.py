"""Doubtful words and segments: by systems, not by people, at their thresholds, until they are finished."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from qe_desktop.corpus import Job, Kind, LayerKey, NumberColumn, Provenance, Status, TextColumn
from qe_desktop.corpus.layers import Layer
from qe_desktop.project import ReviewField, Session
from qe_desktop.project.doubts import STRONG, WEAK, doubtful, doubting, noted, unfinished, word_doubts
from qe_desktop.project.segments import Query, select, snapshot
from tests.building import corpus_of, tags


def session() -> Session:
    systems = {"a": tags("boo", "oo", "o"), "b": tags("bbo", "oo", "o"), "c": tags("boo", "ob", "o")}
    return Session(corpus_of(tags("bbb", "bb", "b"), systems))


def shown(one: Session, query: Query) -> list[int]:
    return select(snapshot(one.view, Kind.WORDS, query), query).tolist()


def test_of_two_systems_both_make_a_word_doubtful_strongly_as_the_reader_marks():
    view = Session(corpus_of(None, {"a": tags("bbo"), "b": tags("boo")})).view
    assert word_doubts(view, 0).tolist() == [STRONG, WEAK, 0]


def test_systems_make_words_doubtful_most_of_them_strongly():
    view = session().view
    assert word_doubts(view, 0).tolist() == [STRONG, WEAK, 0]
    assert word_doubts(view, 1).tolist() == [0, WEAK]
    assert doubtful(view).tolist() == [True, True, False]


def test_without_systems_the_gold_does_and_no_person():
    one = Session(corpus_of(tags("ob"), {}))
    one.add_person("me", Kind.WORDS)
    assert [key.provenance for key in doubting(one.view, Kind.WORDS)] == [Provenance.GOLD]
    assert word_doubts(one.view, 0).tolist() == [0, STRONG]


def test_a_threshold_says_what_is_doubtful():
    corpus = corpus_of(None, {"a": tags("oo", "o")})
    key = LayerKey(Provenance.SYSTEM, "a", Kind.PROBABILITIES)
    numbers = NumberColumn(np.array([0.2, 0.7, 0.1], np.float32), corpus.layers[next(iter(corpus.layers))].tags.offsets)
    one = Session(corpus.with_layer(Layer(key, numbers)))
    one.set_threshold("a", 0.5)
    assert doubtful(one.view).tolist() == [True, False]
    one.set_threshold("a", 0.8)
    assert doubtful(one.view).tolist() == [False, False]


def test_what_is_finished_is_in_no_list_of_what_is_left():
    one = session()
    one.reviewing.set({0: {ReviewField.STATUS: Status.CONFIRMED}, 2: {ReviewField.NOTE: "hm"}})
    assert unfinished(one.view).tolist() == [False, True, True]
    assert noted(one.view).tolist() == [False, False, True]
    assert shown(one, Query(only_doubtful=True)) == [1]
    assert shown(one, Query(only_noted=True)) == [2]
    assert shown(one, Query(statuses=frozenset({Status.CONFIRMED}))) == [0]
    assert shown(one, Query(statuses=frozenset({Status.CONFIRMED, Status.OPEN}))) == [0, 1, 2]
    assert shown(one, Query(statuses=frozenset({Status.OPEN}), only_doubtful=True)) == [1]


def test_notes_are_those_of_people_and_of_the_file():
    corpus = corpus_of(None, {"a": tags("o", "o", "o")})
    lines = TextColumn.of(["x"] * 3)
    job = Job((), lines, lines, np.zeros(3, np.uint8), np.zeros(3, bool), notes={2: ("of the file",)})
    one = Session(replace(corpus, job=job))
    one.reviewing.set({0: {ReviewField.NOTE: "mine"}})
    assert noted(one.view).tolist() == [True, False, True]
    one.undo()
    assert noted(one.view).tolist() == [False, False, True]
