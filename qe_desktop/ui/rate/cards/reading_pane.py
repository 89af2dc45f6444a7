"""Reading view of one text: large, plain and selectable, with context segments in a muted colour."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import (
    QFontInfo,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QWidget

from qe_desktop.corpus.languages import language_direction
from qe_desktop.corpus.text_spans import CharSpan
from qe_desktop.ui.inspect.reader.word_layout import AUTO, utf16_length
from qe_desktop.ui.rate.cards.text_fit import Paragraph
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.appearance import pixel_scale, scaled_pixels
from qe_desktop.ui.theme import current, themes
from qe_desktop.ui.widgets.labels import scaled_font

CONTEXT_PX, CONTEXT_LINE_PX = 14, 22
"""Font size and line height of context segments in pixels, at a text size of 100 %."""
PARAGRAPH_GAP_PX = 8
"""Space between paragraphs in pixels, at a text size of 100 %."""
LINE_HEIGHT = 1.5
"""Minimum line height as a multiple of the font size."""
BAR_MARGIN_PX = 16
"""Margin in pixels for the bar that marks the judged segment among context segments."""
BAR_PX = 4.0
"""Width in pixels of the bar that marks the judged segment."""
CUT_MARK = "…"
"""Mark at the first or last visible line of a context paragraph that continues outside the visible part."""
DIRECTIONS = {
    AUTO: Qt.LayoutDirection.LayoutDirectionAuto,
    "ltr": Qt.LayoutDirection.LeftToRight,
    "rtl": Qt.LayoutDirection.RightToLeft,
}


@dataclass(frozen=True, slots=True)
class TextStyle:
    """Style of a text; `role` selects the font and direction settings: "source", or "mt" (also for references).

    `scale` is the font scale of the judged segment. `has_context` states whether there may be context segments; if so,
    the judged segment is marked with a bar. `language` is the language code of the text, empty if unknown.
    """

    settings: Settings
    role: str
    scale: float = 1.4
    has_context: bool = False
    language: str = ""

    @property
    def family(self) -> str:
        """Font family selected by the user; empty for the default font."""
        return str(getattr(self.settings, f"{self.role}_font"))

    @property
    def direction(self) -> Qt.LayoutDirection:
        """Direction set by the user or, if none is set, of the language; automatic if the language is unknown."""
        setting = str(getattr(self.settings, f"{self.role}_direction"))
        return DIRECTIONS[str(language_direction(self.language)) if setting == AUTO else setting]


def judged_index(paragraphs: Sequence[Paragraph]) -> int:
    """Return the index of the judged paragraph; -1 if there is none."""
    return next((number for number, paragraph in enumerate(paragraphs) if paragraph.is_current), -1)


def fill_document(document: QTextDocument, paragraphs: Sequence[Paragraph], type_: TextStyle) -> None:
    """Replace the text of a document with paragraphs in a style."""
    option = QTextOption()
    option.setTextDirection(type_.direction)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    document.setDocumentMargin(0)
    document.setDefaultTextOption(option)
    document.clear()
    cursor = QTextCursor(document)
    for number, paragraph in enumerate(paragraphs):
        block, text_format = _formats(paragraph, type_, first=number == 0)
        if number == 0:
            cursor.setBlockFormat(block)
        else:
            cursor.insertBlock(block)
        cursor.setBlockCharFormat(text_format)
        # keep line breaks of a segment within its paragraph
        cursor.insertText("\u2028".join(paragraph.text.splitlines()), text_format)


def _formats(paragraph: Paragraph, type_: TextStyle, *, first: bool) -> tuple[QTextBlockFormat, QTextCharFormat]:
    font = scaled_font(type_.scale if paragraph.is_current else pixel_scale(CONTEXT_PX))
    if type_.family:
        font.setFamily(type_.family)
    block = QTextBlockFormat()
    height = QFontInfo(font).pixelSize() * LINE_HEIGHT if paragraph.is_current else scaled_pixels(CONTEXT_LINE_PX)
    block.setLineHeight(height, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
    if type_.has_context:
        block.setLeftMargin(BAR_MARGIN_PX)
        block.setRightMargin(BAR_MARGIN_PX)
        block.setTopMargin(0.0 if first else scaled_pixels(PARAGRAPH_GAP_PX))
    text_format = QTextCharFormat()
    text_format.setFont(font)
    text_format.setForeground(current().text if paragraph.is_current else current().muted)
    return block, text_format


def measure_text(paragraphs: Sequence[Paragraph], type_: TextStyle, width: int) -> tuple[float, float]:
    """Return the vertical offset of the judged segment and the total height of the text at a width, in pixels."""
    if not paragraphs:
        return 0.0, 0.0
    document = QTextDocument()
    fill_document(document, paragraphs, type_)
    document.setTextWidth(width)
    return paragraph_rect(document, max(0, judged_index(paragraphs))).top(), document.size().height()


def paragraph_rect(document: QTextDocument, index: int) -> QRectF:
    """Return the rectangle of a paragraph, without the space above it."""
    return document.documentLayout().blockBoundingRect(document.findBlockByNumber(index))


class ReadingPane(QTextEdit):
    """Read-only pane that is as tall as its text. It takes the keyboard focus by Tab, but not by a mouse click."""

    text_selected = Signal()
    """Emitted when text was selected."""

    def __init__(self, type_: TextStyle, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._type = type_
        self._paragraphs: tuple[Paragraph, ...] = ()
        self._differing: tuple[CharSpan, ...] = ()
        self._filling = False
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        type_.settings.changed.connect(self._on_setting)
        themes.theme_changed.connect(self._fill)
        themes.text_size_changed.connect(self._fill)
        self.selectionChanged.connect(self._on_selection_changed)
        self._fill()

    # --- content

    def set_scale(self, scale: float) -> None:
        """Set the font scale of the judged segment."""
        if scale != self._type.scale:
            self._type = replace(self._type, scale=scale)
            self._fill()

    def show_paragraphs(self, paragraphs: Iterable[Paragraph]) -> None:
        """Replace the text, and clear the marks."""
        self._paragraphs = tuple(paragraphs)
        self._differing = ()
        self._fill()

    def mark(self, differing: Sequence[CharSpan]) -> None:
        """Mark the character spans `differing` of the judged segment; an empty sequence clears the marks."""
        self._differing = tuple(differing)
        self._mark()

    def texts(self) -> list[str]:
        """Return the texts of the paragraphs."""
        return [paragraph.text for paragraph in self._paragraphs]

    @property
    def judged_paragraph_index(self) -> int:
        """Index of the judged paragraph; -1 if there is none."""
        return judged_index(self._paragraphs)

    @property
    def is_marked(self) -> bool:
        """Whether the judged paragraph is marked with a bar, for which all paragraphs are indented."""
        return self._type.has_context

    def judged_rect(self) -> QRectF:
        """Return the rectangle of the judged paragraph, or of the first paragraph if none is judged."""
        return paragraph_rect(self.document(), max(0, self.judged_paragraph_index))

    def bar_rect(self) -> QRectF:
        """Return the rectangle of the bar beside the judged paragraph."""
        rect, block = self.judged_rect(), self.document().findBlockByNumber(max(0, self.judged_paragraph_index))
        is_right = block.textDirection() == Qt.LayoutDirection.RightToLeft
        rect.moveLeft(self.viewport().width() - BAR_PX if is_right else 0.0)
        rect.setWidth(BAR_PX)
        # Qt adds space above each line for the minimum line height; the rectangle lacks the space of the first line
        lines = block.layout()
        last = lines.lineAt(lines.lineCount() - 1)
        rect.setBottom(max(rect.bottom(), lines.position().y() + last.y() + last.height()))
        return rect

    def line_spans(self) -> list[tuple[float, float]]:
        """Return the top and the bottom of each line, in pixels from the top of the text."""
        layout, block, spans = self.document().documentLayout(), self.document().begin(), []
        while block.isValid():
            # the rectangle of a line does not include all of its line height
            top, lines = layout.blockBoundingRect(block).top(), block.layout()
            starts = [top + lines.lineAt(index).y() for index in range(lines.lineCount())]
            spans += list(pairwise([*starts, layout.blockBoundingRect(block).bottom()]))
            block = block.next()
        return spans

    def selected_text(self) -> str:
        """Return the selected text, with newlines for paragraph and line breaks; empty if no text is selected."""
        return self.textCursor().selectedText().replace("\u2029", "\n").replace("\u2028", "\n")

    def deselect(self) -> None:
        """Clear the selection."""
        cursor = self.textCursor()
        cursor.clearSelection()
        self.setTextCursor(cursor)

    def _on_selection_changed(self) -> None:
        if not self._filling and self.textCursor().hasSelection():
            self.text_selected.emit()

    def _fill(self) -> None:
        self._filling = True
        self.setPalette(self._colours())
        fill_document(self.document(), self._paragraphs, self._type)
        self.setTextCursor(QTextCursor(self.document()))
        self._mark()
        self._fit()
        self._filling = False

    def _colours(self) -> QPalette:
        palette, colours = self.palette(), current()
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        palette.setColor(QPalette.ColorRole.Text, colours.text)
        # show the selection in full colour even without focus
        palette.setColor(QPalette.ColorRole.Highlight, colours.accent)
        palette.setColor(QPalette.ColorRole.HighlightedText, colours.on_accent)
        return palette

    def _mark(self) -> None:
        text = self._paragraphs[self.judged_paragraph_index].text if self.judged_paragraph_index >= 0 else ""
        begin = self.document().findBlockByNumber(max(0, self.judged_paragraph_index)).position()
        form = QTextCharFormat()
        form.setBackground(current().false_alarm_fill)
        form.setFontUnderline(True)
        selections = []
        for first, last in self._differing:
            cursor = QTextCursor(self.document())
            cursor.setPosition(begin + utf16_length(text[:first]))
            cursor.setPosition(begin + utf16_length(text[:last]), QTextCursor.MoveMode.KeepAnchor)
            selection = QTextEdit.ExtraSelection()
            selection.cursor, selection.format = cursor, form
            selections.append(selection)
        self.setExtraSelections(selections)

    # --- size

    def _fit(self) -> None:
        self.document().setTextWidth(self.viewport().width())
        self.setFixedHeight(max(1, math.ceil(self.document().size().height())))
        # reset scrolling left over from another width, which would cut the first line
        self.verticalScrollBar().setValue(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the height to the text at the new width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the enclosing scroll area handle the mouse wheel."""
        event.ignore()

    def cut_marks(self) -> list[QRectF]:
        """Return the rectangles of the marks at context paragraphs that begin above or end below the visible part.

        If all preceding context is above the visible part, its mark is directly above the judged segment.
        """
        shown = QRectF(self.visibleRegion().boundingRect()).adjusted(0, -2, 0, 2)
        metrics = QFontMetricsF(self.font())
        width, height = metrics.horizontalAdvance(CUT_MARK) + 2, metrics.height()
        gap = scaled_pixels(PARAGRAPH_GAP_PX)
        marks, block = [], self.document().begin()
        while block.isValid() and self._type.has_context:
            layout = block.layout()
            count = layout.lineCount() if block.blockNumber() != self.judged_paragraph_index else 0
            lines = [layout.lineAt(index).naturalTextRect().translated(layout.position()) for index in range(count)]
            visible = [line for line in lines if shown.top() <= line.top() and line.bottom() <= shown.bottom()]
            is_mirrored = block.textDirection() == Qt.LayoutDirection.RightToLeft
            for index, is_right in ((0, is_mirrored), (-1, not is_mirrored)):
                if visible and visible[index] != lines[index]:
                    line = visible[index]
                    left = line.right() if is_right else line.left() - width
                    marks.append(QRectF(left, line.top(), width, line.height()))
            top = layout.position().y()
            if block.blockNumber() == self.judged_paragraph_index > 0 and 0 < top - shown.top() <= gap + 2:
                text = layout.lineAt(0).naturalTextRect().translated(layout.position())
                # the dots are at the bottom of their box
                box = QRectF(0, top - height * 0.8, width, height)
                box.moveLeft(text.right() - width if is_mirrored else text.left())
                marks.append(box)
            block = block.next()
        return marks

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text and, if there may be context, a bar at the judged segment and marks where context is cut."""
        super().paintEvent(event)
        self._draw_cut_marks()
        if self._type.has_context and self.judged_paragraph_index >= 0:
            painter = QPainter(self.viewport())
            painter.fillRect(self.bar_rect(), current().accent)
            painter.end()

    def _draw_cut_marks(self) -> None:
        marks = self.cut_marks()
        if marks:
            painter = QPainter(self.viewport())
            painter.setPen(current().muted)
            for mark in marks:
                painter.drawText(mark, int(Qt.AlignmentFlag.AlignCenter), CUT_MARK)
            painter.end()

    def _on_setting(self, key: str) -> None:
        if key.startswith("reading/"):
            self._fill()
