"""A segment with its translations as a table, to be copied."""

from __future__ import annotations

from qe_desktop.levels.translations.side_by_side import SideBySide
from qe_desktop.report.tables import Cell, Table


def segment_table(shown: SideBySide) -> Table:
    """A row for the source and each text that is shown: its name, its score where there are scores, and its words."""
    scored = bool(shown.metric)
    header = ("segment", "text", *((shown.metric,) if scored else ()), "words")
    number = shown.segment + 1
    rows: list[tuple[Cell, ...]] = []
    if shown.source:
        rows.append((number, "source", *((None,) if scored else ()), shown.source))
    for line in shown.lines:
        rows.append((number, line.name, *((line.score,) if scored else ()), line.text))
    return Table("", header, tuple(rows))


def segment_tsv(shown: SideBySide) -> str:
    """The same as TSV that no spreadsheet takes for formulas."""
    return segment_table(shown).tsv()
