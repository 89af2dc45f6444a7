"""What all tables share: flat rows, numbers under each other, and Enter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QMenu, QTableView, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.ui import theme
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.clipboard import copy_text
from qe_desktop.ui.widgets.tables.table_delegate import PADDING, Flash, TableDelegate
from qe_desktop.ui.widgets.tables.table_header import TableHeader
from qe_desktop.ui.widgets.tables.table_model import CopyableTableModel, TableCell, TableColumn, TableModel, table_row


class CopyableTableView(QTableView):
    """Subclasses give it its headers, its delegate and its model, and say in `fit` how large the cells are."""

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

    def own(self, model: CopyableTableModel) -> None:
        """Show a model, which goes away with the table."""
        model.setParent(self)
        self._copied = model
        self.setModel(model)
        model.modelReset.connect(self.fit)

    def fit(self) -> None:
        """Give rows and columns their sizes."""

    def natural_height(self) -> int:
        """The height that shows all rows."""
        rows = self.model().rowCount() * self.verticalHeader().defaultSectionSize()
        return self.horizontalHeader().sizeHint().height() + rows + 2

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy on the usual keys."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selection()
        else:
            super().keyPressEvent(event)

    def copy_selection(self) -> None:
        """Put the selected block on the clipboard as TSV, with its headers and names and with full precision.

        A single cell is only the keyboard position: then the whole table is copied, as without a selection.
        Text that a spreadsheet would read as a formula is escaped.
        """
        chosen = self.selectionModel().selectedIndexes()
        if len(chosen) < 2:
            self.copy_tsv()
            return
        rows, columns = sorted({index.row() for index in chosen}), sorted({index.column() for index in chosen})
        copy_text(self._copied.block(rows, columns).tsv())

    def copy_tsv(self) -> None:
        """Put the whole table on the clipboard as TSV, with full precision; nothing if there are no rows."""
        if self._copied.rowCount():
            copy_text(self._copied.whole().tsv())

    def add_block_copying(self, menu: QMenu) -> None:
        """Add to a menu what the usual keys do."""
        copying = menu.addAction(tr("&Copy with headers"), self.copy_selection)
        copying.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        # fields of the window have the same keys
        copying.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Copying, on any table."""
        menu = QMenu(self)
        self.add_block_copying(menu)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())


ROW_HEIGHT = 1.8
"""Height of a row, in heights of its text."""


class TableView(CopyableTableView):
    """Subclasses say how wide the columns are, and `fit` when they are built."""

    entered_cell = Signal(QModelIndex)
    """Enter or a double click on a cell."""

    _built = False

    def __init__(self, model: CopyableTableModel, settings: Settings, name: str, parent: QWidget | None) -> None:
        super().__init__(name, parent)
        self.flash = Flash(settings, self)
        self.header = TableHeader(self)
        self.setHorizontalHeader(self.header)
        self.setItemDelegate(TableDelegate(self.flash, self))
        self.own(model)
        self.verticalHeader().hide()
        self.setWordWrap(False)
        # names often differ at their end
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.flash.faded.connect(self.viewport().update)
        self.doubleClicked.connect(self.entered_cell)

    def fit(self) -> None:
        """Give rows and columns their sizes."""
        self._built = True
        line = self.fontMetrics().height()
        self.verticalHeader().setMinimumSectionSize(line)
        self.verticalHeader().setDefaultSectionSize(round(line * ROW_HEIGHT))
        self.fit_columns()

    def fit_columns(self) -> None:
        """Give the columns their widths."""

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._built:
            self.fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use the room there is."""
        super().resizeEvent(event)
        if self._built:
            self.fit_columns()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter a cell on Enter."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered_cell.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)


MAX_SAMPLED_ROWS = 100
"""Rows that widths are taken from."""


class AutoWidthTable(TableView):
    """A `TableModel` whose columns are as wide as their cells, within reason."""

    def __init__(
        self, settings: Settings, name: str, columns: Sequence[TableColumn], parent: QWidget | None = None
    ) -> None:
        self.table = TableModel(columns)
        super().__init__(self.table, settings, name, parent)
        self.setSelectionBehavior(TableView.SelectionBehavior.SelectRows)
        # what these cells say begins with what matters
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.table.dataChanged.connect(self.fit_columns)
        self.fit()

    def show_rows(self, rows: Sequence[Sequence[TableCell]], columns: Sequence[TableColumn] | None = None) -> None:
        """Show other rows."""
        self.table.show_rows(rows, columns)

    def show_items(self, items: Iterable[object]) -> None:
        """Show one row for each item; the columns define its cells."""
        self.show_rows([table_row(self.table.columns, item) for item in items])

    def fit_columns(self) -> None:
        """As wide as the widest cell, at most a third of the table; wide columns share the rest."""
        metrics, columns = self.fontMetrics(), self.table.columns
        most = max(metrics.horizontalAdvance("0") * 24, self.viewport().width() // 3)
        widths = []
        for place, _ in enumerate(columns):
            texts = [escape_label(row[place].text) for row in self.table.rows[:MAX_SAMPLED_ROWS]]
            widest = max([0, *map(metrics.horizontalAdvance, texts)]) + 2 * PADDING + 6
            widths.append(max(self.header.wanted_width(place), min(widest, most)))
        wide = [place for place, column in enumerate(columns) if column.wide]
        rest = self.viewport().width() - sum(width for place, width in enumerate(widths) if place not in wide)
        for place in wide:
            widths[place] = max(
                widths[place] if not rest > 0 else metrics.horizontalAdvance("0") * 12, rest // len(wide)
            )
        for place, width in enumerate(widths):
            self.setColumnWidth(place, width)
