"""Bilingual files through main(argv): opened, edited, saved with all other bytes unchanged, and questions asked."""

from __future__ import annotations

import os
import shutil
import stat
import threading
from pathlib import Path

from PySide6.QtCore import Qt

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.ui.files.bilingual import bilingual_saver
from tests.formats.bilingual.samples import FOLDER
from tests.timeouts import PATIENCE
from tests.ui.program.bilingual_saving import edit_target, notice_titles, start_save
from tests.ui.program_driver import ProgramDriver, run_script
from tests.ui.save_dialog_answers import answer_save_dialogs


def test_file_is_opened_and_saved_with_nothing_else_changed(qtbot, job):
    before = job.read_bytes()
    os.chmod(job, 0o640)

    def script(driver):
        yield driver.is_open
        corpus = driver.workspace.corpus
        assert (corpus.name, corpus.size) == ("job.sdlxliff", 6)
        assert not driver.shell.isWindowModified()
        edit_target(driver, 5, "Zu früh.")
        assert driver.shell.status._saved.text() == "Not saved"
        offer = driver.shell.status.save_link
        assert offer.text() == "Save (Ctrl+S)"
        assert offer.focusPolicy() & Qt.FocusPolicy.TabFocus
        driver.shell.commands["edit.undo"].trigger()
        assert driver.shell.status._saved.text() == ""
        edit_target(driver, 1, "⟨1⟩Halten⟨/1⟩ Sie sie an.", ReviewStatus.CONFIRMED)
        edit_target(driver, 5, "Noch kein Ziel.")
        assert driver.shell.isWindowModified()
        assert driver.shell.status._saved.text() == "Not saved"
        driver.shell.resize(1400, 800)
        yield lambda: driver.shell.width() == 1400
        bottom = driver.shell.areas.height()
        yield start_save(driver, driver.shell.status.save_link.click)
        # the message is in the line, so that a click at the old position of a button still hits it
        assert driver.shell.areas.height() == bottom
        after = job.read_bytes()
        rewritten = parse_document(before, "job").with_targets(
            {1: "⟨1⟩Halten⟨/1⟩ Sie sie an.", 5: "Noch kein Ziel."}, {1: ReviewStatus.CONFIRMED}
        )
        assert after == rewritten.data
        assert notice_titles(driver)[-1] == "Saved with 2 changed segments; everything else is unchanged"
        assert not driver.shell.isWindowModified()
        assert driver.workspace.session.reviewing.unsaved_segments() == []
        # saving after undo starts again from the bytes that were read
        driver.shell.commands["edit.undo"].trigger()
        yield start_save(driver)
        assert parse_document(job.read_bytes(), "job").segments[5].target_line == ""

    assert run_script([str(job)], script) == 0
    assert stat.S_IMODE(job.stat().st_mode) == 0o640
    assert list(job.parent.iterdir()) == [job]


def test_typing_removes_the_report_that_everything_is_saved(qtbot, job):
    """Regression: "everything else is unchanged" and "Saved" remained on screen while the user typed."""

    def script(driver):
        yield driver.is_open
        edit_target(driver, 5, "Zu früh.")
        yield start_save(driver)
        assert "Saved with 1 changed segment; everything else is unchanged" in notice_titles(driver)
        assert driver.shell.status._saved.text() == "Saved"
        controller = driver.shell.area("inspect").review.controller
        # not a command, which would remove the report as well
        controller.typed.emit(0, "", "x")
        assert notice_titles(driver) == []
        assert driver.shell.status._saved.text() == ""

    assert run_script([str(job)], script) == 0


def test_each_of_several_files_is_saved_to_its_own_path(qtbot, job):
    other = Path(shutil.copy(FOLDER / "two.xlf", job.parent / "two.xlf"))
    untouched = Path(shutil.copy(FOLDER / "okapi.xlf", job.parent / "okapi.xlf"))
    inode = untouched.stat().st_ino

    def script(driver):
        yield driver.is_open
        (first,) = [file.first for file in driver.workspace.corpus.job.files if file.name == "two.xlf"]
        edit_target(driver, first + 3, "Drei Wörter", ReviewStatus.CONFIRMED)
        yield start_save(driver)
        assert notice_titles(driver)[-1].startswith("Saved with 1 changed segment; ")

    assert run_script([str(job.parent)], script) == 0
    again = parse_document(other.read_bytes(), "two")
    assert (again.segments[3].target_line, again.segments[3].state) == ("Drei Wörter", "reviewed")
    assert untouched.stat().st_ino == inode


def test_changes_since_the_last_save_are_counted(qtbot, job):
    def script(driver: ProgramDriver):
        yield driver.is_open
        titles = []
        for segment, line in ((0, "Die Pumpe läuft an."), (5, "Zu früh."), (5, "Zu spät.")):
            edit_target(driver, segment, line)
            yield start_save(driver)
            titles += notice_titles(driver)
        driver.shell.commands["edit.undo"].trigger()
        driver.shell.commands["edit.undo"].trigger()
        yield start_save(driver)
        titles += notice_titles(driver)
        rest = "everything else is unchanged"
        assert titles == [
            f"Saved with 1 changed segment; {rest}",
            *[f"Saved with 1 changed segment, 2 in total since the file was first opened; {rest}"] * 2,
            f"Saved with 1 changed segment; {rest}",
        ]

    assert run_script([str(job)], script) == 0


def test_title_names_the_file_that_is_saved(qtbot, job, answers, monkeypatch):
    replies, _ = answers
    elsewhere = job.with_name("mine.sdlxliff")
    answer_save_dialogs(monkeypatch, elsewhere)

    def script(driver: ProgramDriver):
        yield driver.is_open
        assert driver.shell.windowTitle().startswith("job.sdlxliff[*]")
        edit_target(driver, 0, "Die Pumpe läuft an.")
        job.write_bytes(job.read_bytes() + b"\n")
        replies.append("Save as…")
        yield start_save(driver)
        assert driver.shell.windowTitle().startswith("mine.sdlxliff[*]")

    assert run_script([str(job)], script) == 0

    def again(driver: ProgramDriver):
        yield driver.is_open
        assert driver.shell.windowTitle().startswith("mine.sdlxliff[*]")

    assert run_script([str(elsewhere)], again) == 0


# --- the file on the disk was changed


def test_a_file_that_changed_is_never_overwritten_silently(qtbot, job, answers, monkeypatch):
    replies, questions = answers
    changed_data = job.read_bytes() + b"\n"
    elsewhere = job.with_name("mine.sdlxliff")
    answer_save_dialogs(monkeypatch, elsewhere)

    def script(driver):
        yield driver.is_open
        edit_target(driver, 0, "Die Pumpe läuft an.")
        job.write_bytes(changed_data)
        replies.append("Cancel")
        ended = []
        driver.wiring.job_saver.ended.connect(ended.append)
        driver.shell.commands["file.save"].trigger()
        yield lambda: ended
        assert (ended, job.read_bytes()) == ([False], changed_data)
        assert driver.shell.isWindowModified()
        replies.append("Save as…")
        yield start_save(driver)
        assert job.read_bytes() == changed_data
        assert "Die Pumpe läuft an.".encode() in elsewhere.read_bytes()
        # later saves go to the new path
        edit_target(driver, 0, "Die Pumpe startet jetzt.")
        yield start_save(driver)
        assert b"Die Pumpe startet jetzt." in elsewhere.read_bytes()
        elsewhere.write_bytes(changed_data)
        edit_target(driver, 0, "Die Pumpe geht an.")
        replies.append("Overwrite")
        yield start_save(driver)
        assert b"Die Pumpe geht an." in elsewhere.read_bytes()
        assert questions == [
            "Another program changed job.sdlxliff after it was read.",
            "Another program changed job.sdlxliff after it was read.",
            "Another program changed mine.sdlxliff after it was read.",
        ]

    assert run_script([str(job)], script) == 0
    assert job.read_bytes() == changed_data


def test_missing_file_is_asked_about(qtbot, job, answers):
    replies, questions = answers

    def script(driver):
        yield driver.is_open
        edit_target(driver, 0, "Die Pumpe läuft an.")
        job.unlink()
        replies.append("Recreate file")
        yield start_save(driver)
        assert questions == ["job.sdlxliff is no longer in its folder."]
        assert "Die Pumpe läuft an.".encode() in job.read_bytes()

    assert run_script([str(job)], script) == 0


def test_missing_folder_asks_for_another_path(qtbot, job, tmp_path, answers, monkeypatch):
    replies, questions = answers
    other = tmp_path / "elsewhere.sdlxliff"
    opened = answer_save_dialogs(monkeypatch, other)

    def script(driver):
        yield driver.is_open
        edit_target(driver, 0, "Die Pumpe läuft an.")
        shutil.rmtree(job.parent)
        replies.append("Save as…")
        yield start_save(driver)
        assert questions == ["job.sdlxliff cannot be saved: its folder no longer exists."]
        assert opened[0][0].parent.is_dir()
        assert "Die Pumpe läuft an.".encode() in other.read_bytes()
        # later saves go to the new path
        edit_target(driver, 0, "Die Pumpe geht an.")
        yield start_save(driver)
        assert b"Die Pumpe geht an." in other.read_bytes()
        assert len(questions) == 1

    assert run_script([str(job)], script) == 0


def test_write_error_is_reported_and_the_file_is_unchanged(qtbot, job, monkeypatch):
    before = job.read_bytes()
    monkeypatch.setattr(os, "fsync", lambda number: (_ for _ in ()).throw(OSError(28, "No space left on device")))

    def script(driver):
        yield driver.is_open
        edit_target(driver, 0, "Die Pumpe läuft an.")
        yield start_save(driver)
        assert "No space left on device" in notice_titles(driver)[-1]
        assert driver.shell.isWindowModified()

    assert run_script([str(job)], script) == 0
    assert job.read_bytes() == before
    assert list(job.parent.iterdir()) == [job]


def test_symbolic_link_is_kept_and_its_target_is_written(qtbot, job):
    link = job.with_name("link.sdlxliff")
    link.symlink_to(job)

    def script(driver):
        yield driver.is_open
        edit_target(driver, 0, "Die Pumpe läuft an.")
        yield start_save(driver)

    assert run_script([str(link)], script) == 0
    assert link.is_symlink()
    assert "Die Pumpe läuft an.".encode() in job.read_bytes()


# --- closing, copies, exports


def test_closing_asks_and_saves(qtbot, job, answers):
    replies, questions = answers

    def script(driver):
        yield driver.is_open
        edit_target(driver, 0, "Die Pumpe läuft an.")
        replies.append("Go back")
        driver.shell.commands["file.close"].trigger()
        yield driver.is_answered
        assert driver.workspace.session is not None
        replies.append("Save")
        driver.shell.commands["file.close"].trigger()
        yield lambda: driver.workspace.session is None
        assert questions == ["Save the changes to 1 segment of job.sdlxliff before closing?"] * 2
        assert "Die Pumpe läuft an.".encode() in job.read_bytes()

    assert run_script([str(job)], script) == 0


def test_closing_states_that_several_files_have_unsaved_edits(qtbot, job, answers):
    replies, questions = answers
    shutil.copy(FOLDER / "two.xlf", job.parent / "two.xlf")

    def script(driver):
        yield driver.is_open
        for file in driver.workspace.corpus.job.files:
            edit_target(driver, file.first, "Die Pumpe läuft an.")
        replies.append("Discard edits")
        driver.shell.commands["file.close"].trigger()
        yield lambda: driver.workspace.session is None
        assert questions == ["Save the changes to 2 segments in several files before closing?"]

    assert run_script([str(job.parent)], script) == 0


def test_saving_a_copy_does_not_change_the_file(qtbot, job, monkeypatch):
    before, copy = job.read_bytes(), job.with_name("copy.sdlxliff")
    answer_save_dialogs(monkeypatch, copy)

    def script(driver):
        yield driver.is_open
        edit_target(driver, 0, "Die Pumpe läuft an.")
        driver.shell.commands["file.save-copy"].trigger()
        yield lambda: notice_titles(driver)
        assert "Die Pumpe läuft an.".encode() in copy.read_bytes()
        assert driver.shell.isWindowModified()
        driver.workspace.session.reviewing.mark_saved()

    assert run_script([str(job)], script) == 0
    assert job.read_bytes() == before


def test_file_saved_as_a_copy_over_itself_is_not_taken_for_changed_by_another_program(qtbot, job, answers, monkeypatch):
    answer_save_dialogs(monkeypatch, job)
    replies, questions = answers

    def script(driver):
        yield driver.is_open
        edit_target(driver, 0, "Die Pumpe läuft an.")
        driver.shell.commands["file.save-copy"].trigger()
        yield lambda: notice_titles(driver)
        edit_target(driver, 0, "Die Pumpe läuft.")
        replies.append("Cancel")
        yield start_save(driver)
        assert questions == []
        assert "Die Pumpe läuft.".encode() in job.read_bytes()
        assert not driver.shell.isWindowModified()
        replies.clear()

    assert run_script([str(job)], script) == 0


def test_reviewed_targets_are_exported(qtbot, job, answers, monkeypatch):
    path = job.with_name("out.tmx")
    answers[0].append("Export confirmed segments")
    answer_save_dialogs(monkeypatch, path)

    def script(driver):
        yield driver.is_open
        edit_target(driver, 0, "Die Pumpe läuft an.", ReviewStatus.CONFIRMED)
        driver.shell.commands["file.export-as"].trigger()
        yield lambda: notice_titles(driver)
        # a translation memory contains only confirmed segments
        assert notice_titles(driver) == ["out.tmx written: 1 segment as TMX"]
        driver.workspace.session.reviewing.mark_saved()

    assert run_script([str(job)], script) == 0
    assert parse_document(path.read_bytes(), "out.tmx").segments[0].target_line == "Die Pumpe läuft an."


def test_project_stores_path_and_hash_of_the_written_file(qtbot, job):
    from qe_desktop.project.reviewed_files import WrittenFile, sha256_hex, written_files

    rows = []

    def script(driver):
        yield driver.is_open
        session = driver.workspace.session
        session.set_storage(rows.extend, "Anna")
        edit_target(driver, 0, "Die Pumpe läuft an.")
        yield start_save(driver)

    assert run_script([str(job)], script) == 0
    written = written_files((row.name, row.value) for row in rows if hasattr(row, "scope"))
    assert written == {0: WrittenFile(str(job), sha256_hex(job.read_bytes()))}


def test_closing_twice_while_files_are_saved_asks_once(qtbot, job, answers, monkeypatch):
    replies, questions = answers
    go_on, real = threading.Event(), bilingual_saver.write_files

    def write(*values):
        assert go_on.wait(PATIENCE)
        return real(*values)

    monkeypatch.setattr(bilingual_saver, "write_files", write)

    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 0, "Anders")
        replies.append("Save")
        assert not driver.shell.close()
        assert not driver.shell.close()
        driver.shell.commands["file.close"].trigger()
        assert driver.workspace.session is not None
        assert len(questions) == 1
        go_on.set()
        yield lambda: not driver.shell.isVisible()

    assert run_script([str(job)], script) == 0
    assert len(questions) == 1
    assert b"Anders" in job.read_bytes()
