"""Scroll area whose scroll bar lies over the margin of its content, and functions that scroll to words and lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import ceil, floor

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QScrollBar, QWidget


class OverlayScrollArea(QScrollArea):
    """Area that scrolls a widget vertically; the scroll bar covers the widget's margin, which must be wide enough."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.setWidget(widget)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for policy in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_bar = QScrollBar(Qt.Orientation.Vertical, self)
        """Scroll bar over the content; the built-in scroll bar is hidden, because it would narrow the content."""
        self.scroll_bar.hide()
        hidden = self.verticalScrollBar()
        hidden.rangeChanged.connect(self._sync_scroll_bar)
        hidden.valueChanged.connect(self.scroll_bar.setValue)
        self.scroll_bar.valueChanged.connect(hidden.setValue)
        self.viewport().installEventFilter(self)

    def _sync_scroll_bar(self) -> None:
        hidden = self.verticalScrollBar()
        self.scroll_bar.setRange(hidden.minimum(), hidden.maximum())
        self.scroll_bar.setPageStep(hidden.pageStep())
        self.scroll_bar.setSingleStep(hidden.singleStep())
        self.scroll_bar.setValue(hidden.value())
        self.scroll_bar.setVisible(hidden.maximum() > hidden.minimum())
        self._place()

    def _place(self) -> None:
        width = self.scroll_bar.sizeHint().width()
        left = 0 if self.isRightToLeft() else self.width() - width
        self.scroll_bar.setGeometry(left, 0, width, self.height())
        self.scroll_bar.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Update the scroll bar when the area is resized."""
        if event.type() == QEvent.Type.Resize:
            self._sync_scroll_bar()
        return super().eventFilter(watched, event)


def find_scroll_area(widget: QWidget) -> QScrollArea | None:
    """Return the innermost scroll area that contains a widget; None if there is none."""
    above = widget.parentWidget()
    while above is not None and not isinstance(above, QScrollArea):
        above = above.parentWidget()
    return above


def ensure_rect_visible(widget: QWidget, rect: QRectF, margin: float) -> None:
    """Scroll until the centre of `rect` is visible, with at least `margin` pixels above and below the centre.

    `rect` is in widget coordinates. If the scroll area is too small for both margins, the centre of `rect` moves to the
    middle of the area. If the widget is not in a scroll area, nothing happens.
    """
    area = find_scroll_area(widget)
    content = None if area is None else area.widget()
    if area is not None and content is not None:
        centre = widget.mapTo(content, rect.center().toPoint()) if content is not widget else rect.center().toPoint()
        area.ensureVisible(centre.x(), centre.y(), 0, min(round(margin), area.viewport().height() // 2))


def scroll_to_whole_line(widget: QWidget, tops: Sequence[float], rect: QRectF) -> None:
    """Scroll so that no line of text is cut off at the top of the area, provided that `rect` remains visible.

    `tops` are the y coordinates of the tops of the lines, in ascending order; `tops` and `rect` are in widget
    coordinates. Nothing happens if the area is scrolled to the top, or if its top edge is above the first line.
    """
    area = find_scroll_area(widget)
    content = None if area is None else area.widget()
    if area is None or content is None:
        return
    bar, offset = area.verticalScrollBar(), widget.mapTo(content, QPoint()).y()
    above = bisect_right(tops, bar.value() - offset) - 1
    if bar.value() <= 0 or above < 0:
        return
    value = floor(tops[above]) + offset if above else 0
    is_cut = rect.bottom() + offset > value + area.viewport().height()
    if is_cut and above + 1 < len(tops) and tops[above + 1] <= rect.top():
        # the line above does not fit
        value = floor(tops[above + 1]) + offset
    # the space above a line may be cut off, but not its text
    needed = ceil(rect.bottom()) + offset - area.viewport().height()
    bar.setValue(min(max(value, needed), max(value, floor(rect.top()) + offset)))


def scroll_by_pages(widget: QWidget, pages: int) -> None:
    """Scroll the area that contains a widget down by `pages` pages, or up if `pages` is negative."""
    area = find_scroll_area(widget)
    if area is not None:
        bar = area.verticalScrollBar()
        bar.setValue(bar.value() + pages * bar.pageStep())
