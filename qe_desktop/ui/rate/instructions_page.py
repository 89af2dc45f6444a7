"""Page with the instructions of a campaign and, on request, the hash of its design (except in practice)."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.rater_session import RaterSession
from qe_desktop.ui.rate import empty_states
from qe_desktop.ui.widgets.buttons import LinkButton
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import StretchSpace, hbox, wrap_layout
from qe_desktop.ui.widgets.placeholder_page import PlaceholderPage


class InstructionsPage(PlaceholderPage):
    """Page with the instructions; a button shows and hides the hash of the campaign's design."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._has_started = False
        self.more = LinkButton(tr("Details"))
        self.more.setCheckable(True)
        self.more.toggled.connect(self._show_design)
        self.design = Label(token="muted", wraps=True, selectable=True)
        self.design.hide()
        self._details_row = wrap_layout(hbox(self.more, StretchSpace()))
        self.insert(self._details_row)
        self.insert(self.design)

    def show_work(
        self, work: RaterSession, delivery: empty_states.Delivery, *, has_started: bool, has_others: bool
    ) -> None:
        """Show the instructions.

        `has_started`: whether rating has started; `has_others`: whether there are other campaigns.
        """
        self._has_started = has_started
        self.show_state(empty_states.instructions_state(work, delivery, has_started=has_started, has_others=has_others))
        digest = work.campaign.design_hash
        explanation = tr(
            "You do not need this to rate. It is the hash (checksum) of the campaign's design, stored before the first "
            "rating. If the design is changed later, the hash no longer matches."
        )
        self.design.setText(f"{explanation}\n{digest}")
        self.more.setChecked(False)
        self._details_row.setVisible(bool(digest) and not delivery.is_practice)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return to the items on Escape if rating has started."""
        if event.key() == Qt.Key.Key_Escape and self._has_started:
            self.press_first()
        else:
            super().keyPressEvent(event)

    def _show_design(self, visible: bool) -> None:
        self.design.setVisible(visible)
        self.more.setText(tr("Hide details") if visible else tr("Details"))
        self.more.updateGeometry()
