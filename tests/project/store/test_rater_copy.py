"""Copies of a project for raters: they can be rated and imported, and contain no key."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project
from qe_desktop.ratings.assignment.design import design_campaign as designed_of
from tests.project.store.small_projects import full_corpus
from tests.ratings.campaigns import make_campaign, make_passages, make_setup, make_translations, simulate_events
from tests.timeouts import PATIENCE


def make_secret_design(systems=3, segments=6, **choices):
    """Design with a secret, which servers require."""
    texts = make_translations(systems, segments)
    chosen = make_setup(systems, segments, 2, **choices)
    return designed_of(make_campaign(), chosen, make_passages(segments), texts, secret=bytes(range(32)))


@pytest.fixture
def owned_project(location):
    design = make_secret_design(repeats=0.2, controls=0.2, training=1)
    project = location.create(full_corpus())
    project.add_campaign(design)
    project.append([event for event in simulate_events(design, lambda *_: 3) if event.rater == "rater-2"])
    assert project.flush(PATIENCE)
    return project, design


def test_ratings_made_in_a_copy_can_be_imported(owned_project, tmp_path):
    project, design = owned_project
    project.save_for_raters(tmp_path / "raters.qedesk")
    with Project.open(tmp_path / "raters.qedesk", person="rater-1") as copy:
        assert (copy.uid != project.uid, copy.title) == (True, project.title)
        assert copy.campaigns() == project.campaigns()
        own_session, copy_session = (opened.rater_session("c1", "rater-1") for opened in (project, copy))
        assert own_session.screens == copy_session.screens
        assert copy.progress("c1") == {
            "rater-1": (0, len(own_session.screens) - 1),
            "rater-2": (0, len(own_session.screens) - 1),
        }
        copy.append([event for event in simulate_events(design, lambda *_: 4) if event.rater == "rater-1"])
        assert copy.flush(PATIENCE)
        assert copy.progress("c1")["rater-1"][0] == len(own_session.screens) - 1
    [done] = project.import_ratings(tmp_path / "raters.qedesk")
    assert done.added == sum(event.rater == "rater-1" for event in simulate_events(design, lambda *_: 4))
    assert not done.conflicts
    rated = sum(not screen.training for screen in own_session.screens)
    assert done.notes == (f"rater-1: {rated} items rated, 1 training item",)
    assert set(project.ratings("c1").scores.raters) == {"rater-1", "rater-2"}
    assert project.flush(PATIENCE)
    assert "copy for raters saved" in [row.what for row in project.audit()]


def test_import_of_a_copy_without_ratings_says_so(owned_project, tmp_path):
    project, _ = owned_project
    project.save_for_raters(tmp_path / "raters.qedesk")
    [done] = project.import_ratings(tmp_path / "raters.qedesk")
    assert (done.added, done.known, done.notes) == (0, 0, ("the copy has no ratings",))


def test_a_copy_for_raters_contains_no_key_and_no_ratings(owned_project, tmp_path):
    project, design = owned_project
    project.save_for_raters(tmp_path / "raters.qedesk")
    with closing(sqlite3.connect(tmp_path / "raters.qedesk")) as copied:
        tables = [name for (name,) in copied.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        full = {name for name in tables if copied.execute(f"SELECT count(*) FROM {name}").fetchone()[0]}
        places = copied.execute("SELECT place FROM outputs ORDER BY campaign, uid").fetchall()
    assert full - {"sqlite_sequence"} == {"meta", "campaigns", "passages", "outputs", "screens"}
    assert places == [(number,) for number in range(len(places))], "the place in the design gives systems away"
    copied = (tmp_path / "raters.qedesk").read_bytes()
    assert design.secret.hex().encode() not in copied
    assert not any(name.encode() in copied for name in design.setup.systems)
    with Project.open(tmp_path / "raters.qedesk", person="rater-1") as copy:
        assert copy.corpus() is None
        assert copy.is_copy_for_raters()
        assert not project.is_copy_for_raters()
        for ask in (copy.design, copy.ratings):
            with pytest.raises(QeError, match="this is a copy for raters, which does not contain the names of systems"):
                ask("c1")


def test_a_copy_for_raters_needs_a_campaign_and_a_new_name(location, tmp_path):
    project = location.create(None)
    with pytest.raises(QeError, match="the project has no campaign"):
        project.save_for_raters(tmp_path / "raters.qedesk")
    assert not list(tmp_path.glob("*raters*"))
    project.add_campaign(make_secret_design(2, 4))
    project.save_for_raters(tmp_path / "raters.qedesk")
    with pytest.raises(QeError, match="a file with this name already exists"):
        project.save_for_raters(tmp_path / "raters.qedesk")
    project.save_for_raters(tmp_path / "raters.qedesk", replace=True)
    if project.place.endswith(".qedesk"):
        with pytest.raises(QeError, match="this is the project itself"):
            project.save_for_raters(project.place, replace=True)
