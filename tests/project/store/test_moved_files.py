"""A project's file that is copied, moved, removed or replaced while it is open."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats.files_in_use import is_open_here
from qe_desktop.formats.ratings import write_ratings
from qe_desktop.project.store import Project
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.location import is_project
from tests.project.store.small_projects import make_edit_row, tags_project
from tests.ratings.campaigns import make_random_design
from tests.ratings.test_rating_results import make_two_scales
from tests.timeouts import PATIENCE


@pytest.fixture
def project_path(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "a.qedesk"


def edits_in(path: Path) -> int:
    """Number of edits in a file, when it is opened again."""
    with Project.open(path, person="zoe") as project:
        return len(project.history())


def move(path: Path) -> Path:
    return path.rename(path.with_name("moved.qedesk"))


def remove(path: Path) -> None:
    path.unlink()


def replace(path: Path) -> None:
    other = path.with_name("other.qedesk")
    tags_project(other).close()
    os.replace(other, path)


@pytest.mark.parametrize("act", [move, remove, replace])
def test_rows_for_a_file_that_is_gone_are_not_reported_as_saved(
    project_path, act: Callable[[Path], object], monkeypatch
):
    # the delay before the journal is checkpointed is not over yet
    monkeypatch.setattr("qe_desktop.project.store.writer.IDLE_SECONDS", 600.0)
    project = tags_project(project_path)
    project.append([make_edit_row(project, segment) for segment in range(3)])
    assert project.flush(PATIENCE)
    act(project_path)
    saved: list[int] = []
    troubles: list[QeError | None] = []
    project.writer.on_saved.append(lambda number, at: saved.append(number))
    project.writer.on_error.append(troubles.append)
    project.append([make_edit_row(project, 7)])
    assert not project.flush(0.5)
    assert not saved
    assert "moved, removed or replaced" in str(troubles[0])
    with pytest.raises(QeError, match="moved, removed or replaced"):
        project.new_changes()
    # a copy contains all rows
    copy = project.save_as(project_path.with_name("copy.qedesk"))
    assert copy.flush(PATIENCE)
    assert len(copy.history()) == 4
    copy.close()
    assert project.close(0.2) == 1


def test_a_moved_file_contains_saved_rows_and_recovers_waiting_ones(project_path, monkeypatch):
    monkeypatch.setattr("qe_desktop.project.store.writer.IDLE_SECONDS", 600.0)
    project = tags_project(project_path)
    project.append([make_edit_row(project, segment) for segment in range(3)])
    assert project.flush(PATIENCE)
    moved = move(project_path)
    project.append([make_edit_row(project, 7)])
    assert not project.flush(0.3)
    assert project.close(0.3) == 1
    # including the row that waited when the project was closed
    assert edits_in(moved) == 4


def test_saving_continues_when_the_file_is_moved_back(project_path):
    project = tags_project(project_path)
    moved = move(project_path)
    project.append([make_edit_row(project)])
    assert not project.flush(0.3)
    moved.rename(project_path)
    assert project.flush(PATIENCE)
    assert project.writer.error is None
    project.close()
    assert edits_in(project_path) == 1


def test_a_copy_of_the_file_alone_is_complete_after_a_checkpoint(project_path, monkeypatch):
    monkeypatch.setattr("qe_desktop.project.store.writer.IDLE_SECONDS", 0.01)
    settled = threading.Event()
    settle = Database.checkpoint

    def watched(self: Database) -> bool:
        done = settle(self)
        settled.set()
        return done

    monkeypatch.setattr(Database, "checkpoint", watched)
    project = tags_project(project_path)
    project.append([make_edit_row(project, segment) for segment in range(3)])
    assert project.flush(PATIENCE)
    assert settled.wait(PATIENCE)
    assert project_path.with_name("a.qedesk-wal").stat().st_size == 0
    mailed = shutil.copy(project_path, project_path.with_name("mailed.qedesk"))
    assert edits_in(Path(mailed)) == 3
    project.close()


def test_a_copy_of_the_file_alone_has_campaigns_and_imports_at_once(project_path, tmp_path):
    """Owners mail the file while the project is open; such a copy once lacked the campaign."""
    project = tags_project(project_path)
    design = make_random_design("adequacy-fluency", 2, 4, 2)
    journal = project_path.with_name("a.qedesk-wal")
    project.add_campaign(design)
    assert journal.stat().st_size == 0
    mailed = Path(shutil.copy(project_path, tmp_path / "mailed.qedesk"))
    write_ratings(make_two_scales(), tmp_path / "ratings.csv", "long")
    project.import_ratings(tmp_path / "ratings.csv")
    assert journal.stat().st_size == 0
    with_ratings = Path(shutil.copy(project_path, tmp_path / "with-ratings.qedesk"))
    project.withdraw_import(project.imports()[0].uid)
    taken_back = Path(shutil.copy(project_path, tmp_path / "taken-back.qedesk"))
    project.close()
    for copy, ratings in ((mailed, 0), (with_ratings, 48), (taken_back, 0)):
        with Project.open(copy, person="bob") as opened:
            assert [campaign.name for campaign in opened.campaigns()] == ["A campaign"]
            assert len(opened.rater_session("c1", "rater-1").screens) == len(
                [s for s in design.screens if s.rater == "rater-1"]
            )
            assert len(opened.ratings().scores) == ratings


def test_a_checkpoint_that_a_reader_prevents_is_done_later(project_path, monkeypatch):
    monkeypatch.setattr("qe_desktop.project.store.writer.IDLE_SECONDS", 0.01)
    settled = threading.Event()
    settle = Database.checkpoint

    def watched(self: Database) -> bool:
        done = settle(self)
        if done:
            settled.set()
        return done

    monkeypatch.setattr(Database, "checkpoint", watched)
    project = tags_project(project_path)
    with closing(sqlite3.connect(project_path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM campaigns").fetchone()
        project.add_campaign(make_random_design("adequacy-fluency", 2, 4, 2))
        assert not settled.is_set()
        assert project_path.with_name("a.qedesk-wal").stat().st_size > 0
    assert settled.wait(PATIENCE)
    assert project_path.with_name("a.qedesk-wal").stat().st_size == 0
    project.close()


def test_settling_never_waits_for_other_clients(project_path):
    project = tags_project(project_path)
    project.append([make_edit_row(project)])
    assert project.flush(PATIENCE)
    with Project.open(project_path, person="ben") as other:
        with other._database.transaction():
            project._database.checkpoint()
        with other._database.reading() as connection:
            connection.exec_driver_sql("SELECT count(*) FROM edits").all()
            project._database.checkpoint()
    project.append([make_edit_row(project, 1)])
    assert project.flush(PATIENCE)
    project.close()
    assert edits_in(project_path) == 2


def test_opening_a_project_twice_preserves_its_locks(project_path):
    """Otherwise, another program would consider the project closed and remove the journal that is in use."""
    project = tags_project(project_path)
    project.append([make_edit_row(project)])
    assert project.flush(PATIENCE)
    Project.open(project_path, person="ben").close()
    link = project_path.with_name("link.backup")
    link.symlink_to(project_path)
    assert is_project(str(link))
    with pytest.raises(QeError, match="no campaign in common"):
        project.import_ratings(project_path)
    another = (
        "import sys; from qe_desktop.project.store import Project; Project.open(sys.argv[1], person='zoe').close()"
    )
    subprocess.run([sys.executable, "-c", another, project_path], check=True, cwd=Path(__file__).parents[3])
    assert project_path.with_name("a.qedesk-wal").exists()
    project.close()
    assert not is_open_here(project_path)


def test_a_partly_checkpointed_journal_is_not_damage(tmp_path):
    """The disk filled up during a checkpoint and the program was killed; the journal still has all rows."""
    path, left = tmp_path / "a.qedesk", tmp_path / "left.qedesk"
    project = tags_project(path)
    before = path.read_bytes()
    project.append([make_edit_row(project, segment, text="x" * 900) for segment in range(100)])
    assert project.flush(PATIENCE)
    journal = Path(f"{path}-wal").read_bytes()
    project.close()
    # only the first page was written, which has the new number of pages
    left.write_bytes(path.read_bytes()[:4096] + before[4096:])
    Path(f"{left}-wal").write_bytes(journal)
    with Project.open(left, person="ann") as again:
        assert len(again.history()) == 100
        again.check()


def without_journal(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


def another_journal(path: Path) -> None:
    without_journal(path)
    path.with_name(f"{path.name}-wal").write_bytes(b"")


def cut(path: Path) -> None:
    os.truncate(path, 3 * 4096)


def cut_journal(path: Path) -> None:
    os.truncate(path.with_name(f"{path.name}-wal"), 0)


@pytest.mark.parametrize("act", [without_journal, another_journal, cut, cut_journal])
def test_damage_by_another_program_is_detected_before_rows_count_as_saved(
    project_path, act: Callable[[Path], object], monkeypatch
):
    monkeypatch.setattr("qe_desktop.project.store.writer.IDLE_SECONDS", 600.0)
    project = tags_project(project_path, 2000, 40)
    project.append([make_edit_row(project, segment) for segment in range(3)])
    assert project.flush(PATIENCE)
    if act is cut:
        project._database.checkpoint()
    act(project_path)
    saved: list[int] = []
    project.writer.on_saved.append(lambda number, at: saved.append(number))
    project.append([make_edit_row(project, 7)])
    assert not project.flush(0.5)
    assert not saved
    assert project.writer.error is not None
    # the unsaved row is in the spool file and is recovered when the project is reopened
    assert project.close(0.2) == 1
    if act in (without_journal, another_journal):
        assert edits_in(project_path) == 4


def test_vacuuming_an_open_file_is_not_an_error(project_path):
    """The file becomes smaller, but is intact."""
    tags_project(project_path, 2000, 40).close()
    with closing(sqlite3.connect(project_path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE filler AS SELECT randomblob(500000) AS a")
        connection.execute("DROP TABLE filler")
    with Project.open(project_path, person="ann") as project:
        project.append([make_edit_row(project)])
        assert project.flush(PATIENCE)
        before = project_path.stat().st_size
        with closing(sqlite3.connect(project_path, isolation_level=None)) as connection:
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert project_path.stat().st_size < before
        project.append([make_edit_row(project, 1)])
        assert project.flush(PATIENCE)
        assert project.writer.error is None
