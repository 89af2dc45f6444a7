"""Tab bars and tab widgets in the style of the program, also with tabs that can be unavailable."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QCursor, QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QTabBar, QTabWidget, QToolTip, QWidget

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.theme import Theme, current, themes
from qe_desktop.ui.widgets.labels import announce, plain_tooltip, scaled_font

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

    `is_hovered` states whether the pointer is over the tab, `is_grey` whether the tab is unavailable.
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


_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class ExplainedTabBar(TabBar):
    """Tab bar in which arrow keys also stop at disabled tabs, to show the reason why they are unavailable."""

    reason_changed = Signal(str)
    """Emitted with the title and reason of a disabled tab when an arrow key reaches it, and with "" when it is left."""
    explained = Signal(int)
    """Emitted with the index of a disabled tab that was clicked, or on which Enter or Space was pressed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._focused_grey_tab: int | None = None
        """Index of the disabled tab that an arrow key reached; None if there is no such tab."""

    def reason(self, index: int) -> str:
        """Return why a tab is not available; empty if the tab is available."""
        # the data of a tab move with it when other tabs are inserted
        return str(self.tabData(index) or "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move to the previous or next tab with the arrow keys; if the tab is disabled, show the reason.

        On a disabled tab, Enter and Space emit `explained`.
        """
        if self._focused_grey_tab is not None and event.key() in (
            Qt.Key.Key_Return,
            Qt.Key.Key_Enter,
            Qt.Key.Key_Space,
        ):
            self.explained.emit(self._focused_grey_tab)
            return
        step = _STEPS.get(Qt.Key(event.key()), 0)
        if not step:
            super().keyPressEvent(event)
            return
        start = self.currentIndex() if self._focused_grey_tab is None else self._focused_grey_tab
        step = -step if self.isRightToLeft() else step
        index = next((tab for tab in self._indices_after(start, step) if self.isTabVisible(tab)), start)
        self._leave()
        if self.isTabEnabled(index):
            self.setCurrentIndex(index)
        else:
            self._show_reason(index)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Emit `explained` for a click on a disabled tab."""
        index = self.tabAt(event.position().toPoint())
        if index >= 0 and not self.isTabEnabled(index):
            self.explained.emit(index)
        else:
            super().mousePressEvent(event)

    def _indices_after(self, start: int, step: int) -> range:
        return range(start + step, self.count() if step > 0 else -1, step)

    def _show_reason(self, index: int) -> None:
        self._focused_grey_tab = index
        text = join_localized(": ", (self.tabText(index), self.reason(index)))
        position = self.mapToGlobal(self.tabRect(index).bottomLeft() + QPoint(0, 4))
        QToolTip.showText(position, self.tabToolTip(index), self)
        self.reason_changed.emit(text)
        announce(self, text)

    def _leave(self) -> None:
        if self._focused_grey_tab is not None:
            self._focused_grey_tab = None
            QToolTip.hideText()
            self.reason_changed.emit("")

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leave the disabled tab, if any, and hide its reason."""
        self._leave()
        super().focusOutEvent(event)


class ExplainedTabWidget(TabWidget):
    """Tab widget whose tabs can be unavailable; an unavailable tab is disabled, and its tooltip shows the reason."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = ExplainedTabBar(self)
        self.setTabBar(self.bar)

    def set_reason(self, widget: QWidget, reason: str, tooltip: str = "") -> None:
        """Disable the tab of `widget`, with `reason` as its tooltip.

        If `reason` is empty, enable the tab, with the tooltip `tooltip`.
        """
        index = self.indexOf(widget)
        self.bar.setTabData(index, reason)
        self.setTabEnabled(index, not reason)
        self.setTabToolTip(index, plain_tooltip(reason or tooltip) if reason or tooltip else "")
        grey = [tab for tab in range(self.count()) if self.bar.reason(tab)]
        titles = [join_localized(": ", (self.tabText(tab), self.bar.reason(tab))) for tab in grey]
        about_bar = tr("Not available: {tabs}", tabs="; ".join(titles)) if titles else ""
        self.bar.setAccessibleDescription(about_bar)

    def lay_out_tabs(self) -> None:
        """Close the gaps left by hidden tabs, because Qt does not lay out the remaining tabs again."""
        QApplication.sendEvent(self.bar, QEvent(QEvent.Type.FontChange))


def set_tab_order(widgets: Iterable[QWidget]) -> None:
    """Set the tab order of `widgets`; a widget with a focus proxy is replaced by the proxy.

    Qt ignores the position of a container whose focus proxy is the only widget in the container.
    """
    for before, after in pairwise(map(_receiver, widgets)):
        if before is not after:
            QWidget.setTabOrder(before, after)


def _receiver(widget: QWidget) -> QWidget:
    proxy = widget.focusProxy()
    return widget if proxy is None else _receiver(proxy)
