"""The metric looked at: each system's score as a dot with its 95 % interval, best first."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QGraphicsView

from qe_desktop.ui import theme
from qe_desktop.ui.scores.compared import Looked
from qe_desktop.ui.scores.plot_frame import Frame
from qe_desktop.ui.scores.sentences import interval_sentence, layer_text


class IntervalsPlot:
    """Draws what it was last shown, in place."""

    def __init__(self) -> None:
        self._looked = Looked()
        self._decimals = 3
        self._frame = Frame()
        nothing = np.zeros(0)
        self._bars = pg.ErrorBarItem(x=nothing, y=nothing, left=nothing, right=nothing, beam=0.3)
        self._dots = pg.ScatterPlotItem()
        self._frame.add(self._bars)
        self._frame.add(self._dots)

    @property
    def widget(self) -> QGraphicsView:
        """The plot on screen."""
        return self._frame.widget

    def show_looked(self, looked: Looked, decimals: int) -> None:
        """Draw this from now on, with so many digits in what a screen reader says."""
        self._looked, self._decimals = looked, decimals

    def refresh(self, font: QFont) -> str:
        """Draw the result that there is."""
        result, metric = self._looked.result, self._looked.metric
        if result is None or metric not in result.metrics:
            return f"Once systems are compared, this shows their intervals of {metric}."
        place = result.metrics.index(metric)
        one = result.comparison.metrics[place]
        order = one.order
        scores, intervals = np.nan_to_num(one.scores[order]), result.intervals[place][order]
        self._draw(scores, intervals, font)
        title = f"{metric}, 95 % over {result.resampled}"
        title += " · before the last edits" if self._looked.stale else ""
        layers = [result.layers[system] for system in order]
        self._frame.style([layer_text(layer) for layer in layers], title, font)
        self._frame.bound(float(intervals.min()), float(intervals.max()), len(order))
        said = [
            interval_sentence(layer_text(layer), metric, (float(low), float(high)), self._decimals, result.resampled)
            for layer, (low, high) in zip(layers, intervals, strict=True)
        ]
        self.widget.setAccessibleDescription(". ".join(said))
        return ""

    def _draw(self, scores: NDArray[np.float64], intervals: NDArray[np.float64], font: QFont) -> None:
        colours = theme.current()
        rows = np.arange(len(scores), dtype=float)
        left, right = scores - intervals[:, 0], intervals[:, 1] - scores
        self._bars.setData(x=scores, y=rows, left=left, right=right, pen=pg.mkPen(colours.accent, width=2))
        size = max(7, QFontMetrics(font).height() * 0.6)
        pen = pg.mkPen(colours.surface, width=1.5)
        self._dots.setData(x=scores, y=rows, size=size, brush=pg.mkBrush(colours.accent), pen=pen)
