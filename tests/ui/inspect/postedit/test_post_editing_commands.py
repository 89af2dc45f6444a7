"""Commands of post-editing: menus, hidden highlights, copying the source, and shortcuts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow

from qe_desktop.corpus import ReviewStatus, TextRole
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.inspect.commands import ACTIONS
from qe_desktop.ui.shell.commands import ACTIONS as SHELL_ACTIONS
from tests.ui.inspect.postedit.conftest import SOURCES, TARGETS, job_corpus, post_edit_controller, type_at_end


def test_source_is_copied_to_the_target_as_one_undo_step_of_the_editor(area, job_workspace):
    controller = post_edit_controller(area)
    controller.open()
    type_at_end(area, " neu")
    area.review.copy_source()
    edit = controller.panel.edit
    assert edit.line == SOURCES[0]
    assert not any(controller._context.diff_with(edit.line).codes)
    edit.undo()
    assert edit.line == TARGETS[0] + " neu"
    edit.redo()
    controller.stop_editing()
    assert job_workspace.view.target(0) == SOURCES[0]
    job_workspace.undo()
    assert job_workspace.view.target(0) == TARGETS[0]


def test_source_is_copied_from_the_list_unless_the_segment_is_locked(area, job_workspace):
    messages = []
    post_edit_controller(area).message_posted.connect(messages.append)
    job_workspace.go_to(0)
    area.review.copy_source()
    assert (job_workspace.view.target(0), job_workspace.view.status(0)) == (SOURCES[0], ReviewStatus.EDITED)
    assert post_edit_controller(area).segment is None
    job_workspace.go_to(2)
    area.review.copy_source()
    assert "is locked" in messages[0]
    job_workspace.undo()
    assert job_workspace.view.review.targets == {}


def test_copying_a_missing_source_changes_nothing(area, job_workspace):
    corpus = job_corpus()
    texts = {role: text for role, text in corpus.texts.items() if role in (TextRole.MT, TextRole.RAW_MT)}
    job_workspace.open(replace(corpus, texts=texts, job=None))
    area.review.copy_source()
    assert job_workspace.view.review.targets == {}


@pytest.fixture
def commands(area, qtbot) -> ActionRegistry:
    window = QMainWindow()
    qtbot.addWidget(window)
    registry = ActionRegistry(window, area.workspace.settings)
    registry.add_all((*SHELL_ACTIONS, *ACTIONS))
    area.connect_actions(registry)
    # a registry does not keep its window alive
    registry.setProperty("window", window)
    return registry


def test_context_menu_of_a_segment_has_its_review_commands(area, job_workspace, commands):
    def entries() -> dict[str, QAction]:
        menu = area.clipboard_controller.menu()
        return {action.text().replace("&", ""): action for action in menu.actions()[:5]}

    job_workspace.go_to(1)
    assert list(entries())[:4] == ["Edit", "Confirm", "Reject", "Note"]
    entries()["Confirm"].trigger()
    job_workspace.go_to(1)
    assert job_workspace.view.status(1) is ReviewStatus.CONFIRMED
    assert list(entries()) == ["Edit", "Confirm", "Reject", "Reopen", "Note"]
    entries()["Reopen"].trigger()
    assert job_workspace.view.status(1) is ReviewStatus.OPEN


def test_menu_of_the_header_reopens_a_confirmed_segment(area, job_workspace):
    def entries() -> dict[str, QAction]:
        area.header.fill_menu()
        return {action.text(): action for action in area.header.menu_button.popup.actions()}

    messages = []
    area.review.controller.message_posted.connect(messages.append)
    job_workspace.go_to(1)
    assert list(entries())[:2] == ["Note", "History"]
    assert "Reopen" not in entries()
    area.review.controller.confirm()
    job_workspace.go_to(1)
    # at the end, so that the other commands keep their places
    assert list(entries()) == ["Note", "History", "Reopen"]
    entries()["Reopen"].trigger()
    assert messages[-1] == "Segment 2 reopened"
    assert job_workspace.view.status(1) is ReviewStatus.OPEN
    assert "Reopen" not in entries()


def test_hidden_highlights_are_stated_on_the_view_button_and_by_the_tick(area, commands):
    action = commands["inspect.highlights"]
    assert (action.isChecked(), area.view_button.text()) == (True, "View")
    action.trigger()
    assert not area.workspace.settings.highlights
    assert (action.isChecked(), area.view_button.text()) == (False, "View: highlights hidden")
    assert action in area.view_button.popup.actions()
    action.trigger()
    assert area.workspace.settings.highlights
    assert (action.isChecked(), area.view_button.text()) == (True, "View")


def test_toggling_highlights_hides_them_in_reader_and_editor(area, job_workspace):
    controller = post_edit_controller(area)
    area.inspect_view.show_evaluation()
    job_workspace.go_to(1)
    controller.open()
    controller._show_draft()
    assert area.reader.page.blocks[1].tag_rows
    area.review.toggle_highlights()
    controller._show_draft()
    assert not any(block.tag_rows for block in area.reader.page.blocks)
    assert controller.panel.edit.extraSelections() == []
    area.review.toggle_highlights()
    assert area.reader.page.blocks[1].tag_rows


def test_shortcuts_are_unique():
    keys = [QKeySequence(key).toString() for action in ACTIONS for key in action.keys]
    assert len(keys) == len(set(keys))


def test_status_names_the_user_who_set_it(area, job_workspace):
    controller = area.review.controller
    job_workspace.go_to(1)
    controller.reject()
    job_workspace.go_to(1)
    status = controller.panel.status
    person = job_workspace.view.review.people[1]
    assert status.text() == f"✗ rejected by {person}"
    controller.reopen()
    assert status.text() == "○ open"
