"""Page of Preferences with the stored journals of bilingual files."""

from __future__ import annotations

import time

from PySide6.QtWidgets import QMessageBox

from qe_desktop.project.journal.file_journal import RETENTION_DAYS, JournalFolder
from qe_desktop.project.reviewed_files import WrittenFile
from qe_desktop.ui import preferences_dialog
from qe_desktop.ui.preferences_dialog import JournalsPage
from qe_desktop.ui.settings import Settings


def add_journal(*names: str):
    entry = JournalFolder().new_entry([WrittenFile(f"/jobs/{name}", "0" * 64) for name in names])
    entry.database.write_bytes(b"x" * 100_000)
    entry.write()
    return entry


def answer(qtbot, page, text):
    """Answer the question about a deletion."""
    (box,) = page.findChildren(QMessageBox)
    next(button for button in box.buttons() if button.text() == text).click()
    qtbot.waitUntil(lambda: not page.findChildren(QMessageBox))


def test_journals_are_listed_and_deleted_except_those_in_use(qtbot):
    add_journal("<b>a.xlf")
    used = add_journal("b.po")
    lock = used.lock()
    page = JournalsPage(Settings())
    qtbot.addWidget(page)
    page.show()
    rows = [[page.list.topLevelItem(row).text(column) for column in range(4)] for row in range(2)]
    assert [row[0] for row in rows] == ["b.po", "<b>a.xlf"]
    assert rows[0][1] == "/jobs"
    assert rows[0][2] == "0.1 MB"
    first = page.list.visualItemRect(page.list.topLevelItem(0))
    assert first.height() >= 1.5 * page.list.fontMetrics().height()
    assert page.list.columnWidth(0) >= page.list.fontMetrics().horizontalAdvance("<b>a.xlf")
    assert not page.delete.isEnabled()
    page.delete_all.click()
    answer(qtbot, page, "Cancel")
    assert page.list.topLevelItemCount() == 2
    page.delete_all.click()
    answer(qtbot, page, "Delete")
    assert page.list.topLevelItemCount() == 1
    assert page.message.text() == "The edits to 1 file were not deleted. If the file is open, close it and try again."
    lock.release()
    page.list.topLevelItem(0).setSelected(True)
    page.delete.click()
    answer(qtbot, page, "Delete")
    assert page.list.topLevelItemCount() == 0
    assert page.message.text() == ""
    assert list(JournalFolder().path.iterdir()) == []
    assert not page.delete_all.isEnabled()


def test_all_files_of_a_journal_are_counted(qtbot):
    with_lock = add_journal("a.po", "b.po")
    lock = with_lock.lock()
    page = JournalsPage(Settings())
    qtbot.addWidget(page)
    page.show()
    page.delete_all.click()
    (box,) = page.findChildren(QMessageBox)
    assert box.text() == "Delete the stored edits to 2 files?"
    answer(qtbot, page, "Delete")
    assert page.message.text() == (
        "The edits to 2 files were not deleted. If the files are open, close them and try again."
    )
    lock.release()


def test_private_mode_is_a_setting(qtbot):
    settings = Settings()
    page = JournalsPage(settings)
    qtbot.addWidget(page)
    assert not page.private.isChecked()
    page.private.setChecked(True)
    assert settings.journals is False


def test_old_journals_are_deleted_and_invalid_descriptions_ignored():
    folder = JournalFolder()
    old, new = add_journal("old.po"), add_journal("new.po")
    descriptions = [
        '{"files": [{"path": 1, "sha256": ""}], "used": 0, "saved": 0}', "[",
        f'{{"files": [{{"path": "/a.po", "sha256": ""}}], "used": 1{"0" * 400}, "saved": 0}}',
    ]  # fmt: skip
    for number, description in enumerate(descriptions):
        (folder.path / f"{number}.json").write_text(description)
        (folder.path / f"{number}.qedesk").write_bytes(b"x")
    now = time.time()
    assert [len(entry.files) for entry in folder.entries()].count(0) == 3
    assert {file.path for entry in folder.entries() for file in entry.files} == {"/jobs/old.po", "/jobs/new.po"}
    assert folder.remove_old(now + (RETENTION_DAYS - 1) * 86400) == 0
    assert folder.remove_old(now + (RETENTION_DAYS + 1) * 86400) == 5
    assert not old.database.exists()
    assert not new.database.exists()
    assert preferences_dialog.RETENTION_DAYS == RETENTION_DAYS
