"""Codes of translators' files as they are shown: numbered chips that point the way they run, and what they mean."""

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
"""The size of a chip's number beside the text."""


class PositionedCode(NamedTuple):
    """A code that stands before a character of a text which does not count it."""

    place: int
    code: LineCode


def positioned_codes(corpus: Corpus, role: TextRole, segment: int, text: str) -> tuple[PositionedCode, ...]:
    """The codes that a translator's file has in a text, shown as `text`; none where that is not the file's."""
    if corpus.job is None or role not in (TextRole.SOURCE, TextRole.MT):
        return ()
    line = corpus.source_line(segment) if role is TextRole.SOURCE else corpus.mt_line(segment)
    return line_codes(line) if strip_codes(line) == text else ()


def line_codes(line: str) -> tuple[PositionedCode, ...]:
    """The codes of a line, each before a character of its text."""
    if "⟨" not in line:
        return ()
    found, place = [], 0
    for piece in split_line(line):
        if isinstance(piece, LineCode):
            found.append(PositionedCode(place, piece))
        else:
            place += len(piece)
    return tuple(found)


def describe_code(code: LineCode, labels: Mapping[int, str]) -> str:
    """What a code stands for, in words: what its file says of it, and which other one belongs to it."""
    label, kind = labels.get(code.number, ""), code.kind
    said = tr("code {code}: {label}", code=code.shown, label=label) if label else tr("code {code}", code=code.shown)
    if kind is CodeKind.ALONE:
        return said
    other = LineCode(CodeKind.OPEN if kind is CodeKind.CLOSE else CodeKind.CLOSE, code.number).shown
    if kind is CodeKind.OPEN:
        return tr("{said} (ends at {code})", said=said, code=other)
    return tr("{said} (begins at {code})", said=said, code=other)


def code_size(code: LineCode, metrics: QFontMetricsF) -> QSizeF:
    """The room of a chip in text of this font."""
    number = metrics.horizontalAdvance(str(code.number)) * CODE_TEXT_SCALE
    point = 0.0 if code.kind is CodeKind.ALONE else metrics.ascent() * 0.38
    return QSizeF(number + point + metrics.ascent() * 0.5 + 2, metrics.ascent())


def draw_code(
    painter: QPainter, rect: QRectF, code: LineCode, like: QFont, theme: Theme, *, right_to_left: bool = False
) -> None:
    """A tag whose point shows to the text that it holds: an opening one onwards, a closing one back; one that stands
    alone has no point.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    body = rect.adjusted(1.5, rect.height() * 0.08, -1.5, 0)
    painter.setPen(QPen(theme.accent, 1.2))
    painter.setBrush(theme.info_fill)
    point = body.height() * 0.38
    onwards = (code.kind is CodeKind.OPEN) is not right_to_left
    room = QRectF(body)
    if code.kind is CodeKind.ALONE:
        painter.drawRoundedRect(body, 3, 3)
    elif onwards:
        painter.drawPolygon(_arrow(body, point, 1))
        room.setRight(body.right() - point * 0.6)
    else:
        painter.drawPolygon(_arrow(body, point, -1))
        room.setLeft(body.left() + point * 0.6)
    font = QFont(like)
    font.setWordSpacing(0)
    if font.pointSizeF() > 0:
        font.setPointSizeF(font.pointSizeF() * CODE_TEXT_SCALE)
    else:
        font.setPixelSize(max(1, round(font.pixelSize() * CODE_TEXT_SCALE)))
    painter.setFont(font)
    painter.setPen(theme.text)
    painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), str(code.number))
    painter.restore()


def _arrow(body: QRectF, point: float, way: int) -> QPolygonF:
    """A box with a point at its right (`way` 1) or left (−1) end."""
    tip, back = (body.right(), body.left()) if way > 0 else (body.left(), body.right())
    neck = tip - way * point
    return QPolygonF(
        [
            QPointF(back, body.top()),
            QPointF(neck, body.top()),
            QPointF(tip, body.center().y()),
            QPointF(neck, body.bottom()),
            QPointF(back, body.bottom()),
        ]
    )
