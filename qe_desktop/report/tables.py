"""A table of results, and how it is written: TSV, LaTeX, or lines for a terminal."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass

Cell = str | float | int | None
DASH = "–"

_LATEX = {
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "●": r"$\bullet$", "◐": r"$\circ\!\bullet$", "○": r"$\circ$", "–": "--", "·": r"$\cdot$",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """A title, column headers and rows; numbers are shown with `decimals` and None as a dash."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    decimals: int = 4
    notes: tuple[str, ...] = ()

    def cells(self) -> list[list[str]]:
        """The rows as shown."""
        return [[shown(cell, self.decimals) for cell in row] for row in self.rows]

    def tsv(self) -> str:
        """Header and rows, tab-separated, with full precision and empty cells for None; one line each."""
        lines = [self.header, *([_exact(cell) for cell in row] for row in self.rows)]
        return "".join("\t".join(_one_line(cell) for cell in line) + "\n" for line in lines)

    def latex(self) -> str:
        """A booktabs tabular with the title as its comment; every character that LaTeX reads is escaped."""
        columns = "l" + "r" * (len(self.header) - 1)
        head = " & ".join(latex_text(name) for name in self.header)
        body = "\n".join(" & ".join(latex_text(cell) for cell in row) + r" \\" for row in self.cells())
        notes = "".join(f"% {_one_line(note)}\n" for note in self.notes)
        return (
            f"% {_one_line(self.title)}\n{notes}\\begin{{tabular}}{{{columns}}}\n\\toprule\n"
            f"{head} \\\\\n\\midrule\n{body}\n\\bottomrule\n\\end{{tabular}}\n"
        )

    def text(self, width: int | None = None, *, colour: bool = False) -> str:
        """The table drawn for a terminal."""
        from rich import box
        from rich.console import Console
        from rich.table import Table as RichTable
        from rich.text import Text

        drawn = RichTable(box=box.SIMPLE_HEAD)
        for place, name in enumerate(self.header):
            drawn.add_column(Text(name), justify="right" if place else "left", no_wrap=bool(place))
        for row in self.cells():
            drawn.add_row(*(Text(cell) for cell in row))
        out = io.StringIO()
        natural = 4 + sum(
            3 + max([len(name), *(len(row[place]) for row in self.cells())]) for place, name in enumerate(self.header)
        )
        console = Console(file=out, width=width or max(natural, len(self.title) + 2, 60), no_color=not colour)
        if self.title:
            console.print(Text(self.title, style="bold"), soft_wrap=True)
        console.print(drawn)
        for note in self.notes:
            console.print(Text(note), soft_wrap=True)
        return out.getvalue()


def shown(cell: Cell, decimals: int) -> str:
    """A cell for people: fixed decimals, a dash for what is not defined."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return DASH
    if isinstance(cell, float):
        return f"{cell:.{decimals}f}".replace("-0." + "0" * decimals, "0." + "0" * decimals)
    return str(cell)


def latex_text(text: str) -> str:
    """Text with LaTeX's own characters escaped."""
    return "".join(_LATEX.get(character, character) for character in _one_line(text))


def _exact(cell: Cell) -> str:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    return repr(float(cell)) if isinstance(cell, float) else str(cell)


def _one_line(text: str) -> str:
    return text.replace("\t", " ").replace("\n", " ").replace("\r", " ")


def join_text(tables: Sequence[Table]) -> str:
    """Several tables for a terminal, one below the other."""
    return "\n".join(table.text() for table in tables)
