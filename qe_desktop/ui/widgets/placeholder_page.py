"""Page with a title, a text and buttons in its centre, shown instead of missing content.

A tab page without content is not shown. Instead, its tab is marked as unavailable, and a click on the tab opens a
popup with the title, text and buttons.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
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
    set_side_margins,
    vbox,
    wrap_layout,
)
from qe_desktop.ui.widgets.lazy_stack import LazyTabWidget

MAX_LINE_CHARS = 72
"""Maximum number of characters per line, for readability."""
POPUP_CHARS = 52
"""Width of the text in a popup, in characters."""


class StateAction(NamedTuple):
    """Action of a placeholder page: an id, which may be the id of a command, and the text of the button."""

    id: str
    text: str


OPEN_FILES = StateAction("file.open-files", tr("Open files…"))
OPEN_SAMPLE = StateAction("file.sample-en-de", tr("Open the sample"))
"""Command that placeholder pages offer, like `OPEN_FILES`, while no data is open."""


@dataclass(frozen=True, slots=True)
class EmptyState:
    """Content of a placeholder page. `buttons` contains the id and text of each button; Enter presses the first button.

    If `icon` is None, the default icon of the page is shown. If `icon` is empty, no icon is shown.
    """

    title: str
    text: str
    buttons: tuple[tuple[str, str], ...] = ()
    icon: str | None = None

    @property
    def is_error(self) -> bool:
        """Whether the page reports an error instead of missing content."""
        return self.icon == "error"


class PlaceholderPage(QWidget):
    """Page with a title, a text and buttons in a scrollable column; `insert` adds widgets below the text.

    A `centred` page replaces missing content; other pages have longer texts or more widgets. If `takes_focus`, the
    first button receives the focus of the page; the default is False for centred pages and True for other pages.
    """

    requested = Signal(str)
    """Emitted with the id of a pressed button, unless it is the id of a command; commands are run directly."""
    focuses_button = True
    """Whether the first button may receive the focus of the page; otherwise, the page itself keeps the focus."""
    keeps_buttons_visible = False
    """Whether the buttons are below the scrollable column, so that a long text does not hide them."""

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
        """Displayed state; None if no state has been displayed yet."""
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
        self.column: QVBoxLayout = vbox(sign, self.title, self.text, gap=16)
        self.column_widget = wrap_layout(self.column)
        margin = 16 if centred else 24
        self.column.setContentsMargins(*(4 * (margin,)))
        across = hbox(StretchSpace(), Stretched(self.column_widget, 100), StretchSpace())
        container = wrap_layout(vbox(StretchSpace(2), across, StretchSpace(3), margins=8))
        self._container, self._scroll = container, make_scroll_area(container)
        for ground in (self._scroll.viewport(), container):
            ground.setAutoFillBackground(False)
        self._columns = [self.column_widget]
        """Widgets that have the width of a column of text."""
        if not self.keeps_buttons_visible:
            self.column.addLayout(self._row)
            vbox(self._scroll, on=self)
            return
        self._row.setContentsMargins(margin, 0, margin, margin)
        self._columns.append(wrap_layout(self._row))
        bar = hbox(StretchSpace(), Stretched(self._columns[1], 100), StretchSpace(), margins=(8, 0, 8, 8))
        vbox(StretchSpace(2), Stretched(self._scroll, 1000), wrap_layout(bar), StretchSpace(3), on=self)
        scroll_bar = self._scroll.verticalScrollBar()

        def align(_: int, last: int) -> None:
            # the text is centred in the width that the scroll bar leaves
            set_side_margins(bar, 8, 8 + (scroll_bar.sizeHint().width() if last else 0))

        scroll_bar.rangeChanged.connect(align)
        container.installEventFilter(self)

    def insert(self, widget: QWidget) -> None:
        """Put a widget between the text and the buttons."""
        self.column.insertWidget(self.column.count() - (not self.keeps_buttons_visible), widget)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the height of the scroll area to its contents when they change."""
        if watched is self._container and event.type() == QEvent.Type.LayoutRequest:
            self._fit_scroll_area()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the height of the scroll area to its contents."""
        super().resizeEvent(event)
        self._fit_scroll_area()

    def _fit_scroll_area(self) -> None:
        """If the buttons are below the scroll area, limit its height, so that there is no gap above the buttons."""
        layout = self._container.layout()
        if self.keeps_buttons_visible and layout is not None:
            self._scroll.setMaximumHeight(max(1, layout.totalHeightForWidth(self.width())))

    def show_state(self, state: EmptyState) -> None:
        """Display a state instead of the current one."""
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
        for widget in self._columns:
            widget.setMaximumWidth(max(min_width, self.fontMetrics().horizontalAdvance("0") * MAX_LINE_CHARS))

    def set_buttons(self, buttons: Sequence[tuple[str, str]], *, primary: bool = True) -> None:
        """Replace the buttons; `primary` highlights the first button as the recommended action."""
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
        """Press the first button on Enter; scroll on Page Up and Page Down."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.press_first()
        elif event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            bar, is_up = self._scroll.verticalScrollBar(), event.key() == Qt.Key.Key_PageUp
            bar.setValue(bar.value() + (-bar.pageStep() if is_up else bar.pageStep()))
        else:
            super().keyPressEvent(event)

    def _on_pressed(self) -> None:
        id = self.sender().objectName()
        if not run_command(id):
            self.requested.emit(id)


class ContentOrPlaceholder(QStackedWidget):
    """Stack that shows either `content` or a placeholder page."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self.placeholder = PlaceholderPage(centred=True, takes_focus=True)
        self.content = content
        self.addWidget(self.placeholder)
        self.addWidget(content)

    def show_state(self, state: EmptyState | None) -> None:
        """Show `state` on the placeholder page, or show the content if `state` is None."""
        widget = self.content if state is None else self.placeholder
        self.setCurrentWidget(widget)
        self.setFocusProxy(widget)
        if state is not None:
            self.placeholder.show_state(state)


class ReasonPopup(QMenu):
    """Popup that states why a page is not available and offers actions as buttons; Escape closes the popup."""

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
        """Open the popup below a widget, with the focus on the first button."""
        self.popup(widget.mapToGlobal(widget.rect().bottomLeft() + QPoint(0, 4)))
        if self.buttons:
            self.buttons[0].setFocus()


def _run_or_request(id: str, requested: Callable[[str], object]) -> None:
    if not run_command(id):
        requested(id)


class UnavailablePages(QObject):
    """Controller of tab pages that may be unavailable; the tab of an unavailable page opens a popup with the reason."""

    def __init__(self, pages: LazyTabWidget) -> None:
        super().__init__(pages)
        self._pages = pages
        self._state_functions: dict[str, Callable[[], EmptyState | None]] = {}
        self._request_handlers: dict[str, Callable[[str], object]] = {}
        pages.explained.connect(self.explain)

    def add(self, id: str, get_state: Callable[[], EmptyState | None], on_request: Callable[[str], object]) -> None:
        """Add a page. `get_state` returns the reason why the page has nothing to show, or None if the page has content.

        `on_request` is called with the id of a pressed button, unless it is the id of a command; commands are run.
        """
        self._state_functions[id], self._request_handlers[id] = get_state, on_request

    def refresh(self) -> None:
        """Mark the tabs of pages without content as unavailable, and the tabs of all other pages as available."""
        for id, missing in self._state_functions.items():
            state = missing()
            self._pages.set_reason(id, "" if state is None else reason_text(state))

    def show(self, id: str) -> None:
        """Show a page if it is available; otherwise, open a popup with the reason why it is not available."""
        if self._pages.reason(id):
            self.explain(id)
        else:
            self._pages.show_page(id)

    def explain(self, id: str) -> None:
        """Show a page if it is available or current; otherwise, open a popup with the reason why it is unavailable."""
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
    """Join the title and text of a state, with a full stop between them if the title has no final punctuation."""
    ends = missing.title.endswith(("?", "!", "."))
    return join_localized(" " if ends else ". ", [part for part in (missing.title, missing.text) if part])
