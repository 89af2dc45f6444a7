"""Confirming a segment whose source occurs in others: by keys and buttons, in the whole program."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from qe_desktop.corpus import ReviewStatus
from qe_desktop.ui.settings import Settings
from tests.ui.program.bilingual_saving import correct, said
from tests.ui.program_driver import Desk, drive

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
"""Segments with one source; the last two are in other contexts."""
LOADED = ["Ziel 1", "Ziel 4", "Ziel 7", "Ziel 10"]
OFFER = "Segment 2 is confirmed. Apply its target to 3 equal segments (2 in another context)?"


@pytest.fixture
def job(tmp_path: Path) -> Path:
    table = tmp_path / "job.tsv"
    rows = "".join(f"{source}\tZiel {number}\n" for number, source in enumerate(SOURCES))
    table.write_text(f"source\ttarget\n{rows}")
    return table


def press(key, modifiers=Qt.KeyboardModifier.NoModifier):
    """Press a key in the focus widget."""
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)


def edit(controller: Desk, segment: int, text: str) -> None:
    """Edit the target of a segment, by keys."""
    controller.workspace.go_to(segment)
    controller.shell.area("inspect").view.setFocus()
    press(KEY.Key_F2)
    press(KEY.Key_A, CTRL)
    QTest.keyClicks(QApplication.focusWidget(), text)


def confirm(controller: Desk, segment: int, text: str) -> None:
    edit(controller, segment, text)
    press(KEY.Key_Return, CTRL)


def targets(controller: Desk) -> list[str]:
    return [controller.workspace.view.target(segment) for segment in EQUAL]


def statuses(controller: Desk) -> list[ReviewStatus]:
    return [controller.workspace.view.status(segment) for segment in EQUAL]


def button(controller: Desk, text: str) -> QPushButton:
    notice = controller.shell.notices.current
    return next(button for button in notice.findChildren(QPushButton) if button.text() == text)


def test_the_offer_does_not_stop_typing_and_a_key_applies_it_in_one_step(qtbot, job):
    def script(controller: Desk):
        yield controller.is_open
        confirm(controller, 1, "Sichern")
        assert said(controller) == [OFFER]
        assert targets(controller) == ["Sichern", *LOADED[1:]]
        assert controller.shell.notices.current.message.details == (
            "Segment 8: after “Name:”",
            "Segment 11: after “Hi.” · at the end of the file",
        )
        # the next segment is open, and keys go to it
        editor = controller.shell.area("inspect").correcting.controller.panel.edit
        segment = controller.workspace.segment
        assert segment not in EQUAL
        QTest.keyClicks(QApplication.focusWidget(), "xy")
        assert "xy" in editor.line
        press(KEY.Key_R, CTRL)
        assert targets(controller) == ["Sichern"] * 4
        assert statuses(controller) == [CONFIRMED] * 4
        assert said(controller) == [
            "3 equal segments confirmed with the target of segment 2 (2 in another context); one undo step"
        ]
        assert controller.workspace.segment == segment
        assert editor.hasFocus()
        press(KEY.Key_Z, CTRL)
        assert targets(controller) == ["Sichern", *LOADED[1:]]
        assert statuses(controller) == [CONFIRMED, OPEN, OPEN, OPEN]
        assert said(controller) == []
        assert "xy" in controller.workspace.view.target(segment)
        press(KEY.Key_Z, CTRL | SHIFT)
        assert statuses(controller) == [CONFIRMED] * 4

    assert drive([str(job)], script) == 0


def test_edited_segments_are_changed_only_by_the_button_for_all(qtbot, job):
    def script(controller: Desk):
        yield controller.is_open
        correct(controller, 7, "Eigenes")
        correct(controller, 10, "Fertig", CONFIRMED)
        confirm(controller, 1, "Sichern")
        (notice,) = controller.shell.notices.notices()
        assert notice.message.title == (
            "Segment 2 is confirmed. Apply its target to 2 equal segments (1 in another context)?"
        )
        assert notice.message.advice == (
            "1 confirmed, rejected or locked segment with this source will not be changed."
        )
        button(controller, "Apply to 1 open only (Ctrl+Shift+R)").click()
        assert targets(controller) == ["Sichern", "Sichern", "Eigenes", "Fertig"]
        assert said(controller) == ["1 equal segment confirmed with the target of segment 2; one undo step"]
        assert controller.shell.area("inspect").correcting.controller.panel.edit.hasFocus()
        # the offer is repeated by confirming again
        confirm(controller, 1, "Sichern")
        button(controller, "Apply to all 1 (Ctrl+R)").click()
        assert targets(controller) == ["Sichern", "Sichern", "Sichern", "Fertig"]
        assert statuses(controller) == [CONFIRMED] * 4

    assert drive([str(job)], script) == 0


def test_applying_to_the_segment_being_edited_goes_on_to_the_next(qtbot, job):
    def script(controller: Desk):
        yield controller.is_open
        confirm(controller, 1, "Sichern")
        edit(controller, 4, "Halb fertig")
        button(controller, "Apply to all 3 (Ctrl+R)").click()
        assert targets(controller) == ["Sichern"] * 4
        desk = controller.shell.area("inspect").correcting.controller
        assert desk.segment == controller.workspace.segment == 5
        assert desk.panel.edit.line == "Ziel 5"
        controller.workspace.undo()
        assert targets(controller) == ["Sichern", "Halb fertig", *LOADED[2:]]

    assert drive([str(job)], script) == 0


def test_equal_segments_are_shown_in_the_list_while_the_offer_stays(qtbot, job):
    def script(controller: Desk):
        yield controller.is_open
        confirm(controller, 1, "Sichern")
        area = controller.shell.area("inspect")
        button(controller, "Show in the list").click()
        yield lambda: area.model.rowCount() == 4
        assert area.model.segments.tolist() == EQUAL
        assert controller.workspace.segment == 1
        assert said(controller) == [OFFER]
        controller.shell.commands["inspect.equal-open"].trigger()
        assert statuses(controller) == [CONFIRMED] * 4
        controller.shell.commands["inspect.all"].trigger()
        yield lambda: area.model.rowCount() == len(SOURCES)

    assert drive([str(job)], script) == 0


@pytest.mark.parametrize(("choice", "changed"), [("open", [4, 10]), ("all", [4, 7, 10])])
def test_the_setting_confirms_equal_segments_in_the_same_step_and_a_message_reports_it(qtbot, job, choice, changed):
    Settings().equal_segments = choice

    def script(controller: Desk):
        yield controller.is_open
        correct(controller, 7, "Eigenes")
        confirm(controller, 1, "Sichern")
        view = controller.workspace.view
        assert [segment for segment in EQUAL[1:] if view.status(segment) is CONFIRMED] == changed
        assert {view.target(segment) for segment in changed} == {"Sichern"}
        (title,) = said(controller)
        assert title.startswith(f"{len(changed)} equal segments confirmed with the target of segment 2 (")
        press(KEY.Key_Z, CTRL)
        # typed text is a step of its own
        assert targets(controller) == ["Sichern", "Ziel 4", "Eigenes", "Ziel 10"]
        assert statuses(controller) == [EDITED, OPEN, EDITED, OPEN]
        assert said(controller) == []

    assert drive([str(job)], script) == 0


def test_the_offer_ends_with_the_next_confirmation_or_undo(qtbot, job):
    def script(controller: Desk):
        yield controller.is_open
        confirm(controller, 1, "Sichern")
        press(KEY.Key_Z, CTRL)
        assert said(controller) == []
        confirm(controller, 1, "Sichern")
        confirm(controller, 6, "Name:")
        assert said(controller) == []
        press(KEY.Key_R, CTRL)
        assert said(controller) == ["Confirm segment 8 first; then apply its target to equal segments"]
        yield controller.is_open
        controller.workspace.go_to(6)
        controller.shell.commands["inspect.equal-all"].trigger()
        assert said(controller)[0] == "Segment 7 has no open or edited equal segments"

    assert drive([str(job)], script) == 0
