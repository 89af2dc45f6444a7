"""Drawing of tags: hits, false alarms and misses differ in shape and colour."""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.theme import Theme


class TagOutcome(enum.Enum):
    """Outcome of a tag compared with the reference; OK or BAD without one."""

    OK = "OK"
    BAD = "BAD"
    HIT = "hit"
    FALSE_ALARM = "false alarm"
    MISS = "miss"


class EditType(enum.Enum):
    """Edit of a word between MT and post-edit; kept words have none."""

    REPLACED = "replaced"
    NEW = "new"
    REMOVED = "removed"


def tag_outcome(tag: int, reference: int | None) -> TagOutcome:
    """Return the outcome of a tag (0 or 1) given the reference tag, if any."""
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


def _outcome_colour(mark: TagOutcome, theme: Theme) -> QColor:
    return {TagOutcome.FALSE_ALARM: theme.false_alarm, TagOutcome.MISS: theme.miss}.get(mark, theme.bad)


def draw_ok_tags(painter: QPainter, rects: Sequence[QRectF], theme: Theme) -> None:
    """Draw OK tags as thin lines, all at once."""
    if rects:
        painter.setPen(QPen(theme.border, 1))
        heights = [round(rect.center().y()) + 0.5 for rect in rects]
        painter.drawLines([QLineF(rect.left(), y, rect.right(), y) for rect, y in zip(rects, heights, strict=True)])


def draw_bar(painter: QPainter, rect: QRectF, mark: TagOutcome, theme: Theme) -> None:
    """Draw a word tag in its row: solid, dashed, or an open dotted frame."""
    if mark is TagOutcome.OK:
        draw_ok_tags(painter, [rect], theme)
        return
    colour = _outcome_colour(mark, theme)
    bar = rect.adjusted(0.5, rect.height() * 0.22, -0.5, -rect.height() * 0.22)
    if mark is TagOutcome.MISS:
        painter.setPen(QPen(colour, 1.4, Qt.PenStyle.DotLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(bar, 2, 2)
    elif mark is TagOutcome.FALSE_ALARM:
        painter.fillRect(bar, theme.false_alarm_fill)
        pen = QPen(colour, bar.height(), Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([4 / bar.height(), 3 / bar.height()])
        painter.setPen(pen)
        painter.drawLine(QLineF(bar.left(), bar.center().y(), bar.right(), bar.center().y()))
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(bar, 2, 2)


def draw_tick(
    painter: QPainter, tip: QPointF, size: float, mark: TagOutcome, theme: Theme, *, light: bool = False
) -> None:
    """Draw a gap tag as a triangle pointing to the gap; outlined if `light`."""
    if mark is TagOutcome.OK:
        return
    half = size / 2
    triangle = QPolygonF([QPointF(tip.x() - half, tip.y() - size), QPointF(tip.x() + half, tip.y() - size), tip])
    colour = _outcome_colour(mark, theme)
    if mark is TagOutcome.MISS:
        painter.setPen(QPen(colour, 1.2, Qt.PenStyle.DotLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
    elif mark is TagOutcome.FALSE_ALARM:
        painter.setPen(QPen(colour, 1.2))
        painter.setBrush(theme.false_alarm_fill)
    else:
        painter.setPen(QPen(colour, 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush if light else colour)
    painter.drawPolygon(triangle)


def draw_word(painter: QPainter, rect: QRectF, theme: Theme, *, dotted: bool = False, light: bool = False) -> None:
    """Draw the mark of a BAD word: fill and underline, solid for the MT and dotted for the source.

    `light` (flagged by some systems only) is a thin dashed underline without fill.
    """
    if not light:
        painter.fillRect(rect.adjusted(-1, 1, 1, 0), theme.bad_fill)
    painter.setPen(word_pen(theme.bad, 2, dotted=dotted, light=light))
    y = rect.bottom() - 1
    painter.drawLine(QLineF(rect.left(), y, rect.right(), y))


def word_pen(ink: QColor, width: float, *, dotted: bool, light: bool) -> QPen:
    """Return the pen for the underline of a BAD word."""
    style = Qt.PenStyle.DashLine if light else Qt.PenStyle.DotLine if dotted else Qt.PenStyle.SolidLine
    return QPen(ink, width * 0.7 if light else width, style)


def draw_search_match(painter: QPainter, rect: QRectF, ink: QColor) -> None:
    """Draw a thin frame around a search match."""
    painter.setPen(QPen(ink, 1.3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(-0.5, 0.5, 0.5, -0.5), 3, 3)


def draw_edit_type(painter: QPainter, rect: QRectF, revised: EditType, theme: Theme) -> None:
    """Draw the edit of a word: dashed underline if replaced, double underline if new, struck out if removed."""
    middle, below = rect.top() + rect.height() * 0.56, rect.bottom() - 1
    style = Qt.PenStyle.DashLine if revised is EditType.REPLACED else Qt.PenStyle.SolidLine
    painter.setPen(QPen(theme.ok, 1.3 if revised is EditType.NEW else 2, style))
    lines = {EditType.REPLACED: [below], EditType.NEW: [below - 3, below], EditType.REMOVED: [middle]}[revised]
    painter.drawLines([QLineF(rect.left(), y, rect.right(), y) for y in lines])


def draw_probability(painter: QPainter, rect: QRectF, probability: float, theme: Theme) -> None:
    """Draw P(BAD) as background shade, transparent at 0."""
    shade = QColor(theme.bad)
    shade.setAlphaF(0.42 * min(1.0, max(0.0, probability)))
    painter.fillRect(rect.adjusted(-1, 1, 1, 0), shade)


def draw_edited(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    """Draw the corner that marks an edited tag."""
    size = max(4.0, rect.height() * 0.16)
    corner = QPolygonF([rect.topRight(), rect.topRight() - QPointF(size, 0), rect.topRight() + QPointF(0, size)])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.accent)
    painter.drawPolygon(corner)


MAX_SPANS = 200
"""Maximum number of matches marked in one text."""


def find_spans(wanted: str, text: str) -> list[tuple[int, int]]:
    """Find `wanted` in a text, ignoring case, as spans [start, end).

    Matches as `TextColumn.matches` does; spans do not overlap.

    >>> find_spans("ma", "Mama sah")
    [(0, 2), (2, 4)]
    """
    if not wanted:
        return []
    pattern = "".join(f"(?:{'|'.join(map(re.escape, _forms(character)))})" for character in wanted)
    return [match.span() for match, _ in zip(re.finditer(pattern, text), range(MAX_SPANS), strict=False)]


def _forms(character: str) -> list[str]:
    return sorted({character, character.lower(), character.upper()})
