"""Notes and statuses that bilingual files cannot store: they stay unsaved, and closing asks about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual import read_document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.project import ReviewField
from qe_desktop.project.store import Project
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.notices import Message
from tests.formats.bilingual.samples import read_sample
from tests.ui.program.bilingual_saving import edit_target, notice_titles, start_recorded_save, start_save
from tests.ui.program_driver import ProgramDriver, run_script
from tests.ui.save_dialog_answers import answer_save_dialogs

LINE = "Die Pumpe läuft an."


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """A table that has no column for statuses or notes."""
    table = tmp_path / "job.tsv"
    rows = "".join(f"source {number}\tZiel {number}\n" for number in range(6))
    table.write_text(f"source\ttarget\n{rows}")
    return table


@pytest.fixture
def private_mode() -> None:
    """No journal, which would store what the file cannot."""
    settings = Settings()
    settings.journals = False
    settings.save()


def edit_with_notes(driver: ProgramDriver) -> None:
    edit_target(driver, 0, LINE)
    driver.workspace.session.reviewing.set(
        {2: {ReviewField.NOTE: "Warum?"}, 3: {ReviewField.STATUS: ReviewStatus.REJECTED}}
    )


def test_project_that_stores_the_notes_is_not_recommended_again(qtbot, job, tmp_path, answers):
    """Regression: the message named File ▸ Save as project, which is not in the menu while a project is open."""
    answers[0].append("Save")
    corpus = corpus_from_documents([read_document(job)], "job")
    path = tmp_path / "job.qedesk"
    Project.create(path, corpus, person="Olga").close()

    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_with_notes(driver)
        _, is_over = start_recorded_save(driver)
        yield is_over
        (notice,) = driver.shell.notices.notices()
        assert "The file cannot store 1 note." in notice.message.advice
        assert "Save as project" not in notice.message.advice
        assert "The project stores what the file cannot." in notice.message.advice

    assert run_script([str(path)], script) == 0


def test_notes_stay_unsaved_when_the_file_is_saved(qtbot, private_mode, job, answers):
    replies, questions = answers

    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_with_notes(driver)
        reviewing = driver.workspace.session.reviewing
        assert reviewing.unsaved_segments() == [0, 2, 3]
        _, is_over = start_recorded_save(driver)
        yield is_over
        assert reviewing.unsaved_segments() == [2, 3]
        assert driver.shell.isWindowModified()
        (notice,) = driver.shell.notices.notices()
        assert "The file cannot store 1 rejection." in notice.message.advice
        assert "The file cannot store 1 note." in notice.message.advice
        _, is_over = start_recorded_save(driver)
        yield is_over
        assert "Nothing was saved: job.tsv cannot store the remaining edits" in notice_titles(driver)
        replies.append("Go back")
        driver.shell.commands["file.close"].trigger()
        yield driver.is_answered
        assert driver.workspace.session is not None
        driver.shell.commands["edit.undo"].trigger()
        assert reviewing.unsaved_segments() == []
        assert not driver.shell.isWindowModified()
        driver.shell.commands["file.close"].trigger()
        yield lambda: driver.workspace.session is None

    assert run_script([str(job)], script) == 0
    assert questions == ["The bilingual file cannot store the notes or statuses of 2 segments."]


def test_closing_saves_the_file_and_then_asks_about_the_notes(qtbot, private_mode, job, answers, monkeypatch):
    replies, questions = answers
    table = job.with_name("notes.csv")
    answer_save_dialogs(monkeypatch, table)

    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_with_notes(driver)
        replies.extend(["Save", "Export as…"])
        driver.shell.commands["file.close"].trigger()
        yield lambda: driver.workspace.session is None

    assert run_script([str(job)], script) == 0
    assert questions == [
        "Save the changes to 3 segments of job.tsv before closing?",
        "The bilingual file cannot store the notes or statuses of 2 segments.",
    ]
    assert LINE.encode() in job.read_bytes()
    assert "Warum?" in table.read_text("utf-8-sig")
    assert "rejected" in table.read_text("utf-8-sig")


def test_saved_edits_that_are_undone_and_redone_are_not_unsaved(qtbot, private_mode, job, answers):
    replies, questions = answers

    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_with_notes(driver)
        assert driver.shell.status._saved.text() == "Not saved"
        _, is_over = start_recorded_save(driver)
        yield is_over
        for _ in range(2):
            driver.shell.commands["edit.undo"].trigger()
        assert driver.shell.status._saved.text() == "Not saved"
        for _ in range(2):
            driver.shell.commands["edit.redo"].trigger()
        assert driver.workspace.session.reviewing.unsaved_segments() == [2, 3]
        assert driver.shell.status._saved.text() == "Notes or statuses are not saved"
        replies.append("Go back")
        driver.shell.commands["file.close"].trigger()
        yield driver.is_answered
        assert driver.workspace.session is not None
        driver.workspace.session.reviewing.mark_saved()

    assert run_script([str(job)], script) == 0
    assert questions == ["The bilingual file cannot store the notes or statuses of 2 segments."]


def test_journal_stores_notes_that_the_file_cannot_store(qtbot, job, answers):
    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_with_notes(driver)
        _, is_over = start_recorded_save(driver)
        yield is_over
        driver.shell.commands["file.close"].trigger()
        yield lambda: driver.workspace.session is None

    assert run_script([str(job)], script) == 0
    assert answers[1] == []

    def reopened(driver: ProgramDriver):
        yield driver.is_open
        view = driver.workspace.view
        assert (view.note(2), view.status(3)) == ("Warum?", ReviewStatus.REJECTED)
        assert driver.workspace.session.reviewing.unsaved_segments() == []

    assert run_script([str(job)], reopened) == 0


def test_export_stores_notes_only_if_its_format_has_them(qtbot, job, monkeypatch):
    def export_as(driver: ProgramDriver, name: str):
        answer_save_dialogs(monkeypatch, job.with_name(name))
        driver.shell.commands["file.export-as"].trigger()
        # the notice of an export replaces the previous one
        return lambda: any(name in notice for notice in notice_titles(driver))

    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_with_notes(driver)
        reviewing = driver.workspace.session.reviewing
        yield export_as(driver, "a.csv")
        # what the bilingual file can store stays unsaved until it is saved there
        assert reviewing.unsaved_segments() == [0, 2, 3]
        _, is_over = start_recorded_save(driver)
        yield is_over
        assert reviewing.unsaved_segments() == [2, 3]
        for name, left in (("a.src", [2, 3]), ("a.pe", [2, 3]), ("a.po", [3]), ("a.xlsx", [])):
            yield export_as(driver, name)
            assert reviewing.unsaved_segments() == left

    assert run_script([str(job)], script) == 0


def test_notes_and_rejections_are_saved_and_read_again(qtbot, tmp_path):
    studio = tmp_path / "job.sdlxliff"
    studio.write_bytes(read_sample("studio.sdlxliff"))

    def script(driver: ProgramDriver):
        yield driver.is_open
        session = driver.workspace.session
        edit_target(driver, 0, LINE)
        session.reviewing.set({1: {ReviewField.NOTE: "Warum?", ReviewField.STATUS: ReviewStatus.REJECTED}})
        _, is_over = start_recorded_save(driver)
        yield is_over
        assert session.reviewing.unsaved_segments() == []
        assert driver.shell.notices.notices()[0].message.advice == ""

    assert run_script([str(studio)], script) == 0
    assert b">Warum?</Comment>" in studio.read_bytes()

    def reopen(driver: ProgramDriver):
        yield driver.is_open
        session = driver.workspace.session
        assert (session.view.note(1), session.view.status(1)) == ("Warum?", ReviewStatus.REJECTED)
        session.reviewing.set({1: {ReviewField.NOTE: ""}})
        assert session.view.note(1) == ""
        _, is_over = start_recorded_save(driver)
        yield is_over
        assert session.reviewing.unsaved_segments() == []

    assert run_script([str(studio)], reopen) == 0
    assert b"Comment" not in studio.read_bytes()


def test_table_with_a_status_column_stores_all_statuses(qtbot, tmp_path):
    table = tmp_path / "job.csv"
    table.write_text("source,target,status\none,eins,open\ntwo,zwei,open\nthree,drei,rejected\nfour,vier,todo\n")

    def script(driver: ProgramDriver):
        yield driver.is_open
        session = driver.workspace.session
        assert driver.workspace.view.status(2) is ReviewStatus.REJECTED
        edit_target(driver, 0, "Eins")
        edit_target(driver, 1, "zwei", ReviewStatus.REJECTED)
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert session.reviewing.unsaved_segments() == []
        (notice,) = driver.shell.notices.notices()
        assert (ended, notice.message.advice) == ([True], "")
        # a status that the program does not know is not overwritten
        edit_target(driver, 3, "vier", ReviewStatus.REJECTED)
        ended, is_over = start_recorded_save(driver)
        yield is_over
        assert session.reviewing.unsaved_segments() == [3]
        assert "The file cannot store 1 rejection" in driver.shell.notices.notices()[0].message.advice

    assert run_script([str(table)], script) == 0
    assert table.read_text() == (
        "source,target,status\none,Eins,edited\ntwo,zwei,rejected\nthree,drei,rejected\nfour,vier,todo\n"
    )


def test_undo_removes_the_notice_of_a_save_unless_it_failed(qtbot, job):
    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 0, LINE)
        yield start_save(driver)
        assert [title for title in notice_titles(driver) if "1 changed segment" in title]
        # a command does not remove messages of its own event-loop iteration
        yield lambda: True
        driver.shell.commands["edit.undo"].trigger()
        assert notice_titles(driver) == []
        driver.wiring.job_saver.message_posted.emit(Message("it cannot be written", "error"))
        driver.shell.commands["edit.redo"].trigger()
        assert notice_titles(driver) == ["it cannot be written"]
        yield start_save(driver)
        assert "it cannot be written" not in notice_titles(driver)

    assert run_script([str(job)], script) == 0
