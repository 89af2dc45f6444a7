"""Codes in a text that is edited: numbered chips that are one sign each, pointing the way they run."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QFontMetricsF,
    QPainter,
    QPen,
    QPolygonF,
    QPyTextObject,
    QTextCharFormat,
    QTextDocument,
    QTextFormat,
)

from qe_desktop.formats.bilingual.codes import CodeKind
from qe_desktop.formats.bilingual.line_codes import LineCode
from qe_desktop.ui.theme import Theme, current

CHIP = QTextFormat.ObjectTypes.UserObject + 1
SIGN = "\ufffc"
"""What stands in the document for each chip."""
_KIND = QTextFormat.Property.UserProperty + 1
_NUMBER = QTextFormat.Property.UserProperty + 2
SMALLER = 0.78
"""The size of a chip's number beside the text."""


def chip_format(code: LineCode, like: QTextCharFormat) -> QTextCharFormat:
    """The format of the sign that stands for a code, in text like this."""
    made = QTextCharFormat(like)
    made.setObjectType(CHIP)
    made.setProperty(_KIND, code.kind.value)
    made.setProperty(_NUMBER, code.number)
    return made


def code_of(given: QTextFormat) -> LineCode | None:
    """The code that a format makes a sign stand for; None where it is text."""
    if given.objectType() != CHIP:
        return None
    return LineCode(CodeKind(given.property(_KIND)), int(given.property(_NUMBER)))


class ChipPainter(QPyTextObject):
    """Measures and draws the chips of a document, in the colours of the theme."""

    def intrinsicSize(self, doc: QTextDocument, posInDocument: int, format: QTextFormat) -> QSizeF:
        """As wide as its number with its arrow, and no higher than the text."""
        code = code_of(format)
        metrics = QFontMetricsF(doc.defaultFont())
        if code is None:
            return QSizeF(metrics.averageCharWidth(), metrics.ascent())
        return chip_size(code, metrics)

    def drawObject(
        self, painter: QPainter, rect: QRectF | QRect, doc: QTextDocument, posInDocument: int, format: QTextFormat
    ) -> None:
        """Draw one chip."""
        code = code_of(format)
        if code is not None:
            text = doc.findBlock(posInDocument)
            right_to_left = text.textDirection() == Qt.LayoutDirection.RightToLeft
            draw_chip(painter, QRectF(rect), code, doc, current(), right_to_left=right_to_left)


def chip_size(code: LineCode, metrics: QFontMetricsF) -> QSizeF:
    """The room of a chip in text of this font."""
    number = metrics.horizontalAdvance(str(code.number)) * SMALLER
    point = 0.0 if code.kind is CodeKind.ALONE else metrics.ascent() * 0.38
    return QSizeF(number + point + metrics.ascent() * 0.5 + 2, metrics.ascent())


def draw_chip(
    painter: QPainter, rect: QRectF, code: LineCode, doc: QTextDocument, theme: Theme, *, right_to_left: bool = False
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
    font = doc.defaultFont()
    if font.pointSizeF() > 0:
        font.setPointSizeF(font.pointSizeF() * SMALLER)
    else:
        font.setPixelSize(max(1, round(font.pixelSize() * SMALLER)))
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
