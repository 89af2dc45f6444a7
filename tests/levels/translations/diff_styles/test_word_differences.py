"""Alignments with the fewest edits and, among these, the most matches."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from qe_desktop.levels.translations.diff_styles.edit_styles import min_edit_alignment
from qe_desktop.metrics.ter.ter_edits import EditStep

token_lists = st.lists(st.sampled_from("abc"), max_size=7)


def all_alignments(first, second):
    """Yield the edits and matches of every alignment."""
    if not first and not second:
        yield 0, 0
    if first:
        yield from ((edits + 1, matched) for edits, matched in all_alignments(first[1:], second))
    if second:
        yield from ((edits + 1, matched) for edits, matched in all_alignments(first, second[1:]))
    if first and second:
        same = first[0] == second[0]
        yield from ((edits + (not same), matched + same) for edits, matched in all_alignments(first[1:], second[1:]))


@given(st.lists(st.sampled_from("ab"), max_size=4), st.lists(st.sampled_from("ab"), max_size=4))
def test_alignment_is_the_best_of_all(first, second):
    alignment = min_edit_alignment(first, second)
    matched = sum(step.operation == "match" for step in alignment.steps)
    assert (alignment.edits, -matched) == min((edits, -matches) for edits, matches in all_alignments(first, second))


@given(token_lists, token_lists)
def test_every_token_has_one_step_and_edits_are_minimal(first, second):
    alignment = min_edit_alignment(first, second)
    assert [step.mt for step in alignment.steps if step.mt is not None] == list(range(len(first)))
    assert [step.post_edit for step in alignment.steps if step.post_edit is not None] == list(range(len(second)))
    assert alignment.edits == Levenshtein.distance(first, second)
    assert all(
        (first[step.mt] == second[step.post_edit]) == (step.operation == "match")
        for step in alignment.steps
        if step.mt is not None and step.post_edit is not None
    )


def test_common_word_is_matched():
    assert min_edit_alignment(["a", "park", "."], ["the", "big", "park"]).steps == (
        EditStep("insertion", None, 0, False), EditStep("substitution", 0, 1, False), EditStep("match", 1, 2, False),
        EditStep("deletion", 2, None, False),
    )  # fmt: skip
    assert min_edit_alignment([], []).steps == ()
