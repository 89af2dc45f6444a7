"""The Rate area: the rater's page, and beside it whatever pages the owner of a project has."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from operator import methodcaller

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.answers.ranking import LETTERS
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.active_clock import Now
from qe_desktop.ui.actions import Action, ActionRegistry
from qe_desktop.ui.rate.item_page import ItemPage
from qe_desktop.ui.rate.rater_flow import RaterFlow
from qe_desktop.ui.rate.rating_session import ADVANCE_DELAY_MS
from qe_desktop.ui.rate.shortcuts import AREA, CARD_SCOPE
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.layouts import vbox
from qe_desktop.ui.widgets.lazy_tabs import LazyTabWidget

RATE_PAGE = "rate"
"""The id of the rater's page."""
SIDE_PAGE_COMMANDS = ("instructions", "profile")
END_COMMANDS = ("back", "next-open", "go-to", "first", "last")

ITEM_COMMANDS: dict[str, Callable[[ItemPage], object]] = {
    "next": ItemPage.next,
    "back": ItemPage.back,
    "next-open": ItemPage.next_open,
    "go-to": ItemPage.ask_item,
    "first": ItemPage.first,
    "last": ItemPage.last,
    "reveal": ItemPage.reveal,
    "skip": ItemPage.ask_skip,
    "comment": ItemPage.open_comment,
    "differences": lambda items: items.card.toggle_differences(),
    "up": lambda items: items.card.step(-1),
    "down": lambda items: items.card.step(1),
    "page-up": lambda items: items.card.leap(-1),
    "page-down": lambda items: items.card.leap(1),
    "scroll-on": lambda items: items.card.scroll_by(0.9),
    "scroll-back": lambda items: items.card.scroll_by(-0.9),
    "copy": ItemPage.copy,
    **{f"digit-{digit}": methodcaller("digit", digit) for digit in range(10)},
    **{f"card-{letter.lower()}": methodcaller("letter", place) for place, letter in enumerate(LETTERS)},
}
"""What commands do with the items that are in view."""

WidgetFactory = Callable[[], QWidget]


class RateArea(QWidget):
    """Pages by id. The rater's page is the first; others are built when they are first shown."""

    changed = Signal()
    """What can be undone or redone may be different now."""
    page_shown = Signal(str)

    def __init__(self, settings: Settings, *, now: Now = time.monotonic, pause: int = ADVANCE_DELAY_MS) -> None:
        super().__init__()
        self._settings = settings
        self._commands: ActionRegistry | None = None
        self._names: tuple[str, ...] = ()
        rater = self.rater = RaterFlow(settings, now=now, pause=pause)
        self.pages = LazyTabWidget(self)
        vbox(self.pages, on=self, gap=0)
        self.setFocusProxy(self.pages)
        self.add_page(RATE_PAGE, tr("Rate"), lambda: rater)
        self.pages.shown.connect(self._on_shown)
        self._follow()
        rater.changed.connect(self._follow)

    # --- pages

    @property
    def current(self) -> str:
        """The id of the page in view."""
        return self.pages.current

    def add_page(self, id: str, title: str, widget_factory: WidgetFactory) -> None:
        """Add a page; its widget is made when it is first shown."""
        self.pages.add(id, title, widget_factory)
        self._command(id)

    def page(self, id: str) -> QWidget:
        """A page's widget, built now if it was not yet."""
        return self.pages.page(id)

    def show_page(self, id: str) -> None:
        """Put a page in view, and the focus into it."""
        self.pages.show_page(id)

    def _on_shown(self, id: str) -> None:
        self._follow()
        self.page_shown.emit(id)

    def show_pages(self, *, all_of_them: bool) -> None:
        """Offer all pages, or to those who only rate, the rater's alone."""
        if not all_of_them:
            self.show_page(RATE_PAGE)
        self.pages.bar.offer(list(self.pages.titles) if all_of_them else [RATE_PAGE])
        if self._commands is not None:
            for id in self.pages.titles:
                self._commands[f"{AREA}.page-{id}"].setEnabled(all_of_them or id == RATE_PAGE)

    # --- undo

    @property
    def undo_text(self) -> str:
        """What undo would take back; empty where there is nothing, or another page is in view."""
        return self._items.session.work.undo_text if self._items is not None else ""

    @property
    def redo_text(self) -> str:
        """What redo would bring again; empty where there is nothing, or another page is in view."""
        return self._items.session.work.redo_text if self._items is not None else ""

    def undo(self) -> None:
        """Take the last judgement back, and show its item."""
        if self._items is not None:
            self._items.undo()

    def redo(self) -> None:
        """Bring again what was undone, and show its item."""
        if self._items is not None:
            self._items.redo()

    @property
    def _items(self) -> ItemPage | None:
        """The items, while they or their end are in view."""
        rater = self.rater
        return rater.items if self.current == RATE_PAGE and rater.page in (rater.items, rater.end) else None

    # --- commands

    def connect_actions(self, commands: ActionRegistry) -> None:
        """Say what this area's commands do. They are enabled while they mean something."""
        self._commands = commands
        commands.place(CARD_SCOPE, self)
        handlers = self._handlers()
        self._names = tuple(handlers)
        for name, handler in handlers.items():
            commands.connect_to(f"{AREA}.{name}", handler, enabled=False)
        commands[f"{AREA}.advance"].setChecked(self._settings.auto_advance)
        commands.changed.connect(self._name_keys)
        for id in self.pages.titles:
            self._command(id)
        self._follow()

    def _handlers(self) -> dict[str, Callable[[], object]]:
        return {
            **{name: partial(self._on_items, method) for name, method in ITEM_COMMANDS.items()},
            "instructions": self.rater.toggle_instructions,
            "profile": self.rater.show_profile,
            "campaigns": self.rater.choose,
            "advance": self._set_advance,
        }

    def _on_items(self, method: Callable[[ItemPage], object]) -> None:
        if self._items is not None:
            method(self._items)

    def _command(self, id: str) -> None:
        """A command, with a key, for a page."""
        commands, name = self._commands, f"{AREA}.page-{id}"
        if commands is None or name in commands:
            return
        key = f"Alt+{list(self.pages.titles).index(id) + 1}"
        text = tr("Show the page {page}", page=self.pages.titles[id])
        commands.add(Action(name, text, (key,), AREA, tr("Rate")))
        commands.connect_to(name, partial(self.show_page, id))

    def _set_advance(self) -> None:
        if self._commands is not None:
            self._settings.auto_advance = self._commands[f"{AREA}.advance"].isChecked()

    def _follow(self) -> None:
        self.changed.emit()
        if self._commands is None:
            return
        rater = self.rater
        possible = {"advance"}
        if self.current == RATE_PAGE:
            possible.add("campaigns")
            if rater.page in (rater.items, rater.end, rater.instructions):
                possible.update(SIDE_PAGE_COMMANDS)
            if rater.page is rater.end:
                possible.update(END_COMMANDS)
        in_items = self.current == RATE_PAGE and rater.page is rater.items
        for name in self._names:
            self._commands[f"{AREA}.{name}"].setEnabled(in_items or name in possible)
        self._name_keys()

    def _name_keys(self) -> None:
        """The buttons name the keys in force."""
        commands, items = self._commands, self.rater.items
        if commands is None or items is None:
            return
        for name, button in items.buttons.items():
            keys = commands.keys(f"{AREA}.{name}")
            if name == "comment" and items.card.letters() <= 2:
                keys = commands.keys(f"{AREA}.card-c") or keys
            button.set_key(keys[0] if keys else "")
