"""Selection of the systems that are compared on a screen."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.ratings.assignment.random_stream import RandomStream
from qe_desktop.ratings.assignment.rater_plan import UnitChooser


def count_shown_and_pairs(systems: int, screens: list[list[int]]) -> tuple[np.ndarray, list[int]]:
    """Return how often each system was shown and how often each pair was compared."""
    pairs = np.zeros((systems, systems), int)
    for shown in screens:
        for first, second in combinations(sorted(shown), 2):
            pairs[first, second] += 1
    return np.bincount(np.concatenate(screens), minlength=systems), pairs[np.triu_indices(systems, 1)].tolist()


@given(st.integers(2, 14), st.integers(2, 5), st.integers(1, 120), st.integers(0, 99))
def test_systems_are_selected_equally_often_and_pairs_nearly_so(systems, per_screen, screens, seed):
    chooser = UnitChooser(systems, per_screen, RandomStream(seed, "x"))
    units = [(index,) for index in range(systems)]
    chosen = [chooser.choose(units) for _ in range(screens)]
    assert all(len(set(shown)) == len(shown) == min(systems, per_screen) for shown in chosen)
    shown, pairs = count_shown_and_pairs(systems, chosen)
    assert max(shown) - min(shown) <= 1
    expected = sum(pairs) / len(pairs)
    # if a screen shows half of the systems, the next one shows the other half, so that few pairs can be chosen
    assert max(pairs) - min(pairs) <= 6 + 0.15 * expected
    assert chooser.counts == list(shown)


def test_pairs_of_wmt_sized_rankings_are_balanced():
    chooser = UnitChooser(13, 5, RandomStream(1, "x"))
    shown, pairs = count_shown_and_pairs(13, [chooser.choose([(index,) for index in range(13)]) for _ in range(1000)])
    assert max(shown) - min(shown) <= 1
    # by random selection, counts of about 128 per pair would differ by about 50
    assert max(pairs) - min(pairs) <= 8


def test_each_rater_sees_every_system_equally_often():
    chooser = UnitChooser(7, 3, RandomStream(2, "x"))
    units = [(index,) for index in range(7)]
    common = [chooser.choose(units) for _ in range(5)]
    counts = chooser.counts
    for _ in range(4):
        chooser.begin(counts)
        own = [chooser.choose(units) for _ in range(9)]
        shown, _pairs = count_shown_and_pairs(7, [*common, *own])
        assert max(shown) - min(shown) <= 1


def test_systems_with_identical_outputs_are_selected_together():
    chooser = UnitChooser(6, 2, RandomStream(1, "x"))
    units = [(0, 1, 2), (3,), (4, 5)]
    for _ in range(30):
        assert len(chooser.choose(units)) == 2
    counts = chooser.counts
    assert counts[0] == counts[1] == counts[2]
    assert counts[4] == counts[5]
    assert max(counts) - min(counts) <= 1
