"""Comments: written, kept by a pause and by going on, left by keys, and no longer than can be kept."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.ratings.event_validation import MAX_TEXT_CHARS
from tests.ui.rate.conftest import make

Key = Qt.Key


def test_enter_finishes_a_comment_and_skips_nothing(desk, qtbot):
    """Enter begins a line in no other field of a form, and a rater expects it to keep what was written."""
    made = desk.begin(make("adequacy"))
    desk.press(Key.Key_3)
    desk.press(Key.Key_C)
    field = desk.items.comment
    QTest.keyClicks(field, "odd")
    QTest.keyClick(field, Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(field, "word")
    assert made.said("comment") == []
    QTest.keyClick(field, Key.Key_Return)
    assert desk.items.hasFocus()
    assert made.said("comment") == ["odd\nword"]
    assert desk.place == 0
    assert field.isVisible()
    # the next Enter goes on, as it does without a comment
    desk.press(Key.Key_Return)
    assert desk.place == 1
    assert made.said("skip") == []


def test_a_comment_is_written_kept_and_left_by_escape(desk, qtbot):
    made = desk.begin(make("adequacy"))
    desk.press(Key.Key_C)
    field = desk.items.comment
    assert field.hasFocus()
    QTest.keyClicks(field, "3 suns?")
    # digits and letters in a text are text
    assert made.said("adequacy") == []
    assert field.toPlainText() == "3 suns?"
    # and the keys that walk, walk in the text
    desk.press(Key.Key_Left, Key.Key_Backspace, Key.Key_Home, Key.Key_Right, Key.Key_Down, Key.Key_End, Key.Key_Space)
    assert field.toPlainText() == "3 sun? "
    assert desk.place == 0
    field.setPlainText("3 suns?")
    desk.press(Key.Key_Escape)
    assert desk.items.hasFocus()
    assert made.said("comment")[-1] == "3 suns?"
    desk.press(Key.Key_Right)
    qtbot.waitUntil(lambda: not field.isVisible())
    desk.press(Key.Key_Left)
    qtbot.waitUntil(field.isVisible)
    assert field.toPlainText() == "3 suns?"
    desk.area.undo()
    qtbot.waitUntil(lambda: not field.isVisible())


def test_a_comment_is_no_longer_than_can_be_kept(desk):
    made = desk.begin(make("adequacy"))
    told = []
    desk.sitting.refused.connect(told.append)
    desk.press(Key.Key_C)
    field = desk.items.comment
    field.setPlainText("x" * (MAX_TEXT_CHARS + 5))
    assert field.toPlainText() == "x" * MAX_TEXT_CHARS
    assert "at most 10,000 characters" in told[0].message
    desk.press(Key.Key_Escape)
    assert made.said("comment")[-1] == "x" * MAX_TEXT_CHARS


def test_a_comment_is_kept_by_a_pause_and_by_going_on(desk, qtbot):
    made = desk.begin(make("adequacy"))
    desk.press(Key.Key_C)
    QTest.keyClicks(desk.items.comment, "one")
    qtbot.waitUntil(lambda: made.said("comment") == ["one"])
    QTest.keyClicks(desk.items.comment, " two")
    desk.items.buttons["next"].click()
    assert made.said("comment") == ["one", "one two"]
    assert desk.place == 1
