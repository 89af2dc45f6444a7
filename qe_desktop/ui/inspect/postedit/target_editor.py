"""Target editor: plain text with inline codes as atomic objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil
from typing import NamedTuple

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QInputMethodEvent,
    QKeyEvent,
    QPalette,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QMenu, QTextEdit, QToolTip

from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK, LineCode, join_line, parse_line_codes, split_line
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.inspect.postedit.editor_input import WholeWordEdit, is_redo, is_undo, is_window_command
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
    set_document_font,
    text_difference,
)
from qe_desktop.ui.inspect.reader.word_decorations import describe_code, issue_format, misspelling_format
from qe_desktop.ui.theme import current, themes
from qe_desktop.ui.widgets.keyboard_focus import FocusFrame
from qe_desktop.ui.widgets.labels import plain_tooltip
from qe_desktop.ui.widgets.tag_painter import TagPainter

LINE_MIME_TYPE = "application/x-qe-desktop-line"
"""MIME type of a line with codes, in which a literal ⟨ is escaped."""
LINE_GAP = 4
"""Distance in pixels between two lines of text."""
MIN_LINES, MAX_LINES_COMPACT, MAX_LINES = 1, 3, 9
"""Heights in lines: minimum, maximum if space is short, and maximum otherwise; longer targets scroll."""


class TextHighlight(NamedTuple):
    """Highlight of a word flagged by QE (strong or weak) or, with a `reason`, of a QA result; offsets exclude codes."""

    start: int
    end: int
    is_strong: bool = False
    reason: str = ""


class TargetEditor(WholeWordEdit):
    """Editor of one target; `show_line` clears the undo history."""

    typed = Signal(int, str, str)
    """Emitted after each edit, with the offset in the line with codes, the removed text and the inserted text."""
    exit_requested = Signal()
    """Emitted on Escape or Enter."""
    menu_opening = Signal(QMenu, int)
    """Emitted before the context menu opens, with the menu and the text offset (without codes) at which it opens."""

    def __init__(self) -> None:
        super().__init__()
        self._line = ""
        self._known_codes: frozenset[LineCode] = frozenset()
        self._labels: Mapping[int, str] = {}
        self._flagged: tuple[TextHighlight, ...] = ()
        self._issues: tuple[TextHighlight, ...] = ()
        self._misspelled: tuple[tuple[int, int], ...] = ()
        self._max_height = 0
        self._painter = InlineCodeObject(self)
        self.document().documentLayout().registerHandler(CODE_OBJECT_TYPE, self._painter)
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.setAccessibleName(tr("Target"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(6)
        self.document().contentsChange.connect(self._on_contents)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        themes.theme_changed.connect(self._update_colours)
        self.setFrameStyle(QFrame.Shape.Box.value | QFrame.Shadow.Plain.value)
        self._update_colours()
        FocusFrame(self)

    def _update_colours(self) -> None:
        palette = self.palette()
        # the frame is drawn in this colour
        palette.setColor(QPalette.ColorRole.WindowText, current().muted)
        self.setPalette(palette)
        self._paint_marks()

    # --- content

    @property
    def line(self) -> str:
        """Target as a line with codes."""
        return self._line

    def show_line(self, line: str, known_codes: Iterable[LineCode], labels: Mapping[int, str]) -> None:
        """Show a target; only its codes and `known_codes` can be pasted. `labels` are the labels of codes by number."""
        self._known_codes, self._labels = frozenset((*known_codes, *parse_line_codes(line))), labels
        self._line = line
        self._flagged = self._issues = self._misspelled = ()
        self.setExtraSelections([])
        document = self.document()
        document.blockSignals(True)
        document.clear()
        cursor = QTextCursor(document)
        spaced = QTextBlockFormat()
        spaced.setLineHeight(LINE_GAP, QTextBlockFormat.LineHeightTypes.LineDistanceHeight.value)
        cursor.setBlockFormat(spaced)
        insert_line(cursor, line, QTextCharFormat())
        document.clearUndoRedoStacks()
        document.blockSignals(False)
        document.setModified(False)
        # signals were blocked during filling
        document.markContentsDirty(0, document.characterCount())
        self.setTextCursor(cursor)
        self.setCurrentCharFormat(QTextCharFormat())
        self._fit()

    def set_text_format(self, font: QFont, *, right_to_left: bool) -> None:
        """Set font and text direction."""
        if set_document_font(self.document(), font, right_to_left=right_to_left):
            self.setFont(font)
            self._fit()

    def _on_contents(self, position: int, removed: int, added: int) -> None:
        # highlights and fonts do not change the text
        line = document_line(self.document())
        before, self._line = self._line, line
        if line != before:
            self.typed.emit(*text_difference(before, line))

    # --- codes

    def insert_code(self, code: LineCode) -> None:
        """Insert an inline code at the cursor."""
        cursor = self.textCursor()
        cursor.insertText(OBJECT_CHARACTER, code_format(code, QTextCharFormat()))
        self._move_cursor(cursor)

    def _move_cursor(self, cursor: QTextCursor) -> None:
        self.setTextCursor(cursor)
        # text after an inline code is plain text
        self.setCurrentCharFormat(QTextCharFormat())
        self.ensureCursorVisible()

    def replace_line(self, line: str) -> None:
        """Replace the whole text with `line`, which is a line with codes, as one undo step."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        insert_line(cursor, line, QTextCharFormat())
        self._move_cursor(cursor)

    # --- clipboard

    def createMimeDataFromSelection(self) -> QMimeData:
        """Return the selection as a line with codes and as plain text."""
        line = fragment_line(self.textCursor().selection())
        data = QMimeData()
        data.setData(LINE_MIME_TYPE, line.encode())
        data.setText("".join(piece if isinstance(piece, str) else piece.display_text for piece in split_line(line)))
        return data

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Accept text only."""
        return source.hasText() or source.hasFormat(LINE_MIME_TYPE)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Insert text; known inline codes are inserted as codes, unknown codes as text."""
        if source.hasFormat(LINE_MIME_TYPE):
            line = bytes(source.data(LINE_MIME_TYPE).data()).decode(errors="replace")
        else:
            line = source.text()
            if not any(code in self._known_codes for code in parse_line_codes(line)):
                line = line.replace("⟨", "⟨⟨")
        known = self._known_codes
        pieces = [x if isinstance(x, str) or x in known else x.display_text for x in split_line(line)]
        cursor = self.textCursor()
        insert_line(cursor, join_line(pieces), QTextCharFormat())
        self._move_cursor(cursor)

    # --- keys

    def event(self, event: QEvent) -> bool:
        """Leave the keys of window commands to the window, and show tooltips for inline codes and check results."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and self._is_window_key(event):
            event.ignore()
            return False
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._explain(event)
            return True
        return super().event(event)

    def _is_window_key(self, event: QKeyEvent) -> bool:
        """Return whether a key event is left to the window, for example undo if the editor has nothing to undo."""
        document = self.document()
        is_left = is_undo(event) and not document.isUndoAvailable()
        return is_left or (is_redo(event) and not document.isRedoAvailable()) or is_window_command(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Insert a line break on Shift+Enter; stop editing on Enter and Escape."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        is_unmodified = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if enter and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._insert(LINE_BREAK)
        elif (enter or event.key() == Qt.Key.Key_Escape) and is_unmodified:
            self.exit_requested.emit()
        else:
            self._reset_code_format()
            super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Insert text from an input method as plain text, even after an inline code."""
        self._reset_code_format()
        super().inputMethodEvent(event)

    def _insert(self, text: str) -> None:
        cursor = self.textCursor()
        cursor.insertText(text, QTextCharFormat())
        self._move_cursor(cursor)

    def _reset_code_format(self) -> None:
        if code_from_format(self.currentCharFormat()) is not None:
            self.setCurrentCharFormat(QTextCharFormat())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show the context menu without blocking; receivers of `menu_opening` add entries."""
        at_cursor = event.reason() is QContextMenuEvent.Reason.Keyboard
        position = (self.textCursor() if at_cursor else self.cursorForPosition(event.pos())).position()
        menu = self.createStandardContextMenu(event.pos())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.menu_opening.emit(menu, TextPositions(self.document()).text_offset(position))
        menu.popup(event.globalPos())

    def _explain(self, event: QHelpEvent) -> None:
        code = self._code_at(event)
        text = self._reason_at(event) if code is None else describe_code(code, self._labels)
        if text:
            QToolTip.showText(event.globalPos(), plain_tooltip(text), self)
        else:
            QToolTip.hideText()

    def _code_at(self, event: QHelpEvent) -> LineCode | None:
        at = self.viewport().mapFrom(self, event.pos())
        position = self.cursorForPosition(at).position()
        for candidate in (position, position + 1):
            cursor = QTextCursor(self.document())
            cursor.setPosition(min(candidate, self.document().characterCount() - 1))
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
        offset = TextPositions(self.document()).text_offset(at) if self._issues else 0
        return next((mark.reason for mark in self._issues if mark.start <= offset <= mark.end), "")

    # --- highlights

    def show_flagged_words(self, highlights: Iterable[TextHighlight]) -> None:
        """Highlight flagged words: strong highlights with fill and underline, weak ones with a dotted underline."""
        marks = tuple(highlights)
        if marks != self._flagged:
            self._flagged = marks
            self._paint_marks()

    def show_check_results(self, highlights: Iterable[TextHighlight]) -> None:
        """Highlight check results with a wavy underline; tooltips show the reasons."""
        marks = tuple(highlights)
        if marks != self._issues:
            self._issues = marks
            self._paint_marks()

    def show_misspelled(self, spans: Iterable[tuple[int, int]]) -> None:
        """Underline misspelled words; `spans` are [start, end) in the text without codes."""
        misspelled = tuple(spans)
        if misspelled != self._misspelled:
            self._misspelled = misspelled
            self._paint_marks()

    def _paint_marks(self) -> None:
        selections, theme = [], current()
        tag_painter, issue = TagPainter(theme), issue_format(theme)
        marks = [
            (mark.start, mark.end, issue if mark.reason else tag_painter.word_format(partial=not mark.is_strong))
            for mark in (*self._flagged, *self._issues)
        ]
        misspelling = misspelling_format(theme)
        marks += [(start, end, misspelling) for start, end in self._misspelled]
        positions = TextPositions(self.document()) if marks else None
        for first, last, char_format in marks:
            for start, end in positions.spans(first, last) if positions is not None else ():
                selection = QTextEdit.ExtraSelection()
                selection.cursor = QTextCursor(self.document())
                selection.cursor.setPosition(start)
                selection.cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                selection.format = char_format
                selections.append(selection)
        self.setExtraSelections(selections)

    def go_to(self, start: int, end: int = 0) -> None:
        """Select [start, end), clipped to the text; if empty, put the cursor at `start`. Offsets exclude codes."""
        spans = list(TextPositions(self.document()).spans(start, max(end, start + 1)))
        cursor = self.textCursor()
        if not spans:
            cursor.movePosition(QTextCursor.MoveOperation.End)
        else:
            cursor.setPosition(spans[-1][1] if end > start else spans[0][0])
            # the cursor is at the start of the word
            cursor.setPosition(spans[0][0], QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def replace_span(self, start: int, end: int, text: str) -> None:
        """Replace the characters [start, end) with `text` in one undo step; keep codes. Put the cursor after `text`."""
        spans = list(TextPositions(self.document()).spans(start, end))
        cursor = self.textCursor()
        cursor.beginEditBlock()
        for index, (first, last) in reversed(list(enumerate(spans))):
            cursor.setPosition(first)
            cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText("" if index else text, QTextCharFormat())
        cursor.endEditBlock()
        self._move_cursor(cursor)

    def cursor_offset(self) -> int:
        """Return the offset of the cursor in the text without codes."""
        return TextPositions(self.document()).text_offset(self.textCursor().position())

    def selected_span(self) -> tuple[int, int]:
        """Return the start and end of the selection in the text without codes; they are equal without a selection."""
        cursor, positions = self.textCursor(), TextPositions(self.document())
        return positions.text_offset(cursor.selectionStart()), positions.text_offset(cursor.selectionEnd())

    def code_description(self) -> str:
        """Return a description of the inline code next to the cursor; empty if there is none."""
        code = adjacent_code(self.textCursor())
        return "" if code is None else describe_code(code, self._labels)

    # --- size

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the cursor visible."""
        super().resizeEvent(event)
        self.ensureCursorVisible()

    def set_max_height(self, height: int) -> None:
        """Set the maximum height in pixels, rounded down to whole lines, at least three; 0 means `MAX_LINES` lines."""
        if height != self._max_height:
            self._max_height = height
            self._fit()

    def _fit(self) -> None:
        line, frame = self._line_and_frame()
        max_height = MAX_LINES * line
        if self._max_height:
            max_height = min(max_height, max(MAX_LINES_COMPACT, (self._max_height - frame) // line) * line)
        height = self._height(max_height)
        if height != self.height():
            self.setFixedHeight(height)

    def needed_height(self, lines: int = 0) -> int:
        """Return the height in pixels of `lines` lines (0: of the whole text), but at most of `MAX_LINES` lines."""
        return self._height(MAX_LINES * self._line_and_frame()[0], lines)

    def _height(self, max_height: float, lines: int = 0) -> int:
        line, frame = self._line_and_frame()
        text = lines * line + frame if lines else self.document().size().height() + 2 * self.frameWidth()
        # rounded up, so that the text does not scroll
        return ceil(min(max_height + frame, max(MIN_LINES * line + frame, text)))

    def _line_and_frame(self) -> tuple[float, float]:
        metrics = QFontMetricsF(self.document().defaultFont())
        line = ceil(metrics.ascent()) + ceil(metrics.descent()) + LINE_GAP
        return line, 2 * self.frameWidth() + 2 * self.document().documentMargin()
