"""One tagged sentence as an ornament that explains: what BAD, a hit, a false alarm and a miss look like."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.ui import theme
from qe_desktop.ui.parts.labels import scaled
from qe_desktop.wording import tr

WORDS = (("Der", ""), ("Hund", ""), ("bellte", "bad"), ("gestern", "miss"), ("die", ""), ("Katze", "false_alarm"))
LEGEND = (("bad", tr("BAD, and found")), ("miss", tr("BAD, and missed")), ("false_alarm", tr("false alarm")))
_PENS = {
    "bad": Qt.PenStyle.SolidLine,
    "false_alarm": Qt.PenStyle.DashLine,
    "miss": Qt.PenStyle.DotLine,
}


class TaggedLine(QWidget):
    """A sentence with marked words, and under it what the marks mean."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        spoken = ", ".join(f"{word}: {dict(LEGEND)[kind]}" for word, kind in WORDS if kind)
        self.setAccessibleName(tr("An example of marked words. {words}", words=spoken))

    def sizeHint(self) -> QSize:
        """One line of reading text and one of legend."""
        line = self.fontMetrics().height()
        return QSize(line * 22, round(line * 1.4 * 1.6) + line + 16)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the words with fill and underline, then the legend."""
        colours = theme.current()
        painter = QPainter(self)
        font = scaled(1.4)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        x, height = 0.0, metrics.height()
        for word, kind in WORDS:
            width = metrics.horizontalAdvance(word)
            box = QRectF(x, 2, width + 6, height)
            if kind:
                self._mark(painter, box, kind)
            painter.setPen(colours.text)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, word)
            x += box.width() + metrics.horizontalAdvance(" ") * 1.2
        painter.setFont(self.font())
        small = QFontMetricsF(self.font())
        x, top = 0.0, height + 16
        for kind, text in LEGEND:
            self._mark(painter, QRectF(x, top + 2, 20, small.height() - 5), kind)
            painter.setPen(colours.muted)
            width = small.horizontalAdvance(text)
            painter.drawText(QRectF(x + 28, top, width + 2, small.height()), Qt.AlignmentFlag.AlignVCenter, text)
            x += 28 + width + 20
        painter.end()

    def _mark(self, painter: QPainter, box: QRectF, kind: str) -> None:
        """A found word is filled and underlined, a false alarm dashed, a missed one only framed in dots."""
        colours = theme.current()
        painter.setPen(QPen(getattr(colours, kind), 1.5 if kind == "miss" else 2.5, _PENS[kind]))
        if kind == "miss":
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, 0.5))
            return
        painter.fillRect(box, getattr(colours, f"{kind}_fill"))
        painter.drawLine(box.bottomLeft(), box.bottomRight())
