"""Access of raters to a project on a server, and roles that are rejected."""

from __future__ import annotations

import threading

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project
from qe_desktop.project.store.tables import migrations
from tests.project.store.old_schemas import downgrade_schema
from tests.project.store.small_projects import make_design
from tests.project.store.team import Team, fetch_rows
from tests.timeouts import PATIENCE


def test_access_can_be_granted_twice(team):
    again = Project.prepare_server(
        team.url, raters=[team.roles["ann"]], password=team.passwords["owner"], new_password=lambda name: "unasked"
    )
    assert again == [f"granted {team.roles['ann']} access as a rater"]
    project = team.open("ann")
    assert project.role == "rater"
    project.close()


def test_roles_that_can_read_everything_are_rejected_as_raters(team):
    strong = team.server.new_role(options="SUPERUSER")
    member = team.server.new_role()
    team.server.execute(f'GRANT "{team.owner}" TO "{member}"')
    higher = team.server.new_role()
    team.server.execute(f'GRANT "{strong}" TO "{higher}"')
    makes_roles, copies = team.server.new_role(options="CREATEROLE"), team.server.new_role(options="REPLICATION")
    reads_all = team.server.new_role(options="IN ROLE pg_read_all_data")
    # before PostgreSQL 16, a role that can create roles can assume all of them
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


def test_a_role_that_can_assume_that_of_a_rater_is_rejected(team):
    twin = team.server.new_role()
    team.server.execute(f'GRANT "{team.roles["bob"]}" TO "{twin}"')
    with pytest.raises(QeError, match="could rate as another rater"):
        Project.prepare_server(
            team.url, raters=[twin], password=team.passwords["owner"], new_password=lambda name: "unasked"
        )


def test_an_owner_who_cannot_create_roles_gets_a_hint(postgresql):
    owner, rater = postgresql.new_role(), postgresql.new_role()
    url = postgresql.url(postgresql.new_database(owner), owner)
    missing = f"missing {owner}"
    with pytest.raises(QeError, match="your role cannot create it") as caught:
        Project.prepare_server(url, raters=[missing], password=f"{owner}!", new_password=lambda name: "unasked")
    assert "Ask the server administrator" in caught.value.hint
    # access can be granted to an existing role
    done = Project.prepare_server(url, raters=[rater], password=f"{owner}!", new_password=lambda name: "unasked")
    assert done == [f"granted {rater} access as a rater"]


def test_a_rater_cannot_grant_access(team):
    with pytest.raises(QeError):
        Project.prepare_server(
            team.server.url(team.name, team.roles["ann"]), raters=["eve"], password=team.passwords["ann"],
            new_password=lambda name: "unasked",
        )  # fmt: skip


def test_raters_cannot_be_isolated_in_a_file(tmp_path):
    with pytest.raises(QeError, match="cannot isolate raters"):
        Project.prepare_server(str(tmp_path / "a.qedesk"), raters=["ann"], new_password=lambda name: "x")


def test_the_owner_can_be_another_role_than_the_connecting_one(postgresql):
    name = postgresql.new_database()
    owner = f"owner of {name}"
    done = Project.prepare_server(
        postgresql.url(name), raters=[], owner=owner, password=postgresql.password, new_password=lambda role: "pw"
    )
    assert done == [f"created the role {owner}", f"created the project; owner: {owner}"]
    project = Project.open(postgresql.url(name, owner), person="o", password="pw")
    assert project.role == "owner"
    project.add_campaign(make_design())
    assert [campaign.uid for campaign in project.campaigns()] == ["campaign-1"]
    project.close()


# --- raters who hold a transaction open


POLICIES = "SELECT p.oid, p.polname, CAST(p.polrelid AS regclass) FROM pg_policy p ORDER BY 1"


@pytest.fixture
def open_transaction(team: Team):
    """Connection of ann, with a transaction that has read rows and does not end."""
    with team.connect_as("ann") as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT count(uid) FROM qe_desktop.rating_events")
        connection.execute("SELECT count(uid) FROM qe_desktop.screens")
        yield connection
        connection.execute("ROLLBACK")


def prepare_server(team: Team, *raters: str) -> list[str]:
    return Project.prepare_server(
        team.url, raters=raters, password=team.passwords["owner"], new_password=lambda name: "unasked"
    )


def result_within(seconds: float, work):
    """Return what a function returns or raises; assert that it ends in time."""
    results: list[object] = []

    def run() -> None:
        try:
            results.append(work())
        except Exception as error:
            results.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    assert results, "the statement waits for a lock"
    return results[0]


def test_granting_access_does_not_wait_if_nothing_changes(team, open_transaction):
    """Policies were once created again, which waited for every reader, and all other clients then waited, too."""
    before = team.server.execute(POLICIES, team.name)
    bob = team.roles["bob"]
    assert result_within(120, lambda: prepare_server(team, bob)) == [f"granted {bob} access as a rater"]
    assert team.server.execute(POLICIES, team.name) == before
    with team.connect_as("bob") as connection:
        assert fetch_rows(connection, "SELECT count(uid) FROM qe_desktop.screens")[0][0] > 0


def test_a_process_that_locks_the_tables_is_named_and_others_do_not_wait(team, open_transaction, monkeypatch):
    monkeypatch.setattr(migrations, "LOCK_WAIT_SECONDS", 1)
    remark = "COMMENT ON POLICY rater_adds ON qe_desktop.rating_events IS 'of an earlier version'"
    team.server.execute(remark, team.name)
    before = team.server.execute(POLICIES, team.name)
    error = result_within(120, lambda: prepare_server(team, team.roles["bob"]))
    assert isinstance(error, QeError)
    assert f"{team.roles['ann']} (process {open_transaction.info.backend_pid})" in error.message
    assert "pg_terminate_backend" in error.hint
    assert team.server.execute(POLICIES, team.name) == before
    bob = team.open("bob")
    assert bob.rater_session("campaign-1").progress()[1] > 0
    bob.close()
    open_transaction.execute("COMMIT")
    open_transaction.execute("BEGIN")
    assert prepare_server(team, team.roles["bob"])
    after = team.server.execute(POLICIES, team.name)
    assert len(set(before) - set(after)) == 1


def test_a_migration_fails_while_a_transaction_reads_and_succeeds_later(postgresql, monkeypatch):
    monkeypatch.setattr(migrations, "LOCK_WAIT_SECONDS", 1)
    owner, rater = postgresql.new_role(), postgresql.new_role()
    name = postgresql.new_database(owner)
    url = postgresql.url(name, owner)
    Project.prepare_server(url, raters=[rater], password=f"{owner}!", new_password=lambda name: "unasked")
    with Project.open(url, person="o", password=f"{owner}!") as project:
        project.add_campaign(make_design((rater,)))
        postgresql.execute("UPDATE pg_trigger SET tgenabled = 'D' WHERE tgname = 'passages_only_added'", name)
        postgresql.execute("UPDATE qe_desktop.passages SET reference = 'r'", name)
        postgresql.execute("UPDATE pg_trigger SET tgenabled = 'O' WHERE tgname = 'passages_only_added'", name)
        downgrade_schema(project, 2)
    with postgresql.connect(name, rater, f"{rater}!") as connection:
        connection.execute("BEGIN")
        assert fetch_rows(connection, "SELECT DISTINCT reference FROM qe_desktop.passages") == [("r",)]
        error = result_within(120, lambda: Project.open(url, person="o", password=f"{owner}!"))
        assert isinstance(error, QeError)
        assert rater in error.message
        connection.execute("ROLLBACK")
        # after the transaction, the migration also applies to raters who had access before
        Project.open(url, person="o", password=f"{owner}!").close()
        assert fetch_rows(connection, "SELECT DISTINCT reference FROM qe_desktop.passages") == [("",)]
        assert fetch_rows(connection, "SELECT count(takes) FROM qe_desktop.campaigns") == [(1,)]
    with Project.open(postgresql.url(name, rater), person="r", password=f"{rater}!") as project:
        work = project.rater_session("campaign-1")
        project.rate(work.rate(work.screens[0].uid, "fluency", 4))
        assert project.flush(PATIENCE)
        assert project.writer.rejected_rows == ()
    with Project.open(url, person="o", password=f"{owner}!") as project:
        assert [row.what for row in project.audit()][-1] == "texts hidden from raters"


def test_transactions_of_raters_have_time_limits(team):
    with team.connect_as("ann") as connection:
        assert fetch_rows(connection, "SHOW idle_in_transaction_session_timeout") == [("1min",)]
        assert fetch_rows(connection, "SHOW statement_timeout") == [("1min",)]


def test_the_number_of_connections_of_a_rater_is_limited(team):
    """Otherwise, one rater could use all connections of the server."""
    bob, carl = team.roles["bob"], f"{team.roles['bob']}_carl"
    limit = "SELECT rolconnlimit FROM pg_roles WHERE rolname = '{}'"
    prepare_server(team, bob, carl)
    try:
        assert team.server.execute(limit.format(carl), team.name) == [(20,)]
        # existing roles, which the owner may not be able to change, keep their limits
        team.server.execute(f'ALTER ROLE "{carl}" CONNECTION LIMIT 3', team.name)
        prepare_server(team, carl)
        assert team.server.execute(limit.format(carl), team.name) == [(3,)]
    finally:
        team.server.execute(f'DROP OWNED BY "{carl}"', team.name)
        team.server.execute(f'DROP ROLE "{carl}"', team.name)
