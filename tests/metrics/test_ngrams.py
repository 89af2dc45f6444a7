"""N-grams as numbers: shared references, tokens that come later, and which of a segment's match."""

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
from tests.metrics.drawn_texts import texts

CUT = Tokenizer("none")


def plainly(system: str, references: list[str], n: int) -> int:
    def ngrams(line: str) -> Counter[tuple[str, ...]]:
        words = line.split()
        return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))

    most: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        most |= ngrams(reference)
    return (ngrams(system) & most).total()


@given(texts(), st.integers(1, 7))
def test_matches_are_those_of_plain_counting(drawn, longest):
    system, references = drawn
    found = ngram_match_counts(tokenized_pair(system, references), CUT, longest)
    assert found.tolist() == [
        [plainly(line, [text[segment] for text in references], n) for n in range(1, longest + 1)]
        for segment, line in enumerate(system)
    ]


@given(st.lists(texts(most_references=1, least=3, most_segments=3), min_size=2, max_size=4))
def test_systems_that_come_later_bring_words_that_no_reference_has(drawn):
    """References are numbered once: a word that was met after that is none of theirs."""
    vocabulary = Vocabulary()
    references = (TokenizedText(drawn[0][1][0], vocabulary),)
    for number, (lines, _) in enumerate(drawn):
        system = [f"{line} new{number} {line}" for line in lines]
        beside = TokenizedPair(TokenizedText(system, vocabulary), references)
        assert np.array_equal(
            ngram_match_counts(beside, CUT, 4), ngram_match_counts(tokenized_pair(system, [drawn[0][1][0]]), CUT, 4)
        )


def test_references_are_numbered_once_for_all_systems():
    vocabulary = Vocabulary()
    one, other = TokenizedText(["a b"], vocabulary), TokenizedText(["b a"], vocabulary)
    assert collect_reference_ngrams((one, other), CUT) is collect_reference_ngrams((one, other), CUT)
    assert collect_reference_ngrams((one,), CUT) is not collect_reference_ngrams((one, other), CUT)
    assert collect_reference_ngrams((one,), CUT) is not collect_reference_ngrams((one,), Tokenizer("char"))


def test_numbers_go_with_the_texts_they_are_of():
    vocabulary = Vocabulary()
    one, other = TokenizedText(["a b"], vocabulary), TokenizedText(["b a"], vocabulary)
    kept = [weakref.ref(collect_reference_ngrams(texts, CUT)) for texts in ((one, other), (other, one))]
    del one, other
    gc.collect()
    assert [reference() for reference in kept] == [None, None]


def test_longer_ngrams_are_counted_when_they_are_asked_for():
    beside = tokenized_pair(["a b c d e"], [["a b c d e"]])
    assert ngram_match_counts(beside, CUT, 2).tolist() == [[5, 4]]
    assert ngram_match_counts(beside, CUT, 6).tolist() == [[5, 4, 3, 2, 1, 0]]
    assert ngram_match_counts(beside, CUT, 1).tolist() == [[5]]
    assert ngram_totals(np.array([5, 1, 0]), 3).tolist() == [[5, 4, 3], [1, 0, 0], [0, 0, 0]]


def test_the_matches_of_a_segment_stand_in_its_words():
    beside = tokenized_pair(["x", "the the cat"], [["x", "the cat sat"], ["x", "a the mat"]])
    found = find_matching_ngrams(beside, 1, CUT)
    assert found.tokens == ("the", "the", "cat")
    assert found.references == (("the", "cat", "sat"), ("a", "the", "mat"))
    assert found.matches == (
        MatchingNgram(0, 1, (0, 1), True),
        MatchingNgram(1, 2, (0, 1), False),
        MatchingNgram(2, 3, (0,), True),
        MatchingNgram(1, 3, (0,), True),
    )


@given(texts())
def test_what_is_shown_of_a_segment_is_what_is_counted(drawn):
    beside = tokenized_pair(*drawn)
    counted = ngram_match_counts(beside, CUT, 4)
    for segment, row in enumerate(counted):
        found = find_matching_ngrams(beside, segment, CUT)
        assert [found.counted(length) for length in range(1, 5)] == row.tolist()
