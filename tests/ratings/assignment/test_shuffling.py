"""The order of screens, and places for screens that come later."""

from __future__ import annotations

from collections import Counter, defaultdict

from hypothesis import example, given
from hypothesis import strategies as st

from qe_desktop.ratings.assignment.random_stream import RandomStream
from qe_desktop.ratings.assignment.screen_order import BlockInserter, min_distance, spaced_order

sources = st.lists(st.integers(0, 12), max_size=80)


def widest(held: list[int]) -> int:
    """The largest distance at which no source returns, by the counting argument of scheduling with a cooling time."""
    counts = Counter(held)
    most = max(counts.values())
    return (len(held) - list(counts.values()).count(most)) // (most - 1)


@given(sources, st.integers(1, 15), st.integers(0, 99))
@example([0, 0, 0], 10, 1)
@example([0, 0, 1, 1, 2, 2], 10, 1)
def test_no_source_returns_within_the_distance_where_that_can_be(held, apart, seed):
    order = spaced_order(held, apart, RandomStream(seed, "x"))
    assert sorted(order) == list(range(len(held)))
    shown = [held[place] for place in order]
    if len(set(held)) < len(held):
        assert min_distance(shown) >= min(apart, widest(held))


def test_nearest_is_the_smallest_distance():
    assert min_distance([1, 2, 3, 1, 4, 3, 4]) == 2
    assert min_distance([1, 2, 3]) == 3
    assert min_distance([]) == 0


def test_a_large_campaign_keeps_sources_far_apart_and_stays_random():
    held = [segment for segment in range(200) for _ in range(5)]
    orders = [[held[place] for place in spaced_order(held, 10, RandomStream(seed, "x"))] for seed in range(3)]
    for shown in orders:
        assert min_distance(shown) >= 90
        # the second time around, segments do not come in the order of the first
        rounds = [shown[begin : begin + 200] for begin in range(0, 1000, 200)]
        assert sum(one == other for one, other in zip(rounds[0], rounds[1], strict=True)) < 40
    assert orders[0] != orders[1] != orders[2]


def test_each_system_stands_anywhere():
    # five systems of each of 40 segments, 60 orders: the mean place of a system is in the middle
    held = [segment for segment in range(40) for _ in range(5)]
    places: dict[int, list[int]] = defaultdict(list)
    for seed in range(60):
        for place, item in enumerate(spaced_order(held, 10, RandomStream(seed, "x"))):
            places[item % 5].append(place)
    # 2400 places of standard deviation 58
    assert all(abs(sum(held) / len(held) - 99.5) < 5 * 58 / 2400**0.5 for held in places.values())


@given(st.lists(st.integers(0, 30), min_size=1, max_size=60), st.integers(1, 6), st.integers(0, 99))
def test_inserted_blocks_stand_from_their_first_place_on(held, apart, seed):
    inserting = BlockInserter(held, apart, RandomStream(seed, "x"))
    for number, source in enumerate(held[:10]):
        first = min(number + 5, len(held))
        assert first <= inserting.place(source, first) <= len(held)


def test_inserted_blocks_keep_away_from_their_source():
    inserting = BlockInserter(list(range(100)), 10, RandomStream(1, "x"))
    for source in range(100):
        place = inserting.place(source, 0)
        # before the place, or from it on: the distance after it was put in
        assert (place - source if source < place else source + 1 - place) >= 10
