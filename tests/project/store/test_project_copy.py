from __future__ import annotations

import os
from pathlib import Path

import pytest

from qe_desktop.corpus import QeError, Ratings, Score
from qe_desktop.project.store import Project, project_copy
from qe_desktop.project.store.tables import schema
from tests.project.store.review_rows import (
    assert_equal_jobs,
    make_job,
    make_review_row,
    make_visit_row,
    reviewed_corpus,
)
from tests.project.store.small_projects import (
    assert_equal_corpora,
    full_corpus,
    make_design,
    make_edit_row,
    make_setting_row,
    rate_all,
)
from tests.timeouts import PATIENCE


def project_content(project: Project) -> dict[str, list[tuple]]:
    """Rows of all tables, except those in which a copy differs."""
    content = {}
    with project._database.reading() as connection:
        for table in schema.metadata.sorted_tables:
            columns = [column for column in table.columns if column.name != "tx"]
            rows = connection.execute(table.select().with_only_columns(*columns).order_by(*table.primary_key.columns))
            content[table.name] = [tuple(row) for row in rows]
    content["meta"] = [row for row in content["meta"] if row[0] != "project"]
    content["audit"] = [row for row in content["audit"] if row[4] != "project copied"]
    return content


@pytest.fixture
def full_project(location) -> Project:
    project = location.create(reviewed_corpus(), person="ann", title="Títle")
    project.add_campaign(make_design())
    rate_all(project, "campaign-1", "ann")
    project.append([make_edit_row(project, 0, index % 3) for index in range(50)])
    project.append([make_setting_row(project, "threshold", {"x": 0.5})])
    project.append([make_review_row(project, number % 4, f"⟨1⟩ {number}") for number in range(20)])
    project.append([make_visit_row(project, 2)])
    project.add_ratings(Ratings.of([Score("zoe", "A", "1", "adequacy", 4.0)], origin="foreign.csv"))
    assert project.flush(PATIENCE)
    return project


@pytest.fixture(params=["file", "server"])
def target(request, tmp_path) -> tuple[str, str | None]:
    if request.param == "file":
        return str(tmp_path / "copy.qedesk"), None
    server = request.getfixturevalue("postgresql")
    return server.url(server.new_database()), server.password


def test_a_copy_contains_every_row(full_project, target, monkeypatch, close_later):
    monkeypatch.setattr(project_copy, "COPY_BATCH_ROWS", 7)
    monkeypatch.setattr(project_copy, "TRANSFER_BATCH_CHUNKS", 1)
    location, password = target
    copy = close_later(full_project.save_as(location, password=password))
    assert copy.place == location
    assert project_content(copy) == project_content(full_project)
    assert copy.title == "Títle"
    assert copy.uid != full_project.uid
    assert copy.audit()[-1].details == {"from": full_project.place}
    assert_equal_corpora(copy.corpus(), full_corpus())
    assert_equal_jobs(copy.corpus().job, make_job())
    assert copy.review() == full_project.review()
    # the copy is independent of the original
    copy.append([make_edit_row(copy, 0, 0)])
    assert copy.flush(PATIENCE)
    assert len(copy.history()) == 51
    assert len(full_project.history()) == 50
    copy.add_campaign(make_design(uid="campaign-2"))
    assert rate_all(copy, "campaign-2", "bob") > 0
    assert copy.flush(PATIENCE)
    assert len(full_project.campaigns()) == 1
    with pytest.raises(QeError, match="only ever added"), copy._database.transaction() as connection:
        connection.exec_driver_sql("UPDATE edits SET tag = 0")


def test_a_copy_of_a_copy_contains_every_row(full_project, target, tmp_path, close_later):
    location, password = target
    copy = close_later(full_project.save_as(location, password=password))
    second_copy = close_later(copy.save_as(tmp_path / "again.qedesk"))
    assert project_content(second_copy) == project_content(full_project)


def test_existing_projects_are_replaced_only_on_request(full_project, target, tmp_path, close_later):
    location, password = target
    full_project.save_as(location, password=password).close()
    with pytest.raises(QeError, match="already"):
        full_project.save_as(location, password=password)
    if password is None:
        assert project_content(close_later(full_project.save_as(location, replace=True))) == project_content(
            full_project
        )
    assert not list(Path(tmp_path).glob(".*"))


def test_a_project_is_not_copied_onto_itself(tmp_path):
    with Project.create(tmp_path / "a.qedesk", full_corpus(), person="ann") as project:
        with pytest.raises(QeError, match="itself"):
            project.save_as(tmp_path / "a.qedesk", replace=True)
        assert_equal_corpora(project.corpus(), full_corpus())


def test_a_failed_copy_leaves_no_files(full_project, tmp_path, monkeypatch):
    def fail(*values: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("qe_desktop.project.store.project_creation._sync", fail)
    with pytest.raises(QeError, match="No space left"):
        full_project.save_as(tmp_path / "b.qedesk")
    assert not (tmp_path / "b.qedesk").exists()
    assert not list(Path(tmp_path).glob(".*"))


def test_a_copy_made_during_writes_contains_all_rows_up_to_a_point(location, tmp_path, close_later):
    project, other = location.create(full_corpus()), location.open("bob")
    for number in range(200):
        other.append([make_edit_row(other, 0, number % 3)])
    copy = close_later(project.save_as(tmp_path / "copy.qedesk"))
    assert other.flush(PATIENCE)
    copied, seqs = copy.history().seq.tolist(), project.history().seq.tolist()
    assert copied == seqs[: len(copied)]


def test_a_copy_follows_a_link_and_keeps_the_permissions_of_its_target(full_project, tmp_path, close_later):
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "real.qedesk", tmp_path / "link.qedesk"
    target.write_bytes(b"what was there")
    target.chmod(0o640)
    link.symlink_to(target)
    copy = close_later(full_project.save_as(str(link), replace=True))
    assert project_content(copy) == project_content(full_project)
    assert link.is_symlink()
    assert target.read_bytes().startswith(b"SQLite format 3")
    assert target.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in target.parent.iterdir() if path.suffix == ".qedesk") == ["real.qedesk"]


def test_a_copy_over_a_pipe_is_rejected(full_project, tmp_path):
    pipe = tmp_path / "pipe.qedesk"
    os.mkfifo(pipe)
    with pytest.raises(QeError, match="this is a pipe, not a file"):
        full_project.save_as(str(pipe), replace=True)
    assert pipe.is_fifo()
