"""The source and the MT that stand beside the scores in a table, in the order of segments."""

from __future__ import annotations

import numpy as np

from qe_desktop.corpus import Faults, TextColumn, TextRole
from qe_desktop.formats.fields import table_rows, unquoted_texts
from qe_desktop.formats.limits import refuse_long_lines
from qe_desktop.formats.score_columns import order_of
from qe_desktop.formats.tables import ScoreGrid


def texts_of(grid: ScoreGrid, size: int | None = None) -> dict[TextRole, TextColumn]:
    """The texts of a table; `size` is how many segments there must be. QeError for other segments, and long lines."""
    order = order_of(grid, size)
    cells: list[list[bytes]] = [[] for _ in grid.texts]
    for rows in table_rows(grid.opened, grid.columns, 1, Faults()):
        for found, column in zip(cells, grid.texts.values(), strict=True):
            found += [rows.field(row, column) for row in range(len(rows.lines))]
    plain = np.asarray(unquoted_texts([cell for found in cells for cell in found]), object)
    texts = {}
    for role, of_role in zip(grid.texts, np.split(plain, len(cells)), strict=True):
        lines: list[bytes] = of_role[order].tolist()
        text = texts[role] = TextColumn.from_bytes(b"".join(line + b"\n" for line in lines))
        refuse_long_lines(text, grid.opened.name)
    return texts
