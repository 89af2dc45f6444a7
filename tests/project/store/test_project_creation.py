"""Creation of projects in place of others, next to leftover files, and with unusual names."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing as closed
from pathlib import Path

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project
from tests.project.store.small_projects import full_corpus, make_edit_row
from tests.timeouts import PATIENCE


def test_an_open_project_is_not_replaced(project_path, tmp_path):
    """Otherwise, changes in the other window would be lost."""
    with Project.open(project_path, person="ann") as project:
        project.append([make_edit_row(project, 0, 0)])
        with pytest.raises(QeError, match="to be replaced is open"):
            Project.create(project_path, None, person="bob", replace=True)
        with (
            Project.create(tmp_path / "b.qedesk", None, person="bob") as other,
            pytest.raises(QeError, match="open in"),
        ):
            other.save_as(project_path, replace=True)
        assert project.flush(PATIENCE)
        assert len(project.history()) == 2
    Project.create(project_path, None, person="bob", replace=True).close()
    with Project.open(project_path, person="bob") as project:
        assert len(project.history()) == 0


def test_cancelled_creation_leaves_the_earlier_file(project_path):
    class Cancelled(Exception):
        pass

    def cancel():
        raise Cancelled

    before = project_path.read_bytes()
    with pytest.raises(Cancelled):
        Project.create(project_path, full_corpus(), person="bob", replace=True, check_cancelled=cancel)
    assert project_path.read_bytes() == before
    assert list(project_path.parent.iterdir()) == [project_path]


def test_a_leftover_journal_is_not_applied_to_a_new_project(project_path):
    with closed(sqlite3.connect(project_path)) as connection:
        connection.execute("UPDATE meta SET value = '\"old\"' WHERE key = 'title'")
        connection.commit()
        journal = Path(f"{project_path}-wal").read_bytes()
    assert journal
    project_path.unlink()
    Path(f"{project_path}-wal").write_bytes(journal)
    with Project.create(project_path, full_corpus(), person="ann", title="new") as project:
        assert project.title == "new"
        project.check()
    with Project.open(project_path, person="ann") as project:
        assert project.title == "new"


@pytest.mark.skipif(os.name != "posix", reason="names are those of POSIX")
@pytest.mark.parametrize("name", ["with space%20and?#&.qedesk", "ünï ∀.qedesk", "odd \udcff.qedesk", "no-suffix"])
def test_unusual_file_names_are_accepted(tmp_path, name):
    path = tmp_path / name
    with Project.create(path, full_corpus(), person="ann") as project:
        project.append([make_edit_row(project)])
        assert project.flush(PATIENCE)
        with project.save_as(tmp_path / f"copy of {name}") as copy:
            assert len(copy.history()) == 1
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == sorted([name, f"copy of {name}"])
    with pytest.raises(QeError) as caught:
        Project.create(path, None, person="ann")
    caught.value.line().encode()


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
def test_files_of_a_killed_creation_are_removed_by_the_next_one(tmp_path):
    program = f"""
import sys
from qe_desktop.project.store import Project, project_creation
from tests.project.store.small_projects import full_corpus
def stop(*values):
    print("begun", flush=True)
    sys.stdin.read()
project_creation._add_corpus = stop
Project.create({str(tmp_path / "a.qedesk")!r}, full_corpus(), person="ann")
"""
    running = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]
    )
    assert running.stdin is not None
    assert running.stdout is not None
    with running.stdin, running.stdout:
        assert running.stdout.readline() == b"begun\n"
        running.kill()
        running.wait()
    assert list(tmp_path.iterdir()) != []
    Project.create(tmp_path / "a.qedesk", full_corpus(), person="ann").close()
    assert [path.name for path in tmp_path.iterdir()] == ["a.qedesk"]
