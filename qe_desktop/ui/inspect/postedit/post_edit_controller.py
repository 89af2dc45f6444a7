"""Post-editing controller: opens the target of a segment, commits edits to the session and selects the next segment."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QKeyEvent

from qe_desktop.corpus import Kind, ReviewStatus, View
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.tag_voting import VotingRule
from qe_desktop.formats.bilingual.plain_lines import parse_line_codes
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.project import SessionChange
from qe_desktop.project.events import ReviewField, ReviewValue
from qe_desktop.project.journal.typing_draft import TypedText
from qe_desktop.project.review.review_edits import CheckedFields, FieldsBySegment
from qe_desktop.project.review.review_log import ReviewFields
from qe_desktop.ui.inspect.inspect_view_controller import InspectViewController
from qe_desktop.ui.inspect.postedit import target_messages
from qe_desktop.ui.inspect.postedit.activity_recorder import SegmentTimes, stored_target, warn_if_locked
from qe_desktop.ui.inspect.postedit.editor_input import is_text_key
from qe_desktop.ui.inspect.postedit.review_queue import ReviewQueue
from qe_desktop.ui.inspect.postedit.segment_steps import SegmentSteps
from qe_desktop.ui.inspect.postedit.status_symbols import editable_view, is_reviewable
from qe_desktop.ui.inspect.postedit.target_diff import SegmentContext, TargetDiff
from qe_desktop.ui.inspect.postedit.target_panel import NoteDraft, SegmentReviewState, TargetPanel
from qe_desktop.ui.inspect.postedit.target_undo import TypingHistory
from qe_desktop.ui.inspect.reader.segment_tag_editor import SegmentTagEditor
from qe_desktop.ui.workspace import Workspace

COMMIT_DELAY_MS = 400
"""Milliseconds from the last key press until an edit is committed to the session."""


class PostEditController(QObject):
    """Controller that edits the targets of a session in `panel`; `listed_segments` returns the segments in the list."""

    opened = Signal(int)
    """Emitted when editing of the target of a segment starts."""
    typed = Signal(int, str, str)
    """Emitted for each edit with its offset in the target (a line with codes), the removed and the inserted text."""
    closed = Signal(int)
    """Emitted when editing of a segment ends; the session then contains all accepted edits."""
    review_started = Signal()
    """Emitted on the first review action in a corpus: opening or changing a target, setting a status or a note."""
    draft_changed = Signal(object)
    """Emitted with the `TargetDiff` of the target in the current segment, including edits not yet committed."""
    finished = Signal(int)
    """Emitted after a segment has been confirmed or rejected."""
    list_focus_requested = Signal()
    """Emitted when the focus should return to the segment list."""
    message_posted = Signal(str)
    """Emitted with a message for the user."""

    def __init__(self, workspace: Workspace, reader: SegmentTagEditor, rows: Callable[[], Ints]) -> None:
        super().__init__(reader)
        self.workspace, self.reader, self.listed_segments = workspace, reader, rows
        self.panel = TargetPanel()
        self._agreement: Callable[[], VotingRule] = lambda: VotingRule(workspace.settings.agreement)
        self.review_queue = ReviewQueue(self._agreement)
        self.segment: int | None = None
        """Segment whose target is being edited; None if no target is being edited."""
        self.add_identical_segments: Callable[[int, ReviewFields], FieldsBySegment] = lambda at, fields: {at: fields}
        """Function that adds fields of identical segments to the fields of a segment being confirmed or rejected."""
        self._context: SegmentContext | None = None
        self._draft: TargetDiff | None = None
        self._review_started, self._refused_line, self._segment_times = False, "", SegmentTimes()
        self.steps = SegmentSteps(self)
        self.codes_notice = target_messages.CodesNotice(workspace, self.steps.show)
        workspace.show_changed_segment = self.steps.show_changed
        self._note_draft, self.history = NoteDraft(self.panel), TypingHistory(workspace, self.panel.edit)
        self._empty_target_confirmation = target_messages.EmptyTargetConfirmation(self.message_posted.emit)
        self._commit_timer = QTimer(self, singleShot=True, interval=COMMIT_DELAY_MS)
        self._update_timer = QTimer(self, singleShot=True, interval=0)
        self._connect()
        self._on_opened()

    def _connect(self) -> None:
        workspace, edit = self.workspace, self.panel.edit
        workspace.opened.connect(self._on_opened)
        workspace.input_requested.connect(self.flush)
        workspace.closing.connect(self._end)
        workspace.segment_changed.connect(self._on_segment)
        workspace.changed.connect(self._on_change)
        workspace.settings.changed.connect(self._on_setting)
        self._commit_timer.timeout.connect(self.flush)
        self._update_timer.timeout.connect(self._show_draft)
        edit.typed.connect(self._on_typed)
        edit.exit_requested.connect(self.stop_editing)
        edit.cursorPositionChanged.connect(self._update_timer.start)
        self.reader.laid_out.connect(self._on_laid_out)
        self.panel.note.accepted.connect(self.save_note)
        self.panel.note.cancelled.connect(self._close_note)

    # --- panel

    @property
    def view(self) -> View | None:
        """View of the session; None if nothing is open, or if the corpus has no segments or no MT."""
        return editable_view(self.workspace.view)

    @property
    def is_reviewing(self) -> bool:
        """Whether the corpus is reviewable (see `is_reviewable`), or the user has started to review it."""
        view = self.view
        return view is not None and (self._review_started or is_reviewable(view))

    def _on_opened(self) -> None:
        self._commit_timer.stop()
        self._review_started, self._refused_line = False, ""
        self._segment_times, self.review_queue = SegmentTimes(), ReviewQueue(self._agreement)
        self.steps.forget()
        self.close_target()
        self._close_note()
        self.refresh()

    def _on_segment(self) -> None:
        if self.segment is not None and self.segment != self.workspace.segment:
            focused = self.panel.edit.hasFocus()
            self.flush()
            self.close_target(keep_editor=self.steps.keeps_editor)
            if focused and not self.steps.keeps_editor:
                self.list_focus_requested.emit()
        self.steps.forget()
        self._empty_target_confirmation.forget()
        self._flush_note()
        self._close_note()
        self.refresh()

    def _on_change(self, change: SessionChange) -> None:
        view, segment = self.view, self.workspace.segment
        if view is None or not change.may_affect(segment):
            return
        if self.segment is not None and not (self._commit_timer.isActive() or self.history.is_syncing):
            target = view.target(self.segment)
            if target != self.panel.edit.line and self._refused_line != self.panel.edit.line:
                self._fill(view, self.segment)
        self.refresh()

    def _on_setting(self, key: str) -> None:
        if key in ("view/decimals", "inspect/agreement") or key.startswith("reading/"):
            self.refresh()

    def refresh(self) -> None:
        """Update the panel for the current segment."""
        view, segment = self.view, self.workspace.segment
        if self.panel.parentWidget() is not None:
            # without a parent it would be a separate window
            self.panel.setVisible(view is not None)
        if view is None:
            self._context = self._draft = None
            return
        self._context = SegmentContext(view, segment, self._agreement(), InspectViewController.of(self.workspace).view)
        self._draft = draft = self._context.diff_with(view.target(segment))
        self.panel.show_segment(
            SegmentReviewState(
                draft.runs() if draft.is_edited else (),
                view.status(segment),
                target_messages.status_text(view, segment),
                self._edit_statistics(draft, segment),
                view.note(segment),
                "" if view.corpus.job is None else target_messages.notes_text(view.corpus.job.notes.get(segment, ())),
            )
        )
        self.panel.set_locked(view.is_locked(segment))
        self._on_laid_out()
        if self.segment is not None:
            self._update_timer.start()
        else:
            self.draft_changed.emit(draft)

    def _on_laid_out(self) -> None:
        if self.reader.page is not None and self._context is not None:
            self.panel.match_layout(self.reader.page, self.workspace.settings)

    def _edit_statistics(self, draft: TargetDiff, segment: int) -> str:
        workspace, is_flag_wording = self.workspace, self.reader.inspect_view.view_mode.flag_wording
        if workspace.session is not None:
            self._segment_times.add_visits(workspace.session.reviewing.visits())
        seconds, decimals = self._segment_times.seconds(segment), workspace.settings.decimals
        return target_messages.statistics_text(draft, seconds, decimals, hter=not is_flag_wording)

    # --- editing

    def toggle_editing(self) -> None:
        """Start or stop editing the target of the current segment."""
        (self.open if self.segment is None else self.stop_editing)()

    def open(self, at_word: bool = False) -> None:
        """Edit or focus the target of the current segment; if `at_word`, select the word at the reader's cursor."""
        view, session, segment = self.view, self.workspace.session, self.workspace.segment
        if view is None or session is None:
            return
        if self.segment is not None:
            if at_word:
                self.panel.edit.go_to(*self._initial_span(at_word))
            self.panel.edit.setFocus()
            return
        locked = warn_if_locked(self.message_posted.emit, view, segment)
        if locked or not self.workspace.attempt(session.require_writable):
            return
        self._mark_started()
        self.segment = segment
        self._fill(view, segment)
        self.panel.show_editing(True)
        self.panel.edit.go_to(*self._initial_span(at_word))
        self.panel.edit.setFocus()
        self._update_timer.start()
        self.opened.emit(segment)

    def _initial_span(self, at_word: bool) -> tuple[int, int]:
        """Return the span to select when editing starts: the word at the reader's cursor; empty without `at_word`."""
        word, draft = self.reader.word_to_edit(at_word=at_word), self._draft
        start, end = (0, 0) if draft is None else draft.initial_span(word)
        return start, end if at_word else start

    def _mark_started(self) -> None:
        if not self._review_started:
            self._review_started = True
            self.review_started.emit()

    def _fill(self, view: View, segment: int) -> None:
        labels = {} if view.corpus.job is None else view.corpus.job.labels.get(segment, {})
        source, mt = view.corpus.source_line(segment), view.corpus.mt_line(segment)
        self.panel.edit.show_line(view.target(segment), parse_line_codes(source) + parse_line_codes(mt), labels)
        self.history.clear()

    def stop_editing(self) -> None:
        """Stop editing and keep the edits."""
        self.steps.forget()
        if self.segment is not None:
            self._end()
            self.refresh()
            self.list_focus_requested.emit()

    def _end(self) -> None:
        """Commit pending edits, then stop editing; the session must still accept edits and recordings."""
        self.flush()
        self.close_target()

    def close_target(self, *, keep_editor: bool = False) -> None:
        """Stop editing without committing; `keep_editor` leaves editor and layout unchanged for the next segment."""
        segment, self.segment = self.segment, None
        self._commit_timer.stop()
        if not keep_editor:
            self.panel.show_editing(False)
        if segment is not None:
            self.closed.emit(segment)

    def _on_typed(self, offset: int, removed: str, inserted: str) -> None:
        if self.segment is not None:
            self._empty_target_confirmation.forget()
            self._commit_timer.start()
            # update when the edit is painted, or when the event loop is idle
            self._update_timer.start()
            self.typed.emit(offset, removed, inserted)

    def type_key(self, event: QKeyEvent) -> bool:
        """Focus the open target and type a key that no other widget has handled; return whether it was typed."""
        if self.segment is None or not is_text_key(event):
            return False
        self.panel.edit.setFocus()
        self.panel.edit.keyPressEvent(event)
        return True

    def uncommitted_text(self) -> TypedText | None:
        """Return the uncommitted note or, without one, the uncommitted target; None if there is neither."""
        typed = self.segment if self._commit_timer.isActive() else None
        target = None if typed is None else TypedText(typed, ReviewField.TARGET, self.panel.edit.line)
        return self._note_draft.typed_text(self.view) or target

    def _show_draft(self) -> None:
        """Update the changes, statistics and highlights of the target being edited."""
        if self.segment is None or self._context is None:
            return
        line = self.panel.edit.line
        if self._draft is None or self._draft.line != line or self._draft.context is not self._context:
            self._draft = self._context.diff_with(line)
        draft, settings = self._draft, self.workspace.settings
        self.panel.show_runs(draft.runs() if draft.is_edited else ())
        self.panel.show_statistics(self._edit_statistics(draft, self.segment))
        self.panel.codes.show_problems(draft.codes, self._context.labels)
        self.panel.edit.show_flagged_words(draft.highlights() if settings.highlights else ())
        self._show_word(draft)
        self.draft_changed.emit(draft)

    def _show_word(self, draft: TargetDiff) -> None:
        token = draft.token_at(self.panel.edit.cursor_offset())
        # in views with tag rows, the status bar describes the word
        is_described = self.workspace.settings.highlights and not self.reader.inspect_view.view_mode.tag_rows
        description = "" if token is None or not is_described else self.reader.describe((Kind.WORDS, token))
        parts = filter(None, [self.panel.edit.code_description(), description.replace("; ", " · ")])
        self.panel.show_word(join_localized(" · ", parts), keep_row=not self.reader.inspect_view.view_mode.tag_rows)
        if token is not None and self.reader.page is not None and self.reader.page.kind is Kind.WORDS:
            self.reader.go_to_index(token)

    def flush(self) -> None:
        """Commit pending edits and an open note to the session."""
        self._commit_timer.stop()
        self._flush_note()
        view, line = None if self.segment is None else self.history.sync_with_editor(), self.panel.edit.line
        if self.segment is None or view is None or line in (view.target(self.segment), self._refused_line):
            return
        committed = self._commit_fields({self.segment: {ReviewField.TARGET: stored_target(view, self.segment, line)}})
        # a refused edit is reported once and stays in the editor
        self._refused_line = "" if committed else line
        if committed:
            self.history.add()

    def _commit_fields(self, fields: FieldsBySegment) -> bool:
        session = self.workspace.session
        if session is None or not self.workspace.attempt(lambda: session.reviewing.set(fields)):
            return False
        self._mark_started()
        return True

    def confirm(self) -> None:
        """Confirm the target and go to the next segment to review; an empty target must be confirmed twice."""
        self._finish(ReviewStatus.CONFIRMED)

    def reject(self) -> None:
        """Reject the target and go to the next segment to review."""
        self._finish(ReviewStatus.REJECTED)

    def reopen(self) -> None:
        """Reset the status of the current segment to “open” or, if the target was edited, to “edited”."""
        if self.view is not None:
            self.flush()
            segment = self.workspace.segment
            if self._commit_fields({segment: {ReviewField.STATUS: int(ReviewStatus.OPEN)}}):
                self.message_posted.emit(tr("Segment {number:,} reopened", number=segment + 1))

    def _finish(self, status: ReviewStatus) -> None:
        view, segment = self.view, self.workspace.segment
        if view is None or warn_if_locked(self.message_posted.emit, view, segment):
            return
        typing = self.segment is not None
        target = self.panel.edit.line if typing else view.target(segment)
        if self._empty_target_confirmation.ask_if_empty(view, segment, target, status):
            return
        self._commit_timer.stop()
        fields: dict[ReviewField, ReviewValue] = {ReviewField.STATUS: int(status)}
        view = (self.history.sync_with_editor() if typing else None) or view
        if typing and target != view.target(segment):
            fields[ReviewField.TARGET] = stored_target(view, segment, target)
        fields.update(self._note_draft.pending_values(view).get(segment, {}))
        if not self._commit_fields(self.add_identical_segments(segment, fields)):
            return
        self.codes_notice.check(segment)
        self.steps.go_to_next(is_editing=typing)
        self.finished.emit(segment)

    def step(self, step: int) -> None:
        """Go to the next (`step` 1) or previous (−1) unfinished segment, in the order of `ReviewQueue.next`."""
        self.flush()
        self.steps.go_to_next(is_editing=self.segment is not None, step=step)

    def insert_code(self) -> None:
        """Insert the first missing inline code at the cursor; if none is missing, the first optional one."""
        if self.segment is not None:
            self._show_draft()
            for code in () if self._draft is None else self._draft.codes.insertable_codes[:1]:
                self.panel.edit.insert_code(code)

    def edit_note(self) -> None:
        """Open the note editor for the segment."""
        if self.view is not None:
            self._note_draft.write(self.view, self.workspace.segment)

    def save_note(self) -> None:
        """Save the note and, unless it is refused, close the note editor; an empty note is removed."""
        self._flush_note()
        if not self._note_draft.is_refused:
            self._close_note()

    def _flush_note(self) -> None:
        if (unsaved := self._note_draft.pending_values(self.view)) and not self._commit_fields(unsaved):
            self._note_draft.refuse()

    def _close_note(self) -> None:
        if self._note_draft.drop():
            self.restore_focus()

    def restore_focus(self) -> None:
        """Return the focus to the editor if a target is being edited, otherwise to the segment list."""
        if self.segment is not None:
            self.panel.edit.setFocus()
        else:
            self.list_focus_requested.emit()

    def restore(self, segment: int, line: str | None) -> None:
        """Restore an earlier target of a segment; None restores the target as loaded."""
        self.flush()
        self._commit_fields({segment: {ReviewField.TARGET: line}})

    def set_checked(self, checked: CheckedFields) -> bool:
        """Set the review fields of all segments in `checked` in one call; return whether any fields were set."""
        return bool(checked.fields) and self._commit_fields(checked)
