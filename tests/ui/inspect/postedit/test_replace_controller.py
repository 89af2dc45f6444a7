"""Replacing in all targets: counts matches first, reports reset statuses, and is one undo step."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qe_desktop.corpus import ReviewStatus
from qe_desktop.project import ReviewField
from qe_desktop.ui.inspect.postedit import replace_controller as module
from qe_desktop.ui.inspect.postedit.replace_bar import LISTED, SEGMENT
from qe_desktop.ui.widgets.form_controls import set_combo_data
from tests.ui.inspect.postedit.conftest import TARGETS, job_corpus


def test_replacing_counts_matches_first_and_is_one_undo_step(area, job_workspace, qtbot):
    replacing = area.review.replace_controller
    replacing.show_bar()
    replacing.bar.search_field.setText("e")
    qtbot.waitUntil(lambda: replacing.bar.replace.isEnabled())
    assert replacing.bar.status_label.text() == "10 matches in 3 segments; 1 locked segment will not be changed"
    replacing.bar.replacement_field.setText("ë")
    replacing.bar.replace.click()
    qtbot.waitUntil(lambda: bool(job_workspace.view.review.targets))
    assert job_workspace.view.target(0) == "Drückën Sië ⟨1⟩OK⟨/1⟩ jëtzt ⟨2/⟩."
    assert job_workspace.view.target(2) == TARGETS[2]
    assert replacing.bar.status_label.text() == "3 segments changed; undo reverts all changes"
    assert not replacing.bar.replace.isEnabled()
    job_workspace.undo()
    assert job_workspace.view.review.targets == {}
    # after undo, the matches can be replaced again
    qtbot.waitUntil(lambda: replacing.bar.replace.isEnabled())
    assert replacing.bar.status_label.text() == "10 matches in 3 segments; 1 locked segment will not be changed"


def test_replacement_that_contains_the_search_text_can_be_repeated(area, job_workspace, qtbot):
    replacing = area.review.replace_controller
    replacing.show_bar()
    replacing.bar.search_field.setText("Apfel")
    qtbot.waitUntil(lambda: replacing.bar.replace.isEnabled())
    replacing.bar.replacement_field.setText("Apfelsaft")
    replacing.bar.replace.click()
    qtbot.waitUntil(lambda: job_workspace.view.target(1) == "Der grüne Apfelsaft.")
    assert replacing.bar.replace.isEnabled()


def test_reset_statuses_are_announced_and_reported_and_undo_restores_them(area, job_workspace, qtbot):
    job_workspace.session.reviewing.set(
        {0: {ReviewField.STATUS: ReviewStatus.CONFIRMED}, 1: {ReviewField.STATUS: ReviewStatus.REJECTED}}
    )
    bar = area.review.replace_controller.bar
    area.review.replace_controller.show_bar()
    bar.search_field.setText("e")
    qtbot.waitUntil(lambda: bar.replace.isEnabled())
    assert bar.status_label.text().endswith("; 2 confirmed or rejected segments will be reset to “edited”")
    bar.replacement_field.setText("ë")
    bar.replace.click()
    qtbot.waitUntil(lambda: bool(job_workspace.view.review.targets))
    assert bar.status_label.text() == (
        "3 segments changed; 2 are no longer confirmed or rejected; undo reverts all changes"
    )
    assert [job_workspace.view.status(segment) for segment in (0, 1, 3)] == [ReviewStatus.EDITED] * 3
    job_workspace.undo()
    assert job_workspace.view.review.targets == {}
    assert [job_workspace.view.status(segment) for segment in (0, 1, 3)] == [
        ReviewStatus.CONFIRMED,
        ReviewStatus.REJECTED,
        ReviewStatus.OPEN,
    ]
    job_workspace.redo()
    assert [job_workspace.view.status(segment) for segment in (0, 1, 3)] == [ReviewStatus.EDITED] * 3


def is_taken_by(field, key=Qt.Key.Key_Z, modifiers=Qt.KeyboardModifier.ControlModifier):
    """Whether a field takes a key before the window's shortcuts."""
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers)
    event.ignore()
    QApplication.sendEvent(field, event)
    return event.isAccepted()


def test_undo_key_belongs_to_the_window_after_replacing_until_typing(area, job_workspace, qtbot):
    bar = area.review.replace_controller.bar
    area.review.replace_controller.show_bar()
    QTest.keyClicks(bar.search_field, "apfel")
    QTest.keyClicks(bar.replacement_field, "Baum")
    assert is_taken_by(bar.replacement_field)
    QTest.keyClick(bar.replacement_field, Qt.Key.Key_Return)
    # the first key selects the match, the second one replaces it
    qtbot.waitUntil(lambda: area.review.controller.segment == 1)
    assert job_workspace.view.review.targets == {}
    QTest.keyClick(bar.replacement_field, Qt.Key.Key_Return)
    assert job_workspace.view.target(1) == TARGETS[1].replace("Apfel", "Baum")
    assert (bar.search_field.text(), bar.replacement_field.text()) == ("apfel", "Baum")
    assert not is_taken_by(bar.replacement_field)
    assert not is_taken_by(bar.search_field)
    assert not is_taken_by(
        bar.replacement_field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    QTest.keyClicks(bar.replacement_field, "?")
    assert is_taken_by(bar.replacement_field)
    assert is_taken_by(bar.replacement_field, Qt.Key.Key_V)


def test_escape_returns_the_focus_to_the_open_target_or_the_segments(area, job_workspace, qtbot):
    controller, replacing = area.review.controller, area.review.replace_controller
    job_workspace.go_to(1)
    controller.open()
    replacing.show_bar()
    QTest.keyClick(replacing.bar.search_field, Qt.Key.Key_Escape)
    assert controller.segment == 1
    qtbot.waitUntil(lambda: controller.panel.edit.hasFocus())
    controller.stop_editing()
    replacing.show_bar()
    QTest.keyClick(replacing.bar.search_field, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: area.view.hasFocus() or area.reader.hasFocus())


def open_selection(area):
    """Return the segment whose target is open, and the selected text."""
    controller = area.review.controller
    return controller.segment, controller.panel.edit.textCursor().selectedText()


def start_search(area, qtbot, text, by=""):
    replacing = area.review.replace_controller
    replacing.show_bar()
    replacing.bar.search_field.setText(text)
    replacing.bar.replacement_field.setText(by)
    qtbot.waitUntil(replacing.bar.replace.isEnabled)
    return replacing


def test_enter_selects_the_next_match_in_its_target_and_keeps_the_focus(area, job_workspace, qtbot):
    bar = start_search(area, qtbot, "ie").bar
    bar.search_field.setFocus()
    visited = []
    for _ in range(3):
        QTest.keyClick(bar.search_field, Qt.Key.Key_Return)
        visited.append(
            (*open_selection(area), area.review.controller.panel.edit.cursor_offset(), bar.search_field.hasFocus())
        )
    assert visited == [(0, "ie", 9, True), (3, "ie", 12, True), (0, "ie", 9, True)]
    assert bar.status_label.text() == "End reached; continued at the first match"
    area.review.replace_controller.find(-1)
    assert open_selection(area)[0] == 3
    assert job_workspace.view.review.targets == {}


def test_replacing_one_match_is_one_undo_step_and_selects_the_next(area, job_workspace, qtbot):
    replacing = start_search(area, qtbot, "e", "ee")
    bar = replacing.bar
    replacing.find()
    assert open_selection(area) == (0, "e")
    for _ in range(3):
        bar.replace_one.click()
    # the inserted text is not replaced again
    assert job_workspace.view.target(0) == "Drückeen Siee ⟨1⟩OK⟨/1⟩ jeetzt ⟨2/⟩."
    assert open_selection(area) == (1, "e")
    bar.replacement_field.setFocus()
    assert not is_taken_by(bar.replacement_field)
    assert job_workspace.session.undo() is not None
    assert job_workspace.view.target(0) == "Drückeen Siee ⟨1⟩OK⟨/1⟩ jetzt ⟨2/⟩."
    for _ in range(2):
        job_workspace.undo()
    assert job_workspace.view.review.targets == {}


def test_replacing_one_match_keeps_its_initial_capital(area, job_workspace, qtbot):
    replacing = start_search(area, qtbot, "apfel", "birne")
    replacing.find()
    assert open_selection(area) == (1, "Apfel")
    replacing.bar.replace_one.click()
    assert job_workspace.view.target(1) == TARGETS[1].replace("Apfel", "Birne")


def test_next_match_is_found_by_f3_with_the_words_of_the_hidden_bar(area, job_workspace, qtbot):
    replacing = start_search(area, qtbot, "apfel")
    replacing.bar.close_bar()
    assert replacing.bar.isHidden()
    replacing.find()
    qtbot.waitUntil(lambda: open_selection(area) == (1, "Apfel"))
    assert not replacing.bar.isHidden()
    # edits while the bar is hidden may add matches in other segments
    replacing.bar.close_bar()
    area.review.controller.stop_editing()
    job_workspace.session.reviewing.set({3: {ReviewField.TARGET: "Apfel"}})
    replacing.find()
    qtbot.waitUntil(lambda: open_selection(area) == (1, "Apfel"))
    replacing.find()
    assert open_selection(area) == (3, "Apfel")
    # another corpus of the same size is searched again
    job_workspace.open(job_corpus())
    replacing.find()
    qtbot.waitUntil(lambda: open_selection(area) == (1, "Apfel"))


def test_enter_before_the_search_has_ended_selects_the_match_when_it_ends(area, job_workspace, qtbot):
    replacing = area.review.replace_controller
    replacing.show_bar()
    QTest.keyClicks(replacing.bar.search_field, "apfel")
    QTest.keyClick(replacing.bar.search_field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: open_selection(area) == (1, "Apfel"))


def test_match_in_a_filtered_out_segment_is_shown(area, job_workspace, qtbot):
    area.filters.search.setText("grüne")
    qtbot.waitUntil(lambda: area.model.rowCount() == 1)
    start_search(area, qtbot, "Wiedersehen").find()
    assert open_selection(area) == (3, "Wiedersehen")
    assert area.model.rowCount() == 4


def test_read_only_targets_are_searched_but_not_opened(area, job_workspace, qtbot):
    job_workspace.session.read_only = "another user writes"
    replacing = start_search(area, qtbot, "apfel", "Baum")
    for _ in range(2):
        replacing.replace_one()
    assert (job_workspace.segment, area.review.controller.segment) == (1, None)
    assert job_workspace.view.review.targets == {}


def test_f3_goes_on_from_match_to_match_in_a_read_only_project(area, job_workspace, qtbot):
    job_workspace.session.read_only = "another user writes"
    replacing = start_search(area, qtbot, "e")
    visited = []
    for _ in range(8):
        replacing.find()
        visited.append(job_workspace.segment)
    assert (visited[0], sorted(visited), set(visited)) == (0, visited, {0, 1, 3})
    for _ in range(3):
        replacing.find()
    assert job_workspace.segment == 0
    assert replacing.bar.status_label.text() == "End reached; continued at the first match"
    replacing.find(-1)
    assert job_workspace.segment == 3
    assert area.review.controller.segment is None


def test_the_count_follows_the_segment_and_the_list(area, job_workspace, qtbot):
    replacing = start_search(area, qtbot, "e")
    bar = replacing.bar

    def wait_for(segments: list[int]) -> None:
        qtbot.waitUntil(lambda: replacing._last_search == (bar.search_text, segments))
        assert bar.replace.isEnabled()

    job_workspace.go_to(0)
    set_combo_data(bar.scope, SEGMENT)
    bar.schedule_search()
    wait_for([0])
    assert bar.status_label.text() == "3 matches in 1 segment"
    job_workspace.go_to(3)
    wait_for([3])
    assert bar.status_label.text() == "4 matches in 1 segment"
    set_combo_data(bar.scope, LISTED)
    bar.schedule_search()
    wait_for([0, 1, 2, 3])
    area.filters.search.setText("grüne")
    wait_for([1])
    assert bar.status_label.text() == "3 matches in 1 segment"


@pytest.mark.parametrize("step", ["search", "replace"])
def test_opening_another_file_ends_a_search_or_replacement(area, job_workspace, qtbot, monkeypatch, step):
    replacing, find_all = area.review.replace_controller, module.find_all
    began, go_on = threading.Event(), threading.Event()

    def wait_and_find(*args):
        began.set()
        go_on.wait(10)
        return find_all(*args)

    if step == "replace":
        start_search(area, qtbot, "e", "ë")
        monkeypatch.setattr(module, "find_all", wait_and_find)
        replacing.bar.replace.click()
    else:
        monkeypatch.setattr(module, "find_all", wait_and_find)
        replacing.show_bar()
        replacing.bar.search_field.setText("e")
        replacing.bar.search_now()
    qtbot.waitUntil(began.is_set)
    job_workspace.open(job_corpus())
    go_on.set()
    qtbot.waitUntil(job_workspace.jobs.is_idle)
    assert job_workspace.view.review.targets == {}
    assert replacing._last_search is None
    assert replacing.bar.isHidden()
