"""One line that explains signs: a sample of each, drawn by the code that draws the signs themselves, and its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.ui.theme import Theme, current, themes
from qe_desktop.wording import tr


class Named(Protocol):
    """What has a name in a legend."""

    @property
    def text(self) -> str:
        """What a sign means, in a word or two."""


One = TypeVar("One", bound=Named)


class LegendLine(QWidget, Generic[One]):
    """Subclasses say what is explained, and draw a sample of each."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Legend"))
        themes.theme_changed.connect(self.update)

    @property
    def entries(self) -> Sequence[One]:
        """What is explained."""
        raise NotImplementedError

    def draw_sample(self, painter: QPainter, box: QRectF, entry: One, theme: Theme) -> None:
        """Draw one into a box."""
        raise NotImplementedError

    def sizeHint(self) -> QSize:
        """Room for all entries."""
        metrics = QFontMetricsF(self.font())
        width = sum(metrics.horizontalAdvance(entry.text) + self._sample(metrics) + 22 for entry in self.entries)
        return QSize(round(width), round(metrics.height() * 1.7))

    def _sample(self, metrics: QFontMetricsF) -> float:
        return metrics.averageCharWidth() * 3.5

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the entries."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics, theme = QFontMetricsF(self.font()), current()
        painter.fillRect(self.rect(), theme.surface)
        painter.fillRect(0, 0, self.width(), 1, theme.border)
        x, height = 16.0, float(self.height())
        for entry in self.entries:
            width = self._sample(metrics)
            self.draw_sample(painter, QRectF(x, height * 0.24, width, height * 0.52), entry, theme)
            room = metrics.horizontalAdvance(entry.text) + 2
            painter.setPen(theme.muted)
            place = QRectF(x + width + 6, 0, room, height)
            painter.drawText(place, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), entry.text)
            x += width + room + 20
        painter.end()
