"""Dialog with the history of a segment: time, user and change of each entry, and earlier targets to restore."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QWidget

from qe_desktop.corpus.text import Spans
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.inspect.postedit.diff_view import DiffView
from qe_desktop.ui.inspect.postedit.target_diff import changes_between
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.dialogs import Dialog, fit_dialog
from qe_desktop.ui.widgets.form_controls import set_needs
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox
from qe_desktop.ui.widgets.tables.table_model import text_column
from qe_desktop.ui.widgets.tables.table_view import AutoWidthTable


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """Entry in the history of a segment.

    `timestamp` is the Unix time of the change in seconds, or 0 if it is unknown. `target_line` is the target after the
    change, as a line with codes, or None for the target as loaded.
    """

    timestamp: float
    user_name: str
    description: str
    target_line: str | None = None


COLUMNS = (
    text_column(tr("Time"), "", lambda entry: _time_text(entry.timestamp)),
    text_column(tr("User"), "", lambda entry: entry.user_name),
    text_column(tr("Change"), "", lambda entry: entry.description, is_wide=True),
)


def _time_text(at: float) -> str:
    return datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M:%S") if at else ""


class HistoryDialog(Dialog):
    """Dialog that lists the history of a segment and shows how the selected entry changed the target.

    `restore_problem` states why targets cannot be restored; it is empty if they can.
    """

    restored = Signal(object)
    """Emitted with the target to restore, as a line with codes, or with None for the target as loaded."""

    def __init__(
        self,
        segment: int,
        entries: Sequence[HistoryEntry],
        loaded: str,
        tokenize: Callable[[str], Spans],
        settings: Settings,
        parent: QWidget | None = None,
        *,
        restore_problem: str = "",
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Segment {number:,}: history", number=segment + 1))
        self._entries, self._loaded, self._tokenize, self._restore_problem = (
            tuple(entries),
            loaded,
            tokenize,
            restore_problem,
        )
        self.table = AutoWidthTable(settings, self.windowTitle(), COLUMNS)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.show_items(entries)
        self.changes = DiffView()
        self.changes.setAccessibleName(tr("Target with changes from the previous version"))
        self.restore = FlatButton(tr("Restore this target"))
        self.restore.setToolTip(tr("Restoring an earlier target is a new edit that can be undone."))
        self.close_button = FlatButton(tr("Close"), primary=True)
        vbox(
            Stretched(self.table, 1),
            Label(self.changes.accessibleName(), token="muted"),
            self.changes,
            hbox(StretchSpace(), self.restore, self.close_button),
            on=self,
            gap=8,
            margins=16,
        )
        fit_dialog(self, 100, 26)
        self.table.selectionModel().currentRowChanged.connect(self._show_target)
        self.restore.clicked.connect(self._restore)
        self.close_button.clicked.connect(self.reject)
        self.table.selectRow(0)
        self._show_target()

    def _target(self, row: int) -> str:
        """Return the target after entry `row`, as a line with codes; past the last entry, the target as loaded."""
        line = self._entries[row].target_line if row < len(self._entries) else None
        return self._loaded if line is None else line

    def _show_target(self) -> None:
        row = self.table.currentIndex().row()
        if row < 0:
            set_needs(self.restore, tr("Select an entry first."))
            return
        target = self._target(row)
        self.changes.show_runs(changes_between(self._target(row + 1), target, self._tokenize))
        current = tr("This is the current target.") if target == self._target(0) else ""
        set_needs(self.restore, self._restore_problem or current)

    def _restore(self) -> None:
        self.restored.emit(self._entries[self.table.currentIndex().row()].target_line)
        self.accept()
