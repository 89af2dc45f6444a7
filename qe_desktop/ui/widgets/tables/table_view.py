"""Table views that support copying and keyboard navigation and set the widths of their columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QKeySequence, QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QMenu, QTableView, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.ui import theme
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.background_export import copy_text
from qe_desktop.ui.widgets.tables.table_delegate import PADDING, Flash, TableDelegate
from qe_desktop.ui.widgets.tables.table_header import TableHeader
from qe_desktop.ui.widgets.tables.table_model import (
    CopyableTableModel,
    ModelIndex,
    TableCell,
    TableColumn,
    TableModel,
    table_row,
)


class CopyableTableView(QTableView):
    """Table view whose cells can be copied; subclasses set header, delegate and model, and override `fit`."""

    cell_activated = Signal(QModelIndex)
    """Emitted when Enter is pressed, with the index of the current cell; the index is invalid if no cell is current."""

    is_described = True
    """Whether the page describes the current cell; if not, the page describes the current cell of another view."""

    def __init__(self, name: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setShowGrid(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self.setAccessibleName(name)
        theme.themes.theme_changed.connect(self.viewport().update)

    def set_owned_model(self, model: CopyableTableModel) -> None:
        """Take ownership of a model and show it."""
        model.setParent(self)
        self._copyable_model = model
        self.setModel(model)
        model.modelReset.connect(self.fit)

    def set_described(self, is_described: bool) -> None:
        """Set whether the page describes the current cell of this view; if not, the selection has a muted colour."""
        if is_described is not self.is_described:
            self.is_described = is_described
            self.viewport().update()

    def emit_description(self) -> None:
        """Emit the meaning of the current cell; the default implementation does nothing."""

    def fit(self) -> None:
        """Resize rows and columns; the default implementation does nothing."""

    def row_height(self) -> int:
        """Return the default height of a row in pixels."""
        return self.verticalHeader().defaultSectionSize()

    def natural_height(self) -> int:
        """Return the height in pixels at which all rows are visible."""
        rows = self.model().rowCount() * self.row_height()
        return self.horizontalHeader().sizeHint().height() + rows + 2

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the selection if the key is the standard shortcut for copying; emit `cell_activated` if it is Enter."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selection()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.cell_activated.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def copy_selection(self) -> None:
        """Copy the rows and columns of the selection to the clipboard as TSV with full precision.

        Headers and row names are included. If fewer than two cells are selected, the whole table is copied. Text that a
        spreadsheet would read as a formula is escaped.
        """
        selected = self.selectionModel().selectedIndexes()
        if len(selected) < 2:
            self.copy_tsv()
            return
        rows, columns = sorted({index.row() for index in selected}), sorted({index.column() for index in selected})
        copy_text(self._copyable_model.block(rows, columns).tsv())

    def copy_tsv(self) -> None:
        """Copy the whole table to the clipboard as TSV with full precision; do nothing if the table has no rows."""
        if self._copyable_model.rowCount():
            copy_text(self._copyable_model.full_table().tsv())

    def add_block_copying(self, menu: QMenu) -> None:
        """Add the action “Copy with headers”, with its shortcut, to a menu."""
        copying = menu.addAction(tr("&Copy with headers"), self.copy_selection)
        copying.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        # text fields of the window have the same shortcuts
        copying.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show a menu with the copy action."""
        menu = QMenu(self)
        self.add_block_copying(menu)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())


ROW_HEIGHT = 1.8
"""Height of a row as a multiple of the text height."""


class TableView(CopyableTableView):
    """Flat table view in which all rows have the same height; a double click also emits `cell_activated`.

    Subclasses set the column widths in `fit_columns`. Before `fit` is first called, a change of the view's size or font
    does not resize rows or columns.
    """

    _built = False
    _is_initial_cell = False
    """Whether the current cell is the first one only because the table received the focus."""

    def __init__(self, model: CopyableTableModel, settings: Settings, name: str, parent: QWidget | None) -> None:
        super().__init__(name, parent)
        self.flash = Flash(settings, self)
        self.header = TableHeader(self)
        self.setHorizontalHeader(self.header)
        self.setItemDelegate(TableDelegate(self.flash, self))
        self.set_owned_model(model)
        self.verticalHeader().hide()
        self.setWordWrap(False)
        # names often differ at their end
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.flash.faded.connect(self.viewport().update)
        self.doubleClicked.connect(self.cell_activated)
        self.pressed.connect(self._on_cell_selected)
        model.layoutChanged.connect(self._on_rows_moved)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Record whether Qt makes the first cell current; it is the initial cell until the user selects one."""
        had_current = self.currentIndex().isValid()
        super().focusInEvent(event)
        self._is_initial_cell = self._is_initial_cell or (not had_current and self.currentIndex().isValid())

    def currentChanged(self, current: ModelIndex, previous: ModelIndex) -> None:
        """Record that the current cell is no longer the initial cell."""
        super().currentChanged(current, previous)
        self._on_cell_selected()

    def _on_cell_selected(self) -> None:
        self._is_initial_cell = False

    def _on_rows_moved(self) -> None:
        current = self.currentIndex()
        if self._is_initial_cell and current.row() > 0:
            self.setCurrentIndex(self.model().index(0, current.column()))
            self._is_initial_cell = True

    def fit(self) -> None:
        """Resize rows and columns."""
        self._built = True
        line = self.fontMetrics().height()
        self.verticalHeader().setMinimumSectionSize(line)
        self.verticalHeader().setDefaultSectionSize(round(line * ROW_HEIGHT))
        self.fit_columns()

    def fit_columns(self) -> None:
        """Resize the columns; the default implementation does nothing."""

    def changeEvent(self, event: QEvent) -> None:
        """Resize rows and columns when the font changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._built:
            self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Resize the columns to the available width."""
        super().resizeEvent(event)
        if self._built:
            self.fit_columns()


class DescribedTableView(TableView):
    """Table view that emits the meaning of its current cell as text, which is shown in a line below the table."""

    described = Signal(str)
    """Emitted with the meaning of the current cell; the text is empty if no cell is current."""

    def __init__(self, model: TableModel, settings: Settings, name: str, parent: QWidget | None) -> None:
        super().__init__(model, settings, name, parent)
        model.dataChanged.connect(self._on_content_changed)
        model.modelReset.connect(self._on_content_changed)

    def currentChanged(self, current: ModelIndex, previous: ModelIndex) -> None:
        """Emit the meaning of the new current cell."""
        super().currentChanged(current, previous)
        self.emit_description()

    def _on_content_changed(self) -> None:
        if self.is_described:
            self.emit_description()

    def emit_description(self) -> None:
        """Emit the meaning of the current cell."""
        self.described.emit(self._copyable_model.sentence(self.currentIndex()))


MAX_SAMPLED_ROWS = 100
"""Maximum number of rows from which column widths are computed."""


class AutoWidthTable(DescribedTableView):
    """Table view with its own `TableModel`; each column is as wide as its widest cell requires, up to a limit."""

    def __init__(
        self, settings: Settings, name: str, columns: Sequence[TableColumn], parent: QWidget | None = None
    ) -> None:
        self.table = TableModel(columns)
        super().__init__(self.table, settings, name, parent)
        self.setSelectionBehavior(TableView.SelectionBehavior.SelectRows)
        # the start of these texts is the most important part
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.table.dataChanged.connect(self.fit_columns)
        self.fit()

    def show_rows(self, rows: Sequence[Sequence[TableCell]], columns: Sequence[TableColumn] | None = None) -> None:
        """Replace the rows and, if specified, the columns."""
        self.table.show_rows(rows, columns)

    def show_items(self, items: Iterable[object]) -> None:
        """Show one row for each item; the `cell` functions of the columns create the cells."""
        self.show_rows([table_row(self.table.columns, item) for item in items])

    def fit_columns(self) -> None:
        """Fit columns to headers and, up to a limit, to cells; `is_wide` columns share the remaining width.

        Width that the `is_wide` columns do not need is first used for cells beyond the limit.
        """
        metrics, columns = self.fontMetrics(), self.table.columns
        max_width = max(metrics.horizontalAdvance("0") * 24, self.viewport().width() // 3)
        # the header would widen a narrower column, and the columns would no longer fit
        min_width = self.header.minimumSectionSize()
        widths, needed_widths = [], []
        for index, _ in enumerate(columns):
            texts = [escape_label(row[index].text) for row in self.table.rows[:MAX_SAMPLED_ROWS]]
            widest = max([0, *map(metrics.horizontalAdvance, texts)]) + 2 * PADDING + 6
            needed_widths.append(max(min_width, self.header.required_width(index), widest))
            widths.append(max(min_width, self.header.required_width(index), min(widest, max_width)))
        if sum(needed_widths) <= self.viewport().width():
            widths = needed_widths
        wide_columns = [index for index, column in enumerate(columns) if column.is_wide]
        remaining = self.viewport().width() - sum(
            width for index, width in enumerate(widths) if index not in wide_columns
        )
        for index in wide_columns:
            narrowest = max(self.header.required_width(index), metrics.horizontalAdvance("0") * 12)
            widths[index] = max(narrowest if remaining > 0 else widths[index], remaining // len(wide_columns))
        for index, width in enumerate(widths):
            self.setColumnWidth(index, width)


class _SelectionTint(QObject):
    """Object that sets the selection colours of a view, also when the theme changes; the view is its parent."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        theme.themes.theme_changed.connect(self.apply)
        self.apply()

    def apply(self) -> None:
        """Set the selection colours of the view to those of the current theme."""
        palette = self._view.palette()
        palette.setColor(QPalette.ColorRole.Highlight, theme.current().selection)
        palette.setColor(QPalette.ColorRole.HighlightedText, theme.current().text)
        self._view.setPalette(palette)


def soften_selection(view: QAbstractItemView) -> None:
    """Make a view select whole rows, and paint selected rows in the selection colour of the theme."""
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    _SelectionTint(view)
