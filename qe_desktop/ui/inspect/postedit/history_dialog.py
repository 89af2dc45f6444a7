"""History of a segment, latest entry first: time, user, change, and earlier targets to restore."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QPushButton, QTableView, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.widgets.dialogs import Dialog
from qe_desktop.ui.widgets.form_controls import set_needs
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox
from qe_desktop.ui.widgets.tables.table_model import TableCell, TableColumn, TableModel

HEADERS = (tr("Time"), tr("User"), tr("Change"), tr("Target"))


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """Entry of the history; if `gives` is true, it set the target to `line` (None: the target as loaded)."""

    at: float
    person: str
    what: str
    line: str | None = None
    gives: bool = False


class HistoryModel(TableModel):
    """Table model of history entries; `loaded` is the target as loaded."""

    def __init__(self, steps: Sequence[HistoryEntry], loaded: str) -> None:
        super().__init__([TableColumn(header) for header in HEADERS])
        self.steps = list(steps)
        self.show_rows([_history_cells(step, loaded) for step in steps])


def _history_cells(step: HistoryEntry, loaded: str) -> list[TableCell]:
    target = (loaded if step.line is None else step.line) if step.gives else ""
    return [TableCell(text) for text in (_when(step.at), step.person, step.what, target)]


def _when(at: float) -> str:
    return datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M:%S") if at else ""


class HistoryDialog(Dialog):
    """Dialog with the history of one segment."""

    restored = Signal(object)
    """Emitted to restore a target, with its line, or with None for the target as loaded."""

    def __init__(self, segment: int, steps: Sequence[HistoryEntry], loaded: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Segment {number:,}: history", number=segment + 1))
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
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.restore = QPushButton(tr("Restore this target"))
        self.close_button = QPushButton(tr("Close"))
        about = Label(tr("Restoring an earlier target is a new edit that can be undone."), token="muted")
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
        has_target = current.isValid() and self.model.steps[current.row()].gives
        set_needs(self.restore, "" if has_target else tr("Select an entry with a target first."))

    def _restore(self) -> None:
        step = self.model.steps[self.table.currentIndex().row()]
        self.restored.emit(step.line)
        self.accept()
