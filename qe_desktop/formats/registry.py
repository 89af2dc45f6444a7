"""The one list of formats: to add a format, write its module and add a line here."""

from __future__ import annotations

from qe_desktop.formats import (
    alignments,
    numbers,
    score_grids,
    score_tables,
    system_scores,
    tag_lines,
    texts,
    word_tables,
)
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.reading import Format, Reading

FORMATS: tuple[Format, ...] = (
    word_tables.FORMAT,
    score_tables.FORMAT,
    score_grids.FORMAT,
    system_scores.FORMAT,
    tag_lines.FORMAT,
    alignments.FORMAT,
    numbers.SCORES,
    numbers.PROBABILITIES,
    texts.DOCUMENTS,
    texts.TEXT,
)
TAG_FORMATS = (tag_lines.FORMAT.name, word_tables.FORMAT.name)
"""The formats that hold tags."""
SCORE_FORMATS = (numbers.SCORES.name, score_tables.FORMAT.name, score_grids.FORMAT.name)
"""The formats that hold scores of segments."""
BY_NAME = {format.name: format for format in FORMATS}


def recognise(opened: OpenedFile) -> Format:
    """The format that a file's content fits best; its name decides only where the content leaves it open."""
    head, name = opened.head(), opened.path.name
    return max(FORMATS, key=lambda format: format.confidence(head, name))


def read(opened: OpenedFile, format_name: str = "") -> Reading:
    """What a file holds, read in the format with this name or else in the one recognised."""
    return (BY_NAME[format_name] if format_name else recognise(opened)).read(opened)
