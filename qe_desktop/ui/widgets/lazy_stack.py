"""Stack and tabs of pages that are built on demand, either in one step or incrementally in the event loop."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from qe_desktop.ui.jobs import TaskSteps
from qe_desktop.ui.theme import Theme, current, themes
from qe_desktop.ui.widgets.buttons import EnterButtonMixin, ThemedButton
from qe_desktop.ui.widgets.labels import plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox
from qe_desktop.ui.widgets.tabs import paint_tab, tab_size

BuildSteps = Generator[int, None, QWidget]
"""Generator that builds a widget in steps: it yields the milliseconds until the next step, and returns the widget."""
PageFactory = Callable[[], QWidget | BuildSteps]


class _PagePlaceholder(QWidget):
    """Placeholder in the stack for a page; it contains the page once the page is built."""

    def __init__(self, factory: PageFactory) -> None:
        super().__init__()
        self._column = vbox(on=self)
        self.factory = factory
        self.parts: BuildSteps | None = None
        self.pause = 0
        self.built: QWidget | None = None
        self.was_shown = False
        self.deferred: list[Callable[[], object]] = []

    def step(self) -> bool:
        """Build the next part; return whether the page is complete. After an error, the next call starts over."""
        if self.built is not None:
            return True
        try:
            if self.parts is None:
                page = self.factory()
                if isinstance(page, QWidget):
                    self._install_widget(page)
                    return True
                self.parts = page
            self.pause = next(self.parts)
        except StopIteration as done:
            self._install_widget(done.value)
        except BaseException:
            self.parts = None
            raise
        return self.built is not None

    def _install_widget(self, widget: QWidget) -> None:
        self.built, self.parts = widget, None
        focused = self.hasFocus()
        self._column.addWidget(widget)
        self._column.activate()
        widget.show()
        self.setFocusProxy(widget)
        if focused:
            widget.setFocus()


class LazyStackedWidget(QStackedWidget):
    """Stack of lazily built pages; while a page is being built in parts, the previous page remains on screen."""

    shown = Signal(str)
    """Emitted with the id of a page that has become the current one; the page may still be incomplete."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages: dict[str, _PagePlaceholder] = {}
        self.current = ""
        """Id of the current page; empty if there is none or if a permanent widget is shown."""
        self._build_timer = QTimer(self)
        self._build_timer.timeout.connect(self._build_next_step)

    @property
    def is_building(self) -> bool:
        """Whether the current page is being built."""
        return self._build_timer.isActive()

    def add(self, id: str, factory: PageFactory) -> QWidget:
        """Add a page; return its placeholder, which is visible whenever the page is visible."""
        page = self._pages[id] = _PagePlaceholder(factory)
        self.addWidget(page)
        return page

    def ids(self) -> list[str]:
        """Return the ids of the pages in the order in which they were added."""
        return list(self._pages)

    def begin(self, id: str) -> None:
        """Build the first part of a page unless that part is built already; `show_page` builds the rest."""
        page = self._pages[id]
        if page.parts is None:
            page.step()

    def page(self, id: str) -> QWidget:
        """Return the widget of a page; parts that are missing are built first."""
        page = self._pages[id]
        while not page.step():
            pass
        self._on_page_complete(page)
        assert page.built is not None
        return page.built

    def built_page(self, id: str) -> QWidget | None:
        """Return the widget of a page; None if the page is incomplete."""
        return self._pages[id].built

    def parts(self, id: str) -> TaskSteps:
        """Return the steps that build a page, for use in a larger task."""
        while not self._pages[id].step():
            yield self._pages[id].pause
        self._run_deferred(self._pages[id])

    def call_when_built(self, id: str, callback: Callable[[], object]) -> None:
        """Call a function when a page is complete, or immediately if the page is already complete."""
        page = self._pages[id]
        if page.built is None:
            page.deferred.append(callback)
        else:
            callback()

    def show_page(self, id: str, callback: Callable[[], object] | None = None) -> None:
        """Show a page and move the focus to it; `callback` is called when the page is complete."""
        page = self._pages[id]
        # a page that is built quickly is shown immediately
        self.begin(id)
        if callback is not None:
            page.deferred.append(callback)
        self.current = id
        # a new page is laid out now and painted in a later iteration, because both take time
        is_painted_later = self.isVisible() and (page.built is None or not page.was_shown)
        page.was_shown = True
        if is_painted_later:
            self.setUpdatesEnabled(False)
            self._build_timer.start(0)
        self.setCurrentWidget(page)
        self.setFocusProxy(page)
        if self.isVisible():
            page.setFocus()
        if page.built is not None:
            (self._run_deferred if is_painted_later else self._on_page_complete)(page)
        self.shown.emit(id)

    def show_permanent_widget(self, widget: QWidget) -> None:
        """Show a permanent widget of the stack instead of a lazily built page."""
        self.current = ""
        self._build_timer.stop()
        self.setCurrentWidget(widget)
        self.setUpdatesEnabled(True)

    def showEvent(self, event: QShowEvent) -> None:
        """Start to build the current page if it is incomplete."""
        super().showEvent(event)
        if self.current and self._pages[self.current].built is None:
            self._build_timer.start(0)

    def _build_next_step(self) -> None:
        page = self._pages.get(self.current)
        if page is None or (page.built is not None and not page.deferred):
            # in a later iteration, because painting the new page takes time, too
            self._build_timer.stop()
            self.setUpdatesEnabled(True)
            return
        try:
            if page.built is not None or page.step():
                self._run_deferred(page)
            self._build_timer.setInterval(0 if page.built is not None else page.pause)
        except BaseException:
            self._build_timer.stop()
            self.setUpdatesEnabled(True)
            raise

    def _on_page_complete(self, page: _PagePlaceholder) -> None:
        """Show a complete page if it is current, and call the functions that were deferred until its completion."""
        if page is self.currentWidget():
            self._build_timer.stop()
            self.setUpdatesEnabled(True)
        self._run_deferred(page)

    def _run_deferred(self, page: _PagePlaceholder) -> None:
        deferred, page.deferred = page.deferred, []
        for action in deferred:
            action()


class PageTabButton(EnterButtonMixin, ThemedButton):
    """Button with the name of a page; a click, Enter or Space shows the page if it is available."""

    def __init__(self, id: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.id = id
        self.reason = ""
        """Reason why the page is not available, or empty; the button can have the focus in both cases."""
        self.setText(title)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.unsetCursor()

    def sizeHint(self) -> QSize:
        """Return the size of the name with padding."""
        return tab_size(self.text())

    def set_reason(self, reason: str) -> None:
        """Mark the tab as unavailable, with `reason` as its tooltip; if `reason` is empty, mark it as available."""
        if reason != self.reason:
            self.reason = reason
            self.setToolTip(plain_tooltip(reason) if reason else "")
            self.setAccessibleDescription(reason)
            self.update()

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the name, and a line below it if the page is current."""
        paint_tab(
            painter, self.rect(), self.text(), colours, is_current=self.isChecked(), is_focused=self.hasFocus(),
            is_hovered=self.underMouse(), is_grey=bool(self.reason),
        )  # fmt: skip


class PageTabBar(QWidget):
    """Bar with the names of pages on one line; hidden if it shows fewer than two pages."""

    chosen = Signal(str)
    explained = Signal(str)
    """Emitted with the id of an unavailable tab when the tab is pressed."""
    button: type[PageTabButton] = PageTabButton

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tabs: dict[str, PageTabButton] = {}
        self._current = ""
        self._row = hbox(StretchSpace(), on=self, gap=0, margins=(8, 0, 8, 0))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        themes.theme_changed.connect(self.update)
        self.hide()

    def add(self, id: str, title: str) -> None:
        """Add a tab for a page at the end of the bar."""
        tab = self.button(id, title)
        tab.clicked.connect(self._on_pressed)
        self._row.insertWidget(len(self.tabs), tab)
        self.tabs[id] = tab
        self.setVisible(len(self.tabs) > 1)

    def set_visible_pages(self, ids: Collection[str]) -> None:
        """Show only the tabs with the ids in `ids`; hide the bar if there are fewer than two ids."""
        for tab in self.tabs.values():
            tab.setVisible(tab.id in ids)
        self.setVisible(len(ids) > 1)

    def choose(self, id: str) -> None:
        """Mark the tab with the id `id` as the current one."""
        self._current = id
        for tab in self.tabs.values():
            tab.setChecked(tab.id == id)

    def _on_pressed(self) -> None:
        sender = self.sender()
        assert isinstance(sender, PageTabButton)
        if sender.reason:
            # the press has checked the button
            self.choose(self._current)
        (self.explained if sender.reason else self.chosen).emit(sender.id)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line along the bottom of the bar."""
        painter = QPainter(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, current().border)
        painter.end()


class PageGroup(NamedTuple):
    """Group of pages that share a tab; `id` and `title` are those of the tab."""

    id: str
    title: str


class LazyTabWidget(QWidget):
    """Tab widget whose pages have ids; each page is built when it is first shown.

    Pages of one group share a tab, and a second bar, `switch`, selects one of these pages. The second bar is below the
    tabs, unless the current page has a method `place_switch` that places `switch`. The current page receives the focus.
    """

    shown = Signal(str)
    """Emitted with the id of a page that has become the current one."""
    explained = Signal(str)
    """Emitted with the id of an unavailable page when the page's tab is pressed."""

    def __init__(self, parent: QWidget | None = None, switch: PageTabBar | None = None) -> None:
        super().__init__(parent)
        self.titles: dict[str, str] = {}
        self._tab_by_page: dict[str, str] = {}
        """Maps the id of each page to the id of its tab: the id of its group or, without a group, of the page."""
        self._last_page_by_tab: dict[str, str] = {}
        """Maps the id of each tab to the id of its most recently shown page, or of its first page if none was shown."""
        self.bar, self.switch = PageTabBar(), switch or PageTabBar()
        self.bar.chosen.connect(lambda tab: self.show_page(self._first_available_page(tab)))
        self.bar.explained.connect(lambda tab: self.explained.emit(self._last_page_by_tab[tab]))
        self.switch.chosen.connect(self.show_page)
        self.switch.explained.connect(self.explained)
        self._stack = LazyStackedWidget()
        self._stack.shown.connect(self.shown)
        self._column = vbox(self.bar, self.switch, Stretched(self._stack, 1), on=self, gap=0)
        self.setFocusProxy(self._stack)

    @property
    def current(self) -> str:
        """Id of the current page; empty before the first page is added."""
        return self._stack.current

    def add(self, id: str, title: str, factory: PageFactory, group: PageGroup | None = None) -> None:
        """Add a page at the end or, with a `group`, at the end of the group; show the first page that is added."""
        tab, tab_title = (id, title) if group is None else group
        self.titles[id], self._tab_by_page[id] = title, tab
        self._stack.add(id, factory)
        self.switch.add(id, title)
        if tab not in self.bar.tabs:
            self.bar.add(tab, tab_title)
        self._last_page_by_tab.setdefault(tab, id)
        if not self.current:
            self.show_page(id)
        else:
            self._update_switch(self.current)

    def _update_switch(self, id: str) -> None:
        """Show in `switch` the pages that share a tab with the given page."""
        self.switch.set_visible_pages([page for page, tab in self._tab_by_page.items() if tab == self._tab_by_page[id]])

    def set_title(self, id: str, title: str) -> None:
        """Change the title of a page in the bar `switch`; the title of the page's tab does not change."""
        self.switch.tabs[id].setText(title)

    def set_reason(self, id: str, reason: str) -> None:
        """Set the reason why a page is not available; an empty reason makes the page available.

        A tab is marked as unavailable if none of its pages is available.
        """
        self.switch.tabs[id].set_reason(reason)
        tab = self._tab_by_page[id]
        self.bar.tabs[tab].set_reason(self.reason(self._first_available_page(tab)))

    def reason(self, id: str) -> str:
        """Return the reason why a page is not available; empty if the page is available."""
        return self.switch.tabs[id].reason

    def _first_available_page(self, tab: str) -> str:
        """Return the most recently shown page of a tab or, if it is not available, the tab's first available page.

        If no page of the tab is available, return the most recently shown page.
        """
        pages = [self._last_page_by_tab[tab], *(page for page, owner in self._tab_by_page.items() if owner == tab)]
        return next((page for page in pages if not self.reason(page)), pages[0])

    def _place_switch(self, id: str) -> None:
        """If the page is current, call its `place_switch` method; if it has none, put `switch` below the tabs."""
        if id != self.current:
            return
        place_switch: Callable[[QWidget], object] | None = getattr(self._stack.built_page(id), "place_switch", None)
        if place_switch is not None:
            place_switch(self.switch)
        else:
            self._column.insertWidget(1, self.switch)
        self._update_switch(id)

    def page(self, id: str) -> QWidget:
        """Return the widget of a page; parts that are missing are built first."""
        return self._stack.page(id)

    def built_page(self, id: str) -> QWidget | None:
        """Return the widget of a page; None if the page is incomplete."""
        return self._stack.built_page(id)

    def parts(self, id: str) -> TaskSteps:
        """Return the steps that build a page, for use in a larger task."""
        return self._stack.parts(id)

    def call_when_built(self, id: str, callback: Callable[[], object]) -> None:
        """Call a function when a page is complete, or immediately if the page is already complete."""
        self._stack.call_when_built(id, callback)

    def show_page(self, id: str, callback: Callable[[], object] | None = None) -> None:
        """Show a page and move the focus to it; `callback` is called when the page is complete."""
        tab = self._tab_by_page[id]
        self._last_page_by_tab[tab] = id
        self.bar.choose(tab)
        self.switch.choose(id)
        self._stack.show_page(id, callback)
        self._update_switch(id)
        self._stack.call_when_built(id, partial(self._place_switch, id))
