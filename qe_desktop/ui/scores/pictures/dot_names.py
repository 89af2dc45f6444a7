"""Names beside the dots of a plot, laid out anew whenever dots move on screen. It needs the plotting library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QGraphicsItem, QGraphicsSimpleTextItem

from qe_desktop.levels.dot_names import MOST, beside_dots
from qe_desktop.levels.drawings import Crosses, Points
from qe_desktop.metrics.family import Floats
from qe_desktop.outgoing import label
from qe_desktop.ui import theme

THIN = 0.5
"""Pixels on each side of a line."""


class DotNames:
    """Writes the names of points in a plot; items are made once and used again."""

    def __init__(self, plot: Any) -> None:
        self._box: Any = plot.getPlotItem().getViewBox()
        self._items: list[QGraphicsSimpleTextItem] = []
        self._points: Points | None = None
        self._crosses: Sequence[Crosses] = ()
        self._radius = 0.0
        self._box.sigResized.connect(self._lay_out)
        self._box.sigRangeChanged.connect(self._lay_out)

    def show_names(self, points: Points | None, crosses: Sequence[Crosses], font: QFont, size: float) -> None:
        """Write the names of these, whose dots have this size; of many, those of the first."""
        self._points, self._crosses, self._radius = points, crosses, size / 2
        names = [] if points is None else [label(name) for name in points.names[:MOST]]
        while len(self._items) < len(names):
            item = QGraphicsSimpleTextItem()
            # letters are as large as they are, whatever the plot's units
            item.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
            item.setZValue(6)
            self._box.addItem(item, ignoreBounds=True)
            self._items.append(item)
        for item, name in zip(self._items, names, strict=False):
            item.setText(name)
            item.setFont(font)
            item.setBrush(pg.mkBrush(theme.current().text))
        for item in self._items[len(names) :]:
            item.setText("")
        self._lay_out()

    def _lay_out(self, *changed: object) -> None:
        points = self._points
        if points is None or not points.names:
            return
        named = [item for item in self._items if item.text()][: len(points.names)]
        metrics = QFontMetricsF(named[0].font()) if named else QFontMetricsF(QFont())
        widths = [metrics.horizontalAdvance(item.text()) for item in named]
        x, y = self._pixels(points.x, points.y)
        arms = [_boxes(*self._pixels(*cross.arms())) for cross in self._crosses]
        corners = beside_dots(
            x, y, widths, metrics.height(), (self._box.width(), self._box.height()), self._radius,
            np.concatenate(arms) if arms else None,
        )  # fmt: skip
        for item, corner in zip(named, corners, strict=True):
            item.setVisible(corner is not None)
            if corner is not None:
                item.setPos(self._box.mapToView(QPointF(*corner)))

    def _pixels(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Where places are in the box, from its left upper corner."""
        (low, high), (bottom, top) = self._box.viewRange()
        return (x - low) / (high - low) * self._box.width(), (top - y) / (top - bottom) * self._box.height()


def _boxes(x: Floats, y: Floats) -> Floats:
    """Arms whose ends follow each other, as left, top, right and bottom; what has no width lies over nothing."""
    ends = np.stack([x, y], axis=1).reshape(-1, 2, 2)
    return np.concatenate([ends.min(axis=1) - THIN, ends.max(axis=1) + THIN], axis=1)
