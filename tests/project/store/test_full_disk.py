"""On a full disk, unsaved rows wait or can be saved elsewhere."""

from __future__ import annotations

from qe_desktop.project.store import Project
from tests.project.store.small_projects import make_edit_row, select_rows, tags_project
from tests.timeouts import PATIENCE, wait_until


def test_rows_wait_while_the_disk_is_full_and_the_file_stays_intact(tmp_path):
    project = tags_project(tmp_path / "a.qedesk")
    troubles = []
    project.writer.on_error.append(troubles.append)
    saved = []
    project.writer.on_saved.append(lambda count, at: saved.append(count))
    limit = _limit_pages(project, 0)
    rows = [make_edit_row(project, segment % 200, segment % 8, text="x" * 2000) for segment in range(400)]
    project.append(rows)
    wait_until(lambda: troubles)
    assert "disk is full" in troubles[0].message
    assert not saved
    assert project.writer.pending == 400
    assert select_rows(project.place, "PRAGMA integrity_check") == [("ok",)]
    limit(1 << 30)
    assert project.flush(PATIENCE)
    assert troubles[-1] is None
    assert sum(saved) == 400
    assert [row.uid for row in project.edit_rows(project.history().seq.tolist())] == [row.uid for row in rows]
    project.close()


def test_rows_that_wait_for_a_full_disk_can_be_saved_elsewhere(tmp_path):
    project = tags_project(tmp_path / "a.qedesk")
    limit = _limit_pages(project, 0)
    rows = [make_edit_row(project, segment, 0, text="x" * 3000) for segment in range(200)]
    project.append(rows)
    with project.save_as(tmp_path / "b.qedesk") as copy:
        assert copy.flush(PATIENCE)
        assert [row.uid for row in copy.edit_rows(copy.history().seq.tolist())] == [row.uid for row in rows]
    limit(1 << 30)
    project.close()


def _limit_pages(project: Project, more: int):
    """Limit the number of pages of the file, as on a full disk; return a function that changes the limit."""
    from sqlalchemy import event

    engine = project._database.engine
    pages = select_rows(project.place, "PRAGMA page_count")[0][0] + more
    allowed = [pages]

    @event.listens_for(engine, "checkout")
    def limit(connection, record, proxy) -> None:
        connection.execute(f"PRAGMA max_page_count={allowed[0]}")

    def allow(count: int) -> None:
        allowed[0] = count

    return allow
