"""Plain text, one segment a line, and document names, one a segment."""

from __future__ import annotations

import re

from qe_desktop.corpus import Documents, TextColumn
from qe_desktop.formats.limits import MOST_SEGMENTS, refuse_long_lines, refuse_many_lines
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.reading import Format, Reading
from qe_desktop.wording import tr

DOCUMENTS_NAME = re.compile(r"\.(docs?|doc[-_]?ids?|documents)(\.txt)?(\.gz)?$", re.IGNORECASE)


def read_text(opened: OpenedFile) -> TextColumn:
    """The lines of a file. QeError where there are more, or longer ones, than any corpus has."""
    refuse_many_lines(opened.data, opened.name, MOST_SEGMENTS)
    text = TextColumn.from_bytes(opened.data, opened.start)
    refuse_long_lines(text, opened.name)
    return text


def read_documents(opened: OpenedFile) -> Documents:
    """The document that each line names."""
    return Documents.from_names([line.strip() for line in read_text(opened).lines()])


def _read_text(opened: OpenedFile) -> Reading:
    column = read_text(opened)
    return Reading(TEXT.name, tr("{n:,} {n:line|lines} of text", "", len(column)), column)


def _read_documents(opened: OpenedFile) -> Reading:
    found = read_documents(opened)
    what = tr(
        "{n:,} {n:line|lines} that name {documents:,} {documents:document|documents}",
        "", len(found.of_segment), documents=len(found.names),
    )  # fmt: skip
    return Reading(DOCUMENTS.name, what, found)


TEXT = Format("text", lambda head, name: 0.1, _read_text)
DOCUMENTS = Format("documents", lambda head, name: 0.95 if DOCUMENTS_NAME.search(name) else 0.0, _read_documents)
