"""Readers of single files for the command line: texts, segment scores, probabilities."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from qe_desktop.corpus import QeError, TextColumn
from qe_desktop.formats import plain_text
from qe_desktop.formats.importing.file_names import system_name
from qe_desktop.formats.importing.questions import NO_ANSWERS, QuestionAnswers
from qe_desktop.formats.io.text_files import TextFile, open_file
from qe_desktop.formats.registry import SCORE_FORMATS, detect_format
from qe_desktop.formats.scores import score_lines
from qe_desktop.formats.scores.score_columns import ScoreColumns, score_columns
from qe_desktop.formats.tabular.records import ScoreGrid, ScoreTable
from qe_desktop.formats.tags.probabilities import ParsedProbabilities, fit_numbers
from qe_desktop.i18n.messages import tr


def read_text(path: Path | str) -> TextColumn:
    """Read a text, one segment per line. Raises QeError if the file cannot be read, is not UTF-8, or is too long."""
    return plain_text.read_text(open_file(path))


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
