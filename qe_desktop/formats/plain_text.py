"""Plain text, one segment per line, and document names, one per segment."""

from __future__ import annotations

import re

from qe_desktop.corpus import Documents, TextColumn
from qe_desktop.formats.file_format import Format, ParseResult
from qe_desktop.formats.io.limits import MAX_SEGMENTS, check_line_count, check_line_lengths
from qe_desktop.formats.io.text_files import TextFile
from qe_desktop.i18n.messages import tr

DOCUMENTS_NAME = re.compile(r"\.(docs?|doc[-_]?ids?|documents)(\.txt)?(\.gz)?$", re.IGNORECASE)
HEADERS = {"doc_id", "doc_ids", "doc-id", "doc-ids", "docid", "docids", "document_id"}
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
    has_header = len(names) > 1 and names[0].lower() in HEADERS and names[0] not in names[1:]
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
