"""Problems with projects: locks, read-only files, newer schemas, rejected and unreadable changes."""

from __future__ import annotations

import shutil
import sqlite3
import threading

import pytest
from PySide6.QtWidgets import QMessageBox

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.project.events import AuditRow, EditRow
from qe_desktop.project.store import Project
from qe_desktop.project.store.spool import Spool
from qe_desktop.ui.projects import project_controller as joined
from qe_desktop.ui.widgets import dialogs as opening
from tests.timeouts import PATIENCE


@pytest.fixture
def lock_project(project_path):
    """Yield a function that locks the project file and returns a function that unlocks it."""
    connection = sqlite3.connect(project_path, isolation_level=None)

    def lock():
        connection.execute("BEGIN IMMEDIATE")
        return lambda: connection.execute("ROLLBACK")

    yield lock
    connection.close()


def test_edits_wait_while_another_program_locks_the_project(windows, project_path, lock_project):
    window = windows("Anna")
    window.open(project_path)
    unlock = lock_project()
    window.edit(1, 1)
    window.wait_until(lambda: window.status == "Saving…")
    window.wait_until(
        lambda: "1 change stored on this computer: the project is locked by another program" in window.status
    )
    window.edit(0, 0)
    window.edit(0, 1)
    assert window.tags(0) == [1, 1, 1]
    window.wait_until(lambda: window.service.is_stored)
    window.wait_until(
        lambda: any("stored on this computer until they can be saved in" in notice for notice in window.notice_texts())
    )
    assert "Not saved" not in " ".join(window.notice_texts())
    unlock()
    window.wait_until(lambda: window.status.startswith("Saved "))
    assert window.notice_texts() == []
    assert window.service.pending == 0
    with Project.open(project_path, person="Anna") as project:
        assert len(project.history()) == 3


def test_closing_with_pending_edits_asks_for_confirmation(windows, project_path, lock_project, monkeypatch):
    monkeypatch.setattr(joined, "FIRST_WAIT_S", 0.05)
    monkeypatch.setattr(joined, "LONG_WAIT_S", PATIENCE)
    questions = []
    answers = iter(("back_button", "wait_button"))

    def answer(box):
        questions.append(f"{box.text()} {box.informativeText()}")
        button = next(answers)
        if button == "wait_button":
            unlock()
        getattr(box, button).click()

    monkeypatch.setattr(QMessageBox, "open", answer)
    window = windows("Anna")
    window.open(project_path)
    unlock = lock_project()
    window.edit(1, 1)
    window.wait_until(lambda: window.service.error is not None)
    assert not window.shell.close()
    # closing again while the question is open does not ask again
    assert not window.shell.close()
    window.wait_until(lambda: questions)
    assert questions[0].startswith("2 changes are not in the project yet.")
    assert "the project is locked by another program" in questions[0]
    window.wait_until(lambda: not window.wiring.projects.is_asking)
    assert window.shell.isVisible()
    window.close()
    assert len(questions) == 2
    with Project.open(project_path, person="Anna") as project:
        assert len(project.history()) == 1


def test_edits_pending_at_closing_are_saved_when_opened_again(windows, project_path, lock_project, monkeypatch):
    monkeypatch.setattr(joined, "FIRST_WAIT_S", 0.05)
    monkeypatch.setattr(QMessageBox, "open", lambda box: box.close_button.click())
    window = windows("Anna")
    window.open(project_path)
    unlock = lock_project()
    window.edit(1, 1)
    window.wait_until(lambda: window.service.error is not None)
    window.close()
    # as after the end of the program: its last attempt to write is over
    window.wait_until(lambda: not any(thread.name.startswith("writer of") for thread in threading.enumerate()))
    unlock()
    again = windows("Anna")
    again.open(project_path)
    assert again.tags(1) == [1, 1, 0, 1]
    assert again.session.undo_text == "word 2 OK → BAD, segment 2"


def test_read_only_project_refuses_edits_and_can_be_copied(windows, project_path, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        # file permissions are not enough, as the tests may run as root
        patch.setattr("qe_desktop.project.store.project_opening.is_writable", lambda project_path: False)
        window = windows("Anna")
        window.open(project_path)
    assert window.status == "Read-only"
    assert "is read-only" in window.notice_texts()[0]
    window.edit(1, 1)
    assert window.session.edited_tags() == 0
    assert [notice.occurrences for notice in window.shell.notices.notices()] == [1]
    assert window.notice_texts()[0].count("read-only") == 1
    assert not window.shell.commands["edit.undo"].isEnabled()
    copy = tmp_path / "copy.qedesk"
    monkeypatch.setattr(opening, "ask_project_name", lambda *_: str(copy))
    window.shell.commands["file.project"].trigger()
    window.wait_until(lambda: any("The project was copied to copy" in text for text in window.notice_texts()))
    window.open(copy)
    window.edit(1, 1)
    window.wait_until_saved()
    assert window.session.edited_tags() == 1


def run_sql(project_path, statement):
    raw = sqlite3.connect(project_path)
    raw.execute("DROP TRIGGER IF EXISTS meta_guard")
    raw.execute(statement)
    raw.commit()
    raw.close()


def test_newer_schema_is_reported(windows, project_path, tmp_path):
    newer = tmp_path / "newer.qedesk"
    shutil.copy(project_path, newer)
    run_sql(newer, "UPDATE meta SET value = '99' WHERE key = 'schema'")
    window = windows("Anna")
    window.open(project_path)
    window.shell.open_paths([str(newer)])
    window.wait_until(lambda: any("newer version of QE Desktop" in notice for notice in window.notice_texts()))
    assert window.workspace.project.place == str(project_path)
    window.edit(1, 1)
    window.wait_until_saved()


def test_rejected_change_is_reported(windows, project_path):
    window = windows("Anna")
    window.open(project_path)
    missing_layer = LayerKey(Provenance.GOLD, "nobody", Kind.WORDS)
    window.service.append(
        [EditRow("u", missing_layer, 0, (0,), (1,), (0,), person="Anna", window=window.session.window)]
    )
    window.wait_until(lambda: any("was rejected" in notice for notice in window.notice_texts()))
    window.edit(1, 1)
    window.wait_until(lambda: window.status.startswith("Saved "))


def test_edits_that_cannot_be_stored_locally_are_reported_as_not_saved(
    windows, project_path, lock_project, monkeypatch
):
    """If the spool file cannot be written either, no message says that the changes are stored."""
    full = True
    real_keep = Spool.append

    def keep_unless_full(spool, rows):
        if full:
            raise OSError(28, "No space left on device")
        real_keep(spool, rows)

    monkeypatch.setattr(Spool, "append", keep_unless_full)
    window = windows("Anna")
    window.open(project_path)
    unlock = lock_project()
    window.edit(1, 1)
    window.wait_until(lambda: "1 change waiting: the project is locked by another program" in window.status)
    assert any("Not saved yet" in notice for notice in window.notice_texts())
    full = False
    window.wait_until(lambda: any("stored on this computer" in notice for notice in window.notice_texts()))
    unlock()
    window.wait_until(lambda: window.status.startswith("Saved "))
    assert window.notice_texts() == []


def test_unreadable_changes_of_an_earlier_session_are_reported(windows, project_path):
    with Project.open(project_path, person="Anna") as project:
        spool = Spool(project.place, project.uid, "before")
    spool.append([AuditRow(1.0, "Anna", "x", {})])
    with spool.path.open("ab") as file:
        file.write(b'{"row":"RowOfTomorrow"}\n')
    spool.close()
    window = windows("Anna")
    window.open(project_path)
    assert "1 unsaved change from an earlier session cannot be read" in window.notice_texts()[0]
    assert b"RowOfTomorrow" in spool.path.with_suffix(".unread").read_bytes()
