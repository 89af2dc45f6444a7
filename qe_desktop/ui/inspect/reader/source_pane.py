"""Pinned pane with the source, the first part of the reader's layout."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.corpus import TextRole
from qe_desktop.ui.inspect.reader.overlay_scroll_area import ensure_rect_visible
from qe_desktop.ui.inspect.reader.segment_layout import SegmentLayout


class SegmentPainterHost(Protocol):
    """Interface that `SourcePane` needs of the reader; points are in layout coordinates."""

    top: float

    def paint_page(self, painter: QPainter, visible: QRectF) -> None:
        """Paint a part of the layout."""
        ...

    def hover(self, point: QPointF, buttons: Qt.MouseButton) -> None:
        """Handle a mouse move."""
        ...

    def leave(self) -> None:
        """Handle a leave event."""
        ...

    def press(self, point: QPointF, event: QMouseEvent) -> None:
        """Handle a press."""
        ...

    def press_twice(self, point: QPointF, event: QMouseEvent) -> None:
        """Handle a double click."""
        ...

    def ask_menu(self, point: QPointF, event: QContextMenuEvent) -> None:
        """Request a context menu."""
        ...

    def explain_at(self, at: QPoint, point: QPointF) -> None:
        """Explain the word in a tooltip at screen position `at`."""
        ...


class SourcePane(QWidget):
    """Pane that shows the layout of the reader above `reader.top` and forwards mouse events to the reader."""

    def __init__(self, reader: SegmentPainterHost, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reader = reader
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return the height of the pinned part."""
        return QSize(200, round(self._reader.top))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the pinned part."""
        painter = QPainter(self)
        self._reader.paint_page(painter, QRectF(event.rect()))
        painter.end()

    def scroll_to_rect(self, rect: QRectF) -> None:
        """Scroll to a rectangle of the layout."""
        if not rect.isEmpty():
            ensure_rect_visible(self, rect, rect.height())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Forward mouse moves."""
        self._reader.hover(event.position(), event.buttons())

    def leaveEvent(self, event: QEvent) -> None:
        """Forward leave events."""
        self._reader.leave()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Forward presses."""
        self._reader.press(event.position(), event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Forward double clicks."""
        self._reader.press_twice(event.position(), event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Forward requests for the context menu."""
        self._reader.ask_menu(QPointF(event.pos()), event)

    def event(self, event: QEvent) -> bool:
        """Explain the word under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._reader.explain_at(event.globalPos(), QPointF(event.pos()))
            return True
        return super().event(event)


def whole_lines_height(page: SegmentLayout, max_height: float) -> float:
    """Return the height of the whole source lines that fit into `max_height` pixels; at least one line."""
    source = page.blocks[0]
    heights = [source.top + line.bottom + 2 for line in source.layout.lines]
    return max([heights[0], *(height for height in heights if height <= max_height)]) if heights else max_height


def pinned_height(page: SegmentLayout | None) -> float:
    """Return the height of the source above all other texts; 0 if the source or the other texts are missing."""
    if page is None or len(page.blocks) < 2:
        return 0.0
    first = page.blocks[0]
    return page.blocks[1].top - page.sizes.margin * 0.5 if first.role is TextRole.SOURCE else 0.0
