"""Tables of segment scores as TSV or CSV: a header, one row per segment, and one column per system.

seg gold SYSTEM SYSTEM …                                                  gold and systems
index original translation scores mean z_scores z_mean model_scores       direct assessments of MLQE and WMT20-24

A gold column is identified by its name. If there is none, each score column must contain a number with more decimal
places than human ratings have, because a table of human ratings would otherwise look the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from qe_desktop.corpus import Fault, Faults, QeError, TextColumn, TextRole
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.formats.file_format import Format, ParseResult
from qe_desktop.formats.files import check_line_lengths
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.parsed_tables import ScoreGrid
from qe_desktop.formats.scores.score_columns import describe_columns, segment_order, table_names
from qe_desktop.formats.scores.wmt_score_tables import FORMAT as SCORE_TABLE
from qe_desktop.formats.scores.wmt_score_tables import (
    METHOD_HEADERS,
    SEGMENT_HEADERS,
    ScoreHeader,
    parse_header,
    segment_number_fault,
)
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.formats.text_files import TextFile
from qe_desktop.formats.tsv import TsvBlock, csv_to_tsv, table_rows, unquote_texts
from qe_desktop.i18n.messages import tr

_MANY_DECIMALS = re.compile(rb"\s*[-+]?(\d*\.\d{3,}|\d+(?:\.\d*)?[eE]-\d+)\s*")
"""Pattern of numbers with more decimal places than human ratings have."""


@dataclass(frozen=True, slots=True)
class _GridLayout:
    """Column indices of the segments, golds, systems and texts."""

    header: ScoreHeader
    segment: int
    golds: tuple[int, ...]
    systems: tuple[int, ...]
    texts: Mapping[TextRole, int]

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the columns that are not read."""
        return self.header.unread_notes({self.segment, *self.golds, *self.systems, *self.texts.values()})


def _layout(head: bytes) -> _GridLayout | None:
    header = parse_header(head)
    segment = None if header is None else header.find_column(SEGMENT_HEADERS)
    if header is None or segment is None:
        return None
    candidates = [column for column in range(len(header.names)) if column != segment]
    if any(
        header.normalized_names[column] in METHOD_HEADERS and not header.is_numeric(column) for column in candidates
    ):
        # one row per system and segment is another kind of table
        return None
    scores = [column for column in candidates if header.contains_scores(column)]
    golds = tuple(column for column in scores if header.is_gold(column))
    systems = tuple(column for column in scores if column not in golds)
    fine = bool(systems) and all(_has_many_decimals(header, column) for column in systems)
    return _GridLayout(header, segment, golds, systems, header.texts()) if golds or fine else None


def _has_many_decimals(header: ScoreHeader, column: int) -> bool:
    return any(_MANY_DECIMALS.fullmatch(row[column]) for row in header.rows)


def read_score_grid(opened: TextFile) -> ScoreGrid:
    """Read all rows of a table of segment scores.

    Raises QeError if fields are invalid (with their lines), if two score columns have the same name, or if the file is
    not a table of segment scores.
    """
    layout = _layout(opened.head())
    if layout is None:
        message = tr("the columns are not those of a table of segment scores")
        hint = tr("The first row must name the columns, such as seg, gold and the systems.")
        raise QeError(message, hint=hint, place=opened.location(1))
    columns = (*layout.golds, *layout.systems)
    names = [layout.header.names[index] for index in columns]
    duplicate = next((name for index, name in enumerate(names) if name in names[:index]), None)
    if duplicate is not None:
        message = tr("there are two columns named {name}", name=quote_token(duplicate))
        raise QeError(message, hint=tr("Use a unique name for each column."), place=opened.location(1))
    opened = csv_to_tsv(opened)
    errors = Faults()
    parts: list[tuple[Ints, Floats, Ints]] = []
    for rows in table_rows(opened, len(layout.header.names), 1, errors):
        segment, valid = rows.integers(layout.segment)
        errors.add(np.flatnonzero(~valid), partial(segment_number_fault, opened, rows, layout.segment))
        values = np.empty((len(segment), len(columns)))
        for index, column in enumerate(columns):
            values[:, index], finite = rows.decimals(column)
            errors.add(np.flatnonzero(~finite), partial(_score_fault, opened, rows, column, names[index]))
        parts.append((segment, values, rows.lines))
    errors.first.sort(key=lambda error: error.place.line or 0)
    errors.raise_if_any(tr("Each row must have a segment number, and a score in each score column."))
    segments, scores, lines = (np.concatenate(part) for part in zip(*parts, strict=True))
    golds = len(layout.golds)
    return ScoreGrid(
        opened, tuple(names[:golds]), tuple(names[golds:]), segments, scores, lines, len(layout.header.names),
        layout.texts, layout.notes,
    )  # fmt: skip


def _score_fault(opened: TextFile, rows: TsvBlock, column: int, name: str, row: int) -> Fault:
    message = tr(
        "{text} is not a score (column {name})", text=quote_token(rows.text(row, column)), name=quote_token(name)
    )
    return Fault(opened.location(int(rows.lines[row])), message)


def _confidence(head: bytes, name: str) -> float:
    layout = _layout(head)
    return 0.0 if layout is None else 0.97 if layout.golds else 0.6


def _read(opened: TextFile) -> ParseResult:
    grid = read_score_grid(opened)
    description = describe_columns(len(grid.segment), *table_names(grid))
    notes = grid.notes
    if grid.text_columns:
        texts = list_names([role.display_name for role in grid.text_columns], joined=True)
        notes = (*notes, tr("the table also contains texts: {texts}", texts=texts))
    return ParseResult(FORMAT.name, description, grid, notes)


FORMAT = Format("score grid", _confidence, _read, base_format=SCORE_TABLE.name)


def grid_texts(grid: ScoreGrid, size: int | None = None) -> dict[TextRole, TextColumn]:
    """Texts in a table, by role, each sorted by segment; `size` is the expected number of segments (None: any).

    Raises QeError if segments are missing, surplus or duplicate, or if a line is too long.
    """
    order = segment_order(grid, size)
    cells: list[list[bytes]] = [[] for _ in grid.text_columns]
    for rows in table_rows(grid.opened, grid.column_count, 1, Faults()):
        for cell_texts, column in zip(cells, grid.text_columns.values(), strict=True):
            cell_texts += [rows.field(row, column) for row in range(len(rows.lines))]
    unquoted = np.asarray(unquote_texts([cell for cell_texts in cells for cell in cell_texts]), object)
    texts = {}
    for role, of_role in zip(grid.text_columns, np.split(unquoted, len(cells)), strict=True):
        lines: list[bytes] = of_role[order].tolist()
        text = texts[role] = TextColumn.from_bytes(b"".join(line + b"\n" for line in lines))
        check_line_lengths(text, grid.opened.name)
    return texts
