"""Word lists of the user (terms and forbidden words), read from files and indexed to find their entries in texts."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.corpus.languages import is_known_language
from qe_desktop.corpus.text import Span
from qe_desktop.formats.text_files import open_file
from qe_desktop.i18n.messages import tr

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


_DELIMITERS = "\t;,"
_HEADERS = frozenset(("source", "target", "term", "translation", "source term", "target term"))
_LANGUAGES = frozenset((
    "arabic", "bulgarian", "catalan", "chinese", "croatian", "czech", "danish", "dutch", "english", "estonian",
    "finnish", "french", "german", "greek", "hebrew", "hindi", "hungarian", "indonesian", "italian", "japanese",
    "korean", "latvian", "lithuanian", "norwegian", "persian", "polish", "portuguese", "romanian", "russian",
    "serbian", "slovak", "slovenian", "spanish", "swedish", "thai", "turkish", "ukrainian", "vietnamese",
    "deutsch", "englisch", "französisch", "spanisch", "italienisch", "niederländisch", "polnisch", "russisch",
    "allemand", "anglais", "français", "espagnol", "italien", "alemán", "inglés", "francés", "español",
    "italiano", "inglese", "tedesco", "francese", "nederlands", "engels", "duits", "polski", "português",
    "русский", "английский", "українська", "עברית", "العربية", "中文", "日本語", "한국어", "英語", "英语", "čeština",
    "svenska", "dansk", "türkçe",
))  # fmt: skip
"""Names of languages that may be column headers, in lower case."""
_REGION = re.compile(r"\([^()]{1,40}\)$")
_CODE = re.compile(r"[a-z]{2}(?:[-_][a-z]{2,4}){0,2}", re.IGNORECASE)
_COMMENT = "#"


def read_terms(path: Path | str) -> tuple[Term, ...]:
    """Read a list of terms: one source and one target term per line, separated by a tab, semicolon or comma.

    A header and lines beginning with # are skipped. Raises QeError if the file cannot be read. For invalid CSV, a
    missing term, an entry that is too long, or too many entries, the QeError states the line number.
    """
    name, text = _read(path)
    delimiter = next((sign for sign in _DELIMITERS if sign in _first_row(text)), ",")
    terms: list[Term] = []
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    for line, row in _checked_rows(rows, name):
        cells = [cell.strip() for cell in row]
        if not any(cells) or cells[0].startswith(_COMMENT):
            continue
        if not terms and all(map(_is_header, (cells[0], cells[-1]))):
            continue
        if len(cells) < 2 or not cells[0] or not cells[1]:
            message = tr("the row must have both a source term and a target term")
            raise QeError(message, hint=tr("Write both in one row."), place=SourceLocation(name, line))
        _check_entry(cells[0], len(terms), name, line)
        _check_entry(cells[1], len(terms), name, line)
        terms.append(Term(cells[0], cells[1]))
    return tuple(terms)


def _is_header(cell: str) -> bool:
    """Return whether a cell is a column header: a word such as “source”, or the name or code of a language."""
    name = _REGION.sub("", cell).rstrip().lower()
    return name in _HEADERS or name in _LANGUAGES or (_CODE.fullmatch(cell) is not None and is_known_language(cell))


def read_forbidden_words(path: Path | str) -> tuple[str, ...]:
    """Read words and phrases, one per line; duplicates and lines beginning with # are skipped.

    Raises QeError if the file cannot be read, an entry is too long, or there are too many entries.
    """
    name, text = _read(path)
    words: list[str] = []
    for line, row in enumerate(text.splitlines(), 1):
        word = row.strip()
        if word and not word.startswith(_COMMENT):
            _check_entry(word, len(words), name, line)
            words.append(word)
    return tuple(dict.fromkeys(words))


def _first_row(text: str) -> str:
    """Return the first line that is neither empty nor a comment, or an empty string if there is none."""
    lines = (line.strip(" \r") for line in io.StringIO(text, newline=None))
    return next((line for line in lines if line.strip() and not line.startswith(_COMMENT)), "")


def _read(path: Path | str) -> tuple[str, str]:
    """Return the name of a file, and its text without a byte-order mark.

    Raises QeError if the file cannot be read or is not UTF-8.
    """
    opened = open_file(path)
    return opened.name, bytes(opened.data).decode("utf-8", "replace").removeprefix("\ufeff")


def _checked_rows(rows: Iterator[list[str]], name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with the number of its first line in the file. Raises QeError for invalid CSV."""
    line = 1
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            message = tr("the row is not valid CSV: {reason}", reason=error)
            raise QeError(message, hint=tr("Check its quotation marks."), place=SourceLocation(name, line)) from None
        yield line, row
        line = rows.line_num + 1  # type: ignore[attr-defined]


def _check_entry(entry: str, count: int, name: str, line: int) -> None:
    if len(entry) > MAX_ENTRY_CHARS:
        message = tr("an entry has more than {n:,} characters", "", MAX_ENTRY_CHARS)
        raise QeError(message, hint=tr("List words and short phrases only."), place=SourceLocation(name, line))
    if count >= MAX_ENTRIES:
        message = tr("there are more than {n:,} entries", "", MAX_ENTRIES)
        raise QeError(message, hint=tr("Shorten the list."), place=SourceLocation(name, line))
