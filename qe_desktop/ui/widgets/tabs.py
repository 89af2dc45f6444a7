"""Tab bar and tab widget in the style of the program, with a line under the current tab."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QCursor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QTabBar, QTabWidget, QWidget

from qe_desktop.ui.theme import Theme, current, themes
from qe_desktop.ui.widgets.labels import scaled_font

LINE_PX, SIDE_PX = 3, 12
"""Thickness of the line under the current tab, and the space on each side of a tab title, both in pixels."""
GREY_OPACITY = 0.55
"""Opacity of the title of a tab that cannot be selected, unless it is the current tab."""
_TEXT = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextShowMnemonic


def tab_size(title: str) -> QSize:
    """Return the size of a tab with the title `title`; current and other tabs have the same size."""
    metrics = QFontMetrics(scaled_font(1.0, bold=True))
    return QSize(metrics.size(Qt.TextFlag.TextShowMnemonic, title).width() + 2 * SIDE_PX, round(metrics.height() * 2.1))


def paint_tab(
    painter: QPainter, rect: QRect, title: str, colours: Theme, *,
    is_current: bool, is_focused: bool, is_hovered: bool, is_grey: bool,
) -> None:  # fmt: skip
    """Paint one tab: the title and, if `is_current`, a line below the title.

    `is_hovered` states whether the pointer is over the tab, `is_grey` whether the tab cannot be selected.
    """
    painter.setOpacity(GREY_OPACITY if is_grey and not is_current else 1.0)
    if is_focused or (is_hovered and not is_grey):
        painter.setPen(QPen(colours.accent, 1.5) if is_focused else Qt.PenStyle.NoPen)
        painter.setBrush(colours.raised)
        painter.drawRoundedRect(QRectF(rect).adjusted(2, 3, -2, -5), 5, 5)
    painter.setFont(scaled_font(1.0, bold=is_current))
    painter.setPen(colours.text if is_current or (is_hovered and not is_grey) else colours.muted)
    painter.drawText(rect.adjusted(0, 0, 0, -2), int(_TEXT), title)
    if is_current:
        line = QRect(rect.left() + SIDE_PX - 2, rect.bottom() + 1 - LINE_PX, rect.width() - 2 * SIDE_PX + 4, LINE_PX)
        painter.fillRect(line, colours.accent)


class TabBar(QTabBar):
    """Bar of tabs in the colours of the theme."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setDrawBase(False)
        themes.theme_changed.connect(self.update)

    def tabSizeHint(self, index: int) -> QSize:
        """Return the size of a tab."""
        return tab_size(self.tabText(index))

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Return the full size of a tab, so that titles are never elided; a narrow bar has scroll buttons instead."""
        return self.tabSizeHint(index)

    def event(self, event: QEvent) -> bool:
        """Repaint when the pointer moves over the tab bar, enters it or leaves it."""
        if event.type() in (QEvent.Type.HoverMove, QEvent.Type.HoverEnter, QEvent.Type.HoverLeave):
            self.update()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the tabs."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        hovered_index = self.tabAt(self.mapFromGlobal(QCursor.pos())) if self.underMouse() else -1
        for index in range(self.count()):
            if self.isTabVisible(index):
                is_current = index == self.currentIndex()
                paint_tab(
                    painter, self.tabRect(index), self.tabText(index), current(), is_current=is_current,
                    is_focused=is_current and self.hasFocus(), is_hovered=index == hovered_index,
                    is_grey=not self.isTabEnabled(index),
                )  # fmt: skip
        painter.end()


class TabWidget(QTabWidget):
    """Tab widget without a frame around its pages."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabBar(TabBar())
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)
        themes.theme_changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line under the tabs."""
        painter = QPainter(self)
        painter.fillRect(0, self.tabBar().geometry().bottom(), self.width(), 1, current().border)
        painter.end()
