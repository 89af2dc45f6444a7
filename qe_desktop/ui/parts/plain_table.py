"""A table of its own cells only: without grid, bevels and editing, and with copying on the usual keys."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QPalette
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from qe_desktop.outgoing import seen_cell
from qe_desktop.ui import theme
from qe_desktop.ui.parts.copying import copy_text


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

    def own(self, model: QAbstractTableModel) -> None:
        """Show a model, which goes away with the table."""
        model.setParent(self)
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
        """Put the selected cells on the clipboard as shown, tab-separated, one line a row; others stay empty.

        What is pasted into a spreadsheet is no formula there.
        """
        chosen = self.selectionModel().selectedIndexes()
        rows = sorted({index.row() for index in chosen})
        columns = sorted({index.column() for index in chosen})
        shown = {
            (index.row(), index.column()): seen_cell(str(index.data(Qt.ItemDataRole.DisplayRole) or ""))
            for index in chosen
        }
        text = "\n".join("\t".join(shown.get((row, column), "") for column in columns) for row in rows)
        if text:
            copy_text(text)
