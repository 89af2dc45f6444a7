"""The database itself validates the events of raters by the rules of the protocol, whatever program writes them."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing

import pytest

from qe_desktop.project.events import new_uid
from qe_desktop.project.store import Project
from qe_desktop.project.store.tables.event_table import decode_events
from qe_desktop.ratings.event_validation import MAX_TEXT_CHARS, MAX_UNIX_TIME, EventValidator
from qe_desktop.ratings.results.rating_results import build_results
from tests.project.store.old_schemas import downgrade_schema
from tests.project.store.small_projects import make_design, rate_all
from tests.project.store.team import Team, fetch_rows
from tests.timeouts import PATIENCE

COLUMNS = ("uid", "campaign", "screen", "rater", "at", "field", "value", "seconds", "action", "refers", "window")
ROW = {
    "uid": "", "campaign": "campaign-1", "screen": "", "rater": "", "at": 1.0, "field": "fluency", "value": "3.0",
    "seconds": 0.0, "action": "rate", "refers": "", "window": "w",
}  # fmt: skip
INSERT = f'INSERT INTO rating_events ({", ".join(COLUMNS[:-1])}, "window") VALUES ({", ".join(["%s"] * len(COLUMNS))})'
BAD_VALUES = [
    "007", "1e105", "4.7", "true", "false", "3", "3.00", "03.0", "0.0", "6.0", "-1.0", "+3.0", "1e0", "NaN", "Infinity",
    '"3"', "[3]", "{}", "null", "", " 3.0", "3.0 ", "3.0\n", "[" * 5000, "1" * 5000 + ".0", "\u0663.0",
]  # fmt: skip
BAD_TEXTS = [
    '"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\\u0007"', '"\\u009f"', '"\\r"', '"\\b"', '"a', 'a"', '"a"b"',
    '"é"',
    '"\n"', "3.0", "[1]", "true", json.dumps("x" * (MAX_TEXT_CHARS + 1)), json.dumps("x" * 20_000_000),
    json.dumps("\U0001f638" * (MAX_TEXT_CHARS + 1)),
]  # fmt: skip
GOOD_TEXTS = [
    json.dumps(text) for text in ("", 'a "b" / \\ \n\t', "猫 \U0001f638 \u00a0", "\U0001f638" * MAX_TEXT_CHARS)
]
MALFORMED_ROWS = [
    {"field": "adequacy ", "value": "3.0"}, {"field": "score", "value": "3.0"}, {"field": "ranks", "value": "[1]"},
    {"field": "", "value": None}, {"field": "reveal", "value": "1.0"}, {"field": "seen", "value": '""'},
    {"action": "bogus"}, {"action": "undo", "refers": "x"}, {"action": "undo", "refers": "", "value": None},
    {"action": "rate", "refers": "x"}, {"seconds": float("nan")}, {"seconds": -1.0}, {"seconds": 1e9},
    {"seconds": float("inf")}, {"field": "profile", "value": '""'}, {"uid": ""}, {"uid": "x" * 101},
    {"uid": "a\nb"}, {"refers": "x" * 20_000}, {"window": "x" * 20_000},
]  # fmt: skip


def make_event_row(team: Team, **change: object) -> dict[str, object]:
    mine = next(screen.uid for screen in team.design.screens if screen.rater == team.roles["ann"])
    return {**ROW, "uid": new_uid(), "screen": mine, "rater": team.roles["ann"], **change}


def insert_error(team: Team, row: dict[str, object], who: str = "ann") -> str:
    """SQLSTATE of the error that rejected a row; empty if the row was accepted."""
    import psycopg

    with team.connect_as(who) as connection:
        connection.execute("SET search_path = qe_desktop")
        try:
            connection.execute(INSERT, [row[name] for name in COLUMNS])
        except psycopg.Error as error:
            return error.sqlstate or "?"
    return ""


@pytest.mark.parametrize("value", BAD_VALUES, ids=lambda value: repr(value[:20]))
def test_values_outside_the_scale_are_rejected(team, value):
    assert insert_error(team, make_event_row(team, value=value)) in ("23514", "22P02")
    assert team.project.ratings("campaign-1").notes == ()


@pytest.mark.parametrize("value", BAD_TEXTS, ids=lambda value: repr(value[:20]))
@pytest.mark.parametrize("field", ["comment", "skip"])
def test_invalid_and_too_long_texts_are_rejected(team, field, value):
    assert insert_error(team, make_event_row(team, field=field, value=value)) in ("23514", "22P05")


@pytest.mark.parametrize("value", GOOD_TEXTS, ids=lambda value: repr(value[:20]))
def test_valid_texts_are_accepted(team, value):
    row = make_event_row(team, field="comment", value=value)
    assert insert_error(team, row) == ""
    event_read = next(event for event in team.project.events("campaign-1") if event.uid == row["uid"])
    assert event_read.value == json.loads(value)


@pytest.mark.parametrize("change", MALFORMED_ROWS, ids=lambda change: repr(change)[:40])
def test_rows_that_no_program_writes_are_rejected(team, change):
    assert insert_error(team, make_event_row(team, **change)) in ("23514", "42501")


def test_the_database_and_the_reader_apply_the_same_rules(team):
    """The database accepts a row if and only if the reader would count it."""
    admission = EventValidator(team.design.campaign, team.design.screens)
    changes = [
        *MALFORMED_ROWS, *({"value": value} for value in (*BAD_VALUES, "1.0", "5.0", None)),
        *({"field": field, "value": value} for field in ("comment", "skip") for value in BAD_TEXTS[12:16] + GOOD_TEXTS),
        *({"field": field, "value": value} for field in ("reveal", "seen") for value in (None, "1.0", '""')),
        {"field": "profile", "screen": "", "value": '"{}"'}, {"field": "profile", "screen": "", "value": "1.0"},
        {"field": "comment", "screen": "", "value": '""'}, {"action": "undo", "refers": "u", "value": None},
        {"action": "redo", "refers": "u", "value": None}, {"screen": "none"}, {"campaign": "campaign-2"},
    ]  # fmt: skip
    accepted = 0
    for change in changes:
        row = make_event_row(team, **change)
        events, left = decode_events([[row[name] for name in COLUMNS[:-1]]])
        counts = bool(events) and not admission.problem(events[0])
        # spaces and zeros around a number do not change its value, but the program does not write them
        is_variant = counts and isinstance(row["value"], str) and row["value"] != "3.0" and row["value"] in BAD_VALUES
        has_long_window = len(str(row["window"])) > 100
        is_accepted = insert_error(team, row) == ""
        assert is_accepted == (counts and not is_variant and not has_long_window), (change, left)
        accepted += is_accepted
    assert accepted > 10


@pytest.mark.parametrize("protocol", ["rank", "pairwise", "direct-assessment"])
def test_each_protocol_accepts_only_its_own_values(team, protocol):
    uid = f"of {protocol}"
    ann = team.roles["ann"]
    design = make_design((ann,), protocol=protocol, uid=uid, controls=0.0)
    team.project.add_campaign(design)
    screen = design.screens[0]
    count = len(screen.outputs)
    good, bad = {
        "rank": (["[1,2,3]", "[0,0,0]", "[5,5,5]"], ["[1,2]", "[1,2,3,4]", "[6,1,1]", "[1, 2, 3]", "[-1,1,1]", "1.0",
                                                     None, "[1,2,1e0]", "[1,2,true]", "[]", '["1"]', "[01,2,3]"]),
        "pairwise": (["[1,2]", "[2,1]", "[1,1]", "[0,0]"], ["[1]", "[1,3]", "[1,2,1]", "2.0", "[null,1]"]),
        "direct-assessment": (["0.0", "100.0", "57.0"], ["101.0", "57", "57.5", "1e2", "[57]", "-0.0"]),
    }[protocol]  # fmt: skip
    assert count == {"rank": 3, "pairwise": 2, "direct-assessment": 1}[protocol]
    field = "score" if protocol == "direct-assessment" else "ranks"
    for value, accepted in [*((value, True) for value in good), *((value, False) for value in bad)]:
        row = make_event_row(team, campaign=uid, screen=screen.uid, field=field, value=value)
        assert (insert_error(team, row) == "") == accepted, value
    assert len(team.project.events(uid)) == len(good)


def test_times_come_from_the_clock_of_the_server_and_not_the_rater(team):
    with team.connect_as("ann") as connection:
        connection.execute("SET search_path = qe_desktop")
        uids = [new_uid() for _ in range(20)]
        invalid_times = [1e12, -1e12, float("nan"), float("inf"), 0.0] * 4
        before = time.time()
        placed = [
            make_event_row(team, uid=uid, at=at, field="seen", value=None)
            for uid, at in zip(uids, invalid_times, strict=True)
        ]
        with connection.transaction():
            connection.cursor().executemany(INSERT, [[row[name] for name in COLUMNS] for row in placed])
        times_by_uid = dict(
            fetch_rows(connection, "SELECT uid, at FROM rating_events WHERE field = 'seen' ORDER BY seq")
        )
    times = [times_by_uid[uid] for uid in uids]
    assert times == sorted(set(times))
    assert before - 60 < times[0] <= times[-1] < time.time() + 60


def test_items_of_others_and_missing_items_cause_the_same_error(team):
    """The error does not reveal whether an item exists."""
    import psycopg

    item_of_bob = next(screen.uid for screen in team.design.screens if screen.rater == team.roles["bob"])
    errors = []
    for screen in (item_of_bob, "no such item"):
        for rater in ("ann", "bob"):
            row = make_event_row(team, screen=screen, rater=team.roles[rater], value="x")
            with team.connect_as("ann") as connection:
                connection.execute("SET search_path = qe_desktop")
                with pytest.raises(psycopg.Error) as caught:
                    connection.execute(INSERT, [row[name] for name in COLUMNS])
            errors.append((caught.value.sqlstate, str(caught.value)))
    assert len(set(errors)) == 1


# --- existing invalid rows: from earlier versions, or in a file that another program changed


UNREADABLE_ROWS: Sequence[dict[str, object]] = [
    {"value": "007"}, {"value": "1e105"}, {"value": "4.7"}, {"value": "true"}, {"value": "[" * 3000},
    {"value": "1" * 5000}, {"value": "1" * 4000}, {"value": "[1e400]"},
    {"value": json.dumps("x" * 200_000), "field": "comment"},
    {"field": "ranks", "value": "[1,2,3]"}, {"field": "\u0007"}, {"at": 1e12}, {"at": -5.0}, {"seconds": 1e300},
    {"action": "bogus"}, {"uid": "x" * 5000}, {"screen": "none"}, {"action": "undo", "refers": ""},
    {"campaign": "campaign-1", "field": "profile", "value": '"[[[["'}, {"field": "fluency", "value": '"\\ud800"'},
]  # fmt: skip


def insert_event(project: Project, changes: Sequence[dict[str, object]], screen: str, rater: str) -> None:
    """Write rows without the checks."""
    from sqlalchemy import text

    from qe_desktop.project.store.tables.event_table import suspend_event_checks

    with project._database.transaction() as connection, suspend_event_checks(connection):
        for number, change in enumerate(changes):
            row = {**ROW, "uid": f"strange {number}", "screen": screen, "rater": rater, **change}
            names = ", ".join(f'"{name}"' for name in COLUMNS)
            marks = ", ".join(f":{name}" for name in COLUMNS)
            connection.execute(text(f"INSERT INTO rating_events ({names}) VALUES ({marks})"), row)


def test_unreadable_rows_are_skipped_and_reported(location):
    """A single invalid row once made all results inaccessible to the owner."""
    project = location.create(None)
    design = make_design()
    project.add_campaign(design)
    for rater in ("ann", "bob"):
        rate_all(project, "campaign-1", rater)
    assert project.flush(PATIENCE)
    before, events = project.ratings("campaign-1"), project.events("campaign-1")
    progress = project.progress("campaign-1")
    screen = next(screen for screen in design.screens if screen.rater == "bob")
    insert_event(project, UNREADABLE_ROWS, screen.uid, "bob")
    # a text with half a surrogate pair is read, except for that character
    remark = {"field": "comment", "value": '"\\ud800 half \\u0000"', "at": 1.8e9}
    insert_event(project, [{**remark, "uid": "readable"}], screen.uid, "bob")
    again = location.open("owner")
    events_read = again.rater_events("campaign-1")
    assert sum(skipped.count for skipped in events_read.skipped_rows) == len(UNREADABLE_ROWS)
    assert {skipped.rater for skipped in events_read.skipped_rows} == {"bob"}
    ratings = again.ratings("campaign-1")
    assert ratings.scores.rows() == before.scores.rows()
    assert [comment.text for comment in ratings.comments] == ["� half �"]
    assert ratings.notes[0].startswith(f"{len(UNREADABLE_ROWS)} invalid rows of bob were left out: ")
    assert [event for event in again.events("campaign-1") if event.uid != "readable"] == events
    assert again.progress("campaign-1") == progress
    assert build_results(ratings).notes[: len(ratings.notes)] == ratings.notes
    # the rater's own window opens, too
    assert again.rater_session("campaign-1", "bob").progress() == progress["bob"]
    assert again.new_changes() is not None


def test_events_whose_uids_unreadable_rows_have_are_not_imported_again(location, tmp_path):
    project = location.create(None)
    design = make_design()
    project.add_campaign(design)
    with Project.create(tmp_path / "copy.qedesk", None, person="ann") as other:
        other.add_campaign(design)
        rate_all(other, "campaign-1", "ann")
        assert other.flush(PATIENCE)
        events = other.events("campaign-1")
    screen = next(screen for screen in design.screens if screen.rater == "ann")
    insert_event(project, [{**UNREADABLE_ROWS[0], "uid": events[0].uid}], screen.uid, "ann")
    [done] = project.import_ratings(tmp_path / "copy.qedesk")
    assert (done.added, done.known) == (len(events) - 1, 1)


def test_a_copy_contains_unreadable_rows_unchanged(location, tmp_path):
    project = location.create(None)
    design = make_design()
    project.add_campaign(design)
    insert_event(project, UNREADABLE_ROWS, design.screens[0].uid, design.screens[0].rater)
    with project.save_as(tmp_path / "copy.qedesk") as copy:
        assert sum(skipped.count for skipped in copy.rater_events("campaign-1").skipped_rows) == len(UNREADABLE_ROWS)
        # rows that are added later are checked
        with pytest.raises(Exception, match="not in order"), copy._database.transaction() as connection:
            connection.exec_driver_sql("INSERT INTO rating_events SELECT * FROM rating_events LIMIT 1")


def test_a_project_of_an_earlier_version_with_invalid_rows_opens(location):
    project = location.create(None)
    design = make_design(secret=b"") if location.password is None else make_design()
    project.add_campaign(design)
    rate_all(project, "campaign-1", "ann")
    assert project.flush(PATIENCE)
    insert_event(project, UNREADABLE_ROWS, design.screens[0].uid, design.screens[0].rater)
    before = project.ratings("campaign-1").scores.rows()
    downgrade_schema(project, 2)
    project.close()
    again = location.open()
    assert again.ratings("campaign-1").scores.rows() == before
    assert again.design("campaign-1").screens == design.screens
    assert again.design("campaign-1").secret == b""
    with again._database.reading() as connection:
        from sqlalchemy import text

        takes = connection.execute(text("SELECT takes FROM campaigns")).scalar_one()
    assert json.loads(takes) == {"fluency": [1, 5], "adequacy": [1, 5]}


@pytest.mark.parametrize(
    "change",
    [
        {"value": "007.0.0"},
        {"value": "4.7"},
        {"value": "true"},
        {"value": "1e105"},
        {"action": "bogus"},
        {"at": MAX_UNIX_TIME * 8},
        {"at": "now"},
        {"seconds": -1},
        {"field": "comment", "value": json.dumps("x" * 200_000)},
        {"field": "comment", "value": "3.0"},
        {"field": "ranks", "value": "[a]"},
        {"uid": "x" * 101},
        {"screen": ""},
    ],
)
def test_a_file_rejects_malformed_rows(tmp_path, change):
    with Project.create(tmp_path / "a.qedesk", None, person="owner") as project:
        project.add_campaign(make_design())
        screen = project.design("campaign-1").screens[0]
    row = {**ROW, "uid": "u", "screen": screen.uid, "rater": screen.rater}
    names = ", ".join(f'"{name}"' for name in COLUMNS)
    marks = ", ".join("?" * len(COLUMNS))
    with closing(sqlite3.connect(tmp_path / "a.qedesk")) as connection:
        connection.execute(f"INSERT INTO rating_events ({names}) VALUES ({marks})", [row[name] for name in COLUMNS])
        odd = {**row, "uid": "v", **change}
        with pytest.raises(sqlite3.IntegrityError, match="not in order"):
            connection.execute(f"INSERT INTO rating_events ({names}) VALUES ({marks})", [odd[name] for name in COLUMNS])
