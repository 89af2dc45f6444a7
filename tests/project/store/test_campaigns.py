from __future__ import annotations

import json
from dataclasses import replace

import pytest

from qe_desktop.answers.event_history import RatingAction, RatingEvent
from qe_desktop.corpus import QeError
from qe_desktop.ratings.blinding import collect_ratings
from tests.project.store.small_projects import full_corpus, make_design, rate_all, select_rows
from tests.timeouts import PATIENCE


@pytest.mark.parametrize("protocol", ["adequacy-fluency", "rank", "direct-assessment", "pairwise"])
def test_a_design_is_read_back_unchanged(location, protocol):
    design = make_design(protocol=protocol, training=2)
    project = location.create(None)
    project.add_campaign(design)
    assert project.design("campaign-1") == design
    assert location.open("bob").campaigns() == [design.campaign]
    [row] = project.audit()
    assert (row.what, row.who, row.details["campaign"]) == ("campaign set up", "owner", "campaign-1")
    assert row.details["seed"] == design.setup.seed


def test_unknown_fields_of_newer_versions_are_ignored(tmp_path):
    from qe_desktop.project.store.tables.cell_codec import decode_campaign, decode_setup, encode_fields

    design = make_design()
    fields = json.loads(json.dumps(encode_fields(design.campaign) | {"colour": "blue"}))
    assert decode_campaign(fields) == design.campaign
    assert decode_setup(json.loads(json.dumps(encode_fields(design.setup) | {"more": [1]}))) == design.setup


def test_a_campaign_cannot_be_added_twice(location):
    project = location.create(None)
    project.add_campaign(make_design())
    with pytest.raises(QeError, match="already"):
        project.add_campaign(make_design())
    with pytest.raises(QeError, match="no such campaign"):
        project.rater_session("another", "ann")
    assert len(project.audit()) == 1


def test_row_order_of_outputs_and_screens_does_not_reveal_systems(tmp_path):
    from qe_desktop.project.store import Project

    with Project.create(tmp_path / "a.qedesk", None, person="ann") as project:
        project.add_campaign(make_design(segments=30))
    uids = [row[0] for row in select_rows(tmp_path / "a.qedesk", "SELECT uid FROM outputs ORDER BY rowid")]
    assert uids == sorted(uids)
    screens = [row[0] for row in select_rows(tmp_path / "a.qedesk", "SELECT uid FROM screens ORDER BY rowid")]
    assert screens == sorted(screens)


def test_rating_resumes_where_it_was_interrupted(location):
    project = location.create(None)
    project.add_campaign(make_design())
    work = project.rater_session("campaign-1", "ann")
    first = work.first_open()
    for event in (work.rate(first, "fluency", 4, 2.5), work.reveal(first), work.rate(first, "adequacy", 3, 1.5)):
        project.rate(event)
    second = work.first_open()
    for event in (work.rate(second, "fluency", 2), work.undo(), work.redo(), work.comment(second, "a \0 \udcff ✓")):
        project.rate(event)
    project.rate(work.skip(work.next_open(second), "cannot be read"))
    assert project.flush(PATIENCE)
    again = location.open("ann").rater_session("campaign-1")
    assert list(again.events) == list(work.events)
    assert again.values(first) == {"fluency": 4.0, "adequacy": 3.0}
    assert again.seconds(first) == 4.0
    assert again.values(second) == {"fluency": 2.0, "comment": "a \ufffd \ufffd ✓"}
    assert again.progress() == work.progress() == (2, len([s for s in work.screens if not s.training]))
    assert again.undo_text == work.undo_text


def test_ranks_are_read_back_as_tuples(location):
    project = location.create(None)
    project.add_campaign(make_design(protocol="rank"))
    work = project.rater_session("campaign-1", "ann")
    uid = work.first_open()
    ranks = tuple(range(1, len(work.screen(uid).outputs) + 1))
    project.rate(work.rate(uid, "ranks", ranks))
    assert project.flush(PATIENCE)
    assert location.open("ann").rater_session("campaign-1").values(uid) == {"ranks": ranks}


def test_progress_is_reported_for_each_rater(location):
    project, other = location.create(None), location.open("bob")
    design = make_design(training=1)
    project.add_campaign(design)
    total = sum(screen.rater == "ann" and not screen.training for screen in design.screens)
    assert project.progress("campaign-1") == {"ann": (0, total), "bob": (0, total)}
    rate_all(other, "campaign-1", "ann")
    assert other.flush(PATIENCE)
    assert project.progress("campaign-1") == {"ann": (total, total), "bob": (0, total)}
    assert other.progress("campaign-1") == project.progress("campaign-1")


def test_new_changes_contain_ratings_of_other_windows_and_not_own_ones(location):
    project, other = location.create(None), location.open("bob")
    project.add_campaign(make_design())
    assert other.new_changes().campaigns == ("campaign-1",)
    assert project.new_changes().campaigns == ()
    count = rate_all(project, "campaign-1", "ann")
    assert project.flush(PATIENCE)
    ratings = other.new_changes().ratings
    assert [event.rater for event in ratings] == ["ann"] * count
    assert list(ratings) == project.events("campaign-1")
    assert not other.new_changes()
    assert not project.new_changes()


def test_two_windows_of_one_rater_reach_the_same_values(location):
    first_project, second_project = location.create(None), location.open("ann")
    first_project.add_campaign(make_design())
    first_session, second_session = (
        first_project.rater_session("campaign-1", "ann"),
        second_project.rater_session("campaign-1", "ann"),
    )
    first_project.new_changes(), second_project.new_changes()
    first_uid, second_uid = first_session.screens[0].uid, first_session.screens[1].uid
    first_project.rate(first_session.rate(first_uid, "fluency", 5))
    second_project.rate(second_session.rate(second_uid, "fluency", 2))
    assert first_project.flush(PATIENCE)
    assert second_project.flush(PATIENCE)
    assert first_session.merge(first_project.new_changes().ratings) == {second_uid}
    assert first_uid in second_session.merge(second_project.new_changes().ratings)
    assert [first_session.values(uid) for uid in (first_uid, second_uid)] == [
        second_session.values(uid) for uid in (first_uid, second_uid)
    ]


def test_ratings_by_system_equal_those_of_the_events(location):
    project = location.create(full_corpus())
    design = make_design()
    project.add_campaign(design)
    rate_all(project, "campaign-1", "ann")
    rate_all(project, "campaign-1", "bob", lambda n: (n * 7) % 5 + 1)
    assert project.flush(PATIENCE)
    ratings = project.ratings("campaign-1")
    assert ratings.scores.rows() == collect_ratings(design, project.events("campaign-1")).scores.rows()
    assert set(ratings.scores.systems) <= set(design.setup.systems)
    assert len(project.ratings().scores) == len(ratings.scores)


def test_duplicate_events_are_stored_once(location):
    project = location.create(None)
    project.add_campaign(make_design())
    work = project.rater_session("campaign-1", "ann")
    event = work.rate(work.first_open(), "fluency", 3)
    project.append([event, event])
    project.rate(event)
    assert project.flush(PATIENCE)
    assert project.events("campaign-1") == [event]


def test_ratings_with_invalid_times_are_stored(location):
    project = location.create(None)
    design = make_design()
    project.add_campaign(design)
    screen = design.screens[0]
    event = RatingEvent(
        "u1", "campaign-1", screen.uid, screen.rater, float("nan"), "fluency", 3, float("inf"), RatingAction.RATE
    )
    project.rate(event)
    assert project.flush(PATIENCE)
    assert project.writer.rejected_rows == ()
    assert project.events("campaign-1") == [replace(event, at=0.0, seconds=0.0, value=3.0)]
