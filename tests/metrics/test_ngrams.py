"""N-gram codes: shared references, tokens of later systems, and the matching n-grams of a segment."""

from __future__ import annotations

import gc
import weakref
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.metrics.text.ngrams import (
    MatchingNgram,
    collect_reference_ngrams,
    find_matching_ngrams,
    ngram_match_counts,
    ngram_totals,
)
from qe_desktop.metrics.text.tokenized_pairs import TokenizedPair, TokenizedText, Vocabulary, tokenized_pair
from qe_desktop.metrics.text.tokenizers import Tokenizer
from tests.metrics.text_strategies import system_and_references

TOKENIZER = Tokenizer("none")


def match_count(system: str, references: list[str], n: int) -> int:
    def ngrams(line: str) -> Counter[tuple[str, ...]]:
        words = line.split()
        return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))

    max_counts: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        max_counts |= ngrams(reference)
    return (ngrams(system) & max_counts).total()


@given(system_and_references(), st.integers(1, 7))
def test_match_counts_equal_a_plain_count(drawn, longest):
    system, references = drawn
    counts = ngram_match_counts(tokenized_pair(system, references), TOKENIZER, longest)
    assert counts.tolist() == [
        [match_count(line, [text[segment] for text in references], n) for n in range(1, longest + 1)]
        for segment, line in enumerate(system)
    ]


@given(st.lists(system_and_references(max_references=1, min_segments=3, max_segments=3), min_size=2, max_size=4))
def test_words_of_later_systems_match_no_reference(drawn):
    """Reference n-grams are numbered once; words added later to the vocabulary are not among them."""
    vocabulary = Vocabulary()
    references = (TokenizedText(drawn[0][1][0], vocabulary),)
    for number, (lines, _) in enumerate(drawn):
        system = [f"{line} new{number} {line}" for line in lines]
        tokenized = TokenizedPair(TokenizedText(system, vocabulary), references)
        assert np.array_equal(
            ngram_match_counts(tokenized, TOKENIZER, 4),
            ngram_match_counts(tokenized_pair(system, [drawn[0][1][0]]), TOKENIZER, 4),
        )


def test_reference_ngrams_are_cached_for_all_systems():
    vocabulary = Vocabulary()
    first, second = TokenizedText(["a b"], vocabulary), TokenizedText(["b a"], vocabulary)
    assert collect_reference_ngrams((first, second), TOKENIZER) is collect_reference_ngrams((first, second), TOKENIZER)
    assert collect_reference_ngrams((first,), TOKENIZER) is not collect_reference_ngrams((first, second), TOKENIZER)
    assert collect_reference_ngrams((first,), TOKENIZER) is not collect_reference_ngrams((first,), Tokenizer("char"))


def test_reference_ngrams_are_freed_with_their_texts():
    vocabulary = Vocabulary()
    first, second = TokenizedText(["a b"], vocabulary), TokenizedText(["b a"], vocabulary)
    references = [
        weakref.ref(collect_reference_ngrams(texts, TOKENIZER)) for texts in ((first, second), (second, first))
    ]
    del first, second
    gc.collect()
    assert [reference() for reference in references] == [None, None]


def test_maximum_ngram_length_can_change_between_calls():
    tokenized = tokenized_pair(["a b c d e"], [["a b c d e"]])
    assert ngram_match_counts(tokenized, TOKENIZER, 2).tolist() == [[5, 4]]
    assert ngram_match_counts(tokenized, TOKENIZER, 6).tolist() == [[5, 4, 3, 2, 1, 0]]
    assert ngram_match_counts(tokenized, TOKENIZER, 1).tolist() == [[5]]
    assert ngram_totals(np.array([5, 1, 0]), 3).tolist() == [[5, 4, 3], [1, 0, 0], [0, 0, 0]]


def test_matching_ngrams_of_a_segment_have_token_positions():
    tokenized = tokenized_pair(["x", "the the cat"], [["x", "the cat sat"], ["x", "a the mat"]])
    matching = find_matching_ngrams(tokenized, 1, TOKENIZER)
    assert matching.tokens == ("the", "the", "cat")
    assert matching.references == (("the", "cat", "sat"), ("a", "the", "mat"))
    assert matching.matches == (
        MatchingNgram(0, 1, (0, 1), True),
        MatchingNgram(1, 2, (0, 1), False),
        MatchingNgram(2, 3, (0,), True),
        MatchingNgram(1, 3, (0,), True),
    )


@given(system_and_references())
def test_matching_ngrams_equal_the_match_counts(drawn):
    tokenized = tokenized_pair(*drawn)
    counted = ngram_match_counts(tokenized, TOKENIZER, 4)
    for segment, row in enumerate(counted):
        matching = find_matching_ngrams(tokenized, segment, TOKENIZER)
        assert [matching.count_matches(length) for length in range(1, 5)] == row.tolist()
