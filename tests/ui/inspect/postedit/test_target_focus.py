"""Focus of an open target: clicks beside it, letters typed elsewhere, and steps to other segments."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QMainWindow

from qe_desktop.project import ReviewField
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.inspect import commands
from qe_desktop.ui.shell.commands import ACTIONS as SHELL_ACTIONS
from tests.ui.inspect.postedit.conftest import TARGETS, post_edit_controller, type_at_end


def click(widget, point):
    """Click in the window at a point of a widget, as a user does, so that focus policies apply."""
    QTest.mouseClick(
        widget.window().windowHandle(), Qt.MouseButton.LeftButton, pos=widget.mapTo(widget.window(), point)
    )


@pytest.fixture
def edit(area, job_workspace, qtbot):
    """Open target of the second segment, with the focus."""
    with qtbot.waitActive(area):
        area.activateWindow()
    job_workspace.go_to(1)
    post_edit_controller(area).open()
    editor = post_edit_controller(area).panel.edit
    assert editor.hasFocus()
    return editor


def test_click_beside_the_words_leaves_the_focus_in_the_target(area, edit):
    reader = area.reader
    click(reader, QPoint(reader.width() - 40, 10))
    assert edit.hasFocus()
    type_at_end(area, "x")
    changes = post_edit_controller(area).panel.changes
    QTest.qWait(20)
    assert changes.isVisible()
    click(changes, QPoint(changes.width() - 10, changes.height() // 2))
    assert edit.hasFocus()
    word = reader.page.position_rect(0).center().toPoint()
    click(reader, word - QPoint(0, round(reader.visible_top)))
    assert reader.hasFocus()


def test_click_beside_the_words_focuses_the_reader_if_no_target_is_open(area, edit):
    post_edit_controller(area).stop_editing()
    click(area.reader, QPoint(area.reader.width() - 40, 10))
    assert area.reader.hasFocus()


@pytest.mark.parametrize("name", ["reader", "view", "filters", "changes"])
def test_letters_typed_elsewhere_are_typed_into_the_open_target(area, edit, name):
    edit.go_to(0)
    widgets = {
        "reader": area.reader,
        "view": area.view,
        "filters": area.view_button,
        "changes": post_edit_controller(area).panel.changes,
    }
    widgets[name].setFocus(Qt.FocusReason.OtherFocusReason)
    QTest.keyClick(widgets[name], "O")
    QTest.keyClick(QApplication.focusWidget(), "l")
    assert edit.line == f"Ol{TARGETS[1]}"
    assert edit.hasFocus()


def test_space_is_typed_where_it_edits_no_tags(area, edit):
    edit.go_to(0)
    area.reader.setFocus()
    QTest.keyClick(area.reader, Qt.Key.Key_Space)
    assert edit.line == f" {TARGETS[1]}"


def test_commands_and_keys_without_text_are_not_typed(area, edit):
    area.reader.setFocus()
    for modifier in (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier):
        QTest.keyClick(area.reader, "o", modifier)
    QTest.keyClick(area.reader, Qt.Key.Key_F12)
    assert edit.line == TARGETS[1]
    assert area.reader.hasFocus()


@pytest.fixture
def registry(qtbot, area):
    """Registry with the commands of the area, which work while the area is visible."""
    window = QMainWindow()
    qtbot.addWidget(window)
    registry = ActionRegistry(window, area.workspace.settings)
    registry.add_all((*SHELL_ACTIONS, *commands.ACTIONS))
    registry.set_area_widget(commands.AREA, area)
    area.connect_actions(registry)
    return registry


def test_edit_command_focuses_the_open_target_and_does_not_close_it(area, registry, edit):
    type_at_end(area, "x")
    position = edit.textCursor().position()
    for widget in (edit, area.view, area.reader):
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_F2)
        assert edit.hasFocus()
        assert edit.textCursor().position() == position
    assert post_edit_controller(area).segment == 1
    post_edit_controller(area).panel.buttons["correct"].click()
    assert post_edit_controller(area).segment is None


def test_escape_from_the_qa_results_returns_to_the_open_target(area, edit):
    results = area.review.qa_results
    results.open()
    assert not edit.hasFocus()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert not results.is_open
    assert edit.hasFocus()


def test_context_menu_of_the_target_undoes_a_step_of_the_session(area, registry, edit, job_workspace):
    job_workspace.session.reviewing.set({0: {ReviewField.TARGET: "Anders."}})
    registry.connect_to("edit.undo", job_workspace.undo)
    menu = edit.createStandardContextMenu()
    edit.menu_opening.emit(menu, 0)
    entries = {action.objectName(): action for action in menu.actions()}
    assert entries["edit-undo"].isEnabled()
    assert not entries["edit-redo"].isEnabled()
    entries["edit-undo"].trigger()
    assert job_workspace.view.target(0) == TARGETS[0]


def press_alt(key):
    """Press Alt and a key in the widget that has the focus."""
    QTest.keyClick(QApplication.focusWidget(), key, Qt.KeyboardModifier.AltModifier)


def test_alt_with_arrow_keys_opens_the_target_of_the_next_or_previous_segment(area, registry, edit, job_workspace):
    controller, messages = post_edit_controller(area), []
    controller.message_posted.connect(messages.append)
    type_at_end(area, "!")
    press_alt(Qt.Key.Key_Up)
    assert (job_workspace.view.target(1), controller.segment) == (TARGETS[1] + "!", 0)
    assert edit.hasFocus()
    assert edit.line == TARGETS[0]
    press_alt(Qt.Key.Key_Down)
    assert controller.segment == 1
    # a locked segment is shown, and the step after it opens a target again
    press_alt(Qt.Key.Key_Down)
    assert (job_workspace.segment, controller.segment) == (2, None)
    assert len(messages) == 1
    assert not edit.isVisible()
    press_alt(Qt.Key.Key_Down)
    assert controller.segment == 3
    assert edit.hasFocus()
    # nothing changes at the end of the list
    type_at_end(area, "?")
    press_alt(Qt.Key.Key_Down)
    assert controller.segment == 3
    assert edit.line == TARGETS[3] + "?"
    controller.stop_editing()
    press_alt(Qt.Key.Key_Up)
    assert (job_workspace.segment, controller.segment) == (2, None)


def test_letter_for_the_next_segment_types_nothing_if_it_is_pressed_again(area, registry, edit, job_workspace):
    job_workspace.go_to(0)
    post_edit_controller(area).open()
    area.reader.setFocus()
    for _ in range(2):
        QTest.keyClick(QApplication.focusWidget(), "j")
    assert job_workspace.segment == 2
    assert job_workspace.session.undo_text == ""


def test_alt_down_opens_a_focused_combo_box(area, registry, edit):
    box = QComboBox(area)
    box.addItems(["a", "b"])
    box.show()
    box.setFocus()
    press_alt(Qt.Key.Key_Down)
    assert box.view().isVisible()
    box.hidePopup()
