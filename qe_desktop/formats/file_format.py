"""File format, result of reading a file, and the default format: plain text with one segment per line."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus import AlignmentColumn, Documents, NumberColumn, TagColumn, TextColumn
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.files import MAX_SEGMENTS, check_line_count, check_line_lengths
from qe_desktop.formats.parsed_tables import ScoreGrid, ScoreTable, SystemScores, WordTable
from qe_desktop.formats.text_files import TextFile
from qe_desktop.i18n.messages import tr

ParsedTable = WordTable | ScoreTable | ScoreGrid | SystemScores
ParsedValues = TagColumn | NumberColumn | Scores | TextColumn | AlignmentColumn | Documents | ParsedTable
"""Content of a file."""


@dataclass(frozen=True, slots=True, eq=False)
class ParseResult:
    """Parsed file: its content, a one-line description, and notes."""

    format: str
    description: str
    values: ParsedValues
    notes: tuple[str, ...] = ()

    @property
    def segment_count(self) -> int | None:
        """Number of segments; None if it is not known before the file is added to a corpus.

        It is known for texts, tags, and scores of segments. It is unknown for tables of several language pairs.
        """
        values = self.values
        if isinstance(values, TextColumn | TagColumn):
            return len(values)
        if isinstance(values, SystemScores):
            return values.size if values.size > 1 else None
        if isinstance(values, ScoreGrid) or (isinstance(values, ScoreTable) and len(values.pairs) < 2):
            return len(np.unique(values.segment))
        return None


@dataclass(frozen=True, slots=True)
class Format:
    """File format.

    `confidence` rates from 0 to 1 how well the first bytes and the name of a file fit the format. `base_format` is the
    name of another format, such as “text” or “tags”, whose roles in a corpus also apply to this format. It is empty for
    formats with roles of their own.
    """

    name: str
    confidence: Callable[[bytes, str], float]
    read: Callable[[TextFile], ParseResult]
    base_format: str = ""

    @property
    def role_format(self) -> str:
        """Name of the format that determines the role of this format's files in a corpus."""
        return self.base_format or self.name


DOCUMENTS_NAME = re.compile(r"\.(docs?|doc[-_]?ids?|documents)(\.txt)?(\.gz)?$", re.IGNORECASE)
DOCUMENT_HEADERS = {"doc_id", "doc_ids", "doc-id", "doc-ids", "docid", "docids", "document_id"}
"""Possible header lines of a document file."""


def read_text(opened: TextFile) -> TextColumn:
    """Lines of a file. Raises QeError if there are too many, or if a line is too long."""
    check_line_count(opened.data, opened.name, MAX_SEGMENTS)
    text = TextColumn.from_bytes(opened.data, opened.start)
    check_line_lengths(text, opened.name)
    return text


def read_documents(opened: TextFile) -> Documents:
    """Document of each line; a header line such as `doc_id` is skipped. Raises QeError as `read_text` does."""
    return _documents(read_text(opened))[0]


def _documents(text: TextColumn) -> tuple[Documents, bool]:
    """Document of each line except the header, and whether there is a header."""
    names = [line.strip() for line in text.lines()]
    has_header = len(names) > 1 and names[0].lower() in DOCUMENT_HEADERS and names[0] not in names[1:]
    return Documents.from_names(names[1:] if has_header else names), has_header


def _read_text(opened: TextFile) -> ParseResult:
    column = read_text(opened)
    return ParseResult(TEXT.name, tr("text, {n:,} {n:line|lines}", "", len(column)), column)


def _read_documents(opened: TextFile) -> ParseResult:
    documents, has_header = _documents(read_text(opened))
    description = tr(
        "document names, {n:,} {n:line|lines}, {documents:,} {documents:document|documents}",
        "", len(documents.of_segment), documents=len(documents.names),
    )  # fmt: skip
    notes = (tr("the first line is a header, not a document name"),) if has_header else ()
    return ParseResult(DOCUMENTS.name, description, documents, notes)


TEXT = Format("text", lambda head, name: 0.1, _read_text)
DOCUMENTS = Format("documents", lambda head, name: 0.95 if DOCUMENTS_NAME.search(name) else 0.0, _read_documents)
