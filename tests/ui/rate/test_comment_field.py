"""Comments: written, kept by a pause and by going on, left by keys, and no longer than can be kept."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.ratings.event_validation import MAX_TEXT_CHARS
from tests.ui.rate.conftest import make

Key = Qt.Key


def test_enter_finishes_a_comment_and_skips_nothing(controller, qtbot):
    """Enter begins a line in no other field of a form, and a rater expects it to keep what was written."""
    made = controller.begin(make("adequacy"))
    controller.press(Key.Key_3)
    controller.press(Key.Key_C)
    field = controller.items.comment
    QTest.keyClicks(field, "odd")
    QTest.keyClick(field, Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(field, "word")
    assert made.said("comment") == []
    QTest.keyClick(field, Key.Key_Return)
    assert controller.items.hasFocus()
    assert made.said("comment") == ["odd\nword"]
    assert controller.place == 0
    assert field.isVisible()
    # the next Enter goes on, as it does without a comment
    controller.press(Key.Key_Return)
    assert controller.place == 1
    assert made.said("skip") == []


def test_a_comment_is_written_kept_and_left_by_escape(controller, qtbot):
    made = controller.begin(make("adequacy"))
    controller.press(Key.Key_C)
    field = controller.items.comment
    assert field.hasFocus()
    QTest.keyClicks(field, "3 suns?")
    # digits and letters in a text are text
    assert made.said("adequacy") == []
    assert field.toPlainText() == "3 suns?"
    # and the keys that walk, walk in the text
    controller.press(
        Key.Key_Left, Key.Key_Backspace, Key.Key_Home, Key.Key_Right, Key.Key_Down, Key.Key_End, Key.Key_Space
    )
    assert field.toPlainText() == "3 sun? "
    assert controller.place == 0
    field.setPlainText("3 suns?")
    controller.press(Key.Key_Escape)
    assert controller.items.hasFocus()
    assert made.said("comment")[-1] == "3 suns?"
    controller.press(Key.Key_Right)
    qtbot.waitUntil(lambda: not field.isVisible())
    controller.press(Key.Key_Left)
    qtbot.waitUntil(field.isVisible)
    assert field.toPlainText() == "3 suns?"
    controller.area.undo()
    qtbot.waitUntil(lambda: not field.isVisible())


def test_a_comment_is_no_longer_than_can_be_kept(controller):
    made = controller.begin(make("adequacy"))
    told = []
    controller.session.refused.connect(told.append)
    controller.press(Key.Key_C)
    field = controller.items.comment
    field.setPlainText("x" * (MAX_TEXT_CHARS + 5))
    assert field.toPlainText() == "x" * MAX_TEXT_CHARS
    assert "at most 10,000 characters" in told[0].message
    controller.press(Key.Key_Escape)
    assert made.said("comment")[-1] == "x" * MAX_TEXT_CHARS


def test_a_comment_is_kept_by_a_pause_and_by_going_on(controller, qtbot):
    made = controller.begin(make("adequacy"))
    controller.press(Key.Key_C)
    QTest.keyClicks(controller.items.comment, "one")
    qtbot.waitUntil(lambda: made.said("comment") == ["one"])
    QTest.keyClicks(controller.items.comment, " two")
    controller.items.buttons["next"].click()
    assert made.said("comment") == ["one", "one two"]
    assert controller.place == 1
