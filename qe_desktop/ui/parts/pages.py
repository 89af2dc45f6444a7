"""Pages of one area, one in view, with their names above where there are several."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from qe_desktop.ui.parts.layouts import Placed, column_of
from qe_desktop.ui.parts.page_bar import PageBar


class Pages(QWidget):
    """Pages by id; each is built when it is first shown, and takes the focus that this widget is given."""

    shown = Signal(str)
    """The id of the page in view now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._factories: dict[str, Callable[[], QWidget]] = {}
        self._built: dict[str, QWidget] = {}
        self.titles: dict[str, str] = {}
        self.current = ""
        """The id of the page in view."""
        self.bar = PageBar()
        self.bar.chosen.connect(self.show_page)
        self._stack = QStackedWidget()
        column_of(self.bar, Placed(self._stack, 1), on=self, gap=0)

    def add(self, id: str, title: str, factory: Callable[[], QWidget]) -> None:
        """Add a page at the end; the first is shown at once."""
        self._factories[id], self.titles[id] = factory, title
        self.bar.add(id, title)
        if not self.current:
            self.show_page(id)

    def page(self, id: str) -> QWidget:
        """A page's widget, built now if it was not yet."""
        if id not in self._built:
            self._built[id] = self._factories[id]()
            self._stack.addWidget(self._built[id])
        return self._built[id]

    def show_page(self, id: str) -> None:
        """Put a page in view, and the focus into it."""
        widget = self.page(id)
        self.current = id
        self.bar.choose(id)
        self._stack.setCurrentWidget(widget)
        self.setFocusProxy(widget)
        if self.isVisible():
            widget.setFocus()
        self.shown.emit(id)
