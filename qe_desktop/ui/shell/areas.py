"""The rail and the work areas beside it, each built when it is first shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from qe_desktop.ui.parts.layouts import Placed, column_of, row_of
from qe_desktop.ui.shell.rail import Rail

Factory = Callable[[], QWidget]


@dataclass(slots=True)
class _Area:
    page: QWidget
    factory: Factory
    widget: QWidget | None = None


class Areas(QWidget):
    """A stack of pages. The start page is the first and has no button in the rail."""

    shown = Signal(str)
    """The id of the area on screen now, empty for the start page."""

    def __init__(self, start: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._areas: dict[str, _Area] = {}
        self.current = ""
        """The id of the area on screen, empty for the start page."""
        self.rail = Rail()
        self.rail.chosen.connect(self.show_area)
        self.rail.hide()
        self._stack = QStackedWidget()
        self._start = start
        self._stack.addWidget(start)
        row_of(self.rail, Placed(self._stack, 1), on=self, gap=0)

    def ids(self) -> list[str]:
        """The areas, from the top of the rail."""
        return list(self._areas)

    def add(self, id: str, title: str, icon: str, tip: str, factory: Factory) -> QWidget:
        """Add an area; returns the page that is on screen while the area is."""
        page = QWidget()
        column_of(on=page)
        self._stack.addWidget(page)
        self._areas[id] = _Area(page, factory)
        self.rail.add(id, title, icon, tip)
        return page

    def widget(self, id: str) -> QWidget:
        """The area's own widget, built now if it was not yet."""
        area = self._areas[id]
        if area.widget is None:
            area.widget = area.factory()
            # what an area would like to show must never make the window larger than a person made it
            area.widget.setMinimumSize(1, 1)
            layout = area.page.layout()
            if layout is not None:
                layout.addWidget(area.widget)
        return area.widget

    def show_area(self, id: str) -> None:
        """Put an area on screen and the focus into it."""
        try:
            widget = self.widget(id)
        finally:
            self.rail.choose(self.current)
        self.current = id
        self.rail.show()
        self.rail.choose(id)
        self._stack.setCurrentWidget(self._areas[id].page)
        widget.setFocus()
        self.shown.emit(id)

    def show_start(self) -> None:
        """Put the start page on screen."""
        self.current = ""
        self.rail.choose("")
        self._stack.setCurrentWidget(self._start)
        self.shown.emit("")
