"""Base class of item cards, which show scrolling texts and handle keys, the card surface, and scroll areas."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QMargins, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ratings.rater_session import RaterSession
from qe_desktop.ui.action_registry import shortcut_text
from qe_desktop.ui.rate.cards.reading_pane import ReadingPane
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.layouts import Stretched, set_side_margins, vbox
from qe_desktop.ui.widgets.themed_widget import ArrangedMixin, ThemedWidget

CARD_PADDING_PX, TOP_PADDING_PX, END_PADDING_PX = 24, 14, 8
"""Padding between a card's border and its contents: at the start, at the top, and at the end and the bottom."""
HEADING_GAP_PX = 4

_NAMED_KEYS = {
    "rate.next": tr("next"),
    "rate.back": tr("back"),
    "rate.skip": tr("skip"),
    "rate.comment": tr("comment"),
    "edit.undo": tr("undo"),
    "help.shortcuts": tr("all keys"),
}
"""Short names, by id, of commands whose shortcuts are listed in the instructions of every protocol."""


def keys_text(keys: str) -> str:
    """Return `keys`, the description of a card's keys, followed by the shortcuts of commands that all cards have."""
    shortcuts = [(shortcut_text(id), text) for id, text in _NAMED_KEYS.items()]
    named = [tr("{key}: {command}", key=key, command=text) for key, text in shortcuts if key]
    return f"{keys} {join_localized('; ', named)}." if named else keys


class ItemCard(ArrangedMixin, QWidget):
    """Base class of the cards that show the current item. Keys that a card does not use are ignored."""

    message_posted = Signal(str)
    """Emitted with a hint about the last key pressed, for example if it has no effect."""

    def __init__(self, session: RatingSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.view = TextView()

    def create_surface(self, texts: QWidget, *above: QWidget) -> CardSurface:
        """Create and return a surface on which `texts` scroll below the widgets `above`, which do not scroll."""
        self.view.set_content(texts)
        sheet = CardSurface(*above, view=self.view)
        for pane in self.panes():
            pane.text_selected.connect(self._deselect_others)
        self.session.screen_changed.connect(self._schedule_scroll)
        self._schedule_scroll()
        return sheet

    def panes(self) -> list[ReadingPane]:
        """Return the text panes of the card."""
        return []

    def selected(self) -> str:
        """Return the selected text; empty if none is selected."""
        return next((pane.selected_text() for pane in self.panes() if pane.selected_text()), "")

    def _deselect_others(self) -> None:
        sender = self.sender()
        for pane in self.panes():
            if pane is not sender and pane.selected_text():
                pane.deselect()

    # --- scrolling

    def _schedule_scroll(self) -> None:
        # heights are known only after the layout
        QTimer.singleShot(0, self, self.scroll_to_start)

    def scroll_to_start(self) -> None:
        """Scroll to the initial scroll position of the item."""
        self.view.show_position(self.scroll_offset)

    def scroll_offset(self) -> int:
        """Return the initial scroll position of the item in pixels; 0 by default."""
        return 0

    def scroll_by(self, pages: float) -> None:
        """Scroll down by `pages` times the visible height; a negative value scrolls up."""
        self.view.scroll_by(pages)

    # --- keys

    def question_text(self) -> str:
        """Return the paragraph of the instructions about the current question; by default, the second paragraph."""
        return self.session.work.protocol.task_paragraphs(self.session.work.campaign)[1]

    @staticmethod
    def keys(work: RaterSession) -> str:
        """Return a description of the card's keys for the instructions; empty by default."""
        return ""

    def digit(self, digit: int) -> None:
        """Handle a digit key."""

    def letter_count(self) -> int:
        """Return the number of translations of the current item that have a letter; 0 by default."""
        return 0

    def letter(self, index: int) -> None:
        """Handle a letter key; `index` 0 is A."""

    def step(self, by: int) -> None:
        """Handle the Up key (`by` is -1) or the Down key (`by` is 1)."""

    def page_step(self, by: int) -> None:
        """Handle the Page Up key (`by` is -1) or the Page Down key (`by` is 1); by default, scroll."""
        self.scroll_by(by * 0.9)

    def enter(self) -> bool:
        """Handle the Enter key; if the card does not use it, return False, so that the page goes to the next item."""
        return False

    def erase(self) -> bool:
        """Handle Backspace; if the card does not use it, return False, so that the page goes to the previous item."""
        return False

    has_differences = False
    """Whether the card shows several translations, whose differences can be highlighted."""

    def toggle_differences(self) -> None:
        """Toggle highlighting of differences between translations."""

    def commit_input(self) -> None:
        """Commit pending input before the item is left."""


class CardSurface(ThemedWidget):
    """Surface of a card: widgets that do not scroll and, below them, the scrolling texts."""

    def __init__(self, *above: QWidget, view: QWidget) -> None:
        super().__init__()
        self._above = above
        margins = (0, TOP_PADDING_PX, 0, END_PADDING_PX)
        self._column = vbox(*above, Stretched(view, 1), on=self, gap=HEADING_GAP_PX, margins=margins)
        set_side_margins(self._column, CARD_PADDING_PX, END_PADDING_PX)

    def padding(self) -> QMargins:
        """Return the space between the border and the contents, in pixels."""
        return self._column.contentsMargins()

    def non_text_height(self) -> int:
        """Return the height in pixels that is not available for the scrolling texts."""
        above = sum(widget.sizeHint().height() + HEADING_GAP_PX for widget in self._above)
        return self.padding().top() + self.padding().bottom() + above

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the background and the border."""
        painter.setPen(colours.border)
        painter.setBrush(colours.surface)
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)


UNLIMITED = 16_777_215
"""Maximum size of a widget without a size limit, in pixels: Qt's QWIDGETSIZE_MAX."""


class TextView(QScrollArea):
    """Scroll area that has no frame or background and does not take the focus."""

    resized = Signal(int, int, int)
    """Emitted with the visible width and height and the width of the scroll bar (0 if hidden), in pixels."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        self._position: Callable[[], int] = int
        self._has_user_scrolled = False
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._on_range)
        bar.actionTriggered.connect(self._on_moved)
        bar.valueChanged.connect(self._repaint_panes)

    def show_position(self, position: Callable[[], int]) -> None:
        """Scroll to the position that `position` returns, and again after each layout change until the user scrolls."""
        self._position, self._has_user_scrolled = position, False
        self.verticalScrollBar().setValue(position())

    def scroll_by(self, pages: float) -> None:
        """Scroll down by `pages` times the visible height, or up if `pages` is negative."""
        self._has_user_scrolled = True
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + round(pages * self.viewport().height()))

    def _on_range(self) -> None:
        # the range may be larger than when the position was set
        if not self._has_user_scrolled:
            self.verticalScrollBar().setValue(self._position())

    def _on_moved(self) -> None:
        self._has_user_scrolled = True

    def _repaint_panes(self) -> None:
        # the first and the last visible line change
        for pane in self.findChildren(ReadingPane):
            pane.viewport().update()

    def set_content(self, texts: QWidget) -> None:
        """Set the content."""
        self.setWidget(texts)
        texts.setAutoFillBackground(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Emit the new size, and restore the scroll position unless the user has scrolled."""
        super().resizeEvent(event)
        size = self.viewport().size()
        self.resized.emit(size.width(), size.height(), self.width() - size.width())
        # the position may depend on the size even if the range is unchanged
        self._on_range()


class FittedView(TextView):
    """Base class of scroll areas that adapt to the size of their content; subclasses implement `fit`."""

    def set_content(self, texts: QWidget) -> None:
        """Set the content, and call `fit` whenever the layout of the content changes."""
        super().set_content(texts)
        texts.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Call `fit` when the layout of the content changes."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return False

    def needed_height(self) -> int:
        """Return the height that the content needs, in pixels; 0 if there is no content."""
        texts = self.widget()
        layout = texts.layout() if texts is not None else None
        return layout.sizeHint().height() if layout is not None else 0

    def fit(self) -> None:
        """Set the height of the view; implemented by subclasses."""
        raise NotImplementedError
