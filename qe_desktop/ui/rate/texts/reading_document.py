"""Text to be read as a document of Qt: plain, with air between the lines, every paragraph in its own direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextDocument, QTextOption

from qe_desktop.ratings.texts_in_view import Paragraph
from qe_desktop.ui.parts.labels import scaled
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.theme import current

LARGE, MEDIUM = 1.4, 1.2
"""Sizes of reading text: one translation alone, and one of several."""
AROUND = 1.05
"""The size of the segments around."""
LINE_HEIGHT = 1.5
"""Times the size of the letters; scripts that need more get more."""
MARGIN = 16
"""Room for the bar beside the segment that is judged, where others stand around it."""
DIRECTIONS = {
    "auto": Qt.LayoutDirection.LayoutDirectionAuto,
    "ltr": Qt.LayoutDirection.LeftToRight,
    "rtl": Qt.LayoutDirection.RightToLeft,
}


@dataclass(frozen=True, slots=True)
class Type:
    """How text is set: how large, and by which settings: those for "source", or for "mt" (also for references).

    `around`: there may be other segments around the one that is judged, which is marked by a bar then.
    """

    settings: Settings
    role: str
    scale: float = LARGE
    around: bool = False

    @property
    def family(self) -> str:
        """The font that a person chose; empty for the desktop's."""
        return str(getattr(self.settings, f"{self.role}_font"))

    @property
    def direction(self) -> Qt.LayoutDirection:
        """Which way the text runs."""
        return DIRECTIONS[getattr(self.settings, f"{self.role}_direction")]


def here_of(paragraphs: Sequence[Paragraph]) -> int:
    """The number of the paragraph that is judged, -1 where none is."""
    return next((number for number, one in enumerate(paragraphs) if one.here), -1)


def fill(document: QTextDocument, paragraphs: Sequence[Paragraph], type_: Type) -> None:
    """Put other text into a document."""
    option = QTextOption()
    option.setTextDirection(type_.direction)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    document.setDocumentMargin(0)
    document.setDefaultTextOption(option)
    document.clear()
    cursor = QTextCursor(document)
    for number, paragraph in enumerate(paragraphs):
        block, letters = _formats(paragraph, type_, first=number == 0)
        if number == 0:
            cursor.setBlockFormat(block)
        else:
            cursor.insertBlock(block)
        cursor.setBlockCharFormat(letters)
        # a line end within a segment stays within its paragraph
        cursor.insertText("\u2028".join(paragraph.text.splitlines()), letters)


def _formats(paragraph: Paragraph, type_: Type, *, first: bool) -> tuple[QTextBlockFormat, QTextCharFormat]:
    font = scaled(type_.scale if paragraph.here else AROUND)
    if type_.family:
        font.setFamily(type_.family)
    block = QTextBlockFormat()
    height = QFontInfo(font).pixelSize() * LINE_HEIGHT
    block.setLineHeight(height, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
    if type_.around:
        block.setLeftMargin(MARGIN)
        block.setRightMargin(MARGIN)
        block.setTopMargin(0.0 if first else font.pointSizeF() * 0.6)
    letters = QTextCharFormat()
    letters.setFont(font)
    letters.setForeground(current().text if paragraph.here else current().muted)
    return block, letters


def measured(paragraphs: Sequence[Paragraph], type_: Type, width: int) -> tuple[float, float]:
    """How far down the segment that is judged begins at a width, and how high all is; nothing is shown to anybody."""
    if not paragraphs:
        return 0.0, 0.0
    document = QTextDocument()
    fill(document, paragraphs, type_)
    document.setTextWidth(width)
    block = document.findBlockByNumber(max(0, here_of(paragraphs)))
    return document.documentLayout().blockBoundingRect(block).top(), document.size().height()
