"""Reproducible random streams."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.ratings.assignment.random_stream import CampaignRandom, RandomStream, new_secret


def test_stream_is_the_same_in_all_versions():
    # fixed values, because a campaign that is regenerated years later must not change
    stream = RandomStream(7, "order", 3)
    assert stream.permutation(10) == [7, 4, 1, 0, 8, 2, 5, 9, 3, 6]
    assert [stream.randbelow(1000) for _ in range(5)] == [52, 527, 618, 402, 305]
    assert stream.random() == 0.4390490906271657


def test_streams_of_different_seeds_and_purposes_differ():
    orders = [
        RandomStream(seed, *purpose).permutation(20)
        for seed in (1, 2)
        for purpose in (("a",), ("b",), ("a", 1), ("a", 2))
    ]
    assert len({tuple(order) for order in orders}) == 8


@given(st.integers(0, 2**70), st.integers(0, 200))
def test_order_contains_every_position_once(seed, count):
    stream = RandomStream(seed, "x")
    assert sorted(stream.permutation(count)) == list(range(count))
    assert all(0 <= stream.randbelow(count) < count for _ in range(5) if count)
    assert all(0 <= share < 1 for share in (stream.random(), *stream.random_array(3)))


def test_orders_and_numbers_are_uniform():
    stream = RandomStream(1, "even")
    orders = Counter(tuple(stream.permutation(3)) for _ in range(6000))
    numbers = Counter(stream.randbelow(6) for _ in range(6000))
    # 1000 expected, standard deviation 29
    assert len(orders) == len(numbers) == 6
    assert all(abs(count - 1000) < 120 for count in (*orders.values(), *numbers.values()))


SECRET = bytes(range(32))


def test_keyed_stream_is_the_same_in_all_versions():
    stream = RandomStream(7, "order", 3, secret=SECRET)
    assert stream.permutation(10) == [2, 0, 7, 4, 6, 3, 1, 9, 5, 8]
    assert [stream.randbelow(1000) for _ in range(5)] == [11, 721, 227, 398, 150]


@given(st.lists(st.integers(1, 30), min_size=1, max_size=8))
def test_stream_does_not_depend_on_the_sizes_of_requests(sizes):
    whole, parts = RandomStream(1, "x", secret=SECRET), RandomStream(1, "x", secret=SECRET)
    together = whole.random_array(sum(sizes))
    assert together.tolist() == [share for size in sizes for share in parts.random_array(size)]


def test_streams_of_different_secrets_seeds_and_purposes_are_uncorrelated():
    streams = [
        RandomStream(seed, *purpose, secret=secret).random_array(500)
        for secret in (SECRET, bytes(32), bytes([7] * 32))
        for seed in (1, 2)
        for purpose in (("a", "b"), ("a b",), ("a", 1))
    ]
    assert len({tuple(stream) for stream in streams}) == len(streams)
    # correlations of 500 numbers have a deviation of 1 / sqrt(500); the largest of 153 is below 4.5 of them
    correlations = np.corrcoef(streams)[np.triu_indices(len(streams), 1)]
    assert np.abs(correlations).max() < 4.5 / np.sqrt(500)


def test_keyed_orders_and_numbers_are_uniform():
    stream = RandomStream(1, "even", secret=SECRET)
    orders = Counter(tuple(stream.permutation(3)) for _ in range(6000))
    numbers = Counter(stream.randbelow(6) for _ in range(6000))
    assert len(orders) == len(numbers) == 6
    assert all(abs(count - 1000) < 120 for count in (*orders.values(), *numbers.values()))


def test_secrets_have_256_bits_and_differ():
    assert {len(new_secret()) for _ in range(3)} == {32}
    assert len({new_secret() for _ in range(100)}) == 100
    with pytest.raises(ValueError, match="32 bytes"):
        RandomStream(1, "x", secret=b"short")
    assert "00010203" not in repr(CampaignRandom(1, SECRET))
