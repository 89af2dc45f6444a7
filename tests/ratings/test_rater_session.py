"""The session of a rater: fields, values, missing answers, and undo."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from qe_desktop.answers.event_history import RatingAction, RatingEvent
from qe_desktop.answers.scale import ScaleAnswer
from qe_desktop.corpus import QeError
from qe_desktop.ratings.rater_progress import RaterProfile
from qe_desktop.ratings.rater_session import RaterSession, ScreenStatus
from tests.ratings.campaigns import TickingClock, make_random_design, make_rater_session


@pytest.fixture
def rater_session() -> RaterSession:
    """A session with two systems and four segments: two training items and eight items."""
    return make_rater_session(make_random_design("adequacy-fluency", 2, 4, 1, training=2), "rater-1")


@pytest.fixture
def ranking() -> RaterSession:
    return make_rater_session(make_random_design("rank", 4, 3, 1), "rater-1")


@pytest.fixture
def item(rater_session: RaterSession) -> str:
    return rater_session.screens[2].uid


def rate_all(work: RaterSession, uid: str) -> None:
    work.rate(uid, "fluency", 3)
    work.reveal(uid)
    work.rate(uid, "adequacy", 4)


def test_items_are_in_order_with_training_first(rater_session: RaterSession):
    assert [screen.position for screen in rater_session.screens] == list(range(10))
    assert [screen.training for screen in rater_session.screens] == [True] * 2 + [False] * 8
    assert [rater_session.number(screen.uid) for screen in rater_session.screens] == [1, 2, *range(1, 9)]
    assert rater_session.first_open() == rater_session.screens[0].uid


def test_fluency_then_reveal_then_adequacy(rater_session: RaterSession, item: str):
    assert rater_session.missing_answers(item) == ["fluency missing", "adequacy missing"]
    assert rater_session.status(item) is ScreenStatus.OPEN
    assert not rater_session.is_revealed(item)
    with pytest.raises(
        QeError, match=r"fluency must be rated before the source or reference is displayed. Rate this first: fluency"
    ):
        rater_session.reveal(item)
    with pytest.raises(QeError, match="adequacy can only be rated after the source or reference is displayed"):
        rater_session.rate(item, "adequacy", 4)
    rater_session.rate(item, "fluency", 3)
    assert rater_session.status(item) is ScreenStatus.BEGUN
    rater_session.reveal(item)
    assert rater_session.is_revealed(item)
    assert rater_session.missing_answers(item) == ["adequacy missing"]
    rater_session.rate(item, "adequacy", 4)
    assert rater_session.values(item) == {"fluency": 3.0, "adequacy": 4.0}
    assert rater_session.missing_answers(item) == []
    assert rater_session.is_done(item)
    assert not rater_session.was_changed_after_reveal(item)


def test_change_of_fluency_after_reveal_is_flagged_until_undone(rater_session: RaterSession, item: str):
    rate_all(rater_session, item)
    rater_session.rate(item, "fluency", 3)
    assert not rater_session.was_changed_after_reveal(item)
    rater_session.rate(item, "fluency", 2)
    assert rater_session.was_changed_after_reveal(item)
    rater_session.undo()
    assert not rater_session.was_changed_after_reveal(item)
    assert rater_session.value(item, "fluency") == 3
    rater_session.redo()
    assert rater_session.was_changed_after_reveal(item)
    rater_session.rate(item, "fluency", None)
    assert not rater_session.was_changed_after_reveal(item)


def test_reveal_cannot_be_undone(rater_session: RaterSession, item: str):
    rater_session.rate(item, "fluency", 3)
    rater_session.reveal(item)
    event = rater_session.undo()
    assert event is not None
    assert event.field == "fluency"
    assert rater_session.is_revealed(item)
    assert rater_session.undo() is None


@pytest.mark.parametrize("value", [0, 6, 3.5, -1, True, "4", (4,), math.nan, math.inf])
def test_values_off_the_scale_are_refused_and_change_nothing(rater_session: RaterSession, item: str, value):
    with pytest.raises(QeError, match=r"is not a valid value for fluency. Enter an integer from 1 to 5"):
        rater_session.rate(item, "fluency", value)
    assert rater_session.values(item) == {}
    assert len(rater_session.events) == 0


def test_unknown_fields_and_items_are_refused(rater_session: RaterSession, ranking: RaterSession, item: str):
    with pytest.raises(
        QeError, match=r"“score” is not a field of this item. Fields of this item: fluency and adequacy"
    ):
        rater_session.rate(item, "score", 3)
    with pytest.raises(QeError, match="“ranks” is not a field of this item"):
        rater_session.rate(item, "ranks", (1,))
    with pytest.raises(QeError, match=r"“fluency” is not a field of this item. Fields of this item: ranks"):
        ranking.rate(ranking.screens[0].uid, "fluency", 3)
    with pytest.raises(QeError, match="not assigned to the rater"):
        rater_session.rate("nothing", "fluency", 3)


def test_direct_assessment_accepts_0_to_100_and_starts_unset():
    work = make_rater_session(make_random_design("direct-assessment", 2, 2, 1), "rater-1")
    first, second = (screen.uid for screen in work.screens[:2])
    assert work.is_revealed(first)
    assert work.missing_answers(first) == ["score missing"]
    work.rate(first, "score", 0)
    work.rate(second, "score", 100)
    assert (work.is_done(first), work.value(first, "score"), work.value(second, "score")) == (True, 0, 100)
    with pytest.raises(QeError):
        work.rate(first, "score", 101)


def test_fluency_alone_never_shows_the_source():
    work = make_rater_session(make_random_design("fluency", 2, 2, 1), "rater-1")
    uid = work.screens[0].uid
    with pytest.raises(QeError, match="never displays"):
        work.reveal(uid)
    work.rate(uid, "fluency", 5)
    assert work.is_done(uid)
    assert not work.is_revealed(uid)


def test_ranks_with_ties_and_gaps(ranking: RaterSession):
    uid = ranking.screens[0].uid
    assert ranking.missing_answers(uid) == ["Rank A, B, C and D"]
    ranking.rate(uid, "ranks", (1, 0, 0, 4))
    assert ranking.missing_answers(uid) == ["Rank B and C"]
    assert ranking.status(uid) is ScreenStatus.BEGUN
    ranking.rate(uid, "ranks", (1, 5, 0, 4))
    assert ranking.missing_answers(uid) == ["Rank C"]
    assert ranking.undo_text == "rank 5 for B, item 1"
    ranking.rate(uid, "ranks", (1, 5, 4, 4))
    assert ranking.is_done(uid)
    ranking.undo()
    assert ranking.missing_answers(uid) == ["Rank C"]
    assert ranking.redo_text == "rank 4 for C, item 1"
    ranking.rate(uid, "ranks", (1, 0, 0, 4))
    assert ranking.undo_text == "rank of B removed, item 1"
    ranking.rate(uid, "ranks", (2, 2, 2, 2))
    assert ranking.undo_text == "ranks of A, B, C and D, item 1"
    ranking.rate(uid, "ranks", (2, 1, 1, 2))
    assert ranking.undo_text == "ranks of B and C, item 1"


def test_errors_name_scales_in_the_language_of_the_interface(rater_session, item, monkeypatch):
    """Messages once named the stored fields."""
    monkeypatch.setattr(ScaleAnswer, "sentence_name", property(lambda answer: f"‹{answer.name}›"))
    with pytest.raises(QeError, match=r"‹fluency› must be rated before .* Rate this first: ‹fluency›"):
        rater_session.reveal(item)
    with pytest.raises(QeError, match=r"‹adequacy› can only be rated after .* Rate this first: ‹fluency›"):
        rater_session.rate(item, "adequacy", 4)
    with pytest.raises(QeError, match="is not a field of this item"):
        rater_session.rate(item, "score", 4)


@pytest.mark.parametrize("ranks", [(1, 2, 3), (1, 2, 3, 6), (1, 2, 3, -1), [1, 2, 3, 4], 3, None, (1, 2, 3, 1.5)])
def test_invalid_ranks_are_refused(ranking: RaterSession, ranks):
    with pytest.raises(QeError):
        ranking.rate(ranking.screens[0].uid, "ranks", ranks)


def test_undo_text_of_a_pairwise_comparison_names_the_choice():
    work = make_rater_session(make_random_design("pairwise", 2, 2, 1), "rater-1")
    uid = work.screens[1].uid
    assert work.missing_answers(uid) == ["Select A, B or a tie"]
    for ranks, text in (((1, 2), "A better"), ((1, 1), "Tie"), ((2, 1), "B better")):
        work.rate(uid, "ranks", ranks)
        assert work.undo_text == f"{text}, item 2"
    with pytest.raises(QeError):
        work.rate(uid, "ranks", (1, 3))


def test_skip_has_a_reason_and_is_cancelled_by_a_later_rating(rater_session: RaterSession, item: str):
    rater_session.rate(item, "fluency", 2)
    rater_session.skip(item, " The source makes no sense ")
    assert rater_session.is_skipped(item)
    assert rater_session.missing_answers(item) == []
    assert rater_session.values(item) == {"fluency": 2.0, "skip": "The source makes no sense"}
    assert rater_session.undo_text == "skip, item 1"
    # because the item was skipped, the same value again counts as a rating
    rater_session.rate(item, "fluency", 2)
    assert rater_session.status(item) is ScreenStatus.BEGUN
    rater_session.undo()
    assert rater_session.is_skipped(item)
    rater_session.skip(item, "")
    assert not rater_session.is_skipped(item)
    assert rater_session.undo_text == "skip cancelled, item 1"
    rater_session.undo()
    rater_session.undo()
    assert rater_session.values(item) == {"fluency": 2.0}


def test_typing_a_comment_is_one_undo_step(rater_session: RaterSession, item: str):
    rater_session.rate(item, "fluency", 2)
    for text in ("o", "odd", "odd word"):
        rater_session.comment(item, text)
    assert rater_session.undo_text == "comment, item 1"
    rater_session.undo()
    assert rater_session.values(item) == {"fluency": 2.0}
    rater_session.redo()
    assert rater_session.value(item, "comment") == "odd word"
    # after another action, typing begins a new undo step
    rater_session.comment(item, "odd word!")
    rater_session.undo()
    assert rater_session.value(item, "comment") == "odd word"


def test_comment_much_later_or_after_leaving_is_another_undo_step(rater_session: RaterSession, item: str):
    rater_session.comment(item, "first")
    rater_session.leave(item, 3.0)
    rater_session.comment(item, "first, second")
    rater_session.undo()
    assert rater_session.value(item, "comment") == "first"
    other = rater_session.screens[3].uid
    ticks = TickingClock(5000.0)
    rater_session._clock = lambda: ticks.clock() * 100
    rater_session.comment(other, "first")
    rater_session.comment(other, "first, second")
    rater_session.undo()
    assert rater_session.value(other, "comment") == "first"


def test_comment_typed_and_deleted_is_no_undo_step(rater_session: RaterSession, item: str):
    rater_session.rate(item, "fluency", 2)
    rater_session.comment(item, "x")
    rater_session.comment(item, "")
    assert rater_session.undo_text == "fluency 2, item 1"
    assert "comment" not in rater_session.values(item)


def test_undo_and_redo_texts_name_their_step(rater_session: RaterSession, item: str):
    assert (rater_session.undo_text, rater_session.redo_text) == ("", "")
    assert (rater_session.undo(), rater_session.redo()) == (None, None)
    rater_session.rate(rater_session.screens[0].uid, "fluency", 1)
    assert rater_session.undo_text == "fluency 1, training item 1"
    rater_session.rate(item, "fluency", 4)
    assert rater_session.undo_text == "fluency 4, item 1"
    event = rater_session.undo(2.5)
    assert event is not None
    assert (event.action, event.screen, event.field, event.value) == (RatingAction.UNDO, item, "fluency", None)
    assert event.refers == rater_session.events[1].uid
    assert (rater_session.undo_text, rater_session.redo_text) == ("fluency 1, training item 1", "fluency 4, item 1")
    assert rater_session.seconds(item) == 2.5
    rater_session.redo()
    assert (rater_session.value(item, "fluency"), rater_session.redo_text) == (4, "")
    rater_session.undo()
    rater_session.rate(item, "fluency", 5)
    assert rater_session.redo_text == ""
    rater_session.rate(item, "fluency", None)
    assert rater_session.undo_text == "fluency: rating removed, item 1"
    assert rater_session.missing_answers(item)[0] == "fluency missing"
    rater_session.undo()
    assert rater_session.value(item, "fluency") == 5


def test_same_value_again_is_no_undo_step(rater_session: RaterSession, item: str):
    rater_session.rate(item, "fluency", 3)
    rater_session.rate(item, "fluency", 4)
    rater_session.rate(item, "fluency", 4, 1.5)
    assert len(rater_session.events) == 3
    assert rater_session.seconds(item) == 1.5
    rater_session.undo()
    assert rater_session.value(item, "fluency") == 3


def test_history_is_restored_after_a_restart(rater_session: RaterSession, item: str):
    rate_all(rater_session, item)
    rater_session.undo()
    again = make_rater_session(
        make_random_design("adequacy-fluency", 2, 4, 1, training=2), "rater-1", rater_session.events
    )
    assert (again.undo_text, again.redo_text) == ("fluency 3, item 1", "adequacy 4, item 1")
    again.redo()
    assert again.is_done(item)


def test_next_open_item_and_progress(rater_session: RaterSession):
    uids = [screen.uid for screen in rater_session.screens]
    for uid in (*uids[:3], uids[9]):
        rate_all(rater_session, uid)
    assert rater_session.progress() == (2, 8)
    assert rater_session.first_open() == uids[3]
    assert rater_session.next_open(uids[0]) == uids[3]
    assert rater_session.next_open(uids[8]) == uids[3]
    assert rater_session.next_open() == uids[3]
    rater_session.skip(uids[3], "no")
    assert rater_session.progress() == (3, 8)
    assert rater_session.next_open(uids[2]) == uids[4]
    for uid in uids[4:9]:
        rate_all(rater_session, uid)
    assert (rater_session.progress(), rater_session.first_open(), rater_session.next_open(uids[4])) == (
        (8, 8),
        None,
        None,
    )
    rater_session.undo()
    assert (rater_session.progress(), rater_session.next_open(uids[8])) == ((7, 8), uids[8])


def test_time_is_summed_and_never_negative(rater_session: RaterSession, item: str):
    rater_session.rate(item, "fluency", 3, 4.0)
    rater_session.reveal(item, 1.0)
    rater_session.leave(item, 2.0)
    rater_session.rate(item, "fluency", 4, -3.0)
    rater_session.rate(item, "fluency", 5, math.nan)
    assert rater_session.seconds(item) == 7.0


def test_profile_is_stored_in_the_events(rater_session: RaterSession):
    assert rater_session.profile is None
    profile = RaterProfile(source_level="good", target_level="first language", expertise="linguist", remarks="„ß“")
    rater_session.set_profile(profile)
    assert rater_session.profile == profile
    assert rater_session.undo() is None
    assert (
        make_rater_session(make_random_design("adequacy-fluency", 2, 4, 1), "rater-1", rater_session.events).profile
        == profile
    )
    assert RaterProfile.of("{not json") == RaterProfile()
    assert RaterProfile.of("[]") == RaterProfile()
    assert RaterProfile.of('{"expertise": "x", "age": 3}') == RaterProfile(expertise="x")
    assert RaterProfile.of('{"expertise": "x", "remarks": null}') == RaterProfile(expertise="x")


def test_events_and_screens_of_other_raters_are_ignored():
    design = make_random_design("adequacy-fluency", 2, 4, 2)
    first, second = (
        make_rater_session(design, rater, clock=TickingClock(prefix=rater)) for rater in design.setup.raters
    )
    second.rate(second.screens[0].uid, "fluency", 3)
    foreign = replace(second.events[0], uid="x", campaign="c2", rater="rater-1", screen=first.screens[0].uid)
    assert first.merge([*second.events, foreign]) == set()
    assert {screen.rater for screen in first.screens} == {"rater-1"}
    assert not first.events


def test_two_windows_of_one_rater_agree_after_merging():
    design = make_random_design("adequacy-fluency", 2, 4, 1)
    window, other_window = (
        make_rater_session(design, "rater-1", clock=TickingClock(1000, "a")),
        make_rater_session(design, "rater-1", clock=TickingClock(1000.5, "b")),
    )
    first, second, third = (screen.uid for screen in window.screens[:3])
    window.rate(first, "fluency", 1)
    window.rate(second, "fluency", 2)
    other_window.rate(first, "fluency", 5)
    other_window.rate(third, "fluency", 3)
    assert window.merge(other_window.events) >= {first, third}
    other_window.merge(window.events)
    assert window.merge(other_window.events) == set()
    assert window.value(first, "fluency") == other_window.value(first, "fluency") == 5
    assert window.undo_text == other_window.undo_text == "fluency 3, item 3"
    assert [event.uid for event in window.events] == [event.uid for event in other_window.events]


def test_events_stay_in_order_if_the_clock_goes_back(rater_session: RaterSession, item: str):
    times = iter((100.0, 50.0, 10.0))
    rater_session._clock = lambda: next(times)
    rater_session.rate(item, "fluency", 3)
    rater_session.rate(item, "fluency", 4)
    rater_session.undo()
    assert [event.at for event in rater_session.events] == sorted(event.at for event in rater_session.events)
    again = make_rater_session(
        make_random_design("adequacy-fluency", 2, 4, 1, training=2), "rater-1", reversed(rater_session.events)
    )
    assert again.value(item, "fluency") == 3


def test_redo_from_another_window_is_not_lost(rater_session: RaterSession, item: str):
    rating = rater_session.rate(item, "fluency", 3)
    rater_session.undo()
    rater_session.rate(item, "comment", "since then")
    redo = RatingEvent(
        "z", "c1", item, "rater-1", rater_session.events[-1].at + 1, "fluency", None, 0, RatingAction.REDO, rating.uid
    )
    rater_session.merge([redo])
    assert rater_session.value(item, "fluency") == 3
    unknown = replace(redo, uid="y", action=RatingAction.UNDO, refers="never seen", at=redo.at + 1)
    rater_session.merge([unknown])
    assert rater_session.value(item, "fluency") == 3
