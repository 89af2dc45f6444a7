"""Inline codes of bilingual files in the reader: their positions, descriptions, and drawing as numbered arrows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from qe_desktop.corpus import Corpus, TextRole
from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.plain_lines import LineCode, split_line, strip_codes
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.theme import Theme

CODE_TEXT_SCALE = 0.78
"""Font size of the number in an inline code, relative to that of the text."""


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
    """Return the size of an inline code within text; `metrics` are those of the font of the text."""
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
