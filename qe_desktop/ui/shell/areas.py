"""The rail and the work areas beside it, each built when it is first shown."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.ui.parts.built_stack import BuiltStack, Factory
from qe_desktop.ui.parts.layouts import Placed, row_of
from qe_desktop.ui.shell.rail import Rail


class Areas(QWidget):
    """A stack of pages. The start page is the first and has no button in the rail."""

    shown = Signal(str)
    """The id of the area on screen now, empty for the start page."""

    def __init__(self, start: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rail = Rail()
        self.rail.chosen.connect(self.show_area)
        self.rail.hide()
        self._stack = BuiltStack()
        self._start = start
        self._stack.addWidget(start)
        row_of(self.rail, Placed(self._stack, 1), on=self, gap=0)

    @property
    def current(self) -> str:
        """The id of the area on screen, empty for the start page."""
        return self._stack.current

    def ids(self) -> list[str]:
        """The areas, from the top of the rail."""
        return self._stack.ids()

    def add(self, id: str, title: str, icon: str, tip: str, factory: Factory) -> QWidget:
        """Add an area; returns the page that is on screen while the area is."""
        page = self._stack.add(id, factory)
        # what an area would like to show must never make the window larger than a person made it
        page.setMinimumSize(1, 1)
        self.rail.add(id, title, icon, tip)
        return page

    def begin(self, id: str) -> None:
        """Build the first part of an area: what can be asked for before the area is looked at."""
        self._stack.begin(id)

    def widget(self, id: str) -> QWidget:
        """The area's own widget, built now if it was not yet."""
        return self._stack.page(id)

    def show_area(self, id: str) -> None:
        """Put an area on screen and the focus into it."""
        try:
            self._stack.show_page(id)
        finally:
            self.rail.choose(self.current)
        self.rail.show()
        self._stack.setFocus()
        self.shown.emit(id)

    def show_start(self) -> None:
        """Put the start page on screen."""
        self.rail.choose("")
        self._stack.put_in_view(self._start)
        self.shown.emit("")
