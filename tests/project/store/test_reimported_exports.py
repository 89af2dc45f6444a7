"""Imports of the program's own exports: each format names its campaign, blind letters are resolved."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import BLIND_SUFFIX, QeError, Ratings, Score
from qe_desktop.formats.ratings import read_ratings, write_journal, write_ratings
from qe_desktop.project.store import Project
from qe_desktop.ratings.blinding import blind_ratings, design_letters, journal_header, journal_lines, rename_design
from tests.ratings.campaigns import make_random_design, simulate_events
from tests.timeouts import PATIENCE

SCALES, RANKS = "adequacy-fluency", "rank"
FORMS = [(SCALES, "jsonl"), (SCALES, "long"), (SCALES, "wide"), (RANKS, "jsonl"), (RANKS, "long"), (RANKS, "wmt")]


def make_campaign_events(uid: str, protocol: str, seed: int):
    """Campaign with three systems, and its raters' answers, which depend only on the output."""
    design = make_random_design(protocol, 3, 6, 2, repeats=0.2, seed=seed)
    design = replace(design, campaign=replace(design.campaign, uid=uid, name=f"Campaign {uid}"))
    events = [replace(event, uid=f"{uid} {event.uid}") for event in simulate_events(design, answer)]
    return design, events


def answer(screen, field):
    if field == "ranks":
        return tuple(1 + int(output[-2:], 16) % 3 for output in screen.outputs)
    return 1 + (int(screen.outputs[0][-2:], 16) + len(field)) % 5


@pytest.fixture
def make_projects(tmp_path):
    projects = []

    def project(name, *campaigns):
        created = Project.create(tmp_path / f"{name}.qedesk", None, person="owner")
        for design, events in campaigns:
            created.add_campaign(design)
            created.append(events)
        assert created.flush(PATIENCE)
        projects.append(created)
        return created

    yield project
    for opened in projects:
        opened.close()


def sorted_rows(ratings):
    return sorted(map(repr, ratings.scores.rows())), sorted(map(repr, ratings.pairs.rows()))


@pytest.mark.parametrize(("protocol", "form"), FORMS)
@pytest.mark.parametrize("blind", [False, True])
def test_an_imported_own_export_counts_once_and_its_letters_are_resolved(
    make_projects, tmp_path, protocol, form, blind
):
    """A blind export once counted as ratings of additional systems called System A and so on."""
    design, events = make_campaign_events("c1", protocol, 1)
    project = make_projects("own", (design, events))
    before = project.ratings("c1")
    out = blind_ratings(before, design_letters(design), "c1") if blind else before
    write_ratings(out, tmp_path / "export", form)
    read = read_ratings(tmp_path / "export")
    table = read.pairs if form == "wmt" or protocol == RANKS else read.scores
    assert {table.campaigns[index] for index in table.campaign.tolist()} == {"c1" + (BLIND_SUFFIX if blind else "")}
    assert all(table.uids[index] for index in table.uid.tolist())
    text = (tmp_path / "export").read_text()
    assert ("System A" in text) is blind
    assert ("system-1" in text) is not blind
    (report,) = project.import_ratings(tmp_path / "export")
    assert (report.added, report.conflicts) == (0, ())
    assert report.known == len(table)
    for campaign in ("c1", None):
        assert sorted_rows(project.ratings(campaign)) == sorted_rows(before)


@pytest.mark.parametrize("form", ["jsonl", "long", "wide"])
def test_ratings_changed_since_an_export_are_no_conflict(make_projects, tmp_path, form):
    design, events = make_campaign_events("c1", SCALES, 1)
    project = make_projects("own", (design, events))
    write_ratings(blind_ratings(project.ratings("c1"), design_letters(design), "c1"), tmp_path / "export", form)
    rated = next(event for event in events if event.field == "fluency")
    value = 5.0 if rated.value != 5 else 1.0
    project.rate(RatingEvent("later", "c1", rated.screen, rated.rater, rated.at + 1e6, "fluency", value))
    assert project.flush(PATIENCE)
    (report,) = project.import_ratings(tmp_path / "export")
    assert (report.added, report.conflicts) == (0, ())


def test_values_changed_in_an_export_are_conflicts_and_do_not_count(make_projects, tmp_path):
    design, events = make_campaign_events("c1", SCALES, 1)
    project = make_projects("own", (design, events))
    own = project.ratings("c1")
    values = own.scores.value.copy()
    values[:2] = 6 - values[:2]
    values[:2] += values[:2] == own.scores.value[:2]
    write_ratings(replace(own, scores=replace(own.scores, value=values)), tmp_path / "export", "long")
    (report,) = project.import_ratings(tmp_path / "export")
    assert len(report.conflicts) == 2
    assert sorted_rows(project.ratings("c1"))[0] == sorted_rows(own)[0]


@pytest.mark.parametrize(("protocol", "form"), FORMS)
def test_other_projects_reject_blind_exports_and_separate_unblinded_ones(make_projects, tmp_path, protocol, form):
    """The letters of two campaigns were once merged into one System A."""
    (design, events), other = make_campaign_events("c1", protocol, 1), make_campaign_events("c2", protocol, 2)
    own = make_projects("own", (design, events)).ratings("c1")
    elsewhere = make_projects("elsewhere", other)
    before = sorted_rows(elsewhere.ratings("c2"))
    write_ratings(blind_ratings(own, design_letters(design), "c1"), tmp_path / "blind", form)
    with pytest.raises(QeError, match="a blind export of the campaign c1, which is not in this project"):
        elsewhere.import_ratings(tmp_path / "blind")
    assert elsewhere.imports() == []
    write_ratings(own, tmp_path / "open", form)
    (report,) = elsewhere.import_ratings(tmp_path / "open")
    assert report.added == len(own.scores) + len(own.pairs)
    assert sorted_rows(elsewhere.ratings("c2")) == before
    assert sorted_rows(elsewhere.ratings("c1")) == sorted_rows(own)
    with pytest.raises(QeError, match="ratings of different campaigns cannot be combined") as caught:
        elsewhere.ratings()
    assert caught.value.command_hint == "Use --campaign with one of: “Campaign c2”, “c1”."


def test_a_blind_journal_is_merged_into_its_campaign_and_rejected_elsewhere(make_projects, tmp_path):
    design, events = make_campaign_events("c1", SCALES, 1)
    project, other = (
        make_projects("own", (design, events)),
        make_projects("other", make_campaign_events("c2", SCALES, 2)),
    )
    lines = journal_lines(rename_design(design, design_letters(design)), events)
    write_journal(tmp_path / "journal", lines, journal_header(design.campaign) | {"blind": True})
    (report,) = project.import_ratings(tmp_path / "journal")
    assert (report.added, report.known) == (0, len(events))
    with pytest.raises(QeError, match="a blind export of the campaign c1"):
        other.import_ratings(tmp_path / "journal")


def test_letters_without_a_campaign_are_rejected_if_the_project_has_one(make_projects, tmp_path):
    project = make_projects("own", make_campaign_events("c1", SCALES, 1))
    write_ratings(Ratings.of([Score("r", "System A", "1", "score", 3)]), tmp_path / "old", "long")
    with pytest.raises(QeError, match="systems are named by letters"):
        project.import_ratings(tmp_path / "old")


def test_campaigns_of_a_project_are_combined_only_on_request(make_projects, tmp_path):
    first, second = make_campaign_events("c1", SCALES, 1), make_campaign_events("c2", SCALES, 2)
    project = make_projects("both", first, second)
    write_ratings(Ratings.of([Score("r", "A", "1", "score", 30)]), tmp_path / "file", "long")
    project.import_ratings(tmp_path / "file")
    with pytest.raises(QeError, match="different campaigns") as caught:
        project.ratings()
    assert caught.value.command_hint == "Use --campaign with one of: “Campaign c1”, “Campaign c2”, “files”."
    assert len(project.ratings("files").scores) == 1
    assert {row.campaign for row in project.ratings("c2").scores.rows()} == {"c2"}
    with pytest.raises(QeError, match="no such campaign"):
        project.ratings("c3")


def test_an_import_can_be_withdrawn_as_a_whole_and_repeated(make_projects, tmp_path):
    """Imports made by mistake once could not be removed."""
    project = make_projects("own")
    write_ratings(
        Ratings.of([Score("r", "A", "1", "score", 30), Score("r", "B", "1", "score", 40)]), tmp_path / "f", "long"
    )
    (report,) = project.import_ratings(tmp_path / "f")
    (row,) = project.imports()
    assert (row.uid, row.added, row.is_withdrawn) == (report.uid, 2, False)
    project.withdraw_import(row.uid)
    assert len(project.ratings().scores) == 0
    assert project.imports()[0].is_withdrawn
    assert [entry.what for entry in project.audit()] == ["ratings imported", "import taken back"]
    assert project.audit()[1].details["import"] == row.uid
    project.check()
    with pytest.raises(QeError, match="already been withdrawn"):
        project.withdraw_import(row.uid)
    with pytest.raises(QeError, match="import x does not exist"):
        project.withdraw_import("x")
    (again,) = project.import_ratings(tmp_path / "f")
    assert again.added == 2
    assert again.notes == ("the import had been withdrawn and now counts again",)
    assert len(project.ratings().scores) == 2
    project.withdraw_import(row.uid)
    assert len(project.ratings().scores) == 0
    with project.save_as(tmp_path / "copy.qedesk") as copy:
        assert len(copy.ratings().scores) == 0
        assert copy.imports()[0].is_withdrawn


def test_imported_events_of_a_journal_can_be_withdrawn(make_projects, tmp_path):
    design, events = make_campaign_events("c1", SCALES, 1)
    project = make_projects("own", (design, ()))
    write_journal(tmp_path / "journal", journal_lines(design, events), journal_header(design.campaign))
    (report,) = project.import_ratings(tmp_path / "journal")
    assert len(project.events("c1")) == len(events)
    project.withdraw_import(report.uid)
    assert project.events("c1") == []
    assert all(done == 0 for done, _ in project.progress("c1").values())
    assert not project.rater_session("c1", design.campaign.raters[0]).events
    project.import_ratings(tmp_path / "journal")
    assert len(project.events("c1")) == len(events)
    assert any(done for done, _ in project.progress("c1").values())


def test_withdrawn_events_of_a_copy_are_not_imported_and_stay_withdrawn(make_projects, tmp_path):
    design, events = make_campaign_events("c1", SCALES, 1)
    project = make_projects("own", (design, ()))
    write_journal(tmp_path / "journal", journal_lines(design, events), journal_header(design.campaign))
    (report,) = project.import_ratings(tmp_path / "journal")
    project.withdraw_import(report.uid)
    project.save_as(tmp_path / "copy.qedesk").close()
    (again,) = project.import_ratings(tmp_path / "copy.qedesk")
    assert (again.added, again.known, again.notes) == (0, 0, ())
    assert project.events("c1") == []
    other = make_projects("other", (design, ()))
    other.import_ratings(tmp_path / "copy.qedesk")
    assert other.events("c1") == []


def test_export_of_withdrawn_events_counts_again(make_projects, tmp_path):
    """Its ratings were known, but no longer counted."""
    design, events = make_campaign_events("c1", SCALES, 1)
    project = make_projects("own", (design, ()))
    write_journal(tmp_path / "journal", journal_lines(design, events), journal_header(design.campaign))
    (report,) = project.import_ratings(tmp_path / "journal")
    before = project.ratings("c1")
    write_ratings(before, tmp_path / "export", "long")
    project.withdraw_import(report.uid)
    assert len(project.ratings("c1").scores) == 0
    (again,) = project.import_ratings(tmp_path / "export")
    assert (again.added, again.known) == (len(before.scores), 0)
    assert sorted_rows(project.ratings("c1")) == sorted_rows(before)
    project.import_ratings(tmp_path / "journal")
    assert sorted_rows(project.ratings("c1")) == sorted_rows(before), "each rating counts once"
