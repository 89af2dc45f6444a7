"""Distribution of items to raters."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.ratings.assignment.quality_control import share_count
from qe_desktop.ratings.assignment.random_stream import RandomStream
from qe_desktop.ratings.assignment.rater_plan import distribute_units, work_units

sizes = st.lists(st.integers(1, 6), min_size=1, max_size=25)


def sources_of(lengths: list[int]) -> list[tuple[int, ...]]:
    ends = [sum(lengths[: index + 1]) for index in range(len(lengths))]
    return [tuple(range(end - length, end)) for end, length in zip(ends, lengths, strict=True)]


@given(st.integers(1, 40), st.integers(1, 6), st.integers(2, 7), st.floats(0, 1), st.integers(0, 99))
def test_segments_are_distributed_evenly(segments, systems, raters, overlap, seed):
    units = work_units([(index,) for index in range(segments)], systems)
    common, own = distribute_units(units, raters, overlap, RandomStream(seed, "x"))
    # every unit is assigned once, either to all raters or to one
    assert Counter([*common, *(unit for part in own for unit in part)]) == Counter(units)
    assert len(common) == share_count(overlap, len(units))
    assert abs(len(common) - overlap * len(units)) <= 0.5 or len(common) == 1
    shares = [len(part) for part in own]
    assert max(shares) - min(shares) <= 1
    for system in range(systems):
        system_counts = [sum(unit.group == system for unit in part) for part in own]
        assert max(system_counts) - min(system_counts) <= 1
    common_counts = Counter(unit.group for unit in common)
    assert (
        max(common_counts[index] for index in range(systems)) - min(common_counts[index] for index in range(systems))
        <= 1
    )


@given(sizes, st.integers(1, 4), st.integers(2, 5), st.floats(0, 1), st.integers(0, 99))
def test_whole_documents_are_distributed_as_evenly_as_possible(lengths, systems, raters, overlap, seed):
    units = work_units(sources_of(lengths), systems)
    common, own = distribute_units(units, raters, overlap, RandomStream(seed, "x"))
    assert Counter([*common, *(unit for part in own for unit in part)]) == Counter(units)
    longest = max(lengths)
    for system in range(systems):
        system_counts = [sum(len(unit) for unit in part if unit.group == system) for part in own]
        assert max(system_counts) - min(system_counts) <= longest
    common_items, items = sum(map(len, common)), systems * sum(lengths)
    assert abs(common_items - overlap * items) <= longest


def test_one_rater_gets_everything():
    units = work_units([(0,), (1,)], 3)
    for overlap in (0, 0.3, 1):
        assert distribute_units(units, 1, overlap, RandomStream(1, "x")) == ([], [units])


def test_common_segments_are_the_same_for_all_systems():
    units = work_units([(index,) for index in range(20)], 4)
    common, _ = distribute_units(units, 3, 0.25, RandomStream(1, "x"))
    assert sorted(Counter(unit.source for unit in common).values()) == [4] * 5


@pytest.mark.parametrize("overlap", [1e-9, 1e-3])
def test_smallest_overlap_is_one_item(overlap):
    common, _ = distribute_units(work_units([(index,) for index in range(20)], 4), 3, overlap, RandomStream(1, "x"))
    assert len(common) == 1
