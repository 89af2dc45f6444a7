"""Journals of bilingual files in the window: edits are restored, discarded edits are not."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

from qe_desktop.corpus import ReviewStatus
from qe_desktop.project.journal.journal_folder import JournalFolder
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.settings import Settings
from tests.formats.bilingual.samples import bytes_of_sample
from tests.ui.program.bilingual_saving import correct, said, saving
from tests.ui.program_driver import Desk, drive

LINE = "Die Pumpe läuft an."


def is_stored(controller: Desk) -> bool:
    return controller.wiring.projects.service.pending == 0


def test_edits_of_a_file_are_restored_with_undo_and_mt(qtbot, job):
    before = job.read_bytes()

    def edit(controller: Desk):
        yield controller.is_open
        assert controller.workspace.project is None
        correct(controller, 0, LINE, ReviewStatus.CONFIRMED)
        assert controller.workspace.session.reviewing.unsaved() == [0]
        assert controller.shell.isWindowModified()
        yield lambda: is_stored(controller)

    assert drive([str(job)], edit) == 0
    assert job.read_bytes() == before

    def reopen(controller: Desk):
        yield controller.is_open
        session = controller.workspace.session
        assert session.view.target(0) == LINE
        assert session.view.status(0) is ReviewStatus.CONFIRMED
        assert session.corpus.mt_line(0) != LINE
        assert said(controller) == ["Restored: your edits of 1 segment that is not saved in the file"]
        assert controller.shell.isWindowModified()
        _, is_over = saving(controller)
        yield is_over
        assert session.reviewing.unsaved() == []
        controller.shell.commands["edit.undo"].trigger()
        assert session.view.target(0) == session.corpus.mt_line(0)
        controller.shell.commands["edit.redo"].trigger()
        session.reviewing.saved()

    assert drive([str(job)], reopen) == 0
    assert job.read_bytes() != before


def test_discarded_edits_are_not_restored(qtbot, job):
    def discard(controller: Desk):
        yield controller.is_open
        correct(controller, 0, LINE)
        controller.shell.commands["file.close"].trigger()
        yield lambda: isinstance(QApplication.activeModalWidget(), QMessageBox)
        box = QApplication.activeModalWidget()
        next(button for button in box.buttons() if button.text() == "Discard edits").click()
        yield lambda: controller.workspace.session is None

    assert drive([str(job)], discard) == 0

    def reopen(controller: Desk):
        yield controller.is_open
        session = controller.workspace.session
        assert session.view.target(0) != LINE
        assert session.reviewing.unsaved() == []
        assert said(controller) == []
        session.undo()
        assert session.view.target(0) == LINE

    assert drive([str(job)], reopen) == 0


def test_typed_text_is_stored_before_it_is_committed(qtbot, job):
    drafts = []

    def type_text(controller: Desk):
        yield controller.is_open
        journal = controller.workspace.journal
        controller.shell.commands["inspect.correct"].trigger()
        editing = controller.shell.findChild(InspectArea).correcting.controller
        edit = editing.panel.edit
        journal.project.writer.on_saved.append(lambda count, at: drafts.append(count))
        target = controller.workspace.view.target(controller.workspace.segment)

        def typing() -> bool:
            # keys without a pause of the delay after which edits are committed
            QTest.keyClick(edit, Qt.Key.Key_X)
            return bool(drafts)

        yield typing
        assert controller.workspace.view.target(controller.workspace.segment) == target
        draft = journal.project.settings(own=True)["journal/draft"]
        assert draft["segment"] == controller.workspace.segment
        assert draft["target"] in edit.line
        assert "x" in draft["target"]
        editing.leave()

    assert drive([str(job)], type_text) == 0


def test_private_mode_stores_nothing(qtbot, job):
    Settings().journals = False

    def edit(controller: Desk):
        yield controller.is_open
        assert controller.workspace.journal is None
        correct(controller, 0, LINE)

    assert drive([str(job)], edit) == 0
    assert JournalFolder().entries() == []


def test_same_file_can_be_opened_again(qtbot, tmp_path):
    path = tmp_path / "job.sdlxliff"
    path.write_bytes(bytes_of_sample("studio.sdlxliff"))

    def edit(controller: Desk):
        yield controller.is_open
        correct(controller, 0, LINE)
        _, is_over = saving(controller)
        yield is_over
        first = controller.workspace.session
        controller.shell.commands["file.recognised"].trigger()
        yield lambda: controller.wiring.opener.sheet is not None
        controller.wiring.opener.sheet.opened.emit(controller.wiring.opener.sheet.model.plan)
        yield lambda: controller.is_open() and controller.workspace.session is not first
        assert controller.workspace.journal is not None
        assert controller.workspace.view.target(0) == LINE

    assert drive([str(path)], edit) == 0
