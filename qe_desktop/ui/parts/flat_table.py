"""What all tables share: flat rows, numbers under each other, copying, and Enter."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from qe_desktop.ui import theme
from qe_desktop.ui.parts.copying import copy_selected
from qe_desktop.ui.parts.flash import Flash
from qe_desktop.ui.parts.flat_header import FlatHeader
from qe_desktop.ui.parts.table_delegate import TableDelegate
from qe_desktop.ui.settings import Settings

ROW_HEIGHT = 1.8
"""Height of a row, in heights of its text."""


class FlatTable(QTableView):
    """A table without grid and bevels. Subclasses say how wide the columns are, and `fit` when they are built."""

    entered_cell = Signal(QModelIndex)
    """Enter or a double click on a cell."""

    _built = False

    def __init__(self, model: QAbstractTableModel, settings: Settings, name: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.flash = Flash(settings, self)
        self.header = FlatHeader(self)
        self.setHorizontalHeader(self.header)
        self.setItemDelegate(TableDelegate(self.flash, self))
        self.setModel(model)
        model.setParent(self)
        model.modelReset.connect(self.fit)
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setWordWrap(False)
        # names often differ at their end
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self.setAccessibleName(name)
        self.flash.faded.connect(self.viewport().update)
        self.doubleClicked.connect(self.entered_cell)
        theme.themes.theme_changed.connect(self.viewport().update)

    def fit(self) -> None:
        """Give rows and columns their sizes."""
        self._built = True
        line = self.fontMetrics().height()
        self.verticalHeader().setMinimumSectionSize(line)
        self.verticalHeader().setDefaultSectionSize(round(line * ROW_HEIGHT))
        self.fit_columns()

    def fit_columns(self) -> None:
        """Give the columns their widths."""

    def natural_height(self) -> int:
        """The height that shows all rows."""
        rows = self.model().rowCount() * self.verticalHeader().defaultSectionSize()
        return self.header.sizeHint().height() + rows + 2

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
        """Copy on the usual keys, enter a cell on Enter."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selection()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered_cell.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def copy_selection(self) -> None:
        """Copy the selected cells as shown."""
        copy_selected(self.selectionModel())
