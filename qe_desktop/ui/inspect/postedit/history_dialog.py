"""What was done to a segment, the latest first: who, when, what; and each earlier target to be had again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QDialog, QHeaderView, QPushButton, QTableView, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox

Index = QModelIndex | QPersistentModelIndex
_INVALID_INDEX = QModelIndex()
HEADERS = (tr("when"), tr("who"), tr("what"), tr("target"))


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """Something that was done; `line` is the target that it gave, and `gives` whether it gave one (None: as loaded)."""

    at: float
    person: str
    what: str
    line: str | None = None
    gives: bool = False


class HistoryModel(QAbstractTableModel):
    """The steps as rows."""

    def __init__(self, steps: Sequence[HistoryEntry], loaded: str) -> None:
        super().__init__()
        self.steps = list(steps)
        self._loaded = loaded

    def rowCount(self, parent: Index = _INVALID_INDEX) -> int:
        """One for each step."""
        return 0 if parent.isValid() else len(self.steps)

    def columnCount(self, parent: Index = _INVALID_INDEX) -> int:
        """When, who, what, and the target."""
        return 0 if parent.isValid() else len(HEADERS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        """The titles."""
        shown = orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return HEADERS[section] if shown else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        """A cell, in full as a tooltip."""
        if not index.isValid():
            return None
        step = self.steps[index.row()]
        text = (_when(step.at), step.person, step.what, self.line(step) if step.gives else "")[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return escape_label(text)
        return plain_tooltip(text) if role == Qt.ItemDataRole.ToolTipRole and text else None

    def line(self, step: HistoryEntry) -> str:
        """The target that a step gave."""
        return self._loaded if step.line is None else step.line


def _when(at: float) -> str:
    return datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M:%S") if at else ""


class HistoryDialog(QDialog):
    """The steps of one segment."""

    restored = Signal(object)
    """The target of a step is wanted again: a line, or None for the one that was loaded."""

    def __init__(self, segment: int, steps: Sequence[HistoryEntry], loaded: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Segment {number:,}: what was done", number=segment + 1))
        self.model = HistoryModel(steps, loaded)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.windowTitle())
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.restore = QPushButton(tr("Restore this target"))
        self.close_button = QPushButton(tr("Close"))
        about = Label(tr("Restoring an earlier target is an edit of its own, and can be undone."), token="muted")
        vbox(
            Stretched(self.table, 1),
            about,
            hbox(StretchSpace(), self.restore, self.close_button),
            on=self,
            gap=8,
            margins=16,
        )
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self.restore.clicked.connect(self._restore)
        self.close_button.clicked.connect(self.reject)
        self.table.selectRow(0)
        self._on_row(self.table.currentIndex())
        self.resize(820, 360)

    def _on_row(self, current: QModelIndex) -> None:
        self.restore.setEnabled(current.isValid() and self.model.steps[current.row()].gives)

    def _restore(self) -> None:
        step = self.model.steps[self.table.currentIndex().row()]
        self.restored.emit(step.line)
        self.accept()
