"""Cells of a table that a list is opened over, to choose from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt, QTimer
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QStyleOptionViewItem, QWidget

Index = QModelIndex | QPersistentModelIndex


class ComboBoxDelegate(QStyledItemDelegate):
    """A list to choose from: what can be chosen in a row, how it is worded, and what stands where nothing is."""

    def __init__(self, choices: Callable[[int], Mapping[Any, str]], unsaid: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._choices = choices
        self._unsaid = unsaid

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """The list of a row, with the present choice."""
        box = QComboBox(parent)
        box.setPlaceholderText(self._unsaid)
        for choice, text in self._choices(index.row()).items():
            box.addItem(text, choice)
        box.activated.connect(self._take)
        # the list opens after it has its position
        QTimer.singleShot(0, box, lambda: box.showPopup() if box.isVisible() else None)
        return box

    def _take(self) -> None:
        box = self.sender()
        if isinstance(box, QComboBox):
            self.commitData.emit(box)
            self.closeEditor.emit(box)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Show the present choice; none where there is none."""
        if isinstance(editor, QComboBox):
            choices, present = list(self._choices(index.row())), index.data(Qt.ItemDataRole.EditRole)
            editor.setCurrentIndex(choices.index(present) if present in choices else -1)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """Take what was chosen."""
        if isinstance(editor, QComboBox):
            model.setData(index, editor.currentData())
