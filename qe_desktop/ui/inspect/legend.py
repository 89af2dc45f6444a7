"""The legend under the reader: what each mark means, drawn by the same code that draws the marks."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.ui.inspect.marks import Mark, draw_bar, draw_tick, draw_word
from qe_desktop.ui.theme import current, themes
from qe_desktop.wording import tr


class Entry(NamedTuple):
    """What a mark means; without a mark it is the word in the text, and a gap's mark is a tick."""

    text: str
    mark: Mark | None
    gap: bool = False


_GAP = Entry(tr("gap"), Mark.BAD, gap=True)
ALONE = (Entry("BAD", Mark.BAD), _GAP)
ENTRIES = (
    Entry(tr("BAD in gold"), None),
    Entry(tr("hit"), Mark.HIT),
    Entry(tr("false alarm"), Mark.FALSE_ALARM),
    Entry(tr("miss"), Mark.MISS),
    _GAP,
)


class Legend(QWidget):
    """One line: a sample of each mark and its name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[Entry, ...] = ENTRIES
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Legend"))
        self.setAccessibleDescription(
            tr(
                "BAD in gold: filled and underlined. Hit: solid bar. False alarm: dashed bar. Miss: open dotted frame. "
                "Gap: a tick between words."
            )
        )
        self.setToolTip(
            tr(
                "Hit: system and gold say BAD. False alarm: only the system does. Miss: only the gold does. "
                "A tick marks a gap: something is missing there. A blue corner marks a tag that was edited."
            )
        )
        themes.theme_changed.connect(self.update)

    def show_reference(self, there: bool) -> None:
        """Without a reference, nothing is a hit or a miss."""
        if there != (self._entries is ENTRIES):
            self._entries = ENTRIES if there else ALONE
            self.update()

    def sizeHint(self) -> QSize:
        """Room for all entries."""
        metrics = QFontMetricsF(self.font())
        width = sum(metrics.horizontalAdvance(entry.text) + self._sample(metrics) + 22 for entry in self._entries)
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
        for text, mark, gap in self._entries:
            width = self._sample(metrics)
            box = QRectF(x, height * 0.24, width, height * 0.52)
            if mark is None:
                draw_word(painter, box, theme)
            elif gap:
                draw_tick(painter, QPointF(box.center().x(), height * 0.7), metrics.height() * 0.45, mark, theme)
            else:
                draw_bar(painter, box, mark, theme)
            room = metrics.horizontalAdvance(text) + 2
            painter.setPen(theme.muted)
            place = QRectF(x + width + 6, 0, room, height)
            painter.drawText(place, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), text)
            x += width + room + 20
        painter.end()
