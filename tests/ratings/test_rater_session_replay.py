"""The state after any ratings, undo and redo, in one window or two, equals a replay of the events."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.answers.event_history import RatingAction, sort_events
from qe_desktop.ratings.rater_progress import rater_progress_counts
from qe_desktop.ratings.rater_session import RaterSession
from tests.ratings.campaigns import TickingClock, make_random_design, make_rater_session

DESIGNS = {name: make_random_design(name, 3, 2, 2) for name in ("adequacy-fluency", "rank", "direct-assessment")}


@st.composite
def acts(draw):
    """Generate actions of a rater: (kind, index of the screen, number)."""
    kinds = ("first", "second", "reveal", "skip", "unskip", "comment", "seen", "undo", "undo", "redo", "redo")
    return draw(st.lists(st.tuples(st.sampled_from(kinds), st.integers(0, 1), st.integers(1, 5)), max_size=40))


def act(work: RaterSession, kind: str, index: int, number: int) -> None:
    uid = work.screens[index].uid
    fields = work.protocol.fields
    match kind:
        case "undo":
            work.undo(1.0)
        case "redo":
            work.redo(1.0)
        case "reveal" if not work.protocol.target_first or fields[0] in work.values(uid):
            work.reveal(uid)
        case "skip" | "unskip":
            work.skip(uid, f"reason {number % 2}" if kind == "skip" else "")
        case "comment":
            work.comment(uid, "abc"[: number % 4])
        case "seen":
            work.leave(uid, 2.0)
        case "first" if work.protocol.compares:
            outputs = len(work.screen(uid).outputs)
            work.rate(uid, "ranks", tuple((number * (index + 2)) % 4 for index in range(outputs)))
        case "first":
            work.rate(uid, fields[0], number if number > 1 else None)
        case "second" if len(fields) > 1 and work.is_revealed(uid):
            work.rate(uid, fields[1], number)


def state(work: RaterSession) -> object:
    return (
        [(work.values(screen.uid), work.seconds(screen.uid), work.is_revealed(screen.uid), work.status(screen.uid),
          work.was_changed_after_reveal(screen.uid), work.missing_answers(screen.uid)) for screen in work.screens],
        work.progress(), work.undo_text, work.redo_text, work.first_open(),
    )  # fmt: skip


@given(st.sampled_from(sorted(DESIGNS)), acts(), st.randoms(use_true_random=False))
def test_state_equals_a_replay_of_the_events(name, actions, random):
    design = DESIGNS[name]
    work = make_rater_session(design, "rater-1")
    for action in actions:
        act(work, *action)
    events = list(work.events)
    random.shuffle(events)
    again = make_rater_session(design, "rater-1", [*events, *events[:3]])
    assert state(again) == state(work)
    done, total = rater_progress_counts(design.campaign, design.screens, events)["rater-1"]
    assert (done, total) == work.progress()


@given(st.sampled_from(sorted(DESIGNS)), acts())
def test_undoing_and_redoing_everything_restores_the_values(name, actions):
    design = DESIGNS[name]
    work = make_rater_session(design, "rater-1")
    for action in actions:
        act(work, *action)
    values = [work.values(screen.uid) for screen in work.screens]
    undone = 0
    while work.undo() is not None:
        undone += 1
    assert all(work.values(screen.uid) == {} for screen in work.screens)
    for _ in range(undone):
        assert work.redo() is not None
    assert [work.values(screen.uid) for screen in work.screens] == values


@given(st.sampled_from(sorted(DESIGNS)), acts())
def test_undo_restores_the_previous_values(name, actions):
    work = make_rater_session(DESIGNS[name], "rater-1")
    for action in actions:
        kind = action[0]
        before = [work.values(screen.uid) for screen in work.screens]
        steps = work.undo_text, len(work.events)
        act(work, *action)
        changed = [work.values(screen.uid) for screen in work.screens] != before
        if kind in ("first", "second", "skip", "unskip") and changed:
            assert work.undo_text != "" or steps[0] != ""
            work.undo()
            assert [work.values(screen.uid) for screen in work.screens] == before
            work.redo()


@given(st.sampled_from(sorted(DESIGNS)), st.lists(st.tuples(st.booleans(), st.booleans(), acts()), max_size=8))
def test_two_windows_agree_after_merging_the_same_events(name, turns):
    design = DESIGNS[name]
    windows = [
        make_rater_session(design, "rater-1", clock=TickingClock(1000.0 + 0.5 * index, "ab"[index]))
        for index in range(2)
    ]
    for second, tell, actions in turns:
        active, inactive = windows[second], windows[not second]
        for action in actions:
            act(active, *action)
        if tell:
            inactive.merge(active.events)
    left, right = windows
    left.merge(right.events)
    right.merge(left.events)
    assert state(left) == state(right)
    all_events = sort_events([*left.events, *right.events])
    assert state(make_rater_session(design, "rater-1", all_events)) == state(left)
    # no comment is lost unless something was undone
    undone = {event.refers for event in all_events if event.action is RatingAction.UNDO}
    for screen in left.screens:
        if not undone and any(event.screen == screen.uid and event.field == "comment" for event in all_events):
            last = [event for event in all_events if event.screen == screen.uid and event.field == "comment"][-1]
            assert left.value(screen.uid, "comment") == (last.value or None)
