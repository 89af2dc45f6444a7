"""A table of its own cells only: without grid, bevels and editing, and with copying on the usual keys."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QPalette
from PySide6.QtWidgets import QAbstractItemView, QMenu, QTableView, QWidget

from qe_desktop.ui import theme
from qe_desktop.ui.parts.block_model import BlockModel
from qe_desktop.ui.parts.copying import copy_text
from qe_desktop.wording import tr


class PlainTable(QTableView):
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

    def own(self, model: BlockModel) -> None:
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

        A single cell is where the keyboard stands and no choice: then all of the table is copied, as without any. What
        is pasted into a spreadsheet is no formula there.
        """
        chosen = self.selectionModel().selectedIndexes()
        if len(chosen) < 2:
            self.copy_tsv()
            return
        rows, columns = sorted({index.row() for index in chosen}), sorted({index.column() for index in chosen})
        copy_text(self._copied.block(rows, columns).tsv())

    def copy_tsv(self) -> None:
        """Put all of the table on the clipboard as TSV, with full precision; where there are no rows, nothing."""
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
