"""Stack of pages by id that are built on demand, either immediately or incrementally in the event loop."""

from __future__ import annotations

from collections.abc import Callable, Generator

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from qe_desktop.ui.startup.incremental_task import TaskSteps
from qe_desktop.ui.widgets.layouts import vbox

BuildSteps = Generator[int, None, QWidget]
"""Incremental construction of a widget: yields pauses as `TaskSteps` does, and returns the widget."""
PageFactory = Callable[[], QWidget | BuildSteps]


class _PagePlaceholder(QWidget):
    """Placeholder of a page in the stack, present before the page is built."""

    def __init__(self, factory: PageFactory) -> None:
        super().__init__()
        vbox(on=self)
        self.factory = factory
        self.parts: BuildSteps | None = None
        self.pause = 0
        self.built: QWidget | None = None
        self.wanted: list[Callable[[], object]] = []

    def step(self) -> bool:
        """Build the next part; return whether the page is complete. After an error, the next call starts again."""
        if self.built is not None:
            return True
        try:
            if self.parts is None:
                made = self.factory()
                if isinstance(made, QWidget):
                    self._take(made)
                    return True
                self.parts = made
            self.pause = next(self.parts)
        except StopIteration as done:
            self._take(done.value)
        except BaseException:
            self.parts = None
            raise
        return self.built is not None

    def _take(self, widget: QWidget) -> None:
        self.built, self.parts = widget, None
        focused = self.hasFocus()
        layout = self.layout()
        assert layout is not None
        layout.addWidget(widget)
        layout.activate()
        widget.show()
        self.setFocusProxy(widget)
        if focused:
            widget.setFocus()


class LazyStackedWidget(QStackedWidget):
    """Stack of lazily built pages; while a page is built in parts, the previous page stays on screen."""

    shown = Signal(str)
    """Id of the current page, which may still be incomplete."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages: dict[str, _PagePlaceholder] = {}
        self.current = ""
        """Id of the current page; empty for a permanent widget."""
        self._turns = QTimer(self)
        self._turns.timeout.connect(self._on_turn)

    @property
    def building(self) -> bool:
        """Whether the current page is being built."""
        return self._turns.isActive()

    def add(self, id: str, factory: PageFactory) -> QWidget:
        """Add a page; return its placeholder, which is visible whenever the page is."""
        page = self._pages[id] = _PagePlaceholder(factory)
        self.addWidget(page)
        return page

    def ids(self) -> list[str]:
        """Return the ids of the pages in the order in which they were added."""
        return list(self._pages)

    def begin(self, id: str) -> None:
        """Build the first part of a page unless it is built already; the rest is built when the page is shown."""
        page = self._pages[id]
        if page.parts is None:
            page.step()

    def page(self, id: str) -> QWidget:
        """Return the widget of a page; missing parts are built immediately."""
        page = self._pages[id]
        while not page.step():
            pass
        self._settle(page)
        assert page.built is not None
        return page.built

    def built(self, id: str) -> QWidget | None:
        """Return the widget of a page; None if the page is incomplete."""
        return self._pages[id].built

    def parts(self, id: str) -> TaskSteps:
        """Build a page incrementally, as a part of a larger task."""
        while not self._pages[id].step():
            yield self._pages[id].pause

    def show_page(self, id: str, then: Callable[[], object] | None = None) -> None:
        """Show a page and move the focus to it; `then` is called when the page is complete."""
        page = self._pages[id]
        # a page that is built quickly is shown immediately
        self.begin(id)
        if then is not None:
            page.wanted.append(then)
        self.current = id
        if page.built is None and self.isVisible():
            self.setUpdatesEnabled(False)
            self._turns.start(0)
        self.setCurrentWidget(page)
        self.setFocusProxy(page)
        if self.isVisible():
            page.setFocus()
        if page.built is not None:
            self._settle(page)
        self.shown.emit(id)

    def put_in_view(self, other: QWidget) -> None:
        """Show a permanent widget of the stack instead of a lazily built page."""
        self.current = ""
        self._turns.stop()
        self.setCurrentWidget(other)
        self.setUpdatesEnabled(True)

    def showEvent(self, event: QShowEvent) -> None:
        """Build the current page if it has not been built yet."""
        super().showEvent(event)
        if self.current and self._pages[self.current].built is None:
            self._turns.start(0)

    def _on_turn(self) -> None:
        page = self._pages.get(self.current)
        if page is None or (page.built is not None and not page.wanted):
            # in a later iteration, because painting the new page takes long as well
            self._turns.stop()
            self.setUpdatesEnabled(True)
            return
        try:
            if page.built is not None or page.step():
                self._do_wanted(page)
            self._turns.setInterval(0 if page.built is not None else page.pause)
        except BaseException:
            self._turns.stop()
            self.setUpdatesEnabled(True)
            raise

    def _settle(self, page: _PagePlaceholder) -> None:
        """Show a complete page if it is current, and call the functions that were deferred until its completion."""
        if page is self.currentWidget():
            self._turns.stop()
            self.setUpdatesEnabled(True)
        self._do_wanted(page)

    def _do_wanted(self, page: _PagePlaceholder) -> None:
        wanted, page.wanted = page.wanted, []
        for action in wanted:
            action()
