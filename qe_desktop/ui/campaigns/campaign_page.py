"""What the owner's pages share: the campaign's line at the top, and words in place of what is not there yet."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.ui.campaigns import situations
from qe_desktop.ui.campaigns.campaign_bar import CampaignBar
from qe_desktop.ui.campaigns.campaign_keeper import CampaignKeeper
from qe_desktop.ui.parts.layouts import Placed, column_of
from qe_desktop.ui.parts.state_page import Situation


class OwnerPage(QWidget):
    """Shows `content`, or what `missing` says stands in its way."""

    asked = Signal(str)
    """A button was pressed, by its name in `situations`."""
    shown = Signal()
    """The page came into view."""

    def __init__(
        self,
        keeper: CampaignKeeper,
        content: QWidget,
        missing: Callable[[CampaignKeeper], Situation | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._missing = missing
        self._keeper = keeper
        self.content = content
        self.bar = CampaignBar(keeper)
        self._place = situations.Place(content)
        self.quiet = self._place.quiet
        self.setFocusProxy(self._place)
        self.bar.setContentsMargins(16, 8, 16, 4)
        column_of(self.bar, Placed(self._place, 1), on=self, gap=0)
        self.quiet.asked.connect(self._on_asked)
        keeper.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the content, or why there is none."""
        now = self._missing(self._keeper)
        self._place.show_situation(now)
        self.bar.setVisible(now is None)

    def showEvent(self, event: QShowEvent) -> None:
        """Tell that the page is looked at."""
        super().showEvent(event)
        self._keeper.watch(self, True)
        self.shown.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing has to be read while nobody looks."""
        super().hideEvent(event)
        self._keeper.watch(self, False)

    def _on_asked(self, what: str) -> None:
        if what == situations.AGAIN:
            self._keeper.refresh()
        else:
            self.asked.emit(what)
