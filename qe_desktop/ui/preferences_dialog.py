"""Preferences dialog: the user's name, number format, appearance, QE systems, checks and journals."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.files.bilingual.journals_page import JournalsPage
from qe_desktop.ui.highlighting.preferences_pages import ChecksPage, QeSystemsPage, TrialRunner
from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.appearance_page import AppearancePage
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.dialogs import Dialog
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox
from qe_desktop.ui.widgets.tabs import TabWidget

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
