"""Systems that were matched are matched again when a project is reopened, in both kinds of places, and elsewhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qe_desktop.corpus import IDENTITY_MAPPING, QeError, Ratings, Score, SystemNameMapping
from qe_desktop.project import Session
from qe_desktop.project.session_restore import missing_rows, restore_session
from qe_desktop.project.system_match_settings import match_from_setting
from tests.patience import PATIENCE
from tests.project.store.made import full_corpus

ODD = "odd \udcff name"


def corpus():
    rated = Ratings.of([Score("r", "b!", "1", "score", 1.0), Score("r", "c", "2", "score", 2.0)])
    return replace(full_corpus(), ratings=rated)


def opened(stand):
    project = stand.open()
    found = restore_session(project, {})
    found.keep_in(project.append, project.person, project.window)
    return project, found


def test_matches_are_kept_and_taken_back(stand):
    project = stand.create(corpus())
    one = restore_session(project, {})
    one.keep_in(project.append, project.person, project.window)
    changes = []
    one.subscribe(changes.append)
    one.match("COMET", SystemNameMapping({"C": "B", "B": None}))
    one.match(ODD, SystemNameMapping({"B": ODD}))
    one.match("", SystemNameMapping({"b!": "B"}))
    assert [(change.layers, change.remote) for change in changes] == [(True, False)] * 3
    assert one.view.corpus.metric_scores["COMET"].scored.keys() == {"B"}
    assert project.flush(PATIENCE)
    again, other = opened(stand)
    assert other.corpus.metric_scores["COMET"].matched == SystemNameMapping({"C": "B", "B": None})
    assert list(other.corpus.metric_scores["COMET"].systems) == ["B", "C"]
    assert list(other.corpus.metric_scores[ODD].scored) == [ODD]
    assert other.corpus.rated.among(["b!", "c"]) == {"b!": "B", "c": "c"}
    other.match("COMET", IDENTITY_MAPPING)
    assert again.flush(PATIENCE)
    one.hear(project.news())
    assert list(one.view.corpus.metric_scores["COMET"].scored) == ["B", "C"]
    assert changes[-1].remote
    assert opened(stand)[1].corpus.metric_scores["COMET"].matched == IDENTITY_MAPPING


def test_what_was_matched_before_there_was_a_project_goes_into_it(stand):
    session = Session(corpus())
    session.match("COMET", SystemNameMapping({"C": "B", "B": None}))
    session.match("no such metric", SystemNameMapping({"C": "B"}))
    project = stand.create(corpus())
    project.append(missing_rows(session, project, list(session.corpus.layers.values())))
    assert project.flush(PATIENCE)
    assert list(opened(stand)[1].corpus.metric_scores["COMET"].scored) == ["B"]


@pytest.mark.parametrize("value", [None, 1, [], {"a": 1}, {"a": "x", "b": "x"}, "B"])
def test_a_setting_that_says_no_such_thing_matches_nothing(value):
    assert match_from_setting(value) == IDENTITY_MAPPING


def test_nothing_is_matched_where_nothing_may_be_changed():
    session = Session(corpus())
    session.read_only = "it is an old project"
    with pytest.raises(QeError, match="old project"):
        session.match("COMET", SystemNameMapping({"C": "B", "B": None}))
