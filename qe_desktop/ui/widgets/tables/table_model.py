"""Model, columns and cells of short tables whose rows are immutable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from qe_desktop.escaping import MAX_TOOLTIP_CHARS, escape_label
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.report import Table
from qe_desktop.ui.theme import current
from qe_desktop.ui.widgets.labels import plain_tooltip, tooltip_of_lines
from qe_desktop.ui.widgets.tables.table_header import (
    HEADER_BELOW_ROLE,
    HEADER_CURRENT_ROLE,
    HEADER_GROUP_ROLE,
    HEADER_ORDER_ROLE,
)


@dataclass(frozen=True, slots=True)
class TableColumn:
    """Column of a table: its header, the meaning of its values (`tooltip`), and how its cells are aligned and created.

    `is_wide` columns share the remaining width of the table; `is_current` marks the current column. If the rows are
    sorted by the column, `sort_order` is the order, otherwise None. `second_line` is shown below the header, in the
    colour of a caution if `has_second_line_caution`. Adjacent columns with the same `group` have this name above them,
    with `caution` next to the name. `exported_headers` are the headers in a copied table, one for each exported value
    of a cell; if empty, `header` is used. `cell` takes an item and returns the item's cell or the text for the cell;
    see `table_row`.
    """

    header: str
    tooltip: str = ""
    is_right_aligned: bool = False
    is_wide: bool = False
    is_current: bool = False
    second_line: str = ""
    has_second_line_caution: bool = False
    group: str = ""
    caution: str = ""
    exported_headers: tuple[str, ...] = ()
    sort_order: Qt.SortOrder | None = None
    cell: Callable[[Any], TableCell | str] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class TableCell:
    """Displayed cell of a table.

    `description` is the text of the tooltip; if empty, the tooltip is the displayed text. `token` is the name of a
    theme colour, and `bar_fraction` the length of the bar in 0..1, or None if the cell has no bar. The text is bold if
    `is_bold`. A cell with `ends_group` belongs to the last row of a group and has a line below it. `suffix` is shown
    next to the text and `second_line` below the text, both in a less prominent colour. `exact_values` are the values in
    a copied table, one for each exported header of the column; if empty, the displayed text is copied.
    """

    text: str
    description: str = ""
    token: str = ""
    bar_fraction: float | None = None
    is_bold: bool = False
    ends_group: bool = False
    suffix: str = ""
    second_line: str = ""
    exact_values: tuple[str | float | int | None, ...] = ()

    @property
    def full_text(self) -> str:
        """All displayed texts on one line."""
        return join_localized(" ", [part for part in (self.text, self.second_line, self.suffix) if part])


CellFactory = Callable[[Any], TableCell | str]


def text_column(header: str, tooltip: str, cell: CellFactory, *exported: str, is_wide: bool = False) -> TableColumn:
    """Create a text column with cells from `cell`; `exported` are the headers in a copied table."""
    return TableColumn(header, tooltip, is_wide=is_wide, exported_headers=exported, cell=cell)


def number_column(header: str, tooltip: str, cell: CellFactory, *exported: str) -> TableColumn:
    """Create a right-aligned number column with cells from `cell`; `exported` are the headers in a copied table."""
    return TableColumn(header, tooltip, is_right_aligned=True, exported_headers=exported, cell=cell)


def table_row(columns: Sequence[TableColumn], item: object) -> tuple[TableCell, ...]:
    """Return the cells of an item, one for each column that has a `cell` function."""
    cells = [column.cell(item) for column in columns if column.cell is not None]
    return tuple(TableCell(cell) if isinstance(cell, str) else cell for cell in cells)


def count_cell(count: int, token: str = "") -> TableCell:
    """Create a cell for a count, in the theme colour `token` or, if the count is zero, in the muted colour."""
    return TableCell(f"{count:,}", token=token if count else "muted")


class CopyableTableModel(QAbstractTableModel):
    """Model of a `CopyableTableView`."""

    def block(self, rows: Sequence[int], columns: Sequence[int]) -> Table:
        """Return the given rows and columns as a table for spreadsheets: row names first, numbers in full precision."""
        raise NotImplementedError

    def sentence(self, index: ModelIndex) -> str:
        """Return the meaning of a cell in words; empty if the index is invalid."""
        raise NotImplementedError

    def full_table(self) -> Table:
        """Return all rows and columns as a table for spreadsheets."""
        return self.block(range(self.rowCount()), range(self.columnCount()))


ModelIndex = QModelIndex | QPersistentModelIndex
ROLE = Qt.ItemDataRole
ROOT = QModelIndex()
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

CHANGE_ROLE = int(ROLE.UserRole) + 1
"""Role for the change that the last edit made to the value, as text."""
BAR_FRACTION_ROLE = CHANGE_ROLE + 1
"""Role for the length of the cell's bar, 0..1; None if the cell has no bar."""
MUTED_ROLE = CHANGE_ROLE + 2
"""Role that states whether the cell is shown in the muted colour, because it is outdated or of little relevance."""
CURRENT_ROLE = CHANGE_ROLE + 3
"""Role that states whether the text of the cell is bold, for example in the current row or column."""
COLOUR_ROLE = CHANGE_ROLE + 4
"""Role for the name of the theme colour of the cell's text; empty for the default colour."""
LAST_ROLE = CHANGE_ROLE + 5
"""Role that states whether the row is the last one of a group and therefore has a thick line below it."""

PARTS_ROLE = CHANGE_ROLE + 6
"""Role for the tuple of the text, suffix and second line of a cell; None if the cell has only the text."""


class TableModel(CopyableTableModel):
    """Table model whose rows consist of `TableCell`s.

    With `says_headers`, the accessible text of a cell begins with the column header.
    """

    def __init__(
        self, columns: Sequence[TableColumn] = (), parent: QObject | None = None, *, says_headers: bool = True
    ) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.rows: tuple[tuple[TableCell, ...], ...] = ()
        self._says_headers = says_headers

    def show_rows(self, rows: Sequence[Sequence[TableCell]], columns: Sequence[TableColumn] | None = None) -> bool:
        """Replace the rows and, if specified, the columns; return whether the model was reset.

        If the numbers of rows and columns are unchanged, the cells are updated in place and the current index is kept.
        """
        new, new_columns = tuple(map(tuple, rows)), self.columns if columns is None else tuple(columns)
        if (new, new_columns) == (self.rows, self.columns):
            return False
        if (len(new), len(new_columns)) != (len(self.rows), len(self.columns)):
            self.beginResetModel()
            self.rows, self.columns = new, new_columns
            self.endResetModel()
            return True
        renamed = new_columns != self.columns
        self.rows, self.columns = new, new_columns
        if renamed:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(new_columns) - 1)
        if new:
            self.dataChanged.emit(self.index(0, 0), self.index(len(new) - 1, len(new_columns) - 1))
        return False

    def rowCount(self, parent: ModelIndex = ROOT) -> int:
        """Return the number of rows; 0 for a valid parent, because cells have no children."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: ModelIndex = ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: ModelIndex, role: int = ROLE.DisplayRole) -> Any:
        """Return the data of a cell for a role."""
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        cell, column = self.rows[index.row()][index.column()], self.columns[index.column()]
        text = cell.description or cell.full_text
        if role == ROLE.DisplayRole:
            return escape_label(cell.full_text)
        if role == PARTS_ROLE:
            return (
                (escape_label(cell.text), escape_label(cell.suffix), escape_label(cell.second_line))
                if cell.suffix or cell.second_line
                else None
            )
        if role == ROLE.ToolTipRole:
            return plain_tooltip(text)
        if role == ROLE.AccessibleTextRole:
            return (
                f"{column.header}: {escape_label(text, MAX_TOOLTIP_CHARS)}"
                if self._says_headers
                else escape_label(text, MAX_TOOLTIP_CHARS)
            )
        if role == ROLE.TextAlignmentRole:
            return RIGHT if column.is_right_aligned else LEFT
        if role == ROLE.ForegroundRole:
            return getattr(current(), cell.token) if cell.token else None
        by_role = {
            BAR_FRACTION_ROLE: cell.bar_fraction,
            CURRENT_ROLE: cell.is_bold,
            COLOUR_ROLE: cell.token,
            LAST_ROLE: cell.ends_group,
        }
        return by_role.get(role)

    def sentence(self, index: ModelIndex) -> str:
        """Return the meaning of a cell in words; empty if the index is invalid.

        The description of a cell, if any, is returned unchanged if it begins with the name of the row or if
        `says_headers` is False. Otherwise, the result for the first cell of a row consists of the displayed text and
        the description; the result for any other cell consists of the name of the row, the column header, the displayed
        text, the description and the meaning of the column.
        """
        if not index.isValid() or index.row() >= len(self.rows):
            return ""
        cell, name = self.rows[index.row()][index.column()], self.rows[index.row()][0]
        if cell.description and (not self._says_headers or cell.description.startswith(name.text)):
            return cell.description
        if cell is name:
            return join_localized(". ", [part for part in (name.full_text, cell.description) if part])
        column, description = self.columns[index.column()], cell.description
        value = description if cell.full_text and description.startswith(cell.full_text) else cell.full_text or "–"
        value_text = tr("{row}: {column} {value}", row=name.text, column=column.header, value=value)
        parts = [value_text, *([description] if description != value else []), column.tooltip]
        return join_localized(" ", [tr("{text}.", text=part.rstrip(".")) for part in parts if part])

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole) -> Any:
        """Return the data of a column header for a role; None for row headers."""
        if orientation == Qt.Orientation.Vertical or section >= len(self.columns):
            return None
        column = self.columns[section]
        if role == ROLE.DisplayRole:
            return escape_label(column.header)
        if role == ROLE.TextAlignmentRole:
            return int(RIGHT if column.is_right_aligned else LEFT)
        by_role = {
            HEADER_CURRENT_ROLE: column.is_current,
            HEADER_ORDER_ROLE: column.sort_order,
            HEADER_BELOW_ROLE: (escape_label(column.second_line), column.has_second_line_caution),
            HEADER_GROUP_ROLE: (escape_label(column.group), column.caution),
        }
        if role in by_role:
            return by_role[role]
        tooltip_parts = [part for part in (column.tooltip, f"⚠ {column.caution}" if column.caution else "") if part]
        return tooltip_of_lines("\n".join(tooltip_parts)) if role == ROLE.ToolTipRole and tooltip_parts else None

    def block(self, rows: Sequence[int], columns: Sequence[int]) -> Table:
        """Return rows and columns as a table for spreadsheets; the first column (the row names) is always included."""
        column_indices = [0, *(column for column in columns if column)]
        heads = [
            self.columns[column_index].exported_headers or (self.columns[column_index].header,)
            for column_index in column_indices
        ]
        parts = [tuple(part for head, column_index in zip(heads, column_indices, strict=True)
                       for part in _cell_parts(self.rows[row][column_index], len(head))) for row in rows]  # fmt: skip
        return Table("", tuple(name for head in heads for name in head), tuple(parts))


def _cell_parts(cell: TableCell, count: int) -> tuple[str | float | int | None, ...]:
    """Return the exact values of a cell or, if the cell has none, the displayed text and `count` − 1 empty values."""
    if cell.exact_values:
        return cell.exact_values
    return (cell.full_text, *[None] * (count - 1))


CellTarget = TypeVar("CellTarget")


@dataclass(frozen=True, slots=True)
class TableData(Generic[CellTarget]):
    """Content of a table: columns and rows of cells.

    `targets[row][column]` is the object that a cell refers to, such as a segment or system; None if there is none. With
    `is_sortable`, the view can sort the rows by any column. Otherwise, `sort_keys` contains, for each column, the key
    with which the view requests sorting, or None if the table cannot be sorted by the column. If there are more rows
    than the table lists, `resort(column, descending)` sorts all of them by the column with index `column`, and returns
    a table of the first rows in the new order.
    """

    columns: tuple[TableColumn, ...] = ()
    rows: tuple[tuple[TableCell, ...], ...] = ()
    targets: tuple[tuple[CellTarget | None, ...], ...] = ()
    sort_keys: tuple[str | None, ...] = ()
    is_sortable: bool = False
    resort: Callable[[int, bool], TableData[CellTarget]] | None = None
