"""What a format is, and what reading a file gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qe_desktop.corpus import AlignmentColumn, Documents, NumberColumn, TagColumn, TextColumn
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.io.text_files import TextFile
from qe_desktop.formats.tabular.records import ScoreGrid, ScoreTable, SystemScores, WordTable

ParsedTable = WordTable | ScoreTable | ScoreGrid | SystemScores
ParsedValues = TagColumn | NumberColumn | Scores | TextColumn | AlignmentColumn | Documents | ParsedTable
"""What a file may hold."""


@dataclass(frozen=True, slots=True, eq=False)
class ParseResult:
    """A file as read: what it holds, what it is called in one line, and remarks about it."""

    format: str
    description: str
    values: ParsedValues
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """A family of files: `confidence` says from a file's first bytes and its name how well it fits, 0..1.

    `like` is the format whose files are to a corpus what those of this one are: the name of its own where it is the
    first of its kind, as “text” or “tags”.
    """

    name: str
    confidence: Callable[[bytes, str], float]
    read: Callable[[TextFile], ParseResult]
    like: str = ""

    @property
    def holds(self) -> str:
        """What its files are to a corpus."""
        return self.like or self.name
