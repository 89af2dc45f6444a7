"""View that shows the current segment in large type, with tags that can be edited with the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence, QResizeEvent, QShowEvent

from qe_desktop.corpus import Kind, Provenance, QeError, TextRole, View
from qe_desktop.corpus.tag_voting import VotingRule
from qe_desktop.i18n.messages import tr
from qe_desktop.project import Edit, SessionChange
from qe_desktop.ui.action_registry import shortcut_text, with_shortcut
from qe_desktop.ui.inspect.inspect_view_controller import InspectViewController
from qe_desktop.ui.inspect.reader.check_reasons import CheckReasons
from qe_desktop.ui.inspect.reader.layout_metrics import DEFAULT_SIZE, TrackSize
from qe_desktop.ui.inspect.reader.segment_descriptions import describe_position, flag_reasons
from qe_desktop.ui.inspect.reader.segment_layout import NO_PANELS_BELOW, PanelsBelow, SegmentLayout
from qe_desktop.ui.inspect.reader.segment_text_view import SegmentTextView
from qe_desktop.ui.settings import HIGHLIGHTS_KEY
from qe_desktop.ui.widgets.labels import announce
from qe_desktop.ui.workspace import Workspace


class SegmentTagEditor(SegmentTextView):
    """View of the current segment of the workspace; the cursor is on an MT word, a gap or a source word."""

    step_requested = Signal(int)
    """Emitted to move by a number of rows in the segment list; a negative number moves up."""
    word_described = Signal(str)
    """Emitted with a description of the word at the cursor; empty if the reader is hidden or tag rows are not shown."""
    copy_requested = Signal()
    """Emitted to copy the selected words."""
    laid_out = Signal()
    """Emitted after the layout has changed."""
    lock_changed = Signal()
    """Emitted after the gold layer has been locked or unlocked."""
    message_posted = Signal(str)
    """Emitted with a message for the user; an empty text removes the message."""
    edit_requested = Signal(bool)
    """Emitted to edit the target at the word at the cursor; the flag is True if the user double-clicked the word."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace, self.inspect_view = workspace, InspectViewController.of(workspace)
        self.is_taggable = True
        """Whether tags of the segment are shown or can be added; if not, commands that edit tags do nothing."""
        self._check_reasons = CheckReasons(workspace, self)
        self._check_reasons.changed.connect(self._on_reasons)
        self._reasons: tuple[tuple[View, int, VotingRule], tuple[str, ...]] | None = None
        self._is_unlocked = False
        self._below = NO_PANELS_BELOW
        self._source_width: float | None = None
        self.track_size = DEFAULT_SIZE
        """Size of the MT and its tag rows."""
        self._frozen_rows: tuple[int, frozenset[str]] | None = None
        """Segment whose target is being edited, and the names of its tag rows at the time when editing began."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Segment"))
        for signal in (workspace.opened, workspace.level_changed, workspace.segment_changed):
            signal.connect(self._show_segment)
        for signal in (self.inspect_view.switched, self.inspect_view.comparison_changed):
            signal.connect(self._on_switched)
        workspace.opened.connect(lambda: self.set_locked(True))
        workspace.changed.connect(self._on_change)
        workspace.target_changed.connect(self._on_target)
        workspace.segments_requested.connect(self._on_order)
        workspace.row_order_changed.connect(self._on_order)
        workspace.settings.changed.connect(self._on_setting)
        self.position_clicked.connect(self._on_position_clicked)
        self.double_clicked.connect(self._on_double_click)
        self._show_segment()

    # --- layout

    def _show_segment(self) -> None:
        self._lay_out()
        self.word_cursor.reset(self.word_cursor.count)
        self._announce_cursor()

    def _on_switched(self) -> None:
        """Show the segment with the tag rows of the new view."""
        is_editing, self._frozen_rows = self._frozen_rows is not None, None
        self._show_segment()
        if is_editing:
            self.set_rows_frozen(True)

    def _lay_out(self) -> None:
        view, page = self.inspect_view.view, None
        if view is not None and view.corpus.size:
            page = self.page_of(view, self.workspace.segment, size=self.track_size)
            page.follow_cursor(self.word_cursor.index)
        self.show_page(page, self.inspect_view.target)
        self.word_cursor.count = page.position_count() if page else 0
        self.laid_out.emit()

    def page_of(self, view: View, segment: int, *, size: TrackSize = DEFAULT_SIZE) -> SegmentLayout:
        """Return the layout of a segment for the current width."""
        settings, is_current = self.workspace.settings, segment == self.workspace.segment
        reasons = self._flag_reasons(view) if is_current else ()
        kept_rows = self._frozen_rows[1] if self._frozen_rows is not None and self._frozen_rows[0] == segment else None
        return SegmentLayout(
            view, segment, self.inspect_view.kind, max(200, self.width()), self.font(), settings, self._below,
            tags_shown=settings.highlights, source_width=self._source_width if self.can_show_side_by_side else None,
            view_mode=self.inspect_view.view_mode, reasons=reasons, order=self.workspace.row_order,
            size=size, visible_row_names=kept_rows,
        )  # fmt: skip

    def _flag_reasons(self, view: View) -> tuple[str, ...]:
        """Return the reasons for flags shown below the texts, cached because every change of width needs them."""
        settings, segment = self.workspace.settings, self.workspace.segment
        if not (self.inspect_view.view_mode.flag_reasons and settings.highlights):
            return ()
        rule = VotingRule(settings.agreement)
        if self._reasons is None or self._reasons[0] != (view, segment, rule):
            self._reasons = (view, segment, rule), flag_reasons(view, segment, rule, self._check_reasons.reasons_for)
        return self._reasons[1]

    def _on_reasons(self) -> None:
        self._reasons = None
        self._lay_out()

    @property
    def can_show_side_by_side(self) -> bool:
        """Whether an MT is shown, so that the source can be next to it."""
        view = self.inspect_view.view
        return view is not None and not self._below.are_main_content and view.corpus.text(TextRole.MT) is not None

    def set_source_width(self, width: float | None) -> None:
        """Set the width in pixels of a source on the left; None means that the source is above the MT."""
        if width != self._source_width:
            self._source_width = width
            self._lay_out()

    def _on_order(self, *pair: object) -> None:
        """Update the description of the word at the cursor and, if the order of the systems changed, the layout."""
        if self.page is not None:
            if tuple(self.page.system_order) != self.workspace.row_order:
                self._lay_out()
            self._emit_word()

    @property
    def is_compact(self) -> bool:
        """Whether the MT has a smaller font and its tag rows have no names, to save space during editing."""
        return self.track_size.compact

    def set_track_size(self, size: TrackSize) -> None:
        """Set the size of the MT and its tag rows."""
        if size != self.track_size:
            self.track_size = size
            self._lay_out()

    def set_rows_frozen(self, frozen: bool) -> None:
        """Set whether the segment keeps its current tag rows, so that new rows do not move the text during editing."""
        page, before = self.page, self._frozen_rows
        rows = () if page is None else tuple(row.name for block in page.blocks for row in block.tag_rows)
        self._frozen_rows = (page.segment, frozenset(rows)) if frozen and page is not None else None
        if page is not None and before is not None and not frozen:
            page.visible_row_names = None
            if self._has_other_rows():
                self._lay_out()

    @property
    def panels_below(self) -> PanelsBelow:
        """Panels below the segment; they determine which texts the layout omits."""
        return self._below

    def set_panels_below(self, below: PanelsBelow) -> None:
        """Set the panels below the segment; they determine which texts the layout omits."""
        if below != self._below:
            self._below = below
            self._lay_out()

    def _on_change(self, change: SessionChange) -> None:
        view = self.inspect_view.view
        is_changed = self.page is not None and view is not None and self.page.segment in change.segments
        if change.affects_all_views or (is_changed and change.affects_review and self._has_other_rows()):
            self._lay_out()
        elif is_changed and self.page is not None and view is not None:
            # positions are unchanged
            self.page.view = view
            self._announce_cursor(change.text)

    def _has_other_rows(self) -> bool:
        """Return whether the displayed tag rows are outdated because the review of the segment began or was undone."""
        view, page = self.inspect_view.view, self.page
        if view is None or page is None:
            return False
        return any(
            block.kind is not None and block.tag_rows and block.tag_rows != page.rows_in(view, block.kind)
            for block in page.blocks
        )

    def _on_target(self) -> None:
        self.target = self.inspect_view.target
        self.refresh()

    def _on_setting(self, key: str) -> None:
        if key.startswith("reading/") or key in ("inspect/agreement", HIGHLIGHTS_KEY):
            self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        """Update the layout after a font change."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self._lay_out()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Update the layout for the new width."""
        if event.size().width() != event.oldSize().width():
            self._lay_out()

    # --- keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle keys for navigation, selecting words, toggling tags (Space) and copying."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
        elif not self.handle_key(event):
            super().keyPressEvent(event)

    def handle_list_key(self, event: QKeyEvent) -> bool:
        """Handle a key that the segment list forwards; return whether the key was handled.

        Space edits only tags that the user has opened for editing, because the list does not show the word cursor.
        """
        is_space = event.key() == Qt.Key.Key_Space and self.inspect_view.view_mode.tag_editing
        if is_space and self.workspace.view is not None and not self._has_opened_tags():
            hint = tr(
                "Click a word in the text and press Space. If the list of layers is shown above the text, you can also "
                "select a layer there."
            )
            self.workspace.failed.emit(QeError(tr("No tag layer is selected for editing"), hint=hint))
            return True
        return self.handle_key(event)

    def _has_opened_tags(self) -> bool:
        """Return whether edits go to the gold layer, or to a layer that the user selected, created or edited."""
        workspace, target = self.workspace, self.workspace.target
        if target is None or workspace.view is None:
            return False
        is_gold = target.provenance is Provenance.GOLD
        return is_gold or workspace.has_selected_target or bool(workspace.view.edited_segments(target).size)

    def handle_key(self, event: QKeyEvent) -> bool:
        """Handle a key; return whether the key was handled."""
        key, extend = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier):
            return False
        sideways = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if key in sideways:
            step = -sideways[Qt.Key(key)] if self._is_right_to_left() else sideways[Qt.Key(key)]
            self.move_cursor(step, extend=extend)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.step_requested.emit(-1 if key == Qt.Key.Key_Up else 1)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.go_to_index(0 if key == Qt.Key.Key_Home else self.word_cursor.count - 1, extend=extend)
        elif key == Qt.Key.Key_Space and self.inspect_view.view_mode.tag_editing:
            self.toggle()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.edit_requested.emit(False)
        elif key == Qt.Key.Key_Escape:
            return self._end_selection()
        else:
            return False
        return True

    def _end_selection(self) -> bool:
        """Reduce the selection to the word at the cursor; return whether other words were selected."""
        has_other_words = len(self.word_cursor.selected()) > 1
        self.go_to_index(self.word_cursor.index)
        return has_other_words

    def _is_right_to_left(self) -> bool:
        block = self.page.block(self.inspect_view.kind) if self.page else None
        return block is not None and block.layout.right_to_left

    def _on_position_clicked(self, index: int, extend: bool) -> None:
        self.go_to_index(index, extend=extend)

    def _on_double_click(self) -> None:
        """Edit the target if a bilingual file is open and no tag layer is being edited; otherwise toggle the tag."""
        corpus = self.workspace.corpus
        if corpus is not None and corpus.job is not None and self.inspect_view.target is None:
            self.edit_requested.emit(True)
        else:
            self.toggle()

    def word_to_edit(self, *, at_word: bool) -> int | None:
        """Return the index of the MT word at the cursor; None if the cursor is on a gap or a source word.

        Without `at_word`, also return None for word 0: the cursor starts there, so the user may not have selected it.
        """
        word, is_words = self.word_cursor.index, self.page is not None and self.page.kind is Kind.WORDS
        return word if is_words and (word or at_word) else None

    def move_cursor(self, step: int, *, extend: bool = False) -> None:
        """Move the cursor, or extend the selection, by `step` words or gaps; ignore positions outside the segment."""
        self.go_to_index(self.word_cursor.index + step, extend=extend)

    def go_to_word(self, kind: Kind, word: int) -> bool:
        """Move the cursor to a word; return False if there is no word to move to.

        If the cursor is in the source and `word` in the MT, or vice versa, move to the first word aligned with `word`.
        """
        corpus, segment, is_source = self.workspace.corpus, self.workspace.segment, kind is Kind.SOURCE
        if is_source is not (self.inspect_view.kind is Kind.SOURCE):
            alignments = None if corpus is None else corpus.alignments
            if alignments is None:
                return False
            aligned = (alignments.mt_of if is_source else alignments.source_of)(segment, word)
            if not aligned:
                return False
            word = aligned[0]
        self.go_to_index(word)
        return 0 <= word < self.word_cursor.count

    def go_to_index(self, index: int, *, extend: bool = False) -> None:
        """Move the cursor to a position, or extend the selection to it; ignore positions outside the segment."""
        if self.word_cursor.move_to(index, extend=extend):
            self._announce_cursor()

    @property
    def is_locked(self) -> bool:
        """Whether the edited layer is the gold layer and is locked, which prevents accidental changes."""
        target = self.workspace.target
        return target is not None and target.provenance is Provenance.GOLD and not self._is_unlocked

    def set_locked(self, locked: bool) -> None:
        """Lock or unlock the gold layer; it is locked again when another corpus is opened."""
        if self._is_unlocked is locked:
            self._is_unlocked = not locked
            self.lock_changed.emit()

    def toggle_lock(self) -> None:
        """Unlock the gold layer and post a message, or lock it; do nothing if edits go to another layer."""
        target = self.workspace.target
        if target is not None and target.provenance is Provenance.GOLD and self.is_taggable:
            self.set_locked(self._is_unlocked)
            text = tr("The gold is unlocked: Space changes its tags.")
            if key := shortcut_text("inspect.lock"):
                text = tr("The gold is unlocked: Space changes its tags. {key} locks it again.", key=key)
            self.message_posted.emit(text if self._is_unlocked else "")

    def toggle(self) -> None:
        """Toggle the tag at the cursor, and set the other selected tags to the new value.

        If no layer is being edited, a layer with a copy of the current tags is added first. In views without tag
        editing, nothing changes. If the gold layer is locked, an error message explains how to unlock it.
        """
        if self.workspace.view is None or not (self.is_taggable and self.inspect_view.view_mode.tag_editing):
            return
        if self.is_locked:
            hint = with_shortcut(tr("To edit the gold, click the lock above the text"), "inspect.lock")
            self.workspace.failed.emit(QeError(tr("The gold is locked"), hint=hint))
            return
        if self.workspace.target is None:
            # the new layer begins as a copy of the current tags, so the display does not change
            self.workspace.add_own_layer(self.workspace.copy_source)
        view, target = self.workspace.view, self.workspace.target
        if target is not None:
            segment = self.workspace.segment
            toggled = self.word_cursor.toggled_tags(view.segment_tags(target, segment))
            if toggled is not None:
                indices, tag = toggled
                self.workspace.edit(Edit(target, segment, indices, (tag,) * len(indices)))

    def _announce_cursor(self, message: str = "") -> None:
        if self.page is not None:
            self.page.follow_cursor(self.word_cursor.index)
        self.refresh()
        text = self.describe()
        self.setAccessibleDescription(text)
        announce(self, message or text)
        self.keep_in_view()
        self._emit_word()

    def _emit_word(self) -> None:
        text = self.describe() if self.inspect_view.view_mode.tag_rows and self.isVisible() else ""
        self.word_described.emit(text.replace("; ", " · "))

    def showEvent(self, event: QShowEvent) -> None:
        """Emit the description of the word at the cursor."""
        super().showEvent(event)
        self._emit_word()

    def hideEvent(self, event: QHideEvent) -> None:
        """Clear the description of the word at the cursor."""
        super().hideEvent(event)
        self.word_described.emit("")

    def describe(self, position: tuple[Kind, int] | None = None) -> str:
        """Describe a position (default: the cursor): "word 3 of 12, “maison”; gold: BAD; HW-TSC: OK, a miss".

        The description is empty if no segment is shown.
        """
        session = self.workspace.session
        if session is None or self.page is None:
            return ""
        kind, index = position or (self.page.kind, self.word_cursor.index)
        return describe_position(self.page, kind, index, session.edit_authors, self._check_reasons.reasons_for)
