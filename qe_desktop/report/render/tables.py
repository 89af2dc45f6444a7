"""Tables of reports: columns of values, and output as TSV or as text for a terminal."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import attrgetter
from typing import Any

import numpy as np

from qe_desktop import escaping
from qe_desktop.corpus.columns import Floats
from qe_desktop.escaping import elide
from qe_desktop.i18n.messages import join_localized, to_english, tr

Cell = str | float | int | None
DASH = "–"

MAX_CELL_CHARS = 200
"""Maximum number of characters of a table cell in a terminal."""
MAX_NOTE_CHARS = 2_000
"""Maximum number of characters of a table title or a note in a terminal."""


@dataclass(frozen=True, slots=True)
class Table:
    """Table with a title and notes; floats are shown with `decimals` decimals, None and NaN as a dash.

    `rules` are the 0-based indices of rows with a line above them. `best` are the indices (row, column) of cells whose
    first word (the score before its interval) is bold in outputs with bold type. `attached` are the indices of columns
    that stay next to the column on their left if the table is split. `key_columns` is the number of first columns that
    name a row; each part of a table that is split has them. `comments` are notes for the author, such as notes
    on files, and are also in `notes`; in LaTeX output, they are comments. `bold_note` explains bold type.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    decimals: int = 4
    notes: tuple[str, ...] = ()
    rules: tuple[int, ...] = ()
    best: frozenset[tuple[int, int]] = frozenset()
    attached: frozenset[int] = frozenset()
    comments: frozenset[str] = frozenset()
    key_columns: int = 1
    bold_note: str = tr("Bold: no system is significantly better.")

    @property
    def caption(self) -> str:
        """Title, followed by an explanation of bold type if there are bold cells."""
        return title_after_pair(self.title, self.bold_note) if self.best else self.title

    def bold(self, row: int) -> list[bool]:
        """Return, for each cell of a row, whether the cell is in `best`."""
        return [(row, column) in self.best for column in range(len(self.header))]

    def cells(self) -> list[list[str]]:
        """Return the cells of each row as text for display."""
        return [[format_cell(cell, self.decimals) for cell in row] for row in self.rows]

    def widths(self, measure: Callable[[str], float]) -> list[float]:
        """Return the width of each column: the maximum of `measure` over its header and cells."""
        cells = self.cells()
        columns = [[name, *(row[index] for row in cells)] for index, name in enumerate(self.header)]
        return [max(map(measure, column)) for column in columns]

    def select_columns(self, columns: Sequence[int]) -> Table:
        """Return a table with only the columns at the indices `columns`, in that order."""
        rows = tuple(tuple(row[column] for column in columns) for row in self.rows)
        new_indices = {column: index for index, column in enumerate(columns)}
        best = frozenset((row, new_indices[column]) for row, column in self.best if column in new_indices)
        attached = frozenset(new_indices[column] for column in self.attached if column in new_indices)
        header = tuple(self.header[column] for column in columns)
        return replace(self, header=header, rows=rows, best=best, attached=attached)

    def slice_rows(self, first: int, end: int) -> Table:
        """Return a table with the rows [first, end), without a line above the first of them."""
        rules = tuple(rule - first for rule in self.rules if first < rule < end)
        best = frozenset((row - first, column) for row, column in self.best if first <= row < end)
        return replace(self, rows=self.rows[first:end], rules=rules, best=best)

    def tsv(self) -> str:
        """Return the table as tab-separated values: a line for the header and a line for each row.

        Numbers have full precision, None and NaN become empty cells, and text that looks like a formula is escaped.
        Headers are in English, so that scripts find the same names in every interface language.
        """
        lines = [[_exact_text(item) for item in row] for row in (self.header, *self.rows)]
        return "".join("\t".join(line) + "\n" for line in lines)

    def with_subject(self, subject: str) -> Table:
        """Return the table with `subject` before its title; unchanged if `subject` is empty."""
        return replace(self, title=title_after_pair(subject, self.title)) if subject else self

    def with_notes(self, *notes: str) -> Table:
        """Return the table with `notes` added; empty notes are left out."""
        return replace(self, notes=(*self.notes, *(note for note in notes if note)))

    def with_last(self, name: str, cells: Sequence[str]) -> Table:
        """Return the table with a text column added as the last column; unchanged if all `cells` are empty."""
        if not any(cells):
            return self
        rows = tuple((*row, cell) for row, cell in zip(self.rows, cells, strict=True))
        return replace(self, header=(*self.header, name), rows=rows)

    def for_terminal(self) -> Table:
        """Return the table with text escaped for a terminal and limited in length."""
        rows = tuple(
            tuple(escaping.escape_terminal(item, MAX_CELL_CHARS) if isinstance(item, str) else item for item in row)
            for row in self.rows
        )
        return replace(
            self,
            title=escaping.escape_terminal(self.title, MAX_NOTE_CHARS),
            header=tuple(escaping.escape_terminal(name, MAX_CELL_CHARS) for name in self.header),
            rows=rows,
            notes=tuple(escaping.escape_terminal(note, MAX_NOTE_CHARS) for note in self.notes),
        )

    def text(self, width: int | None = None) -> str:
        """Return the table as text for a terminal of `width` columns, or in its natural width if `width` is None."""
        from rich import box
        from rich.cells import cell_len
        from rich.console import Console
        from rich.table import Table as RichTable
        from rich.text import Text

        rich_table = RichTable(box=box.SIMPLE_HEAD)
        safe = self.for_terminal()
        for index, name in enumerate(safe.header):
            rich_table.add_column(Text(name), justify="right" if index else "left", no_wrap=bool(index))
        for index, row in enumerate(safe.cells(), 1):
            rich_table.add_row(*(Text(cell) for cell in row), end_section=index in safe.rules)
        out = io.StringIO()
        natural = int(4 + sum(3 + size for size in safe.widths(cell_len)))
        console = Console(file=out, width=width or max(natural, cell_len(safe.title) + 2, 60), no_color=True)
        if safe.title:
            console.print(Text(safe.title, style="bold"), soft_wrap=True)
        console.print(rich_table)
        for note in safe.notes:
            console.print(Text(note), soft_wrap=True)
        return out.getvalue()


def title_after_pair(pair: str, title: str) -> str:
    """Prefix a title with its language pair or other subject, if any."""
    return join_localized(". ", [part for part in (pair, title) if part])


def format_cell(cell: Cell, decimals: int) -> str:
    """Format a cell for display: floats with `decimals` decimals, None and NaN as a dash."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return DASH
    if isinstance(cell, float):
        return f"{cell:.{decimals}f}".replace("-0." + "0" * decimals, "0." + "0" * decimals)
    return str(cell)


def format_interval(value: float, ends: Sequence[float] | Floats | None, decimals: int) -> str:
    """Format a number, followed by its interval in brackets unless `ends` is None or NaN."""
    text = format_cell(value, decimals)
    if ends is None or math.isnan(ends[0]):
        return text
    return f"{text} [{format_cell(ends[0], decimals)}, {format_cell(ends[1], decimals)}]"


def _exact_text(cell: Cell) -> str:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    return repr(float(cell)) if isinstance(cell, float) else escaping.display_csv_cell(str(to_english(cell)))


def join_text(tables: Sequence[Table]) -> str:
    """Return several tables as one text for a terminal."""
    return "\n".join(table.text() for table in tables)


_EDGES, _COLUMN_GAP = 1, 3
"""Widths, in characters, of the edges of a table and of the gap between two columns."""
MAX_HEADER_CHARS = 24
"""Maximum number of characters of a system name in a matrix; longer names are elided in the middle."""


def fit_columns(table: Table, width: int) -> list[Table]:
    """Split a table into blocks of columns that fit a terminal `width` characters wide; one block if the table fits.

    Each block has the key columns and at least one other column, even if these are too wide. If a system matrix is
    split, its columns and rows are numbered and long row names are shortened. The first block has the title, and the
    last block has the notes.
    """
    table = table.for_terminal()
    if _EDGES + sum(_sizes(table)) <= width or len(table.header) < 3:
        return [table]
    # in a table with numeric columns first, the last headers may equal its row names by chance
    table = (table.header[1:] == tuple(row[0] for row in table.rows) and number_columns(table)) or table
    sizes = _sizes(table)
    keys = table.key_columns
    blocks = column_blocks(sizes, width - _EDGES, sum(sizes[:keys]), table.attached, keys)
    parts = [replace(table.select_columns(columns), title="", notes=()) for columns in blocks]
    parts[0] = replace(parts[0], title=table.title)
    parts[-1] = replace(parts[-1], notes=table.notes)
    return parts


def number_columns(table: Table) -> Table | None:
    """Return a system matrix with numbered columns and shortened, numbered row names; None for other tables."""
    names = tuple(row[0] for row in table.rows)
    lead = len(table.header) - len(names)
    if lead < 1 or table.header[lead:] != names:
        return None
    rows = tuple(
        (f"{number} {elide(str(row[0]), MAX_HEADER_CHARS)}", *row[1:]) for number, row in enumerate(table.rows, 1)
    )
    header = (*table.header[:lead], *(str(number) for number in range(1, len(names) + 1)))
    return replace(table, header=header, rows=rows)


def column_blocks(
    sizes: Sequence[float], available: float, repeated: float, attached: Collection[int] = (), keys: int = 1
) -> list[list[int]]:
    """Group columns into blocks that are at most `available` wide, and return the column indices of each block.

    Each block has the first `keys` columns and at least one other column, even if these are too wide. `sizes` are the
    widths of the columns; `repeated` is the width of these first columns in all blocks but the first. The columns in
    `attached` stay in the block of the column on their left if these columns fit a block together.
    """
    groups: list[list[int]] = []
    for column in range(keys, len(sizes)):
        joined = [*groups[-1], column] if groups and column in attached else []
        if joined and repeated + sum(sizes[index] for index in joined) <= available:
            groups[-1] = joined
        else:
            groups.append([column])
    blocks, width = [list(range(keys))], sum(sizes[:keys])
    for group in groups:
        group_width = sum(sizes[index] for index in group)
        if len(blocks[-1]) > keys and width + group_width > available:
            blocks.append(list(range(keys)))
            width = repeated
        blocks[-1] += group
        width += group_width
    return blocks


def _sizes(table: Table) -> list[float]:
    """Return column widths, each plus a gap, in terminal cells. Wide East Asian characters take two cells."""
    from rich.cells import cell_len

    return [_COLUMN_GAP + size for size in table.widths(cell_len)]


ColumnNames = str | Sequence[str]


@dataclass(frozen=True, slots=True)
class ReportColumn:
    """Column of a report: its value in each row, and its names in the outputs.

    `value` is a function of the row or the name of an attribute of the row. `title` is the column's name in tables for
    display, `key` in JSON, and `name` in tables for scripts; if the name for an output is empty, the output omits the
    column. If `key` or `name` is None, the name of the attribute is used, if any. If a column has several names, its
    value is a sequence or mapping with one item per name; if there are no items, the table cells are empty. If a table
    is split, the columns of one `ReportColumn` stay together. `json`, `script` and `display` convert the value for one
    output each. `best` returns the indices of the rows whose value is bold in tables for display.
    """

    value: str | Callable[[Any], Any]
    title: ColumnNames = ""
    key: ColumnNames | None = None
    name: ColumnNames | None = None
    json: Callable[[Any], Any] | None = None
    script: Callable[[Any], Any] | None = None
    display: Callable[[Any], Any] | None = None
    best: Callable[[list[Any]], Iterable[int]] | None = None

    def row_value(self, row: Any) -> Any:
        """Return the value of the column in a row."""
        return (attrgetter(self.value) if isinstance(self.value, str) else self.value)(row)

    @property
    def attribute(self) -> str:
        """Name of the row's attribute that has the value; empty if `value` is a function."""
        return self.value if isinstance(self.value, str) else ""


def json_row(columns: Iterable[ReportColumn], row: Any) -> dict[str, Any]:
    """Return a row as a JSON object; NaN becomes null."""
    content: dict[str, Any] = {}
    for column in columns:
        key = column.attribute if column.key is None else column.key
        if key:
            value = to_json(_convert(column.json, column.row_value(row)))
            content |= {key: value} if isinstance(key, str) else zip(key, _items(value), strict=True)
    return content


def json_rows(columns: Sequence[ReportColumn], rows: Iterable[Any], name: str = "name") -> dict[str, dict[str, Any]]:
    """Return rows as JSON objects, keyed by the value of the row attribute that `name` specifies."""
    return {attrgetter(name)(row): json_row(columns, row) for row in rows}


def script_table(title: str, columns: Iterable[ReportColumn], rows: Iterable[Any]) -> Table:
    """Return the table for scripts, with one value per cell."""
    names = [
        (column.attribute.replace("_", " ") if column.name is None else column.name, column, column.script)
        for column in columns
    ]
    return _table_of_columns(title, names, rows)


def display_table(
    title: str,
    columns: Iterable[ReportColumn],
    rows: Sequence[Any],
    decimals: int = 4,
    notes: Sequence[str] = (),
    rules: Sequence[int] = (),
) -> Table:
    """Return the table for display, without columns that have no title."""
    names = [(column.title, column, column.display) for column in columns if column.title]
    sizes = [1 if isinstance(title, str) else len(title) for title, *_ in names]
    starts = list(accumulate(sizes, initial=0))
    best = frozenset(
        (row, column_index)
        for column_index, (_, column, _) in zip(starts, names, strict=False)
        if column.best is not None
        for row in column.best([column.row_value(row) for row in rows])
    )
    attached = frozenset(
        start + offset for start, size in zip(starts, sizes, strict=False) for offset in range(1, size)
    )
    return _table_of_columns(title, names, rows, decimals, tuple(notes), tuple(rules), best, attached)


def _table_of_columns(
    title: str,
    columns: Sequence[tuple[ColumnNames, ReportColumn, Callable[[Any], Any] | None]],
    rows: Iterable[Any],
    *options: Any,
) -> Table:
    used = [column for column in columns if column[0]]
    header = tuple(name for names, *_ in used for name in ([names] if isinstance(names, str) else names))
    cells = tuple(
        tuple(cell for names, column, change in used for cell in _cells(names, _convert(change, column.row_value(row))))
        for row in rows
    )
    return Table(title, header, cells, *options)


def _convert(change: Callable[[Any], Any] | None, value: Any) -> Any:
    return value if change is None else change(value)


def _cells(names: ColumnNames, value: Any) -> Sequence[Cell]:
    return (value,) if isinstance(names, str) else _items(value) or (None,) * len(names)


def _items(value: Any) -> tuple[Any, ...]:
    if isinstance(value, np.ndarray):
        return tuple(value.tolist())
    return tuple(value.values() if isinstance(value, Mapping) else value or ())


def to_json(value: Any) -> Any:
    """Convert a value to JSON types: arrays and tuples to lists, NaN to None; also inside lists, tuples and dicts."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, float):
        return json_number(value)
    if isinstance(value, dict):
        return {name: to_json(item) for name, item in value.items()}
    return [to_json(item) for item in value] if isinstance(value, list | tuple) else value


def json_number(value: float) -> float | None:
    """Return a number for JSON; None for NaN."""
    return None if math.isnan(value) else float(value)


def interval_json(interval: Sequence[float] | np.ndarray) -> list[float] | None:
    """Return [low, high] for JSON; None if either end is NaN."""
    return None if any(math.isnan(end) for end in interval) else [float(end) for end in interval]


def square_json(
    names: Sequence[str], values: Floats, order: Sequence[int] | None = None
) -> dict[str, dict[str, float | None]]:
    """Return a square matrix for JSON, keyed by row name, then column name; NaN becomes None.

    The diagonal is omitted. `order` is the order of rows and columns, as indices into `names`.
    """
    indices = range(len(names)) if order is None else order
    return {names[a]: {names[b]: json_number(values[a, b]) for b in indices if b != a} for a in indices}
