"""Any sequence of ratings, undo and redo, in one window or two, is what its events say when folded from nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.answers.event_history import RatingAction, sort_events
from qe_desktop.ratings.rater_progress import rater_progress_counts
from qe_desktop.ratings.rater_session import RaterSession
from tests.ratings.campaigns import Ticks, designed, work_of

DESIGNS = {name: designed(name, 3, 2, 2) for name in ("adequacy-fluency", "rank", "direct-assessment")}


@st.composite
def acts(draw):
    """What a rater does: (what, place of the screen, number)."""
    kinds = ("first", "second", "reveal", "skip", "unskip", "comment", "seen", "undo", "undo", "redo", "redo")
    return draw(st.lists(st.tuples(st.sampled_from(kinds), st.integers(0, 1), st.integers(1, 5)), max_size=40))


def act(work: RaterSession, what: str, place: int, number: int) -> None:
    uid = work.screens[place].uid
    fields = work.protocol.fields
    match what:
        case "undo":
            work.undo(1.0)
        case "redo":
            work.redo(1.0)
        case "reveal" if not work.protocol.target_first or fields[0] in work.values(uid):
            work.reveal(uid)
        case "skip" | "unskip":
            work.skip(uid, f"reason {number % 2}" if what == "skip" else "")
        case "comment":
            work.comment(uid, "abc"[: number % 4])
        case "seen":
            work.leave(uid, 2.0)
        case "first" if work.protocol.compares:
            outputs = len(work.screen(uid).outputs)
            work.rate(uid, "ranks", tuple((number * (place + 2)) % 4 for place in range(outputs)))
        case "first":
            work.rate(uid, fields[0], number if number > 1 else None)
        case "second" if len(fields) > 1 and work.revealed(uid):
            work.rate(uid, fields[1], number)


def state(work: RaterSession) -> object:
    return (
        [(work.values(one.uid), work.seconds(one.uid), work.revealed(one.uid), work.status(one.uid),
          work.changed_after_reveal(one.uid), work.missing(one.uid)) for one in work.screens],
        work.progress(), work.undo_text, work.redo_text, work.first_open(),
    )  # fmt: skip


@given(st.sampled_from(sorted(DESIGNS)), acts(), st.randoms(use_true_random=False))
def test_the_state_is_the_fold_of_the_events(name, doings, dice):
    of = DESIGNS[name]
    work = work_of(of, "rater-1")
    for doing in doings:
        act(work, *doing)
    events = list(work.events)
    dice.shuffle(events)
    again = work_of(of, "rater-1", [*events, *events[:3]])
    assert state(again) == state(work)
    done, total = rater_progress_counts(of.campaign, of.screens, events)["rater-1"]
    assert (done, total) == work.progress()


@given(st.sampled_from(sorted(DESIGNS)), acts())
def test_undoing_everything_and_doing_it_again(name, doings):
    of = DESIGNS[name]
    work = work_of(of, "rater-1")
    for doing in doings:
        act(work, *doing)
    values = [work.values(screen.uid) for screen in work.screens]
    undone = 0
    while work.undo() is not None:
        undone += 1
    assert all(work.values(screen.uid) == {} for screen in work.screens)
    for _ in range(undone):
        assert work.redo() is not None
    assert [work.values(screen.uid) for screen in work.screens] == values


@given(st.sampled_from(sorted(DESIGNS)), acts())
def test_an_undo_brings_back_what_was_there_before(name, doings):
    work = work_of(DESIGNS[name], "rater-1")
    for doing in doings:
        what = doing[0]
        before = [work.values(screen.uid) for screen in work.screens]
        steps = work.undo_text, len(work.events)
        act(work, *doing)
        changed = [work.values(screen.uid) for screen in work.screens] != before
        if what in ("first", "second", "skip", "unskip") and changed:
            assert work.undo_text != "" or steps[0] != ""
            work.undo()
            assert [work.values(screen.uid) for screen in work.screens] == before
            work.redo()


@given(st.sampled_from(sorted(DESIGNS)), st.lists(st.tuples(st.booleans(), st.booleans(), acts()), max_size=8))
def test_two_windows_agree_once_they_have_seen_the_same(name, turns):
    of = DESIGNS[name]
    windows = [work_of(of, "rater-1", ticks=Ticks(1000.0 + 0.5 * place, "ab"[place])) for place in range(2)]
    for second, tell, doings in turns:
        here, there = windows[second], windows[not second]
        for doing in doings:
            act(here, *doing)
        if tell:
            there.merge(here.events)
    one, two = windows
    one.merge(two.events)
    two.merge(one.events)
    assert state(one) == state(two)
    everything = sort_events([*one.events, *two.events])
    assert state(work_of(of, "rater-1", everything)) == state(one)
    # nothing that was said is lost: every judgement that nobody took back is there
    taken_back = {event.refers for event in everything if event.action is RatingAction.UNDO}
    for screen in one.screens:
        if not taken_back and any(event.screen == screen.uid and event.field == "comment" for event in everything):
            last = [event for event in everything if event.screen == screen.uid and event.field == "comment"][-1]
            assert one.value(screen.uid, "comment") == (last.value or None)
