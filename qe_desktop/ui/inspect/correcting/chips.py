"""Codes in a text that is edited: chips that are one sign of the document each."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPyTextObject, QTextCharFormat, QTextDocument, QTextFormat

from qe_desktop.formats.bilingual.codes import CodeKind
from qe_desktop.formats.bilingual.line_codes import LineCode
from qe_desktop.ui.inspect.code_signs import chip_size, draw_chip
from qe_desktop.ui.theme import current

CHIP = QTextFormat.ObjectTypes.UserObject + 1
SIGN = "\ufffc"
"""What stands in the document for each chip."""
_KIND = QTextFormat.Property.UserProperty + 1
_NUMBER = QTextFormat.Property.UserProperty + 2


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
            return QSizeF(metrics.horizontalAdvance("0"), metrics.ascent())
        return chip_size(code, metrics)

    def drawObject(
        self, painter: QPainter, rect: QRectF | QRect, doc: QTextDocument, posInDocument: int, format: QTextFormat
    ) -> None:
        """Draw one chip."""
        code = code_of(format)
        if code is not None:
            text = doc.findBlock(posInDocument)
            right_to_left = text.textDirection() == Qt.LayoutDirection.RightToLeft
            draw_chip(painter, QRectF(rect), code, doc.defaultFont(), current(), right_to_left=right_to_left)
