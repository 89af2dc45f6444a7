"""Opening the blind key: what it means, why it is done, and the entry in the log."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.project.campaign_views import CampaignView
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import StretchSpace, hbox, vbox


class UnblindDialog(QDialog):
    """Accepted where a person gives a reason and opens the key; `reason` is what goes into the log."""

    def __init__(self, view: CampaignView, person: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Unblind"))
        self.setModal(True)
        done, total = view.done
        title = Label(tr("Show the systems of “{title}” by name?", title=view.title), scale=1.15, bold=True, wraps=True)
        still = tr("All items are rated.")
        if total > done:
            still = tr(
                "{n:,} {n:item is|items are} not rated yet: raters who learn which system is which are no longer "
                "blind.",
                "",
                total - done,
            )
        logged = tr(
            "This cannot be taken back. The log of the project keeps that {person} did it, when, and the reason.",
            person=person,
        )
        words = Label(f"{still} {logged}", wraps=True)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("such as: all ratings are in"))
        name = QLabel(tr("&Reason, for the log"))
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
        self.open_button.setToolTip(
            "" if self.reason else plain_tooltip(tr("Give the reason first: it goes into the log"))
        )

    def _enter(self) -> None:
        if self.reason:
            self.accept()

    @property
    def reason(self) -> str:
        """Why, in the person's own words."""
        return self.field.text().strip()
