"""File format and the result of reading a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qe_desktop.corpus import AlignmentColumn, Documents, NumberColumn, TagColumn, TextColumn
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.io.text_files import TextFile
from qe_desktop.formats.tabular.records import ScoreGrid, ScoreTable, SystemScores, WordTable

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
