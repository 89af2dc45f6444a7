"""One text to be read: large, plain, selectable, with the segments around it in quiet type."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFontInfo,
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
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QTextEdit, QWidget

from qe_desktop.corpus.text_diff import CharSpan
from qe_desktop.ratings.displayed_texts import Paragraph
from qe_desktop.ui.inspect.reader.word_layout import utf16_length
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.theme import current, themes
from qe_desktop.ui.widgets.labels import scaled_font

LARGE_SCALE, MEDIUM_SCALE = 1.4, 1.2
"""Sizes of reading text: one translation alone, and one of several."""
CONTEXT_SCALE = 1.05
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
class TextStyle:
    """How text is set: how large, and by which settings: those for "source", or for "mt" (also for references).

    `around`: there may be other segments around the one that is judged, which is marked by a bar then.
    """

    settings: Settings
    role: str
    scale: float = LARGE_SCALE
    around: bool = False

    @property
    def family(self) -> str:
        """The font that a person chose; empty for the desktop's."""
        return str(getattr(self.settings, f"{self.role}_font"))

    @property
    def direction(self) -> Qt.LayoutDirection:
        """Which way the text runs."""
        return DIRECTIONS[getattr(self.settings, f"{self.role}_direction")]


def judged_index(paragraphs: Sequence[Paragraph]) -> int:
    """The number of the paragraph that is judged, -1 where none is."""
    return next((number for number, one in enumerate(paragraphs) if one.here), -1)


def fill_document(document: QTextDocument, paragraphs: Sequence[Paragraph], type_: TextStyle) -> None:
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


def _formats(paragraph: Paragraph, type_: TextStyle, *, first: bool) -> tuple[QTextBlockFormat, QTextCharFormat]:
    font = scaled_font(type_.scale if paragraph.here else CONTEXT_SCALE)
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


def measure_text(paragraphs: Sequence[Paragraph], type_: TextStyle, width: int) -> tuple[float, float]:
    """How far down the segment that is judged begins at a width, and how high all is; nothing is shown to anybody."""
    if not paragraphs:
        return 0.0, 0.0
    document = QTextDocument()
    fill_document(document, paragraphs, type_)
    document.setTextWidth(width)
    block = document.findBlockByNumber(max(0, judged_index(paragraphs)))
    return document.documentLayout().blockBoundingRect(block).top(), document.size().height()


class ReadingPane(QTextEdit):
    """As high as its text. The mouse selects without taking the focus from the keys that rate; Tab leads into it."""

    chosen = Signal()
    """Some of its text was selected."""

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
        self.selectionChanged.connect(self._tell)
        self._fill()

    # --- what is shown

    def show_paragraphs(self, paragraphs: Iterable[Paragraph]) -> None:
        """Show other text."""
        self._paragraphs = tuple(paragraphs)
        self._differing = ()
        self._fill()

    def mark(self, differing: Sequence[CharSpan]) -> None:
        """Underline parts of the segment that is judged; none takes the marks away."""
        self._differing = tuple(differing)
        self._mark()

    def texts(self) -> list[str]:
        """The paragraphs as they stand."""
        return [paragraph.text for paragraph in self._paragraphs]

    @property
    def here(self) -> int:
        """The number of the paragraph that is judged, -1 where none is."""
        return judged_index(self._paragraphs)

    def here_rect(self) -> QRectF:
        """Where the segment stands that is judged."""
        block = self.document().findBlockByNumber(max(0, self.here))
        return self.document().documentLayout().blockBoundingRect(block)

    def selected(self) -> str:
        """The text that is selected; paragraphs are parted by line ends."""
        return self.textCursor().selectedText().replace("\u2029", "\n").replace("\u2028", "\n")

    def deselect(self) -> None:
        """Select nothing."""
        cursor = self.textCursor()
        cursor.clearSelection()
        self.setTextCursor(cursor)

    def _tell(self) -> None:
        if not self._filling and self.textCursor().hasSelection():
            self.chosen.emit()

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
        # a selection made without the focus is as good as any
        palette.setColor(QPalette.ColorRole.Highlight, colours.accent)
        palette.setColor(QPalette.ColorRole.HighlightedText, colours.on_accent)
        return palette

    def _mark(self) -> None:
        text = self._paragraphs[self.here].text if self.here >= 0 else ""
        begin = self.document().findBlockByNumber(max(0, self.here)).position()
        form = QTextCharFormat()
        form.setBackground(current().false_alarm_fill)
        form.setFontUnderline(True)
        selections = []
        for first, last in self._differing:
            cursor = QTextCursor(self.document())
            cursor.setPosition(begin + utf16_length(text[:first]))
            cursor.setPosition(begin + utf16_length(text[:last]), QTextCursor.MoveMode.KeepAnchor)
            one = QTextEdit.ExtraSelection()
            one.cursor, one.format = cursor, form
            selections.append(one)
        self.setExtraSelections(selections)

    # --- size

    def _fit(self) -> None:
        self.document().setTextWidth(self.viewport().width())
        self.setFixedHeight(max(1, math.ceil(self.document().size().height())))
        # all of it is in view; what it was scrolled by at another width would cut its first line
        self.verticalScrollBar().setValue(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Become as high as the text is at this width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ApplicationFontChange:
            self._fill()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to whatever scrolls the page."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, with a bar beside the segment that is judged where others stand around it."""
        super().paintEvent(event)
        if self._type.around and self.here >= 0:
            rect = self.here_rect()
            block = self.document().findBlockByNumber(self.here)
            rect.setTop(rect.top() + block.blockFormat().topMargin())
            right = block.textDirection() == Qt.LayoutDirection.RightToLeft
            x = self.viewport().width() - 4.0 if right else 0.0
            painter = QPainter(self.viewport())
            painter.fillRect(QRectF(x, rect.top(), 4.0, rect.height()), current().accent)
            painter.end()

    def _on_setting(self, key: str) -> None:
        if key.startswith("reading/"):
            self._fill()


UNLIMITED = 16_777_215
"""Qt's own word for no limit of a size."""


class TextView(QScrollArea):
    """Without a frame or a ground of its own; the focus stays with the page."""

    resized = Signal(int)
    """How high what is in view is now."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)

    def hold(self, texts: QWidget) -> None:
        """Show these texts."""
        self.setWidget(texts)
        texts.setAutoFillBackground(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell of it."""
        super().resizeEvent(event)
        self.resized.emit(self.viewport().height())


class FittedView(TextView):
    """As high as its texts need, in the way that `fit` says."""

    def hold(self, texts: QWidget) -> None:
        """Show these texts, and hear of another height of theirs."""
        super().hold(texts)
        texts.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The texts need another height."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return False

    def needed(self) -> int:
        """How high the texts are."""
        texts = self.widget()
        layout = texts.layout() if texts is not None else None
        return layout.sizeHint().height() if layout is not None else 0

    def fit(self) -> None:
        """Take the height that is right now."""
        raise NotImplementedError
