"""Remarks of a rater on an item: the comment field, and the dialog for the reason of a skip."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from qe_desktop.answers.event_history import COMMENT
from qe_desktop.answers.scale import Anchor
from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.event_validation import MAX_TEXT_CHARS
from qe_desktop.ratings.protocols import skip_reason_text
from qe_desktop.ui.jobs import DebounceTimer
from qe_desktop.ui.rate.cards.scale_buttons import ScaleButtons
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.shell.appearance import scaled_pixels
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.dialogs import Dialog
from qe_desktop.ui.widgets.form_controls import set_needs
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import StretchSpace, hbox, vbox

HEIGHT_PX = 40
EDITED_LINES = 3
"""Height of the comment field while it has the focus, in text lines."""
SAVE_DELAY_MS = 800
"""Delay in milliseconds between the last keystroke and saving; the saved comment replaces the previous one."""


class CommentField(QPlainTextEdit):
    """Field for a comment. Enter or Escape returns to the item card; Shift+Enter inserts a line break.

    While it has the focus, it covers the footer, so that texts and answers remain visible; otherwise, it shows the
    first lines of the comment in its slot of the footer. Thus, nothing else moves.
    """

    exited = Signal()

    def __init__(self, session: RatingSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._is_open = False
        self._timer = DebounceTimer(self, SAVE_DELAY_MS, self.flush)
        self._footer = self._slot = QWidget()
        self.setTabChangesFocus(True)
        self.textChanged.connect(self._on_text_changed)
        session.screen_changed.connect(self.show_screen)
        session.changed.connect(self._on_session_changed)
        self.show_screen()

    def set_slot(self, slot: QWidget, footer: QWidget, page: QWidget) -> None:
        """Make the field a child of `page`, and place it over `slot`, a widget inside `footer`."""
        self._slot, self._footer = slot, footer
        self.setParent(page)
        for widget in (slot, footer):
            widget.installEventFilter(self)
        self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the slot and the footer."""
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize):
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        page, slot, footer = self.parentWidget(), self._slot, self._footer
        if page is None or not page.isAncestorOf(slot):
            return
        if self.hasFocus():
            frame = 2 * self.frameWidth() + 2 * round(self.document().documentMargin())
            height = EDITED_LINES * self.fontMetrics().lineSpacing() + frame
            corner = footer.mapTo(page, QPoint(0, 0))
            self.setGeometry(corner.x(), page.height() - height, footer.width(), height)
        else:
            height = scaled_pixels(HEIGHT_PX)
            corner = slot.mapTo(page, QPoint(0, (slot.height() - height) // 2))
            self.setGeometry(corner.x(), corner.y(), slot.width(), height)
        self.raise_()

    def open(self) -> None:
        """Show the field and focus it."""
        self._is_open = True
        self._show()
        self.setFocus()

    def show_screen(self) -> None:
        """Show the comment of the current item, if any."""
        self._timer.stop()
        self._is_open = False
        self._name_item()
        self._read()
        self._show()

    def _name_item(self) -> None:
        """Name the current item in the placeholder text and the accessible name."""
        screen = self._session.screen
        if screen is None:
            return
        number = self._session.work.number(screen.uid)
        if screen.training:
            name = tr("Comment on training item {number:,}", number=number)
        else:
            name = tr("Comment on item {number:,}", number=number)
        self.setAccessibleName(name)
        self.setPlaceholderText(tr("{name}. Enter saves; Shift+Enter starts a new line.", name=name))

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
        is_shown = self._is_open or self.hasFocus() or bool(self.toPlainText())
        if not is_shown and self.window().focusWidget() is self:
            # in an inactive window, a hidden field would keep the keyboard
            self.exited.emit()
        self.setVisible(is_shown)
        self._place()

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

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Enlarge the field."""
        super().focusInEvent(event)
        self._place()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Save the text, and hide the field if the text is empty."""
        super().focusOutEvent(event)
        self.flush()
        self._is_open = False
        QTimer.singleShot(0, self, self._show)


class SkipDialog(Dialog):
    """Dialog that asks why an item is skipped and emits `chosen` with the reason; an empty reason clears the skip."""

    chosen = Signal(str)

    def __init__(self, reasons: Sequence[str], previous: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Skip this item"))
        self._reasons = tuple(reasons)
        self.row = ScaleButtons()
        keys = [str(number) for number in range(1, len(reasons) + 1)]
        self.row.set_steps([Anchor(index, skip_reason_text(reason)) for index, reason in enumerate(reasons)], keys)
        self.row.set_value(self._reasons.index(previous) if previous in self._reasons else None)
        self.row.chosen.connect(self._choose)
        self.other_reason = QLineEdit("" if previous in self._reasons else previous)
        self.other_reason.setPlaceholderText(tr("Another reason, in your own words"))
        self.other_reason.setAccessibleName(tr("Another reason"))
        self.other_reason.textChanged.connect(self._update_button)
        self.other_reason.returnPressed.connect(self._skip)
        self.skip = FlatButton(tr("Skip"), primary=True)
        self.skip.clicked.connect(self._skip)
        self.clear_button = FlatButton(tr("Undo skip"))
        self.clear_button.setVisible(bool(previous))
        self.clear_button.clicked.connect(self._clear_skip)
        cancel = FlatButton(tr("Cancel"))
        cancel.clicked.connect(self.reject)
        buttons = hbox(self.clear_button, StretchSpace(), cancel, self.skip, gap=8)
        vbox(
            Label(tr("Why can this item not be rated?"), scale=1.1),
            self.row,
            self.other_reason,
            buttons,
            on=self,
            gap=16,
            margins=16,
        )
        width = self.fontMetrics().horizontalAdvance("0") * 58
        self.resize(min(width, parent.window().width()) if parent is not None else width, self.sizeHint().height())
        self._update_button()
        # digits select directly; Tab moves to the field
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select a reason by its digit; insert any other printable character into the field for another reason."""
        index, text = event.key() - int(Qt.Key.Key_1), event.text()
        if 0 <= index < len(self._reasons):
            self._choose(index)
        elif text.isprintable() and text.strip() and not self.other_reason.hasFocus():
            # typing goes to the text field
            self.other_reason.setFocus()
            self.other_reason.insert(text)
        else:
            super().keyPressEvent(event)

    def _update_button(self) -> None:
        set_needs(self.skip, "" if self.other_reason.text().strip() else tr("Select or enter a reason first."))

    def _choose(self, index: float) -> None:
        self._end(self._reasons[round(index)])

    def _skip(self) -> None:
        if self.other_reason.text().strip():
            self._end(self.other_reason.text().strip())

    def _clear_skip(self) -> None:
        self._end("")

    def _end(self, reason: str) -> None:
        self.chosen.emit(reason)
        self.accept()
