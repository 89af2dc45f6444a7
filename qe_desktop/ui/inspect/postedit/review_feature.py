"""Post-editing in the Inspect area: controllers and widgets, connected to segment list, filters and reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt, Signal

from qe_desktop.corpus import Kind, ReviewStatus
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.formats.bilingual.word_tokenization import target_tokenizer, word_spans
from qe_desktop.i18n.messages import tr
from qe_desktop.project import SessionChange
from qe_desktop.project.events import EditAction, ReviewField, ReviewRow
from qe_desktop.project.review.review_edits import review_fields_text
from qe_desktop.ui.inspect.inspect_view_controller import InspectViewController
from qe_desktop.ui.inspect.postedit.activity_recorder import stored_target, warn_if_locked
from qe_desktop.ui.inspect.postedit.history_dialog import HistoryDialog, HistoryEntry
from qe_desktop.ui.inspect.postedit.post_edit_controller import PostEditController
from qe_desktop.ui.inspect.postedit.replace_controller import ReplaceController
from qe_desktop.ui.inspect.postedit.review_queue import FLAGGED, ReviewFilterBar, count_reviews
from qe_desktop.ui.inspect.postedit.spelling_controller import SpellingController
from qe_desktop.ui.inspect.postedit.target_checks import LiveChecks
from qe_desktop.ui.inspect.propagation_controller import PropagationController
from qe_desktop.ui.inspect.qa_results_controller import QaResultsController
from qe_desktop.ui.inspect.reader.segment_tag_editor import SegmentTagEditor
from qe_desktop.ui.inspect.segment_list.filter_bar import FilterBar
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn, SegmentModel
from qe_desktop.ui.workspace import Workspace


class CloseHook(QObject):
    """Event filter that runs `action` when `window` receives a close event."""

    def __init__(self, window: QObject, action: Callable[[], object]) -> None:
        super().__init__(window)
        self._action = action
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Run the action on a close event."""
        if event.type() == QEvent.Type.Close:
            self._action()
        return False


def history_entries(rows: Sequence[ReviewRow]) -> list[HistoryEntry]:
    """Convert the log rows of a segment (oldest first) to entries (latest first); the last is the target as loaded."""
    target: str | None = None
    entries = [HistoryEntry(0.0, "", tr("as loaded"), target)]
    for row in rows:
        fields = dict(zip(row.fields, row.values, strict=True))
        line = fields.get(ReviewField.TARGET, target)
        target = line if isinstance(line, str) else None
        entries.append(HistoryEntry(row.at, row.person, _entry_text(row), target))
    return entries[::-1]


def _entry_text(row: ReviewRow) -> str:
    values = row.befores if row.action is EditAction.UNDO else row.values
    fields = dict(zip(row.fields, values, strict=True))
    status = fields.get(ReviewField.STATUS)
    text = (
        review_fields_text(row.fields, ReviewStatus(status) if isinstance(status, int) else None, row.segment)
        if row.fields
        else row.text
    )
    match row.action:
        case EditAction.UNDO:
            return tr("Undo: {text}", text=text)
        case EditAction.REDO:
            return tr("Redo: {text}", text=text)
        case _:
            return text


class ReviewFeature(QObject):
    """Post-editing in the Inspect area: target panel, review filters, QA checks, spelling, replacement, propagation."""

    reviewing_changed = Signal()
    """Emitted when `is_reviewing` changes."""

    def __init__(self, workspace: Workspace, reader: SegmentTagEditor, model: SegmentModel, filters: FilterBar) -> None:
        super().__init__(reader)
        self.workspace, self._filters, self._inspect_view = workspace, filters, InspectViewController.of(workspace)
        self.controller = PostEditController(workspace, reader, lambda: model.segments)
        self.live_checks = LiveChecks(workspace, self.controller)
        self.qa_results = QaResultsController(workspace, self.controller, self.live_checks)
        self.spelling = SpellingController(workspace, self.controller)
        self.replace_controller = ReplaceController(self.controller)
        # the list is filtered in the background
        model.modelReset.connect(self.replace_controller.follow_scope)
        self.propagation = PropagationController(self.controller, filters.show_query)
        self.filter_bar = ReviewFilterBar()
        self._was_reviewing = False
        workspace.opened.connect(self._on_opened)
        workspace.changed.connect(self._on_change)
        workspace.settings.changed.connect(self._on_setting)
        filters.changed.connect(self.filter_bar.show_query)
        # the filters are above the segment list
        filters.changed.connect(self.qa_results.close)
        self.controller.review_started.connect(self._update_filter_bar)
        self._inspect_view.switched.connect(self.refresh)
        self._reader = reader
        self.controller.opened.connect(lambda: self._on_editing(True))
        self.controller.closed.connect(lambda: self._on_editing(False))
        self.live_checks.changed.connect(self._update_filter_bar)
        self.filter_bar.changed.connect(self._apply_filters)
        reader.edit_requested.connect(self.controller.open)
        workspace.target_edit_requested.connect(self.controller.open)
        self.controller.panel.action_requested.connect(self._run_action)
        self._update_filter_bar()
        if workspace.segment == 0 and workspace.project is None:
            # a file may have been opened before this object existed
            self._go_to_first()

    def _on_editing(self, editing: bool) -> None:
        self._reader.set_rows_frozen(editing)
        # a click next to the words leaves the focus in the open target
        self._reader.setFocusPolicy(Qt.FocusPolicy.TabFocus if editing else Qt.FocusPolicy.StrongFocus)

    @property
    def is_reviewing(self) -> bool:
        """Whether the corpus is reviewable (see `is_reviewable`), or the user has started to review it."""
        return self.controller.is_reviewing

    @property
    def can_review(self) -> bool:
        """Whether there are targets to review, that is, whether the segments have an MT."""
        return self.controller.view is not None

    def show_replace_bar(self) -> None:
        """Show the segment list with the replace bar above it."""
        self.qa_results.close()
        self.replace_controller.show_bar()

    def refresh(self) -> None:
        """Update all widgets; must also be called after the widgets have been added to a layout."""
        self.controller.refresh()
        self._update_filter_bar()

    def _on_opened(self) -> None:
        self._update_filter_bar()
        self._go_to_first()

    def _go_to_first(self) -> None:
        """In a bilingual file, go to the first flagged unfinished segment or, without one, to the first unfinished one.

        Locked segments, such as titles, count as finished. If all segments are finished, go to the first segment.
        """
        view = self._inspect_view.view
        if self.can_review and view is not None and view.corpus.job is not None:
            first = self.controller.review_queue.next(view, np.arange(view.corpus.size), segment=-1)
            self.workspace.go_to(first or 0)

    def _on_change(self, change: SessionChange) -> None:
        if change.affects_review or change.affects_all_views or not change.segments:
            self._update_filter_bar()

    def _on_setting(self, key: str) -> None:
        if key == "inspect/agreement":
            self._update_filter_bar()

    def _update_filter_bar(self) -> None:
        # the counts must agree with the flags that are shown
        view, reviewing = self._inspect_view.view if self.can_review else None, self.is_reviewing
        if self.filter_bar.parentWidget() is not None:
            # without a parent it would be a separate window
            self.filter_bar.setVisible(reviewing)
        if view is not None and reviewing:
            with_issues = int(self.live_checks.segments().sum())
            self.filter_bar.show_counts(count_reviews(view, self.controller.review_queue, with_issues))
        if reviewing is not self._was_reviewing:
            self._was_reviewing = reviewing
            self.reviewing_changed.emit()

    def _apply_filters(self) -> None:
        self._filters.apply_query(self.filter_bar.filtered_query(self._filters.query))

    def _run_action(self, name: str) -> None:
        controller = self.controller
        {
            "correct": controller.toggle_editing,
            "confirm": controller.confirm,
            "reject": controller.reject,
            "reopen": controller.reopen,
            "note": controller.edit_note,
            "history": self.show_history,
        }[name]()

    def edit_word(self, column: SegmentColumn, word: int | None) -> None:
        """Edit the target of the current segment, starting at word `word` of `column` in the segment list.

        If `word` is None, editing starts at the default position. Without a bilingual file, the target is not edited,
        but the cursor of the reader moves to the word, where the user can edit its tags.
        """
        controller, view = self.controller, self.controller.view
        corpus, segment, reader = self.workspace.corpus, self.workspace.segment, controller.reader
        # the words of an edited target are not those of the MT
        is_edited = view is not None and column is SegmentColumn.MT and view.is_edited(segment)
        kind = Kind.SOURCE if column is SegmentColumn.SOURCE else Kind.WORDS
        pointed = word is not None and not is_edited and reader.go_to_word(kind, word)
        if view is None or corpus is None or corpus.job is None:
            reader.setFocus()
            return
        controller.open(pointed)
        if is_edited and word is not None and controller.segment == segment:
            controller.panel.edit.go_to(*word_spans(strip_codes(view.target(segment)))[word])

    def toggle_flagged(self) -> None:
        """Toggle the filter for flagged segments in the translator's view, or for BAD tags in the evaluation view."""
        flagged = self._inspect_view.view_mode.flag_wording
        (self.filter_bar.buttons[FLAGGED] if flagged else self._filters.bad).toggle()

    def toggle_highlights(self) -> None:
        """Show or hide QE highlights and save the choice."""
        settings = self.workspace.settings
        settings.highlights = not settings.highlights

    def copy_source(self) -> None:
        """Replace the target of the current segment with the source, including its inline codes.

        The change is one undo step: of the editor if the target is being edited, otherwise of the session. A locked
        target is not changed. Without a source, nothing happens.
        """
        controller, segment = self.controller, self.workspace.segment
        view = controller.view
        if view is None or warn_if_locked(controller.message_posted.emit, view, segment):
            return
        source = view.corpus.source_line(segment)
        if not source:
            return
        if controller.segment == segment:
            controller.panel.edit.replace_line(source)
        else:
            controller.restore(segment, stored_target(view, segment, source))

    def show_history(self) -> None:
        """Show the history of the current segment, in which the user can restore an earlier target."""
        self.controller.flush()
        view, session, segment = self.controller.view, self.workspace.session, self.workspace.segment
        if view is None or session is None:
            return
        entries, loaded = history_entries(session.reviewing.history(segment)), view.corpus.target_line(segment)
        tokenize, settings, panel = target_tokenizer(view.corpus), self.workspace.settings, self.controller.panel
        locked = tr("The segment is locked in its file. Unlock it in your CAT tool.")
        refused = locked if view.is_locked(segment) else session.read_only
        dialog = HistoryDialog(segment, entries, loaded, tokenize, settings, panel, restore_problem=refused)
        dialog.changes.copy_text_format(panel.changes)
        dialog.restored.connect(lambda line: self.controller.restore(segment, line))
        dialog.open()
