"""Unblinding dialog: consequences, reason and log entry."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.project.campaign_views import CampaignView
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import StretchSpace, hbox, vbox


class UnblindDialog(QDialog):
    """Accepted when the user entered a reason and confirmed; `reason` is logged."""

    def __init__(self, view: CampaignView, person: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Unblind"))
        self.setModal(True)
        done, total = view.done
        title = Label(tr("Show the system names of “{title}”?", title=view.title), scale=1.15, bold=True, wraps=True)
        still = tr("All items are rated.")
        if total > done:
            still = tr(
                "{n:,} {n:item is|items are} not rated yet. Raters who see system names are no longer blind.",
                "",
                total - done,
            )
        logged = tr(
            "This cannot be undone. The log records {person}, the time and the reason.",
            person=person,
        )
        words = Label(f"{still} {logged}", wraps=True)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("for example: all ratings are in"))
        name = QLabel(tr("&Reason (logged)"))
        name.setBuddy(self.field)
        cancel = FlatButton(tr("Stay blind"))
        self.open_button = FlatButton(tr("Unblind"), primary=True)
        cancel.clicked.connect(self.reject)
        self.open_button.clicked.connect(self.accept)
        self.field.textChanged.connect(self._follow)
        self.field.returnPressed.connect(self._enter)
        buttons = hbox(StretchSpace(), cancel, self.open_button)
        vbox(title, words, name, self.field, StretchSpace(), buttons, on=self, gap=12, margins=(24, 20, 24, 16))
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance("0") * 64)
        self._follow()
        self.field.setFocus()

    def _follow(self) -> None:
        self.open_button.setEnabled(bool(self.reason))
        self.open_button.setToolTip("" if self.reason else plain_tooltip(tr("Enter a reason first. It is logged.")))

    def _enter(self) -> None:
        if self.reason:
            self.accept()

    @property
    def reason(self) -> str:
        """The reason that the user entered."""
        return self.field.text().strip()
