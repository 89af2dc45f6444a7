"""Find and replace bar for targets."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.project.review.find_replace import SearchResult, SearchText
from qe_desktop.ui.widgets.form_controls import (
    make_combo_box,
    make_tool_button,
    set_combo_data,
    set_combo_items,
    set_needs,
    with_label,
)
from qe_desktop.ui.widgets.labels import ElidedLabel
from qe_desktop.ui.widgets.layouts import Stretched, hbox, vbox

SEARCH_DELAY_MS = 200
"""Milliseconds from the last key press until the search starts."""
SEGMENT, LISTED, ALL = "segment", "listed", "all"
SCOPES = {SEGMENT: tr("this segment"), LISTED: tr("segments in the list"), ALL: tr("all segments")}

NO_TEXT, NO_MATCHES = tr("First enter the text to find."), tr("There are no matches that can be replaced.")


class _Field(QLineEdit):
    """Line edit that passes the undo or redo shortcut to the window if the field has nothing to undo or redo."""

    def clear_undo_history(self) -> None:
        """Clear the undo history of the field."""
        with QSignalBlocker(self):
            self.setText(self.text())

    def event(self, event: QEvent) -> bool:
        """Pass the undo or redo shortcut to the window if the field has nothing to undo or redo."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undoes, redoes = map(event.matches, (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo))
            if (undoes and not self.isUndoAvailable()) or (redoes and not self.isRedoAvailable()):
                event.ignore()
                return True
        return super().event(event)


class ReplaceBar(QWidget):
    """Bar with search text, replacement and options; `ReplaceController` searches, replaces and reports the results."""

    search_requested = Signal()
    """Emitted to request a search, for example after the search text or an option has changed."""
    find_requested = Signal()
    """Emitted when the user requests the next match."""
    replace_one_requested = Signal()
    """Emitted when the user requests to replace the selected match."""
    replace_requested = Signal()
    """Emitted when the user requests to replace all matches."""
    closed = Signal()
    """Emitted when the user closes the bar."""

    def __init__(self) -> None:
        super().__init__()
        self.search_field, self.replacement_field = _Field(), _Field()
        self.search_field.setPlaceholderText(tr("Find in targets"))
        self.replacement_field.setPlaceholderText(tr("Replace with"))
        for field in (self.search_field, self.replacement_field):
            field.setAccessibleName(field.placeholderText())
            field.setMinimumWidth(90)
        self.match_case, self.whole_words = QCheckBox(tr("Match case")), QCheckBox(tr("Whole words"))
        self.match_case.setToolTip(
            tr(
                "Upper and lower case must match, and the replacement is inserted as typed. If this is off, a "
                "lower-case replacement takes on the capitalization of the match."
            )
        )
        self.scope = make_combo_box(tr("Scope"))
        set_combo_items(self.scope, [(text, name) for name, text in SCOPES.items()])
        set_combo_data(self.scope, ALL)
        self.status_label = ElidedLabel(token="muted")
        self.find_next = make_tool_button(tr("Find next"), tr("Select the next match (Enter in the first field)"))
        self.replace_one = make_tool_button(
            tr("Replace"), tr("Replace the selected match and select the next one (Enter in the second field)")
        )
        self.replace = make_tool_button(
            tr("Replace all"), tr("Replace all matches as one undo step; inline codes are not changed")
        )
        self.close_button = make_tool_button("✕", tr("Close (Escape)"))
        buttons = (self.find_next, self.replace_one, self.replace, self.close_button)
        fields = with_label(tr("Find:"), self.search_field), with_label(tr("Replace with:"), self.replacement_field)
        first = hbox(*(Stretched(field, 1) for field in fields), *buttons, gap=8)
        second = hbox(self.scope, self.match_case, self.whole_words, Stretched(self.status_label, 1), gap=8)
        # as high as two rows of the list below it
        vbox(first, second, on=self, gap=2, margins=(16, 0, 16, 0))
        self._search_timer = QTimer(self, singleShot=True, interval=SEARCH_DELAY_MS)
        self._search_timer.timeout.connect(self.search_requested)
        self.search_field.textChanged.connect(self.schedule_search)
        for box in (self.match_case, self.whole_words):
            box.toggled.connect(self.schedule_search)
        self.scope.activated.connect(self.schedule_search)
        self.replace.clicked.connect(self.replace_requested)
        self.replacement_field.returnPressed.connect(self.replace_one_requested)
        self.replace_one.clicked.connect(self.replace_one_requested)
        self.search_field.returnPressed.connect(self.find_requested)
        self.find_next.clicked.connect(self.find_requested)
        self.close_button.clicked.connect(self.close_bar)
        self.show_search_result(None)
        self.hide()

    @property
    def search_text(self) -> SearchText:
        """Search text with its options."""
        return SearchText(self.search_field.text(), self.match_case.isChecked(), self.whole_words.isChecked())

    def show_and_focus(self) -> None:
        """Show the bar and focus the search field."""
        self.show()
        self.search_field.setFocus()
        self.search_field.selectAll()
        self.schedule_search()

    def close_bar(self) -> None:
        """Close the bar and emit `closed`."""
        self._search_timer.stop()
        self.hide()
        self.closed.emit()

    def schedule_search(self) -> None:
        """Request a search after `SEARCH_DELAY_MS`; each call restarts the delay."""
        missing = "" if self.search_field.text() else NO_TEXT
        set_needs(self.replace, missing or tr("The search is running."))
        for button in (self.find_next, self.replace_one):
            set_needs(button, missing)
        self._search_timer.start()

    def search_now(self) -> None:
        """Request a search without delay."""
        self._search_timer.stop()
        self.search_requested.emit()

    def show_search_result(self, result: SearchResult | None) -> None:
        """Show the number of matches; clear it if `result` is None."""
        reason = NO_TEXT if result is None else NO_MATCHES
        set_needs(self.replace, "" if result is not None and result.segments else reason)
        self.status_label.setText("" if result is None else _count_text(result))

    def show_done(self, text: str) -> None:
        """Show the result of a replacement, and clear the fields' undo history so that undo reverts the replacement."""
        self.show_status(text)
        # the replacement may contain the search text
        set_needs(self.replace, "" if self.search_text.count(self.replacement_field.text()) else NO_MATCHES)
        self.clear_undo_history()

    def show_status(self, text: str) -> None:
        """Show a message about the search instead of the number of matches."""
        self.status_label.setText(text)

    def clear_undo_history(self) -> None:
        """Clear the undo history of the fields, so that undo reverts a replacement in the targets."""
        for field in (self.search_field, self.replacement_field):
            field.clear_undo_history()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close the bar on Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        else:
            super().keyPressEvent(event)


def _count_text(result: SearchResult) -> str:
    count = len(result.segments)
    matches = tr(
        "{n:,} {n:match|matches} in {segments:,} {segments:segment|segments}", "", result.match_count, segments=count
    )
    parts = [matches]
    if result.locked:
        parts.append(tr("{n:,} locked {n:segment|segments} will not be changed", "", result.locked))
    if result.settled_count:
        parts.append(
            tr("{n:,} confirmed or rejected {n:segment|segments} will be reset to “edited”", "", result.settled_count)
        )
    return join_localized("; ", parts)
