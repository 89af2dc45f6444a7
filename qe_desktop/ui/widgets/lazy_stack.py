"""Pages by id, one in view: each built when it is first wanted, at once or in parts, a turn of the event loop each."""

from __future__ import annotations

from collections.abc import Callable, Generator

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from qe_desktop.ui.startup.incremental_task import TaskSteps
from qe_desktop.ui.widgets.layouts import vbox

BuildSteps = Generator[int, None, QWidget]
"""What is built piece by piece, as `TaskSteps`; it returns the widget."""
PageFactory = Callable[[], QWidget | BuildSteps]


class _PagePlaceholder(QWidget):
    """The place of a page in the stack, there before the page is."""

    def __init__(self, factory: PageFactory) -> None:
        super().__init__()
        vbox(on=self)
        self.factory = factory
        self.parts: BuildSteps | None = None
        self.pause = 0
        self.built: QWidget | None = None
        self.wanted: list[Callable[[], object]] = []

    def step(self) -> bool:
        """Build the next part; True once the page is complete. After an error the next call starts again."""
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
    """While a page is built in parts, what was in view before stays on the screen, and the new one comes as a whole."""

    shown = Signal(str)
    """The id of the page in view now; it may still be being built."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages: dict[str, _PagePlaceholder] = {}
        self.current = ""
        """The id of the page in view."""
        self._turns = QTimer(self)
        self._turns.timeout.connect(self._on_turn)

    @property
    def building(self) -> bool:
        """Whether the page in view is not wholly there yet."""
        return self._turns.isActive()

    def add(self, id: str, factory: PageFactory) -> QWidget:
        """Add a page; returns its place, which is in view while the page is."""
        page = self._pages[id] = _PagePlaceholder(factory)
        self.addWidget(page)
        return page

    def ids(self) -> list[str]:
        """The pages, in the order of adding."""
        return list(self._pages)

    def begin(self, id: str) -> None:
        """Build the first part of a page, if it is not built; the rest is built when it is shown."""
        page = self._pages[id]
        if page.parts is None:
            page.step()

    def page(self, id: str) -> QWidget:
        """A page's widget; what of it is not there yet is built now."""
        page = self._pages[id]
        while not page.step():
            pass
        self._settle(page)
        assert page.built is not None
        return page.built

    def built(self, id: str) -> QWidget | None:
        """A page's widget if it is there."""
        return self._pages[id].built

    def parts(self, id: str) -> TaskSteps:
        """Build a page in steps, as a part of a larger one."""
        while not self._pages[id].step():
            yield self._pages[id].pause

    def show_page(self, id: str, then: Callable[[], object] | None = None) -> None:
        """Put a page in view, and the focus into it; `then` is called once it is there."""
        page = self._pages[id]
        # what is quickly built is there at once
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
        """Show something else of the stack, which was there from the beginning."""
        self.current = ""
        self._turns.stop()
        self.setCurrentWidget(other)
        self.setUpdatesEnabled(True)

    def showEvent(self, event: QShowEvent) -> None:
        """The visible page is built, if it was not requested before."""
        super().showEvent(event)
        if self.current and self._pages[self.current].built is None:
            self._turns.start(0)

    def _on_turn(self) -> None:
        page = self._pages.get(self.current)
        if page is None or (page.built is not None and not page.wanted):
            # a turn of its own: what is painted now takes long as well
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
        """The page was there at once: what was put off for it is done now."""
        if page is self.currentWidget():
            self._turns.stop()
            self.setUpdatesEnabled(True)
        self._do_wanted(page)

    def _do_wanted(self, page: _PagePlaceholder) -> None:
        wanted, page.wanted = page.wanted, []
        for action in wanted:
            action()
