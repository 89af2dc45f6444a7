"""Hits, false alarms and misses: how many there are, and the legend of their colours and patterns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.metrics.words import WORDS
from qe_desktop.ui import theme
from qe_desktop.ui.scores.values import Scored
from qe_desktop.wording import tr

PARTS = (
    (tr("hits"), "bad", Qt.BrushStyle.SolidPattern),
    (tr("false alarms"), "false_alarm", Qt.BrushStyle.BDiagPattern),
    (tr("misses"), "miss", Qt.BrushStyle.Dense6Pattern),
)
"""Each part of a bar: its name, the theme's colour, its pattern."""
GAP = 6


def counts_of(scored: Scored) -> NDArray[np.float64]:
    """Hits, false alarms and misses of each layer, shape (layers, 3); none where tags are not what is scored."""
    totals = scored.totals.get(WORDS.name)
    if totals is None:
        return np.zeros((0, 3))
    found, alarms, gold, _ = totals.T
    return np.stack([found, alarms, gold - found], axis=1)


def shown_counts(scored: Scored) -> Scored | str:
    """The scores whose counts are drawn; words while there are no counts."""
    if len(counts_of(scored)):
        return scored
    return tr("Once the words are counted, this shows what each system found and missed.")


class CountsLegend(QWidget):
    """One line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Legend: solid, hits; hatched, false alarms; dotted, misses"))
        theme.themes.theme_changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """One line of text."""
        metrics = self.fontMetrics()
        width = sum(metrics.horizontalAdvance(name) + 2 * metrics.height() + 3 * GAP for name, _, _ in PARTS)
        return QSize(width, metrics.height() + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a piece of each bar, and its name."""
        painter = QPainter(self)
        line = self.fontMetrics().height()
        x = 0
        for name, token, pattern in PARTS:
            colour: QColor = getattr(theme.current(), token)
            box = QRect(x, 2, 2 * line - 4, line - 4)
            painter.setPen(colour)
            painter.setBrush(QBrush(colour, pattern))
            painter.drawRect(box)
            painter.setPen(theme.current().text)
            width = self.fontMetrics().horizontalAdvance(name)
            x += 2 * line + GAP
            painter.drawText(QRect(x, 0, width + 2, line), Qt.AlignmentFlag.AlignVCenter, name)
            x += width + 2 * GAP
        painter.end()
