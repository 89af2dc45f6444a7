"""What each system did with the BAD words: hits, false alarms and misses, told apart by colour and pattern."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtGui import QBrush, QColor, QFont

from qe_desktop.metrics.words import WORDS
from qe_desktop.ui import theme
from qe_desktop.ui.parts.plots import RowsPlot
from qe_desktop.ui.scores.counts_legend import PARTS
from qe_desktop.ui.scores.scored import Scored
from qe_desktop.ui.scores.sentences import counts_sentence
from qe_desktop.wording import tr

THICK = 0.62


class CountsPlot(RowsPlot[Scored]):
    """Draws what it was last shown, in place."""

    def __init__(self) -> None:
        super().__init__()
        self._scored = Scored()
        self._bars = [pg.BarGraphItem(x0=[], y=[], width=[], height=THICK) for _ in PARTS]
        self.add(*self._bars)

    def show_scores(self, scored: Scored) -> None:
        """Draw these from now on."""
        self._scored = scored

    def refresh(self, font: QFont) -> str:
        """Draw the counts, the system with the most hits first."""
        scored, counts = self._scored, counts_of(self._scored)
        if not len(counts):
            return tr("Once the words are counted, this shows what each system found and missed.")
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
        layers = [scored.layers[int(place)] for place in order]
        self.style([layer.shown for layer in layers], scored.level.title, font)
        self.bound(0.0, float(counts.sum(axis=1).max()), len(counts))
        self.widget.setAccessibleDescription(
            ". ".join(counts_sentence(layer.shown, *map(int, row)) for layer, row in zip(layers, counts, strict=True))
        )
        return ""


def counts_of(scored: Scored) -> NDArray[np.float64]:
    """Hits, false alarms and misses of each layer, shape (layers, 3); none where tags are not what is scored."""
    totals = scored.totals.get(WORDS.name)
    if totals is None:
        return np.zeros((0, 3))
    found, alarms, gold, _ = totals.T
    return np.stack([found, alarms, gold - found], axis=1)
