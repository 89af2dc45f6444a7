"""Input of the target editor: double clicks on whole words, editing keys, and keys that are commands of the window."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QTextEdit

from qe_desktop.formats.bilingual.word_tokenization import word_spans
from qe_desktop.ui.inspect.postedit.target_document import OBJECT_CHARACTER
from qe_desktop.ui.inspect.reader.word_layout import utf16_length

_PIECE = re.compile(f"[^{OBJECT_CHARACTER}]+")


class WholeWordEdit(QTextEdit):
    """Text editor in which a double click selects a word as delimited by `word_spans`; Qt ends words at apostrophes.

    The editor receives Escape even if the window has a shortcut for it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._clicked_span: tuple[int, int] | None = None
        """Start and end position of the double-clicked word while the mouse button is down; otherwise None."""

    def event(self, event: QEvent) -> bool:
        """Accept Escape before a shortcut of the window, which would close the legend instead of the target."""
        is_shortcut = event.type() == QEvent.Type.ShortcutOverride
        if is_shortcut and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and not event.modifiers():
            event.accept()
            return True
        return super().event(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select the word under the mouse; Qt would also select inline codes next to it, which typing would delete."""
        super().mouseDoubleClickEvent(event)
        cursor = self.textCursor()
        word = word_around(cursor, self.cursorForPosition(event.position().toPoint()).position())
        if word is not None:
            self._clicked_span = word
            cursor.setPosition(word[0])
            cursor.setPosition(word[1], QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Keep the word selected until the mouse leaves it; Qt would reduce the selection to a part of the word."""
        word = self._clicked_span
        if word is not None and word[0] <= self.cursorForPosition(event.position().toPoint()).position() <= word[1]:
            return
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let later mouse moves change the selection again."""
        self._clicked_span = None
        super().mouseReleaseEvent(event)


def word_around(cursor: QTextCursor, position: int) -> tuple[int, int] | None:
    """Return the document span of the word at `position`; `cursor` has the selection that Qt made on a double click.

    Words end at inline codes. Return None if `cursor` already selects exactly this word, or selects only inline codes.
    """
    block, start, end = cursor.block(), cursor.selectionStart(), cursor.selectionEnd()
    text, first = block.text(), block.position()
    low, offset, high = (_index(text, min(max(start, at), end) - first) for at in (start, position, end))
    pieces = [match.span() for match in _PIECE.finditer(text, low, high)]
    if not pieces:
        return None
    low, high = next((piece for piece in pieces if piece[0] <= offset <= piece[1]), pieces[-1])
    low, high = next((span for span in word_spans(text) if span[0] <= low and high <= span[1]), (low, high))
    word = first + utf16_length(text[:low]), first + utf16_length(text[:high])
    return word if word != (start, end) else None


def _index(text: str, units: int) -> int:
    """Return the index of the character at an offset of `units` UTF-16 units."""
    return len(text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore"))


_EDITOR_LETTERS = frozenset("ACVXZY")
"""Letters that the editor handles in combination with Ctrl; Ctrl with any other letter is a command of the window."""
_EDITING_KEYS = (
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_Backspace,
    Qt.Key.Key_Delete,
    Qt.Key.Key_Insert,
)


def is_window_command(event: QKeyEvent) -> bool:
    """Return whether a key event with Ctrl or Ctrl+Shift is a command of the window.

    Commands of the window include keys that edit text in Qt, such as Ctrl+K.
    """
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if modifiers == Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier:
        return event.key() not in (Qt.Key.Key_Z, *_EDITING_KEYS)
    if modifiers != Qt.KeyboardModifier.ControlModifier:
        return False
    if event.key() == Qt.Key.Key_Insert:
        # in Qt, this key copies the selection; in CAT tools, it copies the source
        return True
    return event.key() not in _EDITING_KEYS and QKeySequence(event.key()).toString() not in _EDITOR_LETTERS


def is_text_key(event: QKeyEvent) -> bool:
    """Return whether a key event types text, which includes AltGr (Ctrl+Alt) with a letter."""
    keyboard = Qt.KeyboardModifier
    modifiers = event.modifiers() & (keyboard.ControlModifier | keyboard.AltModifier | keyboard.MetaModifier)
    is_text = bool(event.text()) and event.text().isprintable()
    return is_text and modifiers in (keyboard.NoModifier, keyboard.ControlModifier | keyboard.AltModifier)


def is_undo(event: QKeyEvent) -> bool:
    """Return whether a key event is the undo shortcut."""
    return event.modifiers() == Qt.KeyboardModifier.ControlModifier and event.key() == Qt.Key.Key_Z


def is_redo(event: QKeyEvent) -> bool:
    """Return whether a key event is a redo shortcut."""
    modifiers, shift = event.modifiers(), Qt.KeyboardModifier.ShiftModifier
    control = modifiers & ~shift == Qt.KeyboardModifier.ControlModifier
    return control and (event.key() == Qt.Key.Key_Y or (event.key() == Qt.Key.Key_Z and bool(modifiers & shift)))
