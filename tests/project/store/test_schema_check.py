"""Changes to a project's file by another program: rows that are not stored are never reported as saved."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project
from tests.project.store.small_projects import make_edit_row, select_rows, tags_project
from tests.timeouts import PATIENCE

IGNORING = "CREATE TRIGGER theirs BEFORE INSERT ON edits BEGIN SELECT RAISE(IGNORE); END"


@pytest.fixture
def project_path(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "a.qedesk"
    with tags_project(path) as project:
        project.append([make_edit_row(project, segment) for segment in range(3)])
        assert project.flush(PATIENCE)
    return path


def change(path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA legacy_alter_table=ON")
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        (IGNORING, "trigger “theirs”"),
        ("CREATE TRIGGER theirs AFTER INSERT ON edits BEGIN UPDATE meta SET value = '1'; END", "trigger “theirs”"),
        ("CREATE UNIQUE INDEX theirs ON edits (segment, place)", "index “theirs”"),
        ("CREATE VIEW theirs AS SELECT * FROM edits", "view “theirs”"),
        ("CREATE TABLE theirs (a TEXT)", "table “theirs”"),
        ("DROP TRIGGER edits_no_delete", "missing trigger “edits_no_delete”"),
        ("DROP INDEX edits_of_segment", "missing index “edits_of_segment”"),
    ],
)
def test_a_file_with_foreign_objects_is_read_only_and_its_copy_has_none(project_path, statement, named):
    change(project_path, statement)
    before = project_path.read_bytes()
    with Project.open(project_path, person="ann") as project:
        assert named in project.read_only
        assert len(project.history()) == 3
        with pytest.raises(QeError, match="project is read-only"):
            project.append([make_edit_row(project)])
        with project.save_as(project_path.with_name("copy.qedesk")) as copy:
            assert copy.read_only == ""
            copy.append([make_edit_row(copy, 7)])
            assert copy.flush(PATIENCE)
            assert len(copy.history()) == 4
    assert project_path.read_bytes() == before
    assert (
        select_rows(project_path.with_name("copy.qedesk"), "SELECT name FROM sqlite_master WHERE name = 'theirs'") == []
    )


@pytest.mark.parametrize(
    "statements",
    [
        ("ALTER TABLE edits RENAME TO kept", "CREATE VIEW edits AS SELECT * FROM kept"),
        ("CREATE TABLE kept AS SELECT * FROM edits", "DROP TABLE edits", "ALTER TABLE kept RENAME TO edits"),
        ("ALTER TABLE edits ADD COLUMN theirs TEXT",),
        ("ALTER TABLE audit RENAME COLUMN who TO theirs",),
        ("DROP TABLE settings",),
    ],
)
def test_a_file_with_changed_tables_is_rejected(project_path, statements):
    change(project_path, *statements)
    before = project_path.read_bytes()
    with pytest.raises(QeError, match="changed by another program"):
        Project.open(project_path, person="ann")
    assert project_path.read_bytes() == before


def test_rows_that_are_not_stored_are_not_reported_as_saved(project_path):
    """Another program adds a trigger while the project is open."""
    project = Project.open(project_path, person="ann")
    saved: list[int] = []
    project.writer.on_saved.append(lambda count, at: saved.append(count))
    change(project_path, IGNORING)
    project.append([make_edit_row(project, 5)])
    assert not project.flush(0.3)
    assert "are missing from the project" in str(project.writer.error)
    assert not saved
    assert project.writer.pending == 1
    change(project_path, "DROP TRIGGER theirs")
    assert project.flush(PATIENCE)
    assert saved == [1]
    assert len(project.history()) == 4
    project.close()
