"""The order of screens, and positions for screens that are inserted later."""

from __future__ import annotations

from collections import Counter, defaultdict

from hypothesis import example, given
from hypothesis import strategies as st

from qe_desktop.ratings.assignment.random_stream import RandomStream
from qe_desktop.ratings.assignment.screen_order import BlockInserter, min_distance, spaced_order

sources = st.lists(st.integers(0, 12), max_size=80)


def max_possible_distance(source_ids: list[int]) -> int:
    """Return the largest possible distance of equal sources, as in task scheduling with a cooling time."""
    counts = Counter(source_ids)
    max_count = max(counts.values())
    return (len(source_ids) - list(counts.values()).count(max_count)) // (max_count - 1)


@given(sources, st.integers(1, 15), st.integers(0, 99))
@example([0, 0, 0], 10, 1)
@example([0, 0, 1, 1, 2, 2], 10, 1)
def test_equal_sources_keep_their_distance_where_possible(source_ids, distance, seed):
    order = spaced_order(source_ids, distance, RandomStream(seed, "x"))
    assert sorted(order) == list(range(len(source_ids)))
    shown = [source_ids[index] for index in order]
    if len(set(source_ids)) < len(source_ids):
        assert min_distance(shown) >= min(distance, max_possible_distance(source_ids))


def test_min_distance_of_equal_sources():
    assert min_distance([1, 2, 3, 1, 4, 3, 4]) == 2
    assert min_distance([1, 2, 3]) == 3
    assert min_distance([]) == 0


def test_large_campaign_separates_equal_sources_and_is_random():
    source_ids = [segment for segment in range(200) for _ in range(5)]
    orders = [
        [source_ids[index] for index in spaced_order(source_ids, 10, RandomStream(seed, "x"))] for seed in range(3)
    ]
    for shown in orders:
        assert min_distance(shown) >= 90
        # the second round is not in the order of the first
        rounds = [shown[begin : begin + 200] for begin in range(0, 1000, 200)]
        assert sum(first == second for first, second in zip(rounds[0], rounds[1], strict=True)) < 40
    assert orders[0] != orders[1] != orders[2]


def test_mean_position_of_each_system_is_the_middle():
    # five systems of 40 segments in 60 orders
    source_ids = [segment for segment in range(40) for _ in range(5)]
    positions: dict[int, list[int]] = defaultdict(list)
    for seed in range(60):
        for position, item in enumerate(spaced_order(source_ids, 10, RandomStream(seed, "x"))):
            positions[item % 5].append(position)
    # 2400 positions with a standard deviation of 58
    assert all(abs(sum(source_ids) / len(source_ids) - 99.5) < 5 * 58 / 2400**0.5 for source_ids in positions.values())


@given(st.lists(st.integers(0, 30), min_size=1, max_size=60), st.integers(1, 6), st.integers(0, 99))
def test_inserted_blocks_follow_their_first_allowed_position(source_ids, distance, seed):
    inserter = BlockInserter(source_ids, distance, RandomStream(seed, "x"))
    for number, source in enumerate(source_ids[:10]):
        first = min(number + 5, len(source_ids))
        assert first <= inserter.place(source, first) <= len(source_ids)


def test_inserted_blocks_keep_their_distance_from_their_source():
    inserter = BlockInserter(list(range(100)), 10, RandomStream(1, "x"))
    for source in range(100):
        position = inserter.place(source, 0)
        # the distance after the insertion, before or after the source
        assert (position - source if source < position else source + 1 - position) >= 10
