"""Preferences page for the journals of bilingual files: private mode, and deletion of stored edits."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QFrame,
    QHeaderView,
    QMessageBox,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.close_attempt import show_question
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.form_controls import set_needs
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox
from qe_desktop.ui.widgets.tables.table_header import TableHeader
from qe_desktop.ui.widgets.tables.table_view import ROW_HEIGHT, soften_selection

if TYPE_CHECKING:
    from qe_desktop.project.journal.file_journal import JournalEntry

RETENTION_DAYS = 90
"""Number of days for which unused journals are kept.

Equal to `file_journal.RETENTION_DAYS`, whose module is imported only when needed.
"""


class JournalsPage(QWidget):
    """Page with a list of the stored journals, which can be deleted, and a check box for private mode."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._entries: list[JournalEntry] = []
        self.private = QCheckBox(tr("&Private mode: do not store edits to bilingual files on this computer"))
        self.private.setChecked(not settings.journals)
        note = Label(
            tr(
                "Edits to a bilingual file are stored as you make them, with the MT and its highlights. The stored "
                "edits are deleted {n} {n:day|days} after the file was last open. In private mode, edits that are not "
                "saved in the file are lost if the program ends unexpectedly. Turning private mode on deletes the "
                "stored edits to the open file.",
                "", RETENTION_DAYS,
            ),
            wraps=True,
        )  # fmt: skip
        self.list = QTreeWidget()
        self.list.setAccessibleName(tr("Stored edits to bilingual files"))
        self.list.setHeaderLabels([tr("File"), tr("Folder"), tr("Size"), tr("Last used")])
        self.list.headerItem().setTextAlignment(2, Qt.AlignmentFlag.AlignCenter)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setHeader(TableHeader(self.list, clickable=False, padding=4))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        soften_selection(self.list)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.delete = FlatButton(tr("&Delete"))
        self.delete_all = FlatButton(tr("Delete &all"))
        self.message = Label("")
        vbox(
            self.private, note, Stretched(self.list, 1), self.message,
            hbox(StretchSpace(), self.delete, self.delete_all), on=self, gap=8, margins=16,
        )  # fmt: skip
        self.private.toggled.connect(self._set_private)
        self.list.itemSelectionChanged.connect(self._update_buttons)
        self.delete.clicked.connect(self._delete_selected)
        self.delete_all.clicked.connect(lambda: self._ask(self._entries))
        self._update_buttons()

    def showEvent(self, event: QShowEvent) -> None:
        """Update the list of journals."""
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Read the journals again and list them, most recently used first."""
        # imported when first needed, because Preferences are loaded before the first paint
        from qe_desktop.project.journal.file_journal import JournalFolder

        self._entries = JournalFolder().entries()
        self.list.clear()
        for entry in self._entries:
            paths = [Path(file.path) for file in entry.files] or [entry.database]
            names, folder = join_localized(", ", [path.name for path in paths]), str(paths[0].parent)
            used = f"{datetime.fromtimestamp(entry.used):%Y-%m-%d %H:%M}"
            size = tr("{size:,.1f} MB", size=entry.size / 1e6)
            item = QTreeWidgetItem([escape_label(names), escape_label(folder), size, used])
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignCenter)
            item.setSizeHint(1, QSize(0, round(self.list.fontMetrics().height() * ROW_HEIGHT)))
            self.list.addTopLevelItem(item)
        for column in (0, 2, 3):
            self.list.resizeColumnToContents(column)
            self.list.setColumnWidth(column, self.list.columnWidth(column) + 16)
        self._update_buttons()

    def _update_buttons(self) -> None:
        nothing = "" if self._entries else tr("No edits are stored.")
        selected = bool(self.list.selectedItems())
        set_needs(self.delete, nothing or ("" if selected else tr("Select files in the list first.")))
        set_needs(self.delete_all, nothing)

    def _set_private(self, private: bool) -> None:
        self._settings.journals = not private

    def _delete_selected(self) -> None:
        self._ask([self._entries[self.list.indexOfTopLevelItem(item)] for item in self.list.selectedItems()])

    def _ask(self, entries: list[JournalEntry]) -> None:
        """Ask for confirmation; delete the journals only if the user confirms."""
        box = QMessageBox(self)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(tr("Delete stored edits"))
        box.setText(tr("Delete the stored edits to {n:,} {n:file|files}?", "", _file_count(entries)))
        box.setInformativeText(tr("Edits that were not saved in the files will be lost. This cannot be undone."))
        delete = box.addButton(tr("Delete"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole))
        show_question(box, lambda: self._delete(entries) if box.clickedButton() is delete else None)

    def _delete(self, entries: list[JournalEntry]) -> None:
        remaining = _file_count([entry for entry in entries if not entry.remove()])
        text = tr(
            "The edits to {n:,} {n:file|files} were not deleted. If {n:the file is|the files are} open, close "
            "{n:it|them} and try again.", "", remaining,
        )  # fmt: skip
        self.message.setText(text if remaining else "")
        self.refresh()


def _file_count(entries: Sequence[JournalEntry]) -> int:
    """Return the number of files with edits in journals; a journal with an invalid description counts as one file."""
    return sum(max(1, len(entry.files)) for entry in entries)
