"""Save dialogs that open because the window is closed: they run no nested event loop, and closing waits for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QThread
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLineEdit

from qe_desktop.project import ReviewField
from qe_desktop.ui.files.tag_saver import SaveTagsDialog
from qe_desktop.ui.widgets.dialogs import NameDialog
from tests.ui.program.bilingual_saving import edit_target
from tests.ui.program_driver import ProgramDriver, run_script

LINE = "Die Pumpe läuft an."


@pytest.fixture(autouse=True)
def nested_loops(monkeypatch) -> list[QDialog]:
    """Dialogs that a nested event loop was requested for; each is cancelled."""
    nested: list[QDialog] = []
    monkeypatch.setattr(QDialog, "exec", lambda dialog: nested.append(dialog) or 0)
    return nested


def save_dialogs(driver: ProgramDriver) -> list[NameDialog]:
    return [dialog for dialog in driver.shell.findChildren(NameDialog) if dialog.isVisible()]


def close_twice(driver: ProgramDriver, answers: list, nested_loops: list[QDialog], texts: list[str], path: Path):
    """Close the window, and answer the questions with `texts`; cancel the save dialog first, then select `path`."""
    replies, questions = answers
    for saves in (False, True):
        replies.extend(texts)
        assert not driver.shell.close()
        yield lambda: save_dialogs(driver) or nested_loops
        assert nested_loops == []
        (dialog,) = save_dialogs(driver)
        assert QThread.currentThread().loopLevel() == 1
        asked = len(questions)
        # closing again neither asks nor closes
        assert not driver.shell.close()
        assert driver.wiring.projects.is_asking
        assert (len(questions), save_dialogs(driver)) == (asked, [dialog])
        if saves:
            dialog.findChild(QLineEdit).setText(str(path))
            dialog.accept()
        else:
            dialog.reject()
        yield driver.is_answered
        assert driver.shell.isVisible() is not saves
        assert path.exists() is saves
        session = driver.workspace.session
        assert saves or session.unsaved_layers() or session.reviewing.unsaved_segments()
    assert replies == []


def test_tags_are_saved_in_a_new_file(qtbot, sample, tmp_path, answers, nested_loops, monkeypatch):
    path = tmp_path / "mine.tags"
    monkeypatch.setattr(SaveTagsDialog, "open", SaveTagsDialog.accept)

    def script(driver: ProgramDriver):
        yield driver.is_open
        driver.shell.area("inspect").reader.set_locked(False)
        QTest.keyClick(driver.shell.area("inspect").view, Qt.Key.Key_Space)
        yield from close_twice(driver, answers, nested_loops, ["Save…"], path)

    assert run_script([str(sample)], script) == 0
    assert path.read_text()


def test_review_without_bilingual_files_is_exported(qtbot, sample, tmp_path, answers, nested_loops):
    path = tmp_path / "review.csv"

    def script(driver: ProgramDriver):
        yield driver.is_open
        driver.workspace.session.reviewing.set({0: {ReviewField.NOTE: "Warum?"}})
        yield from close_twice(driver, answers, nested_loops, ["Export as…"], path)

    assert run_script([str(sample)], script) == 0
    assert "Warum?" in path.read_text("utf-8-sig")


def test_changed_bilingual_file_is_saved_as_another_file(qtbot, job, answers, nested_loops):
    path = job.with_name("mine.sdlxliff")
    changed_data = job.read_bytes() + b"\n"

    def script(driver: ProgramDriver):
        yield driver.is_open
        edit_target(driver, 0, LINE)
        job.write_bytes(changed_data)
        yield from close_twice(driver, answers, nested_loops, ["Save", "Save as…"], path)

    assert run_script([str(job)], script) == 0
    assert LINE.encode() in path.read_bytes()
    assert job.read_bytes() == changed_data
