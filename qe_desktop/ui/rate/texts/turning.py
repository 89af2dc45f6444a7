"""A row of texts that turns into a column where there is no room beside each other."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QBoxLayout, QWidget

Way = QBoxLayout.Direction


class Turning(QObject):
    """Follows a widget's width and text size: from `letters` of width on, `row` runs from left to right."""

    arranged = Signal()
    """Width or text size are other ones, and the row runs as it must."""

    def __init__(self, widget: QWidget, row: QBoxLayout, letters: int, *, narrow: Way = Way.TopToBottom) -> None:
        super().__init__(widget)
        self._widget = widget
        self._row = row
        self._letters = letters
        self._narrow = narrow
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrange the row anew where it may have to turn."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange):
            beside = self._widget.width() >= self._widget.fontMetrics().averageCharWidth() * self._letters
            way = Way.LeftToRight if beside else self._narrow
            if way != self._row.direction():
                self._row.setDirection(way)
            self.arranged.emit()
        return False
