"""Progress of raters as counted by the server, for users who may not see the ratings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qe_desktop.answers.event_history import RatingAction, RatingEvent
from qe_desktop.formats.ratings import write_journal
from qe_desktop.project.store import Project
from qe_desktop.ratings.blinding import journal_header, journal_lines
from qe_desktop.ratings.rater_progress import rater_progress_counts
from tests.postgres import Server
from tests.project.store.small_projects import make_design
from tests.timeouts import PATIENCE

FIELDS = {
    "adequacy-fluency": ("fluency", "adequacy", "skip", "comment", "reveal", "seen"),
    "rank": ("ranks", "skip", "comment", "seen"),
    "direct-assessment": ("score", "skip"),
}
VALUES = {
    "ranks": st.one_of(st.none(), st.tuples(*[st.integers(0, 2)] * 3)),
    "skip": st.sampled_from(["", "", "too long", "garbled"]),
    "comment": st.sampled_from(["", "a [0] remark"]),
    "reveal": st.none(),
    "seen": st.none(),
}
SCALE = st.one_of(st.none(), st.sampled_from([1.0, 2.0, 2, 10.0]))
uids = count()
campaigns = count()


@pytest.fixture(scope="module")
def project(postgresql: Server) -> Iterator[Project]:
    url = postgresql.url(postgresql.new_database())
    created = Project.create(url, None, person="owner", password=postgresql.password)
    yield created
    created.close()


@given(data=st.data(), protocol=st.sampled_from(sorted(FIELDS)))
@settings(max_examples=70, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_progress_counted_by_the_server_equals_that_of_the_program(project, data, protocol):
    uid = f"campaign-{next(campaigns)}"
    design = make_design(
        protocol=protocol, uid=uid, segments=2, systems=("A", "B", "C"), repeats=0, controls=0, training=1
    )
    project.add_campaign(design)
    events: list[RatingEvent] = []
    screens = [screen for screen in design.screens if screen.rater == "ann"][:3]
    for _ in range(data.draw(st.integers(0, 25))):
        screen = data.draw(st.sampled_from(screens)).uid
        at = float(data.draw(st.integers(0, 6)))
        earlier = [event for event in events if event.screen == screen and event.action is RatingAction.RATE]
        action = data.draw(st.sampled_from(RatingAction)) if earlier else RatingAction.RATE
        name = f"{data.draw(st.sampled_from('aBzé'))}{next(uids)}"
        if action is RatingAction.RATE:
            field = data.draw(st.sampled_from(FIELDS[protocol]))
            value = data.draw(VALUES.get(field, SCALE))
            events.append(RatingEvent(name, uid, screen, "ann", at, field, value))
        else:
            about = data.draw(st.sampled_from(earlier))
            events.append(RatingEvent(name, uid, screen, "ann", at, about.field, None, 0.0, action, about.uid))
    project.append(events)
    assert project.flush(PATIENCE)
    assert project.progress(uid) == rater_progress_counts(design.campaign, design.screens, events)


def test_events_of_a_withdrawn_import_are_not_counted(project, tmp_path):
    """Both if only the last value of a field counts, and if events are replayed because one was undone."""
    design = make_design(uid="taken back", segments=2, repeats=0, controls=0, training=0)
    project.add_campaign(design)
    first, second, *_ = [screen.uid for screen in design.screens if screen.rater == "ann"]
    rated = [
        RatingEvent(f"{screen} {field} {at}", "taken back", screen, "ann", float(at), field, value)
        for screen in (first, second)
        for at, (field, value) in enumerate((("fluency", 2), ("adequacy", 3), ("adequacy", 4)))
    ]
    last = rated[-1]
    events = [
        *rated,
        RatingEvent("undo", "taken back", second, "ann", 9.0, last.field, None, 0.0, RatingAction.UNDO, last.uid),
    ]
    write_journal(tmp_path / "journal", journal_lines(design, events), journal_header(design.campaign))
    (report,) = project.import_ratings(tmp_path / "journal")
    assert project.progress("taken back")["ann"][0] == 2
    project.withdraw_import(report.uid)
    assert project.progress("taken back")["ann"][0] == 0
    project.import_ratings(tmp_path / "journal")
    assert project.progress("taken back")["ann"][0] == 2
