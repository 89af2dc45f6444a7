"""What all tables share: flat rows, numbers under each other, and Enter."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.ui.parts.block_model import BlockModel
from qe_desktop.ui.parts.flash import Flash
from qe_desktop.ui.parts.flat_header import FlatHeader
from qe_desktop.ui.parts.plain_table import PlainTable
from qe_desktop.ui.parts.table_delegate import TableDelegate
from qe_desktop.ui.settings import Settings

ROW_HEIGHT = 1.8
"""Height of a row, in heights of its text."""


class FlatTable(PlainTable):
    """Subclasses say how wide the columns are, and `fit` when they are built."""

    entered_cell = Signal(QModelIndex)
    """Enter or a double click on a cell."""

    _built = False

    def __init__(self, model: BlockModel, settings: Settings, name: str, parent: QWidget | None) -> None:
        super().__init__(name, parent)
        self.flash = Flash(settings, self)
        self.header = FlatHeader(self)
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
