"""Switch between the pages of a group."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.ui.control_painter import draw_card
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.labels import scaled_font
from qe_desktop.ui.widgets.lazy_stack import PageTabBar, PageTabButton
from qe_desktop.ui.widgets.tabs import GREY_OPACITY


class PageSwitchButton(PageTabButton):
    """Button of a `PageSwitch`."""

    def sizeHint(self) -> QSize:
        """Return the size of the page name with padding; the height suits a row of controls."""
        return QSize(super().sizeHint().width(), round(self.fontMetrics().height() * 1.65))

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the page name in a frame, which has the selection colour if the page is current."""
        chosen = self.isChecked()
        painter.setOpacity(GREY_OPACITY if self.reason and not chosen else 1.0)
        fill = colours.selection if chosen else colours.raised if self.underMouse() else colours.surface
        draw_card(
            painter, self.rect().adjusted(1, 1, -1, -1), fill, colours.accent if self.hasFocus() else colours.border
        )
        painter.setFont(scaled_font(1.0, bold=chosen))
        painter.setPen(colours.text if chosen else colours.muted)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())


class PageSwitch(PageTabBar):
    """Switch between the pages of a group, suitable for a row of controls."""

    button = PageSwitchButton

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row.setContentsMargins(0, 0, 0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw nothing, because each button draws its own frame."""
