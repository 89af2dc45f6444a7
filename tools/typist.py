"""Simulated post-editor that presses real keys in a widget, at the pace of a person on a simulated clock."""

from __future__ import annotations

import difflib
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTextEdit, QWidget

Key, Modifier = Qt.Key, Qt.KeyboardModifier
PIECES = re.compile(r"\w+|\s+|[^\w\s]")
A_KEY, A_MOVE, THOUGHT, A_WORD = 0.2, 0.15, 4.5, 0.75
"""Mean seconds between two keys of a word, between two cursor keys, before an edit, and to read a word of 5 letters."""
TYPOS = 0.015
"""Share of letters that are mistyped and corrected."""


class Clock:
    """Clock that advances only when `now` is changed."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        """Return the current time in seconds."""
        return self.now


@dataclass(frozen=True, slots=True)
class Done:
    """Action at a time in seconds.

    `what` is "key" for a key press, with the character or name of the key in `key`; "opened" or "left" for a segment;
    "out" or "back" for the window.
    """

    at: float
    what: str
    key: str = ""


class Typist:
    """Simulated person who reads, thinks and types; `done` lists the actions, which the seed determines."""

    def __init__(self, clock: Clock, seed: int) -> None:
        self.clock, self.done = clock, list[Done]()
        self._random = random.Random(seed)

    # --- time

    def take(self, mean: float) -> None:
        """Let a random time pass, with this mean in seconds: mostly less, sometimes much more."""
        self.clock.now += mean * self._random.lognormvariate(-0.18, 0.6)

    def read(self, *texts: str) -> None:
        """Let the time pass that it takes to read the texts."""
        for word in " ".join(texts).split():
            self.take(A_WORD * min(2.0, 0.5 + len(word) / 10))

    def note(self, what: str) -> None:
        """Record an action, other than a key press, at the current time."""
        self.done.append(Done(self.clock.now, what))

    def rest(self, seconds: float) -> None:
        """Let time pass without an action."""
        self.clock.now += seconds

    def go_out(self, seconds: float) -> None:
        """Let time pass in another window: the application becomes inactive and active again."""
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        self.note("out")
        app.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
        self.clock.now += seconds
        app.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
        self.note("back")

    # --- keys

    def press(
        self, widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = Modifier.NoModifier, mean: float = A_KEY
    ) -> None:
        """Press and record a key that inserts no character, after a random time with this mean in seconds."""
        self.take(mean)
        name = key.name.decode() if isinstance(key.name, bytes) else str(key.name)
        self.done.append(Done(self.clock.now, "key", ("Ctrl+" if modifiers & Modifier.ControlModifier else "") + name))
        QTest.keyClick(widget, key, modifiers)

    def type(self, widget: QWidget, text: str) -> None:
        """Type a text, with occasional typos that are corrected at once."""
        for character in text:
            if character.isalpha() and self._random.random() < TYPOS:
                self._character(widget, "x")
                self.press(widget, Key.Key_Backspace, mean=2 * A_KEY)
            self._character(widget, character)

    def _character(self, widget: QWidget, character: str) -> None:
        self.take(A_KEY)
        self.done.append(Done(self.clock.now, "key", character))
        # QTest.keyClicks supports only ASCII letters
        if character.isascii():
            QTest.keyClicks(widget, character)
        else:
            _other(widget, character)

    # --- editing

    def edit(self, edit: QTextEdit, wanted: str) -> None:
        """Change the text to `wanted` with keys, from the beginning to the end."""
        before = edit.toPlainText()
        if before == wanted:
            return
        self.press(edit, Key.Key_Home, Modifier.ControlModifier)
        shift = 0
        for start, end, text in changes(before, wanted):
            self.take(THOUGHT)
            self._go_to(edit, start + shift)
            self._remove(edit, end - start)
            self.type(edit, text)
            shift += len(text) - (end - start)
        assert edit.toPlainText() == wanted, (edit.toPlainText(), wanted)

    def _go_to(self, edit: QTextEdit, place: int) -> None:
        while edit.textCursor().position() < place:
            cursor = edit.textCursor()
            cursor.movePosition(cursor.MoveOperation.NextWord)
            whole = cursor.position() <= place and cursor.position() > edit.textCursor().position()
            modifiers = Modifier.ControlModifier if whole else Modifier.NoModifier
            self.press(edit, Key.Key_Right, modifiers, mean=A_MOVE)

    def _remove(self, edit: QTextEdit, count: int) -> None:
        for _ in range(count):
            self.press(edit, Key.Key_Delete, mean=A_MOVE)


def changes(before: str, after: str) -> Iterator[tuple[int, int, str]]:
    """Yield the word-level changes from one text to the other: start and end in `before`, and the replacement."""
    old, new = PIECES.findall(before), PIECES.findall(after)
    places = [0]
    for piece in old:
        places.append(places[-1] + len(piece))
    for kind, low, high, first, last in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            yield places[low], places[high], "".join(new[first:last])


def _other(widget: QWidget, character: str) -> None:
    upper = character.upper()
    key = ord(upper) if len(upper) == 1 and ord(upper) < 256 else 0
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QCoreApplication.sendEvent(widget, QKeyEvent(kind, key, Modifier.NoModifier, character))
