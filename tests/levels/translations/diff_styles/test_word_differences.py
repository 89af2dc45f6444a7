"""Alignments with the fewest edits and, among these, the most matches."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from qe_desktop.levels.translations.diff_styles.word_differences import min_edit_alignment
from qe_desktop.metrics.ter.ter_alignment import EditStep

token_lists = st.lists(st.sampled_from("abc"), max_size=7)


def all_alignments(one, other):
    """Yield the edits and matches of every alignment."""
    if not one and not other:
        yield 0, 0
    if one:
        yield from ((edits + 1, matched) for edits, matched in all_alignments(one[1:], other))
    if other:
        yield from ((edits + 1, matched) for edits, matched in all_alignments(one, other[1:]))
    if one and other:
        same = one[0] == other[0]
        yield from ((edits + (not same), matched + same) for edits, matched in all_alignments(one[1:], other[1:]))


@given(st.lists(st.sampled_from("ab"), max_size=4), st.lists(st.sampled_from("ab"), max_size=4))
def test_alignment_is_the_best_of_all(one, other):
    alignment = min_edit_alignment(one, other)
    matched = sum(step.operation == "match" for step in alignment.steps)
    assert (alignment.edits, -matched) == min((edits, -matches) for edits, matches in all_alignments(one, other))


@given(token_lists, token_lists)
def test_every_token_has_one_step_and_edits_are_minimal(one, other):
    alignment = min_edit_alignment(one, other)
    assert [step.mt for step in alignment.steps if step.mt is not None] == list(range(len(one)))
    assert [step.post_edit for step in alignment.steps if step.post_edit is not None] == list(range(len(other)))
    assert alignment.edits == Levenshtein.distance(one, other)
    assert all(
        (one[step.mt] == other[step.post_edit]) == (step.operation == "match")
        for step in alignment.steps
        if step.mt is not None and step.post_edit is not None
    )


def test_common_word_is_matched():
    assert min_edit_alignment(["a", "park", "."], ["the", "big", "park"]).steps == (
        EditStep("insertion", None, 0, False), EditStep("substitution", 0, 1, False), EditStep("match", 1, 2, False),
        EditStep("deletion", 2, None, False),
    )  # fmt: skip
    assert min_edit_alignment([], []).steps == ()
