"""Target editor: inline codes that no key splits, and offsets in code points."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.plain_lines import LineCode
from qe_desktop.ui.inspect.postedit.target_document import TextPositions
from qe_desktop.ui.inspect.postedit.target_editor import TargetEditor, TextHighlight

LINE = "Das ⟨1⟩ist⟨/1⟩ 😀 ⟨2/⟩⟨2/⟩ein ⟨⟨x\u2028Satz"
THREE = LineCode(CodeKind.STANDALONE, 3)


@pytest.fixture
def edit(qtbot) -> TargetEditor:
    widget = TargetEditor()
    qtbot.addWidget(widget)
    widget.resize(600, 100)
    widget.set_text_format(widget.font(), right_to_left=False)
    widget.show_line(LINE, [THREE], {1: "<b>"})
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def go(edit: TargetEditor, position: int, to: int | None = None) -> None:
    cursor = edit.textCursor()
    cursor.setPosition(position)
    if to is not None:
        cursor.setPosition(to, QTextCursor.MoveMode.KeepAnchor)
    edit.setTextCursor(cursor)


def test_line_is_shown_and_returned_unchanged(edit):
    assert edit.line == LINE
    assert not edit.document().isUndoAvailable()


def test_one_key_deletes_a_chip_and_one_undo_restores_it(edit):
    go(edit, 5)
    QTest.keyClick(edit, Qt.Key.Key_Backspace)
    assert edit.line == LINE.replace("⟨1⟩", "")
    edit.undo()
    assert edit.line == LINE
    go(edit, 4)
    QTest.keyClick(edit, Qt.Key.Key_Right)
    assert edit.textCursor().position() == 5


def test_text_typed_after_a_chip_is_reported_with_character_offsets(edit, qtbot):
    events = []
    edit.typed.connect(lambda *what: events.append(what))
    go(edit, 5)
    QTest.keyClicks(edit, "q")
    assert edit.line == LINE.replace("⟨1⟩", "⟨1⟩q")
    go(edit, len("Das .ist. 😀 ..") + 2)  # the emoji takes two UTF-16 units, q and codes one each
    QTest.keyClicks(edit, "z")
    assert events == [(7, "", "q"), (LINE.index("ein") + 1, "", "z")]


def test_enter_and_escape_leave_and_shift_enter_breaks_the_line(edit, qtbot):
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        with qtbot.waitSignal(edit.exit_requested):
            QTest.keyClick(edit, key)
    go(edit, 3)
    QTest.keyClick(edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert edit.line == LINE.replace("Das ", "Das\u2028 ")


def test_chips_are_moved_by_cut_and_paste_and_copied_as_text(edit):
    go(edit, 4, 9)
    edit.cut()
    assert QApplication.clipboard().text() == "⟨1⟩ist⟨/1⟩"
    assert edit.line == LINE.replace("⟨1⟩ist⟨/1⟩", "")
    edit.moveCursor(QTextCursor.MoveOperation.Start)
    edit.paste()
    assert edit.line == "⟨1⟩ist⟨/1⟩" + LINE.replace("⟨1⟩ist⟨/1⟩", "")


@pytest.mark.parametrize(
    ("pasted", "line"),
    [("a\r\nb", "a\u2028b"), ("⟨3/⟩", "⟨3/⟩"), ("⟨7/⟩", "⟨⟨7/⟩"), ("⟨", "⟨⟨"), ("⟨3/⟩⟨7/⟩", "⟨3/⟩⟨⟨7/⟩")],
)
def test_pasted_text_has_codes_only_if_the_segment_has_them(edit, pasted, line):
    edit.selectAll()
    data = QMimeData()
    data.setText(pasted)
    edit.insertFromMimeData(data)
    assert edit.line == line


def test_rich_text_is_pasted_as_plain(edit):
    edit.selectAll()
    data = QMimeData()
    data.setHtml("<b>bold</b>")
    data.setText("bold")
    edit.insertFromMimeData(data)
    assert edit.line == "bold"
    only = QMimeData()
    only.setHtml("<b>bold</b>")
    only.setImageData(0)
    assert edit.canInsertFromMimeData(only) is only.hasText()


def test_input_method_text_is_inserted_as_text(edit):
    go(edit, 5)
    event = QInputMethodEvent("", [])
    event.setCommitString("日本")
    QApplication.sendEvent(edit, event)
    assert edit.line == LINE.replace("⟨1⟩", "⟨1⟩日本")


def test_highlights_cover_characters_but_no_codes(edit):
    edit.show_flagged_words([TextHighlight(0, 3, True), TextHighlight(4, 9, False)])
    ranges = [
        (selection.cursor.selectionStart(), selection.cursor.selectionEnd()) for selection in edit.extraSelections()
    ]
    # "Das", then "ist", and " 😀" after the closing code
    assert ranges == [(0, 3), (5, 8), (9, 12)]
    edit.show_flagged_words([])
    assert edit.extraSelections() == []


def test_offsets_and_document_positions_are_inverse(edit):
    places = TextPositions(edit.document())
    for index in range(places.length):
        start, _ = next(places.spans(index, index + 1))
        assert places.text_offset(start) == index


@pytest.mark.parametrize(
    ("key", "modifiers", "ours"),
    [
        (Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier, False),
        (Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier, False),
        (Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier, False),
        (Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier, False),
        (Qt.Key.Key_Insert, Qt.KeyboardModifier.ControlModifier, False),
        (Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier, True),
        (Qt.Key.Key_N, Qt.KeyboardModifier.NoModifier, True),
        (Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier, True),
    ],
)
def test_window_shortcuts_pass_the_editor_but_text_keys_do_not(edit, key, modifiers, ours):
    assert is_taken_by(edit, key, modifiers) is ours


def is_taken_by(edit, key, modifiers):
    """Whether the editor takes a key before the window's shortcuts."""
    letter = chr(key).lower() if key < 0x100 and not modifiers else ""
    event = QKeyEvent(QKeyEvent.Type.ShortcutOverride, key, modifiers, letter)
    event.ignore()
    QApplication.sendEvent(edit, event)
    return event.isAccepted()


def test_undo_and_redo_keys_belong_to_the_editor_after_typing(edit):
    control = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(edit, Qt.Key.Key_X)
    assert is_taken_by(edit, Qt.Key.Key_Z, control)
    edit.undo()
    # the editor redoes the edit that it has undone
    assert is_taken_by(edit, Qt.Key.Key_Z, control | Qt.KeyboardModifier.ShiftModifier)


@pytest.mark.parametrize("text", ["Ein Satz", "すべての住民への通知"])
def test_line_that_fits_does_not_scroll_at_any_font_size(edit, text):
    scrolls = []
    for points in range(8, 30):
        font = edit.font()
        font.setPointSizeF(points + 0.3)
        edit.set_text_format(font, right_to_left=False)
        edit.show_line(text, [], {})
        QApplication.processEvents()
        scrolls.append(edit.verticalScrollBar().maximum())
    assert scrolls == [0] * len(scrolls)
