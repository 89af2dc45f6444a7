"""The comment field: saving, keys, and the maximum length."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from qe_desktop.ratings.event_validation import MAX_TEXT_CHARS
from tests.ui.rate.conftest import make_project

Key = Qt.Key


def test_enter_saves_the_comment_and_does_not_skip_the_item(driver, qtbot):
    """Enter starts a new line in no other field of a form; Shift+Enter does so here."""
    project = driver.begin(make_project("adequacy"))
    driver.press(Key.Key_3)
    driver.press(Key.Key_C)
    field = driver.items.comment
    QTest.keyClicks(field, "odd")
    QTest.keyClick(field, Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(field, "word")
    assert project.recorded_values("comment") == []
    QTest.keyClick(field, Key.Key_Return)
    assert driver.items.hasFocus()
    assert project.recorded_values("comment") == ["odd\nword"]
    assert driver.position == 0
    assert field.isVisible()
    # the next Enter goes to the next item, as without a comment
    driver.press(Key.Key_Return)
    assert driver.position == 1
    assert project.recorded_values("skip") == []


def test_escape_saves_the_comment_and_leaves_the_field(driver, qtbot):
    project = driver.begin(make_project("adequacy"))
    driver.press(Key.Key_C)
    field = driver.items.comment
    assert field.hasFocus()
    QTest.keyClicks(field, "3 suns?")
    # in the field, digits and letters are typed
    assert project.recorded_values("adequacy") == []
    assert field.toPlainText() == "3 suns?"
    # and navigation keys move the cursor
    driver.press(Key.Key_Left, Key.Key_Backspace, Key.Key_Home, Key.Key_Right, Key.Key_Down, Key.Key_End, Key.Key_Space)
    assert field.toPlainText() == "3 sun? "
    assert driver.position == 0
    field.setPlainText("3 suns?")
    driver.press(Key.Key_Escape)
    assert driver.items.hasFocus()
    assert project.recorded_values("comment")[-1] == "3 suns?"
    driver.press(Key.Key_Right)
    qtbot.waitUntil(lambda: not field.isVisible())
    driver.press(Key.Key_Left)
    qtbot.waitUntil(field.isVisible)
    assert field.toPlainText() == "3 suns?"
    driver.area.undo()
    qtbot.waitUntil(lambda: not field.isVisible())


def test_field_names_its_item(driver):
    driver.begin(make_project("adequacy", training=1))
    field = driver.items.comment
    names = []
    for _ in range(2):
        driver.press(Key.Key_C)
        names.append((field.accessibleName(), field.placeholderText().split(". ")[0]))
        driver.press(Key.Key_Escape, Key.Key_Right)
    assert names == [("Comment on training item 1",) * 2, ("Comment on item 1",) * 2]


def test_comment_field_that_is_hidden_while_another_window_is_active_gives_up_the_keyboard(driver, qtbot):
    driver.begin(make_project("adequacy", items=3))
    comment, window = driver.items.comment, driver.items.window()
    driver.press(Key.Key_C)
    QTest.keyClicks(comment, "x")
    other = QDialog()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(lambda: not comment.hasFocus())
    assert window.focusWidget() is comment
    driver.area.undo()
    qtbot.waitUntil(comment.isHidden)
    assert window.focusWidget() is not comment


def test_comment_is_limited_to_the_maximum_length(driver):
    project = driver.begin(make_project("adequacy"))
    errors = []
    driver.session.failed.connect(errors.append)
    driver.press(Key.Key_C)
    field = driver.items.comment
    field.setPlainText("x" * (MAX_TEXT_CHARS + 5))
    assert field.toPlainText() == "x" * MAX_TEXT_CHARS
    assert "at most 10,000 characters" in errors[0].message
    driver.press(Key.Key_Escape)
    assert project.recorded_values("comment")[-1] == "x" * MAX_TEXT_CHARS


def test_comment_is_saved_after_a_pause_and_by_the_next_button(driver, qtbot):
    project = driver.begin(make_project("adequacy"))
    driver.press(Key.Key_C)
    QTest.keyClicks(driver.items.comment, "one")
    qtbot.waitUntil(lambda: project.recorded_values("comment") == ["one"])
    QTest.keyClicks(driver.items.comment, " two")
    driver.items.buttons["next"].click()
    assert project.recorded_values("comment") == ["one", "one two"]
    assert driver.position == 1


def test_edited_comment_is_as_wide_as_the_card_and_returns_to_the_footer(driver, qtbot):
    driver.begin(make_project("adequacy"))
    field, footer = driver.items.comment, driver.items.footer
    driver.press(Key.Key_C)
    assert field.width() == footer.width()
    assert field.viewport().height() >= 3 * field.fontMetrics().lineSpacing()
    # the hint fits in one line
    assert field.fontMetrics().horizontalAdvance(field.placeholderText()) < field.viewport().width()
    # it covers the footer, but hardly any of the answers
    assert field.geometry().contains(footer.geometry().adjusted(0, 4, 0, 0))
    assert field.geometry().top() >= footer.geometry().top() - 2 * field.fontMetrics().lineSpacing()
    QTest.keyClicks(field, "odd")
    driver.press(Key.Key_Return)
    qtbot.waitUntil(lambda: field.geometry().top() >= footer.geometry().top())
    assert field.isVisible()
    assert field.width() == footer.comment_slot.width()
    driver.window.resize(900, 700)
    qtbot.waitUntil(lambda: field.width() == footer.comment_slot.width())
