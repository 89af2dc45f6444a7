"""Pages of one area, one in view, with their names above where there are several."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.ui.parts.built_stack import BuiltStack, Factory
from qe_desktop.ui.parts.in_turns import Turns
from qe_desktop.ui.parts.layouts import Placed, column_of
from qe_desktop.ui.parts.page_bar import PageBar


class Pages(QWidget):
    """Pages by id; each is built when it is first shown, and takes the focus that this widget is given."""

    shown = Signal(str)
    """The id of the page in view now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.titles: dict[str, str] = {}
        self.bar = PageBar()
        self.bar.chosen.connect(self.show_page)
        self._stack = BuiltStack()
        self._stack.shown.connect(self.shown)
        column_of(self.bar, Placed(self._stack, 1), on=self, gap=0)
        self.setFocusProxy(self._stack)

    @property
    def current(self) -> str:
        """The id of the page in view."""
        return self._stack.current

    def add(self, id: str, title: str, factory: Factory) -> None:
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

    def parts(self, id: str) -> Turns:
        """Build a page piece by piece, for whoever builds it as a part of something larger."""
        return self._stack.parts(id)

    def show_page(self, id: str, then: Callable[[], object] | None = None) -> None:
        """Put a page in view, and the focus into it; `then` is called once it is there."""
        self.bar.choose(id)
        self._stack.show_page(id, then)
