from __future__ import annotations

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.project.store.project_creation import append_only_tables
from qe_desktop.project.store.tables import schema
from tests.project.store.review_rows import make_review_row, make_visit_row
from tests.project.store.small_projects import full_corpus, make_design, make_edit_row, make_setting_row, rate_all
from tests.timeouts import PATIENCE


@pytest.fixture
def project(location):
    created = location.create(full_corpus())
    created.add_campaign(make_design())
    rate_all(created, "campaign-1", "ann")
    created.append([make_edit_row(created), make_review_row(created), make_visit_row(created)])
    created.append([make_setting_row(created, "any", 1)])
    created.log("any")
    assert created.flush(PATIENCE)
    return created


def count(project, table: str) -> int:
    with project._database.reading() as connection:
        return connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()


@pytest.mark.parametrize("act", ["UPDATE", "DELETE"])
def test_rows_cannot_be_changed_or_deleted(project, act):
    full = [table for table in append_only_tables() if count(project, table)]
    assert {"reviews", "visits"} <= set(full)
    assert {"edits", "rating_events", "audit", "settings", "campaigns", "screens", "output_keys", "layers"} <= set(full)
    for table in full:
        before = count(project, table)
        column = next(iter(schema.metadata.tables[table].columns)).name
        statement = f"UPDATE {table} SET {column} = {column}" if act == "UPDATE" else f"DELETE FROM {table}"
        with pytest.raises(QeError, match="only ever added"), project._database.transaction() as connection:
            connection.exec_driver_sql(statement)
        assert count(project, table) == before


def test_tables_cannot_be_truncated(project):
    if not project._database.is_server:
        pytest.skip("SQLite has no TRUNCATE")
    with pytest.raises(QeError, match="only ever added"), project._database.transaction() as connection:
        connection.exec_driver_sql("TRUNCATE rating_events")
