"""Active time: idle time counts up to a limit, time in other programs does not count."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.ui.rate.active_time import IDLE_SECONDS, ActiveClock
from tests.ui.rate.conftest import Clock


def test_time_between_actions_counts():
    now = Clock()
    clock = ActiveClock(now)
    clock.start()
    for _ in range(4):
        now.advance(10)
        clock.record_input()
    assert clock.take() == 40
    assert clock.take() == 0


def test_clock_stops_after_thirty_idle_seconds():
    now = Clock()
    clock = ActiveClock(now)
    clock.start()
    now.advance(600)
    assert clock.take() == IDLE_SECONDS == 30
    now.advance(600)
    clock.record_input()
    now.advance(5)
    assert clock.take() == 35


def test_time_in_another_program_does_not_count():
    now = Clock()
    clock = ActiveClock(now)
    clock.start()
    now.advance(8)
    clock.pause()
    now.advance(20)
    clock.record_input()
    assert not clock.is_running
    clock.resume()
    now.advance(2)
    assert clock.take() == 10


def test_repeated_leaving_and_returning_counts_once():
    now = Clock()
    clock = ActiveClock(now)
    clock.start()
    now.advance(5)
    clock.resume()
    now.advance(5)
    clock.pause()
    clock.pause()
    assert clock.take() == 10


def test_clock_that_was_not_started_counts_nothing():
    now = Clock()
    clock = ActiveClock(now)
    now.advance(9)
    clock.record_input()
    assert clock.take() == 0
    clock.start()
    now.advance(3)
    assert clock.stop() == 3
    now.advance(3)
    assert clock.take() == 0
    assert not clock.is_running


@given(st.lists(st.tuples(st.sampled_from(["touch", "leave", "back", "take"]), st.floats(0, 200)), max_size=40))
def test_active_time_is_between_zero_and_the_elapsed_time(steps):
    now = Clock()
    clock = ActiveClock(now)
    clock.start()
    total = 0.0
    for what, seconds in steps:
        now.advance(seconds)
        if what == "take":
            total += clock.take()
        else:
            {"touch": clock.record_input, "leave": clock.pause, "back": clock.resume}[what]()
    total += clock.take()
    assert 0 <= total <= sum(seconds for _, seconds in steps) + 1e-6
