"""Legend on as few lines as possible: for each symbol, a label and a sample drawn by the same code as the symbol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.theme import Theme, current, themes
from qe_desktop.ui.widgets.labels import plain_tooltip


class LegendItem(Protocol):
    """Entry of a legend: any object with a label."""

    @property
    def label(self) -> str:
        """Label of the symbol, in one or two words."""


LegendItemT = TypeVar("LegendItemT", bound=LegendItem)


FIRST_LINE_HEIGHT, NEXT_LINE_HEIGHT = 1.7, 1.35
"""Heights of the first line and of each further line, as multiples of the font height."""
SAMPLE_LETTERS = "ab"
"""Letters on which the sample of a symbol is drawn."""
LEFT_MARGIN, ENTRY_SPACING, NEXT_ENTRY = 16.0, 14.0, 6.0
"""Space in pixels: `LEFT_MARGIN` before the first entry of a line, `ENTRY_SPACING` + `NEXT_ENTRY` between entries."""


@dataclass(frozen=True, slots=True)
class _EntryPosition(Generic[LegendItemT]):
    """Entry and its position: left edge and width in pixels, and line (0-based)."""

    entry: LegendItemT
    x: float
    line: int
    width: float


class InlineLegend(QWidget, Generic[LegendItemT]):
    """Legend of symbols; subclasses define the entries and draw a sample of each."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(tr("Legend"))
        themes.theme_changed.connect(self.update)

    @property
    def entries(self) -> Sequence[LegendItemT]:
        """Entries of the legend."""
        raise NotImplementedError

    def draw_sample(self, painter: QPainter, box: QRectF, entry: LegendItemT, theme: Theme) -> None:
        """Draw a sample of an entry into a box."""
        raise NotImplementedError

    def explain(self, entry: LegendItemT) -> str:
        """Return the meaning of an entry as a sentence, which is shown on hover; empty if the label is sufficient."""
        return ""

    def sizeHint(self) -> QSize:
        """Return the size of all entries on one line."""
        metrics = QFontMetricsF(self.font())
        width = ceil(LEFT_MARGIN + sum(self._width(entry, metrics) + NEXT_ENTRY for entry in self.entries))
        return QSize(width, self.heightForWidth(width))

    def heightForWidth(self, width: int) -> int:
        """Return the total height of the lines that the entries occupy at a width."""
        metrics = QFontMetricsF(self.font())
        lines = max((position.line for position in self._entry_positions(width)), default=0) + 1
        return round(metrics.height() * (FIRST_LINE_HEIGHT + (lines - 1) * NEXT_LINE_HEIGHT))

    def _sample_width(self, metrics: QFontMetricsF) -> float:
        return metrics.horizontalAdvance("0") * 3.5

    def _width(self, entry: LegendItemT, metrics: QFontMetricsF) -> float:
        return metrics.horizontalAdvance(entry.label) + self._sample_width(metrics) + 22

    def _entry_positions(self, width: float) -> list[_EntryPosition[LegendItemT]]:
        metrics = QFontMetricsF(self.font())
        positions, x, line = [], LEFT_MARGIN, 0
        for entry in self.entries:
            entry_width = self._width(entry, metrics)
            if x > LEFT_MARGIN and x + entry_width - ENTRY_SPACING > width:
                x, line = LEFT_MARGIN, line + 1
            positions.append(_EntryPosition(entry, x, line, entry_width - ENTRY_SPACING))
            x += entry_width + NEXT_ENTRY
        return positions

    def _rect(self, position: _EntryPosition[LegendItemT]) -> QRectF:
        height = QFontMetricsF(self.font()).height()
        return QRectF(position.x, height * position.line * NEXT_LINE_HEIGHT, position.width, height * FIRST_LINE_HEIGHT)

    def event(self, event: QEvent) -> bool:
        """Show the meaning of the symbol under the mouse pointer as a tooltip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            meaning = self.meaning_at(QPointF(event.pos()))
            if meaning:
                QToolTip.showText(event.globalPos(), plain_tooltip(meaning), self)
                return True
        return super().event(event)

    def meaning_at(self, point: QPointF) -> str:
        """Return the meaning of the symbol at a point; empty if there is no symbol or no meaning."""
        return next(
            (
                self.explain(position.entry)
                for position in self._entry_positions(self.width())
                if self._rect(position).contains(point)
            ),
            "",
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the entries."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics, theme = QFontMetricsF(self.font()), current()
        painter.fillRect(self.rect(), theme.surface)
        painter.fillRect(0, 0, self.width(), 1, theme.border)
        width = self._sample_width(metrics)
        for position in self._entry_positions(self.width()):
            area = self._rect(position)
            box = QRectF(area.left(), area.top() + area.height() * 0.24, width, area.height() * 0.52)
            self.draw_sample(painter, box, position.entry, theme)
            painter.setPen(theme.muted)
            text_rect = QRectF(
                box.right() + 6, area.top(), metrics.horizontalAdvance(position.entry.label) + 2, area.height()
            )
            painter.drawText(
                text_rect, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), position.entry.label
            )
        painter.end()
