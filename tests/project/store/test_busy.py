"""Another program has the file: work is kept until it lets go, and the file is not opened beside it."""

from __future__ import annotations

import sqlite3
from contextlib import closing as closed

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project
from tests.patience import PATIENCE, wait_until
from tests.project.store.made import an_edit


def test_another_program_that_writes_is_waited_for(place):
    told = []
    project = Project.open(place, person="ann")
    project.writer.on_trouble.append(told.append)
    with closed(sqlite3.connect(place, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        project.append([an_edit(project, 0, 0)])
        # reading goes on meanwhile
        assert len(project.history()) == 1
        wait_until(lambda: told)
        assert "locked by another program" in told[0].message
        assert project.writer.pending == 1
        holder.execute("COMMIT")
    assert project.flush(PATIENCE)
    assert told[-1] is None
    assert len(project.history()) == 2
    assert project.close() == 0


def test_a_file_that_another_program_keeps_to_itself(place):
    with closed(sqlite3.connect(place, isolation_level=None)) as holder:
        holder.execute("PRAGMA locking_mode=EXCLUSIVE")
        holder.execute("BEGIN IMMEDIATE")
        holder.execute("UPDATE meta SET value = value")
        with pytest.raises(QeError, match="another program"):
            Project.open(place, person="ann")
