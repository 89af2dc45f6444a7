"""One text to be read: large, plain, selectable, with the segments around it in quiet type."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent, QTextCharFormat, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QWidget

from qe_desktop.corpus.differences import Stretch
from qe_desktop.ratings.texts_in_view import Paragraph
from qe_desktop.ui.inspect.words import utf16_length
from qe_desktop.ui.rate.texts.reading_document import Type, fill, here_of
from qe_desktop.ui.theme import current, themes


class ReadingPane(QTextEdit):
    """As high as its text. The mouse selects without taking the focus from the keys that rate; Tab leads into it."""

    chosen = Signal()
    """Some of its text was selected."""

    def __init__(self, type_: Type, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._type = type_
        self._paragraphs: tuple[Paragraph, ...] = ()
        self._differing: tuple[Stretch, ...] = ()
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

    def mark(self, differing: Sequence[Stretch]) -> None:
        """Underline parts of the segment that is judged; none takes the marks away."""
        self._differing = tuple(differing)
        self._mark()

    def texts(self) -> list[str]:
        """The paragraphs as they stand."""
        return [paragraph.text for paragraph in self._paragraphs]

    @property
    def here(self) -> int:
        """The number of the paragraph that is judged, -1 where none is."""
        return here_of(self._paragraphs)

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
        fill(self.document(), self._paragraphs, self._type)
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
