"""Recording in the window: off until it is asked for, said in the status bar, and every key of the editor counted."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QPlainTextEdit

from qe_desktop.corpus import Corpus, Kind, Layer, Provenance, TextColumn, TextRole
from qe_desktop.corpus.highlight_spans import NO_HIGHLIGHTS
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
from tests.building import tags
from tests.ui.inspect.conftest import key, rich_corpus

Key, Modifier = Qt.Key, Qt.KeyboardModifier


class Editor(QPlainTextEdit):
    """What stands for the target editor: it tells what happens in it."""

    opened = Signal(int)
    typed = Signal(int, str, str)
    closed = Signal(int)


class Clock:
    """A clock that goes when it is told to."""

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


def test_nothing_is_recorded_until_it_is_asked_for(workspace, recording, editor, clock):
    editor.opened.emit(1)
    QTest.keyClicks(editor, "ab")
    editor.closed.emit(1)
    assert not recording.runs
    assert recording.text() == ""
    assert visits(workspace) == ()


def test_what_happens_in_a_segment_is_kept_when_it_is_left(workspace, recording, editor, clock):
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
    assert [(one.after, one.inserted) for one in visit.typed] == [(2.0, "a1 .")]
    assert "1 segment" in recording.text()


def test_time_in_another_window_is_apart(workspace, recording, editor, clock):
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


def test_a_segment_after_another_ends_the_one_before(workspace, recording, editor, clock):
    recording.set_running(True)
    for segment in (0, 1):
        editor.opened.emit(segment)
        clock.now += 1
    editor.closed.emit(0)
    assert [row.segment for row in visits(workspace)] == [0]
    editor.closed.emit(1)
    assert [row.segment for row in visits(workspace)] == [0, 1]


def test_ending_it_keeps_what_was_recorded_and_records_no_more(workspace, recording, editor, clock):
    editor.opened.emit(2)
    clock.now += 50
    recording.set_running(True)
    clock.now += 4
    recording.set_running(False)
    clock.now += 50
    editor.closed.emit(2)
    [row] = visits(workspace)
    assert (row.segment, row.visit.seconds) == (2, 4.0)


def test_a_command_is_counted_once_and_an_input_method_by_its_characters(workspace, recording, editor, clock):
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


def two_systems(*tagged):
    """A corpus without gold that systems A, B… tagged."""
    layers = [Layer(key(Provenance.SYSTEM, "ABC"[at], Kind.WORDS), tags(*rows)) for at, rows in enumerate(tagged)]
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
def test_the_marks_that_are_on_screen_are_kept_with_whose_they_are(
    workspace, editor, clock, systems, agreement, whose, stretches
):
    workspace.open(two_systems(*systems))
    workspace.settings.agreement = agreement
    recording = ActivityRecorder(workspace, workspace, clock=clock)
    recording.watch(editor, editor)
    recording.set_running(True)
    editor.opened.emit(0)
    editor.closed.emit(0)
    shown = visits(workspace)[0].visit.shown
    assert shown.whose == whose
    assert [(one.start, one.end, one.strong) for one in shown.stretches] == stretches


def test_marks_that_are_off_or_a_person_s_own_are_none(workspace, recording, editor, clock):
    workspace.open(two_systems(("bob", "o"), ("bbo", "o")))
    recording.set_running(True)
    workspace.settings.highlights = False
    editor.opened.emit(0)
    editor.closed.emit(0)
    workspace.settings.highlights = True
    # what was reviewed is marked by what became of it
    workspace.session.reviewing.set({0: {ReviewField.TARGET: "ä b d"}})
    editor.opened.emit(0)
    editor.closed.emit(0)
    assert [row.visit.shown for row in visits(workspace)] == [NO_HIGHLIGHTS, NO_HIGHLIGHTS]


def test_another_corpus_turns_it_off(workspace, recording, editor, clock):
    recording.set_running(True)
    editor.opened.emit(0)
    workspace.open(workspace.corpus)
    assert not recording.runs
    editor.closed.emit(0)
    assert visits(workspace) == ()


def test_at_the_next_start_it_is_off_unless_it_was_to_run_always(workspace, qtbot, clock):
    def started() -> ActivityRecorder:
        editor = Editor()
        qtbot.addWidget(editor)
        recording = ActivityRecorder(workspace, workspace, clock=clock)
        recording.watch(editor, editor)
        return recording

    first = started()
    first.set_running(True)
    assert not started().runs
    workspace.settings.record_always = True
    assert started().runs


def test_what_may_not_be_changed_is_not_recorded(workspace, recording, editor, clock):
    assert recording.possible
    workspace.session.read_only = "read only"
    assert not recording.possible
    failed = []
    workspace.failed.connect(failed.append)
    recording.set_running(True)
    editor.opened.emit(0)
    editor.closed.emit(0)
    assert len(failed) == 1
    assert recording.segments == set()


def test_the_commands_and_the_status_bar_say_whether_it_runs(workspace, recording, editor, clock, qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    commands, said = ActionRegistry(window, workspace.settings), []
    commands.add_all(recording_actions("inspect", "Inspect"))
    RecordingCommands(recording, workspace, commands, said.append)
    assert commands[names.RECORD].isEnabled()
    assert said[-1] == ""
    commands[names.RECORD].trigger()
    assert commands[names.RECORD].isChecked()
    assert said[-1].startswith("● recording since ")
    editor.opened.emit(3)
    editor.closed.emit(3)
    assert said[-1].endswith("1 segment")
    commands[names.RECORD].trigger()
    assert said[-1] == ""
    assert not workspace.settings.record_always
    commands[names.RECORD_ALWAYS].trigger()
    assert workspace.settings.record_always
    assert recording.runs


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
def test_keys_are_what_they_do(qapp, key, modifier, text, kind):
    assert keystroke_type(QKeyEvent(QEvent.Type.KeyPress, key, modifier, text)) is kind


def test_characters_of_all_scripts_have_kinds():
    assert list(keystroke_types("שé3٣ 。€\x07")) == [
        KeyKind.LETTER, KeyKind.LETTER, KeyKind.DIGIT, KeyKind.DIGIT, KeyKind.SPACE, KeyKind.SYMBOL, KeyKind.SYMBOL,
    ]  # fmt: skip
