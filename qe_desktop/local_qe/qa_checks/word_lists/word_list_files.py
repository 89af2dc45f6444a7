"""Files of word lists: terms as CSV or TSV with two columns, forbidden words one per line."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.corpus.languages import is_known_language
from qe_desktop.formats.text_files import open_file
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.word_lists.word_lists import MAX_ENTRIES, MAX_ENTRY_CHARS, Term

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
            message = tr("the row does not have a source and a target term")
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
