"""Letting raters in to a project on a server, and whom not."""

from __future__ import annotations

import threading

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project
from qe_desktop.project.store.postgres import ddl_lock
from tests.patience import PATIENCE
from tests.project.store.made import a_campaign
from tests.project.store.team import Team, rows
from tests.project.store.version_1 import take_back


def test_securing_twice_is_once(team):
    again = Project.prepare_server(
        team.url, raters=[team.roles["ann"]], password=team.passwords["owner"], new_password=lambda name: "unasked"
    )
    assert again == [f"granted {team.roles['ann']} access as a rater"]
    project = team.open("ann")
    assert project.role == "rater"
    project.close()


def test_roles_that_could_see_everything_are_no_raters(team):
    strong = team.server.new_role(more="SUPERUSER")
    member = team.server.new_role()
    team.server.execute(f'GRANT "{team.owner}" TO "{member}"')
    higher = team.server.new_role()
    team.server.execute(f'GRANT "{strong}" TO "{higher}"')
    makes_roles, copies = team.server.new_role(more="CREATEROLE"), team.server.new_role(more="REPLICATION")
    reads_all = team.server.new_role(more="IN ROLE pg_read_all_data")
    # until PostgreSQL 16, whoever may make roles may take on all of them
    (version,) = team.server.execute("SELECT current_setting('server_version_num')::int")[0]
    roles = [strong, member, team.owner, higher, copies, reads_all, *([makes_roles] if version < 160000 else [])]
    for role in roles:
        with pytest.raises(QeError, match="could read everything"):
            Project.prepare_server(
                team.url, raters=[role], password=team.passwords["owner"], new_password=lambda name: "unasked"
            )
    # a colleague with the owner's role is an owner
    project = Project.open(team.server.url(team.name, member), person="colleague", password=f"{member}!")
    assert project.role == "owner"
    assert len(project.events("campaign-1")) > 0
    project.close()


def test_a_role_that_can_take_on_a_raters_is_no_rater(team):
    twin = team.server.new_role()
    team.server.execute(f'GRANT "{team.roles["bob"]}" TO "{twin}"')
    with pytest.raises(QeError, match="could rate as another rater"):
        Project.prepare_server(
            team.url, raters=[twin], password=team.passwords["owner"], new_password=lambda name: "unasked"
        )


def test_an_owner_who_may_make_no_roles_is_told_what_to_do(postgresql):
    owner, rater = postgresql.new_role(), postgresql.new_role()
    url = postgresql.url(postgresql.new_database(owner), owner)
    missing = f"missing {owner}"
    with pytest.raises(QeError, match="your role cannot create it") as caught:
        Project.prepare_server(url, raters=[missing], password=f"{owner}!", new_password=lambda name: "unasked")
    assert "Ask the server administrator" in caught.value.hint
    # a role that is there can be let in
    done = Project.prepare_server(url, raters=[rater], password=f"{owner}!", new_password=lambda name: "unasked")
    assert done == [f"granted {rater} access as a rater"]


def test_a_rater_may_not_let_others_in(team):
    with pytest.raises(QeError):
        Project.prepare_server(
            team.server.url(team.name, team.roles["ann"]), raters=["eve"], password=team.passwords["ann"],
            new_password=lambda name: "unasked",
        )  # fmt: skip


def test_a_file_keeps_nobody_apart(tmp_path):
    with pytest.raises(QeError, match="cannot isolate raters"):
        Project.prepare_server(str(tmp_path / "a.qedesk"), raters=["ann"], new_password=lambda name: "x")


def test_the_owner_may_be_another_role_than_the_one_that_connects(postgresql):
    name = postgresql.new_database()
    owner = f"owner of {name}"
    done = Project.prepare_server(
        postgresql.url(name), raters=[], owner=owner, password=postgresql.password, new_password=lambda role: "pw"
    )
    assert done == [f"created the role {owner}", f"created the project; owner: {owner}"]
    project = Project.open(postgresql.url(name, owner), person="o", password="pw")
    assert project.role == "owner"
    project.add_campaign(a_campaign())
    assert [campaign.uid for campaign in project.campaigns()] == ["campaign-1"]
    project.close()


# --- raters who hold a transaction open


POLICIES = "SELECT p.oid, p.polname, CAST(p.polrelid AS regclass) FROM pg_policy p ORDER BY 1"


@pytest.fixture
def held(team: Team):
    """Ann has read, and rated, in a transaction that she does not end."""
    with team.as_role("ann") as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT count(uid) FROM qe_desktop.rating_events")
        connection.execute("SELECT count(uid) FROM qe_desktop.screens")
        yield connection
        connection.execute("ROLLBACK")


def secure(team: Team, *raters: str) -> list[str]:
    return Project.prepare_server(
        team.url, raters=raters, password=team.passwords["owner"], new_password=lambda name: "unasked"
    )


def within(seconds: float, work):
    """What some work gives or raises, which must not take for ever."""
    found: list[object] = []

    def run() -> None:
        try:
            found.append(work())
        except Exception as error:
            found.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    assert found, "it waits for somebody"
    return found[0]


def test_letting_in_waits_for_nobody_where_nothing_changes(team, held):
    """It dropped policies and made them again, and waited with them for whoever read; all others then waited for it."""
    before = team.server.execute(POLICIES, team.name)
    bob = team.roles["bob"]
    assert within(120, lambda: secure(team, bob)) == [f"granted {bob} access as a rater"]
    assert team.server.execute(POLICIES, team.name) == before
    with team.as_role("bob") as connection:
        assert rows(connection, "SELECT count(uid) FROM qe_desktop.screens")[0][0] > 0


def test_who_holds_the_tables_is_said_and_nobody_else_has_to_wait(team, held, monkeypatch):
    monkeypatch.setattr(ddl_lock, "LOCK_WAIT_SECONDS", 1)
    remark = "COMMENT ON POLICY rater_adds ON qe_desktop.rating_events IS 'of an earlier version'"
    team.server.execute(remark, team.name)
    before = team.server.execute(POLICIES, team.name)
    error = within(120, lambda: secure(team, team.roles["bob"]))
    assert isinstance(error, QeError)
    assert f"{team.roles['ann']} (process {held.info.backend_pid})" in error.message
    assert "pg_terminate_backend" in error.hint
    assert team.server.execute(POLICIES, team.name) == before
    bob = team.open("bob")
    assert bob.work("campaign-1").progress()[1] > 0
    bob.close()
    held.execute("COMMIT")
    held.execute("BEGIN")
    assert secure(team, team.roles["bob"])
    after = team.server.execute(POLICIES, team.name)
    assert len(set(before) - set(after)) == 1


def test_an_older_project_is_not_brought_up_to_date_over_a_reader(postgresql, monkeypatch):
    monkeypatch.setattr(ddl_lock, "LOCK_WAIT_SECONDS", 1)
    owner, rater = postgresql.new_role(), postgresql.new_role()
    name = postgresql.new_database(owner)
    url = postgresql.url(name, owner)
    Project.prepare_server(url, raters=[rater], password=f"{owner}!", new_password=lambda name: "unasked")
    with Project.open(url, person="o", password=f"{owner}!") as project:
        project.add_campaign(a_campaign((rater,)))
        postgresql.execute("UPDATE pg_trigger SET tgenabled = 'D' WHERE tgname = 'passages_only_added'", name)
        postgresql.execute("UPDATE qe_desktop.passages SET reference = 'r'", name)
        postgresql.execute("UPDATE pg_trigger SET tgenabled = 'O' WHERE tgname = 'passages_only_added'", name)
        take_back(project, 2)
    with postgresql.connect(name, rater, f"{rater}!") as connection:
        connection.execute("BEGIN")
        assert rows(connection, "SELECT DISTINCT reference FROM qe_desktop.passages") == [("r",)]
        error = within(120, lambda: Project.open(url, person="o", password=f"{owner}!"))
        assert isinstance(error, QeError)
        assert rater in error.message
        connection.execute("ROLLBACK")
        # once it is free, the new version holds for those who were let in before
        Project.open(url, person="o", password=f"{owner}!").close()
        assert rows(connection, "SELECT DISTINCT reference FROM qe_desktop.passages") == [("",)]
        assert rows(connection, "SELECT count(takes) FROM qe_desktop.campaigns") == [(1,)]
    with Project.open(postgresql.url(name, rater), person="r", password=f"{rater}!") as project:
        work = project.work("campaign-1")
        project.rate(work.rate(work.screens[0].uid, "fluency", 4))
        assert project.flush(PATIENCE)
        assert project.writer.refused == ()
    with Project.open(url, person="o", password=f"{owner}!") as project:
        assert [row.what for row in project.audit()][-1] == "texts hidden from raters"


def test_transactions_of_raters_end_by_themselves_where_one_may_say_so(team):
    with team.as_role("ann") as connection:
        assert rows(connection, "SHOW idle_in_transaction_session_timeout") == [("1min",)]
        assert rows(connection, "SHOW statement_timeout") == [("1min",)]


def test_a_rater_has_a_limit_of_connections(team):
    """One rater could take all connections of the server."""
    bob, carl = team.roles["bob"], f"{team.roles['bob']}_carl"
    limit = "SELECT rolconnlimit FROM pg_roles WHERE rolname = '{}'"
    secure(team, bob, carl)
    try:
        assert team.server.execute(limit.format(carl), team.name) == [(20,)]
        # a role that was there may be one that the owner cannot change; one that was limited by hand keeps its limit
        team.server.execute(f'ALTER ROLE "{carl}" CONNECTION LIMIT 3', team.name)
        secure(team, carl)
        assert team.server.execute(limit.format(carl), team.name) == [(3,)]
    finally:
        team.server.execute(f'DROP OWNED BY "{carl}"', team.name)
        team.server.execute(f'DROP ROLE "{carl}"', team.name)
