"""Opening a file that is not a valid project raises a readable error and leaves the file unchanged."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing as closed
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project
from qe_desktop.project.store.tables.schema import VERSION
from tests.project.store.small_projects import GOLD, full_corpus, tags_project


def opening_error(path: Path, *words: str) -> QeError:
    """Return the error of opening a file; assert that the file and its folder are unchanged."""
    before, files = path.read_bytes(), sorted(path.parent.iterdir())
    with pytest.raises(QeError) as caught:
        Project.open(path, person="ann")
    for word in words:
        assert word in caught.value.message
    assert caught.value.hint
    assert str(path) in caught.value.line()
    assert path.read_bytes() == before
    assert sorted(path.parent.iterdir()) == files
    return caught.value


def test_files_that_are_not_projects_are_rejected(tmp_path):
    garbage = tmp_path / "garbage.qedesk"
    garbage.write_bytes(os.urandom(5000))
    opening_error(garbage, "not a QE Desktop project")
    empty = tmp_path / "empty.qedesk"
    empty.touch()
    opening_error(empty, "empty")
    text = tmp_path / "text.qedesk"
    text.write_text("OK BAD OK\n" * 50)
    opening_error(text, "not a QE Desktop project")


def test_a_database_of_another_program_is_rejected(tmp_path):
    foreign = tmp_path / "other.qedesk"
    with closed(sqlite3.connect(foreign)) as connection:
        connection.execute("CREATE TABLE meta(key, value)")
        connection.commit()
    opening_error(foreign, "another program")


def test_a_missing_file_and_a_folder_are_rejected(tmp_path):
    with pytest.raises(QeError, match="no such project"):
        Project.open(tmp_path / "missing.qedesk", person="ann")
    with pytest.raises(QeError, match="folder"):
        Project.open(tmp_path, person="ann")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("share", [0.0005, 0.01, 0.5, 0.9])
def test_a_truncated_file_is_damaged(project_path, share):
    data = project_path.read_bytes()
    project_path.write_bytes(data[: max(20, int(len(data) * share))])
    opening_error(project_path, "damaged")


def test_a_newer_schema_is_rejected(project_path):
    with closed(sqlite3.connect(project_path)) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(VERSION + 1),))
        connection.commit()
        connection.execute("PRAGMA journal_mode=DELETE")
    error = opening_error(project_path, "newer version", str(VERSION + 1))
    assert "Install the latest" in error.hint


def test_a_file_without_the_meta_table_is_damaged(project_path):
    with closed(sqlite3.connect(project_path)) as connection:
        connection.execute("DROP TABLE meta")
        connection.commit()
        connection.execute("PRAGMA journal_mode=DELETE")
    opening_error(project_path, "damaged")


@given(damage=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=300)), min_size=1))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_damage_is_reported_or_has_no_effect(damage, project_path, tmp_path):
    """Whatever bytes are overwritten, the tags are either read unchanged or reported as damaged."""
    broken = tmp_path / "broken.qedesk"
    data = bytearray(project_path.read_bytes())
    for where, bytes_ in damage:
        begin = int(where * len(data))
        data[begin : begin + len(bytes_)] = bytes_[: len(data) - begin]
    broken.write_bytes(data)
    for suffix in ("-wal", "-shm"):
        Path(f"{broken}{suffix}").unlink(missing_ok=True)
    try:
        with Project.open(broken, person="ann") as project:
            corpus = project.corpus()
            project.history()
            project.campaigns()
            project.settings()
            project.audit()
            project.ratings()
        if corpus is not None:
            for key, layer in corpus.layers.items():
                if key in full_corpus().layers and key.kind.is_tags:
                    assert layer.column.values.tolist() == full_corpus().layers[key].column.values.tolist()
    except QeError:
        pass


def test_an_undamaged_project_contains_its_edit(project_path):
    with Project.open(project_path, person="ann") as project:
        assert project.history().layers[0] == GOLD
        assert len(project.history()) == 1


def test_pipes_devices_and_folders_are_rejected_without_blocking(tmp_path):
    os.mkfifo(tmp_path / "pipe.qedesk")
    (tmp_path / "to-a-device.qedesk").symlink_to(os.devnull)
    for name in ("pipe.qedesk", "to-a-device.qedesk"):
        with pytest.raises(QeError, match="not a regular file"):
            Project.open(tmp_path / name, person="ann")
    with pytest.raises(QeError, match="folder"):
        Project.open(tmp_path, person="ann")


def test_a_journal_that_is_a_pipe_does_not_block(tmp_path):
    tags_project(tmp_path / "a.qedesk").close()
    os.mkfifo(tmp_path / "a.qedesk-wal")
    with Project.open(tmp_path / "a.qedesk", person="ann") as project:
        assert project.corpus().size == 200
