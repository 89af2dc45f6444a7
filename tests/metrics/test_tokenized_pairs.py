"""Texts as token codes: equal tokens have equal codes in all texts of a vocabulary."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from qe_desktop.metrics.text.tokenized_pairs import TokenizedText, Vocabulary, tokenized_pair


class CountingTokenizer:
    """Whitespace tokenizer that counts its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, lines: Sequence[str]) -> list[list[str]]:
        self.calls += 1
        return [line.split() for line in lines]


def test_system_and_references_share_token_codes() -> None:
    tokenizer = CountingTokenizer()
    tokenized = tokenized_pair(["a b", "", "c a"], [["b a", "x", "c c"]])
    system, reference = tokenized.system.tokens(tokenizer), tokenized.references[0].tokens(tokenizer)
    assert system.counts.tolist() == [2, 0, 2]
    words = tokenized.system.vocabulary.words()
    assert [[words[code] for code in system.of(segment)] for segment in range(3)] == [["a", "b"], [], ["c", "a"]]
    assert np.array_equal(np.sort(system.of(0)), np.sort(reference.of(0)))
    assert set(reference.of(2)) == {system.of(2)[0]}


def test_text_is_tokenized_once_per_tokenizer() -> None:
    text, tokenizer, other = TokenizedText(["a b"], Vocabulary()), CountingTokenizer(), CountingTokenizer()
    assert text.tokens(tokenizer) is text.tokens(tokenizer)
    text.tokens(other)
    assert (tokenizer.calls, other.calls) == (1, 1)


def test_texts_of_different_lengths_are_errors() -> None:
    with pytest.raises(ValueError, match="the same number of lines"):
        tokenized_pair(["a"], [["a", "b"]])
    with pytest.raises(ValueError, match="the same number of lines"):
        tokenized_pair(["a"], [])
