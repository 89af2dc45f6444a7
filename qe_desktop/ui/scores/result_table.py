"""Table view of results with up to two lines per row, and functions that make and sort the tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetrics
from PySide6.QtWidgets import QMenu, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics import Metric
from qe_desktop.ui.scores.number_format import format_interval
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.labels import elide_names
from qe_desktop.ui.widgets.tables.table_delegate import PADDING, TableDelegate, second_line_font
from qe_desktop.ui.widgets.tables.table_model import ModelIndex, TableCell, TableColumn, TableData, TableModel
from qe_desktop.ui.widgets.tables.table_view import ROW_HEIGHT, DescribedTableView

NAME_COLUMN = 0
MIN_NAME_CHARS = 14
"""Minimum width of the name column, in characters."""
SCROLLED_NAME_CHARS = 20
"""Maximum width of the name column, in characters, if the columns must be scrolled even with elided names."""
TWO_LINE_ROW_HEIGHT = 2.75
"""Height of rows with two lines, as a multiple of the text height."""
MAX_EXTRA_CHARS = 7
"""Default maximum extra width of a column, in characters."""


class ResultTableView(DescribedTableView):
    """View of a result table; Enter or a double click requests details of a value (signal `cell_activated`)."""

    sort_requested = Signal(str)
    """Emitted with the sort key of a column (see `TableData.sort_keys`) when the header of the column is clicked."""
    menu_requested = Signal(QMenu)
    """Emitted with a context menu before it opens; receivers may add actions to the menu."""

    def __init__(self, settings: Settings, name: str, more: str, parent: QWidget | None = None) -> None:
        self.cells = TableModel(says_headers=False)
        self.table_data: TableData[Any] = TableData()
        self.activation_text: Callable[[Any], str] = lambda target: more
        """Text of the menu action for a target, which does the same as Enter."""
        self.max_extra_chars = MAX_EXTRA_CHARS
        self._order: tuple[str, Qt.SortOrder] | None = None
        """Header of the column by which a sortable table is sorted, and the sort order; None before the first sort."""
        self._has_folded_lines = False
        super().__init__(self.cells, settings, name, parent)
        self._delegate = TableDelegate(self.flash, self)
        self.setItemDelegate(self._delegate)
        self.header.sectionClicked.connect(self._on_header)
        self.fit()

    def show_data(self, sheet: TableData[Any]) -> None:
        """Show another table; the current cell is kept if the new table has the same size."""
        self.table_data = sheet if not sheet.is_sortable else self._apply_sort(sheet)
        sheet = self.table_data
        # a reset of the model has already called `fit`
        if not self.cells.show_rows(sheet.rows, sheet.columns):
            self.fit()
        # the header may have more or fewer lines
        self.updateGeometries()

    def target(self, index: ModelIndex) -> Any:
        """Return the target of a cell; None if it has none."""
        inside = index.isValid() and index.row() < len(self.table_data.targets)
        return self.table_data.targets[index.row()][index.column()] if inside else None

    # --- sizes

    def fit(self) -> None:
        """Resize columns and rows. Unless second lines are hidden, all rows have two lines if any cell has two."""
        super().fit()
        if not self._has_folded_lines:
            self.verticalHeader().setDefaultSectionSize(self.whole_row_height())

    def whole_row_height(self) -> int:
        """Return the row height in pixels that all lines need, even if second lines are hidden."""
        has_second = any(cell.second_line for row in self.cells.rows for cell in row)
        return round(self.fontMetrics().height() * (TWO_LINE_ROW_HEIGHT if has_second else ROW_HEIGHT))

    def fold_lines(self, folded: bool) -> None:
        """Hide the second lines of all rows if `folded`; otherwise, show them."""
        if folded is not self._has_folded_lines:
            self._has_folded_lines = folded
            self.fit()

    def whole_height(self) -> int:
        """Return the total height in pixels of the header, all rows and the horizontal scroll bar."""
        return self.natural_height() + self.horizontalScrollBar().sizeHint().height()

    def fit_columns(self) -> None:
        """Fit the value columns to their content; the name column takes the remaining width, within limits."""
        metrics, count = self.fontMetrics(), len(self.cells.columns)
        if not count:
            return
        widths = self._widths(count)
        bold_font = self.font()
        bold_font.setBold(True)
        bold = QFontMetrics(bold_font)
        names = [
            (bold if cell.is_bold else metrics).horizontalAdvance(escape_label(cell.text))
            for cell in (row[NAME_COLUMN] for row in self.cells.rows)
        ]
        second = QFontMetrics(second_line_font(self.font()))
        below = (
            max([0, *(second.horizontalAdvance(row[NAME_COLUMN].second_line) for row in self.cells.rows)])
            + 2 * PADDING
            + 4
        )
        title = self.header.required_width(NAME_COLUMN)
        longest = max([title, below, *(name + 2 * PADDING + 4 for name in names)])
        free_width = self.viewport().width() - sum(widths)
        # names may be elided, but not their second line or the title
        digit = metrics.horizontalAdvance("0")
        if free_width < min(longest, digit * MIN_NAME_CHARS):
            free_width = digit * SCROLLED_NAME_CHARS
        name = max(digit * MIN_NAME_CHARS, title, below, min(free_width, longest))
        spare = self.viewport().width() - sum(widths) - name
        more = min(digit * self.max_extra_chars, max(0, spare) // max(1, len(widths)))
        for column, width in enumerate(widths, 1):
            self.setColumnWidth(column, width + more)
        self.setColumnWidth(NAME_COLUMN, name)
        texts = [escape_label(row[NAME_COLUMN].text) for row in self.cells.rows]
        self._delegate.elided_names = elide_names(texts, bold, name - 2 * PADDING)

    def _widths(self, count: int) -> list[int]:
        """Return the widths in pixels that the value columns need for their content and the names of column groups."""
        return self.header.widen_groups([self._width(column) for column in range(1, count)])

    def _width(self, column: int) -> int:
        """Return the width in pixels that a value column needs; every row reserves space for the widest suffix."""
        metrics, second = self.fontMetrics(), QFontMetrics(second_line_font(self.font()))
        cells = [row[column] for row in self.cells.rows]
        side_width = max([0, *(metrics.horizontalAdvance(cell.suffix) for cell in cells)])
        slot = self._delegate.reserved_widths[column] = side_width + PADDING if side_width else 0
        # bold digits are slightly wider
        upper = max([0, *(round(metrics.horizontalAdvance(cell.text) * 1.1) for cell in cells)]) + slot
        lower = max([0, *(second.horizontalAdvance(cell.second_line) for cell in cells)])
        return max(max(upper, lower) + 2 * PADDING + 2, self.header.required_width(column))

    # --- actions

    def _apply_sort(self, sheet: TableData[Any]) -> TableData[Any]:
        """Return `sheet` sorted by the column whose header was clicked last, or unchanged if it has no such column."""
        headers = [column.header for column in sheet.columns]
        if self._order is None or self._order[0] not in headers:
            return sheet
        return sort_rows(sheet, headers.index(self._order[0]), self._order[1])

    def _is_sortable_by(self, section: int) -> bool:
        """Return whether a click on the header of column `section` sorts the table."""
        return self.table_data.is_sortable or (
            section < len(self.table_data.sort_keys) and self.table_data.sort_keys[section] is not None
        )

    def _on_header(self, section: int) -> None:
        if self.table_data.is_sortable and section < len(self.table_data.columns):
            column = self.table_data.columns[section]
            self._order = column.header, next_order(self.table_data, section, column.sort_order)
            current = self.currentIndex()
            before = self.table_data.rows[current.row()] if current.isValid() else ()
            self.show_data(self.table_data)
            row = find_row(self.table_data, before) if before else None
            if row is not None:
                # the current cell stays in its row
                self.setCurrentIndex(self.cells.index(row, current.column()))
            return
        head = self.table_data.sort_keys[section] if section < len(self.table_data.sort_keys) else None
        if head is not None:
            self.sort_requested.emit(head)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show a menu of actions for the current cell and the table."""
        menu = QMenu(self)
        target = self.target(self.currentIndex())
        show = menu.addAction(self.activation_text(target))
        show.setEnabled(target is not None)
        show.triggered.connect(lambda: self.cell_activated.emit(self.currentIndex()))
        column = self.currentIndex().column()
        if column >= 0 and self._is_sortable_by(column):
            menu.addAction(tr("Sort &by this column"), lambda: self._on_header(column))
        menu.addSeparator()
        self.menu_requested.emit(menu)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())


Target = TypeVar("Target")
TableRow = tuple[tuple[TableCell, ...], tuple[Target | None, ...]]
"""Cells of a row and their targets."""


def table_of_rows(
    columns: Sequence[TableColumn],
    rows: Sequence[TableRow[Target]],
    sort_keys: tuple[str | None, ...] = (),
    *,
    is_sortable: bool = False,
) -> TableData[Target]:
    """Return a table of rows; `sort_keys` and `is_sortable` have the same meaning as in `TableData`."""
    cells, targets = tuple(cells for cells, _ in rows), tuple(targets for _, targets in rows)
    return TableData(tuple(columns), cells, targets, sort_keys, is_sortable)


def name_column(title: str, exported: str, tooltip: str = "") -> TableColumn:
    """Return a column of names."""
    return TableColumn(title, tooltip, exported_headers=(exported,))


def value_column(title: str, tooltip: str, *exported: str, below: str = "") -> TableColumn:
    """Return a column of numbers; `below` is the second line of the header, `exported` the headers in copied tables."""
    return TableColumn(title, tooltip, is_right_aligned=True, exported_headers=exported, second_line=below)


def name_cell(name: str, description: str = "", *, last: bool = False) -> TableCell:
    """Return a table cell with a name."""
    return TableCell(name, description or name, ends_group=last, exact_values=(name,))


def metric_cell(metric: Metric, *, last: bool = False) -> TableCell:
    """Return a table cell with a metric's name."""
    return name_cell(metric.name, f"{metric.name}. {metric.help()}", last=last)


def exact_values(*values: float) -> tuple[float | None, ...]:
    """Return the values for export, with each undefined value (NaN) replaced by None."""
    return tuple(None if math.isnan(value) else value for value in values)


def interval_text(low: float, high: float, decimals: int) -> str:
    """Return the displayed text of an interval; empty if its bounds are NaN."""
    return "" if math.isnan(low) else format_interval(low, high, decimals)


def distinction_groups(systems: int, split: tuple[int, int]) -> list[int]:
    """Return the indices of the groups of systems to show: 0 (all), 1 (top) and 2 (bottom).

    Group 1 or 2 is omitted if it has fewer than two systems. `systems` is the total number of systems; `split` contains
    the number of top systems and the number of bottom systems.
    """
    return [group for group, size in enumerate((systems, *split)) if size > 1 or not group]


def distinction_columns(systems: int, split: tuple[int, int]) -> tuple[TableColumn, ...]:
    """Return the columns of discriminative power (d, d_top, d_bottom) for the groups from `distinction_groups`."""
    top, bottom = split
    group = tr("Discriminative power, share of pairs")
    tooltip = tr(
        "Share of all system pairs that the metric separates significantly, after correction (d). Higher is more "
        "discriminative."
    )
    top_tooltip = tr(
        "Share of pairs separated significantly among the {n} {n:system|systems} that this metric ranks best (d_top); "
        "the correction covers only these pairs.", "", top,
    )  # fmt: skip
    bottom_tooltip = tr(
        "Share of pairs separated significantly among the {n} {n:system|systems} that this metric ranks worst "
        "(d_bottom); the correction covers only these pairs.", "", bottom,
    )  # fmt: skip
    columns = [
        TableColumn(
            title,
            text,
            is_right_aligned=True,
            second_line=_count_pairs(size),
            group=group,
            exported_headers=(symbol,),
        )
        for title, symbol, text, size in (
            (tr("all {systems}", systems=systems), "d", tooltip, systems),
            (tr("top {systems}", systems=top), "d_top", top_tooltip, top),
            (tr("bottom {systems}", systems=bottom), "d_bottom", bottom_tooltip, bottom),
        )
    ]
    return tuple(columns[group] for group in distinction_groups(systems, split))


def _count_pairs(systems: int) -> str:
    return tr("{n:,} {n:pair|pairs}", "", systems * (systems - 1) // 2)


SortKey = tuple[float, str]
_DESCENDING = Qt.SortOrder.DescendingOrder


def next_order(sheet: TableData[Target], section: int, order: Qt.SortOrder | None) -> Qt.SortOrder:
    """Return the sort order after a click on a column header; `order` is the current order of the column, if any.

    The first click sorts numbers in descending order and other values in ascending order.
    """
    first = _DESCENDING if sheet.columns[section].is_right_aligned else Qt.SortOrder.AscendingOrder
    if order != first:
        return first
    return Qt.SortOrder.AscendingOrder if first == _DESCENDING else _DESCENDING


def sort_rows(sheet: TableData[Target], section: int, order: Qt.SortOrder) -> TableData[Target]:
    """Return the table sorted by a column, with the header of the column marked; undefined values come last.

    Lines between groups of rows are removed.
    """
    if sheet.resort is not None:
        sheet = replace(sheet.resort(section, order == _DESCENDING), resort=sheet.resort)
    keys = [_key(row[section]) for row in sheet.rows]
    indices = sorted_indices(keys, descending=order == _DESCENDING)
    columns = tuple(
        replace(column, is_current=index == section, sort_order=order if index == section else None)
        for index, column in enumerate(sheet.columns)
    )
    rows = tuple(
        tuple(replace(cell, ends_group=False) if cell.ends_group else cell for cell in sheet.rows[index])
        for index in indices
    )
    return replace(sheet, columns=columns, rows=rows, targets=tuple(sheet.targets[index] for index in indices))


def sorted_indices(keys: Sequence[SortKey | None], *, descending: bool) -> list[int]:
    """Return the indices that sort the keys; equal keys keep their relative order, and None comes last."""
    with_key = [index for index, key in enumerate(keys) if key is not None]
    with_key.sort(key=lambda index: keys[index] or (), reverse=descending)
    return [*with_key, *(index for index, key in enumerate(keys) if key is None)]


def sort_key(value: str | float | None) -> SortKey | None:
    """Return the sort key of a value: numbers are sorted by size, texts case-insensitively. None has the key None."""
    if value is None:
        return None
    return (0.0, value.casefold()) if isinstance(value, str) else (float(value), "")


def find_row(sheet: TableData[Target], row: Sequence[TableCell]) -> int | None:
    """Return the index of the row in `sheet` with the same texts and exact values as `row`; None if there is none."""
    values = _values(row)
    return next((index for index, cells in enumerate(sheet.rows) if _values(cells) == values), None)


def _values(row: Sequence[TableCell]) -> list[object]:
    return [(cell.text, cell.exact_values) for cell in row]


def _key(cell: TableCell) -> SortKey | None:
    return sort_key(cell.exact_values[0] if cell.exact_values else cell.text)
