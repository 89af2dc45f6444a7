"""Switch between the pages of a group, and the popup that tells why a page is not available."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QWidget, QWidgetAction

from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.labels import Label, scaled_font
from qe_desktop.ui.widgets.layouts import StretchSpace, hbox, vbox, wrap_layout
from qe_desktop.ui.widgets.lazy_stack import GREY_OPACITY, PageTabBar, PageTabButton
from qe_desktop.ui.widgets.placeholder_page import EmptyState

POPUP_CHARS = 52
"""Width of a reason in characters."""


class PageSwitchButton(PageTabButton):
    """Segment of a switch between pages."""

    def sizeHint(self) -> QSize:
        """Return the size of the name with padding, in a line of controls."""
        return QSize(super().sizeHint().width(), round(self.fontMetrics().height() * 1.65))

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the name in a frame, which is filled if the page is current."""
        chosen = self.isChecked()
        painter.setOpacity(GREY_OPACITY if self.reason else 1.0)
        fill = colours.selection if chosen else colours.raised if self.underMouse() else colours.surface
        self.draw_card(painter, fill, colours.accent if self.hasFocus() else colours.border)
        painter.setFont(scaled_font(1.0, bold=chosen))
        painter.setPen(colours.text if chosen else colours.muted)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())


class PageSwitch(PageTabBar):
    """Switch between the pages of a group, for a line of controls."""

    button = PageSwitchButton

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row.setContentsMargins(0, 0, 0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw nothing: each segment has a frame."""


class ReasonPopup(QMenu):
    """Popup that tells why a page is not available, with the buttons that cure it; Escape closes it."""

    def __init__(self, state: EmptyState, requested: Callable[[str], object], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(f"{state.title}. {state.text}")
        text = Label(state.text, wraps=True)
        text.setFixedWidth(self.fontMetrics().horizontalAdvance("0") * POPUP_CHARS)
        self.buttons = [QPushButton(title) for _, title in state.buttons]
        for button, (name, _) in zip(self.buttons, state.buttons, strict=True):
            button.clicked.connect(self.close)
            button.clicked.connect(partial(requested, name))
        column = vbox(Label(state.title, bold=True), text, gap=8, margins=16)
        if self.buttons:
            column.addLayout(hbox(*self.buttons, StretchSpace(), gap=8))
        action = QWidgetAction(self)
        action.setDefaultWidget(wrap_layout(column))
        self.addAction(action)

    def open_below(self, widget: QWidget) -> None:
        """Open below a widget, with the focus on the first button."""
        self.popup(widget.mapToGlobal(widget.rect().bottomLeft() + QPoint(0, 4)))
        if self.buttons:
            self.buttons[0].setFocus()
