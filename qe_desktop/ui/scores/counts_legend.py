"""The legend over the counts: colour and pattern of hits, false alarms and misses."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.ui import theme
from qe_desktop.wording import tr

PARTS = (
    (tr("hits"), "bad", Qt.BrushStyle.SolidPattern),
    (tr("false alarms"), "false_alarm", Qt.BrushStyle.BDiagPattern),
    (tr("misses"), "miss", Qt.BrushStyle.Dense6Pattern),
)
"""Each part of a bar: its name, the theme's colour, its pattern."""
GAP = 6


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
