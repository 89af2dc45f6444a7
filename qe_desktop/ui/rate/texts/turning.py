"""A row of texts that turns into a column where there is no room beside each other."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QBoxLayout, QWidget

Way = QBoxLayout.Direction


class TurningRow(QBoxLayout):
    """Follows a widget's width and text size: from `letters` of width on, it runs from left to right."""

    arranged = Signal()
    """Width or text size are other ones, and the row runs as it must."""

    def __init__(
        self, widget: QWidget, letters: int, *, on: QWidget | None = None, gap: int, narrow: Way = Way.TopToBottom
    ) -> None:
        super().__init__(Way.LeftToRight, on)
        self._letters = letters
        self._narrow = narrow
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(gap)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Turn where it is time to."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange) and isinstance(watched, QWidget):
            beside = watched.width() >= watched.fontMetrics().horizontalAdvance("0") * self._letters
            way = Way.LeftToRight if beside else self._narrow
            if way != self.direction():
                self.setDirection(way)
            self.arranged.emit()
        return False
