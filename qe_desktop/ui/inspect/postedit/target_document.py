"""A line with codes as a document of text and chips, and back.

Qt counts text in UTF-16 units, Python in code points: what comes out of here is counted as Python does.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QFontMetricsF,
    QPainter,
    QPyTextObject,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextDocumentFragment,
    QTextFormat,
)

from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK, LINE_BREAK_PATTERN, LineCode, join_line, split_line
from qe_desktop.ui.inspect.reader.inline_code_painting import code_size, draw_code
from qe_desktop.ui.inspect.reader.word_layout import utf16_length
from qe_desktop.ui.theme import current

CODE_OBJECT_TYPE = QTextFormat.ObjectTypes.UserObject + 1
OBJECT_CHARACTER = "\ufffc"
"""What stands in the document for each chip."""
_KIND_PROPERTY = QTextFormat.Property.UserProperty + 1
_NUMBER_PROPERTY = QTextFormat.Property.UserProperty + 2


def code_format(code: LineCode, like: QTextCharFormat) -> QTextCharFormat:
    """The format of the sign that stands for a code, in text like this."""
    made = QTextCharFormat(like)
    made.setObjectType(CODE_OBJECT_TYPE)
    made.setProperty(_KIND_PROPERTY, code.kind.value)
    made.setProperty(_NUMBER_PROPERTY, code.number)
    return made


def code_from_format(given: QTextFormat) -> LineCode | None:
    """The code that a format makes a sign stand for; None where it is text."""
    if given.objectType() != CODE_OBJECT_TYPE:
        return None
    return LineCode(CodeKind(given.property(_KIND_PROPERTY)), int(given.property(_NUMBER_PROPERTY)))


class InlineCodeObject(QPyTextObject):
    """Measures and draws the chips of a document, in the colours of the theme."""

    def intrinsicSize(self, doc: QTextDocument, posInDocument: int, format: QTextFormat) -> QSizeF:
        """As wide as its number with its arrow, and no higher than the text."""
        code = code_from_format(format)
        metrics = QFontMetricsF(doc.defaultFont())
        if code is None:
            return QSizeF(metrics.horizontalAdvance("0"), metrics.ascent())
        return code_size(code, metrics)

    def drawObject(
        self, painter: QPainter, rect: QRectF | QRect, doc: QTextDocument, posInDocument: int, format: QTextFormat
    ) -> None:
        """Draw one chip."""
        code = code_from_format(format)
        if code is not None:
            text = doc.findBlock(posInDocument)
            right_to_left = text.textDirection() == Qt.LayoutDirection.RightToLeft
            draw_code(painter, QRectF(rect), code, doc.defaultFont(), current(), right_to_left=right_to_left)


LinePieces = list[str | LineCode]


def document_pieces(document: QTextDocument) -> LinePieces:
    """The text and the codes of a document by turns; its paragraphs are lines of one text."""
    found: LinePieces = []
    block = document.begin()
    while block.isValid():
        if block != document.begin():
            found.append(LINE_BREAK)
        found += _block_pieces(block)
        block = block.next()
    return found


def _block_pieces(block: QTextBlock) -> Iterator[str | LineCode]:
    if OBJECT_CHARACTER not in block.text():
        # the usual case, and quicker
        yield from (block.text(),) if block.length() > 1 else ()
        return
    parts = block.begin()
    while not parts.atEnd():
        fragment = parts.fragment()
        code = code_from_format(fragment.charFormat())
        if code is None:
            yield fragment.text()
        else:
            # chips that are alike and stand together are one fragment
            yield from [code] * fragment.length()
        parts += 1


def document_line(document: QTextDocument) -> str:
    """The line that a document holds."""
    return join_line(document_pieces(document))


def document_text(document: QTextDocument) -> str:
    """The text of a document without its codes."""
    return "".join(piece for piece in document_pieces(document) if isinstance(piece, str))


def fragment_line(fragment: QTextDocumentFragment) -> str:
    """The line that a part of a document holds."""
    held = QTextDocument()
    QTextCursor(held).insertFragment(fragment)
    return document_line(held)


def insert_line(cursor: QTextCursor, line: str, like: QTextCharFormat) -> None:
    """Put text and chips in the place of what is selected, as one step of undo."""
    cursor.beginEditBlock()
    cursor.removeSelectedText()
    for piece in split_line(LINE_BREAK_PATTERN.sub(LINE_BREAK, line)):
        if isinstance(piece, LineCode):
            cursor.insertText(OBJECT_CHARACTER, code_format(piece, like))
        else:
            cursor.insertText(piece, like)
    cursor.endEditBlock()


def adjacent_code(at: QTextCursor) -> LineCode | None:
    """The code behind a place in a document, or else the one before it; None where text is on both sides."""
    last = at.document().characterCount() - 1
    for place in (at.position() + 1, at.position()):
        before = QTextCursor(at.document())
        before.setPosition(min(place, last))
        # the format of a place is that of the sign before it
        code = code_from_format(before.charFormat()) if 0 < place <= last else None
        if code is not None:
            return code
    return None


class TextPositions:
    """Where the characters of the text without codes stand in a document, for marks on it."""

    def __init__(self, document: QTextDocument) -> None:
        self._starts: list[tuple[int, int, str]] = []
        at, place = 0, 0
        for piece in document_pieces(document):
            if isinstance(piece, str):
                self._starts.append((place, at, piece))
                place += len(piece)
                at += utf16_length(piece)
            else:
                at += 1
        self.length = place

    def spans(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Where the characters from `start` to before `end` stand; codes among them part them."""
        for first, at, piece in self._starts:
            low, high = max(start, first), min(end, first + len(piece))
            if low < high:
                begin = at + utf16_length(piece[: low - first])
                yield begin, begin + utf16_length(piece[low - first : high - first])

    def of_position(self, position: int) -> int:
        """The character of the text without codes that a position of the document stands before."""
        place = 0
        for first, at, piece in self._starts:
            if at >= position:
                break
            units = position - at
            if utf16_length(piece) == len(piece):
                place = first + min(len(piece), units)
            else:
                taken = piece.encode("utf-16-le")[: units * 2].decode("utf-16-le", "ignore")
                place = first + min(len(piece), len(taken))
        return place
