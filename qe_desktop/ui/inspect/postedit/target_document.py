"""Conversion of lines with codes to documents of text and inline codes, and back.

Text offsets count code points, as in Python; document positions count UTF-16 units, as in Qt.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QPainter,
    QPyTextObject,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextDocumentFragment,
    QTextFormat,
    QTextOption,
)

from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK, LINE_BREAK_PATTERN, LineCode, join_line, split_line
from qe_desktop.ui.inspect.reader.word_decorations import code_size, draw_code
from qe_desktop.ui.inspect.reader.word_layout import utf16_length
from qe_desktop.ui.theme import current

CODE_OBJECT_TYPE = QTextFormat.ObjectTypes.UserObject + 1
OBJECT_CHARACTER = "\ufffc"
"""Character that represents an inline code in a document."""
_KIND_PROPERTY = QTextFormat.Property.UserProperty + 1
_NUMBER_PROPERTY = QTextFormat.Property.UserProperty + 2


def code_format(code: LineCode, base_format: QTextCharFormat) -> QTextCharFormat:
    """Return the format of an inline code in text of the format `base_format`."""
    char_format = QTextCharFormat(base_format)
    char_format.setObjectType(CODE_OBJECT_TYPE)
    char_format.setProperty(_KIND_PROPERTY, code.kind.value)
    char_format.setProperty(_NUMBER_PROPERTY, code.number)
    return char_format


def code_from_format(text_format: QTextFormat) -> LineCode | None:
    """Return the inline code that a format represents; None for the format of text."""
    if text_format.objectType() != CODE_OBJECT_TYPE:
        return None
    return LineCode(CodeKind(text_format.property(_KIND_PROPERTY)), int(text_format.property(_NUMBER_PROPERTY)))


class InlineCodeObject(QPyTextObject):
    """Text object that measures and draws the inline codes of a document in the colours of the theme."""

    def intrinsicSize(self, doc: QTextDocument, posInDocument: int, format: QTextFormat) -> QSizeF:
        """Return the size of an inline code in the font of the document."""
        code = code_from_format(format)
        metrics = QFontMetricsF(doc.defaultFont())
        if code is None:
            return QSizeF(metrics.horizontalAdvance("0"), metrics.ascent())
        return code_size(code, metrics)

    def drawObject(
        self, painter: QPainter, rect: QRectF | QRect, doc: QTextDocument, posInDocument: int, format: QTextFormat
    ) -> None:
        """Draw an inline code."""
        code = code_from_format(format)
        if code is not None:
            text = doc.findBlock(posInDocument)
            right_to_left = text.textDirection() == Qt.LayoutDirection.RightToLeft
            draw_code(painter, QRectF(rect), code, doc.defaultFont(), current(), right_to_left=right_to_left)


LinePieces = list[str | LineCode]


def document_pieces(document: QTextDocument) -> LinePieces:
    """Return the pieces of text and the inline codes of a document, in order; `LINE_BREAK` separates paragraphs."""
    pieces: LinePieces = []
    block = document.begin()
    while block.isValid():
        if block != document.begin():
            pieces.append(LINE_BREAK)
        pieces += _block_pieces(block)
        block = block.next()
    return pieces


def _block_pieces(block: QTextBlock) -> Iterator[str | LineCode]:
    if OBJECT_CHARACTER not in block.text():
        # fast path: most blocks have no codes
        yield from (block.text(),) if block.length() > 1 else ()
        return
    parts = block.begin()
    while not parts.atEnd():
        fragment = parts.fragment()
        code = code_from_format(fragment.charFormat())
        if code is None:
            yield fragment.text()
        else:
            # equal adjacent codes are one fragment
            yield from [code] * fragment.length()
        parts += 1


def document_line(document: QTextDocument) -> str:
    """Return a document as a line with codes."""
    return join_line(document_pieces(document))


def set_document_font(document: QTextDocument, font: QFont, *, right_to_left: bool) -> bool:
    """Set the font and a fixed text direction of a document; return False if both are unchanged."""
    option = QTextOption(document.defaultTextOption())
    direction = Qt.LayoutDirection.RightToLeft if right_to_left else Qt.LayoutDirection.LeftToRight
    if (document.defaultFont(), option.textDirection()) == (font, direction):
        # laying out again would delay typing
        return False
    document.setDefaultFont(font)
    option.setTextDirection(direction)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    document.setDefaultTextOption(option)
    return True


def fragment_line(fragment: QTextDocumentFragment) -> str:
    """Return a fragment as a line with codes."""
    document = QTextDocument()
    QTextCursor(document).insertFragment(fragment)
    return document_line(document)


def insert_line(cursor: QTextCursor, line: str, base_format: QTextCharFormat) -> None:
    """Replace the selection of `cursor` with `line`, which is a line with codes, as one undo step."""
    cursor.beginEditBlock()
    cursor.removeSelectedText()
    for piece in split_line(LINE_BREAK_PATTERN.sub(LINE_BREAK, line)):
        if isinstance(piece, LineCode):
            cursor.insertText(OBJECT_CHARACTER, code_format(piece, base_format))
        else:
            cursor.insertText(piece, base_format)
    cursor.endEditBlock()


def adjacent_code(at: QTextCursor) -> LineCode | None:
    """Return the inline code directly after a cursor, or else the code directly before it; None if there is neither."""
    last = at.document().characterCount() - 1
    for position in (at.position() + 1, at.position()):
        before = QTextCursor(at.document())
        before.setPosition(min(position, last))
        # the format at a position is the format of the preceding character
        code = code_from_format(before.charFormat()) if 0 < position <= last else None
        if code is not None:
            return code
    return None


class TextPositions:
    """Mapping between offsets in the text without codes and positions in the document, for highlights."""

    def __init__(self, document: QTextDocument) -> None:
        self._starts: list[tuple[int, int, str]] = []
        position, offset = 0, 0
        for piece in document_pieces(document):
            if isinstance(piece, str):
                self._starts.append((offset, position, piece))
                offset += len(piece)
                position += utf16_length(piece)
            else:
                position += 1
        self.length = offset

    def spans(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the document spans of the characters [start, end) of the text, split at inline codes."""
        for first, at, piece in self._starts:
            low, high = max(start, first), min(end, first + len(piece))
            if low < high:
                begin = at + utf16_length(piece[: low - first])
                yield begin, begin + utf16_length(piece[low - first : high - first])

    def text_offset(self, position: int) -> int:
        """Return the text offset of a document position."""
        offset = 0
        for first, at, piece in self._starts:
            if at >= position:
                break
            units = position - at
            if utf16_length(piece) == len(piece):
                offset = first + min(len(piece), units)
            else:
                fitting = piece.encode("utf-16-le")[: units * 2].decode("utf-16-le", "ignore")
                offset = first + min(len(piece), len(fitting))
        return offset


def text_difference(before: str, after: str) -> tuple[int, str, str]:
    """Return the difference between two texts: offset, removed text, inserted text."""
    shorter = min(len(before), len(after))
    start = next((index for index in range(shorter) if before[index] != after[index]), shorter)
    common_suffix = 0
    while common_suffix < shorter - start and before[-1 - common_suffix] == after[-1 - common_suffix]:
        common_suffix += 1
    return start, before[start : len(before) - common_suffix], after[start : len(after) - common_suffix]
