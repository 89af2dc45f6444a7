"""The rating session: order of questions, auto-advance, times, undo, and reported errors."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.answers.event_history import RatingAction
from qe_desktop.corpus import QeError
from qe_desktop.ratings.rater_progress import RaterProfile
from qe_desktop.ratings.rater_session import ScreenStatus
from qe_desktop.ui.rate.rating_session import RaterProgressStats, RatingSession
from tests.ui.rate.conftest import make_project


@pytest.fixture
def make_session(qtbot, settings, clock):
    sessions = []

    def build(project, **options) -> RatingSession:
        work = project.rater_session(project.campaign.uid, "ann")
        session = RatingSession(work, project.rate, settings, now=clock, advance_delay_ms=0, **options)
        sessions.append(session)
        session.open()
        return session

    yield build
    for session in sessions:
        session.deleteLater()


def test_fluency_then_source_then_adequacy_then_next_item(make_session, qtbot):
    project = make_project("adequacy-fluency")
    session = make_session(project)
    first = session.screen
    assert session.current_scale.name == "fluency"
    assert not session.is_revealed
    with qtbot.waitSignal(session.message_posted, check_params_cb=lambda message: "is shown" in message):
        session.rate("fluency", 4.0)
    assert session.is_revealed
    assert session.current_scale.name == "adequacy"
    with qtbot.waitSignal(session.screen_changed):
        session.rate("adequacy", 3.0)
    assert session.current_index == 1
    assert [event.field for event in project.events] == ["fluency", "reveal", "adequacy"]
    assert session.work.is_done(first.uid)


def test_digit_during_the_pause_corrects_the_rating_without_a_flag(make_session, qtbot):
    project = make_project("adequacy-fluency")
    session = make_session(project)
    session.rate("fluency", 4.0)
    assert session.current_scale.name == "fluency"
    session.rate("fluency", 2.0)
    qtbot.waitUntil(lambda: session.is_revealed)
    assert project.recorded_values("fluency") == [4.0, 2.0]
    assert not session.work.was_changed_after_reveal(session.screen.uid)


def test_fluency_changed_after_the_source_was_shown_is_flagged(make_session, qtbot):
    session = make_session(make_project("adequacy-fluency"))
    session.rate("fluency", 4.0)
    qtbot.waitUntil(lambda: session.is_revealed)
    session.select_scale("fluency")
    session.rate("fluency", 3.0)
    assert session.work.was_changed_after_reveal(session.screen.uid)
    assert session.current_scale.name == "adequacy", "the scale that is still open is asked again"
    session.rate("adequacy", 3.0)
    session.select_scale("fluency")
    session.rate("fluency", 2.0)
    assert session.current_scale.name == "adequacy", "a changed rating is followed by the next scale"


def test_next_key_reveals_and_advances_without_auto_advance(make_session, qtbot, settings):
    settings.auto_advance = False
    session = make_session(make_project("adequacy-fluency"))
    session.rate("fluency", 4.0)
    qtbot.wait(1)
    assert not session.is_revealed
    session.next()
    assert session.is_revealed
    assert session.current_index == 0
    session.rate("adequacy", 5.0)
    assert session.current_index == 0
    session.next()
    assert session.current_index == 1


def test_changed_rating_does_not_advance(make_session, qtbot):
    session = make_session(make_project("fluency"))
    with qtbot.waitSignal(session.screen_changed):
        session.rate("fluency", 4.0)
    session.back()
    with qtbot.assertNotEmitted(session.auto_advance_changed):
        session.rate("fluency", 2.0)
    assert session.current_index == 0


def test_source_cannot_be_revealed_before_fluency_is_rated(make_session):
    project = make_project("adequacy-fluency")
    session = make_session(project)
    errors = []
    session.failed.connect(errors.append)
    assert not session.reveal()
    session.select_scale("adequacy")
    assert session.current_scale.name == "fluency"
    assert "fluency must be rated before" in errors[0].message
    assert project.events == []


def test_undo_and_redo_go_to_the_changed_item(make_session, qtbot):
    project = make_project("adequacy")
    session = make_session(project)
    for value in (4.0, 3.0):
        with qtbot.waitSignal(session.screen_changed):
            session.rate("adequacy", value)
    assert session.current_index == 2
    session.undo()
    assert session.current_index == 1
    assert session.work.status(session.screen.uid) is ScreenStatus.OPEN
    session.undo()
    assert session.current_index == 0
    session.redo()
    assert session.work.value(session.screen.uid, "adequacy") == 4.0
    assert [event.action for event in project.events] == [
        RatingAction.RATE, RatingAction.RATE, RatingAction.UNDO, RatingAction.UNDO, RatingAction.REDO,
    ]  # fmt: skip


def test_undo_during_the_pause_cancels_auto_advance(make_session, qtbot):
    session = make_session(make_project("adequacy"))
    session.rate("adequacy", 4.0)
    session.undo()
    with qtbot.assertNotEmitted(session.screen_changed, wait=20):
        pass
    assert session.current_index == 0


def test_session_ends_when_no_item_is_open(make_session, qtbot):
    session = make_session(make_project("adequacy", items=2))
    session.next()
    with qtbot.waitSignal(session.screen_changed):
        session.rate("adequacy", 1.0)
    assert session.current_index == 0
    with qtbot.waitSignal(session.screen_changed):
        session.rate("adequacy", 2.0)
    assert session.screen is None
    assert not session.clock.is_running
    session.back()
    assert session.current_index == 1


def test_skip_advances_and_can_be_undone(make_session, qtbot):
    project = make_project("adequacy")
    session = make_session(project)
    with qtbot.waitSignal(session.screen_changed):
        session.skip("The source makes no sense")
    session.back()
    assert session.missing_text() == "Skipped: The source makes no sense"
    assert session.stats.counts[ScreenStatus.SKIPPED] == 1
    session.skip("")
    assert session.missing_text() == "Adequacy missing"
    assert project.recorded_values("skip") == ["The source makes no sense", ""]


def test_failed_undo_reports_the_error_and_no_success(make_session, monkeypatch):
    project = make_project("adequacy")
    session = make_session(project)
    session.comment("a name?")
    messages, errors, changes = [], [], []
    session.message_posted.connect(messages.append)
    session.failed.connect(errors.append)
    session.changed.connect(lambda: changes.append(session.work.value(session.screen.uid, "comment")))

    def fail(event):
        raise QeError("the project is closed")

    monkeypatch.setattr(session, "_submit", fail)
    session.undo()
    assert [error.message for error in errors] == ["the project is closed"]
    assert messages == []
    assert changes, "the view shows the values of the session"


def test_unchanged_comment_records_no_event(make_session):
    project = make_project("adequacy")
    session = make_session(project)
    session.comment("a name?")
    session.comment("a name?")
    assert project.recorded_values("comment") == ["a name?"]


def test_events_record_active_seconds_since_the_previous_event(make_session, qtbot, clock):
    project = make_project("adequacy-fluency")
    session = make_session(project)
    clock.advance(7)
    session.clock.record_input()
    clock.advance(5)
    session.rate("fluency", 4.0)
    qtbot.waitUntil(lambda: session.is_revealed)
    clock.advance(300)
    with qtbot.waitSignal(session.screen_changed):
        session.rate("adequacy", 4.0)
    assert [event.seconds for event in project.events] == [12, 0, 30]
    assert session.work.seconds(project.screens[0].uid) == 42
    assert session.stats.median_seconds == 42


def test_viewing_an_item_is_recorded_only_after_a_minimum_time(make_session, clock):
    project = make_project("adequacy")
    session = make_session(project)
    clock.advance(0.5)
    session.next()
    clock.advance(4)
    session.next()
    assert [(event.screen, event.field, event.seconds) for event in project.events] == [
        (project.screens[1].uid, "seen", 4)
    ]


def test_session_resumes_at_the_last_question(make_session, qtbot):
    project = make_project("adequacy-fluency")
    session = make_session(project)
    for field, value in (("fluency", 4.0), ("adequacy", 5.0), ("fluency", 2.0)):
        session.rate(field, value)
        qtbot.waitUntil(lambda: session._pending_action is None)
    reopened = make_session(project)
    assert reopened.current_index == 1
    assert reopened.is_revealed
    assert reopened.current_scale.name == "adequacy"
    assert reopened.work.undo_text == session.work.undo_text == "fluency 2, item 2"


def test_merge_adds_ratings_of_the_same_rater_once(make_session):
    project = make_project("adequacy")
    session = make_session(project)
    other_work = make_project("adequacy").rater_session("c1", "ann")
    changes = []
    session.changed.connect(lambda: changes.append(1))
    session.merge([other_work.rate(project.screens[0].uid, "adequacy", 3.0)])
    assert changes == [1]
    assert session.work.is_done(project.screens[0].uid)
    session.merge([other_work.events[0]])
    assert changes == [1]


def test_merged_events_on_other_items_do_not_change_the_selected_scale(make_session):
    project = make_project("adequacy-fluency")
    session = make_session(project)
    session.settings.auto_advance = False
    session.rate("fluency", 4.0)
    session.reveal()
    session.rate("adequacy", 3.0)
    session.select_scale("fluency")
    elsewhere = make_project("adequacy-fluency").rater_session("c1", "ann")
    session.merge([elsewhere.rate(project.screens[1].uid, "fluency", 5.0)])
    assert session.current_scale.name == "fluency"
    session.merge([elsewhere.rate(project.screens[0].uid, "fluency", 1.0)])
    assert session.current_scale.name == "adequacy"


def test_read_only_session_records_nothing_and_reports_the_reason(make_session):
    project = make_project("adequacy")
    session = make_session(project, read_only="the disk is full")
    errors = []
    session.failed.connect(errors.append)
    session.rate("adequacy", 4.0)
    session.skip("x")
    session.undo()
    session.comment("x")
    assert [error.message for error in errors] == ["the disk is full"] * 3
    assert project.events == []
    session.next()
    assert session.current_index == 1


def test_error_of_the_store_is_reported(make_session, qtbot):
    project = make_project("adequacy")

    def refuse(event):
        raise QeError("the project was closed")

    project.rate = refuse
    session = make_session(project)
    with qtbot.waitSignal(session.failed) as blocker:
        session.rate("adequacy", 4.0)
    assert blocker.args[0].message == "the project was closed"


def test_profile_is_stored_as_json(make_session):
    project = make_project("adequacy")
    make_session(project).set_profile(RaterProfile(source_level="good", expertise="linguist"))
    assert json.loads(project.recorded_values("profile")[0])["expertise"] == "linguist"
    assert project.events[0].screen == ""


def test_training_is_excluded_from_progress_and_times(make_session, qtbot, clock):
    session = make_session(make_project("adequacy", training=1))
    clock.advance(3)
    session.rate("adequacy", 4.0)
    assert session.work.progress() == (0, 3)
    assert sum(session.stats.counts.values()) == 3
    assert session.stats.median_seconds is None


def test_training_item_stays_for_its_feedback(make_session, qtbot):
    session = make_session(make_project("adequacy-fluency", training=1))
    session.rate("fluency", 4.0)
    qtbot.waitUntil(lambda: session.is_revealed)
    completed = []
    session.completed.connect(completed.append)
    with qtbot.assertNotEmitted(session.screen_changed, wait=20):
        session.rate("adequacy", 3.0)
    assert completed == [session.screen.uid]
    # a changed answer does not complete the item again
    session.rate("adequacy", 2.0)
    assert len(completed) == 1
    session.next()
    assert session.current_index == 1


def test_items_without_a_time_do_not_count_for_the_median_of_the_rater():
    project = make_project("adequacy", items=3)
    work = project.rater_session("c1", "ann")
    for screen, seconds in zip(project.screens, (0.0, 0.0, 20.0), strict=False):
        work.rate(screen.uid, "adequacy", 3.0, seconds)
    assert RaterProgressStats(work).median_seconds == 20


ACTIONS = st.sampled_from(["rate", "skip", "undo", "redo", "leave", "merge"])


@given(st.lists(st.tuples(ACTIONS, st.integers(0, 4), st.integers(1, 5), st.integers(0, 50)), max_size=40))
def test_incremental_progress_stats_equal_recomputed_stats(steps):
    project = make_project("adequacy", items=5, training=1)
    work, other = (
        project.rater_session("c1", "ann"),
        make_project("adequacy", items=5, training=1).rater_session("c1", "ann"),
    )
    stats = RaterProgressStats(work)
    for action, index, value, seconds in steps:
        uid = project.screens[index].uid
        event = None
        if action == "rate":
            event = work.rate(uid, "adequacy", float(value), seconds)
        elif action == "skip":
            event = work.skip(uid, "no" if value > 2 else "", seconds)
        elif action == "leave":
            event = work.leave(uid, seconds)
        elif action == "merge":
            work.merge([other.rate(uid, "adequacy", float(value), seconds)])
            stats.rebuild()
        else:
            event = work.undo(seconds) if action == "undo" else work.redo(seconds)
        if event is not None:
            stats.refresh(event.screen)
    recomputed = RaterProgressStats(work)
    assert stats.counts == recomputed.counts
    assert stats.median_seconds == recomputed.median_seconds
    assert sum(stats.counts.values()) == 4


def test_session_killed_before_the_reveal_resumes_with_fluency(make_session, qtbot):
    """Regression: the session asked for adequacy while the source was hidden, and then rejected the rating."""
    project = make_project("adequacy-fluency")
    work = project.rater_session(project.campaign.uid, "ann")
    project.events.append(work.rate(work.screens[0].uid, "fluency", 4.0, 2.0))
    session = make_session(project)
    # as in the pause after the rating: it can still be corrected, and the source is revealed automatically
    assert session.current_scale.name == "fluency"
    assert not session.is_revealed
    qtbot.waitUntil(lambda: session.is_revealed)
    assert session.current_scale.name == "adequacy"
    session.rate("adequacy", 3.0, may_advance=False)
    assert [event.field for event in project.events] == ["fluency", "reveal", "adequacy"]
    assert not session.work.was_changed_after_reveal(session.screen.uid)


def test_killed_session_does_not_reveal_without_auto_advance(make_session, settings):
    settings.auto_advance = False
    project = make_project("adequacy-fluency")
    work = project.rater_session(project.campaign.uid, "ann")
    project.events.append(work.rate(work.screens[0].uid, "fluency", 4.0, 2.0))
    session = make_session(project)
    assert session.current_scale.name == "fluency"
    session.next()
    assert session.is_revealed
    assert (session.current_index, session.current_scale.name) == (0, "adequacy")


def test_returning_to_an_item_before_the_reveal_shows_the_source(make_session, qtbot):
    session = make_session(make_project("adequacy-fluency"))
    session.rate("fluency", 4.0)
    session.go_to_index(1)
    session.back()
    assert session.current_scale.name == "fluency"
    qtbot.waitUntil(lambda: session.is_revealed)
