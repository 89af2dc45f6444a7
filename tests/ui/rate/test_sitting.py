"""The sitting: what is asked, what follows by itself, time, undo, and what is told to whoever saves."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.answers.event_history import RatingAction
from qe_desktop.corpus import QeError
from qe_desktop.ratings.rater_profile import RaterProfile
from qe_desktop.ratings.rater_session import ScreenStatus
from qe_desktop.ui.rate.rater_progress_stats import RaterProgressStats, format_duration
from qe_desktop.ui.rate.rating_session import RatingSession
from tests.ui.rate.conftest import make


@pytest.fixture
def keep(qtbot, settings, clock):
    sittings = []

    def build(made, **options) -> RatingSession:
        work = made.work(made.campaign.uid, "ann")
        session = RatingSession(work, made.rate, settings, now=clock, pause=0, **options)
        sittings.append(session)
        session.open()
        return session

    yield build
    for session in sittings:
        session.deleteLater()


def test_fluency_first_then_the_source_then_adequacy_then_the_next(keep, qtbot):
    made = make("adequacy-fluency")
    session = keep(made)
    first = session.screen
    assert session.asked.name == "fluency"
    assert not session.revealed
    with qtbot.waitSignal(session.message_posted, check_params_cb=lambda said: "is shown" in said):
        session.rate("fluency", 4.0)
    assert session.revealed
    assert session.asked.name == "adequacy"
    with qtbot.waitSignal(session.screen_changed):
        session.rate("adequacy", 3.0)
    assert session.place == 1
    assert [event.field for event in made.events] == ["fluency", "reveal", "adequacy"]
    assert session.work.is_done(first.uid)


def test_during_the_pause_a_second_digit_corrects_the_first_unflagged(keep, qtbot):
    made = make("adequacy-fluency")
    session = keep(made)
    session.rate("fluency", 4.0)
    assert session.asked.name == "fluency"
    session.rate("fluency", 2.0)
    qtbot.waitUntil(lambda: session.revealed)
    assert made.said("fluency") == [4.0, 2.0]
    assert not session.work.changed_after_reveal(session.screen.uid)


def test_fluency_changed_after_the_source_was_seen_is_flagged(keep, qtbot):
    session = keep(make("adequacy-fluency"))
    session.rate("fluency", 4.0)
    qtbot.waitUntil(lambda: session.revealed)
    session.ask("fluency")
    session.rate("fluency", 3.0)
    assert session.work.changed_after_reveal(session.screen.uid)
    # the question that is still open is asked again
    assert session.asked.name == "adequacy"


def test_without_auto_advance_the_next_key_does_what_the_pause_would(keep, qtbot, settings):
    settings.auto_advance = False
    session = keep(make("adequacy-fluency"))
    session.rate("fluency", 4.0)
    qtbot.wait(1)
    assert not session.revealed
    session.next()
    assert session.revealed
    assert session.place == 0
    session.rate("adequacy", 5.0)
    assert session.place == 0
    session.next()
    assert session.place == 1


def test_a_changed_rating_does_not_push_its_item_away(keep, qtbot):
    session = keep(make("fluency"))
    with qtbot.waitSignal(session.screen_changed):
        session.rate("fluency", 4.0)
    session.back()
    with qtbot.assertNotEmitted(session.waiting):
        session.rate("fluency", 2.0)
    assert session.place == 0


def test_the_source_cannot_be_shown_before_fluency_is_rated(keep):
    made = make("adequacy-fluency")
    session = keep(made)
    told = []
    session.refused.connect(told.append)
    assert not session.reveal()
    session.ask("adequacy")
    assert session.asked.name == "fluency"
    assert "fluency is rated before" in told[0].message
    assert made.events == []


def test_undo_and_redo_go_to_the_item_they_change(keep, qtbot):
    made = make("adequacy")
    session = keep(made)
    for value in (4.0, 3.0):
        with qtbot.waitSignal(session.screen_changed):
            session.rate("adequacy", value)
    assert session.place == 2
    session.undo()
    assert session.place == 1
    assert session.work.status(session.screen.uid) is ScreenStatus.OPEN
    session.undo()
    assert session.place == 0
    session.redo()
    assert session.work.value(session.screen.uid, "adequacy") == 4.0
    assert [event.action for event in made.events] == [
        RatingAction.RATE, RatingAction.RATE, RatingAction.UNDO, RatingAction.UNDO, RatingAction.REDO,
    ]  # fmt: skip


def test_undo_during_the_pause_calls_off_what_would_follow(keep, qtbot):
    session = keep(make("adequacy"))
    session.rate("adequacy", 4.0)
    session.undo()
    with qtbot.assertNotEmitted(session.screen_changed, wait=20):
        pass
    assert session.place == 0


def test_the_end_is_reached_when_nothing_is_open(keep, qtbot):
    session = keep(make("adequacy", items=2))
    session.next()
    with qtbot.waitSignal(session.screen_changed):
        session.rate("adequacy", 1.0)
    assert session.place == 0
    with qtbot.waitSignal(session.screen_changed):
        session.rate("adequacy", 2.0)
    assert session.screen is None
    assert not session.clock.running
    session.back()
    assert session.place == 1


def test_skip_goes_on_and_can_be_taken_back(keep, qtbot):
    made = make("adequacy")
    session = keep(made)
    with qtbot.waitSignal(session.screen_changed):
        session.skip("The source makes no sense")
    session.back()
    assert session.missing_text() == "Skipped: The source makes no sense"
    assert session.account.counts[ScreenStatus.SKIPPED] == 1
    session.skip("")
    assert session.missing_text() == "Rate adequacy"
    assert made.said("skip") == ["The source makes no sense", ""]


def test_a_comment_is_one_event_and_none_where_nothing_changed(keep):
    made = make("adequacy")
    session = keep(made)
    session.comment("a name?")
    session.comment("a name?")
    assert made.said("comment") == ["a name?"]


def test_each_event_carries_the_active_seconds_since_the_one_before(keep, qtbot, clock):
    made = make("adequacy-fluency")
    session = keep(made)
    clock.pass_(7)
    session.clock.touch()
    clock.pass_(5)
    session.rate("fluency", 4.0)
    qtbot.waitUntil(lambda: session.revealed)
    clock.pass_(300)
    with qtbot.waitSignal(session.screen_changed):
        session.rate("adequacy", 4.0)
    assert [event.seconds for event in made.events] == [12, 0, 30]
    assert session.work.seconds(made.screens[0].uid) == 42
    assert session.account.median_seconds == 42


def test_a_look_without_a_rating_is_kept_and_a_glance_is_not(keep, clock):
    made = make("adequacy")
    session = keep(made)
    clock.pass_(0.5)
    session.next()
    clock.pass_(4)
    session.next()
    assert [(event.screen, event.field, event.seconds) for event in made.events] == [(made.screens[1].uid, "seen", 4)]


def test_work_goes_on_where_it_was_left(keep, qtbot):
    made = make("adequacy-fluency")
    session = keep(made)
    for field, value in (("fluency", 4.0), ("adequacy", 5.0), ("fluency", 2.0)):
        session.rate(field, value)
        qtbot.waitUntil(lambda: session._then is None)
    again = keep(made)
    assert again.place == 1
    assert again.revealed
    assert again.asked.name == "adequacy"
    assert again.work.undo_text == session.work.undo_text == "fluency 2, item 2"


def test_what_the_same_rater_did_elsewhere_is_taken_in(keep):
    made = make("adequacy")
    here = keep(made)
    there = make("adequacy").work("c1", "ann")
    heard = []
    here.changed.connect(lambda: heard.append(1))
    here.merge([there.rate(made.screens[0].uid, "adequacy", 3.0)])
    assert heard == [1]
    assert here.work.is_done(made.screens[0].uid)
    here.merge([there.events[0]])
    assert heard == [1]


def test_where_nothing_can_be_written_nothing_is_rated_and_the_reason_is_told(keep):
    made = make("adequacy")
    session = keep(made, read_only="the disk is full")
    told = []
    session.refused.connect(told.append)
    session.rate("adequacy", 4.0)
    session.skip("x")
    session.undo()
    session.comment("x")
    assert [error.message for error in told] == ["the disk is full"] * 3
    assert made.events == []
    session.next()
    assert session.place == 1


def test_what_the_store_refuses_is_told(keep, qtbot):
    made = make("adequacy")

    def refuse(event):
        raise QeError("the project was closed")

    made.rate = refuse
    session = keep(made)
    with qtbot.waitSignal(session.refused) as told:
        session.rate("adequacy", 4.0)
    assert told.args[0].message == "the project was closed"


def test_the_profile_is_kept_as_json(keep):
    made = make("adequacy")
    keep(made).set_profile(RaterProfile(source_level="good", expertise="linguist"))
    assert json.loads(made.said("profile")[0])["expertise"] == "linguist"
    assert made.events[0].screen == ""


def test_training_counts_nowhere(keep, qtbot, clock):
    session = keep(make("adequacy", training=1))
    clock.pass_(3)
    with qtbot.waitSignal(session.screen_changed):
        session.rate("adequacy", 4.0)
    assert session.work.progress() == (0, 3)
    assert sum(session.account.counts.values()) == 3
    assert session.account.median_seconds is None


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.04, "0.0 s"), (9.94, "9.9 s"), (59.6, "1 min 0 s"), (3661, "1 h 1 min")]
)
def test_durations_are_said_as_people_do(seconds, said):
    assert format_duration(seconds) == said


FIELDS = st.sampled_from(["rate", "skip", "undo", "redo", "leave", "merge"])


@given(st.lists(st.tuples(FIELDS, st.integers(0, 4), st.integers(1, 5), st.integers(0, 50)), max_size=40))
def test_the_account_kept_up_is_the_account_counted_anew(steps):
    made = make("adequacy", items=5, training=1)
    work, other = made.work("c1", "ann"), make("adequacy", items=5, training=1).work("c1", "ann")
    account = RaterProgressStats(work)
    for what, place, value, seconds in steps:
        uid = made.screens[place].uid
        event = None
        if what == "rate":
            event = work.rate(uid, "adequacy", float(value), seconds)
        elif what == "skip":
            event = work.skip(uid, "no" if value > 2 else "", seconds)
        elif what == "leave":
            event = work.leave(uid, seconds)
        elif what == "merge":
            work.merge([other.rate(uid, "adequacy", float(value), seconds)])
            account.rebuild()
        else:
            event = work.undo(seconds) if what == "undo" else work.redo(seconds)
        if event is not None:
            account.refresh(event.screen)
    anew = RaterProgressStats(work)
    assert account.counts == anew.counts
    assert account.median_seconds == anew.median_seconds
    assert sum(account.counts.values()) == 4


def test_after_a_kill_between_fluency_and_the_source_all_is_as_it_was(keep, qtbot):
    """Fluency was kept and the source had not come yet: adequacy was asked with the source hidden, and refused."""
    made = make("adequacy-fluency")
    work = made.work(made.campaign.uid, "ann")
    made.events.append(work.rate(work.screens[0].uid, "fluency", 4.0, 2.0))
    session = keep(made)
    # as in the pause after the rating: it may still be corrected, and the source comes by itself
    assert session.asked.name == "fluency"
    assert not session.revealed
    qtbot.waitUntil(lambda: session.revealed)
    assert session.asked.name == "adequacy"
    session.rate("adequacy", 3.0, goes_on=False)
    assert [event.field for event in made.events] == ["fluency", "reveal", "adequacy"]
    assert not session.work.changed_after_reveal(session.screen.uid)


def test_after_a_kill_nothing_comes_by_itself_where_one_goes_on_by_hand(keep, settings):
    settings.auto_advance = False
    made = make("adequacy-fluency")
    work = made.work(made.campaign.uid, "ann")
    made.events.append(work.rate(work.screens[0].uid, "fluency", 4.0, 2.0))
    session = keep(made)
    assert session.asked.name == "fluency"
    session.next()
    assert session.revealed
    assert session.place == 0
    assert session.asked.name == "adequacy"


def test_whoever_comes_back_before_the_source_has_come_gets_it(keep, qtbot):
    session = keep(make("adequacy-fluency"))
    session.rate("fluency", 4.0)
    session.go_to_place(1)
    session.back()
    assert session.asked.name == "fluency"
    qtbot.waitUntil(lambda: session.revealed)
