"""Preferences dialog and its pages for general settings, appearance and journals."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QFontComboBox,
    QFormLayout,
    QFrame,
    QHeaderView,
    QLineEdit,
    QMessageBox,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.highlighting.preferences_pages import ChecksPage, QeSystemsPage, TrialRunner
from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.settings import MOTION_KEY, TEXT_SIZE_KEY, TEXT_SIZES, THEME_KEY, Settings
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.dialogs import Dialog, show_question
from qe_desktop.ui.widgets.form_controls import set_needs
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox
from qe_desktop.ui.widgets.tables.table_header import TableHeader
from qe_desktop.ui.widgets.tables.table_view import ROW_HEIGHT, soften_selection
from qe_desktop.ui.widgets.tabs import TabWidget

if TYPE_CHECKING:
    from qe_desktop.project.journal.file_journal import JournalEntry


IDENTICAL_SEGMENT_TEXTS = {
    "ask": tr("ask after each confirmation"),
    "open": tr("confirm open segments too"),
    "all": tr("confirm open and edited segments too"),
}


class PreferencesDialog(Dialog):
    """Preferences dialog, which has only a Close button because changes take effect immediately.

    There are two exceptions. An open project keeps the user's previous name. Changes to a QE system are saved when the
    user clicks Save on the page of QE systems, or closes the dialog.
    """

    def __init__(
        self, settings: Settings, parent: QWidget | None = None, try_out: TrialRunner | None = None,
        jobs: JobRunner | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setWindowTitle(tr("Preferences"))
        self.general, self.appearance = GeneralPage(settings), AppearancePage(settings)
        self.systems, self.checks = QeSystemsPage(settings, try_out), ChecksPage(settings, jobs)
        self.journals = JournalsPage(settings)
        self.pages = TabWidget()
        self.pages.addTab(self.general, tr("General"))
        self.pages.addTab(self.appearance, tr("Appearance"))
        self.pages.addTab(self.systems, tr("QE systems"))
        self.pages.addTab(self.checks, tr("QA checks"))
        self.pages.addTab(self.journals, tr("Stored edits"))
        close = FlatButton(tr("Close"), primary=True)
        close.clicked.connect(self.reject)
        vbox(Stretched(self.pages, 1), hbox(StretchSpace(), close, margins=(16, 0, 16, 16)), on=self, gap=0)
        self.finished.connect(self.systems.stop_test)

    def reject(self) -> None:
        """Save the QE system that is being edited, and close the dialog; if the QE system is invalid, stay open.

        If the user closes the dialog again without further changes, the invalid changes are discarded.
        """
        if self.systems.save_changes():
            super().reject()
        else:
            self.pages.setCurrentWidget(self.systems)


class GeneralPage(QWidget):
    """Page with the user's name, the treatment of identical segments and the number format."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.person = QLineEdit(settings.person)
        self.person.setPlaceholderText("me")
        self.decimals = QComboBox()
        for decimals in (3, 4):
            self.decimals.addItem(tr("{n} {n:decimal|decimals}", "", decimals), decimals)
        self.decimals.setCurrentIndex(max(0, self.decimals.findData(settings.decimals)))
        self.identical_segments = QComboBox()
        for value, text in IDENTICAL_SEGMENT_TEXTS.items():
            self.identical_segments.addItem(text, value)
        self.identical_segments.setCurrentIndex(self.identical_segments.findData(settings.identical_segments))
        self.identical_segments.setToolTip(
            tr(
                "When you confirm a segment, segments with the same source can get the same target and be confirmed "
                "too. All these changes can be undone in one step."
            )
        )
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.setVerticalSpacing(8)
        form.addRow(tr("Your &name"), self.person)
        form.addRow("", Label(tr("Used for your edits, annotation layers and ratings."), token="muted"))
        form.addRow(tr("&Identical segments"), self.identical_segments)
        form.addRow(tr("S&cores"), self.decimals)
        vbox(form, StretchSpace(), on=self, margins=16)
        self.person.editingFinished.connect(self._set_person)
        self.decimals.activated.connect(self._set_decimals)
        self.identical_segments.activated.connect(self._set_identical_segments)

    def _set_person(self) -> None:
        self._settings.person = self.person.text().strip()

    def _set_decimals(self) -> None:
        self._settings.decimals = self.decimals.currentData()

    def _set_identical_segments(self) -> None:
        self._settings.identical_segments = self.identical_segments.currentData()


THEMES = {
    "system": tr("System"),
    "light": tr("Light"),
    "dark": tr("Dark"),
    "contrast": tr("High contrast"),
}
DIRECTIONS = {"auto": tr("automatic direction"), "ltr": tr("left to right"), "rtl": tr("right to left")}
_NAMES = {
    "source": (tr("Text direction of the source"), tr("Font of the source")),
    "mt": (tr("Text direction of MT, target and references"), tr("Font of MT, target and references")),
}
"""Maps the role of a text (see `ReadingFields`) to the accessible names of its direction and font fields."""


class AppearancePage(QWidget):
    """Preferences page for the appearance. Changes take effect immediately; changes made by commands are shown."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.theme, self.text_size, self.motion = QComboBox(), QComboBox(), QCheckBox(tr("Reduce &motion"))
        for name, text in THEMES.items():
            self.theme.addItem(text, name)
        for percent in sorted({*TEXT_SIZES, settings.text_size}):
            self.text_size.addItem(tr("{percent} %", percent=percent), percent)
        self.fields = {role: ReadingFields(settings, role) for role in ("source", "mt")}
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.FieldsStayAtSizeHint)
        form.setVerticalSpacing(8)
        form.addRow(tr("&Theme"), self.theme)
        form.addRow(tr("Te&xt size"), self.text_size)
        form.addRow("", self.motion)
        form.addRow(tr("&Source text"), self.fields["source"])
        form.addRow(tr("&MT, target and references"), self.fields["mt"])
        vbox(form, StretchSpace(), on=self, margins=16)
        self._show()
        self.theme.activated.connect(self._set_theme)
        self.text_size.activated.connect(self._set_text_size)
        self.motion.toggled.connect(self._set_motion)
        settings.changed.connect(self._on_setting)

    def _show(self) -> None:
        settings = self._settings
        self.theme.setCurrentIndex(self.theme.findData(settings.theme))
        self.text_size.setCurrentIndex(self.text_size.findData(settings.text_size))
        with QSignalBlocker(self.motion):
            self.motion.setChecked(settings.reduced_motion)

    def _on_setting(self, key: str) -> None:
        if key in (THEME_KEY, TEXT_SIZE_KEY, MOTION_KEY):
            self._show()

    def _set_theme(self) -> None:
        self._settings.theme = self.theme.currentData()

    def _set_text_size(self) -> None:
        self._settings.text_size = self.text_size.currentData()

    def _set_motion(self, reduced: bool) -> None:
        self._settings.reduced_motion = reduced


class ReadingFields(QWidget):
    """Fields for the direction and the font of one kind of text; `role` is "source" or "mt"."""

    def __init__(self, settings: Settings, role: str) -> None:
        super().__init__()
        self._settings, self._role = settings, role
        self.direction = QComboBox()
        for value, text in DIRECTIONS.items():
            self.direction.addItem(text, value)
        self.direction.setCurrentIndex(self.direction.findData(getattr(settings, f"{role}_direction")))
        direction_name, font_name = _NAMES[role]
        self.direction.setAccessibleName(direction_name)
        self.custom_font = QCheckBox(tr("Font"))
        self.font_box = QFontComboBox()
        for control in (self.custom_font, self.font_box):
            control.setAccessibleName(font_name)
        family = getattr(settings, f"{role}_font")
        self.custom_font.setChecked(bool(family))
        if family:
            self.font_box.setCurrentText(family)
        self.font_box.setEnabled(bool(family))
        hbox(self.direction, self.custom_font, self.font_box, on=self, gap=8)
        self.setFocusProxy(self.direction)
        self.direction.activated.connect(self._set_direction)
        self.custom_font.toggled.connect(self._set_font)
        self.font_box.currentFontChanged.connect(self._set_font)

    def _set_direction(self) -> None:
        setattr(self._settings, f"{self._role}_direction", self.direction.currentData())

    def _set_font(self) -> None:
        self.font_box.setEnabled(self.custom_font.isChecked())
        family = self.font_box.currentFont().family() if self.custom_font.isChecked() else ""
        setattr(self._settings, f"{self._role}_font", family)


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
