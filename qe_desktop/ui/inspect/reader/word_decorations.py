"""Drawing of marks on words, except tags: edits, search matches, probabilities and the cursor."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF, QTextCharFormat

from qe_desktop.ui.theme import Theme

MAX_SHADE = 0.3
"""Opacity of the background shade of a word whose P(BAD) is 1."""
FRAME_MARGIN_PX = 3.0
"""Maximum horizontal distance in pixels between a word and the cursor frame around it."""


class EditType(enum.Enum):
    """Type of edit that the post-edit makes to a word; unchanged words have none."""

    SUBSTITUTED = "replaced"
    INSERTED = "new"
    DELETED = "removed"


def draw_search_match(painter: QPainter, rect: QRectF, colour: QColor) -> None:
    """Draw a thin frame around a search match."""
    painter.setPen(QPen(colour, 1.3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.adjusted(-0.5, 0.5, 0.5, -0.5), 3, 3)


def frame_around(rect: QRectF, neighbours: Iterable[QRectF]) -> QRectF:
    """Return the rectangle of a word plus a margin, which is narrower next to close neighbours on the same line."""
    left = right = FRAME_MARGIN_PX
    for neighbour in neighbours:
        if abs(neighbour.top() - rect.top()) >= 1:
            continue
        if neighbour.center().x() < rect.center().x():
            left = min(left, max(0.0, (rect.left() - neighbour.right()) / 2))
        else:
            right = min(right, max(0.0, (neighbour.left() - rect.right()) / 2))
    return rect.adjusted(-left, -2, right, 2)


def draw_cursor(painter: QPainter, rect: QRectF, theme: Theme, *, focused: bool = True) -> None:
    """Draw the keyboard cursor as a frame, which is thin and dashed if the view does not have the focus."""
    painter.setPen(QPen(theme.accent, 2) if focused else QPen(theme.accent, 1, Qt.PenStyle.DashLine))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect, 4, 4)


def draw_gap_cursor(painter: QPainter, rect: QRectF, theme: Theme, *, focused: bool = True) -> None:
    """Draw the keyboard cursor in a gap: a vertical line between the words, with a crossbar at the top and bottom."""
    painter.setPen(QPen(theme.accent, 2) if focused else QPen(theme.accent, 1, Qt.PenStyle.DashLine))
    x = rect.center().x()
    painter.drawLine(QLineF(x, rect.top(), x, rect.bottom()))
    painter.setPen(QPen(theme.accent, 2 if focused else 1))
    painter.drawLines([QLineF(rect.left(), y, rect.right(), y) for y in (rect.top(), rect.bottom())])


def draw_word_lines(
    painter: QPainter, rect: QRectF, colour: QColor, style: Qt.PenStyle, *, double: bool = False, struck: bool = False
) -> None:
    """Draw a line below a word, or through the word if `struck`; draw two lines if `double`."""
    painter.setPen(QPen(colour, 1.3 if double else 2, style))
    y = rect.top() + rect.height() * 0.56 if struck else rect.bottom() - 1
    painter.drawLines([QLineF(rect.left(), y, rect.right(), y) for y in ([y - 3, y] if double else [y])])


def draw_edit_type(painter: QPainter, rect: QRectF, edit_type: EditType, theme: Theme) -> None:
    """Mark the edit of a word: dashed underline if replaced, double underline if new, strikethrough if removed."""
    style = Qt.PenStyle.DashLine if edit_type is EditType.SUBSTITUTED else Qt.PenStyle.SolidLine
    new, removed = edit_type is EditType.INSERTED, edit_type is EditType.DELETED
    draw_word_lines(painter, rect, theme.ok, style, double=new, struck=removed)


def draw_shade(painter: QPainter, rect: QRectF, colour: QColor, opacity: float) -> None:
    """Shade the background of a word."""
    shade = QColor(colour)
    shade.setAlphaF(opacity)
    painter.fillRect(rect.adjusted(-1, 1, 1, 0), shade)


def draw_probability(painter: QPainter, rect: QRectF, probability: float, theme: Theme) -> None:
    """Draw P(BAD) as a background shade, which is transparent if P(BAD) is 0."""
    draw_shade(painter, rect, theme.bad, MAX_SHADE * min(1.0, max(0.0, probability)))


def draw_edited(painter: QPainter, rect: QRectF, theme: Theme) -> None:
    """Draw the triangle in the top right corner that marks an edited tag."""
    size = max(4.0, rect.height() * 0.16)
    corner = QPolygonF([rect.topRight(), rect.topRight() - QPointF(size, 0), rect.topRight() + QPointF(0, size)])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.accent)
    painter.drawPolygon(corner)


def misspelling_format(theme: Theme) -> QTextCharFormat:
    """Return the character format of misspelled words: a dashed underline."""
    return _underline_format(QTextCharFormat.UnderlineStyle.DashUnderline, theme.error)


def issue_format(theme: Theme) -> QTextCharFormat:
    """Return the character format of text with a QA check result: a wavy underline."""
    return _underline_format(QTextCharFormat.UnderlineStyle.WaveUnderline, theme.warning)


def _underline_format(style: QTextCharFormat.UnderlineStyle, colour: QColor) -> QTextCharFormat:
    char_format = QTextCharFormat()
    char_format.setUnderlineStyle(style)
    char_format.setUnderlineColor(colour)
    return char_format


MAX_SPANS = 200
"""Maximum number of matches marked in one text."""


def find_spans(query: str, text: str) -> list[tuple[int, int]]:
    """Return the spans [start, end) of the matches of `query` in a text, ignoring case.

    Case is ignored as in `TextColumn.matches`; spans do not overlap, and at most `MAX_SPANS` are returned.

    >>> find_spans("ma", "Mama sah")
    [(0, 2), (2, 4)]
    """
    if not query:
        return []
    pattern = "".join(f"(?:{'|'.join(map(re.escape, _forms(character)))})" for character in query)
    return [match.span() for match, _ in zip(re.finditer(pattern, text), range(MAX_SPANS), strict=False)]


def _forms(character: str) -> list[str]:
    return sorted({character, character.lower(), character.upper()})
