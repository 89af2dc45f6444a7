"""What one target says of its MT: the same as whole columns say."""

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
def test_it_is_what_columns_say(mt, target):
    found = compute_target_edits(mt, target)
    ours, theirs = TextColumn.of([" ".join(mt)]), TextColumn.of([" ".join(target)])
    wanted = compare_post_edits(ours, theirs)
    assert found is not None
    assert np.array_equal(found.words, wanted.words[0])
    assert np.array_equal(found.gaps, wanted.gaps[0])
    assert np.array_equal(found.pairs, wanted.pairs[0])
    assert found.hter == pytest.approx(segment_hter(ours, theirs)[0])


def test_what_was_kept_edited_and_filled():
    found = compute_target_edits(["das", "Haus", "ist", "alt", "."], ["Das", "Haus", "war", "sehr", "alt", "."])
    assert found is not None
    assert found.kept() == [(1, 1), (3, 4), (4, 5)]
    assert (found.edited, found.filled) == (2, 1)
    assert found.hter == pytest.approx(2 / 6)


def test_texts_that_are_too_long_to_be_aligned_as_one_types_are_not():
    assert compute_target_edits(["a"] * (MAX_COMPARED_WORDS + 1), ["b"]) is None
