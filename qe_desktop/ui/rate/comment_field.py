"""Comment field for the current item, shown on demand."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from qe_desktop.answers.event_history import COMMENT
from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.event_validation import MAX_TEXT_CHARS
from qe_desktop.ui.jobs import DebounceTimer
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.shell.appearance import scaled_pixels

HEIGHT_PX = 40
SAVE_DELAY_MS = 800
"""Delay in milliseconds between the last keystroke and saving; the saved comment replaces the previous one."""


class CommentField(QPlainTextEdit):
    """Two-line field for a comment. Enter or Escape returns to the item card; Shift+Enter inserts a line break."""

    exited = Signal()

    def __init__(self, session: RatingSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._is_open = False
        self._timer = DebounceTimer(self, SAVE_DELAY_MS, self.flush)
        self.setPlaceholderText(tr("Comment on this item. Enter saves the comment; Shift+Enter inserts a line break."))
        self.setAccessibleName(tr("Comment on this item"))
        self.setTabChangesFocus(True)
        self.textChanged.connect(self._on_text_changed)
        session.screen_changed.connect(self.show_screen)
        session.changed.connect(self._on_session_changed)
        self.show_screen()

    def open(self) -> None:
        """Show the field and focus it."""
        self._is_open = True
        self._show()
        self.setFocus()

    def show_screen(self) -> None:
        """Show the comment of the current item, if any."""
        self._timer.stop()
        self._is_open = False
        self._read()
        self._show()

    def flush(self) -> None:
        """Save the text now if it has unsaved changes."""
        if self._timer.isActive() or self.sender() is self._timer:
            self._timer.stop()
            self._session.comment(self.toPlainText())

    def _on_session_changed(self) -> None:
        if not self._timer.isActive():
            self._read()
            self._show()

    def _read(self) -> None:
        screen = self._session.screen
        text = str(self._session.work.value(screen.uid, COMMENT) or "") if screen is not None else ""
        if text != self.toPlainText():
            blocked = self.blockSignals(True)
            self.setPlainText(text)
            self.blockSignals(blocked)

    def _show(self) -> None:
        self.setReadOnly(bool(self._session.read_only))
        self.setVisible(self._is_open or self.hasFocus() or bool(self.toPlainText()))
        self.setFixedHeight(scaled_pixels(HEIGHT_PX))

    def _on_text_changed(self) -> None:
        text = self.toPlainText()
        if len(text) > MAX_TEXT_CHARS:
            self.setPlainText(text[:MAX_TEXT_CHARS])
            self.moveCursor(QTextCursor.MoveOperation.End)
            cut = tr("a comment can have at most {n:,} characters, so the rest was cut off", "", MAX_TEXT_CHARS)
            self._session.failed.emit(QeError(cut, hint=tr("Shorten the comment before you add text.")))
            return
        self._session.clock.record_input()
        self._timer.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave the field on Enter without Shift, or on Escape; ignore these keys if they are auto-repeated."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Escape or (enter and not shift):
            if not event.isAutoRepeat():
                self.exited.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Save the text, and hide the field if the text is empty."""
        super().focusOutEvent(event)
        self.flush()
        self._is_open = False
        QTimer.singleShot(0, self, self._show)
