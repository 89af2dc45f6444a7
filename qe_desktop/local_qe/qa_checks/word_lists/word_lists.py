"""Word lists of the user: terms (source and target term) and forbidden words, with a search in linear time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qe_desktop.local_qe.segment_text import Span

MAX_ENTRIES = 100_000
"""Maximum number of entries of a list."""
MIN_INFLECTED, MAX_ENDING_LETTERS = 3, 2
"""Minimum letters of a word that may have an ending, and maximum letters of the ending."""
MAX_ENTRY_CHARS = 200
"""Maximum characters of an entry."""
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+|[^\w\s]")
"""Pattern of a word, a character of Chinese or Japanese, or a sign."""


class Term(NamedTuple):
    """Source term and a target term that translates it; a source term may have several."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class WordLists:
    """Terms and forbidden words, in the order of their files."""

    terms: tuple[Term, ...] = ()
    forbidden: tuple[str, ...] = ()


NO_WORD_LISTS = WordLists()


class Match(NamedTuple):
    """Number of an entry, and its span in a text."""

    entry: int
    span: Span


class PhraseIndex:
    """Index of words and phrases, regardless of case, by their first words.

    With `inflected`, the last word of an entry may have an ending of up to two letters: file, files.
    """

    def __init__(self, phrases: Iterable[str], *, inflected: bool = False) -> None:
        self._inflected = inflected
        self._by_first: dict[str, list[tuple[int, Sequence[str]]]] = {}
        for number, phrase in enumerate(phrases):
            words = [word[0].casefold() for word in _WORD.finditer(phrase)]
            if words:
                self._by_first.setdefault(words[0], []).append((number, words))

    def find(self, text: str) -> Iterator[Match]:
        """Occurrences of entries as whole words, in text order."""
        if not self._by_first:
            return
        spans = [(match.group().casefold(), match.span()) for match in _WORD.finditer(text)]
        words = [word for word, _ in spans]
        for index, word in enumerate(words):
            for entry, phrase in self._candidates(word):
                stop = index + len(phrase)
                if self._matches(words[index:stop], phrase):
                    yield Match(entry, (spans[index][1][0], spans[stop - 1][1][1]))

    def _candidates(self, word: str) -> Iterator[tuple[int, Sequence[str]]]:
        yield from self._by_first.get(word, ())
        for size in range(1, MAX_ENDING_LETTERS + 1) if self._inflected and len(word) > MIN_INFLECTED else ():
            yield from (entry for entry in self._by_first.get(word[:-size], ()) if len(entry[1]) == 1)

    def _matches(self, words: Sequence[str], phrase: Sequence[str]) -> bool:
        if len(words) != len(phrase) or words[:-1] != phrase[:-1]:
            return False
        last, wanted = words[-1], phrase[-1]
        if last == wanted or not self._inflected or len(wanted) < MIN_INFLECTED:
            return last == wanted
        return last.startswith(wanted) and len(last) <= len(wanted) + MAX_ENDING_LETTERS
