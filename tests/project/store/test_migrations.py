from __future__ import annotations

import pytest
from sqlalchemy import inspect

from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project
from qe_desktop.project.store.tables import migrations, schema
from tests.patience import PATIENCE
from tests.project.store.made import an_edit, full_corpus, rows_of, same_corpus
from tests.project.store.reviewed import a_review, a_visit
from tests.project.store.version_1 import take_back


def shape_of(project: Project) -> dict[str, list[tuple[str, str, bool]]]:
    """Tables, columns, types, and whether they may be empty; indexes too."""
    with project._database.reading() as connection:
        looked = inspect(connection)
        shape = {
            name: sorted(
                (column["name"], str(column["type"]), column["nullable"]) for column in looked.get_columns(name)
            )
            for name in looked.get_table_names()
        }
        indexes = {f"{name} indexes": sorted(str(one["name"]) for one in looked.get_indexes(name)) for name in shape}
    return shape | indexes


def test_every_version_has_its_step():
    assert sorted(migrations.STEPS) == list(range(2, schema.VERSION + 1))


def test_an_older_project_is_brought_up_to_date(stand):
    corpus = full_corpus()
    project = stand.create(corpus)
    project.append([an_edit(project, 0, 1)])
    assert project.flush(PATIENCE)
    newest = shape_of(project)
    with project._database.reading() as connection:
        sums = connection.execute(schema.blobs.select().order_by(schema.blobs.c.seq)).all()
    take_back(project)
    project.close()
    again = stand.open()
    assert shape_of(again) == newest
    same_corpus(again.corpus(), corpus)
    assert len(again.history()) == 1
    with again._database.reading() as connection:
        assert connection.execute(schema.blobs.select().order_by(schema.blobs.c.seq)).all() == sums
        assert (
            connection.execute(schema.meta.select().where(schema.meta.c.key == "schema")).one().value == schema.VERSION
        )
    # it is guarded as before
    with pytest.raises(QeError), again._database.transaction() as connection:
        connection.exec_driver_sql("UPDATE blobs SET crc = 0")


def test_a_project_of_before_there_were_reviews_takes_them(stand):
    project = stand.create(full_corpus())
    newest = shape_of(project)
    take_back(project, 3)
    project.close()
    again = stand.open()
    assert shape_of(again) == newest
    assert again.corpus().job is None
    again.append([a_review(again), a_visit(again)])
    assert again.flush(PATIENCE)
    assert [len(held) for held in again.review()] == [1, 1]
    for table in ("reviews", "visits"):
        for statement in (f"UPDATE {table} SET segment = 0", f"DELETE FROM {table}"):
            with pytest.raises(QeError, match="only ever added"), again._database.transaction() as connection:
                connection.exec_driver_sql(statement)


def test_what_a_server_gets_later_belongs_to_the_owner_and_raters_see_none_of_it(address):
    """Also where another role that is the owner, too, opens the project first."""
    server, rater, partner = address.server, address.server.new_role(), address.server.new_role()
    project = Project.create(address.url, full_corpus(), person="owner", password=address.password)
    prepared = {"raters": [rater], "password": address.password, "new_password": lambda name: ""}
    Project.prepare_server(address.url, **prepared)
    with project._database.reading() as connection:
        rights = _rights(connection)
    take_back(project, 3)
    with project._database.transaction() as connection:
        owner = connection.exec_driver_sql("SELECT tableowner FROM pg_tables WHERE tablename = 'meta'").scalar_one()
        connection.exec_driver_sql(f'GRANT "{owner}" TO "{partner}"')
    project.close()
    url = server.url(address.name, partner)
    with Project.open(url, person="partner", password=f"{partner}!") as again:
        again.append([a_review(again)])
        assert again.flush(PATIENCE)
        with again._database.reading() as connection:
            assert _rights(connection) == rights
    with Project.open(server.url(address.name, rater), person="", password=f"{rater}!") as rated:
        for statement in ("SELECT * FROM reviews", "SELECT * FROM visits"):
            with pytest.raises(QeError), rated._database.reading() as connection:
                connection.exec_driver_sql(statement)


def _rights(connection) -> list[tuple]:
    """Whose the tables are, who may do what with them, and by which policies."""
    found = connection.exec_driver_sql(
        "SELECT c.relname, c.relowner::regrole::text, c.relrowsecurity, c.relforcerowsecurity, c.relacl::text,"
        " (SELECT array_agg(p.polname || p.polroles::text ORDER BY p.polname)::text FROM pg_policy p"
        " WHERE p.polrelid = c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname = 'qe_desktop' AND c.relkind = 'r' ORDER BY c.relname"
    )
    return [tuple(row) for row in found]


def test_a_step_that_fails_leaves_the_project_as_it_was(stand, monkeypatch):
    project = stand.create(full_corpus())
    take_back(project)
    project.close()

    def fail(connection) -> None:
        migrations._to_2(connection)
        raise QeError("power cut")

    monkeypatch.setitem(migrations.STEPS, 2, fail)
    with pytest.raises(QeError, match="power cut"):
        stand.open()
    monkeypatch.undo()
    same_corpus(stand.open().corpus(), full_corpus())


def test_an_older_project_that_can_only_be_read_is_left_alone(tmp_path, monkeypatch):
    from qe_desktop.project.store import project_opening as opening

    place = tmp_path / "a.qedesk"
    project = Project.create(place, full_corpus(), person="ann")
    take_back(project)
    project.close()
    monkeypatch.setattr(opening, "is_writable", lambda path: False)
    with pytest.raises(QeError, match="older version"):
        Project.open(place, person="ann")
    assert rows_of(place, "SELECT value FROM meta WHERE key = 'schema'") == [("1",)]
