"""What each system did with the BAD words: hits, false alarms and misses, told apart by colour and pattern."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QBrush, QColor, QFont

from qe_desktop.ui import theme
from qe_desktop.ui.parts.plots import RowsPlot
from qe_desktop.ui.scores.counts import PARTS, counts_of
from qe_desktop.ui.scores.sentences import counts_sentence
from qe_desktop.ui.scores.values import Scored

THICK = 0.62


class CountsPlot(RowsPlot[Scored]):
    """Bars of three parts, the system with the most hits first."""

    def __init__(self, content: Callable[[], Scored | str]) -> None:
        super().__init__(content)
        self._bars = [pg.BarGraphItem(x0=[], y=[], width=[], height=THICK) for _ in PARTS]
        self.add(*self._bars)

    def _draw(self, content: Scored, font: QFont) -> str:
        counts = counts_of(content)
        order = np.argsort(-counts[:, 0], kind="stable")
        counts = counts[order]
        begins = np.cumsum(counts, axis=1) - counts
        rows = np.arange(len(counts), dtype=float)
        for place, (bar, (_, token, pattern)) in enumerate(zip(self._bars, PARTS, strict=True)):
            colour: QColor = getattr(theme.current(), token)
            bar.setOpts(
                x0=begins[:, place], y=rows, width=counts[:, place], height=THICK,
                brush=QBrush(colour, pattern), pen=pg.mkPen(colour),
            )  # fmt: skip
        names = [content.layers[int(place)].shown for place in order]
        self.style(names, content.level.title, font)
        self.bound(0.0, float(counts.sum(axis=1).max()), len(counts))
        return ". ".join(counts_sentence(name, *map(int, row)) for name, row in zip(names, counts, strict=True))
