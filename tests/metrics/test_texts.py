"""Texts as numbers: the same token is the same number, wherever it stands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from qe_desktop.metrics.text.tokenized_pairs import TokenizedText, Vocabulary, tokenized_pair


class Counting:
    """Cuts at blanks, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, lines: Sequence[str]) -> list[list[str]]:
        self.asked += 1
        return [line.split() for line in lines]


def test_tokens_of_system_and_references_share_their_numbers() -> None:
    cutting = Counting()
    beside = tokenized_pair(["a b", "", "c a"], [["b a", "x", "c c"]])
    system, reference = beside.system.tokens(cutting), beside.references[0].tokens(cutting)
    assert system.counts.tolist() == [2, 0, 2]
    words = beside.system.vocabulary.words()
    assert [[words[code] for code in system.of(segment)] for segment in range(3)] == [["a", "b"], [], ["c", "a"]]
    assert np.array_equal(np.sort(system.of(0)), np.sort(reference.of(0)))
    assert set(reference.of(2)) == {system.of(2)[0]}


def test_a_text_is_cut_once_for_each_way_of_cutting() -> None:
    text, cutting, other = TokenizedText(["a b"], Vocabulary()), Counting(), Counting()
    assert text.tokens(cutting) is text.tokens(cutting)
    text.tokens(other)
    assert (cutting.asked, other.asked) == (1, 1)


def test_texts_of_other_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="the same number of lines"):
        tokenized_pair(["a"], [["a", "b"]])
    with pytest.raises(ValueError, match="the same number of lines"):
        tokenized_pair(["a"], [])
