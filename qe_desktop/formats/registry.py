"""Registry of formats, and functions that read a file in any of them. To add a format, add its module to `FORMATS`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from qe_desktop.corpus import QeError, TextColumn
from qe_desktop.formats import alignments, file_format
from qe_desktop.formats.file_format import Format, ParseResult
from qe_desktop.formats.importing.planned_file import NO_ANSWERS, QuestionAnswers
from qe_desktop.formats.importing.roles import system_name
from qe_desktop.formats.parsed_tables import ScoreGrid, ScoreTable
from qe_desktop.formats.scores import mlqe_score_tables, score_lines, system_scores, wmt_score_tables
from qe_desktop.formats.scores.score_columns import ScoreColumns, score_columns
from qe_desktop.formats.tags import tag_lines, wmt_word_tables
from qe_desktop.formats.tags.probabilities import ParsedProbabilities, fit_numbers
from qe_desktop.formats.text_files import TextFile, open_file
from qe_desktop.i18n.messages import tr

FORMATS: tuple[Format, ...] = (
    wmt_word_tables.FORMAT,
    wmt_score_tables.FORMAT,
    mlqe_score_tables.FORMAT,
    system_scores.FORMAT,
    tag_lines.FORMAT,
    alignments.FORMAT,
    score_lines.SCORE_LINES_FORMAT,
    score_lines.PROBABILITY_LINES_FORMAT,
    file_format.DOCUMENTS,
    file_format.TEXT,
)
TAG_FORMATS = (tag_lines.FORMAT.name, wmt_word_tables.FORMAT.name)
"""Names of the formats with tags."""
SCORE_FORMATS = (score_lines.SCORE_LINES_FORMAT.name, wmt_score_tables.FORMAT.name, mlqe_score_tables.FORMAT.name)
"""Names of the formats with segment scores that `read_scores` reads."""
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


def read_text(path: Path | str) -> TextColumn:
    """Read a text, one segment per line. Raises QeError if the file cannot be read, is not UTF-8, or is too long."""
    return file_format.read_text(open_file(path))


def read_scores(path: Path | str, *, language_pair: str = "", size: int | None = None) -> ScoreColumns:
    """Read the scores in a file: one number per line, a shared-task submission, or a table with golds and systems.

    `size` is the expected number of segments (None: any). Raises QeError if the file cannot be read, if lines are
    invalid, if the number of segments is not `size`, if a table does not contain `language_pair`, or if a table
    contains several language pairs and `language_pair` is empty.
    """
    return read_open_scores(open_file(path), language_pair, size)


def read_open_scores(opened: TextFile, language_pair: str = "", size: int | None = None) -> ScoreColumns:
    """Read scores as `read_scores` does, from a file that is already open."""
    format = detect_format(opened)
    values = format.read(opened).values if format.name in SCORE_FORMATS else None
    if isinstance(values, ScoreTable | ScoreGrid):
        fitted = score_columns(values, language_pair, size)
        return replace(fitted, notes=(*values.notes, *fitted.notes))
    # other files are also read as scores, for an error message about their content
    scores = values if isinstance(values, np.ndarray) else score_lines.read_scores(opened)
    if size is not None and len(scores) != size:
        message = tr("{n:,} {n:score|scores} for {size:,} {size:segment|segments}", "", len(scores), size=size)
        raise QeError(message, hint=tr("Use one score per segment."), place=opened.location())
    return ScoreColumns(single=scores)


def read_probabilities(
    path: Path | str,
    *,
    mt: TextColumn | None = None,
    pieces: TextColumn | None = None,
    name: str = "",
    answers: QuestionAnswers = NO_ANSWERS,
) -> ParsedProbabilities:
    """Read P(BAD) of each MT token from probabilities or log-probabilities of tokens or of subword `pieces`.

    Without `mt`, the result has one value for each number in the file. `answers` specifies the meaning of lines and
    numbers if the file does not determine it. Raises QeError if the file cannot be read, if a necessary answer is
    missing, or if the numbers are invalid or do not fit the texts.
    """
    opened = open_file(path)
    fitted = fit_numbers(score_lines.read_token_numbers(opened), opened, mt, pieces, answers)
    return replace(fitted, name=name or system_name(opened.path))
