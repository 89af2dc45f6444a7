"""Files that another program changed are reloaded with the edits in private mode and in projects, too."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.project.events import ReviewField
from qe_desktop.project.journal.file_reload import ProjectReload
from qe_desktop.ui.files.bilingual import file_reloader
from qe_desktop.ui.files.bilingual.file_reloader import _reload_message, reload_obstacle
from qe_desktop.ui.settings import Settings
from tests.ui.program.bilingual_saving import edit_target, notice_titles, start_recorded_save
from tests.ui.program_driver import ProgramDriver, run_script

LINE = "Die Pumpe läuft an."
RELOAD = "Reload and keep my edits"


def store_in_project(driver: ProgramDriver, path) -> None:
    """Continue in a new project, as File ▸ Save as project does."""
    driver.wiring.projects.opener.create(str(path))


def changed_by_others(data: bytes) -> bytes:
    """Return the file with two other targets."""
    third = parse_document(data, "job").segments[3].target_line
    return parse_document(data, "job").with_targets({3: f"{third} Anders.", 5: "Neu."}, {}).data


def test_private_mode_reloads_with_the_edits(qtbot, job, answers):
    Settings().journals = False
    replies, _ = answers
    original = job.read_bytes()
    third = parse_document(original, "job").segments[3].target_line

    def reload(driver: ProgramDriver):
        yield driver.is_open
        session = driver.workspace.session
        mt = session.corpus.mt_line(0)
        edit_target(driver, 0, LINE, ReviewStatus.CONFIRMED)
        edit_target(driver, 3, f"{third} Noch einmal.")
        driver.workspace.go_to(5)
        data = changed_by_others(original)
        job.write_bytes(data)
        replies.append(RELOAD)
        _, is_over = start_recorded_save(driver)
        yield is_over
        yield lambda: driver.is_open() and driver.workspace.session is not session
        session = driver.workspace.session
        assert (driver.workspace.journal, driver.workspace.segment, job.read_bytes()) == (None, 5, data)
        assert [session.view.target(segment) for segment in (0, 3, 5)] == [LINE, f"{third} Anders.", "Neu."]
        assert session.view.status(0) is ReviewStatus.CONFIRMED
        assert session.corpus.mt_line(0) == mt
        assert session.reviewing.unsaved_segments() == [0]
        assert notice_titles(driver) == ["The file was changed by another program"]
        # that of segment 5, which the user did not edit
        advice = driver.shell.notices.current.message.advice
        assert "In 1 segment that you did not edit, the target, status or note has changed." in advice
        driver.shell.commands["edit.undo"].trigger()
        assert session.view.target(3) == f"{third} Noch einmal."
        driver.shell.commands["edit.redo"].trigger()
        _, is_over = start_recorded_save(driver)
        yield is_over
        segments = parse_document(job.read_bytes(), "job").segments
        assert [segments[segment].target_line for segment in (0, 3, 5)] == [LINE, f"{third} Anders.", "Neu."]
        # a save in this window is not a change by others
        session = driver.workspace.session
        job.write_bytes(job.read_bytes() + b"\n")
        edit_target(driver, 5, "Ganz neu.")
        replies.append(RELOAD)
        _, is_over = start_recorded_save(driver)
        yield is_over

        yield lambda: driver.is_open() and driver.workspace.session is not session
        session = driver.workspace.session
        assert session.reviewing.unsaved_segments() == [5]
        assert session.view.status(0) is ReviewStatus.CONFIRMED
        session.reviewing.mark_saved()

    assert run_script([str(job)], reload) == 0


def test_edits_made_while_a_file_is_reloaded_in_private_mode_are_carried_over(qtbot, job, answers, monkeypatch):
    Settings().journals = False
    replies, _ = answers
    reads = []
    read_again = file_reloader.read_again

    def reload(driver: ProgramDriver):
        yield driver.is_open
        session = driver.workspace.session
        read = read_again

        def read_and_count(*arguments):
            reads.append(len(session.reviewing.rows()))
            if len(reads) == 1:
                edit_target(driver, 1, LINE)
            return read(*arguments)

        monkeypatch.setattr(file_reloader, "read_again", read_and_count)
        edit_target(driver, 0, LINE)
        job.write_bytes(job.read_bytes() + b"\n")
        replies.append(RELOAD)
        driver.shell.commands["file.save"].trigger()
        yield lambda: driver.is_open() and driver.workspace.session is not session
        session = driver.workspace.session
        assert len(reads) == 2
        assert session.reviewing.unsaved_segments() == [0, 1]
        session.reviewing.mark_saved()

    assert run_script([str(job)], reload) == 0


def test_a_file_that_cannot_be_read_again_stays_open_in_private_mode(qtbot, job, answers):
    Settings().journals = False
    replies, _ = answers

    def reload(driver: ProgramDriver):
        yield driver.is_open
        session = driver.workspace.session
        edit_target(driver, 0, LINE)
        job.write_bytes(job.read_bytes()[:-40])
        replies.append(RELOAD)
        _, is_over = start_recorded_save(driver)
        yield is_over
        assert len(notice_titles(driver)) == 1
        assert driver.workspace.session is session
        assert session.reviewing.unsaved_segments() == [0]
        session.reviewing.mark_saved()

    assert run_script([str(job)], reload) == 0


def test_a_project_takes_over_the_changes_as_one_undo_step(qtbot, job, answers, tmp_path):
    replies, _ = answers
    original = job.read_bytes()
    third = parse_document(original, "job").segments[3].target_line

    def reload(driver: ProgramDriver):
        yield driver.is_open
        store_in_project(driver, tmp_path / "all.qedesk")
        yield lambda: driver.workspace.project is not None
        session = driver.workspace.session
        edit_target(driver, 0, LINE, ReviewStatus.CONFIRMED)
        edit_target(driver, 3, f"{third} Noch einmal.")
        data = changed_by_others(original)
        job.write_bytes(data)
        replies.append(RELOAD)
        _, is_over = start_recorded_save(driver)
        yield is_over
        yield lambda: session.view.target(5) == "Neu."
        assert (driver.workspace.session, job.read_bytes()) == (session, data)
        assert [session.view.target(segment) for segment in (0, 3)] == [LINE, f"{third} Anders."]
        assert notice_titles(driver)[-1] == "The file was reloaded: 2 segments changed by another program"
        driver.shell.commands["edit.undo"].trigger()
        assert session.view.target(3) == f"{third} Noch einmal."
        driver.shell.commands["edit.redo"].trigger()
        _, is_over = start_recorded_save(driver)
        yield is_over
        segments = parse_document(job.read_bytes(), "job").segments
        assert [segments[segment].target_line for segment in (0, 3, 5)] == [LINE, f"{third} Anders.", "Neu."]

    assert run_script([str(job)], reload) == 0


def test_a_project_says_which_segments_of_a_file_it_cannot_take_over(qtbot, tmp_path, answers):
    replies, _ = answers
    path = tmp_path / "job.po"
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nLanguage: de\\n"\n\n'
    entries = ['msgid "House"\nmsgstr "Haus"\n\n', 'msgid "Dog"\nmsgstr "Hund"\n\n']
    path.write_text(head + "".join(entries), "utf-8")

    def reload(driver: ProgramDriver):
        yield driver.is_open
        store_in_project(driver, tmp_path / "all.qedesk")
        yield lambda: driver.workspace.project is not None
        session = driver.workspace.session
        session.reviewing.set({1: {ReviewField.TARGET: "Der Hund"}})
        path.write_text(head + entries[0], "utf-8")
        replies.append(RELOAD)
        _, is_over = start_recorded_save(driver)
        yield is_over
        yield lambda: "cannot be reloaded into the project" in notice_titles(driver)[-1]
        assert session.view.target(1) == "Der Hund"

    assert run_script([str(path)], reload) == 0


def test_the_question_says_why_a_file_cannot_be_reloaded(qtbot, job):
    def ask(driver: ProgramDriver):
        yield driver.is_open
        assert reload_obstacle(driver.workspace) == ""
        driver.workspace.session.read_only = "The project is read-only."
        assert "because the project is read-only" in reload_obstacle(driver.workspace)
        driver.workspace.session.read_only = ""

    assert run_script([str(job)], ask) == 0


def test_a_reloaded_file_of_a_project_is_not_reported_again(qtbot, job, answers, tmp_path):
    """The project stores the file as it was reloaded, also for the next window."""
    replies, questions = answers
    place = tmp_path / "all.qedesk"

    def reload(driver: ProgramDriver):
        yield driver.is_open
        store_in_project(driver, place)
        yield lambda: driver.workspace.project is not None
        edit_target(driver, 0, LINE)
        job.write_bytes(changed_by_others(job.read_bytes()))
        replies.append(RELOAD)
        _, is_over = start_recorded_save(driver)
        yield is_over
        yield lambda: driver.workspace.view.target(5) == "Neu."

    assert run_script([str(job)], reload) == 0

    def save(driver: ProgramDriver):
        yield lambda: driver.workspace.project is not None and driver.is_open()
        _, is_over = start_recorded_save(driver)
        yield is_over
        segments = parse_document(job.read_bytes(), "job").segments
        assert [segments[segment].target_line for segment in (0, 5)] == [LINE, "Neu."]

    assert run_script([str(place)], save) == 0
    assert len(questions) == 1


@pytest.mark.parametrize(("count", "title"), [(1, "The file was reloaded: 0"), (2, "The files were reloaded: 0")])
def test_the_message_counts_the_files(count, title):
    reload = ProjectReload(dict.fromkeys(range(count)), {}, ())
    assert _reload_message(reload).title.startswith(title)
