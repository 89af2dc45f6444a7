"""The source of the segment, pinned above what is read or typed: the first part of the reader's own page."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.corpus import TextRole
from qe_desktop.ui.inspect.reader.segment_layout import SegmentLayout
from qe_desktop.ui.widgets.layouts import ensure_rect_visible


class SegmentPainterHost(Protocol):
    """The reader whose page this is a part of; points are those of the page."""

    top: float

    def paint_page(self, painter: QPainter, seen: QRectF) -> None:
        """Draw what of the page is seen."""
        ...

    def hover(self, point: QPointF, buttons: Qt.MouseButton) -> None:
        """The mouse moved there."""
        ...

    def leave(self) -> None:
        """The mouse is nowhere."""
        ...

    def press(self, point: QPointF, event: QMouseEvent) -> None:
        """The mouse was pressed there."""
        ...

    def press_twice(self, point: QPointF, event: QMouseEvent) -> None:
        """It was pressed twice there."""
        ...

    def ask_menu(self, point: QPointF, event: QContextMenuEvent) -> None:
        """A menu is asked for there."""
        ...

    def explain_at(self, at: QPoint, point: QPointF) -> None:
        """Explain the word there, in a tooltip `at` the screen's point."""
        ...


class SourcePane(QWidget):
    """Shows what of a reader's page stands above its `top`, and hands the mouse on to it."""

    def __init__(self, reader: SegmentPainterHost, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reader = reader
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """As high as the part of the page."""
        return QSize(200, round(self._reader.top))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the part of the page."""
        painter = QPainter(self)
        self._reader.paint_page(painter, QRectF(event.rect()))
        painter.end()

    def show_place(self, rect: QRectF) -> None:
        """Scroll to a place of the page."""
        if not rect.isEmpty():
            ensure_rect_visible(self, rect, rect.height())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Light what is hovered."""
        self._reader.hover(event.position(), event.buttons())

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is hovered any longer."""
        self._reader.leave()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Put the cursor where the mouse is."""
        self._reader.press(event.position(), event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Say that the word under the mouse was meant twice."""
        self._reader.press_twice(event.position(), event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the word under the mouse."""
        self._reader.ask_menu(QPointF(event.pos()), event)

    def event(self, event: QEvent) -> bool:
        """Explain the word under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._reader.explain_at(event.globalPos(), QPointF(event.pos()))
            return True
        return super().event(event)


def whole_lines_height(page: SegmentLayout, most: float) -> float:
    """How much of the source is shown where it may take no more than `most`: no line of it in parts."""
    source = page.blocks[0]
    shown = [source.top + line.bottom + 2 for line in source.layout.lines]
    return max([shown[0], *(height for height in shown if height <= most)]) if shown else most


def pinned_height(page: SegmentLayout | None) -> float:
    """How much of a page is its source, and stands above all else; 0 where there is nothing else."""
    if page is None or len(page.blocks) < 2:
        return 0.0
    first = page.blocks[0]
    return page.blocks[1].top - page.sizes.margin * 0.5 if first.role is TextRole.SOURCE else 0.0
