"""How fast campaigns are designed, rated and collected, relative to bare loops over the same data."""

from __future__ import annotations

from operator import attrgetter

import pytest

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.ratings.blinding import collect_ratings
from qe_desktop.ratings.campaign import CampaignDesign
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import time_ratio_of
from tests.ratings.campaigns import make_random_design, make_rater_session

RATERS = 100
FIELDS = (("fluency", 3.0), ("reveal", None), ("adequacy", 4.0), ("fluency", 4.0), ("seen", None))


def events_of(design: CampaignDesign) -> list[RatingEvent]:
    """Five events per screen: each rater rates every screen and changes fluency afterwards."""
    rows = ((screen, *entry) for screen in design.screens for entry in FIELDS)
    return [
        RatingEvent(f"{index * 7919:x}", design.campaign.uid, screen.uid, screen.rater, 1e9 + index, field, value, 2.0)
        for index, (screen, field, value) in enumerate(rows)
    ]


def bare(events: list[RatingEvent]) -> int:
    """Sort events and keep the last value of each field of each screen, without undo, times or roles."""
    values: dict[tuple[str, str], object] = {}
    for event in sorted(events, key=attrgetter("at", "uid")):
        values[event.screen, event.field] = event.value
    return len(values)


@pytest.mark.benchmark
def test_time_of_collecting_events_relative_to_a_bare_pass(benchmark):
    small, large = (make_random_design("adequacy-fluency", 5, segments, RATERS) for segments in (200, 400))
    few, many = events_of(small), events_of(large)
    assert len(many) == 1_000_000
    ratings = benchmark.pedantic(collect_ratings, (large, many), rounds=1)
    assert len(ratings.scores) == 400_000
    figure = record_figure(
        "collect 1,000,000 events: relative to a bare pass",
        time_ratio_of(lambda: collect_ratings(large, many), lambda: bare(many), 3),
        15,
    )
    doubled = time_ratio_of(lambda: collect_ratings(large, many), lambda: collect_ratings(small, few), 3)
    linear = record_figure("collect 1,000,000 events: relative to half of them", doubled, 3)
    assert figure.value < 2 * figure.limit
    assert linear.value < 2 * linear.limit


@pytest.mark.benchmark
def test_time_of_a_rating_is_independent_of_the_number_of_events(benchmark):
    design = make_random_design("adequacy-fluency", 5, 2000, 1)
    events = events_of(design)
    short, long = make_rater_session(design, "rater-1", events[:500]), make_rater_session(design, "rater-1", events)

    def rate(work):
        for turn in range(200):
            uid = work.screens[turn].uid
            work.rate(uid, "fluency", 1 + turn % 5, 1.0)
            assert work.values(uid)
            assert work.undo_text
            work.progress()

    benchmark.pedantic(rate, (long,), rounds=3)
    figure = record_figure(
        "a rating after 50,000 events: relative to one after 500",
        time_ratio_of(lambda: rate(long), lambda: rate(short)),
        1.5,
    )
    assert figure.value < 3 * figure.limit


@pytest.mark.benchmark
def test_time_of_a_design_is_linear(benchmark):
    make = {"repeats": 0.05, "controls": 0.05, "overlap": 0.5}
    benchmark.pedantic(lambda: make_random_design("adequacy", 5, 800, 20, **make), rounds=1)
    larger = time_ratio_of(
        lambda: make_random_design("adequacy", 5, 800, 20, **make),
        lambda: make_random_design("adequacy", 5, 200, 20, **make),
        3,
    )
    figure = record_figure("design 46,000 screens: relative to a fourth of them", larger, 6)
    assert figure.value < 2 * figure.limit
