"""Rows of bars in parts, told apart by colour and pattern, drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QBrush, QFont

from qe_desktop.levels.drawings import Parts
from qe_desktop.ui.parts.key_legend import PATTERNS, colour_of
from qe_desktop.ui.parts.pattern_bars import PatternBars
from qe_desktop.ui.parts.plots import RowsPlot

THICK = 0.62
LEAST_ROWS = 4


class PartsPlot(RowsPlot[Parts]):
    """The parts of a bar follow each other."""

    def __init__(self, content: Callable[[], Parts | str]) -> None:
        super().__init__(content)
        self._bars: list[Any] = []

    def _draw(self, content: Parts, font: QFont) -> str:
        while len(self._bars) < len(content.keys):
            self._bars.append(PatternBars(x0=[], y=[], width=[], height=THICK))
            self.add(self._bars[-1])
        begins = np.cumsum(content.counts, axis=1) - content.counts
        rows = np.arange(len(content.counts), dtype=float)
        for place, (bar, key) in enumerate(zip(self._bars, content.keys, strict=True)):
            colour = colour_of(key)
            bar.setOpts(
                x0=begins[:, place], y=rows, width=content.counts[:, place], height=THICK,
                brush=QBrush(colour, PATTERNS[key.mark]), pen=pg.mkPen(colour),
            )  # fmt: skip
        self.style(content.names, content.title, font)
        # a few rows do not fill the picture with bars as thick as fists
        self.bound(0.0, float(content.counts.sum(axis=1).max()), max(LEAST_ROWS, len(content.counts)))
        return ". ".join(content.said)
