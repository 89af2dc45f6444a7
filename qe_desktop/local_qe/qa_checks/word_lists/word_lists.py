"""Word lists of the user (terms and forbidden words), and an index that finds their entries in linear time."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qe_desktop.corpus.text import Span

MAX_ENTRIES = 100_000
"""Maximum number of entries in a list."""
MIN_INFLECTED_LETTERS, MAX_ENDING_LETTERS = 3, 2
"""Minimum number of letters of a word that may take an ending, and maximum number of letters of the ending."""
MAX_ENTRY_CHARS = 200
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|(?:[^\W_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[\u0300-\u036f])+|[^\w\s]"
)
"""Pattern of a word (possibly with combining marks), a Chinese or Japanese character, or a symbol."""
_APOSTROPHES = str.maketrans("’‘ʼ＇", "''''")


class Term(NamedTuple):
    """Source term and one of its target terms; another `Term` may have the same source term."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class WordLists:
    """Terms and forbidden words, in the order of their files."""

    terms: tuple[Term, ...] = ()
    forbidden: tuple[str, ...] = ()


NO_WORD_LISTS = WordLists()


class Match(NamedTuple):
    """Occurrence of an entry in a text: index of the entry in its list, and span in the text."""

    entry: int
    span: Span


def normalize_word(text: str) -> str:
    """Return the text with composed letters (NFC) and ASCII apostrophes."""
    return unicodedata.normalize("NFC", text).translate(_APOSTROPHES)


def split_words(text: str) -> list[str]:
    """Return the words of a text; each Chinese or Japanese character and each symbol counts as a word."""
    return _WORD.findall(text)


class PhraseIndex:
    """Case-insensitive index of words and phrases, stored as a tree of words.

    Entries in capitals, such as “IT”, match only text in capitals. With `inflected`, the last word of an entry may have
    an additional ending of up to two letters in the text: “file” also matches “files”.
    """

    def __init__(self, phrases: Iterable[str], *, inflected: bool = False) -> None:
        self._inflected = inflected
        self._root = _Node()
        self._capitals: dict[int, list[str]] = {}
        """Words of each entry that is written entirely in capitals, by entry index."""
        for number, phrase in enumerate(phrases):
            node = self._root
            words = split_words(normalize_word(phrase))
            if phrase.isupper():
                self._capitals[number] = words
            for word in words:
                node = node.children.setdefault(word.casefold(), _Node())
            if node is not self._root:
                node.entries.append(number)

    def find(self, text: str) -> Iterator[Match]:
        """Yield the occurrences of entries as whole words, in text order.

        Occurrences contained in a longer one are left out.
        """
        if not self._root.children:
            return
        spans = [match.span() for match in _WORD.finditer(text)]
        normalized_words = [normalize_word(text[slice(*span)]) for span in spans]
        words = [word.casefold() for word in normalized_words]
        last_stop = 0
        for index in range(len(words)):
            matches = [
                (entry, stop)
                for entry, stop in self._entries_at(words, index)
                if entry not in self._capitals or _are_in_capitals(normalized_words[index:stop], self._capitals[entry])
            ]
            longest = max((stop for _, stop in matches), default=0)
            if longest > last_stop:
                last_stop = longest
                yield from (
                    Match(entry, (spans[index][0], spans[stop - 1][1])) for entry, stop in matches if stop == longest
                )

    def _entries_at(self, words: Sequence[str], index: int) -> Iterator[tuple[int, int]]:
        """Yield the entries that match the words from `index` on, shortest first.

        Each entry index is paired with the index after the last matched word.
        """
        node: _Node | None = self._root
        while node is not None and index < len(words):
            word, index = words[index], index + 1
            for size in range(1, MAX_ENDING_LETTERS + 1) if self._inflected else ():
                if (
                    len(word) >= MIN_INFLECTED_LETTERS + size
                    and (inflected := node.children.get(word[:-size])) is not None
                ):
                    yield from ((entry, index) for entry in inflected.entries)
            node = node.children.get(word)
            if node is not None:
                yield from ((entry, index) for entry in node.entries)


def _are_in_capitals(words: Sequence[str], capitals: Sequence[str]) -> bool:
    """Return whether `words` equal `capitals`, except that the last word may have an additional ending."""
    return words[:-1] == capitals[:-1] and words[-1].startswith(capitals[-1])


class _Node:
    """Node in the tree of words: the entries that end at this node, and a child node for each possible next word."""

    __slots__ = ("children", "entries")

    def __init__(self) -> None:
        self.entries: list[int] = []
        self.children: dict[str, _Node] = {}
