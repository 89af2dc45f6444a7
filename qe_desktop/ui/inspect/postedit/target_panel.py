"""Target panel below the MT: diff or editor, inline codes, statistics, note and status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from qe_desktop.corpus import ReviewStatus, TextRole, View
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.project.events import ReviewField, ReviewValue
from qe_desktop.project.journal.typing_draft import TypedText
from qe_desktop.ui.inspect.postedit.diff_view import MAX_WHOLE_CHARS, DiffView, runs_without_changes
from qe_desktop.ui.inspect.postedit.status_symbols import STATUS_SYMBOLS
from qe_desktop.ui.inspect.postedit.target_diff import DiffRun
from qe_desktop.ui.inspect.postedit.target_editor import TargetEditor
from qe_desktop.ui.inspect.postedit.target_warnings import CheckLinksBar, CodeProblemsBar
from qe_desktop.ui.inspect.reader.word_layout import text_direction
from qe_desktop.ui.widgets.buttons import BarButton
from qe_desktop.ui.widgets.form_controls import set_needs
from qe_desktop.ui.widgets.glossary.terms import term_meaning
from qe_desktop.ui.widgets.labels import ElidedLabel, Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import vbox

if TYPE_CHECKING:
    from qe_desktop.ui.inspect.reader.segment_layout import SegmentLayout
    from qe_desktop.ui.settings import Settings

COMMAND_BUTTONS = {
    "correct": (tr("Edit"), tr("Edit the target of this segment (Enter)")),
    "confirm": (
        tr("Confirm"),
        tr(
            "Confirm the target and go to the next unfinished segment; in an unsorted list, flagged segments come first"
        ),
    ),
    "reject": (
        tr("Reject"),
        tr(
            "Mark the target as unusable, without changing its text, and go to the next unfinished segment; in an "
            "unsorted list, flagged segments come first"
        ),
    ),
    "reopen": (tr("Reopen"), tr("Mark the segment as open again or, if its target was edited, as edited")),
    "note": (tr("Note"), tr("Write a note for this segment")),
    "history": (tr("History"), tr("History of this segment with its earlier targets")),
}

EDITOR_INSET = 7
"""Distance in pixels between the outer edge of the editor and its text."""
EDITING_STATUS = tr("{sign} editing", sign=STATUS_SYMBOLS[ReviewStatus.EDITED])
FINISHED_STATUSES = (ReviewStatus.CONFIRMED, ReviewStatus.REJECTED)
"""Statuses that are also shown while the target is open in the editor, until the user types."""
MAX_TARGET_LINES = 12
"""Maximum number of lines of the target without marks; a longer one is shown only with its changes."""
ROW_GAP = 4
"""Distance in pixels between the rows of the panel."""


@dataclass(frozen=True, slots=True)
class SegmentReviewState:
    """Contents of the panel while the target is not being edited.

    `runs` are the changes from the MT. `status_text` is a text with the status and the user who set it, and
    `statistics` a text with the statistics of the target. `note` is the saved note, and `file_notes` is a text with the
    notes in the file.
    """

    runs: Sequence[DiffRun] = ()
    status: ReviewStatus = ReviewStatus.OPEN
    status_text: str = ""
    statistics: str = ""
    note: str = ""
    file_notes: str = ""


class NoteEdit(QLineEdit):
    """Note editor: Enter commits the note, Escape discards it."""

    accepted = Signal(str)
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Note"))
        self.setPlaceholderText(tr("Note for this segment; press Enter to finish"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Emit `accepted` on Enter and `cancelled` on Escape."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & _CTRL:
            self.accepted.emit(self.text())
        elif event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)


_CTRL = Qt.KeyboardModifier.ControlModifier


class TargetPanel(QWidget):
    """Panel with the target of one segment; the buttons only emit `action_requested`."""

    action_requested = Signal(str)
    """Emitted when a button is clicked, with the key of the button in `COMMAND_BUTTONS`."""
    header_changed = Signal()
    """Emitted when the status or the statistics change; the segment header shows both."""

    def __init__(self) -> None:
        super().__init__()
        self.edit = TargetEditor()
        self.changes = DiffView()
        self.unmarked_target = DiffView(max_lines=MAX_TARGET_LINES)
        self.unmarked_target.setAccessibleName(tr("Target"))
        self.codes = CodeProblemsBar()
        self.check_links = CheckLinksBar()
        self.word_label = ElidedLabel(token="muted")
        self.note = NoteEdit()
        self.saved_note_label = Label(narrow=True, selectable=True)
        self.file_notes = Label(narrow=True, selectable=True, token="muted")
        self.status = ElidedLabel()
        self.statistics_label = ElidedLabel(token="muted")
        self.buttons = {
            name: BarButton(text, tooltip, checkable=name == "correct")
            for name, (text, tooltip) in COMMAND_BUTTONS.items()
        }
        self._needs_confirmation, self._is_finished, self._status = False, False, ""
        self._room_for_target = 0
        self._label, self._changes_label = Label(tr("target"), token="muted"), Label(token="muted")
        for label in (self._label, self._changes_label):
            label.setContentsMargins(0, 6, 0, 0)
        self._note_label = Label(tr("note"), token="muted")
        self._lay_out()
        for name, button in self.buttons.items():
            button.clicked.connect(lambda _=False, name=name: self.action_requested.emit(name))
        self.codes.code_requested.connect(self.edit.insert_code)
        self.edit.typed.connect(self._on_typed)
        self.show_editing(False)
        self.show_note_editor(False)
        self.show_segment(SegmentReviewState())

    def set_locked(self, locked: bool) -> None:
        """Disable the buttons that change the target or its status if the segment is locked, otherwise enable them."""
        needs = tr("The segment is locked in its file. Unlock it in your CAT tool.") if locked else ""
        for name in ("correct", "confirm", "reject"):
            set_needs(self.buttons[name], needs)

    def _lay_out(self) -> None:
        self._grid = grid = QGridLayout(self)
        # the frame of the editor is outside the text column, so that its text has the left edge of the other texts
        grid.setContentsMargins(16, 2, 16 - EDITOR_INSET, 4)
        grid.setHorizontalSpacing(0)
        grid.setVerticalSpacing(ROW_GAP)
        top = Qt.AlignmentFlag.AlignTop
        inset = (EDITOR_INSET, 0, EDITOR_INSET, 0)
        grid.addWidget(self._label, 0, 0, top)
        grid.addLayout(vbox(self.edit, self.unmarked_target), 0, 1)
        grid.addWidget(self._changes_label, 1, 0, top)
        grid.addWidget(self.changes, 1, 1)
        grid.addLayout(vbox(self.codes, self.check_links, self.word_label, gap=ROW_GAP, margins=inset), 2, 1)
        grid.addWidget(self._note_label, 3, 0, top)
        grid.addLayout(
            vbox(self.note, vbox(self.saved_note_label, self.file_notes, gap=ROW_GAP, margins=inset), gap=ROW_GAP), 3, 1
        )
        # the target follows its MT; status, figures and buttons are in the header of the segment
        grid.setRowStretch(4, 1)
        grid.setColumnStretch(1, 1)

    def set_margin(self, left: float) -> None:
        """Align the left edge of the target with the left edge of source and MT, which is at `left` pixels."""
        self._grid.setColumnMinimumWidth(0, max(0, round(left) - 16 - EDITOR_INSET))

    def set_room(self, height: int) -> None:
        """Divide `height` pixels between the changes and, if it fits, the target without marks, for reading."""
        self.changes.set_max_whole_height(max(1, height))
        self._room_for_target = height - self.changes.height() - ROW_GAP
        self._update_rows()

    def reading_height(self, width: int) -> int:
        """Return the height in pixels that the changes and notes need while the target is not being edited."""
        changes = 0 if self.changes.isHidden() else self.changes.height() + ROW_GAP
        return changes + self._notes_height(width) + self._margins_height()

    def editing_height(self, lines: int, width: int | None, *, with_explanations: bool) -> int:
        """Return the height in pixels for editing a target of `lines` lines (0: the current target).

        The height includes one line of changes. If `width` is not None, it also includes the notes at this width. If
        `with_explanations` is true, it also includes one line of QA check results and one line on the word at the
        cursor.
        """
        other_height = self._margins_height() + (0 if width is None else self._notes_height(width))
        other_height += 2 * (self.word_label.sizeHint().height() + ROW_GAP) if with_explanations else 0
        return self.edit.needed_height(lines) + ROW_GAP + self.changes.height_of(1) + other_height

    def _notes_height(self, width: int) -> int:
        column = self._grid.columnMinimumWidth(0) + self._grid.contentsMargins().left() + EDITOR_INSET
        heights = [
            label.heightForWidth(max(1, width - column - 16)) + ROW_GAP
            for label in (self.saved_note_label, self.file_notes)
            if not label.isHidden()
        ]
        return sum(heights) + (0 if self.note.isHidden() else self.note.sizeHint().height() + ROW_GAP)

    def _margins_height(self) -> int:
        margins = self._grid.contentsMargins()
        return margins.top() + margins.bottom()

    def match_layout(self, page: SegmentLayout, settings: Settings) -> None:
        """Use the fonts and the left edge of a segment layout, and the text direction of the MT in this layout."""
        right_to_left = text_direction(page.view.corpus, page.segment, TextRole.MT, settings) == "rtl"
        # with the same word spacing, the lines of the target end where the lines of the MT end
        self.edit.set_text_format(page.metrics.text_font, right_to_left=right_to_left)
        self.changes.set_text_format(page.metrics.compact_font, right_to_left=right_to_left)
        self.unmarked_target.set_text_format(page.metrics.text_font, right_to_left=right_to_left)
        self.set_margin(page.metrics.left)

    # --- content

    def show_segment(self, state: SegmentReviewState) -> None:
        """Show the changes, status, statistics and notes of a segment."""
        self.show_runs(state.runs)
        self._status, self._is_finished = state.status_text, state.status in FINISHED_STATUSES
        self._needs_confirmation = state.status is ReviewStatus.EDITED
        self.show_statistics(state.statistics)
        self.saved_note_label.setText(state.note)
        self.file_notes.setText(state.file_notes)
        self._update_rows()

    def show_runs(self, runs: Sequence[DiffRun]) -> None:
        """Show the changes from the MT; hide the view of the changes if there are none."""
        self.changes.show_runs(runs)
        self._fill_unmarked_target()
        self.changes.setVisible(bool(runs))
        self._update_rows()

    def show_statistics(self, text: str) -> None:
        """Show the statistics of the target."""
        self.statistics_label.setText(text)
        meaning = term_meaning("hter") if "HTER" in text else tr("A punctuation mark counts as a word.")
        self.statistics_label.setToolTip(plain_tooltip(join_localized(". ", [text, meaning])) if text else "")
        self.header_changed.emit()

    def show_word(self, text: str, *, keep_row: bool) -> None:
        """Show `text`, which describes the inline code and the MT word at the cursor.

        If `text` is empty, the row is hidden unless `keep_row` is true.
        """
        self.word_label.setText(text)
        self.word_label.setVisible(bool(text) or keep_row)

    def show_editing(self, editing: bool) -> None:
        """Show or hide the editor."""
        self.edit.setVisible(editing)
        if not editing:
            self.word_label.hide()
        self.changes.set_typing(editing)
        policy = self.changes.sizePolicy()
        # reserve the space, so that the first change does not move the texts below
        policy.setRetainSizeWhenHidden(editing)
        self.changes.setSizePolicy(policy)
        if not editing:
            self.codes.hide()
            self._fill_unmarked_target()
        self.buttons["correct"].setChecked(editing)
        self._update_rows()

    def show_note_editor(self, visible: bool) -> None:
        """Show or hide the note editor."""
        self.note.setVisible(visible)
        self._update_rows()

    def _update_rows(self) -> None:
        noting, is_typed = not self.note.isHidden(), not self.edit.isHidden() and bool(self.edit.line)
        self.buttons["confirm"].set_primary(self._needs_confirmation or is_typed)
        self._show_status(self._current_status())
        is_unmarked = self.edit.isHidden() and not self.changes.isHidden() and self._fits_unmarked_target()
        self.unmarked_target.setVisible(is_unmarked)
        has_target = is_unmarked or not self.edit.isHidden()
        self._label.setVisible(has_target)
        # without the row above, the changes show the whole target
        self._changes_label.setText(tr("changes") if has_target else tr("target"))
        self._changes_label.setVisible(not self.changes.isHidden())
        self.saved_note_label.setVisible(bool(self.saved_note_label.text()) and not noting)
        self.file_notes.setVisible(bool(self.file_notes.text()))
        self._note_label.setVisible(noting or bool(self.saved_note_label.text()) or bool(self.file_notes.text()))

    def _fill_unmarked_target(self) -> None:
        # not at every change while the target is being edited, because the editor shows it
        if self.edit.isHidden():
            self.unmarked_target.show_runs(runs_without_changes(self.changes.runs))

    def _fits_unmarked_target(self) -> bool:
        target = self.unmarked_target
        length = sum(len(run.text) for run in target.runs)
        return 0 < length <= MAX_WHOLE_CHARS and target.shows_all_lines and target.height() <= self._room_for_target

    def _current_status(self) -> str:
        if self.edit.isHidden():
            return self._status
        return join_localized(" · ", [self._status, tr("editing")]) if self._is_finished else EDITING_STATUS

    def _on_typed(self) -> None:
        # the edit is stored, and the status changes, only after a pause
        self._is_finished = False
        self._show_status(self._current_status())

    def _show_status(self, text: str) -> None:
        if text != self.status.text():
            self.status.setText(text)
            self.header_changed.emit()


class NoteDraft:
    """Unsaved note in the note editor of `panel`; if saving is refused, the note stays in the editor."""

    def __init__(self, panel: TargetPanel) -> None:
        self._panel = panel
        self._segment: int | None = None
        self._refused: str | None = None

    def write(self, view: View, segment: int) -> None:
        """Open the note editor with the note of a segment."""
        self._segment, self._refused = segment, None
        self._panel.note.setText(view.note(segment))
        self._panel.show_note_editor(True)
        self._panel.note.setFocus()

    def pending_values(self, view: View | None) -> Mapping[int, Mapping[ReviewField, ReviewValue]]:
        """Return the review field of the unsaved note, by segment; a field with an empty text removes the stored note.

        Empty if there is no unsaved note, or if the note was refused and has not been edited since.
        """
        text = self._panel.note.text().strip()
        if view is None or self._segment is None or text in (view.note(self._segment), self._refused):
            return {}
        return {self._segment: {ReviewField.NOTE: text}}

    def typed_text(self, view: View | None) -> TypedText | None:
        """Return the unsaved note; None if there is none, or if the note was refused and has not been edited since."""
        for segment, fields in self.pending_values(view).items():
            return TypedText(segment, ReviewField.NOTE, str(fields[ReviewField.NOTE]))
        return None

    def refuse(self) -> None:
        """Mark the note as refused, so that it stays in the editor and is not reported again until it is edited."""
        self._refused = self._panel.note.text().strip()

    @property
    def is_refused(self) -> bool:
        """Whether the note was refused and has not been edited since."""
        return self._segment is not None and self._panel.note.text().strip() == self._refused

    def drop(self) -> bool:
        """Discard the note and close the note editor; return whether the editor had the focus."""
        self._segment = None
        had_focus = self._panel.note.hasFocus()
        self._panel.show_note_editor(False)
        return had_focus
