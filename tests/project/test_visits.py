"""Recorder of visits: work, pauses and absence add up to the elapsed time, whatever the order of events."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus.text_spans import DisplayedHighlights
from qe_desktop.project.review.visits import KeyKind, Recorder, Visit

kinds = st.sampled_from(KeyKind)
waits = st.one_of(st.floats(0, 3), st.floats(200, 1000), st.floats(-5, 0))
events = st.lists(
    st.tuples(
        waits,
        st.one_of(
            st.tuples(st.just("record_key"), kinds),
            st.tuples(st.just("record_change"), st.integers(0, 9), st.text(max_size=3), st.text(max_size=3)),
            st.tuples(st.just("leave_window")),
            st.tuples(st.just("enter_window")),
        ),
    ),
    max_size=30,
)


def record(happened, limit=300.0):
    recorder, time = Recorder(limit), 50.0
    recorder.open_segment(time, 4, "before", at=1e9, highlights=DisplayedHighlights(("qe",)))
    clock = time
    for wait, (what, *details) in happened:
        time += wait
        clock = max(clock, time)
        getattr(recorder, what)(time, *details)
    time += 1.0
    clock = max(clock, time)
    segment, visit = recorder.close_segment(time, "after")
    assert segment == 4
    return visit, clock - 50.0


@given(events, st.sampled_from([0.5, 2.0, 300.0]))
def test_work_pauses_and_absence_add_up_to_the_elapsed_time(happened, limit):
    visit, passed = record(happened, limit)
    assert min(visit.seconds, visit.pauses, visit.away) >= 0
    assert visit.seconds + visit.pauses + visit.away == pytest.approx(passed, abs=1e-6)
    assert visit.closed - visit.opened == pytest.approx(passed, abs=1e-6)
    assert sum(count for _, count in visit.keys) == sum(what == "record_key" for _, (what, *_) in happened)
    assert all(count > 0 for _, count in visit.keys)
    assert visit.gaps_1000 <= visit.gaps_300
    afters = [change.after for change in visit.typed]
    assert afters == sorted(afters)
    assert all(0 <= after <= passed + 1e-6 for after in afters)
    changes = [
        tuple(details) for _, (what, *details) in happened if what == "record_change" and (details[1] or details[2])
    ]
    assert [(change.place, change.removed, change.inserted) for change in visit.typed] == changes


@given(events)
def test_a_visit_contains_nothing_of_the_previous_one(happened):
    recorder = Recorder()
    recorder.open_segment(0.0, 1, at=5.0)
    time = 0.0
    for wait, (what, *details) in happened:
        time = max(time, time + wait)
        getattr(recorder, what)(time, *details)
    recorder.enter_window(time)
    recorder.close_segment(time)
    recorder.open_segment(2.0**20, 2, "x", at=7.0)
    assert recorder.close_segment(2.0**20 + 2, "y") == (2, Visit(7.0, 9.0, 2.0, before="x", after="y"))


def test_a_long_pause_is_not_work_and_counts_in_full():
    visit, _ = record(
        [
            (10, ("record_key", KeyKind.LETTER)),
            (301, ("record_key", KeyKind.LETTER)),
            (300, ("record_key", KeyKind.ERASE)),
        ]
    )
    assert (visit.seconds, visit.pauses, visit.away) == (311.0, 301.0, 0.0)
    assert visit.keys == ((KeyKind.LETTER, 2), (KeyKind.ERASE, 1))
    # the interval of 300 s is a gap, and the pause is not
    assert (visit.gaps_300, visit.gaps_1000) == (1, 1)


def test_time_in_other_windows_is_neither_work_nor_pause():
    visit, _ = record(
        [
            (5, ("record_key", KeyKind.LETTER)),
            (2, ("leave_window",)),
            (1000, ("enter_window",)),
            (4, ("record_key", KeyKind.LETTER)),
        ]
    )
    assert (visit.seconds, visit.pauses, visit.away) == (12.0, 0.0, 1000.0)
    assert visit.gaps_300 == 0


def test_gaps_include_their_lower_limits():
    keys = [(wait, ("record_key", KeyKind.LETTER)) for wait in (0, 0.25, 0.5, 1.0, 2.0)]
    visit, _ = record(keys)
    assert (visit.gaps_300, visit.gaps_1000) == (3, 2)


def test_a_visit_that_starts_in_the_background_begins_with_absence():
    recorder = Recorder()
    recorder.leave_window(0.0)
    recorder.open_segment(3.0, 1, at=0.0)
    recorder.enter_window(8.0)
    _, visit = recorder.close_segment(9.0)
    assert (visit.seconds, visit.away) == (1.0, 5.0)


def test_nothing_is_recorded_without_a_segment_and_misuse_is_rejected():
    recorder = Recorder()
    recorder.record_key(1.0, KeyKind.LETTER)
    recorder.record_change(1.0, 0, "", "a")
    assert recorder.close_segment(2.0) is None
    recorder.open_segment(3.0, 1, at=0.0)
    with pytest.raises(ValueError, match="still open"):
        recorder.open_segment(4.0, 2, at=0.0)
    with pytest.raises(ValueError, match="limit"):
        Recorder(0)
