"""Header of the item page: position, campaign, and guidance on the first items."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.rate.item.shortcut_button import ShortcutButton
from qe_desktop.ui.shell.appearance import scaled_pixels
from qe_desktop.ui.theme import current
from qe_desktop.ui.widgets.buttons import LinkButton
from qe_desktop.ui.widgets.labels import ElidedLabel, Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, hbox

HEIGHT_PX = 40
MAX_NAME_CHARS = 40
"""Maximum number of characters of a campaign's name on its button."""


class GuideLabel(Label):
    """Text on a tinted background."""

    def __init__(self) -> None:
        super().__init__(wraps=True)
        self.setContentsMargins(12, 2, 12, 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the background, which leaves a margin if there is room, and the text."""
        margin = max(0, min(5, (self.height() - self.heightForWidth(self.width())) // 2))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(current().info_fill)
        painter.drawRoundedRect(self.rect().adjusted(0, margin, 0, -margin), 5, 5)
        painter.end()
        super().paintEvent(event)


class ItemHeader(QWidget):
    """Line with the position of the item and facts on it, or with guidance instead of the facts."""

    campaigns_wanted = Signal()
    """Emitted when the user wants to select another campaign."""

    def __init__(self, instructions: ShortcutButton) -> None:
        super().__init__()
        self.where = Label(bold=True)
        self.campaigns = LinkButton()
        self.campaigns.setToolTip(plain_tooltip(tr("Select another campaign or rater")))
        self.campaigns.clicked.connect(self.campaigns_wanted)
        self.campaigns.hide()
        self.about = ElidedLabel(token="muted")
        self.about.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.guide = GuideLabel()
        self.guide.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.guide.hide()
        hbox(
            self.where,
            self.campaigns,
            Stretched(self.about, 1),
            Stretched(self.guide, 1),
            instructions,
            on=self,
            gap=12,
        )
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._fit()

    def show_facts(self, where: str, campaign: str, facts: str) -> None:
        """Show the position and facts; `campaign` is the text of the button to other campaigns, if any."""
        self.where.setText(where)
        name = campaign if len(campaign) <= MAX_NAME_CHARS else f"{campaign[: MAX_NAME_CHARS - 1]}…"
        self.campaigns.setText(f"{escape_label(name).replace('&', '&&')} ▾" if name else "")
        self.campaigns.setVisible(bool(name))
        self.about.setText(facts)

    def show_guide(self, text: str) -> None:
        """Show guidance instead of the facts; an empty text shows the facts again."""
        self.guide.setText(text)
        self.guide.setVisible(bool(text))
        self.about.setVisible(not text)
        self._fit()

    def _fit(self) -> None:
        """Use the usual height unless the guidance needs more lines."""
        text = self.guide.text()
        needed = self.guide.heightForWidth(max(1, self.guide.width())) if text and self.guide.isVisible() else 0
        self.setFixedHeight(max(scaled_pixels(HEIGHT_PX), needed))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the height to the width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()
