"""A file locked by another program: rows wait until the lock is released, and the project cannot be opened."""

from __future__ import annotations

import sqlite3
from contextlib import closing as closed

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project
from tests.project.store.small_projects import make_edit_row
from tests.timeouts import PATIENCE, wait_until


def test_rows_wait_while_another_program_writes(project_path):
    troubles = []
    project = Project.open(project_path, person="ann")
    project.writer.on_error.append(troubles.append)
    with closed(sqlite3.connect(project_path, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        project.append([make_edit_row(project, 0, 0)])
        # reading is still possible
        assert len(project.history()) == 1
        wait_until(lambda: troubles)
        assert "locked by another program" in troubles[0].message
        assert project.writer.pending == 1
        holder.execute("COMMIT")
    assert project.flush(PATIENCE)
    assert troubles[-1] is None
    assert len(project.history()) == 2
    assert project.close() == 0


def test_a_file_that_another_program_locks_exclusively_cannot_be_opened(project_path):
    with closed(sqlite3.connect(project_path, isolation_level=None)) as holder:
        holder.execute("PRAGMA locking_mode=EXCLUSIVE")
        holder.execute("BEGIN IMMEDIATE")
        holder.execute("UPDATE meta SET value = value")
        with pytest.raises(QeError, match="another program"):
            Project.open(project_path, person="ann")
