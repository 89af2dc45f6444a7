"""Access restrictions that the database enforces on raters, tested with real roles and plain connections."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import QeError
from qe_desktop.project.events import new_uid
from qe_desktop.project.store import Project
from qe_desktop.project.store.tables import schema
from qe_desktop.ratings.event_validation import clean_text
from tests.project.store.small_projects import full_corpus, make_design
from tests.project.store.team import SECRET, Team, denied_message, fetch_rows
from tests.timeouts import PATIENCE

SECRETS = ["campaign_setups", "output_keys", "screen_keys", "audit", "edits", "reviews", "visits", "settings", "layers",
           "removals", "corpora", "columns", "blobs", "chunks", "windows", "rating_sets"]  # fmt: skip
OPEN = ["meta", "campaigns", "passages", "outputs", "screens", "rating_events"]


def test_every_table_is_either_secret_or_open():
    assert sorted(SECRETS + OPEN) == sorted(schema.metadata.tables)


@pytest.mark.parametrize("table", SECRETS)
@pytest.mark.parametrize("who", ["ann", "stranger"])
def test_secret_tables_cannot_be_read_in_any_way(team, table, who):
    table = f"qe_desktop.{table}"
    for statement in (
        f"SELECT * FROM {table}",
        f"SELECT count(*) FROM {table}",
        f"SELECT 1 FROM {table}",
        f"COPY {table} TO STDOUT",
        f"SELECT row_to_json(t) FROM {table} t",
        f"SELECT query_to_xml('SELECT * FROM {table}', true, false, '')",
        f"SELECT * FROM {table} FOR SHARE",
        f"BEGIN; LOCK TABLE {table} IN ACCESS SHARE MODE",
    ):
        assert "permission denied" in denied_message(team, who, statement)


@pytest.mark.parametrize("table", SECRETS + OPEN)
def test_no_table_can_be_changed(team, table):
    column = next(iter(schema.metadata.tables[table].columns)).name
    name = schema.POSTGRESQL_SCHEMA
    for statement in (
        f"UPDATE {table} SET {column} = {column}",
        f"DELETE FROM {table}",
        f"TRUNCATE {table}",
        f"DROP TABLE {table}",
        f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY",
        f"DROP POLICY owner_sees_all ON {table}",
        f"CREATE POLICY mine ON {table} USING (true)",
        f"CREATE RULE mine AS ON INSERT TO {table} DO INSTEAD NOTHING",
        f"ALTER TABLE {table} DISABLE TRIGGER ALL",
        f"BEGIN; LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE",
        f"CREATE TABLE {name}.mine AS SELECT 1",
        f"CREATE FUNCTION {name}.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    ):
        denied_message(team, "ann", statement)
    if table not in ("rating_events",):
        denied_message(team, "ann", f"INSERT INTO {table} DEFAULT VALUES")
        denied_message(team, "ann", f"COPY {table} FROM STDIN")


def test_a_rater_reads_only_own_screens_and_their_outputs(team):
    rater = team.roles["ann"]
    mine = {screen.uid for screen in team.design.screens if screen.rater == rater}
    shown = {uid for screen in team.design.screens if screen.rater == rater for uid in screen.outputs}
    with team.connect_as("ann") as connection:
        connection.execute("SET search_path = qe_desktop")
        assert {row[0] for row in fetch_rows(connection, "SELECT uid FROM screens")} == mine
        assert {row[0] for row in fetch_rows(connection, "SELECT uid FROM outputs")} == shown
        assert {row[0] for row in fetch_rows(connection, "SELECT uid FROM campaigns")} == {"campaign-1"}
        assert {row[0] for row in fetch_rows(connection, "SELECT DISTINCT campaign FROM passages")} == {"campaign-1"}
        assert {row[0] for row in fetch_rows(connection, "SELECT DISTINCT rater FROM rating_events")} == {rater}
        assert fetch_rows(connection, "SELECT value FROM meta WHERE key = 'schema'") == [(str(schema.VERSION),)]


def test_the_order_of_the_design_is_hidden(team):
    for table in ("passages", "outputs", "screens"):
        assert "permission denied" in denied_message(team, "ann", f"SELECT place FROM {table}")
        assert "permission denied" in denied_message(team, "ann", f"SELECT * FROM {table}")
        # the physical position of a row would reveal the order of writing
        denied_message(team, "ann", f"SELECT ctid FROM {table}")
        denied_message(team, "ann", f"SELECT xmin FROM {table}")


def test_ratings_of_others_cannot_be_read_indirectly(team):
    other = team.roles["bob"]
    with team.connect_as("ann") as connection:
        connection.execute("SET search_path = qe_desktop")
        for statement in (
            f"SELECT uid FROM rating_events WHERE rater = '{other}'",
            f"SELECT e.uid FROM rating_events e JOIN screens s ON s.uid = e.screen AND s.rater = '{other}'",
            f"SELECT uid FROM rating_events WHERE rater LIKE '{other[:3]}%' OR true AND rater <> current_user",
            f"WITH o AS MATERIALIZED (SELECT * FROM rating_events) SELECT uid FROM o WHERE rater = '{other}'",
        ):
            assert fetch_rows(connection, statement) == []
        # a function that reports its arguments receives no rows of others
        notices: list[str] = []
        connection.add_notice_handler(lambda notice: notices.append(notice.message_primary))
        connection.execute(
            "CREATE FUNCTION pg_temp.leak(text, text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS"
            " $$ BEGIN RAISE NOTICE '% %', $1, $2; RETURN true; END $$"
        )
        connection.execute("SELECT count(*) FROM rating_events WHERE pg_temp.leak(rater, value)")
        assert notices
        assert all(message.startswith(team.roles["ann"]) for message in notices)
        notices.clear()
        connection.execute("SELECT count(*) FROM outputs WHERE pg_temp.leak(uid, text)")
        shown = {uid for screen in team.design.screens if screen.rater == team.roles["ann"] for uid in screen.outputs}
        assert {message.split(" ", 1)[0] for message in notices} <= shown
        with connection.cursor().copy("COPY (SELECT rater FROM rating_events) TO STDOUT") as copy:
            copied = b"".join(bytes(block) for block in copy)
        assert team.roles["ann"].encode() in copied
        assert other.encode() not in copied
        # the planner's statistics contain values of columns
        for view in ("pg_stats", "pg_stats_ext"):
            assert fetch_rows(connection, f"SELECT * FROM pg_catalog.{view} WHERE schemaname = 'qe_desktop'") == []
    denied_message(team, "ann", "SELECT * FROM pg_catalog.pg_statistic")
    denied_message(team, "ann", "SELECT * FROM pg_catalog.pg_authid")


def test_statistics_of_the_planner_are_hidden_from_raters(team):
    team.server.execute("ANALYZE", team.name)
    test_ratings_of_others_cannot_be_read_indirectly(team)


def test_sequences_cannot_be_read_or_advanced(team):
    with team.connect_as("ann") as connection:
        names = fetch_rows(connection, "SELECT sequencename FROM pg_sequences WHERE schemaname = 'qe_desktop'")
        assert fetch_rows(
            connection, "SELECT last_value FROM pg_sequences WHERE schemaname = 'qe_desktop' AND last_value IS NOT NULL"
        ) == []  # fmt: skip
    for (name,) in names:
        denied_message(team, "ann", f"SELECT last_value FROM qe_desktop.{name}")
        denied_message(team, "ann", f"SELECT nextval('qe_desktop.{name}')")
        denied_message(team, "ann", f"SELECT setval('qe_desktop.{name}', 1)")


def test_raters_cannot_assume_other_roles(team):
    for statement in (
        f'SET ROLE "{team.owner}"', f'SET SESSION AUTHORIZATION "{team.owner}"', f'SET ROLE "{team.roles["bob"]}"',
        f'GRANT "{team.owner}" TO "{team.roles["ann"]}"', "ALTER ROLE CURRENT_USER SUPERUSER",
        "SET LOCAL row_security = off; SELECT 1 FROM output_keys",
    ):  # fmt: skip
        denied_message(team, "ann", statement)


def test_row_security_cannot_be_switched_off(team):
    denied_message(team, "ann", "SET row_security = off; SELECT uid FROM rating_events")


INSERT = (
    'INSERT INTO rating_events (uid, campaign, screen, rater, at, field, value, seconds, action, refers, "window")'
    " VALUES ('{uid}', '{campaign}', '{screen}', '{rater}', 1, 'fluency', '3.0', 0, 'rate', '', 'w')"
)


def test_a_rater_can_add_only_own_ratings(team):
    ann, bob = team.roles["ann"], team.roles["bob"]
    own_screen = next(screen.uid for screen in team.design.screens if screen.rater == ann)
    bobs_screen = next(screen.uid for screen in team.design.screens if screen.rater == bob)
    good = {"uid": "own", "campaign": "campaign-1", "screen": own_screen, "rater": ann}
    with team.connect_as("ann") as connection:
        connection.execute("SET search_path = qe_desktop")
        connection.execute(INSERT.format(**good))
    for wrong in (
        {"rater": bob}, {"screen": bobs_screen}, {"rater": bob, "screen": bobs_screen}, {"campaign": "campaign-2"},
        {"screen": "", "campaign": "campaign-2"}, {"screen": "no such"},
        {"campaign": "campaign-2", "screen": bobs_screen},
    ):  # fmt: skip
        denied_message(team, "ann", INSERT.format(**{**good, "uid": "wrong", **wrong}))
    # neither the sequence number nor the transaction can be forged
    for column in ("seq", "tx"):
        denied_message(team, "ann", f"INSERT INTO rating_events (uid, {column}) VALUES ('wrong', 1)")
    assert team.server.execute("SELECT uid FROM qe_desktop.rating_events WHERE uid = 'wrong'", team.name) == []
    denied_message(team, "ann", f"UPDATE rating_events SET value = '5.0' WHERE rater = '{ann}'")
    denied_message(team, "ann", INSERT.format(**good) + " ON CONFLICT (uid) DO UPDATE SET value = '1.0'")


@pytest.mark.parametrize("value", ["", 'a "quoted" / \\ \n\t 猫 \U0001f638', "\ud800 \0 \x7f", "x" * 10_000, None])
def test_comments_that_the_program_writes_are_accepted(team, value):
    project = team.open("ann")
    mine = project.rater_session("campaign-1", team.roles["ann"]).screens[0].uid
    event = RatingEvent(new_uid(), "campaign-1", mine, team.roles["ann"], 1.0, "comment", value)
    project.rate(event)
    assert project.flush(PATIENCE)
    assert project.writer.rejected_rows == ()
    stored_value = next(
        kept_event for kept_event in team.project.events("campaign-1") if kept_event.uid == event.uid
    ).value
    assert stored_value == (None if value is None else clean_text(value))
    project.close()


def test_statistics_of_the_planner_contain_no_ratings(team):
    team.server.execute("ANALYZE qe_desktop.rating_events", team.name)
    counted = team.server.execute(
        "SELECT attname FROM pg_stats WHERE schemaname = 'qe_desktop' AND tablename = 'rating_events'", team.name
    )
    assert "screen" in {row[0] for row in counted}
    assert {row[0] for row in counted}.isdisjoint({"value", "at", "seconds", "refers"})


def test_raters_see_only_the_progress_of_others(team):
    with team.connect_as("ann") as connection:
        connection.execute("SET search_path = qe_desktop")
        counts = {row[0]: row[1:] for row in fetch_rows(connection, "SELECT * FROM progress('campaign-1')")}
        assert set(counts) == {team.roles["ann"], team.roles["bob"]}
        assert all(done == total > 0 for done, total in counts.values())
        assert fetch_rows(connection, "SELECT * FROM progress('campaign-2')") == []
    denied_message(team, "ann", "SELECT is_handled('campaign-1', 'x', 'bob', ARRAY['fluency'])")
    denied_message(team, "stranger", "SELECT * FROM qe_desktop.progress('campaign-1')")
    denied_message(team, "ann", "CREATE OR REPLACE FUNCTION progress(text) RETURNS int LANGUAGE sql AS 'SELECT 1'")


def test_functions_of_the_owner_ignore_tables_of_raters(team):
    """Functions that run as the owner must not use a rater's tables instead of those of the project."""
    with team.connect_as("ann") as connection:
        connection.execute("CREATE TEMP TABLE screens AS SELECT 'x' AS rater, 'campaign-1' AS campaign")
        connection.execute("CREATE TEMP TABLE rating_events (a int)")
        connection.execute("SET search_path = pg_temp, qe_desktop")
        counts = {row[0] for row in fetch_rows(connection, "SELECT rater FROM qe_desktop.progress('campaign-1')")}
    assert counts == {team.roles["ann"], team.roles["bob"]}


# --- the program with the role of a rater


@pytest.fixture
def rater(team: Team) -> Iterator[Project]:
    project = team.open("ann")
    yield project
    project.close()


def test_a_rater_can_rate_in_the_program(team, rater):
    assert (rater.role, rater.person) == ("rater", team.roles["ann"])
    assert rater.corpus() is None
    assert [campaign.uid for campaign in rater.campaigns()] == ["campaign-1"]
    work = rater.rater_session("campaign-1")
    assert work.progress()[0] > 0
    team.project.new_changes()
    uid = work.screens[0].uid
    before = rater.progress("campaign-1")
    rater.rate(work.comment(uid, "a remark"))
    assert rater.flush(PATIENCE)
    assert rater.writer.rejected_rows == ()
    assert [event.value for event in team.project.new_changes().ratings] == ["a remark"]
    assert rater.progress("campaign-1") == before == team.project.progress("campaign-1")
    again = team.open("ann")
    assert again.rater_session("campaign-1").values(uid)["comment"] == "a remark"
    again.close()


@pytest.mark.parametrize(
    "ask",
    [
        lambda project: project.design("campaign-1"),
        lambda project: project.events("campaign-1"),
        lambda project: project.history(),
        lambda project: project.edit_rows([1]),
        lambda project: project.settings(),
        lambda project: project.audit(),
        lambda project: project.ratings(),
        lambda project: project.ratings("campaign-1"),
        lambda project: project.save_as("/tmp/never.qedesk"),
        lambda project: project.add_campaign(make_design(uid="mine")),
        lambda project: project.extend(full_corpus()),
        lambda project: project.rater_session("campaign-1", "bob"),
        lambda project: project.import_ratings(__file__),
    ],
)
def test_actions_forbidden_to_raters_raise_readable_errors(rater, ask: Callable[[Project], object]):
    with pytest.raises(QeError) as caught:
        ask(rater)
    assert "rater" in caught.value.line() or "rate as" in caught.value.line()
    assert "permission denied" not in caught.value.line()


def test_a_rating_for_another_rater_is_rejected_and_set_aside(team, rater):
    from dataclasses import replace

    work = rater.rater_session("campaign-1")
    troubles: list[QeError | None] = []
    rater.writer.on_error.append(troubles.append)
    event = work.rate(work.screens[0].uid, "fluency", 1)
    rater.append([replace(event, rater=team.roles["bob"]), event])
    assert rater.flush(PATIENCE)
    assert len(rater.writer.rejected_rows) == 1
    assert "does not grant your role" in str(troubles[0])
    assert event.uid in {kept_event.uid for kept_event in team.project.events("campaign-1")}


def test_a_role_without_access_cannot_open_the_project(team):
    with pytest.raises(QeError, match="no access to this project"):
        team.open("stranger")


def test_a_wrong_password_is_reported_but_not_displayed(team):
    with pytest.raises(QeError, match="rejected the password") as caught:
        Project.open(team.url, person="x", password="wr0ng!")
    assert "wr0ng!" not in caught.value.line()
    assert caught.value.__cause__ is None


def test_passwords_are_not_written_to_logs_or_tables(team):
    """The server logs every statement here; passwords of new roles are sent only as SCRAM verifiers."""
    log = team.server.log()
    assert "SCRAM-SHA-256$" in log
    for secret in SECRET.values():
        assert secret not in log
    dumped = team.server.execute("SELECT string_agg(rolpassword, ' ') FROM pg_authid")[0][0]
    assert not any(secret in dumped for secret in SECRET.values())
    assert team.passwords["owner"] not in repr(team.project.place)
