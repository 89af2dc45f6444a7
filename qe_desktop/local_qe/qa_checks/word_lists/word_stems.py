"""Word stems, to find phrases of inflected languages whose words have other endings or umlauts in a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from qe_desktop.local_qe.qa_checks.word_lists.word_lists import normalize_word, split_words

MIN_STEM, MAX_DROPPED_LETTERS, MAX_ADDED_LETTERS = 3, 2, 3
"""Limits in letters: minimum length of a stem, and maximum numbers dropped from and added to a lemma."""
_MARKS = re.compile("[\u0300-\u036f]")
"""Pattern of the diacritics of Latin, Greek and Cyrillic letters; combining marks of other scripts are kept."""


class StemmedWords:
    """Words of a text, in which phrases are looked up by the stems of their words: künstlichen for künstliche."""

    def __init__(self, text: str) -> None:
        self._words = _plain_words(text)

    def has(self, phrase: str) -> bool:
        """Whether the words of a phrase follow each other, in any inflected form."""
        phrase_words = _plain_words(phrase)
        last = len(self._words) - len(phrase_words)
        return bool(phrase_words) and any(self._has_at(start, phrase_words) for start in range(last + 1))

    def _has_at(self, start: int, phrase_words: Sequence[str]) -> bool:
        return all(_may_be_form_of(self._words[index], word) for index, word in enumerate(phrase_words, start))


def _may_be_form_of(word: str, lemma: str) -> bool:
    """Whether a word is not much longer than a lemma and begins with its stem; short lemmas must equal the word."""
    if len(lemma) < MIN_STEM:
        return word == lemma
    stem = lemma[: max(MIN_STEM, len(lemma) - MAX_DROPPED_LETTERS)]
    return len(word) <= len(lemma) + MAX_ADDED_LETTERS and word.startswith(stem)


def _plain_words(text: str) -> list[str]:
    """Words of a text without case and marks."""
    decomposed = unicodedata.normalize("NFD", normalize_word(text).casefold())
    return split_words(unicodedata.normalize("NFC", _MARKS.sub("", decomposed)))
