"""How often each system got each value of a short scale: bars of shares, worst at the left, best at the right."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor, QFont

from qe_desktop.ui import theme
from qe_desktop.ui.campaigns.results.pictures.contents import Shares
from qe_desktop.ui.parts.plots import RowsPlot
from qe_desktop.wording import tr

THICK = 0.7
LEAST = 0.055
"""The least share whose bar has room for its number."""


class SharesPlot(RowsPlot[Shares]):
    """The numbers in the bars are percent."""

    def __init__(self, content: Callable[[], Shares | str]) -> None:
        super().__init__(content)
        self._bars: list[pg.BarGraphItem] = []
        self._texts: list[pg.TextItem] = []

    def _draw(self, content: Shares, font: QFont) -> str:
        totals = content.counts.sum(axis=1, keepdims=True)
        shares = content.counts / np.maximum(totals, 1)
        begins = np.cumsum(shares, axis=1) - shares
        colours = value_colours(len(content.values))
        rows = np.arange(len(content.names), dtype=float)
        self._have(len(content.values), int((shares >= LEAST).sum()))
        for place, bar in enumerate(self._bars):
            used = place < len(content.values)
            bar.setVisible(used)
            if used:
                edge = pg.mkPen(theme.current().surface)
                bar.setOpts(
                    x0=begins[:, place], y=rows, width=shares[:, place], height=THICK, brush=colours[place], pen=edge
                )
        self._write(content, shares, begins, colours, font)
        self.style(content.names, content.title, font)
        self.ticks([(share / 4, f"{share * 25} %") for share in range(5)])
        self.bound(0.0, 1.0, len(content.names))
        return _said(content)

    def _have(self, bars: int, texts: int) -> None:
        """Items are kept and used again: the library is slow to take them away."""
        while len(self._bars) < bars:
            self._bars.append(pg.BarGraphItem(x0=[], y=[], width=[], height=THICK))
            self.add(self._bars[-1])
        while len(self._texts) < texts:
            self._texts.append(pg.TextItem(anchor=(0.5, 0.5)))
            self._texts[-1].setZValue(5)
            self.add(self._texts[-1])

    def _write(
        self, content: Shares, shares: np.ndarray, begins: np.ndarray, colours: list[QColor], font: QFont
    ) -> None:
        wide = np.argwhere(shares >= LEAST)
        for text, (row, value) in zip(self._texts, wide, strict=False):
            text.setFont(font)
            text.setText(f"{100 * shares[row, value]:.0f}", theme.current().on(colours[value]))
            text.setPos(float(begins[row, value] + shares[row, value] / 2), float(row))
        for place, text in enumerate(self._texts):
            text.setVisible(place < len(wide))


def value_colours(count: int) -> list[QColor]:
    """From the colour of what is bad over the surface's to that of what is good."""
    colours = theme.current()
    result = []
    for place in range(count):
        lean = 2 * place / max(1, count - 1) - 1
        end = colours.positive if lean >= 0 else colours.negative
        result.append(theme.mixed(colours.raised, end, 0.85 * abs(lean)))
    return result


def _said(content: Shares) -> str:
    said = []
    for name, row in zip(content.names, content.counts, strict=True):
        times = [
            tr("{n:,} times {value}", "", int(n), value=value) for n, value in zip(row, content.values, strict=True)
        ]
        said.append(f"{name}: {', '.join(times)}")
    return ". ".join(said)
