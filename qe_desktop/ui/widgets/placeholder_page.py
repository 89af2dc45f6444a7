"""Page with a title, a text and buttons in its centre, shown instead of missing content.

A page in tabs is not shown without content: its tab is grey, and a popup has the same text and buttons.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QStackedWidget, QVBoxLayout, QWidget, QWidgetAction

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.action_registry import run_command
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.labels import IconLabel, Label
from qe_desktop.ui.widgets.layouts import (
    Stretched,
    StretchSpace,
    clear_layout,
    hbox,
    make_scroll_area,
    vbox,
    wrap_layout,
)
from qe_desktop.ui.widgets.lazy_stack import LazyTabWidget

MAX_LINE_CHARS = 72
"""Maximum number of characters on a line, for readability."""
POPUP_CHARS = 52
"""Width of the text in a popup, in characters."""


class StateAction(NamedTuple):
    """Action of a placeholder page: its id, which may be that of a command, and the text of its button."""

    id: str
    text: str


OPEN_FILES = StateAction("file.open-files", tr("Open files…"))
OPEN_SAMPLE = StateAction("file.sample-en-de", tr("Open the sample"))
"""Commands that pages offer while nothing is open."""


@dataclass(frozen=True, slots=True)
class EmptyState:
    """Content of a placeholder page; `buttons` are pairs of id and text, of which Enter presses the first.

    If `icon` is None, the default icon of the page is shown; if it is empty, none.
    """

    title: str
    text: str
    buttons: tuple[tuple[str, str], ...] = ()
    icon: str | None = None

    @property
    def is_error(self) -> bool:
        """Whether the state is an error; otherwise content is missing."""
        return self.icon == "error"


class PlaceholderPage(QWidget):
    """Page with a scrolling, centred column; other widgets can be inserted below its text.

    A `centred` page replaces content; other pages have longer texts or more widgets. If the page `takes_focus`, it
    passes the focus to its first button; by default, centred pages leave the focus where it is.
    """

    requested = Signal(str)
    """Id of the action whose button was pressed; not emitted for commands, which are run directly."""
    focuses_button = True
    """Whether the page passes the focus to its first button; else it has the focus, and Enter presses the button."""

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        icon: str = "rate",
        centred: bool = False,
        takes_focus: bool | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon, self._centred = icon, centred
        self.state: EmptyState | None = None
        """State that is displayed."""
        self._takes_focus = not centred if takes_focus is None else takes_focus
        self.icon_label = IconLabel("", 3.0 if centred else 2.5, is_muted=True)
        self.title = Label(scale=1.35, bold=True, wraps=True, selectable=True)
        self.text = Label(token="muted" if centred else "", wraps=True, selectable=True)
        side = Qt.AlignmentFlag.AlignHCenter if centred else Qt.AlignmentFlag.AlignLeading
        for label in (self.title, self.text):
            label.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        self.buttons: dict[str, QPushButton] = {}
        self._row: QHBoxLayout = hbox(gap=8)
        sign = Stretched(self.icon_label, 0, side) if centred else self.icon_label
        self.column: QVBoxLayout = vbox(sign, self.title, self.text, self._row, gap=16)
        self.column_widget = wrap_layout(self.column)
        self.column.setContentsMargins(*(4 * (16 if centred else 24,)))
        across = hbox(StretchSpace(), Stretched(self.column_widget, 100), StretchSpace())
        container = wrap_layout(vbox(StretchSpace(2), across, StretchSpace(3), margins=8))
        scroll = make_scroll_area(container)
        for ground in (scroll.viewport(), container):
            ground.setAutoFillBackground(False)
        vbox(scroll, on=self)

    def insert(self, widget: QWidget) -> None:
        """Put a widget between the text and the buttons."""
        self.column.insertWidget(self.column.count() - 1, widget)

    def show_state(self, state: EmptyState) -> None:
        """Display another state."""
        self.state = state
        icon = self._icon if state.icon is None else state.icon
        self.icon_label.show_icon(icon)
        self.icon_label.setVisible(bool(icon))
        self.title.setText(state.title)
        self.text.setText(state.text)
        self.text.setVisible(bool(state.text))
        self.set_buttons(state.buttons)
        # the buttons may widen the column
        min_width = self._row.minimumSize().width() + 2 * self.column.contentsMargins().left()
        self.column_widget.setMaximumWidth(max(min_width, self.fontMetrics().horizontalAdvance("0") * MAX_LINE_CHARS))

    def set_buttons(self, buttons: Sequence[tuple[str, str]], *, primary: bool = True) -> None:
        """Replace the buttons; `primary` highlights the first as the recommended action."""
        clear_layout(self._row)
        self.buttons = {}
        if self._centred:
            self._row.addStretch(1)
        for number, (name, text) in enumerate(buttons):
            button = FlatButton(text, primary=primary and number == 0)
            button.setObjectName(name)
            button.clicked.connect(self._on_pressed)
            self.buttons[name] = button
            self._row.addWidget(button)
            # only visible buttons take the focus
            button.show()
        self._row.addStretch(1)
        if self.focuses_button and self._takes_focus:
            self.setFocusProxy(next(iter(self.buttons.values()), None) or self.column_widget)

    def press_first(self) -> None:
        """Click the first button, if there is one."""
        for button in list(self.buttons.values())[:1]:
            button.click()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the first button on Enter."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.press_first()
        else:
            super().keyPressEvent(event)

    def _on_pressed(self) -> None:
        id = self.sender().objectName()
        if not run_command(id):
            self.requested.emit(id)


class ContentOrPlaceholder(QStackedWidget):
    """Stack of `content` and a placeholder page."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self.placeholder = PlaceholderPage(centred=True, takes_focus=True)
        self.content = content
        self.addWidget(self.placeholder)
        self.addWidget(content)

    def show_state(self, state: EmptyState | None) -> None:
        """Show a placeholder page, or the content if the state is None."""
        widget = self.content if state is None else self.placeholder
        self.setCurrentWidget(widget)
        self.setFocusProxy(widget)
        if state is not None:
            self.placeholder.show_state(state)


class ReasonPopup(QMenu):
    """Popup with the reason why a page is not available, and buttons that make it available; Escape closes it."""

    def __init__(self, state: EmptyState, requested: Callable[[str], object], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(f"{state.title}. {state.text}")
        text = Label(state.text, wraps=True)
        text.setFixedWidth(self.fontMetrics().horizontalAdvance("0") * POPUP_CHARS)
        self.buttons = [FlatButton(title, primary=number == 0) for number, (_, title) in enumerate(state.buttons)]
        for button, (name, _) in zip(self.buttons, state.buttons, strict=True):
            button.clicked.connect(self.close)
            button.clicked.connect(partial(_run_or_request, name, requested))
        column = vbox(Label(state.title, bold=True), text, gap=8, margins=16)
        if self.buttons:
            column.addLayout(hbox(*self.buttons, StretchSpace(), gap=8))
        action = QWidgetAction(self)
        action.setDefaultWidget(wrap_layout(column))
        self.addAction(action)

    def open_below(self, widget: QWidget) -> None:
        """Open below a widget, with the focus on the first button."""
        self.popup(widget.mapToGlobal(widget.rect().bottomLeft() + QPoint(0, 4)))
        if self.buttons:
            self.buttons[0].setFocus()


def _run_or_request(id: str, requested: Callable[[str], object]) -> None:
    """Run the command with this id; if there is none, call `requested`."""
    if not run_command(id):
        requested(id)


class UnavailablePages(QObject):
    """Pages in tabs that have nothing to show: their tabs are grey, and open a popup with the reason instead."""

    def __init__(self, pages: LazyTabWidget) -> None:
        super().__init__(pages)
        self._pages = pages
        self._state_functions: dict[str, Callable[[], EmptyState | None]] = {}
        self._request_handlers: dict[str, Callable[[str], object]] = {}
        pages.explained.connect(self.explain)

    def add(self, id: str, get_state: Callable[[], EmptyState | None], on_request: Callable[[str], object]) -> None:
        """Add a page: `get_state` returns why it has nothing to show, or None.

        `on_request` gets the ids of pressed buttons, except those of commands, which are run.
        """
        self._state_functions[id], self._request_handlers[id] = get_state, on_request

    def refresh(self) -> None:
        """Make the tabs of pages that have nothing to show grey, and all others available."""
        for id, missing in self._state_functions.items():
            state = missing()
            self._pages.set_reason(id, "" if state is None else reason_text(state))

    def show(self, id: str) -> None:
        """Show a page, or the reason why it is not available."""
        if self._pages.reason(id):
            self.explain(id)
        else:
            self._pages.show_page(id)

    def explain(self, id: str) -> None:
        """Open a popup with the reason why a page is not available; show the page if it is available or current."""
        pages, missing = self._pages, self._state_functions[id]()
        if missing is None:
            pages.set_reason(id, "")
        if missing is None or id == pages.current:
            pages.show_page(id)
            return
        tabs = (bar.tabs[id] for bar in (pages.switch, pages.bar) if id in bar.tabs)
        popup = ReasonPopup(missing, self._request_handlers[id], pages)
        popup.open_below(next((tab for tab in tabs if tab.isVisible()), pages.bar))


def reason_text(missing: EmptyState) -> str:
    """Return the title and text of an empty page as sentences."""
    ends = missing.title.endswith(("?", "!", "."))
    return join_localized(" " if ends else ". ", [part for part in (missing.title, missing.text) if part])
