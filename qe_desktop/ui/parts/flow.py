"""A layout that puts widgets in a line, and into further lines where the window is narrow."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


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
