"""Tables that are too wide for a terminal: cut into blocks of columns, with short names where columns are systems."""

from __future__ import annotations

from dataclasses import replace

from qe_desktop.outgoing import elided
from qe_desktop.report.tables import Cell, Table

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
    if _width(table) <= width or len(table.header) < 3:
        return [table]
    if table.header[1:] == tuple(row[0] for row in table.rows):
        table = _numbered(table)
    sizes = _sizes(table)
    blocks: list[list[int]] = [[]]
    for column in range(1, len(sizes)):
        if blocks[-1] and _EDGES + sizes[0] + sum(sizes[one] for one in blocks[-1]) + sizes[column] > width:
            blocks.append([])
        blocks[-1].append(column)
    parts = [_part(table, [0, *columns]) for columns in blocks]
    parts[0] = replace(parts[0], title=table.title)
    parts[-1] = replace(parts[-1], notes=table.notes)
    return parts


def _numbered(table: Table) -> Table:
    """A matrix of systems whose rows and columns have numbers."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (f"{place} {shortened(str(row[0]))}", *row[1:]) for place, row in enumerate(table.rows, 1)
    )
    header = (table.header[0], *(str(place) for place in range(1, len(table.header))))
    return replace(table, header=header, rows=rows)


def shortened(name: str, longest: int = LONGEST) -> str:
    """A name of at most so many characters: its beginning and its end, which tell systems apart."""
    return elided(name, longest)


def _part(table: Table, columns: list[int]) -> Table:
    return Table(
        "", tuple(table.header[column] for column in columns),
        tuple(tuple(row[column] for column in columns) for row in table.rows), table.decimals,
    )  # fmt: skip


def _sizes(table: Table) -> list[int]:
    """The places of a line that each column takes when it is drawn; Chinese characters take two."""
    from rich.cells import cell_len

    cells = table.cells()
    return [
        _BETWEEN + max([cell_len(name), *(cell_len(row[place]) for row in cells)])
        for place, name in enumerate(table.header)
    ]


def _width(table: Table) -> int:
    return _EDGES + sum(_sizes(table))
