"""Columns side by side where there is room, otherwise below each other; they scroll where they must."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QScrollArea, QWidget

GAP = 28


LEAST, MOST = 46, 80
"""Characters that a column has room for, at the least and at the most."""


class Columns(QScrollArea):
    """Shows `parts` in as many columns as have room for every part and `LEAST`; none is wider than `MOST`."""

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
        column = self.fontMetrics().horizontalAdvance("0") * LEAST
        most = min(len(self._parts), (width + GAP) // (column + GAP))
        self._arrange(next((columns for columns in range(most, 1, -1) if self._needed(columns) <= width), 1))

    def _needed(self, columns: int) -> int:
        """How wide so many columns have to be."""
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
            part.setMaximumWidth(self.fontMetrics().horizontalAdvance("0") * MOST)
        for place in range(len(self._parts)):
            self._grid.setColumnStretch(place, 1 if place < columns else 0)
