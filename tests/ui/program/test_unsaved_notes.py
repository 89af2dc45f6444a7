"""Notes and statuses that bilingual files cannot store: they stay unsaved, and closing asks about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from qe_desktop.corpus import ReviewStatus
from qe_desktop.project import ReviewField
from qe_desktop.ui.shell.notices import Message
from qe_desktop.ui.widgets.dialogs import FileDialog
from tests.formats.bilingual.samples import bytes_of_sample
from tests.ui.program.bilingual_saving import correct, said, saves, saving
from tests.ui.program_driver import Desk, drive

LINE = "Die Pumpe läuft an."


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """A table that has no column for statuses or notes."""
    table = tmp_path / "job.tsv"
    rows = "".join(f"source {number}\tZiel {number}\n" for number in range(6))
    table.write_text(f"source\ttarget\n{rows}")
    return table


def edit_with_notes(controller: Desk) -> None:
    correct(controller, 0, LINE)
    controller.workspace.session.reviewing.set(
        {2: {ReviewField.NOTE: "Warum?"}, 3: {ReviewField.STATUS: ReviewStatus.REJECTED}}
    )


def test_notes_stay_unsaved_when_the_file_is_saved(qtbot, job, answers):
    replies, questions = answers

    def script(controller: Desk):
        yield controller.is_open
        edit_with_notes(controller)
        reviewing = controller.workspace.session.reviewing
        assert reviewing.unsaved() == [0, 2, 3]
        _, is_over = saving(controller)
        yield is_over
        assert reviewing.unsaved() == [2, 3]
        assert controller.shell.isWindowModified()
        (notice,) = controller.shell.notices.notices()
        assert "The file cannot store 1 rejection." in notice.message.advice
        assert "The file cannot store 1 note." in notice.message.advice
        _, is_over = saving(controller)
        yield is_over
        assert "Nothing to save that job.tsv can store" in said(controller)
        replies.append("Go back")
        controller.shell.commands["file.close"].trigger()
        yield controller.is_answered
        assert controller.workspace.session is not None
        controller.shell.commands["edit.undo"].trigger()
        assert reviewing.unsaved() == []
        assert not controller.shell.isWindowModified()
        controller.shell.commands["file.close"].trigger()
        yield lambda: controller.workspace.session is None

    assert drive([str(job)], script) == 0
    assert questions == ["The bilingual file cannot store the notes or statuses of 2 segments."]


def test_closing_saves_the_file_and_then_asks_about_the_notes(qtbot, job, answers, monkeypatch):
    replies, questions = answers
    table = job.with_name("notes.csv")
    monkeypatch.setattr(FileDialog, "getSaveFileName", lambda *args: (str(table), ""))

    def script(controller: Desk):
        yield controller.is_open
        edit_with_notes(controller)
        replies.extend(["Save", "Export as…"])
        controller.shell.commands["file.close"].trigger()
        yield lambda: controller.workspace.session is None

    assert drive([str(job)], script) == 0
    assert questions == [
        "The review of 3 segments is not saved.",
        "The bilingual file cannot store the notes or statuses of 2 segments.",
    ]
    assert LINE.encode() in job.read_bytes()
    assert "Warum?" in table.read_text("utf-8-sig")
    assert "rejected" in table.read_text("utf-8-sig")


def test_saved_edits_that_are_undone_and_redone_are_not_unsaved(qtbot, job, answers):
    replies, questions = answers

    def script(controller: Desk):
        yield controller.is_open
        edit_with_notes(controller)
        assert controller.shell.status._saved.text() == "Not saved: press Ctrl+S to save"
        _, is_over = saving(controller)
        yield is_over
        for _ in range(2):
            controller.shell.commands["edit.undo"].trigger()
        assert controller.shell.status._saved.text() == "Not saved: press Ctrl+S to save"
        for _ in range(2):
            controller.shell.commands["edit.redo"].trigger()
        assert controller.workspace.session.reviewing.unsaved() == [2, 3]
        assert controller.shell.status._saved.text() == "Notes or statuses are not saved"
        replies.append("Go back")
        controller.shell.commands["file.close"].trigger()
        yield controller.is_answered
        assert controller.workspace.session is not None
        controller.workspace.session.reviewing.saved()

    assert drive([str(job)], script) == 0
    assert questions == ["The bilingual file cannot store the notes or statuses of 2 segments."]


def test_export_stores_notes_only_if_its_format_has_them(qtbot, job, monkeypatch):
    chosen: list[str] = []
    monkeypatch.setattr(FileDialog, "getSaveFileName", lambda *args: (str(job.with_name(chosen[-1])), ""))

    def exported(controller: Desk, name: str):
        chosen.append(name)
        controller.shell.commands["file.export-as"].trigger()
        # the notice of an export replaces the previous one
        return lambda: any(name in notice for notice in said(controller))

    def script(controller: Desk):
        yield controller.is_open
        edit_with_notes(controller)
        reviewing = controller.workspace.session.reviewing
        yield exported(controller, "a.csv")
        # what the bilingual file can store stays unsaved until it is saved there
        assert reviewing.unsaved() == [0, 2, 3]
        _, is_over = saving(controller)
        yield is_over
        assert reviewing.unsaved() == [2, 3]
        for name, left in (("a.src", [2, 3]), ("a.pe", [2, 3]), ("a.po", [3]), ("a.xlsx", [])):
            yield exported(controller, name)
            assert reviewing.unsaved() == left

    assert drive([str(job)], script) == 0


def test_notes_and_rejections_are_saved_and_read_again(qtbot, tmp_path):
    studio = tmp_path / "job.sdlxliff"
    studio.write_bytes(bytes_of_sample("studio.sdlxliff"))

    def script(controller: Desk):
        yield controller.is_open
        session = controller.workspace.session
        correct(controller, 0, LINE)
        session.reviewing.set({1: {ReviewField.NOTE: "Warum?", ReviewField.STATUS: ReviewStatus.REJECTED}})
        _, is_over = saving(controller)
        yield is_over
        assert session.reviewing.unsaved() == []
        assert controller.shell.notices.notices()[0].message.advice == ""

    assert drive([str(studio)], script) == 0
    assert b">Warum?</Comment>" in studio.read_bytes()

    def reopened(controller: Desk):
        yield controller.is_open
        session = controller.workspace.session
        assert (session.view.note(1), session.view.status(1)) == ("Warum?", ReviewStatus.REJECTED)
        session.reviewing.set({1: {ReviewField.NOTE: ""}})
        assert session.view.note(1) == ""
        _, is_over = saving(controller)
        yield is_over
        assert session.reviewing.unsaved() == []

    assert drive([str(studio)], reopened) == 0
    assert b"Comment" not in studio.read_bytes()


def test_table_with_a_status_column_stores_all_statuses(qtbot, tmp_path):
    table = tmp_path / "job.csv"
    table.write_text("source,target,status\none,eins,open\ntwo,zwei,open\nthree,drei,rejected\nfour,vier,todo\n")

    def script(controller: Desk):
        yield controller.is_open
        session = controller.workspace.session
        assert controller.workspace.view.status(2) is ReviewStatus.REJECTED
        correct(controller, 0, "Eins")
        correct(controller, 1, "zwei", ReviewStatus.REJECTED)
        ended, is_over = saving(controller)
        yield is_over
        assert session.reviewing.unsaved() == []
        (notice,) = controller.shell.notices.notices()
        assert (ended, notice.message.advice) == ([True], "")
        # a status that the program does not know is not overwritten
        correct(controller, 3, "vier", ReviewStatus.REJECTED)
        ended, is_over = saving(controller)
        yield is_over
        assert session.reviewing.unsaved() == [3]
        assert "The file cannot store 1 rejection" in controller.shell.notices.notices()[0].message.advice

    assert drive([str(table)], script) == 0
    assert table.read_text() == (
        "source,target,status\none,Eins,edited\ntwo,zwei,rejected\nthree,drei,rejected\nfour,vier,todo\n"
    )


def test_undo_removes_the_notice_of_a_save_unless_it_failed(qtbot, job):
    def script(controller: Desk):
        yield controller.is_open
        correct(controller, 0, LINE)
        yield saves(controller)
        assert [title for title in said(controller) if "1 changed segment" in title]
        controller.shell.commands["edit.undo"].trigger()
        assert said(controller) == []
        controller.wiring.job_saver.message_posted.emit(Message("it cannot be written", "error"))
        controller.shell.commands["edit.redo"].trigger()
        assert said(controller) == ["it cannot be written"]
        yield saves(controller)
        assert "it cannot be written" not in said(controller)

    assert drive([str(job)], script) == 0
