"""Bars whose patterns are in files what they are on screen. It needs the plotting library."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtGui import QPainter, QTransform


class PatternBars(pg.BarGraphItem):  # type: ignore[misc]  # the library has no types
    """The library draws bars in their own units, in which the pattern of a file would be as large as a unit."""

    def paint(self, painter: QPainter, *arguments: Any) -> None:
        """Draw the bars; for a file in units of the page."""
        if self._exportOpts is False:
            super().paint(painter, *arguments)
            return
        to_page = painter.worldTransform()
        painter.save()
        painter.setWorldTransform(QTransform())
        painter.setPen(self._sharedPen)
        painter.setBrush(self._sharedBrush)
        for bar in self._rectarray.instances():
            painter.drawRect(to_page.mapRect(bar))
        painter.restore()
