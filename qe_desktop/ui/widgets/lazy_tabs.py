"""Tabs with pages that are built on demand; the tab bar is hidden if there is only one page."""

from __future__ import annotations

from collections.abc import Callable, Collection

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.ui.startup.incremental_task import TaskSteps
from qe_desktop.ui.theme import Theme, current, themes
from qe_desktop.ui.widgets.buttons import ThemedButton
from qe_desktop.ui.widgets.labels import scaled_font
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox
from qe_desktop.ui.widgets.lazy_stack import LazyStackedWidget, PageFactory


class PageTabButton(ThemedButton):
    """Button with the name of a page."""

    def __init__(self, id: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.id = id
        self.setText(title)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.unsetCursor()

    def sizeHint(self) -> QSize:
        """Return the size of the name with padding."""
        metrics = self.fontMetrics()
        return QSize(round(metrics.horizontalAdvance(self.text()) * 1.1) + 24, round(metrics.height() * 2.1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Show the page when Enter is pressed, as for Space."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the name, and a line below it if the page is current."""
        chosen = self.isChecked()
        self.draw_ground(painter, self.rect().toRectF().adjusted(2, 3, -2, -5))
        painter.setFont(scaled_font(1.0, bold=chosen))
        painter.setPen(colours.text if chosen else colours.muted)
        painter.drawText(self.rect().adjusted(0, 0, 0, -2), Qt.AlignmentFlag.AlignCenter, self.text())
        if chosen:
            painter.fillRect(10, self.height() - 3, self.width() - 20, 3, colours.accent)


class PageTabBar(QWidget):
    """Bar with the names of all pages on one line; hidden if there is only one page."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tabs: dict[str, PageTabButton] = {}
        self._row = hbox(StretchSpace(), on=self, gap=0, margins=(8, 0, 8, 0))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        themes.theme_changed.connect(self.update)
        self.hide()

    def add(self, id: str, title: str) -> None:
        """Add a page at the end."""
        tab = PageTabButton(id, title)
        tab.clicked.connect(self._pressed)
        self._row.insertWidget(len(self.tabs), tab)
        self.tabs[id] = tab
        self.setVisible(len(self.tabs) > 1)

    def offer(self, ids: Collection[str]) -> None:
        """Show only the pages with these ids."""
        for id, tab in self.tabs.items():
            tab.setVisible(id in ids)
        self.setVisible(len(ids) > 1)

    def choose(self, id: str) -> None:
        """Mark the current page."""
        for tab in self.tabs.values():
            tab.setChecked(tab.id == id)

    def _pressed(self) -> None:
        sender = self.sender()
        if isinstance(sender, PageTabButton):
            self.chosen.emit(sender.id)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line under the names."""
        painter = QPainter(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, current().border)
        painter.end()


class LazyTabWidget(QWidget):
    """Pages by id with a tab bar; each is built when it is first shown, and receives the focus of this widget."""

    shown = Signal(str)
    """Id of the current page."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.titles: dict[str, str] = {}
        self.bar = PageTabBar()
        self.bar.chosen.connect(self.show_page)
        self._stack = LazyStackedWidget()
        self._stack.shown.connect(self.shown)
        vbox(self.bar, Stretched(self._stack, 1), on=self, gap=0)
        self.setFocusProxy(self._stack)

    @property
    def current(self) -> str:
        """Id of the current page; empty before the first page is added."""
        return self._stack.current

    def add(self, id: str, title: str, factory: PageFactory) -> None:
        """Add a page at the end; the first page is shown immediately."""
        self.titles[id] = title
        self._stack.add(id, factory)
        self.bar.add(id, title)
        if not self.current:
            self.show_page(id)

    def page(self, id: str) -> QWidget:
        """Return the widget of a page; build it first if necessary."""
        return self._stack.page(id)

    def built(self, id: str) -> QWidget | None:
        """Return the widget of a page; None if the page is incomplete."""
        return self._stack.built(id)

    def parts(self, id: str) -> TaskSteps:
        """Build a page incrementally, as a part of a larger task."""
        return self._stack.parts(id)

    def show_page(self, id: str, then: Callable[[], object] | None = None) -> None:
        """Show a page and move the focus to it; `then` is called when the page is complete."""
        self.bar.choose(id)
        self._stack.show_page(id, then)
