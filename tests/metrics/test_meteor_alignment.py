"""Alignments with the fewest crossings or chunks, compared with all possible ones; bounded search steps."""

from __future__ import annotations

import random
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.metrics.text import meteor_alignment
from qe_desktop.metrics.text.meteor_alignment import TokenAlignment, align_tokens


def all_alignments(system: list[int], reference: list[int]) -> list[TokenAlignment]:
    """Return every alignment that matches as many tokens as possible."""
    choices = []
    for word in set(system) & set(reference):
        system_indices = [index for index, token in enumerate(system) if token == word]
        reference_indices = [index for index, token in enumerate(reference) if token == word]
        pairs = min(len(system_indices), len(reference_indices))
        choices.append(
            [
                tuple(zip(some, permuted, strict=True))
                for some in combinations(system_indices, pairs)
                for permuted in permutations(reference_indices, pairs)
            ]
        )
    return [
        TokenAlignment(tuple(sorted(pair for pairs in chosen for pair in pairs)), True) for chosen in product(*choices)
    ]


tokens = st.lists(st.integers(0, 4), max_size=6)


@settings(max_examples=300)
@given(tokens, tokens)
def test_alignment_has_the_fewest_crossings_or_chunks(system, reference):
    every = all_alignments(system, reference)
    crossings, chunks = align_tokens(system, reference), align_tokens(system, reference, "chunks")
    assert crossings.exact
    assert chunks.exact
    assert (crossings.crossings, crossings.chunks) == min(
        (alignment.crossings, alignment.chunks) for alignment in every
    )
    assert chunks.chunks == min(alignment.chunks for alignment in every)
    for item in (crossings, chunks):
        assert item.pairs in {alignment.pairs for alignment in every}


@settings(max_examples=200)
@given(tokens, tokens)
def test_narrow_beam_matches_all_tokens_and_is_exact_only_if_it_says_so(system, reference):
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
    fewest = min((alignment.crossings, alignment.chunks) for alignment in every)
    assert ((crossings.crossings, crossings.chunks) == fewest) >= crossings.exact
    assert (chunks.chunks == min(alignment.chunks for alignment in every)) >= chunks.exact
    for item in (crossings, chunks):
        assert item.pairs in {alignment.pairs for alignment in every}


def noisy_translation(tokens: list[int], dice: random.Random) -> list[int]:
    """Return the tokens with some deleted, some substituted and a block of three moved."""
    result = [dice.randrange(100) if dice.random() < 0.2 else token for token in tokens if dice.random() > 0.1]
    begin, to = dice.randrange(len(result) - 3), dice.randrange(len(result) - 3)
    moved = result[begin : begin + 3]
    del result[begin : begin + 3]
    return result[:to] + moved + result[to:]


def random_words(count: int, dice: random.Random) -> list[int]:
    """Return random words that repeat as often as words of a text (Zipf)."""
    return dice.choices(range(20_000), [1 / (rank + 2.7) for rank in range(20_000)], k=count)


def test_segments_of_realistic_texts_are_aligned_exactly():
    dice = random.Random(1)
    for _ in range(40):
        reference = random_words(30, dice)
        for fewest in ("crossings", "chunks"):
            assert align_tokens(noisy_translation(reference, dice), reference, fewest).exact


def test_moved_block_is_one_chunk():
    tokens = list(range(40))
    alignment = align_tokens(tokens[20:] + tokens[:20], tokens)
    assert (alignment.chunks, alignment.crossings) == (2, 400)
    assert align_tokens([7] * 9, [7] * 5, "chunks").chunks == 1
    assert align_tokens([], [1]) == TokenAlignment((), True)


@pytest.mark.parametrize("fewest", ["crossings", "chunks"])
@pytest.mark.parametrize("different", [1, 2, 5, 20, 100])
def test_search_steps_of_long_segments_are_bounded(fewest, different, monkeypatch):
    """A word that occurs a hundred times has too many alignments to search all of them."""
    weighed = 0
    extend_state = meteor_alignment._extend_state

    def count_step(*arguments):
        nonlocal weighed
        weighed += 1
        return extend_state(*arguments)

    monkeypatch.setattr(meteor_alignment, "_extend_state", count_step)
    dice = random.Random(different)
    work = {}
    for length in (100, 200):
        system, reference = ([dice.randrange(different) for _ in range(length + more)] for more in (0, 7))
        weighed = 0
        alignment = align_tokens(system, reference, fewest)
        work[length] = weighed
        pairs = sum(min(system.count(word), reference.count(word)) for word in set(system))
        assert (
            len({i for i, _ in alignment.pairs})
            == len({j for _, j in alignment.pairs})
            == len(alignment.pairs)
            == pairs
        )
        assert all(system[i] == reference[j] for i, j in alignment.pairs)
    # two passes, each with its beam width of states per choice
    choices = meteor_alignment._Task(system, reference, fewest).choices
    assert (
        work[200]
        <= meteor_alignment.MAX_SEARCH_STEPS
        + (meteor_alignment.FIRST_BEAM_WIDTH + meteor_alignment.MIN_BEAM_WIDTH) * choices
    )
    assert work[200] <= 5 * work[100] + meteor_alignment.MAX_SEARCH_STEPS
