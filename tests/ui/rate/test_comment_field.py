"""The comment field: saving, keys, and the maximum length."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.ratings.event_validation import MAX_TEXT_CHARS
from tests.ui.rate.conftest import make

Key = Qt.Key


def test_enter_saves_the_comment_and_does_not_skip_the_item(controller, qtbot):
    """Enter starts a new line in no other field of a form; Shift+Enter does so here."""
    project = controller.begin(make("adequacy"))
    controller.press(Key.Key_3)
    controller.press(Key.Key_C)
    field = controller.items.comment
    QTest.keyClicks(field, "odd")
    QTest.keyClick(field, Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(field, "word")
    assert project.said("comment") == []
    QTest.keyClick(field, Key.Key_Return)
    assert controller.items.hasFocus()
    assert project.said("comment") == ["odd\nword"]
    assert controller.place == 0
    assert field.isVisible()
    # the next Enter goes to the next item, as without a comment
    controller.press(Key.Key_Return)
    assert controller.place == 1
    assert project.said("skip") == []


def test_escape_saves_the_comment_and_leaves_the_field(controller, qtbot):
    project = controller.begin(make("adequacy"))
    controller.press(Key.Key_C)
    field = controller.items.comment
    assert field.hasFocus()
    QTest.keyClicks(field, "3 suns?")
    # in the field, digits and letters are typed
    assert project.said("adequacy") == []
    assert field.toPlainText() == "3 suns?"
    # and navigation keys move the cursor
    controller.press(
        Key.Key_Left, Key.Key_Backspace, Key.Key_Home, Key.Key_Right, Key.Key_Down, Key.Key_End, Key.Key_Space
    )
    assert field.toPlainText() == "3 sun? "
    assert controller.place == 0
    field.setPlainText("3 suns?")
    controller.press(Key.Key_Escape)
    assert controller.items.hasFocus()
    assert project.said("comment")[-1] == "3 suns?"
    controller.press(Key.Key_Right)
    qtbot.waitUntil(lambda: not field.isVisible())
    controller.press(Key.Key_Left)
    qtbot.waitUntil(field.isVisible)
    assert field.toPlainText() == "3 suns?"
    controller.area.undo()
    qtbot.waitUntil(lambda: not field.isVisible())


def test_comment_is_limited_to_the_maximum_length(controller):
    project = controller.begin(make("adequacy"))
    errors = []
    controller.session.refused.connect(errors.append)
    controller.press(Key.Key_C)
    field = controller.items.comment
    field.setPlainText("x" * (MAX_TEXT_CHARS + 5))
    assert field.toPlainText() == "x" * MAX_TEXT_CHARS
    assert "at most 10,000 characters" in errors[0].message
    controller.press(Key.Key_Escape)
    assert project.said("comment")[-1] == "x" * MAX_TEXT_CHARS


def test_comment_is_saved_after_a_pause_and_by_the_next_button(controller, qtbot):
    project = controller.begin(make("adequacy"))
    controller.press(Key.Key_C)
    QTest.keyClicks(controller.items.comment, "one")
    qtbot.waitUntil(lambda: project.said("comment") == ["one"])
    QTest.keyClicks(controller.items.comment, " two")
    controller.items.buttons["next"].click()
    assert project.said("comment") == ["one", "one two"]
    assert controller.place == 1
