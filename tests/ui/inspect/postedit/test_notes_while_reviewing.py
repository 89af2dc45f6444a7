"""Notes of the reviewer: saved, shown, refused and undone with the status."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.corpus import ReviewStatus
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from tests.ui.inspect.postedit.conftest import post_edit_controller


def test_notes_are_saved_shown_and_deleted(area, job_workspace):
    controller = post_edit_controller(area)
    assert "keep the name of the button" in controller.panel.file_notes.text()
    controller.edit_note()
    QTest.keyClicks(controller.panel.note, "look")
    QTest.keyClick(controller.panel.note, Qt.Key.Key_Return)
    assert job_workspace.view.note(0) == "look"
    assert controller.panel.saved_note_label.text() == "look"
    assert area.model.index(0, SegmentColumn.STATUS).data() == "○ ❝"
    controller.edit_note()
    controller.panel.note.clear()
    QTest.keyClick(controller.panel.note, Qt.Key.Key_Return)
    assert job_workspace.view.note(0) == ""
    controller.edit_note()
    QTest.keyClicks(controller.panel.note, "no")
    QTest.keyClick(controller.panel.note, Qt.Key.Key_Escape)
    assert job_workspace.view.note(0) == ""


def test_refused_note_stays_in_its_editor(area, job_workspace):
    """Enter closed the editor even if the note was refused, and the typed text was lost."""
    controller, errors = post_edit_controller(area), []
    job_workspace.failed.connect(errors.append)
    controller.edit_note()
    note = controller.panel.note
    note.setText("look \x02")
    QTest.keyClick(note, Qt.Key.Key_Return)
    assert len(errors) == 1
    assert (note.isHidden(), note.text(), job_workspace.view.note(0)) == (False, "look \x02", "")
    note.setText("look")
    QTest.keyClick(note, Qt.Key.Key_Return)
    assert (note.isHidden(), job_workspace.view.note(0)) == (True, "look")


@pytest.mark.parametrize("ends", ["confirm", "reject", "step", "flush", "segment", "stop_editing"])
def test_unfinished_note_is_saved_to_its_segment(area, job_workspace, ends):
    controller = post_edit_controller(area)
    job_workspace.go_to(1)
    if ends == "stop_editing":
        controller.open()
    controller.edit_note()
    QTest.keyClicks(controller.panel.note, "ask them")
    if ends == "segment":
        job_workspace.go_to(2)
    elif ends == "step":
        controller.step(1)
    else:
        getattr(controller, ends)()
    assert {segment: job_workspace.view.note(segment) for segment in range(4) if job_workspace.view.note(segment)} == {
        1: "ask them"
    }


def test_note_and_status_are_one_undo_step(area, job_workspace):
    controller = post_edit_controller(area)
    job_workspace.go_to(1)
    controller.edit_note()
    QTest.keyClicks(controller.panel.note, "ask them")
    controller.confirm()
    assert (job_workspace.view.note(1), job_workspace.view.status(1)) == ("ask them", ReviewStatus.CONFIRMED)
    job_workspace.session.undo()
    assert (job_workspace.view.note(1), job_workspace.view.status(1)) == ("", ReviewStatus.OPEN)
