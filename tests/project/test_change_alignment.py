"""Word alignment of long texts: complete and in order, with moved blocks that are not split."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.metrics.tags.post_edit_tags import compute_target_edits
from qe_desktop.project.review.target_changes import align_words, aligned_by_tercom, moved_blocks

WORDS = st.lists(st.sampled_from(["a", "A", "b", "c", "d", "e", "word", "."]), max_size=40)
MOVED = [f"moved{number}" for number in range(30)]
REST = [f"rest{number}" for number in range(90)]


@given(WORDS, WORDS)
def test_every_word_is_aligned_once_and_in_order(mt, target):
    aligned = align_words(mt, target)
    assert aligned is not None
    for side, words in enumerate((mt, target)):
        assert [pair[side] for pair in aligned if pair[side] >= 0] == list(range(len(words)))
    assert all(kept == (min(first, second) >= 0 and mt[first] == target[second]) for first, second, kept in aligned)


@given(WORDS, WORDS)
def test_both_ends_of_a_moved_block_are_the_same_words(mt, target):
    aligned = align_words(mt, target)
    assert aligned is not None
    moves_from, moves_to = moved_blocks(aligned, mt, target)
    ends = ({}, {})
    for words, moves, blocks in ((mt, moves_from, ends[0]), (target, moves_to, ends[1])):
        for word, number in sorted(moves.items()):
            blocks.setdefault(number, []).append(words[word])
    assert ends[0] == ends[1]
    assert all(sum(map(str.isalnum, "".join(block))) >= 4 for block in ends[0].values())


def test_alignment_of_tercom_is_replaced_only_where_its_beam_hides_kept_words():
    for mt, target, replaced in (
        ([*MOVED, *REST], [*REST, *MOVED], True),
        ([*MOVED[:5], *REST], [*REST, *MOVED[:5]], False),
        (REST, [word.replace("rest", "new") for word in REST], False),
    ):
        edits = compute_target_edits(mt, target)
        assert edits is not None
        by_tercom = aligned_by_tercom(edits.words, edits.pairs)
        aligned = align_words(mt, target, by_tercom)
        assert (aligned is not by_tercom) is replaced
        assert aligned is not None
        assert sum(kept for *_, kept in aligned) == (len(REST) if mt is not REST else 0)


def test_frequent_words_do_not_split_a_moved_block():
    block = [word for name in MOVED for word in (name, "of", "the")]
    before, after = REST[:45], [f"after{number}" for number in range(150)]
    mt, target = [*before, *block, *after], [*before, "of", "the", *after, *block]
    aligned = align_words(mt, target)
    assert aligned is not None
    moves_from, _ = moved_blocks(aligned, mt, target)
    assert list(moves_from.values()) == [1] * len(moves_from)
    assert len(moves_from) >= len(block) - 2


@pytest.mark.parametrize("both", [([], []), (["a"], []), ([], ["a"])])
def test_empty_texts_are_aligned(both):
    aligned = align_words(*both)
    assert aligned is not None
    assert len(aligned) == max(map(len, both))
