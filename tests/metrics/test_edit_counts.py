"""Counts of edits by kind sum to the edits of HTER, on generated texts and on published files."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import TextColumn
from qe_desktop.metrics.tags.post_edit_tags import count_edits, segment_hter

words = st.lists(st.sampled_from(["a", "b", "c", "D"]), max_size=8).map(" ".join)


@pytest.mark.parametrize(
    ("mt", "post_edit", "counts"),
    [
        ("a b c", "a b c", [0, 0, 0, 0]),
        ("a b c", "A b C", [0, 0, 0, 0]),
        ("a c", "a b c", [1, 0, 0, 0]),
        ("a b b c", "a b c", [0, 1, 0, 0]),
        ("a x c", "a b c", [0, 0, 1, 0]),
        ("c d e a b", "a b c d e", [0, 0, 0, 1]),
        ("", "a b", [2, 0, 0, 0]),
        ("a b", "", [0, 2, 0, 0]),
    ],
)
def test_each_kind_of_edit_is_counted(mt, post_edit, counts):
    assert count_edits(TextColumn.of([mt]), TextColumn.of([post_edit])).tolist() == [counts]


@given(st.lists(st.tuples(words, words), min_size=1, max_size=5))
def test_edit_counts_sum_to_the_edits_of_hter(pairs):
    mt, post_edit = (TextColumn.of(list(texts)) for texts in zip(*pairs, strict=True))
    counts, rates = count_edits(mt, post_edit), segment_hter(mt, post_edit, capped=False)
    length = post_edit.token_counts()
    some = length > 0
    assert (counts.sum(axis=1)[some] / length[some]).tolist() == pytest.approx(rates[some].tolist())
    # insertions minus deletions are the difference in length
    assert (mt.token_counts() + counts[:, 0] - counts[:, 1]).tolist() == length.tolist()


def test_texts_of_different_lengths_are_errors():
    with pytest.raises(ValueError, match="the same number of lines"):
        count_edits(TextColumn.of(["a"]), TextColumn.of([]))


@pytest.mark.published
@pytest.mark.parametrize("name", ["wmt18_en-de_nmt_dev/dev", "mlqe_pe/ro-en-test20/test20"])
def test_edit_counts_give_the_published_hter(data_folder, name):
    folder, stem = (data_folder / name).parent, (data_folder / name).name
    mt, post_edit = (TextColumn.from_bytes((folder / f"{stem}.{end}").read_bytes()) for end in ("mt", "pe"))
    rates = np.minimum(1.0, count_edits(mt, post_edit).sum(axis=1) / post_edit.token_counts())
    assert rates == pytest.approx(np.loadtxt(folder / f"{stem}.hter"), abs=6e-7)
