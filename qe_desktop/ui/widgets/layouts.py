"""Layouts as one call whose nesting shows the arrangement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from qe_desktop.ui.widgets.focus_frame import FocusFrame

Box = TypeVar("Box", bound=QBoxLayout)
Margins = int | tuple[int, int, int, int]


class StretchSpace(NamedTuple):
    """Room that takes a share of what is left."""

    share: int = 1


class FixedSpace(NamedTuple):
    """Room of a fixed size."""

    pixels: int


class Stretched(NamedTuple):
    """A widget that takes a share of what is left, or stands at one side of its place."""

    part: QWidget | QLayout
    share: int = 0
    side: Qt.AlignmentFlag = Qt.AlignmentFlag(0)


LayoutPart = QWidget | QLayout | StretchSpace | FixedSpace | Stretched


def vbox(
    *parts: LayoutPart, on: QWidget | None = None, gap: int | None = None, margins: Margins | None = 0
) -> QVBoxLayout:
    """Parts below each other, `on` a widget or for another layout; None leaves `gap` or `margins` to the style."""
    return _fill_layout(QVBoxLayout(), parts, on, gap, margins)


def hbox(
    *parts: LayoutPart, on: QWidget | None = None, gap: int | None = None, margins: Margins | None = 0
) -> QHBoxLayout:
    """Widgets in a row, set `on` a widget or for another layout; None leaves `gap` or `margins` to the style."""
    return _fill_layout(QHBoxLayout(), parts, on, gap, margins)


def wrap_layout(layout: QLayout) -> QWidget:
    """A widget that is nothing but a layout."""
    widget = QWidget()
    widget.setLayout(layout)
    return widget


def make_splitter(orientation: Qt.Orientation, *parts: QWidget, shares: Sequence[int] = ()) -> QSplitter:
    """Parts with handles between them, none of which can be closed; `shares` say who takes more room there is."""
    splitter = QSplitter(orientation)
    splitter.setChildrenCollapsible(False)
    for part in parts:
        splitter.addWidget(part)
    for place, share in enumerate(shares):
        splitter.setStretchFactor(place, share)
    return splitter


class FittedSplitter(QSplitter):
    """Two parts, one above the other. The upper is as high as `preferred` says, until the user moves the handle.

    `preferred` returns the height of the upper part, from that of both.
    """

    def __init__(self, upper: QWidget, lower: QWidget, preferred: Callable[[int], int]) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.setChildrenCollapsible(False)
        self.addWidget(upper)
        self.addWidget(lower)
        self.setStretchFactor(1, 1)
        self._preferred = preferred
        self._moved = False
        self.splitterMoved.connect(self._on_moved)

    def fit(self) -> None:
        """Divide the height."""
        if not self._moved:
            height = self.height()
            upper = self._preferred(height)
            self.setSizes([upper, height - upper])

    def _on_moved(self) -> None:
        self._moved = True

    def event(self, event: QEvent) -> bool:
        """Divide the height again after a change of size or font."""
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.FontChange):
            self.fit()
        return handled


def make_scroll_area(widget: QWidget, *, focus: bool = False) -> QScrollArea:
    """A widget that scrolls up and down where there is too little room; with `focus`, by its keys as well."""
    area = QScrollArea()
    area.setWidget(widget)
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    if focus:
        FocusFrame(area)
    else:
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


def _fill_layout(
    box: Box, parts: Sequence[LayoutPart], on: QWidget | None, gap: int | None, margins: Margins | None
) -> Box:
    if on is not None:
        on.setLayout(box)
    if margins is not None:
        box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if gap is not None:
        box.setSpacing(gap)
    for part in parts:
        if isinstance(part, StretchSpace):
            box.addStretch(part.share)
        elif isinstance(part, FixedSpace):
            box.addSpacing(part.pixels)
        else:
            placed = part if isinstance(part, Stretched) else Stretched(part)
            if isinstance(placed.part, QLayout):
                box.addLayout(placed.part, placed.share)
            else:
                box.addWidget(placed.part, placed.share, placed.side)
    return box


class FlowLayout(QLayout):
    """Widgets in reading order, each at its own size, centred in its line's height; `centred` centres the lines."""

    def __init__(
        self, parent: QWidget | None = None, *, gap: int = 16, line_gap: int = 6, centred: bool = False
    ) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}
        """What was answered since anything in it changed: Qt asks for the same again and again while it lays out."""
        self._gap = gap
        self._line_gap = line_gap
        self._centred = centred
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """Take an item over."""
        self._items.append(item)

    def count(self) -> int:
        """How many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """The item at a place, or None."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Give an item up."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def bring_first(self, widget: QWidget) -> None:
        """Put a widget of the line before all others."""
        self._items.sort(key=lambda item: item.widget() is not widget)
        self.invalidate()

    def expandingDirections(self) -> Qt.Orientation:
        """It takes no more room than it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """A narrower one is higher."""
        return True

    def invalidate(self) -> None:
        """Something in it has another size, or is there no longer."""
        self._heights = {}
        super().invalidate()

    def heightForWidth(self, width: int) -> int:
        """How high all lines are."""
        if width not in self._heights:
            self._heights[width] = self._arrange(QRect(0, 0, width, 0), move=False)
        return self._heights[width]

    def setGeometry(self, rect: QRect) -> None:
        """Arrange the widgets."""
        super().setGeometry(rect)
        height = self._arrange(rect, move=True)
        parent = self.parentWidget()
        if parent is not None and parent.minimumHeight() != height:
            # Qt asks for the least height without a width, and would give further lines away
            parent.setMinimumHeight(height)

    def sizeHint(self) -> QSize:
        """All in one line."""
        shown = self._shown()
        return QSize(self._width(shown), max((item.sizeHint().height() for item in shown), default=0))

    def minimumSize(self) -> QSize:
        """The widest widget."""
        size = QSize()
        for item in self._shown():
            size = size.expandedTo(item.minimumSize())
        return size

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _width(self, line: list[QLayoutItem]) -> int:
        return sum(item.sizeHint().width() for item in line) + self._gap * max(0, len(line) - 1)

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = [[]]
        used = 0
        for item in self._shown():
            needed = item.sizeHint().width()
            if lines[-1] and used + needed > width:
                lines.append([])
                used = 0
            lines[-1].append(item)
            used += needed + self._gap
        return lines

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        parent = self.parentWidget()
        mirrored = parent is not None and parent.layoutDirection() == Qt.LayoutDirection.RightToLeft
        y = rect.y()
        for line in self._lines(rect.width()):
            height = max((item.sizeHint().height() for item in line), default=0)
            x = rect.x() + (max(0, rect.width() - self._width(line)) // 2 if self._centred else 0)
            for item in line:
                size = item.sizeHint()
                left = rect.x() + rect.right() - x - size.width() + 1 if mirrored else x
                if move:
                    item.setGeometry(QRect(QPoint(left, y + (height - size.height()) // 2), size))
                x += size.width() + self._gap
            y += height + self._line_gap
        return y - rect.y() - self._line_gap


BoxDirection = QBoxLayout.Direction


class ResponsiveBoxLayout(QBoxLayout):
    """Follows a widget's width and text size: from `letters` of width on, it runs from left to right."""

    arranged = Signal()
    """Width or text size are other ones, and the row runs as it must."""

    def __init__(
        self,
        widget: QWidget,
        letters: int,
        *,
        on: QWidget | None = None,
        gap: int,
        narrow: BoxDirection = BoxDirection.TopToBottom,
    ) -> None:
        super().__init__(BoxDirection.LeftToRight, on)
        self._letters = letters
        self._narrow = narrow
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(gap)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Turn where it is time to."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange) and isinstance(watched, QWidget):
            in_a_row = watched.width() >= watched.fontMetrics().horizontalAdvance("0") * self._letters
            direction = BoxDirection.LeftToRight if in_a_row else self._narrow
            if direction != self.direction():
                self.setDirection(direction)
            self.arranged.emit()
        return False


GAP = 28


MIN_COLUMN_CHARS, MAX_COLUMN_CHARS = 46, 80
"""Minimum and maximum characters of a column."""


class ResponsiveColumns(QScrollArea):
    """Shows `parts` in as many columns as fit every part and `MIN_COLUMN_CHARS`, none wider than `MAX_COLUMN_CHARS`."""

    def __init__(self, parts: Sequence[QWidget], *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = list(parts)
        self._columns = 0
        self._inner = QWidget()
        self._grid = QGridLayout(self._inner)
        self._grid.setContentsMargins(16, 8, 16, 8)
        self._grid.setHorizontalSpacing(GAP)
        self._grid.setVerticalSpacing(20)
        self.setWidget(self._inner)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._arrange(len(self._parts))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Choose the number of columns."""
        super().resizeEvent(event)
        width = self.viewport().width() - 32
        column = self.fontMetrics().horizontalAdvance("0") * MIN_COLUMN_CHARS
        most = min(len(self._parts), (width + GAP) // (column + GAP))
        self._arrange(next((columns for columns in range(most, 1, -1) if self._needed(columns) <= width), 1))

    def _needed(self, columns: int) -> int:
        """The width of this number of columns."""
        widths = [part.minimumSizeHint().width() for part in self._parts]
        return sum(max(widths[place::columns]) + GAP for place in range(columns)) - GAP

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for part in self._parts:
            self._grid.removeWidget(part)
        for place, part in enumerate(self._parts):
            self._grid.addWidget(part, place // columns, place % columns)
            part.setMaximumWidth(self.fontMetrics().horizontalAdvance("0") * MAX_COLUMN_CHARS)
        for place in range(len(self._parts)):
            self._grid.setColumnStretch(place, 1 if place < columns else 0)


def find_scroll_area(widget: QWidget) -> QScrollArea | None:
    """What a widget scrolls in, however deep it stands there; None where nothing does."""
    above = widget.parentWidget()
    while above is not None and not isinstance(above, QScrollArea):
        above = above.parentWidget()
    return above


def ensure_rect_visible(widget: QWidget, rect: QRectF, margin: float) -> None:
    """Scroll until a point of a widget is visible, with this many pixels above and below."""
    area = find_scroll_area(widget)
    inside = None if area is None else area.widget()
    if area is not None and inside is not None:
        centre = widget.mapTo(inside, rect.center().toPoint()) if inside is not widget else rect.center().toPoint()
        area.ensureVisible(centre.x(), centre.y(), 0, round(margin))


def scroll_by_pages(widget: QWidget, pages: int) -> None:
    """Scroll by this many pages, down, or up if negative."""
    area = find_scroll_area(widget)
    if area is not None:
        bar = area.verticalScrollBar()
        bar.setValue(bar.value() + pages * bar.pageStep())
