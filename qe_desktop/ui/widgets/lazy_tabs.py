"""Pages of one area, one in view, with their names above where there are several."""

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
    """One page's name."""

    def __init__(self, id: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.id = id
        self.setText(title)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.unsetCursor()

    def sizeHint(self) -> QSize:
        """The name with room around it."""
        metrics = self.fontMetrics()
        return QSize(round(metrics.horizontalAdvance(self.text()) * 1.1) + 24, round(metrics.height() * 2.1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter shows the page as Space does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw name and line."""
        chosen = self.isChecked()
        self.draw_ground(painter, self.rect().toRectF().adjusted(2, 3, -2, -5))
        painter.setFont(scaled_font(1.0, bold=chosen))
        painter.setPen(colours.text if chosen else colours.muted)
        painter.drawText(self.rect().adjusted(0, 0, 0, -2), Qt.AlignmentFlag.AlignCenter, self.text())
        if chosen:
            painter.fillRect(10, self.height() - 3, self.width() - 20, 3, colours.accent)


class PageTabBar(QWidget):
    """All pages in one line; there is nothing to see while there is only one."""

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
        """Show only some of the pages."""
        for id, tab in self.tabs.items():
            tab.setVisible(id in ids)
        self.setVisible(len(ids) > 1)

    def choose(self, id: str) -> None:
        """Mark the page in view."""
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
    """Pages by id; each is built when it is first shown, and takes the focus that this widget is given."""

    shown = Signal(str)
    """The id of the page in view now."""

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
        """The id of the page in view."""
        return self._stack.current

    def add(self, id: str, title: str, factory: PageFactory) -> None:
        """Add a page at the end; the first is shown at once."""
        self.titles[id] = title
        self._stack.add(id, factory)
        self.bar.add(id, title)
        if not self.current:
            self.show_page(id)

    def page(self, id: str) -> QWidget:
        """A page's widget, built now if it was not yet."""
        return self._stack.page(id)

    def built(self, id: str) -> QWidget | None:
        """A page's widget if it was built."""
        return self._stack.built(id)

    def parts(self, id: str) -> TaskSteps:
        """Build a page in steps, as a part of a larger one."""
        return self._stack.parts(id)

    def show_page(self, id: str, then: Callable[[], object] | None = None) -> None:
        """Put a page in view, and the focus into it; `then` is called once it is there."""
        self.bar.choose(id)
        self._stack.show_page(id, then)
