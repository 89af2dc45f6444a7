"""Recording of time and keystrokes: off by default, shown in the status bar, and every key of the editor counted."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QPlainTextEdit

from qe_desktop.corpus import Corpus, Kind, Layer, Provenance, TextColumn, TextRole
from qe_desktop.corpus.text_spans import NO_HIGHLIGHTS
from qe_desktop.project import ReviewField
from qe_desktop.project.review.visits import KeyKind
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.inspect.postedit import activity_recorder as names
from qe_desktop.ui.inspect.postedit.activity_recorder import (
    ActivityRecorder,
    RecordingCommands,
    keystroke_type,
    keystroke_types,
    recording_actions,
)
from tests.small_corpora import tags
from tests.ui.inspect.conftest import layer_key, rich_corpus

Key, Modifier = Qt.Key, Qt.KeyboardModifier


class Editor(QPlainTextEdit):
    """Stand-in for the target editor, with its signals."""

    opened = Signal(int)
    typed = Signal(int, str, str)
    closed = Signal(int)


class Clock:
    """Clock that the test advances."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def workspace(workspace):
    workspace.open(rich_corpus())
    return workspace


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def editor(qtbot) -> Editor:
    editor = Editor()
    qtbot.addWidget(editor)
    return editor


@pytest.fixture
def recording(workspace, editor, clock) -> ActivityRecorder:
    recording = ActivityRecorder(workspace, workspace, clock=clock)
    recording.watch(editor, editor)
    return recording


def visits(workspace):
    return workspace.session.reviewing.visits()


def test_nothing_is_recorded_before_recording_starts(workspace, recording, editor, clock):
    editor.opened.emit(1)
    QTest.keyClicks(editor, "ab")
    editor.closed.emit(1)
    assert not recording.is_recording
    assert recording.text() == ""
    assert visits(workspace) == ()


def test_visit_is_saved_when_the_segment_is_closed(workspace, recording, editor, clock):
    recording.set_running(True)
    before = workspace.view.target(1)
    editor.opened.emit(1)
    clock.now += 2
    QTest.keyClicks(editor, "a1 .")
    editor.typed.emit(0, "", "a1 .")
    clock.now += 400
    QTest.keyClick(editor, Key.Key_Backspace)
    QTest.keyClick(editor, Key.Key_Shift)
    QTest.keyClick(editor, Key.Key_Left, Modifier.ShiftModifier)
    workspace.session.reviewing.set({1: {ReviewField.TARGET: "a1 " + before}})
    clock.now += 1
    editor.closed.emit(1)
    [row] = visits(workspace)
    visit = row.visit
    assert (row.segment, visit.seconds, visit.pauses) == (1, 3.0, 400.0)
    assert dict(visit.keys) == {
        KeyKind.LETTER: 1, KeyKind.DIGIT: 1, KeyKind.SPACE: 1, KeyKind.SYMBOL: 1, KeyKind.ERASE: 1,
        KeyKind.NAVIGATION: 1,
    }  # fmt: skip
    assert (visit.before, visit.after) == (before, "a1 " + before)
    assert [(entry.after, entry.inserted) for entry in visit.typed] == [(2.0, "a1 .")]
    assert "1 segment" in recording.text()


def test_time_in_other_windows_is_recorded_separately(workspace, recording, editor, clock):
    app = QGuiApplication.instance()
    recording.set_running(True)
    editor.opened.emit(0)
    clock.now += 5
    app.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
    clock.now += 60
    app.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    clock.now += 1
    editor.closed.emit(0)
    assert (visits(workspace)[0].visit.seconds, visits(workspace)[0].visit.away) == (6.0, 60.0)


def test_closing_each_segment_saves_one_visit(workspace, recording, editor, clock):
    recording.set_running(True)
    for segment in (0, 1):
        editor.opened.emit(segment)
        clock.now += 1
    editor.closed.emit(0)
    assert [row.segment for row in visits(workspace)] == [0]
    editor.closed.emit(1)
    assert [row.segment for row in visits(workspace)] == [0, 1]


def test_stopping_saves_the_current_visit_and_records_no_more(workspace, recording, editor, clock):
    editor.opened.emit(2)
    clock.now += 50
    recording.set_running(True)
    clock.now += 4
    recording.set_running(False)
    clock.now += 50
    editor.closed.emit(2)
    [row] = visits(workspace)
    assert (row.segment, row.visit.seconds) == (2, 4.0)


def test_shortcuts_count_once_and_input_method_text_per_character(workspace, recording, editor, clock):
    recording.set_running(True)
    editor.opened.emit(0)
    save = QKeyEvent(QEvent.Type.ShortcutOverride, Key.Key_S, Modifier.ControlModifier, "\x13")
    recording.eventFilter(editor, save)
    for type in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
        recording.eventFilter(editor, QKeyEvent(type, Key.Key_X, Modifier.NoModifier, "x"))
    composed = QInputMethodEvent("", [])
    composed.setCommitString("同じ")
    recording.eventFilter(editor, composed)
    editor.closed.emit(0)
    assert dict(visits(workspace)[0].visit.keys) == {KeyKind.COMMAND: 1, KeyKind.LETTER: 3}


def tagged_corpus(*tagged):
    """Corpus without gold, tagged by systems A, B, …"""
    layers = [
        Layer(layer_key(Provenance.SYSTEM, "ABC"[index], Kind.WORDS), tags(*rows)) for index, rows in enumerate(tagged)
    ]
    texts = {TextRole.SOURCE: TextColumn.of(["a b", "c"]), TextRole.MT: TextColumn.of(["ä b c", "d"])}
    return Corpus("two", 2, texts, {layer.key: layer for layer in layers})


@pytest.mark.parametrize(
    ("systems", "agreement", "whose", "stretches"),
    [
        ([("bob", "o"), ("bbo", "o")], "majority", "any of A, B", [(0, 1, True), (2, 5, False)]),
        ([("bob", "o"), ("bbo", "o")], "all", "all of A, B", [(0, 1, True)]),
        ([("bob", "o"), ("bbo", "o"), ("boo", "o")], "majority", "most of A, B, C", [(0, 1, True)]),
        ([("bbo", "o")], "majority", "A", [(0, 3, True)]),
        ([("ooo", "b"), ("ooo", "o")], "any", "any of A, B", []),
    ],
)
def test_visit_records_the_displayed_highlights_and_their_systems(
    workspace, editor, clock, systems, agreement, whose, stretches
):
    workspace.open(tagged_corpus(*systems))
    workspace.settings.agreement = agreement
    recording = ActivityRecorder(workspace, workspace, clock=clock)
    recording.watch(editor, editor)
    recording.set_running(True)
    editor.opened.emit(0)
    editor.closed.emit(0)
    shown = visits(workspace)[0].visit.shown
    assert shown.layer_label == whose
    assert [(stretch.start, stretch.end, stretch.strong) for stretch in shown.spans] == stretches


def test_hidden_highlights_and_post_edit_tags_are_not_recorded(workspace, recording, editor, clock):
    workspace.open(tagged_corpus(("bob", "o"), ("bbo", "o")))
    recording.set_running(True)
    workspace.settings.highlights = False
    editor.opened.emit(0)
    editor.closed.emit(0)
    workspace.settings.highlights = True
    # a reviewed segment shows the tags of its post-edit
    workspace.session.reviewing.set({0: {ReviewField.TARGET: "ä b d"}})
    editor.opened.emit(0)
    editor.closed.emit(0)
    assert [row.visit.shown for row in visits(workspace)] == [NO_HIGHLIGHTS, NO_HIGHLIGHTS]


def test_opening_another_corpus_stops_recording(workspace, recording, editor, clock):
    recording.set_running(True)
    editor.opened.emit(0)
    workspace.open(workspace.corpus)
    assert not recording.is_recording
    editor.closed.emit(0)
    assert visits(workspace) == ()


def test_recording_is_off_at_start_unless_record_always_is_set(workspace, qtbot, clock):
    def started() -> ActivityRecorder:
        editor = Editor()
        qtbot.addWidget(editor)
        recording = ActivityRecorder(workspace, workspace, clock=clock)
        recording.watch(editor, editor)
        return recording

    first = started()
    first.set_running(True)
    assert not started().is_recording
    workspace.settings.record_always = True
    assert started().is_recording


def test_read_only_session_is_not_recorded(workspace, recording, editor, clock):
    assert recording.can_record
    workspace.session.read_only = "read only"
    assert not recording.can_record
    failed = []
    workspace.failed.connect(failed.append)
    recording.set_running(True)
    editor.opened.emit(0)
    editor.closed.emit(0)
    assert len(failed) == 1
    assert recording.recorded_segments == set()


def test_commands_and_status_bar_show_whether_recording_runs(workspace, recording, editor, clock, qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    commands, status_texts = ActionRegistry(window, workspace.settings), []
    commands.add_all(recording_actions("inspect", "Inspect"))
    RecordingCommands(recording, workspace, commands, status_texts.append)
    assert commands[names.RECORD].isEnabled()
    assert status_texts[-1] == ""
    commands[names.RECORD].trigger()
    assert commands[names.RECORD].isChecked()
    assert status_texts[-1].startswith("● recording time and keystrokes since ")
    editor.opened.emit(3)
    editor.closed.emit(3)
    assert status_texts[-1].endswith("1 segment")
    commands[names.RECORD].trigger()
    assert status_texts[-1] == ""
    assert not workspace.settings.record_always
    commands[names.RECORD_ALWAYS].trigger()
    assert workspace.settings.record_always
    assert recording.is_recording


@pytest.mark.parametrize(
    ("key", "modifier", "text", "kind"),
    [
        (Key.Key_C, Modifier.ControlModifier, "\x03", KeyKind.COPY),
        (Key.Key_X, Modifier.ControlModifier, "\x18", KeyKind.CUT),
        (Key.Key_V, Modifier.ControlModifier, "\x16", KeyKind.PASTE),
        (Key.Key_Z, Modifier.ControlModifier, "\x1a", KeyKind.UNDO),
        (Key.Key_Z, Modifier.ControlModifier | Modifier.ShiftModifier, "\x1a", KeyKind.UNDO),
        (Key.Key_Delete, Modifier.NoModifier, "\x7f", KeyKind.ERASE),
        (Key.Key_Right, Modifier.ControlModifier, "", KeyKind.NAVIGATION),
        (Key.Key_F9, Modifier.NoModifier, "", KeyKind.COMMAND),
        (Key.Key_Return, Modifier.NoModifier, "\r", KeyKind.COMMAND),
        (Key.Key_Return, Modifier.ControlModifier, "\r", KeyKind.COMMAND),
        (Key.Key_Enter, Modifier.ControlModifier | Modifier.KeypadModifier, "\r", KeyKind.COMMAND),
        (Key.Key_Return, Modifier.ShiftModifier, "\r", KeyKind.SPACE),
        (Key.Key_Q, Modifier.ControlModifier | Modifier.AltModifier, "@", KeyKind.SYMBOL),
        (Key.Key_Control, Modifier.NoModifier, "", None),
    ],
)
def test_each_key_has_its_keystroke_type(qapp, key, modifier, text, kind):
    assert keystroke_type(QKeyEvent(QEvent.Type.KeyPress, key, modifier, text)) is kind


def test_characters_of_all_scripts_have_a_keystroke_type():
    assert list(keystroke_types("שé3٣ 。€\x07")) == [
        KeyKind.LETTER, KeyKind.LETTER, KeyKind.DIGIT, KeyKind.DIGIT, KeyKind.SPACE, KeyKind.SYMBOL, KeyKind.SYMBOL,
    ]  # fmt: skip
