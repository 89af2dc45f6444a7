"""Undo right after an action reverts it and removes its notice."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qe_desktop.corpus import ReviewStatus
from tests.ui.program.bilingual_saving import edit_target, notice_titles, start_save
from tests.ui.program_driver import run_script

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
KEY = Qt.Key


def press(key, modifiers=Qt.KeyboardModifier.NoModifier):
    """Press a key in the focus widget."""
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)


def focused_area(driver, *, typing: bool):
    """Return the Inspect area, with the focus in the target or in the list."""
    area = driver.shell.area("inspect")
    area.view.setFocus()
    if typing:
        press(KEY.Key_F2)
    return area


@pytest.mark.parametrize("typing", [True, False], ids=["typing", "in the list"])
def test_undo_reverts_a_confirmation(qtbot, job, typing):
    def script(driver):
        yield driver.is_open
        area = focused_area(driver, typing=typing)
        segment = driver.workspace.segment
        press(KEY.Key_Return, CTRL)
        assert driver.workspace.view.status(segment) is ReviewStatus.CONFIRMED
        press(KEY.Key_Z, CTRL)
        assert driver.workspace.view.status(segment) is not ReviewStatus.CONFIRMED
        assert driver.workspace.segment == segment
        press(KEY.Key_Z, CTRL | SHIFT)
        assert driver.workspace.view.status(segment) is ReviewStatus.CONFIRMED
        assert area.isVisible()

    assert run_script([str(job)], script) == 0


def test_undo_reverts_several_confirmations_in_a_row(qtbot, job):
    def script(driver):
        yield driver.is_open
        focused_area(driver, typing=True)
        before = driver.workspace.view.statuses().tolist()
        for _ in range(2):
            press(KEY.Key_Return, CTRL)
        assert driver.workspace.view.statuses().tolist() != before
        for _ in range(2):
            press(KEY.Key_Z, CTRL)
        assert driver.workspace.view.statuses().tolist() == before

    assert run_script([str(job)], script) == 0


def test_undo_reverts_typed_text_before_the_confirmation(qtbot, job):
    def script(driver):
        yield driver.is_open
        area = focused_area(driver, typing=True)
        segment = driver.workspace.segment
        press(KEY.Key_Return, CTRL)
        edit = area.review.controller.panel.edit
        line = edit.line
        press(KEY.Key_X)
        assert edit.line != line
        press(KEY.Key_Z, CTRL)
        assert edit.line == line
        assert driver.workspace.view.status(segment) is ReviewStatus.CONFIRMED

    assert run_script([str(job)], script) == 0


@pytest.mark.parametrize("where", ["field", "target", "button"])
def test_undo_reverts_replacing(qtbot, job, where):
    def script(driver):
        yield driver.is_open
        area = focused_area(driver, typing=where == "target")
        bar = area.review.replace_controller.bar
        press(KEY.Key_H, CTRL)
        QTest.keyClicks(bar.search_field, "e")
        QTest.keyClicks(bar.replacement_field, "o")
        yield bar.replace.isEnabled
        if where == "target":
            area.review.controller.panel.edit.setFocus()
        elif where == "button":
            bar.replace.setFocus()
        QTest.mouseClick(bar.replace, Qt.MouseButton.LeftButton)
        yield lambda: "undo" in bar.status_label.text()
        assert driver.workspace.view.review.targets
        press(KEY.Key_Z, CTRL)
        assert driver.workspace.view.review.targets == {}

    assert run_script([str(job)], script) == 0


def test_undo_removes_the_notice_of_the_action(qtbot, job):
    def script(driver):
        yield driver.is_open
        focused_area(driver, typing=True)
        # an empty target is confirmed by a second press
        for _ in range(2 * driver.workspace.corpus.size):
            if "No other segments to review in the list" not in notice_titles(driver):
                press(KEY.Key_Return, CTRL)
        assert notice_titles(driver).count("No other segments to review in the list") == 1
        driver.shell.commands["edit.undo"].trigger()
        # the notice about the QA check results of the confirmed segment is also removed
        assert notice_titles(driver) == []

    assert run_script([str(job)], script) == 0


def test_one_message_at_a_time_and_undo_removes_that_of_saving(qtbot, job):
    def script(driver):
        yield driver.is_open
        messages = driver.shell.area("inspect").review.controller.message_posted
        for text in ("first message", "second message"):
            messages.emit(text)
            # messages of one event-loop iteration belong together
            yield lambda: True
            assert notice_titles(driver) == [text]
        bar = driver.shell.notices
        for number in (1, 2):
            edit_target(driver, 5, f"Nummer {number}.")
            yield start_save(driver)
            assert notice_titles(driver) == ["Saved with 1 changed segment; everything else is unchanged"]
            assert [notice.isVisible() for notice in bar.notices()] == [True]
        assert driver.shell.status._saved.text() == "Saved"
        assert "Saved with 1 changed segment" in driver.shell.status._saved.toolTip()
        yield lambda: True
        driver.shell.commands["edit.undo"].trigger()
        assert notice_titles(driver) == []
        assert not bar.isVisible()
        assert driver.shell.status._saved.text() == "Not saved"

    assert run_script([str(job)], script) == 0
