"""Base of the owner's pages: campaign bar above the content or a placeholder."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.ui.campaigns import empty_states
from qe_desktop.ui.campaigns.campaign_bar import CampaignBar
from qe_desktop.ui.campaigns.campaign_service import CampaignService
from qe_desktop.ui.widgets.layouts import Stretched, vbox
from qe_desktop.ui.widgets.placeholder_page import EmptyState


class CampaignPage(QWidget):
    """Shows `content`, or the empty state that `missing` returns."""

    asked = Signal(str)
    """A button was pressed; the argument is its name in `empty_states`."""
    shown = Signal()
    """The page became visible."""

    def __init__(
        self,
        service: CampaignService,
        content: QWidget,
        missing: Callable[[CampaignService], EmptyState | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._missing = missing
        self._service = service
        self.content = content
        self.bar = CampaignBar(service)
        self._place = empty_states.ContentOrPlaceholder(content)
        self.quiet = self._place.quiet
        self.setFocusProxy(self._place)
        self.bar.setContentsMargins(16, 8, 16, 4)
        vbox(self.bar, Stretched(self._place, 1), on=self, gap=0)
        self.quiet.asked.connect(self._on_asked)
        service.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the content or the placeholder."""
        state = self._missing(self._service)
        self._place.show_situation(state)
        self.bar.setVisible(state is None)

    def showEvent(self, event: QShowEvent) -> None:
        """Register the page as visible."""
        super().showEvent(event)
        self._service.watch(self, True)
        self.shown.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop background reads while the page is hidden."""
        super().hideEvent(event)
        self._service.watch(self, False)

    def _on_asked(self, what: str) -> None:
        if what == empty_states.TRY_AGAIN:
            self._service.refresh()
        else:
            self.asked.emit(what)
