"""Journals of bilingual files in the window: edits are restored, discarded edits are not."""

from __future__ import annotations

import json
from threading import Event

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats import Role
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.project.events import ReviewField
from qe_desktop.project.journal.file_journal import JournalFolder
from qe_desktop.project.journal.typing_draft import read_draft
from qe_desktop.project.reviewed_files import WrittenFile
from qe_desktop.project.store.project import Project
from qe_desktop.ui.files.bilingual import file_reloader, journal_controller
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.segment_list.segment_view import SegmentView
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.dialogs import CloseAttempt
from tests.formats.bilingual.samples import read_sample
from tests.timeouts import PATIENCE
from tests.ui.program.bilingual_saving import edit_target, notice_titles, start_recorded_save
from tests.ui.program_driver import ProgramDriver, run_script

LINE = "Die Pumpe läuft an."


def is_stored(driver: ProgramDriver) -> bool:
    return driver.wiring.projects.service.pending == 0


def test_edits_of_a_file_are_restored_with_undo_and_mt(qtbot, job):
    before = job.read_bytes()

    def edit(driver: ProgramDriver):
        yield driver.is_open
        assert driver.workspace.project is None
        edit_target(driver, 0, LINE, ReviewStatus.CONFIRMED)
        assert driver.workspace.session.reviewing.unsaved_segments() == [0]
        assert driver.shell.isWindowModified()
        yield lambda: is_stored(driver)

    assert run_script([str(job)], edit) == 0
    assert job.read_bytes() == before

    def reopen(driver: ProgramDriver):
        yield driver.is_open
        session = driver.workspace.session
        assert session.view.target(0) == LINE
        assert session.view.status(0) is ReviewStatus.CONFIRMED
        assert session.corpus.mt_line(0) != LINE
        assert notice_titles(driver) == ["Restored: 1 segment with changes that are not saved in the file yet"]
        assert driver.shell.isWindowModified()
        _, is_over = start_recorded_save(driver)
        yield is_over
        assert session.reviewing.unsaved_segments() == []
        driver.shell.commands["edit.undo"].trigger()
        assert session.view.target(0) == session.corpus.mt_line(0)
        driver.shell.commands["edit.redo"].trigger()
        session.reviewing.mark_saved()

    assert run_script([str(job)], reopen) == 0
    assert job.read_bytes() != before


def test_discarded_edits_are_not_restored(qtbot, job):
    def discard(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 0, LINE)
        driver.shell.commands["file.close"].trigger()
        yield lambda: isinstance(QApplication.activeModalWidget(), QMessageBox)
        box = QApplication.activeModalWidget()
        next(button for button in box.buttons() if button.text() == "Discard edits").click()
        yield lambda: driver.workspace.session is None

    assert run_script([str(job)], discard) == 0

    def reopen(driver: ProgramDriver):
        yield driver.is_open
        session = driver.workspace.session
        assert session.view.target(0) != LINE
        assert session.reviewing.unsaved_segments() == []
        assert notice_titles(driver) == []
        session.undo()
        assert session.view.target(0) == LINE

    assert run_script([str(job)], reopen) == 0


def test_typed_text_is_stored_before_it_is_committed(qtbot, job):
    def type_text(driver: ProgramDriver):
        yield driver.is_open
        journal, segment = driver.workspace.journal, driver.workspace.segment
        driver.shell.commands["inspect.correct"].trigger()
        editing = driver.shell.findChild(InspectArea).review.controller
        edit = editing.panel.edit
        target = driver.workspace.view.target(segment)

        def typing() -> bool:
            # keys without a pause of the delay after which edits are committed
            QTest.keyClick(edit, Qt.Key.Key_X)
            return journal.entry.draft.exists()

        yield typing
        assert driver.workspace.view.target(segment) == target
        draft = read_draft(journal.entry.draft)
        assert (draft.segment, draft.field, draft.before) == (segment, ReviewField.TARGET, target)
        assert draft.text in edit.line
        assert "x" in draft.text
        editing.stop_editing()
        assert driver.workspace.view.target(segment) == edit.line != target
        # nothing is being typed any more
        yield lambda: not journal.entry.draft.exists()

    assert run_script([str(job)], type_text) == 0


def test_a_note_is_stored_while_it_is_typed_and_not_after_escape(qtbot, job):
    def type_note(driver: ProgramDriver):
        yield driver.is_open
        draft, segment = driver.workspace.journal.entry.draft, driver.workspace.segment
        driver.shell.commands["inspect.note"].trigger()
        edit = driver.shell.findChild(InspectArea).review.controller.panel.note
        QTest.keyClicks(edit, "why?")
        yield draft.exists
        stored = read_draft(draft)
        assert (stored.segment, stored.field, stored.text) == (segment, ReviewField.NOTE, "why?")
        QTest.keyClick(edit, Qt.Key.Key_Escape)
        yield lambda: not draft.exists()
        assert driver.workspace.view.note(segment) == ""

    assert run_script([str(job)], type_note) == 0


def test_private_mode_stores_nothing(qtbot, job):
    Settings().journals = False

    def edit(driver: ProgramDriver):
        yield driver.is_open
        assert driver.workspace.journal is None
        edit_target(driver, 0, LINE)

    assert run_script([str(job)], edit) == 0
    assert JournalFolder().entries() == []


def test_private_mode_writes_no_typed_text_anywhere(qtbot, job, tmp_path):
    Settings().journals = False

    def type_text(driver: ProgramDriver):
        yield driver.is_open
        driver.shell.commands["inspect.correct"].trigger()
        controller = driver.shell.findChild(InspectArea).review.controller
        QTest.keyClicks(controller.panel.edit, "Zebrafink")
        controller.flush()
        driver.shell.commands["inspect.note"].trigger()
        QTest.keyClicks(controller.panel.note, "Zebrastreifen")
        QTest.keyClick(controller.panel.note, Qt.Key.Key_Return)
        yield lambda: driver.workspace.session.reviewing.unsaved_segments() == [driver.workspace.segment]
        assert "Zebrafink" in driver.workspace.view.target(driver.workspace.segment)
        driver.workspace.session.reviewing.mark_saved()

    assert run_script([str(job)], type_text) == 0
    written = [path for path in tmp_path.rglob("*") if path.is_file() and b"Zebra" in path.read_bytes()]
    assert written == []


def test_first_and_last_segment_by_keys_in_the_list(qtbot, job):
    def press_keys(driver: ProgramDriver):
        yield driver.is_open
        view = driver.shell.findChild(SegmentView)
        view.setFocus()
        last = driver.workspace.session.corpus.size - 1
        for key, segment in ((Qt.Key.Key_End, last), (Qt.Key.Key_Home, 0)):
            QTest.keyClick(view, key, Qt.KeyboardModifier.ControlModifier)
            assert driver.workspace.segment == segment
            assert QApplication.focusWidget() is view

    assert run_script([str(job)], press_keys) == 0


def test_private_mode_ends_the_journal_of_the_open_file(qtbot, job):
    def edit(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 0, LINE)
        assert len(JournalFolder().entries()) == 1
        driver.workspace.settings.journals = False
        assert driver.workspace.journal is None
        assert list(JournalFolder().path.iterdir()) == []
        edit_target(driver, 0, f"{LINE} Jetzt.")
        assert driver.workspace.session.reviewing.unsaved_segments() == [0]
        _, is_over = start_recorded_save(driver)
        yield is_over
        assert driver.workspace.session.reviewing.unsaved_segments() == []

    assert run_script([str(job)], edit) == 0
    assert f"{LINE} Jetzt." in job.read_text()


def test_edits_that_were_to_be_discarded_stay_if_the_file_is_not_closed(qtbot, job, answers, tmp_path):
    """They are reverted only by closing in the same attempt, not when the session is saved as a project later."""
    replies, questions = answers

    def edit(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 0, LINE)
        replies.append("Discard edits")
        resumed: list[bool] = []
        attempt = CloseAttempt(lambda attempt, well: resumed.append(well))
        assert driver.wiring.job_saver.may_close(attempt) is None
        yield lambda: resumed == [True]
        assert driver.wiring.job_saver.may_close(attempt) is True
        # opening the next file failed, and the session is stored in a project
        session = driver.workspace.session
        project = Project.create(tmp_path / "all.qedesk", session.corpus, person="me")
        driver.workspace.continue_in_project(project)
        assert driver.workspace.view.target(0) == LINE
        assert len(questions) == 1

    assert run_script([str(job)], edit) == 0


def test_files_added_to_an_open_file_are_stored_in_its_journal(qtbot, job):
    reference = job.with_name("reference.txt")

    def add(driver: ProgramDriver):
        yield driver.is_open
        reference.write_text("Ein Satz.\n" * driver.workspace.corpus.size)
        edit_target(driver, 0, LINE)
        driver.shell.open_paths([str(reference)])
        yield lambda: driver.wiring.opener.sheet is not None
        sheet = driver.wiring.opener.sheet
        sheet.add_requested.emit(sheet.model.plan.with_role(reference, Role.REFERENCE))
        yield lambda: driver.workspace.corpus.references and not driver.shell.jobs.running_jobs()

    assert run_script([str(job)], add) == 0
    reference.unlink()

    def reopen(driver: ProgramDriver):
        yield driver.is_open
        assert len(driver.workspace.corpus.references) == 1
        assert driver.workspace.view.target(0) == LINE

    assert run_script([str(job)], reopen) == 0


def test_same_file_can_be_opened_again(qtbot, tmp_path):
    path = tmp_path / "job.sdlxliff"
    path.write_bytes(read_sample("studio.sdlxliff"))

    def edit(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 0, LINE)
        _, is_over = start_recorded_save(driver)
        yield is_over
        first = driver.workspace.session
        driver.shell.commands["file.recognised"].trigger()
        driver.wiring.opener.details.change_button.click()
        yield lambda: driver.wiring.opener.sheet is not None
        driver.wiring.opener.sheet.open_requested.emit(driver.wiring.opener.sheet.model.plan)
        yield lambda: driver.is_open() and driver.workspace.session is not first
        assert driver.workspace.journal is not None
        assert driver.workspace.view.target(0) == LINE

    assert run_script([str(path)], edit) == 0


def test_a_changed_file_is_reloaded_with_the_edits(qtbot, job, answers):
    """Edits that the other program did not touch stay; where it edited the segment, its version is shown."""
    replies, questions = answers
    original = job.read_bytes()
    third = parse_document(original, "job").segments[3].target_line

    def reload(driver: ProgramDriver):
        yield driver.is_open
        session = driver.workspace.session
        edit_target(driver, 0, LINE, ReviewStatus.CONFIRMED)
        edit_target(driver, 3, f"{third} Noch einmal.")
        driver.workspace.go_to(5)
        data = parse_document(original, "job").with_targets({3: f"{third} Anders.", 5: "Neu."}, {}).data
        job.write_bytes(data)
        replies.append("Reload and keep my edits")
        _, is_over = start_recorded_save(driver)
        yield is_over
        yield lambda: driver.is_open() and driver.workspace.session is not session
        assert (job.read_bytes(), driver.workspace.segment) == (data, 5)
        session = driver.workspace.session
        assert [session.view.target(segment) for segment in (0, 3, 5)] == [LINE, f"{third} Anders.", "Neu."]
        assert session.view.status(0) is ReviewStatus.CONFIRMED
        assert session.reviewing.unsaved_segments() == [0]
        assert notice_titles(driver) == ["The file was changed by another program"]
        driver.shell.commands["edit.undo"].trigger()
        assert session.view.target(3) == f"{third} Noch einmal."
        driver.shell.commands["edit.redo"].trigger()
        _, is_over = start_recorded_save(driver)
        yield is_over
        segments = parse_document(job.read_bytes(), "job").segments
        assert [segments[segment].target_line for segment in (0, 3, 5)] == [LINE, f"{third} Anders.", "Neu."]

    assert run_script([str(job)], reload) == 0
    assert questions == ["Another program changed job.sdlxliff after it was read."]


def test_edits_of_segments_that_are_lost_on_reloading_are_listed(qtbot, tmp_path, answers):
    replies, _ = answers
    path = tmp_path / "job.po"
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nLanguage: de\\n"\n\n'
    entries = ['msgid "House"\nmsgstr "Haus"\n\n', 'msgid "Dog"\nmsgstr "Hund"\n\n']
    path.write_text(head + "".join(entries), "utf-8")

    def reload(driver: ProgramDriver):
        yield driver.is_open
        session = driver.workspace.session
        session.reviewing.set({1: {ReviewField.TARGET: "Der Hund", ReviewField.NOTE: "or a hound?"}})
        path.write_text(head + entries[0], "utf-8")
        replies.append("Reload and keep my edits")
        driver.shell.commands["file.save"].trigger()
        yield lambda: driver.is_open() and driver.workspace.session is not session
        (notice,) = driver.shell.notices.notices()
        assert notice.message.advice == "1 segment that you edited was not found in the file."
        assert notice.message.details == ("Dog – your target: Der Hund – your note: or a hound?",)

    assert run_script([str(path)], reload) == 0


def test_files_stay_open_if_they_cannot_be_read_again(qtbot, job, answers):
    replies, _ = answers

    def reload(driver: ProgramDriver):
        yield driver.is_open
        session = driver.workspace.session
        edit_target(driver, 0, LINE)
        job.write_bytes(job.read_bytes()[:-40])
        replies.append("Reload and keep my edits")
        _, is_over = start_recorded_save(driver)
        yield is_over
        assert len(notice_titles(driver)) == 1
        assert driver.workspace.session is session
        assert session.reviewing.unsaved_segments() == [0]
        session.reviewing.mark_saved()

    assert run_script([str(job)], reload) == 0


def test_files_that_are_closed_while_they_are_read_again_stay_closed(qtbot, job, answers, monkeypatch):
    replies, _ = answers
    reading, closed = Event(), Event()
    build_corpus = file_reloader.build_corpus

    def read_slowly(*arguments, **options):
        reading.set()
        assert closed.wait(PATIENCE)
        return build_corpus(*arguments, **options)

    def reload(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 0, LINE)
        job.write_bytes(job.read_bytes() + b"\n")
        replies.append("Reload and keep my edits")
        monkeypatch.setattr(file_reloader, "build_corpus", read_slowly)
        driver.shell.commands["file.save"].trigger()
        yield reading.is_set
        driver.workspace.close()
        closed.set()
        yield lambda: not driver.shell.jobs.running_jobs()
        assert driver.workspace.session is None

    assert run_script([str(job)], reload) == 0


def test_old_journals_are_deleted_after_the_start(qtbot, job, monkeypatch):
    monkeypatch.setattr(journal_controller, "CLEAN_UP_DELAY_MS", 0)
    folder = JournalFolder()
    old, recent = (folder.new_entry([WrittenFile(f"/jobs/{name}", "0" * 64)]) for name in ("old.po", "recent.po"))
    for entry in (old, recent):
        entry.database.write_bytes(b"x")
        entry.write()
    (description,) = [path for path in folder.path.glob("*.json") if "/jobs/old.po" in path.read_text()]
    description.write_text(json.dumps(json.loads(description.read_text()) | {"used": 0}))

    def script(driver: ProgramDriver):
        yield driver.is_open
        yield lambda: not old.database.exists()
        assert recent.database.exists()

    assert run_script([str(job)], script) == 0
