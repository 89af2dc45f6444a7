"""Where a target is typed: plain text with chips for its codes, which no key takes apart.

Spelling is marked by nobody: Qt brings no spelling of its own, and none is pretended.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil
from typing import NamedTuple

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QHelpEvent,
    QInputMethodEvent,
    QKeyEvent,
    QPalette,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QToolTip, QWidget

from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK, LineCode, join_line, parse_line_codes, split_line
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.inspect.postedit.editor_keys import is_undo_or_redo, is_window_command
from qe_desktop.ui.inspect.postedit.target_document import (
    CODE_OBJECT_TYPE,
    OBJECT_CHARACTER,
    InlineCodeObject,
    TextPositions,
    adjacent_code,
    code_format,
    code_from_format,
    document_line,
    fragment_line,
    insert_line,
)
from qe_desktop.ui.inspect.reader.inline_code_painting import describe_code
from qe_desktop.ui.theme import current, themes
from qe_desktop.ui.widgets.focus_frame import FocusFrame
from qe_desktop.ui.widgets.labels import plain_tooltip

LINE_MIME_TYPE = "application/x-qe-desktop-line"
"""What the clipboard holds besides plain text, so that a ⟨ of the text stays one."""
LINE_SPACING_PERCENT = 130
"""Percent of a line's height from one line to the next."""
MIN_LINES, MAX_LINES_COMPACT, MAX_LINES = 1, 3, 9
"""Lines that are shown at the least, at the most in a low window, and at the most; a longer target scrolls."""


class TextHighlight(NamedTuple):
    """Characters of the text without codes that are doubtful, `strongly` or not, or wrong for a `reason` of a check."""

    start: int
    end: int
    strongly: bool = False
    reason: str = ""


class TargetEditor(QTextEdit):
    """One target, whose codes are known by `labels`. It has an undo of its own until another line is shown."""

    typed = Signal(int, str, str)
    """At this character of the line with codes, this was removed and that inserted."""
    left = Signal()
    """The person is done with it: Escape, or Enter."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line = ""
        self._known: frozenset[LineCode] = frozenset()
        self._labels: Mapping[int, str] = {}
        self._marked: tuple[TextHighlight, ...] = ()
        self._found: tuple[TextHighlight, ...] = ()
        self._room = 0
        self._painter = InlineCodeObject(self)
        self.document().documentLayout().registerHandler(CODE_OBJECT_TYPE, self._painter)
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.setAccessibleName(tr("Target"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(6)
        self.document().contentsChange.connect(self._on_contents)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        themes.theme_changed.connect(self._adopt_colours)
        self.setFrameStyle(QFrame.Shape.Box.value | QFrame.Shadow.Plain.value)
        self._adopt_colours()
        FocusFrame(self)

    def _adopt_colours(self) -> None:
        palette = self.palette()
        # the frame is drawn in it
        palette.setColor(QPalette.ColorRole.WindowText, current().muted)
        self.setPalette(palette)
        self._paint_marks()

    # --- what it holds

    @property
    def line(self) -> str:
        """The target as a line with codes."""
        return self._line

    def show_line(self, line: str, known: Iterable[LineCode], labels: Mapping[int, str]) -> None:
        """Show another target; `known` are the codes that plain text which is pasted may mean."""
        self._known, self._labels = frozenset((*known, *parse_line_codes(line))), labels
        self._line = line
        self._marked = self._found = ()
        self.setExtraSelections([])
        document = self.document()
        document.blockSignals(True)
        document.clear()
        cursor = QTextCursor(document)
        spaced = QTextBlockFormat()
        spaced.setLineHeight(LINE_SPACING_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(spaced)
        insert_line(cursor, line, QTextCharFormat())
        document.clearUndoRedoStacks()
        document.blockSignals(False)
        document.setModified(False)
        # nothing was told while it was filled
        document.markContentsDirty(0, document.characterCount())
        self.setTextCursor(cursor)
        self.setCurrentCharFormat(QTextCharFormat())
        self._fit()

    def show_reading(self, font: QFont, *, right_to_left: bool) -> None:
        """Show it in this font, running this way whatever it begins with."""
        option = QTextOption(self.document().defaultTextOption())
        way = Qt.LayoutDirection.RightToLeft if right_to_left else Qt.LayoutDirection.LeftToRight
        if (self.document().defaultFont(), option.textDirection()) == (font, way):
            # to lay it all out again would take longer than the key that was pressed
            return
        self.document().setDefaultFont(font)
        self.setFont(font)
        option.setTextDirection(way)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDefaultTextOption(option)
        self._fit()

    def _on_contents(self, position: int, removed: int, added: int) -> None:
        # marks and fonts change no text
        line = document_line(self.document())
        before, self._line = self._line, line
        if line != before:
            self.typed.emit(*_difference(before, line))

    # --- codes

    def insert_code(self, code: LineCode) -> None:
        """Put a code where the cursor stands."""
        cursor = self.textCursor()
        cursor.insertText(OBJECT_CHARACTER, code_format(code, QTextCharFormat()))
        self._go_on(cursor)

    def _go_on(self, cursor: QTextCursor) -> None:
        self.setTextCursor(cursor)
        # what is typed behind a chip is text
        self.setCurrentCharFormat(QTextCharFormat())
        self.ensureCursorVisible()

    def replace_line(self, line: str) -> None:
        """Put another text in the place of all of it, which can be undone here."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        insert_line(cursor, line, QTextCharFormat())
        self._go_on(cursor)

    # --- clipboard

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is chosen, with its codes as they stand in lines."""
        line = fragment_line(self.textCursor().selection())
        data = QMimeData()
        data.setData(LINE_MIME_TYPE, line.encode())
        data.setText("".join(one if isinstance(one, str) else one.shown for one in split_line(line)))
        return data

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Text alone."""
        return source.hasText() or source.hasFormat(LINE_MIME_TYPE)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Put text in, and of what looks like a code those of this segment."""
        if source.hasFormat(LINE_MIME_TYPE):
            line = bytes(source.data(LINE_MIME_TYPE).data()).decode(errors="replace")
        else:
            line = source.text()
            if not any(code in self._known for code in parse_line_codes(line)):
                line = line.replace("⟨", "⟨⟨")
        pieces = [one if isinstance(one, str) or one in self._known else one.shown for one in split_line(line)]
        cursor = self.textCursor()
        insert_line(cursor, join_line(pieces), QTextCharFormat())
        self._go_on(cursor)

    # --- keys

    def event(self, event: QEvent) -> bool:
        """Leave to the window the keys that are its commands, and say what a code stands for."""
        overrides = event.type() == QEvent.Type.ShortcutOverride
        if isinstance(event, QKeyEvent) and overrides and self._is_of_window(event):
            event.ignore()
            return False
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._explain(event)
            return True
        return super().event(event)

    def _is_of_window(self, event: QKeyEvent) -> bool:
        """Whether keys are a command of the window; undo and redo are while there is nothing of this line for them."""
        document = self.document()
        typed = document.isUndoAvailable() or document.isRedoAvailable()
        return is_window_command(event) or (is_undo_or_redo(event) and not typed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Shift+Enter begins a line; Enter and Escape leave."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if enter and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._insert(LINE_BREAK)
        elif (enter or event.key() == Qt.Key.Key_Escape) and plain:
            self.left.emit()
        else:
            self._plain_format()
            super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Text that is composed is text, also behind a chip."""
        self._plain_format()
        super().inputMethodEvent(event)

    def _insert(self, text: str) -> None:
        cursor = self.textCursor()
        cursor.insertText(text, QTextCharFormat())
        self._go_on(cursor)

    def _plain_format(self) -> None:
        if code_from_format(self.currentCharFormat()) is not None:
            self.setCurrentCharFormat(QTextCharFormat())

    def _explain(self, event: QHelpEvent) -> None:
        code = self._code_at(event)
        if code is None:
            reason = self._reason_at(event)
            if reason:
                QToolTip.showText(event.globalPos(), plain_tooltip(reason), self)
            else:
                QToolTip.hideText()
            return
        QToolTip.showText(event.globalPos(), plain_tooltip(describe_code(code, self._labels)), self)

    def _code_at(self, event: QHelpEvent) -> LineCode | None:
        at = self.viewport().mapFrom(self, event.pos())
        position = self.cursorForPosition(at).position()
        for place in (position, position + 1):
            cursor = QTextCursor(self.document())
            cursor.setPosition(min(place, self.document().characterCount() - 1))
            code = code_from_format(cursor.charFormat())
            if code is None or not cursor.position():
                continue
            before = QTextCursor(cursor)
            before.movePosition(QTextCursor.MoveOperation.PreviousCharacter)
            if self.cursorRect(before).left() != self.cursorRect(cursor).left():
                low, high = sorted((self.cursorRect(before).left(), self.cursorRect(cursor).left()))
                if low <= at.x() <= high:
                    return code
        return None

    def _reason_at(self, event: QHelpEvent) -> str:
        at = self.cursorForPosition(self.viewport().mapFrom(self, event.pos())).position()
        place = TextPositions(self.document()).of_position(at) if self._found else 0
        return next((mark.reason for mark in self._found if mark.start <= place <= mark.end), "")

    # --- marks

    def show_marks(self, marked: Iterable[TextHighlight]) -> None:
        """Mark what is doubtful, in two levels: a fill with a line, and a dotted line."""
        marks = tuple(marked)
        if marks != self._marked:
            self._marked = marks
            self._paint_marks()

    def show_found(self, found: Iterable[TextHighlight]) -> None:
        """Mark what is wrong by checks with a wave, and say on hover why."""
        marks = tuple(found)
        if marks != self._found:
            self._found = marks
            self._paint_marks()

    def _paint_marks(self) -> None:
        found = []
        marks = (*self._marked, *self._found)
        places = TextPositions(self.document()) if marks else None
        for mark in marks:
            form = _highlight_format(mark)
            for start, end in places.spans(mark.start, mark.end) if places is not None else ():
                chosen = QTextEdit.ExtraSelection()
                chosen.cursor = QTextCursor(self.document())
                chosen.cursor.setPosition(start)
                chosen.cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                chosen.format = form
                found.append(chosen)
        self.setExtraSelections(found)

    def go_to(self, place: int, end: int = 0) -> None:
        """Put the cursor before a character of the text without codes; with an `end`, select up to that."""
        spans = list(TextPositions(self.document()).spans(place, max(end, place + 1)))
        cursor = self.textCursor()
        if not spans:
            cursor.movePosition(QTextCursor.MoveOperation.End)
        else:
            cursor.setPosition(spans[-1][1] if end > place else spans[0][0])
            # the cursor itself is where the word begins
            cursor.setPosition(spans[0][0], QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def place(self) -> int:
        """The character of the text without codes that the cursor stands before."""
        return TextPositions(self.document()).of_position(self.textCursor().position())

    def about_code(self) -> str:
        """What the code beside the cursor stands for; empty where there is none."""
        code = adjacent_code(self.textCursor())
        return "" if code is None else describe_code(code, self._labels)

    # --- size

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where one types stays in view."""
        super().resizeEvent(event)
        self.ensureCursorVisible()

    def set_room(self, height: int) -> None:
        """Be no higher than this where three lines have room in it."""
        if height != self._room:
            self._room = height
            self._fit()

    def _fit(self) -> None:
        """As high as what it holds, within bounds."""
        line, frame = self._line_and_frame()
        most = (
            min(MAX_LINES * line, max(MAX_LINES_COMPACT * line, self._room - frame)) if self._room else MAX_LINES * line
        )
        height = self._height(most)
        if height != self.height():
            self.setFixedHeight(height)

    def needed(self) -> int:
        """The height at which all of it is seen, within bounds."""
        return self._height(MAX_LINES * self._line_and_frame()[0])

    def _height(self, most: float) -> int:
        line, frame = self._line_and_frame()
        wanted = max(MIN_LINES * line + frame, self.document().size().height() + 2 * self.frameWidth())
        # rounded down, it would scroll by a pixel
        return ceil(min(most + frame, wanted))

    def _line_and_frame(self) -> tuple[float, float]:
        line = QFontMetrics(self.document().defaultFont()).lineSpacing() * LINE_SPACING_PERCENT / 100
        return line, 2 * self.frameWidth() + 2 * self.document().documentMargin()


def _highlight_format(mark: TextHighlight) -> QTextCharFormat:
    form, theme, style = QTextCharFormat(), current(), QTextCharFormat.UnderlineStyle
    form.setUnderlineColor(theme.warning if mark.reason else theme.bad)
    form.setUnderlineStyle(
        style.WaveUnderline if mark.reason else style.SingleUnderline if mark.strongly else style.DotLine
    )
    if mark.strongly:
        form.setBackground(theme.bad_fill)
    return form


def _difference(before: str, after: str) -> tuple[int, str, str]:
    """Where two texts differ: the place, what was there, and what is there now."""
    shorter = min(len(before), len(after))
    first = next((place for place in range(shorter) if before[place] != after[place]), shorter)
    last = 0
    while last < shorter - first and before[-1 - last] == after[-1 - last]:
        last += 1
    return first, before[first : len(before) - last], after[first : len(after) - last]
