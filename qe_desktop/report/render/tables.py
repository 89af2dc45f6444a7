"""A table of results, and how it is written: TSV, LaTeX, or lines for a terminal."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from qe_desktop import outgoing
from qe_desktop.wording import in_english, side_by_side, tr

Cell = str | float | int | None
DASH = "–"

MOST = 200
"""Characters of one cell that a terminal shows at the most."""
MOST_NOTE = 2_000
"""Characters of a title or a note that a terminal shows at the most."""


@dataclass(frozen=True, slots=True)
class Table:
    """A title, column headers and rows; numbers are shown with `decimals` and None as a dash.

    A line stands above each of the rows numbered in `rules`. `best` are the cells, as row and column, whose first word
    is bold where there is bold type: the score before its interval.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    decimals: int = 4
    notes: tuple[str, ...] = ()
    rules: tuple[int, ...] = ()
    best: frozenset[tuple[int, int]] = frozenset()

    @property
    def caption(self) -> str:
        """The title where there is bold type, which it explains."""
        if not self.best:
            return self.title
        return after(self.title, tr("The best of each column is bold."))

    def bold(self, row: int) -> list[bool]:
        """Which cells of a row are among the best."""
        return [(row, column) in self.best for column in range(len(self.header))]

    def cells(self) -> list[list[str]]:
        """The rows as shown."""
        return [[shown(cell, self.decimals) for cell in row] for row in self.rows]

    def widths(self, measure: Callable[[str], float]) -> list[float]:
        """The room that each column takes, its header and its cells, by what measures a text."""
        cells = self.cells()
        columns = [[name, *(row[place] for row in cells)] for place, name in enumerate(self.header)]
        return [max(map(measure, column)) for column in columns]

    def of_columns(self, columns: Sequence[int]) -> Table:
        """These columns alone."""
        rows = tuple(tuple(row[column] for column in columns) for row in self.rows)
        places = {column: place for place, column in enumerate(columns)}
        best = frozenset((row, places[column]) for row, column in self.best if column in places)
        return replace(self, header=tuple(self.header[column] for column in columns), rows=rows, best=best)

    def of_rows(self, first: int, end: int) -> Table:
        """The rows from one to another alone; no line stands above the first."""
        rules = tuple(rule - first for rule in self.rules if first < rule < end)
        best = frozenset((row - first, column) for row, column in self.best if first <= row < end)
        return replace(self, rows=self.rows[first:end], rules=rules, best=best)

    def tsv(self) -> str:
        """Header and rows, tab-separated, with full precision and empty cells for None; one line each, no formulas.

        All is in English, so that scripts find the same in every language.
        """
        lines = [[_exact(one) for one in row] for row in (self.header, *self.rows)]
        return "".join("\t".join(line) + "\n" for line in lines)

    def with_last(self, name: str, cells: Sequence[str]) -> Table:
        """The table with one more column at its end, a text for each row; as it is where all of them are empty."""
        if not any(cells):
            return self
        rows = tuple((*row, cell) for row, cell in zip(self.rows, cells, strict=True))
        return replace(self, header=(*self.header, name), rows=rows)

    def for_terminal(self) -> Table:
        """The table with every text made safe for a terminal, and of bounded length."""
        rows = tuple(
            tuple(outgoing.terminal(one, MOST) if isinstance(one, str) else one for one in row) for row in self.rows
        )
        return replace(
            self,
            title=outgoing.terminal(self.title, MOST_NOTE),
            header=tuple(outgoing.terminal(name, MOST) for name in self.header),
            rows=rows,
            notes=tuple(outgoing.terminal(note, MOST_NOTE) for note in self.notes),
        )

    def text(self, width: int | None = None, *, colour: bool = False) -> str:
        """The table drawn for a terminal."""
        from rich import box
        from rich.cells import cell_len
        from rich.console import Console
        from rich.table import Table as RichTable
        from rich.text import Text

        drawn = RichTable(box=box.SIMPLE_HEAD)
        safe = self.for_terminal()
        for place, name in enumerate(safe.header):
            drawn.add_column(Text(name), justify="right" if place else "left", no_wrap=bool(place))
        for place, row in enumerate(safe.cells(), 1):
            drawn.add_row(*(Text(cell) for cell in row), end_section=place in safe.rules)
        out = io.StringIO()
        natural = int(4 + sum(3 + size for size in safe.widths(cell_len)))
        console = Console(file=out, width=width or max(natural, cell_len(safe.title) + 2, 60), no_color=not colour)
        if safe.title:
            console.print(Text(safe.title, style="bold"), soft_wrap=True)
        console.print(drawn)
        for note in safe.notes:
            console.print(Text(note), soft_wrap=True)
        return out.getvalue()


def after(pair: str, title: str) -> str:
    """A title after the language pair, or whatever else it is of, where there is one."""
    return side_by_side(". ", [part for part in (pair, title) if part])


def shown(cell: Cell, decimals: int) -> str:
    """A cell for people: fixed decimals, a dash for what is not defined."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return DASH
    if isinstance(cell, float):
        return f"{cell:.{decimals}f}".replace("-0." + "0" * decimals, "0." + "0" * decimals)
    return str(cell)


def ends_in_brackets(value: float, ends: tuple[float, float] | None, decimals: int) -> str:
    """A number and its interval in one cell; the number alone where there is no interval."""
    one = shown(value, decimals)
    if ends is None or math.isnan(ends[0]):
        return one
    return f"{one} [{shown(ends[0], decimals)}, {shown(ends[1], decimals)}]"


def _exact(cell: Cell) -> str:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    return repr(float(cell)) if isinstance(cell, float) else outgoing.seen_cell(str(in_english(cell)))


def join_text(tables: Sequence[Table]) -> str:
    """Several tables for a terminal, one below the other."""
    return "\n".join(table.text() for table in tables)
