"""Edits of one target segment equal those computed for whole columns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import TextColumn
from qe_desktop.metrics.tags.post_edit_tags import (
    MAX_COMPARED_WORDS,
    compare_post_edits,
    compute_target_edits,
    segment_hter,
)

words = st.lists(st.sampled_from(["a", "b", "B", "c", "d"]), max_size=9)


@given(words, words)
def test_edits_of_one_target_equal_those_of_columns(mt, target):
    edits = compute_target_edits(mt, target)
    mt_column, target_column = TextColumn.of([" ".join(mt)]), TextColumn.of([" ".join(target)])
    expected = compare_post_edits(mt_column, target_column)
    assert edits is not None
    assert np.array_equal(edits.words, expected.words[0])
    assert np.array_equal(edits.gaps, expected.gaps[0])
    assert np.array_equal(edits.pairs, expected.pairs[0])
    assert edits.hter == pytest.approx(segment_hter(mt_column, target_column)[0])


def test_unchanged_edited_and_inserted_words():
    edits = compute_target_edits(["das", "Haus", "ist", "alt", "."], ["Das", "Haus", "war", "sehr", "alt", "."])
    assert edits is not None
    assert edits.unchanged_words() == [(1, 1), (3, 4), (4, 5)]
    assert (edits.edited_word_count, edits.inserted_word_count) == (2, 1)
    assert edits.hter == pytest.approx(2 / 6)
    edits = compute_target_edits(["das", "Haus"], ["das", "sehr", "alte", "Haus"])
    assert edits is not None
    assert (edits.edited_word_count, edits.inserted_word_count) == (0, 2), "two words in one gap"


def test_too_long_texts_have_no_target_edits():
    assert compute_target_edits(["a"] * (MAX_COMPARED_WORDS + 1), ["b"]) is None
