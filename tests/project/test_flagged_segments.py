"""Flagged words and segments: the layers that flag them, thresholds, and filters by status and notes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import Kind, LayerKey, NumberColumn, Provenance, ReviewStatus, TextColumn, TranslationJob
from qe_desktop.corpus.layers import Layer
from qe_desktop.corpus.tag_voting import FULL_MARK, LIGHT_MARK, VotingRule, flag_marks, flagging_layers, segment_marks
from qe_desktop.project import ReviewField, Session
from qe_desktop.project.segment_filter import (
    SegmentQuery,
    filter_segments,
    flagged_segments,
    segments_with_notes,
    take_snapshot,
    unfinished_segments,
)
from tests.small_corpora import corpus_of, tags


def session() -> Session:
    systems = {"a": tags("boo", "oo", "o"), "b": tags("bbo", "oo", "o"), "c": tags("boo", "ob", "o")}
    return Session(corpus_of(tags("bbb", "bb", "b"), systems))


def filtered_segments(current: Session, query: SegmentQuery, rule: VotingRule = VotingRule.ANY) -> list[int]:
    return filter_segments(take_snapshot(current.view, Kind.WORDS, query, rule), query).segments.tolist()


def test_mark_is_full_only_if_both_of_two_systems_flag_the_word():
    view = Session(corpus_of(None, {"a": tags("bbo"), "b": tags("boo")})).view
    assert flag_marks(view, 0).tolist() == [FULL_MARK, LIGHT_MARK, 0]


def test_voting_rule_determines_flagged_words_and_segments():
    view = session().view
    assert flag_marks(view, 0).tolist() == [FULL_MARK, 0, 0]
    assert flag_marks(view, 0, VotingRule.ANY).tolist() == [FULL_MARK, LIGHT_MARK, 0]
    assert flag_marks(view, 1, VotingRule.ANY).tolist() == [0, LIGHT_MARK]
    assert flagged_segments(view).tolist() == [True, False, False]
    assert flagged_segments(view, VotingRule.ANY).tolist() == [True, True, False]


@pytest.mark.parametrize("rule", VotingRule)
def test_flagged_segments_are_those_with_a_mark_in_the_text(rule):
    rng = np.random.default_rng(3)
    systems = {name: tags(*("".join(rng.choice(["b", "o", "o"], 3)) for _ in range(40))) for name in "abc"}
    view = Session(corpus_of(None, systems)).view
    marks = [segment_marks(view, Kind.WORDS, segment, rule) for segment in range(40)]
    assert [bool(np.any(mark)) for mark in marks] == flagged_segments(view, rule).tolist()
    assert all(np.array_equal(mark, flag_marks(view, segment, rule)) for segment, mark in enumerate(marks))


def test_without_systems_gold_flags_words_and_annotations_do_not():
    current = Session(corpus_of(tags("ob"), {}))
    current.add_person("me", Kind.WORDS)
    assert [key.provenance for key in flagging_layers(current.view, Kind.WORDS)] == [Provenance.GOLD]
    assert flag_marks(current.view, 0).tolist() == [0, FULL_MARK]


def test_threshold_determines_the_flagged_segments():
    corpus = corpus_of(None, {"a": tags("oo", "o")})
    key = LayerKey(Provenance.SYSTEM, "a", Kind.PROBABILITIES)
    numbers = NumberColumn(np.array([0.2, 0.7, 0.1], np.float32), corpus.layers[next(iter(corpus.layers))].tags.offsets)
    current = Session(corpus.with_layer(Layer(key, numbers)))
    current.set_threshold("a", 0.5)
    assert flagged_segments(current.view).tolist() == [True, False]
    current.set_threshold("a", 0.8)
    assert flagged_segments(current.view).tolist() == [False, False]


def test_confirmed_segments_are_neither_unfinished_nor_flagged():
    current = session()
    current.reviewing.set({0: {ReviewField.STATUS: ReviewStatus.CONFIRMED}, 2: {ReviewField.NOTE: "hm"}})
    assert unfinished_segments(current.view).tolist() == [False, True, True]
    assert segments_with_notes(current.view).tolist() == [False, False, True]
    assert filtered_segments(current, SegmentQuery(only_flagged=True)) == [1]
    assert filtered_segments(current, SegmentQuery(only_flagged=True), VotingRule.ALL) == []
    assert filtered_segments(current, SegmentQuery(only_with_notes=True)) == [2]
    assert filtered_segments(current, SegmentQuery(statuses=frozenset({ReviewStatus.CONFIRMED}))) == [0]
    assert filtered_segments(
        current, SegmentQuery(statuses=frozenset({ReviewStatus.CONFIRMED, ReviewStatus.OPEN}))
    ) == [0, 1, 2]
    assert filtered_segments(current, SegmentQuery(statuses=frozenset({ReviewStatus.OPEN}), only_flagged=True)) == [1]


def test_segments_with_notes_include_notes_of_the_user_and_of_the_file():
    corpus = corpus_of(None, {"a": tags("o", "o", "o")})
    lines = TextColumn.of(["x"] * 3)
    job = TranslationJob((), lines, lines, np.zeros(3, np.uint8), np.zeros(3, bool), notes={2: ("of the file",)})
    current = Session(replace(corpus, job=job))
    current.reviewing.set({0: {ReviewField.NOTE: "mine"}})
    assert segments_with_notes(current.view).tolist() == [True, False, True]
    current.undo()
    assert segments_with_notes(current.view).tolist() == [False, False, True]
