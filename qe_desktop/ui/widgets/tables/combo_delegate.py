"""Delegate of table cells that are edited with a drop-down list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt, QTimer
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QStyleOptionViewItem, QWidget

Index = QModelIndex | QPersistentModelIndex


class ComboBoxDelegate(QStyledItemDelegate):
    """Delegate that edits a cell with a combo box of `choices` by row; `placeholder` is the placeholder."""

    def __init__(self, choices: Callable[[int], Mapping[Any, str]], placeholder: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._choices = choices
        self._placeholder = placeholder

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Create the combo box of a row and open its list."""
        box = QComboBox(parent)
        box.setPlaceholderText(self._placeholder)
        for choice, text in self._choices(index.row()).items():
            box.addItem(text, choice)
        box.activated.connect(self._take)
        # the list can be opened only after the editor has its position
        QTimer.singleShot(0, box, lambda: box.showPopup() if box.isVisible() else None)
        return box

    def _take(self) -> None:
        box = self.sender()
        if isinstance(box, QComboBox):
            self.commitData.emit(box)
            self.closeEditor.emit(box)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Select the current value, or none if it is not in the list."""
        if isinstance(editor, QComboBox):
            choices, present = list(self._choices(index.row())), index.data(Qt.ItemDataRole.EditRole)
            editor.setCurrentIndex(choices.index(present) if present in choices else -1)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """Store the selected value."""
        if isinstance(editor, QComboBox):
            model.setData(index, editor.currentData())
