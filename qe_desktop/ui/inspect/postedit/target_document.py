"""A line with codes as a document of text and chips, and back.

Qt counts text in UTF-16 units, Python in code points: what comes out of here is counted as Python does.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor, QTextDocument, QTextDocumentFragment

from qe_desktop.formats.bilingual.line_codes import LineCode, line_of_pieces, pieces_of
from qe_desktop.formats.bilingual.lines import BREAK, BREAKS
from qe_desktop.ui.inspect.correcting.chips import SIGN, chip_format, code_of
from qe_desktop.ui.inspect.words import utf16_length

Pieces = list[str | LineCode]


def pieces_in(document: QTextDocument) -> Pieces:
    """The text and the codes of a document by turns; its paragraphs are lines of one text."""
    found: Pieces = []
    block = document.begin()
    while block.isValid():
        if block != document.begin():
            found.append(BREAK)
        found += _pieces_of(block)
        block = block.next()
    return found


def _pieces_of(block: QTextBlock) -> Iterator[str | LineCode]:
    if SIGN not in block.text():
        # the usual case, and quicker
        yield from (block.text(),) if block.length() > 1 else ()
        return
    parts = block.begin()
    while not parts.atEnd():
        fragment = parts.fragment()
        code = code_of(fragment.charFormat())
        if code is None:
            yield fragment.text()
        else:
            # chips that are alike and stand together are one fragment
            yield from [code] * fragment.length()
        parts += 1


def line_in(document: QTextDocument) -> str:
    """The line that a document holds."""
    return line_of_pieces(pieces_in(document))


def text_in(document: QTextDocument) -> str:
    """The text of a document without its codes."""
    return "".join(piece for piece in pieces_in(document) if isinstance(piece, str))


def line_of_fragment(fragment: QTextDocumentFragment) -> str:
    """The line that a part of a document holds."""
    held = QTextDocument()
    QTextCursor(held).insertFragment(fragment)
    return line_in(held)


def insert_line(cursor: QTextCursor, line: str, like: QTextCharFormat) -> None:
    """Put text and chips in the place of what is selected, as one step of undo."""
    cursor.beginEditBlock()
    cursor.removeSelectedText()
    for piece in pieces_of(BREAKS.sub(BREAK, line)):
        if isinstance(piece, LineCode):
            cursor.insertText(SIGN, chip_format(piece, like))
        else:
            cursor.insertText(piece, like)
    cursor.endEditBlock()


def code_beside(at: QTextCursor) -> LineCode | None:
    """The code behind a place in a document, or else the one before it; None where text is on both sides."""
    last = at.document().characterCount() - 1
    for place in (at.position() + 1, at.position()):
        before = QTextCursor(at.document())
        before.setPosition(min(place, last))
        # the format of a place is that of the sign before it
        code = code_of(before.charFormat()) if 0 < place <= last else None
        if code is not None:
            return code
    return None


class Places:
    """Where the characters of the text without codes stand in a document, for marks on it."""

    def __init__(self, document: QTextDocument) -> None:
        self._starts: list[tuple[int, int, str]] = []
        at, place = 0, 0
        for piece in pieces_in(document):
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
