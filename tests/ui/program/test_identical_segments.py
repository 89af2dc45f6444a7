"""Confirming a segment whose source occurs in other segments: by keys and buttons, in the whole program."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from qe_desktop.corpus import ReviewStatus
from qe_desktop.ui.settings import Settings
from tests.ui.program.bilingual_saving import edit_target, notice_titles
from tests.ui.program_driver import ProgramDriver, run_script

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
KEY = Qt.Key
OPEN, EDITED, CONFIRMED = ReviewStatus.OPEN, ReviewStatus.EDITED, ReviewStatus.CONFIRMED
SOURCES = [
    "Open it.",
    "Save",
    "Close it.",
    "Open it.",
    "Save",
    "Close it.",
    "Name:",
    "Save",
    "Close it.",
    "Hi.",
    "Save",
]
EQUAL = [1, 4, 7, 10]
"""Segments with the same source; the last two are in other contexts."""
LOADED = ["Ziel 1", "Ziel 4", "Ziel 7", "Ziel 10"]
OFFER = "Segment 2 is confirmed. Apply its target to 3 identical segments (2 in another context)?"


@pytest.fixture
def job(tmp_path: Path) -> Path:
    table = tmp_path / "job.tsv"
    rows = "".join(f"{source}\tZiel {number}\n" for number, source in enumerate(SOURCES))
    table.write_text(f"source\ttarget\n{rows}")
    return table


def press(key, modifiers=Qt.KeyboardModifier.NoModifier):
    """Press a key in the focus widget."""
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)


def edit(driver: ProgramDriver, segment: int, text: str) -> None:
    """Edit the target of a segment, by keys."""
    driver.workspace.go_to(segment)
    driver.shell.area("inspect").view.setFocus()
    press(KEY.Key_F2)
    press(KEY.Key_A, CTRL)
    QTest.keyClicks(QApplication.focusWidget(), text)


def confirm(driver: ProgramDriver, segment: int, text: str) -> None:
    edit(driver, segment, text)
    press(KEY.Key_Return, CTRL)


def targets(driver: ProgramDriver) -> list[str]:
    return [driver.workspace.view.target(segment) for segment in EQUAL]


def statuses(driver: ProgramDriver) -> list[ReviewStatus]:
    return [driver.workspace.view.status(segment) for segment in EQUAL]


def button(driver: ProgramDriver, text: str) -> QPushButton:
    notice = driver.shell.notices.current
    return next(button for button in notice.findChildren(QPushButton) if button.text() == text)


def test_the_offer_does_not_stop_typing_and_a_key_applies_it_in_one_step(qtbot, job):
    def script(driver: ProgramDriver):
        yield driver.is_open
        confirm(driver, 1, "Sichern")
        assert notice_titles(driver) == [OFFER]
        assert targets(driver) == ["Sichern", *LOADED[1:]]
        assert driver.shell.notices.current.message.details == (
            "Segment 8: after “Name:”",
            "Segment 11: after “Hi.” · at the end of the file",
        )
        # the next segment is open, and keys go to it
        editor = driver.shell.area("inspect").review.controller.panel.edit
        segment = driver.workspace.segment
        assert segment not in EQUAL
        QTest.keyClicks(QApplication.focusWidget(), "xy")
        assert "xy" in editor.line
        press(KEY.Key_R, CTRL)
        assert targets(driver) == ["Sichern"] * 4
        assert statuses(driver) == [CONFIRMED] * 4
        assert notice_titles(driver) == [
            "3 identical segments confirmed with the target of segment 2 (2 in another context); "
            "undo reverts all changes"
        ]
        assert driver.workspace.segment == segment
        assert editor.hasFocus()
        press(KEY.Key_Z, CTRL)
        assert targets(driver) == ["Sichern", *LOADED[1:]]
        assert statuses(driver) == [CONFIRMED, OPEN, OPEN, OPEN]
        assert notice_titles(driver) == []
        assert "xy" in driver.workspace.view.target(segment)
        press(KEY.Key_Z, CTRL | SHIFT)
        assert statuses(driver) == [CONFIRMED] * 4

    assert run_script([str(job)], script) == 0


def test_edited_segments_are_changed_only_by_the_button_for_all(qtbot, job):
    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 7, "Eigenes")
        edit_target(driver, 10, "Fertig", CONFIRMED)
        confirm(driver, 1, "Sichern")
        (notice,) = driver.shell.notices.notices()
        assert notice.message.title == (
            "Segment 2 is confirmed. Apply its target to 2 identical segments (1 in another context)?"
        )
        assert notice.message.advice == (
            "1 confirmed, rejected or locked segment with the same source will not be changed."
        )
        button(driver, "Apply only to 1 open segment (Ctrl+Shift+R)").click()
        assert targets(driver) == ["Sichern", "Sichern", "Eigenes", "Fertig"]
        assert notice_titles(driver) == [
            "1 identical segment confirmed with the target of segment 2; undo reverts all changes"
        ]
        assert driver.shell.area("inspect").review.controller.panel.edit.hasFocus()
        # the offer is repeated by confirming again
        confirm(driver, 1, "Sichern")
        button(driver, "Apply to 1 segment (Ctrl+R)").click()
        assert targets(driver) == ["Sichern", "Sichern", "Sichern", "Fertig"]
        assert statuses(driver) == [CONFIRMED] * 4

    assert run_script([str(job)], script) == 0


def test_applying_to_the_segment_being_edited_goes_on_to_the_next(qtbot, job):
    def script(driver: ProgramDriver):
        yield driver.is_open
        confirm(driver, 1, "Sichern")
        edit(driver, 4, "Halb fertig")
        button(driver, "Apply to 3 segments (Ctrl+R)").click()
        assert targets(driver) == ["Sichern"] * 4
        controller = driver.shell.area("inspect").review.controller
        assert controller.segment == driver.workspace.segment == 5
        assert controller.panel.edit.line == "Ziel 5"
        driver.workspace.undo()
        assert targets(driver) == ["Sichern", "Halb fertig", *LOADED[2:]]

    assert run_script([str(job)], script) == 0


def test_identical_segments_are_shown_in_the_list_while_the_offer_stays(qtbot, job):
    def script(driver: ProgramDriver):
        yield driver.is_open
        confirm(driver, 1, "Sichern")
        area = driver.shell.area("inspect")
        button(driver, "Show in the list").click()
        yield lambda: area.model.rowCount() == 4
        assert area.model.segments.tolist() == EQUAL
        assert driver.workspace.segment == 1
        assert notice_titles(driver) == [OFFER]
        driver.shell.commands["inspect.equal-open"].trigger()
        assert statuses(driver) == [CONFIRMED] * 4
        driver.shell.commands["inspect.all"].trigger()
        yield lambda: area.model.rowCount() == len(SOURCES)

    assert run_script([str(job)], script) == 0


@pytest.mark.parametrize(("choice", "changed"), [("open", [4, 10]), ("all", [4, 7, 10])])
def test_the_setting_confirms_identical_segments_in_the_same_step_and_a_message_reports_it(qtbot, job, choice, changed):
    Settings().identical_segments = choice

    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 7, "Eigenes")
        confirm(driver, 1, "Sichern")
        view = driver.workspace.view
        assert [segment for segment in EQUAL[1:] if view.status(segment) is CONFIRMED] == changed
        assert {view.target(segment) for segment in changed} == {"Sichern"}
        (title,) = notice_titles(driver)
        assert title.startswith(f"{len(changed)} identical segments confirmed with the target of segment 2 (")
        press(KEY.Key_Z, CTRL)
        # typed text is a step of its own
        assert targets(driver) == ["Sichern", "Ziel 4", "Eigenes", "Ziel 10"]
        assert statuses(driver) == [EDITED, OPEN, EDITED, OPEN]
        assert notice_titles(driver) == []

    assert run_script([str(job)], script) == 0


UNIT = '<trans-unit id="{}" {}><source>Save</source><target>Ziel {}</target>{}</trans-unit>'


def test_segments_with_other_notes_are_offered_instead_of_changed_by_the_setting(qtbot, tmp_path):
    Settings().identical_segments = "all"
    more = [("", ""), ("", ""), ("", "<note>a verb</note>"), ('maxwidth="4" size-unit="char"', "")]
    units = "".join(UNIT.format(number, rule, number, note) for number, (rule, note) in enumerate(more))
    path = tmp_path / "job.xlf"
    path.write_text(
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en" '
        f'target-language="de" datatype="plaintext"><body>{units}</body></file></xliff>'
    )

    def script(driver: ProgramDriver):
        yield driver.is_open
        confirm(driver, 0, "Sichern")
        view = driver.workspace.view
        assert [view.target(segment) for segment in range(4)] == ["Sichern", "Sichern", "Ziel 2", "Ziel 3"]
        (notice,) = driver.shell.notices.notices()
        assert notice.message.title.startswith("1 identical segment confirmed with the target of segment 1")
        assert notice.message.advice == ("1 more identical segment has a different note, context or rule in the file.")
        # those that were confirmed in another context, and those that are offered
        assert notice.message.details == ("Segment 2: after “Save”", "Segment 3: after “Save” · a verb")
        button(driver, "Apply to 1 segment (Ctrl+R)").click()
        view = driver.workspace.view
        assert [view.target(segment) for segment in range(4)] == ["Sichern", "Sichern", "Sichern", "Ziel 3"]

    assert run_script([str(path)], script) == 0


def test_the_offer_ends_with_the_next_confirmation_or_undo(qtbot, job):
    def script(driver: ProgramDriver):
        yield driver.is_open
        confirm(driver, 1, "Sichern")
        press(KEY.Key_Z, CTRL)
        assert notice_titles(driver) == []
        confirm(driver, 1, "Sichern")
        confirm(driver, 6, "Name:")
        assert notice_titles(driver) == []
        press(KEY.Key_R, CTRL)
        assert notice_titles(driver) == ["Confirm segment 8 first; then apply its target to identical segments"]
        yield driver.is_open
        driver.workspace.go_to(6)
        driver.shell.commands["inspect.equal-all"].trigger()
        assert notice_titles(driver)[0] == "Segment 7 has no open or edited identical segments"

    assert run_script([str(job)], script) == 0
