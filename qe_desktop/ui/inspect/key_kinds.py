"""Keys by what they do, as they are counted while work is recorded."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from qe_desktop.project.visits import KeyKind

_STANDARD = (
    (QKeySequence.StandardKey.Copy, KeyKind.COPY),
    (QKeySequence.StandardKey.Cut, KeyKind.CUT),
    (QKeySequence.StandardKey.Paste, KeyKind.PASTE),
    (QKeySequence.StandardKey.Undo, KeyKind.UNDO),
    (QKeySequence.StandardKey.Redo, KeyKind.UNDO),
)
_K = Qt.Key
_NAVIGATION = {
    _K.Key_Left, _K.Key_Right, _K.Key_Up, _K.Key_Down, _K.Key_Home, _K.Key_End, _K.Key_PageUp, _K.Key_PageDown,
    _K.Key_Tab, _K.Key_Backtab,
}  # fmt: skip
_ERASE = {_K.Key_Backspace, _K.Key_Delete}
_SILENT = {
    _K.Key_Shift, _K.Key_Control, _K.Key_Alt, _K.Key_AltGr, _K.Key_Meta, _K.Key_CapsLock, _K.Key_NumLock,
    _K.Key_ScrollLock, _K.Key_Super_L, _K.Key_Super_R, _K.Key_Hyper_L, _K.Key_Hyper_R, _K.Key_unknown,
}  # fmt: skip
"""Keys that do nothing by themselves."""
_ENTER = {_K.Key_Return, _K.Key_Enter}


def kind_of(event: QKeyEvent) -> KeyKind | None:
    """What a key does; None for one that does nothing by itself."""
    key = event.key()
    if key in _SILENT:
        return None
    for standard, kind in _STANDARD:
        if event.matches(standard):
            return kind
    if key in _ERASE:
        return KeyKind.ERASE
    if key in _NAVIGATION:
        return KeyKind.NAVIGATION
    # their text is a line's end, though with Shift alone they type one
    if key in _ENTER and event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier != Qt.KeyboardModifier.ShiftModifier:
        return KeyKind.COMMAND
    return next(kinds_of_text(event.text()), KeyKind.COMMAND)


def kinds_of_text(text: str) -> Iterator[KeyKind]:
    """The kinds of the keys that these characters stand for; control characters, which commands have, are none."""
    for character in text:
        category = unicodedata.category(character)
        if character in "\r\n\t" or category.startswith("Z"):
            yield KeyKind.SPACE
        elif category[0] in "LM":
            yield KeyKind.LETTER
        elif category[0] == "N":
            yield KeyKind.DIGIT
        elif category[0] in "PS":
            yield KeyKind.SYMBOL
