"""Ranks as tuples, and where texts differ."""

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
from qe_desktop.corpus.text_diff import differing_spans

RANKS = st.integers(2, 5).flatmap(lambda n: st.tuples(*[st.integers(0, n)] * n))


def test_giving_and_moving():
    assert set_rank(empty_ranks(3), 1, 2) == (0, 2, 0)
    assert move_output((2, 1, 3), 0, 1) == (3, 1, 3)
    assert move_output((0, 0, 0), 2, 1) == (0, 0, 1)


def test_rows_hold_ties_and_leave_out_what_has_no_rank():
    assert rank_rows((2, 1, 2, 0)) == {1: [1], 2: [0, 2]}
    assert describe_ranks((2, 1, 2, 0)) == "B > A = C"
    assert describe_ranks((0, 0)) == "nothing ranked"


def test_the_next_without_a_rank_is_looked_for_all_around():
    assert next_unranked((1, 0, 0), 0) == 1
    assert next_unranked((0, 1, 1), 2) == 0
    assert next_unranked((1, 2, 3), 1) == 1


@given(RANKS, st.data())
def test_moves_stay_within_the_rows_and_touch_one_output(ranks, data):
    place = data.draw(st.integers(0, len(ranks) - 1))
    result = move_output(ranks, place, data.draw(st.sampled_from([-1, 1])))
    assert 1 <= result[place] <= len(ranks)
    assert [r for p, r in enumerate(result) if p != place] == [r for p, r in enumerate(ranks) if p != place]
    assert place not in unranked_positions(result)


def test_differences_are_words_with_punctuation_apart():
    text = "Der Hund bellt."
    assert [text[a:b] for a, b in differing_spans(text, "Der Hase bellt!")] == ["Hund", "."]
    assert differing_spans(text, text) == []


def test_differences_are_characters_where_nothing_parts_words():
    text = "猫が魚を食べた"
    assert [text[a:b] for a, b in differing_spans(text, "犬が魚を食べた")] == ["猫"]


def test_combining_marks_stay_with_their_word():
    text = "हिन्दी में"
    assert [text[a:b] for a, b in differing_spans(text, "हिन्दू में")] == ["हिन्दी"]


@given(st.text(max_size=60), st.text(max_size=60))
def test_differences_lie_in_the_text_in_order(one, other):
    found = differing_spans(one, other)
    assert all(0 <= a < b <= len(one) for a, b in found)
    assert all(before[1] <= after[0] for before, after in pairwise(found))
    assert differing_spans(one, one) == []
