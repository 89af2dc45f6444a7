from __future__ import annotations

import pytest
from sqlalchemy import inspect

from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project
from qe_desktop.project.store.tables import migrations, schema
from tests.project.store.old_schemas import downgrade_schema
from tests.project.store.review_rows import make_review_row, make_visit_row
from tests.project.store.small_projects import assert_equal_corpora, full_corpus, make_edit_row, select_rows
from tests.timeouts import PATIENCE


def shape_of(project: Project) -> dict[str, list[tuple[str, str, bool]]]:
    """Columns of each table with types and nullability, and the names of its indexes."""
    with project._database.reading() as connection:
        inspector = inspect(connection)
        shape = {
            name: sorted(
                (column["name"], str(column["type"]), column["nullable"]) for column in inspector.get_columns(name)
            )
            for name in inspector.get_table_names()
        }
        indexes = {
            f"{name} indexes": sorted(str(index["name"]) for index in inspector.get_indexes(name)) for name in shape
        }
    return shape | indexes


def test_every_schema_version_has_a_migration():
    assert sorted(migrations.MIGRATION_STEPS) == list(range(2, schema.VERSION + 1))


def test_an_older_project_is_migrated(location):
    corpus = full_corpus()
    project = location.create(corpus)
    project.append([make_edit_row(project, 0, 1)])
    assert project.flush(PATIENCE)
    newest = shape_of(project)
    with project._database.reading() as connection:
        sums = connection.execute(schema.blobs.select().order_by(schema.blobs.c.seq)).all()
    downgrade_schema(project)
    project.close()
    again = location.open()
    assert shape_of(again) == newest
    assert_equal_corpora(again.corpus(), corpus)
    assert len(again.history()) == 1
    with again._database.reading() as connection:
        assert connection.execute(schema.blobs.select().order_by(schema.blobs.c.seq)).all() == sums
        assert (
            connection.execute(schema.meta.select().where(schema.meta.c.key == "schema")).one().value == schema.VERSION
        )
    # the triggers still prevent changes
    with pytest.raises(QeError), again._database.transaction() as connection:
        connection.exec_driver_sql("UPDATE blobs SET crc = 0")


def test_a_project_of_a_version_without_reviews_accepts_them(location):
    project = location.create(full_corpus())
    newest = shape_of(project)
    downgrade_schema(project, 3)
    project.close()
    again = location.open()
    assert shape_of(again) == newest
    assert again.corpus().job is None
    again.append([make_review_row(again), make_visit_row(again)])
    assert again.flush(PATIENCE)
    assert [len(rows) for rows in again.review()] == [1, 1]
    for table in ("reviews", "visits"):
        for statement in (f"UPDATE {table} SET segment = 0", f"DELETE FROM {table}"):
            with pytest.raises(QeError, match="only ever added"), again._database.transaction() as connection:
                connection.exec_driver_sql(statement)


def test_tables_added_by_a_migration_belong_to_the_owner_and_are_secret(address):
    """Also if another member of the owner's role opens the project first."""
    server, rater, partner = address.server, address.server.new_role(), address.server.new_role()
    project = Project.create(address.url, full_corpus(), person="owner", password=address.password)
    prepared = {"raters": [rater], "password": address.password, "new_password": lambda name: ""}
    Project.prepare_server(address.url, **prepared)
    with project._database.reading() as connection:
        rights = _rights(connection)
    downgrade_schema(project, 3)
    with project._database.transaction() as connection:
        owner = connection.exec_driver_sql("SELECT tableowner FROM pg_tables WHERE tablename = 'meta'").scalar_one()
        connection.exec_driver_sql(f'GRANT "{owner}" TO "{partner}"')
    project.close()
    url = server.url(address.name, partner)
    with Project.open(url, person="partner", password=f"{partner}!") as again:
        again.append([make_review_row(again)])
        assert again.flush(PATIENCE)
        with again._database.reading() as connection:
            assert _rights(connection) == rights
    with Project.open(server.url(address.name, rater), person="", password=f"{rater}!") as rated:
        for statement in ("SELECT * FROM reviews", "SELECT * FROM visits"):
            with pytest.raises(QeError), rated._database.reading() as connection:
                connection.exec_driver_sql(statement)


def _rights(connection) -> list[tuple]:
    """Owner, privileges and row-security policies of each table."""
    rows = connection.exec_driver_sql(
        "SELECT c.relname, c.relowner::regrole::text, c.relrowsecurity, c.relforcerowsecurity, c.relacl::text,"
        " (SELECT array_agg(p.polname || p.polroles::text ORDER BY p.polname)::text FROM pg_policy p"
        " WHERE p.polrelid = c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname = 'qe_desktop' AND c.relkind = 'r' ORDER BY c.relname"
    )
    return [tuple(row) for row in rows]


def test_a_failed_migration_leaves_the_project_unchanged(location, monkeypatch):
    project = location.create(full_corpus())
    downgrade_schema(project)
    project.close()

    def fail(connection) -> None:
        migrations._to_2(connection)
        raise QeError("power cut")

    monkeypatch.setitem(migrations.MIGRATION_STEPS, 2, fail)
    with pytest.raises(QeError, match="power cut"):
        location.open()
    monkeypatch.undo()
    assert_equal_corpora(location.open().corpus(), full_corpus())


def test_a_read_only_older_project_is_not_migrated(tmp_path, monkeypatch):
    from qe_desktop.project.store import project_opening as opening

    path = tmp_path / "a.qedesk"
    project = Project.create(path, full_corpus(), person="ann")
    downgrade_schema(project)
    project.close()
    monkeypatch.setattr(opening, "is_writable", lambda path: False)
    with pytest.raises(QeError, match="older version"):
        Project.open(path, person="ann")
    assert select_rows(path, "SELECT value FROM meta WHERE key = 'schema'") == [("1",)]
