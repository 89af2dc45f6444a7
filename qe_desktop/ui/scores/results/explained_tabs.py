"""Tabs that can be unavailable; an unavailable tab is grey and shows the reason to mouse and keyboard users."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.widgets.labels import announce, plain_tooltip
from qe_desktop.ui.widgets.tabs import TabBar, TabWidget

_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class ExplainedTabBar(TabBar):
    """Tab bar in which arrow keys also stop at grey tabs, to show why a tab is unavailable without opening it."""

    reason_changed = Signal(str)
    """Emitted with the title and reason of a grey tab when an arrow key reaches it, and with "" when it is left."""
    explained = Signal(int)
    """Emitted with the index of a grey tab that was clicked, or on which Enter or Space was pressed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._focused_grey_tab: int | None = None
        """Index of the grey tab that an arrow key reached; None if there is no such tab."""

    def reason(self, index: int) -> str:
        """Return why a tab is not available; empty if the tab is available."""
        # the data of a tab move with it when other tabs are inserted
        return str(self.tabData(index) or "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move to the previous or next tab with the arrow keys; if the tab is grey, show the reason.

        On a grey tab, Enter and Space emit `explained`.
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
        """Emit `explained` for a click on a grey tab."""
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
        """Leave the grey tab, and hide its reason."""
        self._leave()
        super().focusOutEvent(event)


class ExplainedTabWidget(TabWidget):
    """Tab widget whose tabs can be unavailable; an unavailable tab is grey and shows the reason."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = ExplainedTabBar(self)
        self.setTabBar(self.bar)

    def set_reason(self, widget: QWidget, reason: str, tooltip: str = "") -> None:
        """Make the tab of `widget` grey; if `reason` is empty, make the tab available with the tooltip `tooltip`."""
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
