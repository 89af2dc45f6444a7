"""Tables that are too wide: cut into blocks of columns, with short names where columns are systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from qe_desktop.outgoing import elided
from qe_desktop.report.tables import Table

_EDGES, _BETWEEN = 1, 3
"""Characters at the sides of a drawn table, and between two of its columns."""
LONGEST = 24
"""Characters of a system's name beside a matrix of systems; longer ones are cut in the middle."""


def fitted(table: Table, width: int) -> list[Table]:
    """The table as blocks of columns that fit into `width`, each with the first column; alone where it fits at once.

    The columns of a matrix of systems are numbered then, as are its rows, whose long names are shortened. A block
    has one column besides the first at the least. The title stands on the first block, the notes below the last.
    """
    table = table.for_terminal()
    if _EDGES + sum(_sizes(table)) <= width or len(table.header) < 3:
        return [table]
    # of a table with figures before them, the last columns may be called like its rows by chance
    table = (table.header[1:] == tuple(row[0] for row in table.rows) and numbered(table)) or table
    sizes = _sizes(table)
    blocks = blocks_of(sizes, width - _EDGES, sizes[0])
    parts = [replace(table.of_columns(columns), title="", notes=()) for columns in blocks]
    parts[0] = replace(parts[0], title=table.title)
    parts[-1] = replace(parts[-1], notes=table.notes)
    return parts


def numbered(table: Table) -> Table | None:
    """A matrix of systems with numbers over its columns and before its rows' shortened names; None for others."""
    names = tuple(row[0] for row in table.rows)
    lead = len(table.header) - len(names)
    if lead < 1 or table.header[lead:] != names:
        return None
    rows = tuple((f"{place} {elided(str(row[0]), LONGEST)}", *row[1:]) for place, row in enumerate(table.rows, 1))
    header = (*table.header[:lead], *(str(place) for place in range(1, len(names) + 1)))
    return replace(table, header=header, rows=rows)


def blocks_of(sizes: Sequence[float], room: float, repeated: float) -> list[list[int]]:
    """Columns of these sizes in blocks that fit into a room, each with the first column and another at the least.

    The first column takes as much as `repeated` in all blocks but the first.
    """
    blocks, held = [[0]], sizes[0]
    for column, size in enumerate(sizes[1:], 1):
        if len(blocks[-1]) > 1 and held + size > room:
            blocks.append([0])
            held = repeated
        blocks[-1].append(column)
        held += size
    return blocks


def _sizes(table: Table) -> list[float]:
    """The places of a line that each column takes when it is drawn; Chinese characters take two."""
    from rich.cells import cell_len

    return [_BETWEEN + size for size in table.widths(cell_len)]
