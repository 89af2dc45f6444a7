"""A table, one row for each segment: CSV for spreadsheets, and TSV. Codes stand as `⟨1⟩`; no cell is a formula."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Sequence
from math import isnan

from qe_desktop.formats.bilingual.column_names import OWN, SCORE, TAGS, WORDS
from qe_desktop.formats.bilingual.exports.exported import Exported
from qe_desktop.formats.bilingual.lines import BREAK
from qe_desktop.outgoing import cell, utf8

Cells = list[str | int | float | None]
"""A row: texts, numbers, and None where there is nothing."""


def rows_of(exported: Exported) -> list[Cells]:
    """The names of the columns, and the row of each segment; tags and scores behind the rest."""
    scores = list(exported.scores.values())
    tags: dict[str, Sequence[str]] = {WORDS: exported.words} if exported.words else {}
    tags |= {f"{TAGS}{name}": column for name, column in exported.tags.items()}
    rows: list[Cells] = [[*OWN, *tags, *(f"{SCORE}{name}" for name in exported.scores)]]
    for document, pairs in exported.by_document():
        for number, pair in pairs:
            texts = (pair.source, pair.loaded, pair.target)
            notes = "\n".join(note.replace(BREAK, "\n") for note in pair.notes)
            source, loaded, target = (text.replace(BREAK, "\n") for text in texts)
            row: Cells = [document, number, source, loaded, target, pair.status.name.lower(), notes]
            row += [column[number - 1] for column in tags.values()]
            row += [None if isnan(column[number - 1]) else column[number - 1] for column in scores]
            rows.append(row)
    return rows


def write_csv(exported: Exported) -> bytes:
    """Commas and CRLF (RFC 4180), with the mark by which spreadsheets know UTF-8."""
    return BOM_UTF8 + utf8(_table(rows_of(exported), ",", "\r\n"))


def write_tsv(exported: Exported) -> bytes:
    """Tabs and LF; what holds one of them is quoted as in CSV."""
    return utf8(_table(rows_of(exported), "\t", "\n"))


def _table(rows: list[Cells], delimiter: str, end: str) -> str:
    return "".join([delimiter.join([_cell(one, delimiter) for one in row]) + end for row in rows])


def _cell(value: str | int | float | None, delimiter: str) -> str:
    if not isinstance(value, str):
        return (
            "" if value is None else repr(float(value)).removesuffix(".0") if isinstance(value, float) else str(value)
        )
    text = cell(value)
    if any(sign in text for sign in ('"', "\n", "\r", delimiter)):
        return '"' + text.replace('"', '""') + '"'
    return text
