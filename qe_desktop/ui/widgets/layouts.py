"""Responsive layouts, and functions that create a layout together with its contents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from typing import NamedTuple, TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QResizeEvent
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

from qe_desktop.ui.widgets.keyboard_focus import FocusFrame

Box = TypeVar("Box", bound=QBoxLayout)
Margins = int | tuple[int, int, int, int]


class StretchSpace(NamedTuple):
    """Stretchable empty space in a layout; `stretch` is the stretch factor."""

    stretch: int = 1


class FixedSpace(NamedTuple):
    """Empty space of a fixed size in a layout."""

    pixels: int


class Stretched(NamedTuple):
    """Widget or layout with a stretch factor in its parent layout; a widget can also have an alignment in its cell."""

    content: QWidget | QLayout
    stretch: int = 0
    alignment: Qt.AlignmentFlag = Qt.AlignmentFlag(0)


LayoutPart = QWidget | QLayout | StretchSpace | FixedSpace | Stretched


def vbox(
    *parts: LayoutPart, on: QWidget | None = None, gap: int | None = None, margins: Margins | None = 0
) -> QVBoxLayout:
    """Create a vertical layout of parts and set it on the widget `on`, if given.

    If `gap` or `margins` is None, the default of the style is used.
    """
    return _fill_layout(QVBoxLayout(), parts, on, gap, margins)


def hbox(
    *parts: LayoutPart, on: QWidget | None = None, gap: int | None = None, margins: Margins | None = 0
) -> QHBoxLayout:
    """Create a horizontal layout of parts and set it on the widget `on`, if given.

    If `gap` or `margins` is None, the default of the style is used.
    """
    return _fill_layout(QHBoxLayout(), parts, on, gap, margins)


def set_side_margins(box: QLayout, start: int, end: int) -> None:
    """Set the leading and trailing margins, which Qt does not mirror; the layout must have a parent widget."""
    widget, margins = box.parentWidget(), box.contentsMargins()
    mirrored = widget is not None and widget.isRightToLeft()
    left, right = (end, start) if mirrored else (start, end)
    box.setContentsMargins(left, margins.top(), right, margins.bottom())


def layout_widgets(layout: QLayout) -> list[QWidget]:
    """Return the widgets in a layout and its nested layouts, in the order of the parent widget's children.

    The list is empty if the layout has no parent widget.
    """
    # itemAt is not used: Qt deletes an item with its widget, but Python does not notice, mistakes a later object at
    # the same address for the item, and crashes
    parent, layouts = layout.parentWidget(), [layout, *layout.findChildren(QLayout)]
    if parent is None:
        return []
    children = parent.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return [child for child in children if any(box.indexOf(child) >= 0 for box in layouts)]


def clear_layout(layout: QLayout, *, excluded: QWidget | None = None) -> None:
    """Remove all items from a layout, and delete their widgets, except the widget `excluded`."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None and widget is not excluded:
            widget.hide()
            widget.deleteLater()


def wrap_layout(layout: QLayout) -> QWidget:
    """Create a widget that has the given layout."""
    widget = QWidget()
    widget.setLayout(layout)
    return widget


def make_splitter(orientation: Qt.Orientation, *parts: QWidget, shares: Sequence[int] = ()) -> QSplitter:
    """Create a splitter whose parts cannot be collapsed; `shares` are the stretch factors of the parts."""
    splitter = QSplitter(orientation)
    splitter.setChildrenCollapsible(False)
    for part in parts:
        splitter.addWidget(part)
    for index, share in enumerate(shares):
        splitter.setStretchFactor(index, share)
    return splitter


class FittedSplitter(QSplitter):
    """Vertical splitter; until the user moves the handle, `preferred` determines the height of the upper part.

    `preferred` receives the height of the splitter and returns the height of the upper part, in pixels.
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
        """Divide the height between the two parts, unless the user has moved the handle."""
        if not self._moved:
            height = self.height()
            upper = self._preferred(height)
            self.setSizes([upper, height - upper])

    def _on_moved(self) -> None:
        self._moved = True

    def event(self, event: QEvent) -> bool:
        """Divide the height again when the size or the font has changed."""
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.FontChange):
            self.fit()
        return handled


class WholeLinesScrollArea(QScrollArea):
    """Scroll area for a text; it shows only whole lines, so that the last visible line is not cut off."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the space for an incomplete line at the bottom empty, unless the whole text is visible."""
        super().resizeEvent(event)
        text = self.widget()
        is_fully_visible = text is not None and text.heightForWidth(self.width()) <= self.height()
        line = ceil(QFontMetricsF(self.font()).height())
        self.setViewportMargins(0, 0, 0, 0 if is_fully_visible else self.height() % line)


def make_scroll_area(widget: QWidget, *, focus: bool = False, whole_lines: bool = False) -> QScrollArea:
    """Create a scroll area that scrolls a widget vertically; with `focus`, the keyboard can scroll it as well."""
    area = WholeLinesScrollArea() if whole_lines else QScrollArea()
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
            box.addStretch(part.stretch)
        elif isinstance(part, FixedSpace):
            box.addSpacing(part.pixels)
        else:
            placed = part if isinstance(part, Stretched) else Stretched(part)
            if isinstance(placed.content, QLayout):
                box.addLayout(placed.content, placed.stretch)
            else:
                box.addWidget(placed.content, placed.stretch, placed.alignment)
    return box


class FlowLayout(QLayout):
    """Layout of widgets in reading order, wrapped into lines; with `centred`, each line is centred horizontally."""

    def __init__(
        self, parent: QWidget | None = None, *, gap: int = 16, line_gap: int = 8, centred: bool = False
    ) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}
        """Heights of the layout by width, cached until an item changes, because Qt requests them repeatedly."""
        self._gap = gap
        self._line_gap = line_gap
        self._centred = centred
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """Add an item and take ownership of it."""
        self._items.append(item)

    def count(self) -> int:
        """Return the number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Return the item at an index; None if the index is out of range."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Remove and return the item at an index; None if the index is out of range."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Return no directions: the layout takes no more space than it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Return True: a narrower layout is taller."""
        return True

    def invalidate(self) -> None:
        """Discard the cached heights after an item has changed."""
        self._heights = {}
        super().invalidate()

    def heightForWidth(self, width: int) -> int:
        """Return the total height of the lines at a width."""
        if width not in self._heights:
            self._heights[width] = self._arrange(QRect(0, 0, width, 0), move=False)
        return self._heights[width]

    def setGeometry(self, rect: QRect) -> None:
        """Arrange the widgets."""
        super().setGeometry(rect)
        height = self._arrange(rect, move=True)
        parent = self.parentWidget()
        if parent is not None and parent.minimumHeight() != height:
            # Qt asks for the minimum height without a width, and would hide all lines but the first
            parent.setMinimumHeight(height)

    def sizeHint(self) -> QSize:
        """Return the size of all widgets on one line."""
        visible = self._visible_items()
        return QSize(self._width(visible), max((item.sizeHint().height() for item in visible), default=0))

    def minimumSize(self) -> QSize:
        """Return the largest minimum width and the largest minimum height of the visible items."""
        size = QSize()
        for item in self._visible_items():
            size = size.expandedTo(item.minimumSize())
        return size

    def _visible_items(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _width(self, line: list[QLayoutItem]) -> int:
        return sum(item.sizeHint().width() for item in line) + self._gap * max(0, len(line) - 1)

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = [[]]
        used = 0
        for item in self._visible_items():
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
    """Box layout that is horizontal if `widget` is at least `characters` digits wide, else in direction `narrow`."""

    arranged = Signal()
    """Emitted when the size or font of the widget has changed and the direction has been adapted."""

    def __init__(
        self,
        widget: QWidget,
        characters: int,
        *,
        on: QWidget | None = None,
        gap: int,
        narrow: BoxDirection = BoxDirection.TopToBottom,
    ) -> None:
        super().__init__(BoxDirection.LeftToRight, on)
        self._characters = characters
        self._narrow = narrow
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(gap)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Adapt the direction to the width and font of the widget."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange) and isinstance(watched, QWidget):
            is_horizontal = watched.width() >= watched.fontMetrics().horizontalAdvance("0") * self._characters
            direction = BoxDirection.LeftToRight if is_horizontal else self._narrow
            if direction != self.direction():
                self.setDirection(direction)
            self.arranged.emit()
        return False


COLUMN_GAP = 32


MIN_COLUMN_CHARS, MAX_COLUMN_CHARS = 46, 80
"""Minimum and maximum width of a column, in digits."""


class ResponsiveColumns(QScrollArea):
    """Scroll area that arranges `parts` in as many columns as fit.

    Columns are `MIN_COLUMN_CHARS` to `MAX_COLUMN_CHARS` digits wide; a single column in a narrow area may be narrower.
    """

    def __init__(self, parts: Sequence[QWidget], *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = list(parts)
        self._columns = 0
        self._inner = QWidget()
        self._grid = QGridLayout(self._inner)
        self._grid.setContentsMargins(16, 8, 16, 8)
        self._grid.setHorizontalSpacing(COLUMN_GAP)
        self._grid.setVerticalSpacing(16)
        self.setWidget(self._inner)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._arrange(len(self._parts))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the parts in the number of columns that fits the width."""
        super().resizeEvent(event)
        width = self.viewport().width() - 32
        column = self.fontMetrics().horizontalAdvance("0") * MIN_COLUMN_CHARS
        max_columns = min(len(self._parts), (width + COLUMN_GAP) // (column + COLUMN_GAP))
        self._arrange(
            next((columns for columns in range(max_columns, 1, -1) if self._needed_width(columns) <= width), 1)
        )

    def _needed_width(self, columns: int) -> int:
        widths = [part.minimumSizeHint().width() for part in self._parts]
        return sum(max(widths[column::columns]) + COLUMN_GAP for column in range(columns)) - COLUMN_GAP

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for part in self._parts:
            self._grid.removeWidget(part)
        for index, part in enumerate(self._parts):
            self._grid.addWidget(part, index // columns, index % columns)
            part.setMaximumWidth(self.fontMetrics().horizontalAdvance("0") * MAX_COLUMN_CHARS)
        for index in range(len(self._parts)):
            self._grid.setColumnStretch(index, 1 if index < columns else 0)
