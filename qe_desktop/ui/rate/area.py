"""Rate area: the rater's page and the pages of the project owner."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.action_registry import Action, ActionRegistry
from qe_desktop.ui.rate.active_time import MonotonicClock
from qe_desktop.ui.rate.commands import AREA, CARD_SCOPE, RATER_COMMANDS, ItemHandler
from qe_desktop.ui.rate.item_page import ItemPage
from qe_desktop.ui.rate.rater_flow import RaterFlow
from qe_desktop.ui.rate.rating_session import ADVANCE_DELAY_MS
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.layouts import vbox
from qe_desktop.ui.widgets.lazy_stack import LazyTabWidget
from qe_desktop.ui.widgets.placeholder_page import UnavailablePages

RATE_PAGE = "rate"
"""Id of the rater's page."""
SIDE_PAGE_COMMANDS = ("instructions", "profile")
END_COMMANDS = ("back", "next-open", "go-to", "first", "last")

WidgetFactory = Callable[[], QWidget]


class RateArea(QWidget):
    """Rate area, whose pages have ids. The rater's page comes first; other pages are created when first shown."""

    changed = Signal()
    """Emitted when the undo or redo state may have changed."""
    page_shown = Signal(str)

    def __init__(
        self, settings: Settings, *, now: MonotonicClock = time.monotonic, advance_delay_ms: int = ADVANCE_DELAY_MS
    ) -> None:
        super().__init__()
        self._settings = settings
        self._commands: ActionRegistry | None = None
        self._command_names: tuple[str, ...] = ()
        rater = self.rater = RaterFlow(settings, now=now, advance_delay_ms=advance_delay_ms)
        self.pages = LazyTabWidget(self)
        self.unavailable = UnavailablePages(self.pages)
        vbox(self.pages, on=self, gap=0)
        self.setFocusProxy(self.pages)
        self.add_page(RATE_PAGE, tr("Rate"), lambda: rater)
        self.unavailable.add(RATE_PAGE, rater.empty_state, rater.handle_button)
        self.pages.shown.connect(self._on_shown)
        self._update_commands()
        rater.changed.connect(self._update_commands)
        rater.changed.connect(self.unavailable.refresh)
        self.unavailable.refresh()

    # --- pages

    @property
    def current(self) -> str:
        """Id of the visible page."""
        return self.pages.current

    def add_page(self, id: str, title: str, widget_factory: WidgetFactory) -> None:
        """Add a page. Its widget is created when the page is first shown."""
        self.pages.add(id, title, widget_factory)
        self._command(id)

    def page(self, id: str) -> QWidget:
        """Return the widget of a page, created if necessary."""
        return self.pages.page(id)

    def show_page(self, id: str) -> None:
        """Show a page and focus it."""
        self.pages.show_page(id)

    def _on_shown(self, id: str) -> None:
        self._update_commands()
        self.page_shown.emit(id)

    def show_pages(self, *, all_of_them: bool) -> None:
        """Show the tabs of all pages if `all_of_them`; otherwise, show only the rater's page, without tabs."""
        if not all_of_them:
            self.show_page(RATE_PAGE)
        self.pages.bar.set_visible_pages(list(self.pages.titles) if all_of_them else [RATE_PAGE])
        if self._commands is not None:
            for id in self.pages.titles:
                self._commands[f"{AREA}.page-{id}"].setEnabled(all_of_them or id == RATE_PAGE)

    # --- undo

    @property
    def undo_text(self) -> str:
        """Description of the next undo step; empty if there is none or `items` is None."""
        return self.items.session.work.undo_text if self.items is not None else ""

    @property
    def redo_text(self) -> str:
        """Description of the next redo step; empty if there is none or `items` is None."""
        return self.items.session.work.redo_text if self.items is not None else ""

    def undo(self) -> None:
        """Undo the last judgement, if any, and show its item; do nothing if `items` is None."""
        if self.items is not None:
            self.items.undo()

    def redo(self) -> None:
        """Redo the last undone judgement, if any, and show its item; do nothing if `items` is None."""
        if self.items is not None:
            self.items.redo()

    @property
    def items(self) -> ItemPage | None:
        """Item page if the item page or the end page is visible; otherwise None."""
        rater = self.rater
        return rater.items if self.current == RATE_PAGE and rater.page in (rater.items, rater.end) else None

    # --- commands

    def connect_actions(self, commands: ActionRegistry) -> None:
        """Connect the area's commands to their handlers; each command is enabled only while it applies."""
        self._commands = commands
        commands.set_area_widget(CARD_SCOPE, self)
        handlers = self._handlers()
        self._command_names = tuple(handlers)
        for name, handler in handlers.items():
            commands.connect_to(f"{AREA}.{name}", handler, enabled=False)
        commands[f"{AREA}.advance"].setChecked(self._settings.auto_advance)
        commands.changed.connect(self._show_shortcuts)
        for id in self.pages.titles:
            self._command(id)
        self._update_commands()

    def _handlers(self) -> dict[str, Callable[[], object]]:
        return {
            **{
                action.id.removeprefix(f"{AREA}."): partial(self._on_items, handler)
                for action, handler in RATER_COMMANDS
                if handler is not None
            },
            "instructions": self.rater.toggle_instructions,
            "delivery": self._show_delivery,
            "profile": self.rater.show_profile,
            "campaigns": self.rater.ask_campaign_or_rater,
            "advance": self._set_advance,
        }

    def _on_items(self, method: ItemHandler) -> None:
        if self.items is not None:
            method(self.items)

    def _command(self, id: str) -> None:
        """Add a command, with a shortcut, that shows a page. Do nothing if it exists or `_commands` is None."""
        commands, name = self._commands, f"{AREA}.page-{id}"
        if commands is None or name in commands:
            return
        key = f"Alt+{list(self.pages.titles).index(id) + 1}"
        text = tr("Show page: {page}", page=self.pages.titles[id])
        commands.add(Action(name, text, (key,), AREA, tr("Rate")))
        commands.connect_to(name, partial(self.unavailable.show, id))

    def _show_delivery(self) -> None:
        """Show the rater's page with the instructions, beginning with what to do with the ratings."""
        self.show_page(RATE_PAGE)
        self.rater.show_instructions(delivery_first=True)

    def _set_advance(self) -> None:
        if self._commands is not None:
            self._settings.auto_advance = self._commands[f"{AREA}.advance"].isChecked()

    def _update_commands(self) -> None:
        self.changed.emit()
        if self._commands is None:
            return
        rater = self.rater
        is_rating = rater.page in (rater.items, rater.end, rater.instructions)
        possible = {"advance", "delivery"} if is_rating else {"advance"}
        if self.current == RATE_PAGE:
            possible.add("campaigns")
            if is_rating:
                possible.update(SIDE_PAGE_COMMANDS)
            if rater.page is rater.end:
                possible.update(END_COMMANDS)
        in_items = self.current == RATE_PAGE and rater.page is rater.items
        for name in self._command_names:
            self._commands[f"{AREA}.{name}"].setEnabled(in_items or name in possible)
        if in_items and rater.items is not None and not rater.items.card.has_differences:
            self._commands[f"{AREA}.differences"].setEnabled(False)
        self._show_shortcuts()

    def _show_shortcuts(self) -> None:
        """Show the current shortcuts on the buttons of the item page."""
        commands, items = self._commands, self.rater.items
        if commands is None or items is None:
            return
        for name, button in items.buttons.items():
            keys = commands.keys(f"{AREA}.{name}")
            button.set_key(keys[0] if keys else "")
