"""What the database itself keeps from raters: tried with real roles and plain connections, not with the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import QeError
from qe_desktop.project.events import new_uid
from qe_desktop.project.store import Project
from qe_desktop.project.store.tables import schema
from qe_desktop.ratings.event_validation import clean_text
from tests.patience import PATIENCE
from tests.project.store.made import a_campaign, full_corpus
from tests.project.store.team import SECRET, Team, denied, rows

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
        assert "permission denied" in denied(team, who, statement)


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
        denied(team, "ann", statement)
    if table not in ("rating_events",):
        denied(team, "ann", f"INSERT INTO {table} DEFAULT VALUES")
        denied(team, "ann", f"COPY {table} FROM STDIN")


def test_a_rater_reads_own_screens_and_what_they_show(team):
    rater = team.roles["ann"]
    mine = {screen.uid for screen in team.design.screens if screen.rater == rater}
    shown = {uid for screen in team.design.screens if screen.rater == rater for uid in screen.outputs}
    with team.as_role("ann") as connection:
        connection.execute("SET search_path = qe_desktop")
        assert {row[0] for row in rows(connection, "SELECT uid FROM screens")} == mine
        assert {row[0] for row in rows(connection, "SELECT uid FROM outputs")} == shown
        assert {row[0] for row in rows(connection, "SELECT uid FROM campaigns")} == {"campaign-1"}
        assert {row[0] for row in rows(connection, "SELECT DISTINCT campaign FROM passages")} == {"campaign-1"}
        assert {row[0] for row in rows(connection, "SELECT DISTINCT rater FROM rating_events")} == {rater}
        assert rows(connection, "SELECT value FROM meta WHERE key = 'schema'") == [(str(schema.VERSION),)]


def test_the_order_of_the_design_is_hidden(team):
    for table in ("passages", "outputs", "screens"):
        assert "permission denied" in denied(team, "ann", f"SELECT place FROM {table}")
        assert "permission denied" in denied(team, "ann", f"SELECT * FROM {table}")
        # where a row lies would tell the order of writing
        denied(team, "ann", f"SELECT ctid FROM {table}")
        denied(team, "ann", f"SELECT xmin FROM {table}")


def test_other_ratings_cannot_be_had_by_any_detour(team):
    other = team.roles["bob"]
    with team.as_role("ann") as connection:
        connection.execute("SET search_path = qe_desktop")
        for statement in (
            f"SELECT uid FROM rating_events WHERE rater = '{other}'",
            f"SELECT e.uid FROM rating_events e JOIN screens s ON s.uid = e.screen AND s.rater = '{other}'",
            f"SELECT uid FROM rating_events WHERE rater LIKE '{other[:3]}%' OR true AND rater <> current_user",
            f"WITH o AS MATERIALIZED (SELECT * FROM rating_events) SELECT uid FROM o WHERE rater = '{other}'",
        ):
            assert rows(connection, statement) == []
        # a function that tells what it is shown is shown nothing of others
        heard: list[str] = []
        connection.add_notice_handler(lambda notice: heard.append(notice.message_primary))
        connection.execute(
            "CREATE FUNCTION pg_temp.leak(text, text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS"
            " $$ BEGIN RAISE NOTICE '% %', $1, $2; RETURN true; END $$"
        )
        connection.execute("SELECT count(*) FROM rating_events WHERE pg_temp.leak(rater, value)")
        assert heard
        assert all(message.startswith(team.roles["ann"]) for message in heard)
        heard.clear()
        connection.execute("SELECT count(*) FROM outputs WHERE pg_temp.leak(uid, text)")
        shown = {uid for screen in team.design.screens if screen.rater == team.roles["ann"] for uid in screen.outputs}
        assert {message.split(" ", 1)[0] for message in heard} <= shown
        with connection.cursor().copy("COPY (SELECT rater FROM rating_events) TO STDOUT") as copy:
            copied = b"".join(bytes(block) for block in copy)
        assert team.roles["ann"].encode() in copied
        assert other.encode() not in copied
        # the planner's statistics hold values of columns
        for view in ("pg_stats", "pg_stats_ext"):
            assert rows(connection, f"SELECT * FROM pg_catalog.{view} WHERE schemaname = 'qe_desktop'") == []
    denied(team, "ann", "SELECT * FROM pg_catalog.pg_statistic")
    denied(team, "ann", "SELECT * FROM pg_catalog.pg_authid")


def test_statistics_are_there_and_yet_not_shown(team):
    team.server.execute("ANALYZE", team.name)
    test_other_ratings_cannot_be_had_by_any_detour(team)


def test_counters_cannot_be_read_or_turned(team):
    with team.as_role("ann") as connection:
        names = rows(connection, "SELECT sequencename FROM pg_sequences WHERE schemaname = 'qe_desktop'")
        assert rows(
            connection, "SELECT last_value FROM pg_sequences WHERE schemaname = 'qe_desktop' AND last_value IS NOT NULL"
        ) == []  # fmt: skip
    for (name,) in names:
        denied(team, "ann", f"SELECT last_value FROM qe_desktop.{name}")
        denied(team, "ann", f"SELECT nextval('qe_desktop.{name}')")
        denied(team, "ann", f"SELECT setval('qe_desktop.{name}', 1)")


def test_the_owners_role_cannot_be_taken_on(team):
    for statement in (
        f'SET ROLE "{team.owner}"', f'SET SESSION AUTHORIZATION "{team.owner}"', f'SET ROLE "{team.roles["bob"]}"',
        f'GRANT "{team.owner}" TO "{team.roles["ann"]}"', "ALTER ROLE CURRENT_USER SUPERUSER",
        "SET LOCAL row_security = off; SELECT 1 FROM output_keys",
    ):  # fmt: skip
        denied(team, "ann", statement)


def test_row_security_cannot_be_switched_off(team):
    denied(team, "ann", "SET row_security = off; SELECT uid FROM rating_events")


INSERT = (
    'INSERT INTO rating_events (uid, campaign, screen, rater, at, field, value, seconds, action, refers, "window")'
    " VALUES ('{uid}', '{campaign}', '{screen}', '{rater}', 1, 'fluency', '3.0', 0, 'rate', '', 'w')"
)


def test_a_rater_adds_own_ratings_and_no_others(team):
    ann, bob = team.roles["ann"], team.roles["bob"]
    mine = next(screen.uid for screen in team.design.screens if screen.rater == ann)
    theirs = next(screen.uid for screen in team.design.screens if screen.rater == bob)
    good = {"uid": "own", "campaign": "campaign-1", "screen": mine, "rater": ann}
    with team.as_role("ann") as connection:
        connection.execute("SET search_path = qe_desktop")
        connection.execute(INSERT.format(**good))
    for wrong in (
        {"rater": bob}, {"screen": theirs}, {"rater": bob, "screen": theirs}, {"campaign": "campaign-2"},
        {"screen": "", "campaign": "campaign-2"}, {"screen": "no such"}, {"campaign": "campaign-2", "screen": theirs},
    ):  # fmt: skip
        denied(team, "ann", INSERT.format(**{**good, "uid": "wrong", **wrong}))
    # neither the place in the order nor the transaction can be made up
    for column in ("seq", "tx"):
        denied(team, "ann", f"INSERT INTO rating_events (uid, {column}) VALUES ('wrong', 1)")
    assert team.server.execute("SELECT uid FROM qe_desktop.rating_events WHERE uid = 'wrong'", team.name) == []
    denied(team, "ann", f"UPDATE rating_events SET value = '5.0' WHERE rater = '{ann}'")
    denied(team, "ann", INSERT.format(**good) + " ON CONFLICT (uid) DO UPDATE SET value = '1.0'")


@pytest.mark.parametrize("value", ["", 'a "quoted" / \\ \n\t 猫 \U0001f638', "\ud800 \0 \x7f", "x" * 10_000, None])
def test_what_the_program_writes_is_taken(team, value):
    project = team.open("ann")
    mine = project.work("campaign-1", team.roles["ann"]).screens[0].uid
    event = RatingEvent(new_uid(), "campaign-1", mine, team.roles["ann"], 1.0, "comment", value)
    project.rate(event)
    assert project.flush(PATIENCE)
    assert project.writer.refused == ()
    kept = next(one for one in team.project.events("campaign-1") if one.uid == event.uid).value
    assert kept == (None if value is None else clean_text(value))
    project.close()


def test_estimates_of_the_server_tell_nothing_of_others_ratings(team):
    team.server.execute("ANALYZE qe_desktop.rating_events", team.name)
    counted = team.server.execute(
        "SELECT attname FROM pg_stats WHERE schemaname = 'qe_desktop' AND tablename = 'rating_events'", team.name
    )
    assert "screen" in {row[0] for row in counted}
    assert {row[0] for row in counted}.isdisjoint({"value", "at", "seconds", "refers"})


def test_progress_is_all_that_is_known_of_others(team):
    with team.as_role("ann") as connection:
        connection.execute("SET search_path = qe_desktop")
        counts = {row[0]: row[1:] for row in rows(connection, "SELECT * FROM progress('campaign-1')")}
        assert set(counts) == {team.roles["ann"], team.roles["bob"]}
        assert all(done == total > 0 for done, total in counts.values())
        assert rows(connection, "SELECT * FROM progress('campaign-2')") == []
    denied(team, "ann", "SELECT is_handled('campaign-1', 'x', 'bob', ARRAY['fluency'])")
    denied(team, "stranger", "SELECT * FROM qe_desktop.progress('campaign-1')")
    denied(team, "ann", "CREATE OR REPLACE FUNCTION progress(text) RETURNS int LANGUAGE sql AS 'SELECT 1'")


def test_a_function_of_the_owner_cannot_be_led_astray(team):
    """Tables of one's own must not be taken for those of the project within functions that run as the owner."""
    with team.as_role("ann") as connection:
        connection.execute("CREATE TEMP TABLE screens AS SELECT 'x' AS rater, 'campaign-1' AS campaign")
        connection.execute("CREATE TEMP TABLE rating_events (a int)")
        connection.execute("SET search_path = pg_temp, qe_desktop")
        counts = {row[0] for row in rows(connection, "SELECT rater FROM qe_desktop.progress('campaign-1')")}
    assert counts == {team.roles["ann"], team.roles["bob"]}


# --- the program as a rater


@pytest.fixture
def rater(team: Team) -> Iterator[Project]:
    project = team.open("ann")
    yield project
    project.close()


def test_a_rater_rates_in_the_program(team, rater):
    assert (rater.role, rater.person) == ("rater", team.roles["ann"])
    assert rater.corpus() is None
    assert [campaign.uid for campaign in rater.campaigns()] == ["campaign-1"]
    work = rater.work("campaign-1")
    assert work.progress()[0] > 0
    team.project.news()
    uid = work.screens[0].uid
    before = rater.progress("campaign-1")
    rater.rate(work.comment(uid, "a remark"))
    assert rater.flush(PATIENCE)
    assert rater.writer.refused == ()
    assert [event.value for event in team.project.news().ratings] == ["a remark"]
    assert rater.progress("campaign-1") == before == team.project.progress("campaign-1")
    again = team.open("ann")
    assert again.work("campaign-1").values(uid)["comment"] == "a remark"
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
        lambda project: project.add_campaign(a_campaign(uid="mine")),
        lambda project: project.extend(full_corpus()),
        lambda project: project.work("campaign-1", "bob"),
        lambda project: project.import_ratings(__file__),
    ],
)
def test_what_a_rater_may_not_is_said_in_words(rater, ask: Callable[[Project], object]):
    with pytest.raises(QeError) as caught:
        ask(rater)
    assert "rater" in caught.value.line() or "rate as" in caught.value.line()
    assert "permission denied" not in caught.value.line()


def test_a_rating_for_another_is_refused_by_the_server_and_set_aside(team, rater):
    from dataclasses import replace

    work = rater.work("campaign-1")
    told: list[QeError | None] = []
    rater.writer.on_trouble.append(told.append)
    event = work.rate(work.screens[0].uid, "fluency", 1)
    rater.append([replace(event, rater=team.roles["bob"]), event])
    assert rater.flush(PATIENCE)
    assert len(rater.writer.refused) == 1
    assert "does not allow" in str(told[0])
    assert event.uid in {one.uid for one in team.project.events("campaign-1")}


def test_a_stranger_is_told_so(team):
    with pytest.raises(QeError, match="no access to this project"):
        team.open("stranger")


def test_a_wrong_password_is_told_so_and_not_repeated(team):
    with pytest.raises(QeError, match="does not accept the password") as caught:
        Project.open(team.url, person="x", password="wr0ng!")
    assert "wr0ng!" not in caught.value.line()
    assert caught.value.__cause__ is None


def test_no_password_is_written_anywhere(team):
    """The server logs every statement here; what it was sent of new roles' passwords is a SCRAM verifier."""
    log = team.server.log()
    assert "SCRAM-SHA-256$" in log
    for secret in SECRET.values():
        assert secret not in log
    dumped = team.server.execute("SELECT string_agg(rolpassword, ' ') FROM pg_authid")[0][0]
    assert not any(secret in dumped for secret in SECRET.values())
    assert team.passwords["owner"] not in repr(team.project.place)
