"""The fewest edits, and of these ways the one that keeps the most words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from qe_desktop.levels.translations.diff_styles.word_differences import min_edit_alignment
from qe_desktop.metrics.ter.ter_alignment import EditStep

sides = st.lists(st.sampled_from("abc"), max_size=7)


def ways(one, other):
    """Edits and matches of every way, one after the other."""
    if not one and not other:
        yield 0, 0
    if one:
        yield from ((edits + 1, kept) for edits, kept in ways(one[1:], other))
    if other:
        yield from ((edits + 1, kept) for edits, kept in ways(one, other[1:]))
    if one and other:
        same = one[0] == other[0]
        yield from ((edits + (not same), kept + same) for edits, kept in ways(one[1:], other[1:]))


@given(st.lists(st.sampled_from("ab"), max_size=4), st.lists(st.sampled_from("ab"), max_size=4))
def test_no_way_is_better(one, other):
    found = min_edit_alignment(one, other)
    kept = sum(step.operation == "match" for step in found.steps)
    assert (found.edits, -kept) == min((edits, -matches) for edits, matches in ways(one, other))


@given(sides, sides)
def test_every_token_has_one_step_and_edits_are_the_fewest(one, other):
    found = min_edit_alignment(one, other)
    assert [step.mt for step in found.steps if step.mt is not None] == list(range(len(one)))
    assert [step.post_edit for step in found.steps if step.post_edit is not None] == list(range(len(other)))
    assert found.edits == Levenshtein.distance(one, other)
    assert all(
        (one[step.mt] == other[step.post_edit]) == (step.operation == "match")
        for step in found.steps
        if step.mt is not None and step.post_edit is not None
    )


def test_a_word_of_both_is_kept():
    assert min_edit_alignment(["a", "park", "."], ["the", "big", "park"]).steps == (
        EditStep("insertion", None, 0, False), EditStep("substitution", 0, 1, False), EditStep("match", 1, 2, False),
        EditStep("deletion", 2, None, False),
    )  # fmt: skip
    assert min_edit_alignment([], []).steps == ()
