"""N-grams as numbers: shared references, tokens that come later, and which of a segment's match."""

from __future__ import annotations

import gc
import weakref
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.metrics.ngram_matches import MatchingNgram, matching_ngrams
from qe_desktop.metrics.ngrams import matches, reference_ngrams, totals
from qe_desktop.metrics.texts import Text, Translated, Vocabulary, translated
from qe_desktop.metrics.tokenizers import Cut
from tests.metrics.drawn_texts import texts

CUT = Cut("none")


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
    found = matches(translated(system, references), CUT, longest)
    assert found.tolist() == [
        [plainly(line, [text[segment] for text in references], n) for n in range(1, longest + 1)]
        for segment, line in enumerate(system)
    ]


@given(st.lists(texts(most_references=1, least=3, most_segments=3), min_size=2, max_size=4))
def test_systems_that_come_later_bring_words_that_no_reference_has(drawn):
    """References are numbered once: a word that was met after that is none of theirs."""
    vocabulary = Vocabulary()
    references = (Text(drawn[0][1][0], vocabulary),)
    for number, (lines, _) in enumerate(drawn):
        system = [f"{line} new{number} {line}" for line in lines]
        beside = Translated(Text(system, vocabulary), references)
        assert np.array_equal(matches(beside, CUT, 4), matches(translated(system, [drawn[0][1][0]]), CUT, 4))


def test_references_are_numbered_once_for_all_systems():
    vocabulary = Vocabulary()
    one, other = Text(["a b"], vocabulary), Text(["b a"], vocabulary)
    assert reference_ngrams((one, other), CUT) is reference_ngrams((one, other), CUT)
    assert reference_ngrams((one,), CUT) is not reference_ngrams((one, other), CUT)
    assert reference_ngrams((one,), CUT) is not reference_ngrams((one,), Cut("char"))


def test_numbers_go_with_the_texts_they_are_of():
    vocabulary = Vocabulary()
    one, other = Text(["a b"], vocabulary), Text(["b a"], vocabulary)
    kept = [weakref.ref(reference_ngrams(texts, CUT)) for texts in ((one, other), (other, one))]
    del one, other
    gc.collect()
    assert [reference() for reference in kept] == [None, None]


def test_longer_ngrams_are_counted_when_they_are_asked_for():
    beside = translated(["a b c d e"], [["a b c d e"]])
    assert matches(beside, CUT, 2).tolist() == [[5, 4]]
    assert matches(beside, CUT, 6).tolist() == [[5, 4, 3, 2, 1, 0]]
    assert matches(beside, CUT, 1).tolist() == [[5]]
    assert totals(np.array([5, 1, 0]), 3).tolist() == [[5, 4, 3], [1, 0, 0], [0, 0, 0]]


def test_the_matches_of_a_segment_stand_in_its_words():
    beside = translated(["x", "the the cat"], [["x", "the cat sat"], ["x", "a the mat"]])
    found = matching_ngrams(beside, 1, CUT)
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
    beside = translated(*drawn)
    counted = matches(beside, CUT, 4)
    for segment, row in enumerate(counted):
        found = matching_ngrams(beside, segment, CUT)
        assert [found.counted(length) for length in range(1, 5)] == row.tolist()
