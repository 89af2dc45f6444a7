"""Preferences dialog: text direction and fonts, the user's name, number format, QE systems, checks and journals."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QFontComboBox,
    QFormLayout,
    QLineEdit,
    QTabWidget,
    QWidget,
)

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.files.bilingual.journals_page import JournalsPage
from qe_desktop.ui.highlighting.preferences_pages import ChecksPage, QeSystemsPage, TrialRunner
from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.dialogs import Dialog
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox

EQUAL_SEGMENTS = {
    "ask": tr("ask after each confirmation"),
    "open": tr("confirm open segments too"),
    "all": tr("confirm open and edited segments too"),
}
DIRECTIONS = {"auto": tr("automatic"), "ltr": tr("left to right"), "rtl": tr("right to left")}


class PreferencesDialog(Dialog):
    """Dialog for preferences. Every change takes effect immediately, so its only button closes it.

    The user's name is an exception: an open project keeps the previous one.
    """

    def __init__(
        self, settings: Settings, parent: QWidget | None = None, try_out: TrialRunner | None = None,
        jobs: JobRunner | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setWindowTitle(tr("Preferences"))
        self._settings = settings
        self.person = QLineEdit(settings.person)
        self.person.setPlaceholderText("me")
        self.decimals = QComboBox()
        for places in (3, 4):
            self.decimals.addItem(tr("{n} {n:decimal|decimals}", "", places), places)
        self.decimals.setCurrentIndex(max(0, self.decimals.findData(settings.decimals)))
        self.equal_segments = QComboBox()
        for value, text in EQUAL_SEGMENTS.items():
            self.equal_segments.addItem(text, value)
        self.equal_segments.setCurrentIndex(self.equal_segments.findData(settings.equal_segments))
        self.equal_segments.setToolTip(
            tr("Segments with the same source get the target of the segment that you confirm. One undo reverts it.")
        )
        self.still = QCheckBox(tr("Reduce motion"))
        self.still.setChecked(settings.reduced_motion)
        note = Label(tr("Used for your annotation layers and ratings."))
        note.setEnabled(False)
        self.fields = {role: _TextFields(settings, role) for role in ("source", "mt")}
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow(tr("Your &name"), self.person)
        form.addRow("", note)
        form.addRow(tr("&Source text"), self.fields["source"])
        form.addRow(tr("&MT, post-edit, reference"), self.fields["mt"])
        form.addRow(tr("&Equal segments"), self.equal_segments)
        form.addRow(tr("S&cores"), self.decimals)
        form.addRow("", self.still)
        buttons = QDialogButtonBox()
        buttons.addButton(tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        general = QWidget()
        vbox(form, StretchSpace(), on=general, margins=8)
        self.systems, self.checks = QeSystemsPage(settings, try_out), ChecksPage(settings, jobs)
        self.pages = QTabWidget()
        self.pages.addTab(general, tr("General"))
        self.pages.addTab(self.systems, tr("QE systems"))
        self.pages.addTab(self.checks, tr("QA checks"))
        self.journals = JournalsPage(settings)
        self.pages.addTab(self.journals, tr("Stored edits"))
        vbox(Stretched(self.pages, 1), buttons, on=self, gap=12, margins=None)
        self.finished.connect(self.systems.end)
        self.person.editingFinished.connect(self._set_person)
        self.decimals.activated.connect(self._set_decimals)
        self.equal_segments.activated.connect(self._set_equal_segments)
        self.still.toggled.connect(self._set_still)

    def reject(self) -> None:
        """Save the QE system that is being edited, then close; stay open if it is invalid."""
        if self.systems.settle():
            super().reject()
        else:
            self.pages.setCurrentWidget(self.systems)

    def _set_person(self) -> None:
        self._settings.person = self.person.text().strip()

    def _set_decimals(self) -> None:
        self._settings.decimals = self.decimals.currentData()

    def _set_equal_segments(self) -> None:
        self._settings.equal_segments = self.equal_segments.currentData()

    def _set_still(self, still: bool) -> None:
        self._settings.reduced_motion = still


class _TextFields(QWidget):
    """Fields for the direction and font of one kind of text."""

    def __init__(self, settings: Settings, role: str) -> None:
        super().__init__()
        self._settings, self._role = settings, role
        self.direction = QComboBox()
        for value, text in DIRECTIONS.items():
            self.direction.addItem(text, value)
        self.direction.setCurrentIndex(self.direction.findData(getattr(settings, f"{role}_direction")))
        self.direction.setAccessibleName(tr("Direction"))
        self.own = QCheckBox(tr("Font"))
        self.font_box = QFontComboBox()
        self.font_box.setAccessibleName(tr("Font"))
        family = getattr(settings, f"{role}_font")
        self.own.setChecked(bool(family))
        if family:
            self.font_box.setCurrentText(family)
        self.font_box.setEnabled(bool(family))
        hbox(self.direction, self.own, self.font_box, on=self)
        self.setFocusProxy(self.direction)
        self.direction.activated.connect(self._set_direction)
        self.own.toggled.connect(self._set_font)
        self.font_box.currentFontChanged.connect(self._set_font)

    def _set_direction(self) -> None:
        setattr(self._settings, f"{self._role}_direction", self.direction.currentData())

    def _set_font(self) -> None:
        self.font_box.setEnabled(self.own.isChecked())
        family = self.font_box.currentFont().family() if self.own.isChecked() else ""
        setattr(self._settings, f"{self._role}_font", family)
