"""Ranks as tuples, and differing spans of texts."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.answers.ranking import (
    describe_ranks,
    empty_ranks,
    move_output,
    next_unranked,
    rank_rows,
    set_rank,
    unranked_positions,
)
from qe_desktop.corpus.text_spans import differing_spans

RANKS = st.integers(2, 5).flatmap(lambda n: st.tuples(*[st.integers(0, n)] * n))


def test_set_rank_and_move_output():
    assert set_rank(empty_ranks(3), 1, 2) == (0, 2, 0)
    assert move_output((2, 1, 3), 0, 1) == (3, 1, 3)
    assert move_output((0, 0, 0), 2, 1) == (0, 0, 1)


def test_rank_rows_group_ties_and_omit_unranked_outputs():
    assert rank_rows((2, 1, 2, 0)) == {1: [1], 2: [0, 2]}
    assert describe_ranks((2, 1, 2, 0)) == "B > A = C"
    assert describe_ranks((0, 0)) == "nothing ranked"


def test_next_unranked_wraps_around():
    assert next_unranked((1, 0, 0), 0) == 1
    assert next_unranked((0, 1, 1), 2) == 0
    assert next_unranked((1, 2, 3), 1) == 1


@given(RANKS, st.data())
def test_move_changes_only_one_output_and_stays_in_range(ranks, data):
    index = data.draw(st.integers(0, len(ranks) - 1))
    result = move_output(ranks, index, data.draw(st.sampled_from([-1, 1])))
    assert 1 <= result[index] <= len(ranks)
    assert [r for p, r in enumerate(result) if p != index] == [r for p, r in enumerate(ranks) if p != index]
    assert index not in unranked_positions(result)


def test_differences_separate_words_and_punctuation():
    text = "Der Hund bellt."
    assert [text[a:b] for a, b in differing_spans(text, "Der Hase bellt!")] == ["Hund", "."]
    assert differing_spans(text, text) == []


def test_differences_are_characters_in_text_without_spaces():
    text = "猫が魚を食べた"
    assert [text[a:b] for a, b in differing_spans(text, "犬が魚を食べた")] == ["猫"]


def test_combining_marks_stay_with_their_word():
    text = "हिन्दी में"
    assert [text[a:b] for a, b in differing_spans(text, "हिन्दू में")] == ["हिन्दी"]


@given(st.text(max_size=60), st.text(max_size=60))
def test_differences_are_ordered_and_inside_the_text(first, second):
    spans = differing_spans(first, second)
    assert all(0 <= a < b <= len(first) for a, b in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert differing_spans(first, first) == []
