"""Painter of tags; shapes and colours distinguish hits, false alarms, misses and partial agreement."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF, QTextCharFormat

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.theme import Theme


class TagOutcome(enum.Enum):
    """Outcome of comparing a tag with a reference tag, OK if both are OK; without a reference tag, the tag itself."""

    OK = "OK"
    BAD = "BAD"
    HIT = "hit"
    FALSE_ALARM = "false alarm"
    MISS = "miss"


def tag_outcome(tag: int, reference: int | None) -> TagOutcome:
    """Return the outcome of a tag (0: OK, 1: BAD); `reference` is the reference tag, or None if there is none."""
    if reference is None:
        return TagOutcome.BAD if tag else TagOutcome.OK
    if tag:
        return TagOutcome.HIT if reference else TagOutcome.FALSE_ALARM
    return TagOutcome.MISS if reference else TagOutcome.OK


OUTCOME_TEXTS = {
    TagOutcome.OK: "OK",
    TagOutcome.BAD: "BAD",
    TagOutcome.HIT: tr("BAD, a hit"),
    TagOutcome.FALSE_ALARM: tr("BAD, a false alarm"),
    TagOutcome.MISS: tr("OK, a miss"),
}
"""Descriptions of the outcomes."""
PARTIAL_WIDTH = 0.7
"""Line width for words that only some systems tagged BAD, relative to the line width for other words."""


@dataclass(frozen=True, slots=True)
class TagPainter:
    """Painter of the tags of words and gaps in all widgets.

    BAD words, hits and false alarms are underlined; if `filled`, they also have a coloured background. The underline of
    a false alarm is dashed; other underlines are dotted if `dotted`, otherwise solid. Misses have a dotted frame. Words
    that only some systems tagged BAD (`partial`) have a thin dashed underline and no coloured background.
    """

    theme: Theme
    line_width: float = 2.0
    dotted: bool = False
    filled: bool = True
    margin: float = 1.0
    """Pixels by which the background extends beyond both sides of a word and starts below the top of the word."""
    line_offset: float = 1.0
    """Distance in pixels between the underline and the bottom of a word."""
    _word_pens: dict[tuple[TagOutcome, bool], QPen] = field(default_factory=dict, init=False, repr=False)

    def paint_word(
        self, painter: QPainter, rect: QRectF, outcome: TagOutcome = TagOutcome.BAD, *, partial: bool = False
    ) -> None:
        """Paint the mark of a word in a text; the caller paints the text over the mark."""
        if outcome is TagOutcome.MISS:
            self._paint_frame(painter, rect.adjusted(0.5, 0.5, -0.5, 0.5), 1.5, 0)
            return
        if self.filled and not partial:
            margin = self.margin
            painter.fillRect(rect.adjusted(-margin, margin, margin, 0), self._fill(outcome))
        painter.setPen(self._word_pens.get((outcome, partial)) or self._word_pen(outcome, partial=partial))
        y = rect.bottom() - self.line_offset
        painter.drawLine(QLineF(rect.left(), y, rect.right(), y))

    def paint_bar(self, painter: QPainter, rect: QRectF, outcome: TagOutcome) -> None:
        """Paint a word tag in a tag row: dotted frame for a miss, dashed bar for a false alarm, otherwise solid bar."""
        bar = rect.adjusted(0.5, rect.height() * 0.22, -0.5, -rect.height() * 0.22)
        if outcome is TagOutcome.MISS:
            self._paint_frame(painter, bar, 1.4, 2)
        elif outcome is TagOutcome.FALSE_ALARM:
            painter.fillRect(bar, self._fill(outcome))
            pen = QPen(self._mark_colour(outcome), bar.height(), Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
            pen.setDashPattern([4 / bar.height(), 3 / bar.height()])
            painter.setPen(pen)
            painter.drawLine(QLineF(bar.left(), bar.center().y(), bar.right(), bar.center().y()))
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._mark_colour(outcome))
            painter.drawRoundedRect(bar, 2, 2)

    def paint_thin_bar(self, painter: QPainter, rect: QRectF, outcome: TagOutcome) -> None:
        """Paint a word tag in a thin tag row: a dashed bar for a false alarm, otherwise a solid bar.

        For a miss, paint a dotted line between two vertical lines, because a frame cannot be recognized in a thin row.
        """
        if outcome is TagOutcome.MISS:
            painter.setPen(QPen(self.theme.miss, 1))
            left, right, bottom = rect.left() + 0.5, rect.right() - 0.5, rect.bottom() - 0.5
            painter.drawLines([QLineF(x, rect.top(), x, bottom) for x in (left, right)])
            painter.setPen(QPen(self.theme.miss, 1, Qt.PenStyle.DotLine))
            painter.drawLine(QLineF(left, bottom, right, bottom))
            return
        width = 4.0 if outcome is TagOutcome.FALSE_ALARM else rect.width()
        x = rect.left()
        while x < rect.right():
            painter.fillRect(
                QRectF(x, rect.top(), min(width, rect.right() - x), rect.height()), self._mark_colour(outcome)
            )
            x += width + 3

    def paint_ok_bars(self, painter: QPainter, rects: Sequence[QRectF]) -> None:
        """Paint the OK tags of a tag row as thin lines, in a single drawing call."""
        painter.setPen(QPen(self.theme.border, 1))
        heights = [round(rect.center().y()) + 0.5 for rect in rects]
        painter.drawLines([QLineF(rect.left(), y, rect.right(), y) for rect, y in zip(rects, heights, strict=True)])

    def paint_gap(
        self, painter: QPainter, tip: QPointF, size: float, outcome: TagOutcome, *, partial: bool = False
    ) -> None:
        """Paint a gap tag as a triangle that points to the gap at `tip`; with `partial`, a BAD tag is not filled."""
        ink = self._mark_colour(outcome)
        if outcome is TagOutcome.MISS:
            painter.setPen(QPen(ink, 1.2, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
        elif outcome is TagOutcome.FALSE_ALARM:
            painter.setPen(QPen(ink, 1.2))
            painter.setBrush(self._fill(outcome))
        else:
            painter.setPen(QPen(ink, 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush if partial else ink)
        half, top = size / 2, tip.y() - size
        painter.drawPolygon(QPolygonF([QPointF(tip.x() - half, top), QPointF(tip.x() + half, top), tip]))

    def word_format(self, *, partial: bool) -> QTextCharFormat:
        """Return the character format of a BAD word: underline and background or, if `partial`, a dotted underline."""
        char_format, style = QTextCharFormat(), QTextCharFormat.UnderlineStyle
        char_format.setUnderlineColor(self._mark_colour(TagOutcome.BAD))
        char_format.setUnderlineStyle(style.DotLine if partial else style.SingleUnderline)
        if not partial:
            char_format.setBackground(self._fill(TagOutcome.BAD))
        return char_format

    def _word_pen(self, outcome: TagOutcome, *, partial: bool) -> QPen:
        """Create the pen of an underline and cache it, because a segment may have hundreds of BAD words."""
        dashed = partial or outcome is TagOutcome.FALSE_ALARM
        style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.DotLine if self.dotted else Qt.PenStyle.SolidLine
        pen = QPen(self._mark_colour(outcome), self.line_width * (PARTIAL_WIDTH if partial else 1), style)
        self._word_pens[outcome, partial] = pen
        return pen

    def _mark_colour(self, outcome: TagOutcome) -> QColor:
        if outcome is TagOutcome.FALSE_ALARM:
            return self.theme.false_alarm
        return self.theme.miss if outcome is TagOutcome.MISS else self.theme.bad

    def _fill(self, outcome: TagOutcome) -> QColor:
        return self.theme.false_alarm_fill if outcome is TagOutcome.FALSE_ALARM else self.theme.bad_fill

    def _paint_frame(self, painter: QPainter, rect: QRectF, width: float, radius: float) -> None:
        """Paint the dotted frame of a miss."""
        painter.setPen(QPen(self.theme.miss, width, Qt.PenStyle.DotLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect, radius, radius)
