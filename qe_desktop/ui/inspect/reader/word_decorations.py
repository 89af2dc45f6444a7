"""Drawing of inline codes and of marks on words, except tags."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF, QTextCharFormat

from qe_desktop.corpus import Corpus, TextRole
from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.plain_lines import LineCode, split_line, strip_codes
from qe_desktop.i18n.messages import tr
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


CODE_TEXT_SCALE = 0.78
"""Font size of the number in an inline code, as a fraction of the font size of the text."""


class PositionedCode(NamedTuple):
    """Inline code with its offset: the index, in the text without codes, of the character after the code."""

    offset: int
    code: LineCode


def positioned_codes(corpus: Corpus, role: TextRole, segment: int, text: str) -> tuple[PositionedCode, ...]:
    """Return the inline codes in `text`, the source or MT of a segment in a bilingual file; empty for other roles.

    The result is also empty if `text` differs from the text in the file, for example if `text` is tokenized.
    """
    if corpus.job is None or role not in (TextRole.SOURCE, TextRole.MT):
        return ()
    line = corpus.source_line(segment) if role is TextRole.SOURCE else corpus.mt_line(segment)
    return line_codes(line) if strip_codes(line) == text else ()


def line_codes(line: str) -> tuple[PositionedCode, ...]:
    """Return the inline codes of a line, with their offsets in the text without codes."""
    if "⟨" not in line:
        return ()
    codes, offset = [], 0
    for piece in split_line(line):
        if isinstance(piece, LineCode):
            codes.append(PositionedCode(offset, piece))
        else:
            offset += len(piece)
    return tuple(codes)


def describe_code(code: LineCode, labels: Mapping[int, str]) -> str:
    """Return a description of an inline code, with its label in the file and, for a paired code, its counterpart."""
    label, kind = labels.get(code.number, ""), code.kind
    text = (
        tr("inline code {code}: {label}", code=code.display_text, label=label)
        if label
        else tr("inline code {code}", code=code.display_text)
    )
    if kind is CodeKind.STANDALONE:
        return text
    counterpart = LineCode(CodeKind.OPEN if kind is CodeKind.CLOSE else CodeKind.CLOSE, code.number).display_text
    if kind is CodeKind.OPEN:
        return tr("{text} (ends at {code})", text=text, code=counterpart)
    return tr("{text} (starts at {code})", text=text, code=counterpart)


def code_size(code: LineCode, metrics: QFontMetricsF) -> QSizeF:
    """Return the size of an inline code within text; `metrics` are the metrics of the text's font."""
    number = metrics.horizontalAdvance(str(code.number)) * CODE_TEXT_SCALE
    point = 0.0 if code.kind is CodeKind.STANDALONE else metrics.ascent() * 0.38
    return QSizeF(number + point + metrics.ascent() * 0.5 + 2, metrics.ascent())


def draw_code(
    painter: QPainter, rect: QRectF, code: LineCode, base_font: QFont, theme: Theme, *, right_to_left: bool = False
) -> None:
    """Draw an inline code: a paired code as an arrow towards the text it encloses, a standalone code as a box."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    body = rect.adjusted(1.5, rect.height() * 0.08, -1.5, 0)
    painter.setPen(QPen(theme.accent, 1.2))
    painter.setBrush(theme.info_fill)
    point = body.height() * 0.38
    points_right = (code.kind is CodeKind.OPEN) is not right_to_left
    number_rect = QRectF(body)
    if code.kind is CodeKind.STANDALONE:
        painter.drawRoundedRect(body, 3, 3)
    elif points_right:
        painter.drawPolygon(_arrow(body, point, 1))
        number_rect.setRight(body.right() - point * 0.6)
    else:
        painter.drawPolygon(_arrow(body, point, -1))
        number_rect.setLeft(body.left() + point * 0.6)
    font = QFont(base_font)
    font.setWordSpacing(0)
    if font.pointSizeF() > 0:
        font.setPointSizeF(font.pointSizeF() * CODE_TEXT_SCALE)
    else:
        font.setPixelSize(max(1, round(font.pixelSize() * CODE_TEXT_SCALE)))
    painter.setFont(font)
    painter.setPen(theme.text)
    painter.drawText(number_rect, int(Qt.AlignmentFlag.AlignCenter), str(code.number))
    painter.restore()


def width_with_codes(text: str, metrics: QFontMetricsF) -> float:
    """Return the width in pixels of a text in which `draw_text_with_codes` draws the inline codes."""
    widths = (
        code_size(piece, metrics).width() if isinstance(piece, LineCode) else metrics.horizontalAdvance(piece)
        for piece in split_line(text)
    )
    return sum(widths)


def draw_text_with_codes(painter: QPainter, rect: QRectF, text: str, theme: Theme) -> None:
    """Draw a line of text at the left of `rect` and centred vertically, with its inline codes drawn by `draw_code`."""
    metrics, font, x = QFontMetricsF(painter.font()), QFont(painter.font()), rect.left()
    font.setUnderline(False)
    top = rect.center().y() - metrics.height() / 2
    for piece in split_line(text):
        if isinstance(piece, LineCode):
            size = code_size(piece, metrics)
            draw_code(painter, QRectF(QPointF(x, top), size), piece, font, theme)
            x += size.width()
        else:
            painter.drawText(QPointF(x, top + metrics.ascent()), piece)
            x += metrics.horizontalAdvance(piece)


def _arrow(body: QRectF, point: float, direction: int) -> QPolygonF:
    """Return a box with a point at its right (`direction` 1) or left (−1) end."""
    tip, back = (body.right(), body.left()) if direction > 0 else (body.left(), body.right())
    neck = tip - direction * point
    return QPolygonF(
        [
            QPointF(back, body.top()),
            QPointF(neck, body.top()),
            QPointF(tip, body.center().y()),
            QPointF(neck, body.bottom()),
            QPointF(back, body.bottom()),
        ]
    )
