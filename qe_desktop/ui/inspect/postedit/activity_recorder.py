"""Recording of the time and keystrokes spent on post-editing, as visits to segments.

Recording starts when the user turns it on, and stops when other files are opened. If the setting to always record is
on, recording also starts whenever files are opened. The status bar indicates whether recording is on.
"""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, Protocol

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import ReviewStatus, View
from qe_desktop.corpus.tag_voting import VotingRule
from qe_desktop.corpus.text_spans import NO_HIGHLIGHTS, DisplayedHighlights
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import VisitRow
from qe_desktop.project.review.visits import KeyKind, Recorder
from qe_desktop.ui.action_registry import Action, ActionRegistry
from qe_desktop.ui.inspect.inspect_view_controller import InspectViewController
from qe_desktop.ui.workspace import Workspace

_STANDARD_KEY_TYPES = (
    (QKeySequence.StandardKey.Copy, KeyKind.COPY),
    (QKeySequence.StandardKey.Cut, KeyKind.CUT),
    (QKeySequence.StandardKey.Paste, KeyKind.PASTE),
    (QKeySequence.StandardKey.Undo, KeyKind.UNDO),
    (QKeySequence.StandardKey.Redo, KeyKind.UNDO),
)
_KEY = Qt.Key
_NAVIGATION_KEYS = {
    _KEY.Key_Left, _KEY.Key_Right, _KEY.Key_Up, _KEY.Key_Down, _KEY.Key_Home, _KEY.Key_End, _KEY.Key_PageUp,
    _KEY.Key_PageDown,
    _KEY.Key_Tab, _KEY.Key_Backtab,
}  # fmt: skip
_ERASE_KEYS = {_KEY.Key_Backspace, _KEY.Key_Delete}
_IGNORED_KEYS = {
    _KEY.Key_Shift, _KEY.Key_Control, _KEY.Key_Alt, _KEY.Key_AltGr, _KEY.Key_Meta, _KEY.Key_CapsLock, _KEY.Key_NumLock,
    _KEY.Key_ScrollLock, _KEY.Key_Super_L, _KEY.Key_Super_R, _KEY.Key_Hyper_L, _KEY.Key_Hyper_R, _KEY.Key_unknown,
}  # fmt: skip
"""Modifier, lock and unknown keys, which are not counted."""
_ENTER_KEYS = {_KEY.Key_Return, _KEY.Key_Enter}


def keystroke_type(event: QKeyEvent) -> KeyKind | None:
    """Return the type of a keystroke; None for modifier, lock and unknown keys."""
    key = event.key()
    if key in _IGNORED_KEYS:
        return None
    for standard, kind in _STANDARD_KEY_TYPES:
        if event.matches(standard):
            return kind
    if key in _ERASE_KEYS:
        return KeyKind.ERASE
    if key in _NAVIGATION_KEYS:
        return KeyKind.NAVIGATION
    # the text of Enter is a line break, but only Shift+Enter inserts it
    if (
        key in _ENTER_KEYS
        and event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier != Qt.KeyboardModifier.ShiftModifier
    ):
        return KeyKind.COMMAND
    return next(keystroke_types(event.text()), KeyKind.COMMAND)


def keystroke_types(text: str) -> Iterator[KeyKind]:
    """Yield the type of the keystroke for each character of `text`; control characters of commands are skipped."""
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


RECORD, RECORD_ALWAYS = "inspect.record", "inspect.record-always"
_KEYS = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)


def recording_actions(area: str, group: str) -> tuple[Action, ...]:
    """Return the recording commands of an area."""
    return (
        Action(
            RECORD, tr("Record time and keystrokes"), (), area, group, checkable=True,
            tip=tr("Record time and keystrokes while you edit targets. The status bar shows whether recording is on."),
        ),
        Action(RECORD_ALWAYS, tr("Always record time and keystrokes"), (), area, group, checkable=True),
    )  # fmt: skip


class RecordedEditor(Protocol):
    """Editor of one target at a time, whose edits can be recorded.

    `opened` is emitted before the first keystroke in a segment, and `closed` after the target of the segment has been
    stored. `typed` reports the offset of an edit in the target (a line with codes), the removed text and the inserted
    text.
    """

    opened: Any
    """Signal(int): segment whose target is being edited."""
    typed: Any
    """Signal(int, str, str): offset, removed text, inserted text."""
    closed: Any
    """Signal(int): segment whose target is no longer being edited."""


class ActivityRecorder(QObject):
    """Controller that passes the events of an editor to a `Recorder` and stores the visits in the session.

    `clock` returns monotonic time in seconds; `current_time` returns Unix time.
    """

    changed = Signal()
    """Emitted when recording starts or stops, when `can_record` may have changed, and after each recorded visit."""

    def __init__(
        self, workspace: Workspace, parent: QObject | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(parent)
        self._workspace, self.clock, self.current_time = workspace, clock, time.time
        self._recorder = Recorder()
        self._edited_segment: int | None = None
        self._last_override: tuple[int, Qt.KeyboardModifier] | None = None
        self.keyboard_widget: QWidget | None = None
        self.started_at: datetime | None = None
        """Time at which recording was started; None if recording is off."""
        self.recorded_segments: set[int] = set()
        """Segments recorded since `started_at`."""
        workspace.opened.connect(self._on_opened)
        workspace.project_changed.connect(self.changed)
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        app.applicationStateChanged.connect(self._on_application_state)

    # --- state

    @property
    def is_recording(self) -> bool:
        """Whether recording is on."""
        return self.started_at is not None

    @property
    def can_record(self) -> bool:
        """Whether there is an editor to record and a writable session."""
        session = self._workspace.session
        return self.keyboard_widget is not None and session is not None and not session.read_only

    def set_running(self, enabled: bool) -> None:
        """Start or stop recording; when recording stops, the current visit is saved."""
        if enabled == self.is_recording:
            return
        if enabled:
            self.started_at, self.recorded_segments = datetime.now(), set()
            if self._edited_segment is not None:
                self._begin(self._edited_segment)
        else:
            self._end()
            self.started_at = None
        self.changed.emit()

    def text(self) -> str:
        """Return the status bar text; empty while recording is off."""
        if self.started_at is None:
            return ""
        return tr("● recording time and keystrokes since {time} · {n:,} {n:segment|segments}", "",
        len(self.recorded_segments),
                  time=f"{self.started_at:%H:%M}")  # fmt: skip

    # --- events

    def watch(self, editor: RecordedEditor, keyboard: QWidget) -> None:
        """Watch the edits in `editor` and the keystrokes in `keyboard`, which are recorded while recording is on."""
        self.keyboard_widget = keyboard
        keyboard.installEventFilter(self)
        editor.opened.connect(self._on_editor_opened)
        editor.typed.connect(self._on_typed)
        editor.closed.connect(self._on_editor_closed)
        self._start_if_always()
        self.changed.emit()

    def _start_if_always(self) -> None:
        if self._workspace.settings.record_always and self.can_record:
            self.set_running(True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Count keystrokes, including the shortcuts of commands, without consuming their events."""
        if self.is_recording:
            if event.type() in _KEYS and isinstance(event, QKeyEvent):
                self._on_key(event)
            elif isinstance(event, QInputMethodEvent):
                for kind in keystroke_types(event.commitString()):
                    self._recorder.record_key(self.clock(), kind)
        return super().eventFilter(watched, event)

    def _on_key(self, event: QKeyEvent) -> None:
        # a command key arrives as ShortcutOverride only, any other key as ShortcutOverride and KeyPress
        key = event.key(), event.modifiers()
        if event.type() == QEvent.Type.ShortcutOverride:
            self._last_override = key
        elif self._last_override == key:
            self._last_override = None
            return
        kind = keystroke_type(event)
        if kind is not None:
            self._recorder.record_key(self.clock(), kind)

    def _on_application_state(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self._recorder.enter_window(self.clock())
        else:
            self._recorder.leave_window(self.clock())

    def _on_editor_opened(self, segment: int) -> None:
        if self._edited_segment is not None:
            self._end()
        self._edited_segment = segment
        if self.is_recording:
            self._begin(segment)

    def _on_typed(self, offset: int, removed: str, inserted: str) -> None:
        if self.is_recording:
            self._recorder.record_change(self.clock(), offset, removed, inserted)

    def _on_editor_closed(self, segment: int) -> None:
        if segment == self._edited_segment:
            self._end()
            self._edited_segment = None

    def _on_opened(self) -> None:
        """Reset the recorder for a new corpus; an unsaved visit to a segment of the previous corpus is discarded."""
        self._recorder.close_segment(self.clock())
        self._edited_segment = None
        self.started_at, self.recorded_segments = None, set()
        self._start_if_always()
        self.changed.emit()

    def _begin(self, segment: int) -> None:
        view = self._workspace.view
        if view is not None:
            text, now = view.target(segment), self.clock()
            self._recorder.open_segment(
                now, segment, text, at=self.current_time(), highlights=self._displayed_highlights(view, segment)
            )

    def _displayed_highlights(self, view: View, segment: int) -> DisplayedHighlights:
        from qe_desktop.studies.post_editing.highlights import displayed_marks

        settings, flag_view = self._workspace.settings, InspectViewController.of(self._workspace).view or view
        return (
            displayed_marks(flag_view, segment, VotingRule(settings.agreement))
            if settings.highlights
            else NO_HIGHLIGHTS
        )

    def _end(self) -> None:
        session, segment = self._workspace.session, self._recorder.segment
        # the session already contains the last edit, even while it emits the change signal for this edit
        after = "" if session is None or segment is None else session.view.target(segment)
        visited = self._recorder.close_segment(self.clock(), after)
        if visited is not None and session is not None:
            segment, visit = visited
            if self._workspace.attempt(lambda: session.reviewing.add_visit(segment, visit)):
                self.recorded_segments.add(segment)
                self.changed.emit()


class RecordingCommands(QObject):
    """Controller that connects an `ActivityRecorder` to the two recording commands and the status bar."""

    def __init__(
        self,
        recording: ActivityRecorder,
        workspace: Workspace,
        commands: ActionRegistry,
        show_message: Callable[[str], object],
    ) -> None:
        super().__init__(recording)
        self._recording, self._settings, self._commands, self._show_message = (
            recording,
            workspace.settings,
            commands,
            show_message,
        )
        commands.connect_to(RECORD, self._toggle_recording, enabled=False)
        commands.connect_to(RECORD_ALWAYS, self._toggle_always)
        recording.changed.connect(self._refresh)
        self._refresh()

    def _toggle_recording(self) -> None:
        self._recording.set_running(not self._recording.is_recording)

    def _toggle_always(self) -> None:
        self._settings.record_always = not self._settings.record_always
        if self._settings.record_always and self._recording.can_record:
            self._recording.set_running(True)
        self._refresh()

    def _refresh(self) -> None:
        recording, action = self._recording, self._commands[RECORD]
        action.setEnabled(recording.can_record or recording.is_recording)
        action.setChecked(recording.is_recording)
        self._commands[RECORD_ALWAYS].setChecked(self._settings.record_always)
        self._show_message(recording.text())


class SegmentTimes:
    """Recorded editing time per segment; each visit is counted once."""

    def __init__(self) -> None:
        self._seconds: dict[int, float] = {}
        self._visit_count = 0

    def add_visits(self, visits: Sequence[VisitRow]) -> None:
        """Add the visits recorded since the last call; `visits` must contain all visits so far, in order."""
        for row in visits[self._visit_count :]:
            self._seconds[row.segment] = self._seconds.get(row.segment, 0.0) + row.visit.seconds
        self._visit_count = len(visits)

    def seconds(self, segment: int) -> float:
        """Return the editing time of a segment in seconds; 0 if none was recorded."""
        return self._seconds.get(segment, 0.0)


def stored_target(view: View, segment: int, line: str) -> str | None:
    """Return `line` as the target to store in the session; None if it equals the target as loaded."""
    return None if line == view.corpus.target_line(segment) else line


def warn_if_locked(show_message: Callable[[str], object], view: View, segment: int) -> bool:
    """Return whether a segment is locked; if so, show a message."""
    locked = view.status(segment) is ReviewStatus.LOCKED
    if locked:
        text = tr(
            "Segment {number:,} is locked in its file. Unlock it in your CAT tool. You can still write a note.",
            number=segment + 1,
        )
        show_message(text)
    return locked
