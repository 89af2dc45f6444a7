"""Footer of the item page with the item strip, and the bar above it that shows the pause before auto-advance."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QElapsedTimer, QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from qe_desktop.answers.event_history import COMMENT
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ratings.campaign import Screen
from qe_desktop.ratings.rater_session import ScreenStatus
from qe_desktop.report.format_values import format_duration
from qe_desktop.ui.rate.cards.scale_buttons import KEY_STEPS, arrow_step
from qe_desktop.ui.rate.item_header import ShortcutButton
from qe_desktop.ui.rate.item_remarks import CommentField
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.appearance import scaled_pixels
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.labels import Label, announce, plain_tooltip
from qe_desktop.ui.widgets.layouts import FlowLayout, Stretched, hbox
from qe_desktop.ui.widgets.themed_widget import ArrangedMixin, ThemedWidget

HEIGHT_PX, GAP_PX = 40, 16
MAX_STRIP_FRACTION = 0.4
"""Maximum fraction of the row's width for the item strip; the rest is for the comment and the buttons."""


class ItemFooter(ArrangedMixin, QWidget):
    """Row with an item strip, the progress, a slot for the comment field, and buttons."""

    def __init__(self, session: RatingSession, buttons: Iterable[ShortcutButton]) -> None:
        super().__init__()
        self._session = session
        self.strip = ItemStrip(session)
        self.progress = Label(token="muted")
        self.comment = CommentField(session)
        self.comment_slot = QWidget()
        self.comment_slot.setMinimumWidth(self.comment.minimumSizeHint().width())
        bar = self._bar = QWidget()
        row = self._buttons = FlowLayout(bar, gap=4)
        for button in buttons:
            row.addWidget(button)
        middle = Qt.AlignmentFlag.AlignVCenter
        hbox(self.strip, self.progress, Stretched(self.comment_slot, 1), Stretched(bar, 0, middle), on=self, gap=GAP_PX)
        self._arrange()
        session.changed.connect(self.refresh)
        session.screen_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Update the text and tooltip of the progress."""
        rated, total = self._session.work.progress()
        account = self._session.stats
        skipped, seconds = account.counts[ScreenStatus.SKIPPED], account.median_seconds
        if skipped:
            text = tr("{n:,} of {total:,} done ({skipped:,} skipped)", "", rated, total=total, skipped=skipped)
        else:
            text = tr("{n:,} of {total:,} done", "", rated, total=total)
        self.progress.setText(text)
        pace = "" if seconds is None else tr("Median time per item: {time}.", time=format_duration(seconds))
        self.progress.setToolTip(plain_tooltip(pace) if pace else "")

    def _arrange(self) -> None:
        """Keep the buttons on one line if they fit when the item strip and comment field have their minimum widths."""
        self.setMinimumHeight(scaled_pixels(HEIGHT_PX))
        self.strip.setMaximumWidth(max(self.strip.minimumSizeHint().width(), round(MAX_STRIP_FRACTION * self.width())))
        other_sizes = (self.strip.minimumSizeHint(), self.progress.sizeHint(), self.comment.minimumSizeHint())
        available_width = self.width() - sum(size.width() + GAP_PX for size in other_sizes)
        self._bar.setMinimumWidth(max(0, min(available_width, self._buttons.sizeHint().width())))


CELL_PX = 20
"""Side length of an item's square cell in pixels, at a text size of 100 %."""
COMMENT_DOT_RADIUS = 0.15
"""Radius of the dot that marks an item with a comment, as a fraction of the cell."""
MIN_SHOWN, MAX_SHOWN = 3, 40
"""Item counts for which the minimum and the maximum size of the strip are computed."""
STATUS_TEXTS = {
    ScreenStatus.OPEN: tr("open", "item status"),
    ScreenStatus.BEGUN: tr("started", "item status"),
    ScreenStatus.DONE: tr("done", "item status"),
    ScreenStatus.SKIPPED: tr("skipped", "item status"),
}


def paint_status(
    painter: QPainter, box: QRectF, status: ScreenStatus, colours: Theme, *, training: bool = False
) -> None:
    """Draw the box of an item, depending on `status`: empty, half filled, checked or struck through.

    The box of a training item is round.
    """
    radius = box.width() / 2 if training else 2.5
    full = status is ScreenStatus.DONE
    painter.setPen(QPen(colours.accent if full else colours.muted, 1.3))
    painter.setBrush(colours.accent if full else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box, radius, radius)
    inner = box.adjusted(box.width() * 0.24, box.height() * 0.24, -box.width() * 0.24, -box.height() * 0.24)
    if full:
        painter.setPen(QPen(colours.on_accent, 1.6))
        corner = QPointF(inner.left() + inner.width() * 0.38, inner.bottom())
        painter.drawPolyline([QPointF(inner.left(), inner.center().y()), corner, inner.topRight()])
    elif status is ScreenStatus.BEGUN:
        half = QRectF(box.left(), box.center().y(), box.width(), box.height() / 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.accent)
        painter.drawRoundedRect(half.adjusted(1, 0, -1, -1), 1.5, 1.5)
    elif status is ScreenStatus.SKIPPED:
        painter.setPen(QPen(colours.text, 1.6))
        painter.drawLine(box.topRight() + QPointF(-2, 2), box.bottomLeft() + QPointF(2, -2))


class ItemStrip(ThemedWidget):
    """Strip of the items around the current item, as many as fit.

    An ellipsis in the first or last cell stands for further items. While the strip has the focus, arrow keys move a
    keyboard cursor along the items.
    """

    item_requested = Signal(int)
    """Emitted with the index of the item that the user wants to go to."""

    def __init__(self, session: RatingSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._cursor = 0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Items"))
        session.changed.connect(self._on_session_changed)
        session.screen_changed.connect(self._on_session_changed)
        self._on_session_changed()

    @property
    def _screens(self) -> tuple[Screen, ...]:
        return self._session.work.screens

    def _on_session_changed(self) -> None:
        if not self.hasFocus():
            self._cursor = min(self._session.current_index, max(0, len(self._screens) - 1))
        by_status = self._session.stats.counts
        counts = (
            tr("{n} open", "items", by_status[ScreenStatus.OPEN]),
            tr("{n} started", "items", by_status[ScreenStatus.BEGUN]),
            tr("{n} done", "items", by_status[ScreenStatus.DONE]),
            tr("{n} skipped", "items", by_status[ScreenStatus.SKIPPED]),
        )
        self.setAccessibleDescription(", ".join(counts))
        self.update()

    def describe(self, index: int) -> str:
        """Return the description of an item, such as "Item 12: done · has a comment"."""
        description = self._describe_status(index)
        return (
            join_localized(" · ", [description, tr("has a comment", "item")])
            if self._has_comment(index)
            else description
        )

    def _has_comment(self, index: int) -> bool:
        return bool(self._session.work.value(self._screens[index].uid, COMMENT))

    def _describe_status(self, index: int) -> str:
        screen = self._screens[index]
        number, status = self._session.work.number(screen.uid), STATUS_TEXTS[self._session.work.status(screen.uid)]
        if index == self._session.current_index:
            if screen.training:
                return tr("Training item {number:,}: {status}, current", number=number, status=status)
            return tr("Item {number:,}: {status}, current", number=number, status=status)
        if screen.training:
            return tr("Training item {number:,}: {status}", number=number, status=status)
        return tr("Item {number:,}: {status}", number=number, status=status)

    # --- geometry

    def sizeHint(self) -> QSize:
        """Return the size for all items or, if there are too many, for `MAX_SHOWN` items and an ellipsis."""
        return self._size_of(MAX_SHOWN)

    def minimumSizeHint(self) -> QSize:
        """Return the size for all items or, if there are too many, for `MIN_SHOWN` items and an ellipsis."""
        return self._size_of(MIN_SHOWN)

    def _size_of(self, max_cells: int) -> QSize:
        count = len(self._screens)
        return QSize(self._cell_size() * (count if count <= max_cells else max_cells + 1) + 2, self._cell_size() + 4)

    def _cell_size(self) -> int:
        return scaled_pixels(CELL_PX)

    def visible_range(self) -> range:
        """Return the indices of the visible items."""
        count, cells = len(self._screens), (self.width() - 2) // self._cell_size()
        if cells >= count:
            return range(count)
        middle = self._cursor if self.hasFocus() else min(self._session.current_index, count - 1)
        # one cell for an ellipsis, or two between the ends
        at_end, middle_cells = max(1, cells - 1), max(1, cells - 2)
        first = middle - middle_cells // 2
        if first <= 1:
            return range(at_end)
        return range(first, first + middle_cells) if first + middle_cells < count - 1 else range(count - at_end, count)

    def rect_of(self, index: int) -> QRectF:
        """Return the rectangle of an item's cell; the first hidden item on either side has the cell of the ellipsis."""
        cell, visible = self._cell_size(), self.visible_range()
        number = index - visible.start + (visible.start > 0)
        x = self.width() - (number + 1) * cell if self.isRightToLeft() else number * cell
        return QRectF(x, 2, cell, cell)

    def place_at(self, x: float) -> int | None:
        """Return the index of the item at a horizontal position; None on an ellipsis or outside the items."""
        visible = self.visible_range()
        number = int((self.width() - x if self.isRightToLeft() else x) // self._cell_size()) - (visible.start > 0)
        return visible.start + number if 0 <= number < len(visible) else None

    # --- mouse and keyboard

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the clicked item."""
        index = self.place_at(event.position().x())
        if event.button() == Qt.MouseButton.LeftButton and index is not None:
            self.item_requested.emit(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the keyboard cursor (arrow keys, Home, End), or go to the item at the cursor (Enter, Space)."""
        key = Qt.Key(event.key())
        last = len(self._screens) - 1
        if key in KEY_STEPS:
            self._move_cursor(self._cursor + arrow_step(key, mirrored=self.isRightToLeft()))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._move_cursor(0 if key == Qt.Key.Key_Home else last)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.item_requested.emit(self._cursor)
        else:
            event.ignore()

    def _move_cursor(self, index: int) -> None:
        self._cursor = min(max(0, index), len(self._screens) - 1)
        self.update()
        announce(self, self.describe(self._cursor))

    def event(self, event: QEvent) -> bool:
        """Show the tooltip of the item under the pointer, and let the navigation keys override shortcuts."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keys = {*KEY_STEPS, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}
            if event.key() in keys and event.modifiers() == Qt.KeyboardModifier.NoModifier:
                event.accept()
                return True
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self.place_at(event.pos().x())
            QToolTip.showText(event.globalPos(), plain_tooltip(self.describe(index)) if index is not None else "", self)
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Move the keyboard cursor to the current item."""
        super().focusInEvent(event)
        self._move_cursor(min(self._session.current_index, len(self._screens) - 1))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Centre the strip on the current item again."""
        super().focusOutEvent(event)
        self._on_session_changed()

    # --- painting

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the items, and an ellipsis at each end beyond which there are further items."""
        work, visible = self._session.work, self.visible_range()
        painter.setPen(colours.muted)
        for index in (visible.start - 1, visible.stop):
            if 0 <= index < len(self._screens):
                painter.drawText(self.rect_of(index), Qt.AlignmentFlag.AlignCenter, "…")
        for index in visible:
            screen, rect = self._screens[index], self.rect_of(index)
            if index == self._session.current_index:
                painter.setPen(QPen(colours.accent, 2))
                painter.setBrush(colours.selection)
                painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 4, 4)
            if self.hasFocus() and index == self._cursor:
                painter.setPen(QPen(colours.text, 1.5, Qt.PenStyle.DotLine))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
            padding = rect.width() * 0.22
            box = rect.adjusted(padding, padding, -padding, -padding)
            paint_status(painter, box, work.status(screen.uid), colours, training=screen.training)
            if self._has_comment(index):
                corner = box.topLeft() if self.isRightToLeft() else box.topRight()
                _paint_comment_dot(painter, corner, COMMENT_DOT_RADIUS * rect.width(), colours)


def _paint_comment_dot(painter: QPainter, centre: QPointF, radius: float, colours: Theme) -> None:
    painter.setPen(QPen(colours.window, 1.5))
    painter.setBrush(colours.text)
    painter.drawEllipse(centre, radius, radius)


INTERVAL_MS = 30


class AutoAdvanceBar(ThemedWidget):
    """Bar that shrinks during the pause before auto-advance; it does not shrink if the user prefers reduced motion."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._duration = 0
        self._elapsed_timer = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.update)
        self.setFixedHeight(3)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def is_running(self) -> bool:
        """Whether a pause is running."""
        return self._duration > 0

    def run(self, milliseconds: int) -> None:
        """Start a pause of `milliseconds`; 0 ends the current pause."""
        self._duration = milliseconds
        self._elapsed_timer.start()
        if milliseconds and not self._settings.reduced_motion:
            self._timer.start()
        else:
            self._timer.stop()
        self.update()

    def remaining_fraction(self) -> float:
        """Return the fraction of the bar to draw; 0 if no pause is running.

        This is the remaining fraction of the pause or, with reduced motion, 1.
        """
        if not self._duration:
            return 0.0
        return 1.0 if self._settings.reduced_motion else max(0.0, 1 - self._elapsed_timer.elapsed() / self._duration)

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the remaining time."""
        width = round(self.width() * self.remaining_fraction())
        left = self.width() - width if self.isRightToLeft() else 0
        painter.fillRect(left, 0, width, self.height(), colours.accent)
