"""Draws the lines of translations side by side: names, texts with their marks, scores, and the cursor."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from qe_desktop.outgoing import label
from qe_desktop.ui.inspect.beside.forms import draw_behind, draw_between, draw_over
from qe_desktop.ui.inspect.beside.lines import Laid, LaidOut
from qe_desktop.ui.inspect.finding import spans_of
from qe_desktop.ui.inspect.marks import draw_found
from qe_desktop.ui.theme import Theme

_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, slots=True)
class LinesPainter:
    """Paints what of the lines is in `seen`. `metric` stands over the scores, whose texts are `scores`, by line;
    `cursor` is a line and a word, drawn where the keyboard is. `found` is the text that was searched for.
    """

    laid_out: LaidOut
    theme: Theme
    seen: QRectF
    metric: str
    scores: tuple[str, ...]
    cursor: tuple[int, int] | None
    focused: bool
    found: str = ""

    def paint(self, painter: QPainter) -> None:
        """Draw everything that is seen."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._head(painter)
        for number, laid in enumerate(self.laid_out.laid):
            if laid.bottom >= self.seen.top() and laid.top <= self.seen.bottom():
                self._line(painter, number, laid)
        self._cursor(painter)

    def _head(self, painter: QPainter) -> None:
        if self.laid_out.scores:
            painter.setFont(self.laid_out.sizes.small)
            painter.setPen(self.theme.muted)
            painter.drawText(self._score_room(0, self.laid_out.sizes.row), _RIGHT, label(self.metric))

    def _score_room(self, top: float, height: float) -> QRectF:
        return QRectF(self.laid_out.right - self.laid_out.scores, top, self.laid_out.scores, height)

    def _line(self, painter: QPainter, number: int, laid: Laid) -> None:
        if number:
            painter.fillRect(
                QRectF(self.laid_out.left, laid.top - 3, self.laid_out.right - self.laid_out.left, 1), self.theme.border
            )
        self._beside(painter, number, laid)
        at = QPointF(self.laid_out.left, laid.top)
        marks = [mark for mark in laid.line.marks if mark.end > mark.start]
        for mark in marks:
            for rect in laid.room(mark):
                draw_behind(painter, rect.translated(at), mark.sign.form, self.theme)
        painter.setPen(self.theme.text)
        laid.layout.draw(painter, at)
        for mark in marks:
            for rect in laid.room(mark):
                draw_over(painter, rect.translated(at), mark.sign.form, self.theme)
        for start, end in spans_of(self.found, laid.layout.text):
            for rect in laid.layout.span(start, end):
                draw_found(painter, rect.translated(at), self.theme.accent)
        for mark in laid.line.marks:
            if mark.start == mark.end:
                draw_between(painter, laid.layout.caret(mark.start) + at, self.laid_out.sizes.tick * 0.9, self.theme)

    def _beside(self, painter: QPainter, number: int, laid: Laid) -> None:
        sizes, lines = self.laid_out.sizes, laid.layout.lines
        height = lines[0].bottom - lines[0].top if lines else sizes.row
        font = QFont(sizes.small)
        font.setBold(laid.line.base)
        painter.setFont(font)
        painter.setPen(self.theme.text if laid.line.base else self.theme.muted)
        room = sizes.left - sizes.margin - 10
        name = QFontMetricsF(font).elidedText(label(laid.line.name), Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(QRectF(sizes.margin, laid.top, room, height), _LEFT, name)
        if self.laid_out.scores and number < len(self.scores):
            painter.setFont(sizes.small)
            painter.setPen(self.theme.text)
            painter.drawText(self._score_room(laid.top, height), _RIGHT, self.scores[number])

    def _cursor(self, painter: QPainter) -> None:
        rect = QRectF() if self.cursor is None else self.laid_out.word_rect(*self.cursor)
        if not self.focused or rect.isEmpty():
            return
        painter.setPen(QPen(self.theme.accent, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect.adjusted(-3, -2, 3, 2), 4, 4)
