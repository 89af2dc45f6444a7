"""Journals of bilingual files in the window: edits are restored, discarded edits are not."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

from qe_desktop.corpus import ReviewStatus
from qe_desktop.project.journal.journal_folder import JournalFolder
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.settings import Settings
from tests.formats.bilingual.samples import read_sample
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
        assert driver.workspace.session.reviewing.unsaved() == [0]
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
        assert notice_titles(driver) == ["Restored: your edits of 1 segment that is not saved in the file"]
        assert driver.shell.isWindowModified()
        _, is_over = start_recorded_save(driver)
        yield is_over
        assert session.reviewing.unsaved() == []
        driver.shell.commands["edit.undo"].trigger()
        assert session.view.target(0) == session.corpus.mt_line(0)
        driver.shell.commands["edit.redo"].trigger()
        session.reviewing.saved()

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
        assert session.reviewing.unsaved() == []
        assert notice_titles(driver) == []
        session.undo()
        assert session.view.target(0) == LINE

    assert run_script([str(job)], reopen) == 0


def test_typed_text_is_stored_before_it_is_committed(qtbot, job):
    drafts = []

    def type_text(driver: ProgramDriver):
        yield driver.is_open
        journal = driver.workspace.journal
        driver.shell.commands["inspect.correct"].trigger()
        editing = driver.shell.findChild(InspectArea).correcting.controller
        edit = editing.panel.edit
        journal.project.writer.on_saved.append(lambda count, at: drafts.append(count))
        target = driver.workspace.view.target(driver.workspace.segment)

        def typing() -> bool:
            # keys without a pause of the delay after which edits are committed
            QTest.keyClick(edit, Qt.Key.Key_X)
            return bool(drafts)

        yield typing
        assert driver.workspace.view.target(driver.workspace.segment) == target
        draft = journal.project.settings(own=True)["journal/draft"]
        assert draft["segment"] == driver.workspace.segment
        assert draft["target"] in edit.line
        assert "x" in draft["target"]
        editing.leave()

    assert run_script([str(job)], type_text) == 0


def test_private_mode_stores_nothing(qtbot, job):
    Settings().journals = False

    def edit(driver: ProgramDriver):
        yield driver.is_open
        assert driver.workspace.journal is None
        edit_target(driver, 0, LINE)

    assert run_script([str(job)], edit) == 0
    assert JournalFolder().entries() == []


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
        yield lambda: driver.wiring.opener.sheet is not None
        driver.wiring.opener.sheet.opened.emit(driver.wiring.opener.sheet.model.plan)
        yield lambda: driver.is_open() and driver.workspace.session is not first
        assert driver.workspace.journal is not None
        assert driver.workspace.view.target(0) == LINE

    assert run_script([str(path)], edit) == 0
