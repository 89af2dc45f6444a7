"""Classification of keys pressed in the target editor as editing keys or commands of the window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

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


def is_undo(event: QKeyEvent) -> bool:
    """Return whether a key event is the undo shortcut."""
    return event.modifiers() == Qt.KeyboardModifier.ControlModifier and event.key() == Qt.Key.Key_Z


def is_redo(event: QKeyEvent) -> bool:
    """Return whether a key event is a redo shortcut."""
    modifiers, shift = event.modifiers(), Qt.KeyboardModifier.ShiftModifier
    control = modifiers & ~shift == Qt.KeyboardModifier.ControlModifier
    return control and (event.key() == Qt.Key.Key_Y or (event.key() == Qt.Key.Key_Z and bool(modifiers & shift)))
