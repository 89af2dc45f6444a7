"""What goes wrong with a project: said plainly, and nothing is lost."""

from __future__ import annotations

import shutil
import sqlite3
import threading

import pytest
from PySide6.QtWidgets import QMessageBox

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.project.events import AuditRow, EditRow
from qe_desktop.project.store import Project
from qe_desktop.project.store.write_queue.spool import Spool
from qe_desktop.ui.projects import project_controller as joined
from qe_desktop.ui.shell import open_dialogs as opening
from tests.patience import PATIENCE


@pytest.fixture
def locked(path):
    """A function that keeps the project's file from being written to, and gives back what lets go of it."""
    other = sqlite3.connect(path, isolation_level=None)

    def lock():
        other.execute("BEGIN IMMEDIATE")
        return lambda: other.execute("ROLLBACK")

    yield lock
    other.close()


def test_edits_wait_while_another_program_writes(windows, path, locked):
    window = windows("Anna")
    window.open(path)
    let_go = locked()
    window.edit(1, 1)
    window.until(lambda: window.status == "Saving…")
    window.until(lambda: "1 change stored on this computer: the project is locked by another program" in window.status)
    window.edit(0, 0)
    window.edit(0, 1)
    assert window.tags(0) == [1, 1, 1]
    window.until(lambda: window.service.is_kept)
    window.until(lambda: any("Stored on this computer, and saved in" in said for said in window.said()))
    assert "Not saved" not in " ".join(window.said())
    let_go()
    window.until(lambda: window.status.startswith("Saved "))
    assert window.said() == []
    assert window.service.pending == 0
    with Project.open(path, person="Anna") as looking:
        assert len(looking.history()) == 3


def test_closing_while_edits_wait_is_asked_about(windows, path, locked, monkeypatch):
    monkeypatch.setattr(joined, "FIRST_WAIT_S", 0.05)
    monkeypatch.setattr(joined, "LONG_WAIT_S", PATIENCE)
    asked = []
    answers = iter(("back", "wait"))

    def answer(box):
        asked.append(f"{box.text()} {box.informativeText()}")
        which = next(answers)
        if which == "wait":
            let_go()
        getattr(box, which).click()

    monkeypatch.setattr(QMessageBox, "open", answer)
    window = windows("Anna")
    window.open(path)
    let_go = locked()
    window.edit(1, 1)
    window.until(lambda: window.service.error is not None)
    assert not window.shell.close()
    # closing once more while one waits asks nothing of its own
    assert not window.shell.close()
    window.until(lambda: asked)
    assert asked[0].startswith("2 changes are not in the project yet.")
    assert "the project is locked by another program" in asked[0]
    window.until(lambda: not window.wiring.projects.is_asking)
    assert window.shell.isVisible()
    window.close()
    assert len(asked) == 2
    with Project.open(path, person="Anna") as looking:
        assert len(looking.history()) == 1


def test_what_waits_when_one_closes_all_the_same_comes_in_later(windows, path, locked, monkeypatch):
    monkeypatch.setattr(joined, "FIRST_WAIT_S", 0.05)
    monkeypatch.setattr(QMessageBox, "open", lambda box: box.leave.click())
    window = windows("Anna")
    window.open(path)
    let_go = locked()
    window.edit(1, 1)
    window.until(lambda: window.service.error is not None)
    window.close()
    # as if the program had ended: its last try to write is over
    window.until(lambda: not any(thread.name.startswith("writer of") for thread in threading.enumerate()))
    let_go()
    again = windows("Anna")
    again.open(path)
    assert again.tags(1) == [1, 1, 0, 1]
    assert again.session.undo_text == "word 2 OK → BAD, segment 2"


def test_a_project_that_can_only_be_read(windows, path, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        # whoever runs the tests may be allowed to write anywhere
        patch.setattr("qe_desktop.project.store.project_opening.is_writable", lambda path: False)
        window = windows("Anna")
        window.open(path)
    assert window.status == "Read-only"
    assert "is read-only" in window.said()[0]
    window.edit(1, 1)
    assert window.session.edited_tags() == 0
    assert [notice.times for notice in window.shell.notices.notices()] == [2]
    assert not window.shell.commands["edit.undo"].isEnabled()
    copy = tmp_path / "copy.qedesk"
    monkeypatch.setattr(opening, "ask_project_name", lambda *_: str(copy))
    window.shell.commands["file.project"].trigger()
    window.until(lambda: any("The copy of the project is in copy" in said for said in window.said()))
    window.open(copy)
    window.edit(1, 1)
    window.saved()
    assert window.session.edited_tags() == 1


def change(path, statement):
    raw = sqlite3.connect(path)
    raw.execute("DROP TRIGGER IF EXISTS meta_guard")
    raw.execute(statement)
    raw.commit()
    raw.close()


def test_a_newer_schema_is_said(windows, path, tmp_path):
    newer = tmp_path / "newer.qedesk"
    shutil.copy(path, newer)
    change(newer, "UPDATE meta SET value = '99' WHERE key = 'schema'")
    window = windows("Anna")
    window.open(path)
    window.shell.open_paths([str(newer)])
    window.until(lambda: any("newer version of QE Desktop" in said for said in window.said()))
    assert window.workspace.project.place == str(path)
    window.edit(1, 1)
    window.saved()


def test_a_change_that_is_not_taken_is_said(windows, path):
    window = windows("Anna")
    window.open(path)
    gone = LayerKey(Provenance.GOLD, "nobody", Kind.WORDS)
    window.service.append([EditRow("u", gone, 0, (0,), (1,), (0,), person="Anna", window=window.session.window)])
    window.until(lambda: any("was rejected" in said for said in window.said()))
    window.edit(1, 1)
    window.until(lambda: window.status.startswith("Saved "))


def test_what_cannot_even_be_kept_is_said_to_be_not_saved(windows, path, locked, monkeypatch):
    """Where the file beside cannot be written either, nobody is told that the work is safe."""
    full = True
    keep = Spool.keep

    def keeping(spool, rows):
        if full:
            raise OSError(28, "No space left on device")
        keep(spool, rows)

    monkeypatch.setattr(Spool, "keep", keeping)
    window = windows("Anna")
    window.open(path)
    let_go = locked()
    window.edit(1, 1)
    window.until(lambda: "1 change waits: the project is locked by another program" in window.status)
    assert any("Not saved yet" in said for said in window.said())
    full = False
    window.until(lambda: any("Stored on this computer" in said for said in window.said()))
    let_go()
    window.until(lambda: window.status.startswith("Saved "))
    assert window.said() == []


def test_what_an_earlier_session_left_and_nobody_can_read_is_said(windows, path):
    with Project.open(path, person="Anna") as project:
        left = Spool(project.place, project.uid, "before")
    left.keep([AuditRow(1.0, "Anna", "x", {})])
    with left.path.open("ab") as file:
        file.write(b'{"row":"RowOfTomorrow"}\n')
    left.close()
    window = windows("Anna")
    window.open(path)
    assert "1 change left from an earlier session cannot be read" in window.said()[0]
    assert b"RowOfTomorrow" in left.path.with_suffix(".unread").read_bytes()
