"""Matches of system names: stored in projects, restored when they are reopened, and sent to other windows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qe_desktop.corpus import IDENTITY_MAPPING, QeError, Ratings, Score, SystemNameMapping
from qe_desktop.project import Session
from qe_desktop.project.corpus_settings import match_from_setting
from qe_desktop.project.session_restore import missing_rows, restore_session
from tests.project.store.small_projects import full_corpus
from tests.timeouts import PATIENCE

ODD = "odd \udcff name"


def corpus():
    rated = Ratings.of([Score("r", "b!", "1", "score", 1.0), Score("r", "c", "2", "score", 2.0)])
    return replace(full_corpus(), ratings=rated)


def open_session(location):
    project = location.open()
    session = restore_session(project, {})
    session.set_storage(project.append, project.person, project.window)
    return project, session


def test_matches_are_stored_and_can_be_reset(location):
    project = location.create(corpus())
    session = restore_session(project, {})
    session.set_storage(project.append, project.person, project.window)
    changes = []
    session.subscribe(changes.append)
    session.match("COMET", SystemNameMapping({"C": "B", "B": None}))
    session.match(ODD, SystemNameMapping({"B": ODD}))
    session.match("", SystemNameMapping({"b!": "B"}))
    assert [(change.affects_all_views, change.is_remote) for change in changes] == [(True, False)] * 3
    assert session.view.corpus.metric_scores["COMET"].scores_by_system.keys() == {"B"}
    assert project.flush(PATIENCE)
    second_project, reopened = open_session(location)
    assert reopened.corpus.metric_scores["COMET"].matched == SystemNameMapping({"C": "B", "B": None})
    assert list(reopened.corpus.metric_scores["COMET"].systems) == ["B", "C"]
    assert list(reopened.corpus.metric_scores[ODD].scores_by_system) == [ODD]
    assert reopened.corpus.rating_systems.map_names(["b!", "c"]) == {"b!": "B", "c": "c"}
    reopened.match("COMET", IDENTITY_MAPPING)
    assert second_project.flush(PATIENCE)
    session.apply_remote_changes(project.new_changes())
    assert list(session.view.corpus.metric_scores["COMET"].scores_by_system) == ["B", "C"]
    assert changes[-1].is_remote
    assert open_session(location)[1].corpus.metric_scores["COMET"].matched == IDENTITY_MAPPING


def test_matches_made_before_the_project_are_stored_in_it(location):
    session = Session(corpus())
    session.match("COMET", SystemNameMapping({"C": "B", "B": None}))
    session.match("no such metric", SystemNameMapping({"C": "B"}))
    project = location.create(corpus())
    project.append(missing_rows(session, project, list(session.corpus.layers.values())))
    assert project.flush(PATIENCE)
    assert list(open_session(location)[1].corpus.metric_scores["COMET"].scores_by_system) == ["B"]


@pytest.mark.parametrize("value", [None, 1, [], {"a": 1}, {"a": "x", "b": "x"}, "B"])
def test_invalid_settings_match_nothing(value):
    assert match_from_setting(value) == IDENTITY_MAPPING


def test_a_read_only_session_rejects_matches():
    session = Session(corpus())
    session.read_only = "it is an old project"
    with pytest.raises(QeError, match="old project"):
        session.match("COMET", SystemNameMapping({"C": "B", "B": None}))
