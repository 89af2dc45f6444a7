"""Registry of formats. To add a format, write a module for it and add it to `FORMATS`."""

from __future__ import annotations

from qe_desktop.formats import alignments, plain_text
from qe_desktop.formats.file_format import Format, ParseResult
from qe_desktop.formats.io.text_files import TextFile
from qe_desktop.formats.scores import mlqe_score_tables, score_lines, system_scores, wmt_score_tables
from qe_desktop.formats.tags import tag_lines, wmt_word_tables

FORMATS: tuple[Format, ...] = (
    wmt_word_tables.FORMAT,
    wmt_score_tables.FORMAT,
    mlqe_score_tables.FORMAT,
    system_scores.FORMAT,
    tag_lines.FORMAT,
    alignments.FORMAT,
    score_lines.SCORE_LINES_FORMAT,
    score_lines.PROBABILITY_LINES_FORMAT,
    plain_text.DOCUMENTS,
    plain_text.TEXT,
)
TAG_FORMATS = (tag_lines.FORMAT.name, wmt_word_tables.FORMAT.name)
"""Names of the formats with tags."""
SCORE_FORMATS = (score_lines.SCORE_LINES_FORMAT.name, wmt_score_tables.FORMAT.name, mlqe_score_tables.FORMAT.name)
"""Names of the formats with segment scores that `readers.read_scores` reads."""
FORMAT_BY_NAME = {format.name: format for format in FORMATS}


def detect_format(opened: TextFile) -> Format:
    """Detect the format that best fits a file's content and name; plain text if no other format fits."""
    head, name = opened.head(), opened.path.name
    return max(FORMATS, key=lambda format: format.confidence(head, name))


def read(opened: TextFile, format_name: str = "") -> ParseResult:
    """Read a file in the format with the name `format_name` (empty: in the detected format).

    Raises QeError if the content of the file is invalid, and KeyError if there is no format with this name.
    """
    return (FORMAT_BY_NAME[format_name] if format_name else detect_format(opened)).read(opened)
