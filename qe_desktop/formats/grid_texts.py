"""The source and the MT that stand beside the scores in a table, in the order of segments."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qe_desktop.corpus import Faults, TextColumn, TextRole
from qe_desktop.formats.fields import table_rows
from qe_desktop.formats.limits import refuse_long_lines
from qe_desktop.formats.score_columns import order_of
from qe_desktop.formats.tables import ScoreGrid

QUOTE = '"'


def texts_of(grid: ScoreGrid, size: int | None = None) -> dict[TextRole, TextColumn]:
    """The texts of a table; `size` is how many segments there must be. QeError for other segments, and long lines."""
    order = order_of(grid, size)
    cells: list[list[str]] = [[] for _ in grid.texts]
    for rows in table_rows(grid.opened, grid.columns, 1, Faults()):
        for found, column in zip(cells, grid.texts.values(), strict=True):
            found += [rows.text(row, column) for row in range(len(rows.lines))]
    quoted = _are_quoted([cell for found in cells for cell in found])
    texts = {}
    for role, found in zip(grid.texts, cells, strict=True):
        plain = [_unquoted(cell) for cell in found] if quoted else found
        text = texts[role] = TextColumn.of(np.asarray(plain, object)[order].tolist())
        refuse_long_lines(text, grid.opened.name)
    return texts


def _are_quoted(cells: Sequence[str]) -> bool:
    """Whether a program wrote the table that puts cells with quotes between quotes: then each such cell is."""
    with_quotes = [cell for cell in cells if QUOTE in cell]
    return bool(with_quotes) and all(
        len(cell) > 1 and cell[0] == cell[-1] == QUOTE and QUOTE not in cell[1:-1].replace(QUOTE * 2, "")
        for cell in with_quotes
    )


def _unquoted(cell: str) -> str:
    return cell[1:-1].replace(QUOTE * 2, QUOTE) if cell.startswith(QUOTE) else cell
