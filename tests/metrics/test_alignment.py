"""Alignments: the fewest crossings and chunks, beside every possible one, and the work of hard segments."""

from __future__ import annotations

import random
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.metrics.text import meteor_alignment
from qe_desktop.metrics.text.meteor_alignment import TokenAlignment, align_tokens


def all_alignments(system: list[int], reference: list[int]) -> list[TokenAlignment]:
    """Every matching of as many tokens as possible."""
    choices = []
    for word in set(system) & set(reference):
        ours = [place for place, token in enumerate(system) if token == word]
        theirs = [place for place, token in enumerate(reference) if token == word]
        pairs = min(len(ours), len(theirs))
        choices.append(
            [
                tuple(zip(some, others, strict=True))
                for some in combinations(ours, pairs)
                for others in permutations(theirs, pairs)
            ]
        )
    return [
        TokenAlignment(tuple(sorted(pair for pairs in chosen for pair in pairs)), True) for chosen in product(*choices)
    ]


tokens = st.lists(st.integers(0, 4), max_size=6)


@settings(max_examples=300)
@given(tokens, tokens)
def test_none_has_fewer(system, reference):
    every = all_alignments(system, reference)
    crossings, chunks = align_tokens(system, reference), align_tokens(system, reference, "chunks")
    assert crossings.exact
    assert chunks.exact
    assert (crossings.crossings, crossings.chunks) == min((one.crossings, one.chunks) for one in every)
    assert chunks.chunks == min(one.chunks for one in every)
    for found in (crossings, chunks):
        assert found.pairs in {one.pairs for one in every}


@settings(max_examples=200)
@given(tokens, tokens)
def test_what_keeps_few_states_still_matches_all_and_claims_no_more_than_is_so(system, reference):
    every = all_alignments(system, reference)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (
            ("FIRST_BEAM_WIDTH", 1),
            ("MAX_SEARCH_STEPS", 1),
            ("MIN_BEAM_WIDTH", 1),
            ("MAX_BEAM_WIDTH", 2),
        ):
            patch.setattr(meteor_alignment, name, value)
        crossings, chunks = align_tokens(system, reference), align_tokens(system, reference, "chunks")
    least = min((one.crossings, one.chunks) for one in every)
    assert ((crossings.crossings, crossings.chunks) == least) >= crossings.exact
    assert (chunks.chunks == min(one.chunks for one in every)) >= chunks.exact
    for found in (crossings, chunks):
        assert found.pairs in {one.pairs for one in every}


def noisy(tokens: list[int], dice: random.Random) -> list[int]:
    """A translation that lacks some words, has some others and has moved a few."""
    found = [dice.randrange(100) if dice.random() < 0.2 else token for token in tokens if dice.random() > 0.1]
    begin, to = dice.randrange(len(found) - 3), dice.randrange(len(found) - 3)
    moved = found[begin : begin + 3]
    del found[begin : begin + 3]
    return found[:to] + moved + found[to:]


def words(count: int, dice: random.Random) -> list[int]:
    """As often repeated as words in text are."""
    return dice.choices(range(20_000), [1 / (rank + 2.7) for rank in range(20_000)], k=count)


def test_segments_of_texts_are_exact():
    dice = random.Random(1)
    for _ in range(40):
        reference = words(30, dice)
        for fewest in ("crossings", "chunks"):
            assert align_tokens(noisy(reference, dice), reference, fewest).exact


def test_a_moved_block_is_one_chunk():
    tokens = list(range(40))
    found = align_tokens(tokens[20:] + tokens[:20], tokens)
    assert (found.chunks, found.crossings) == (2, 400)
    assert align_tokens([7] * 9, [7] * 5, "chunks").chunks == 1
    assert align_tokens([], [1]) == TokenAlignment((), True)


@pytest.mark.parametrize("fewest", ["crossings", "chunks"])
@pytest.mark.parametrize("different", [1, 2, 5, 20, 100])
def test_the_work_of_long_segments_is_bounded(fewest, different, monkeypatch):
    """A word that is there a hundred times leaves more alignments than could ever be looked at."""
    weighed = 0
    taken = meteor_alignment._extend_state

    def counted(*given):
        nonlocal weighed
        weighed += 1
        return taken(*given)

    monkeypatch.setattr(meteor_alignment, "_extend_state", counted)
    dice = random.Random(different)
    work = {}
    for length in (100, 200):
        system, reference = ([dice.randrange(different) for _ in range(length + more)] for more in (0, 7))
        weighed = 0
        found = align_tokens(system, reference, fewest)
        work[length] = weighed
        pairs = sum(min(system.count(word), reference.count(word)) for word in set(system))
        assert len({i for i, _ in found.pairs}) == len({j for _, j in found.pairs}) == len(found.pairs) == pairs
        assert all(system[i] == reference[j] for i, j in found.pairs)
    # a first and a second pass, each of so many states for every choice
    choices = meteor_alignment._Task(system, reference, fewest).choices
    assert (
        work[200]
        <= meteor_alignment.MAX_SEARCH_STEPS
        + (meteor_alignment.FIRST_BEAM_WIDTH + meteor_alignment.MIN_BEAM_WIDTH) * choices
    )
    assert work[200] <= 5 * work[100] + meteor_alignment.MAX_SEARCH_STEPS
