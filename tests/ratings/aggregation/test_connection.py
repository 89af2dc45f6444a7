"""What judgements connect, and how it is said."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from qe_desktop.ratings.aggregation.bradley_terry import disconnected_note, equivalence_classes, name_list, reachability

GRAPHS = st.integers(0, 9).flatmap(lambda size: arrays(bool, (size, size)))


@given(GRAPHS)
def test_reachable_is_what_a_walk_reaches(edges):
    found = reachability(edges)
    for start in range(len(edges)):
        reached, to_visit = {start}, [start]
        while to_visit:
            for end in np.flatnonzero(edges[to_visit.pop()]).tolist():
                if end not in reached:
                    reached.add(end)
                    to_visit.append(end)
        assert set(np.flatnonzero(found[start]).tolist()) == reached


@given(GRAPHS)
def test_groups_hold_every_system_once(edges):
    reach = reachability(edges)
    found = equivalence_classes(reach & reach.T)
    assert sorted(place for places in found for place in places.tolist()) == list(range(len(edges)))
    assert [len(places) for places in found] == sorted((len(places) for places in found), reverse=True)


def test_names_in_a_sentence():
    assert [name_list("ABC"[:count]) for count in range(4)] == ["", "A", "A and B", "A, B and C"]
    assert name_list([str(n) for n in range(9)]) == "0, 1, 2, 3, 4, 5, 6, 7 and 1 other"
    assert name_list([str(n) for n in range(1010)]).endswith("7 and 1,002 others")


def test_what_is_apart_is_said():
    assert disconnected_note("", np.zeros((0, 0), bool)) == ""
    assert disconnected_note("AB", np.zeros((2, 2), bool)) == "No two systems were compared."
    assert disconnected_note("AB", np.ones((2, 2), bool)) == ""
    chain = np.zeros((4, 4), bool)
    chain[[0, 1], [1, 0]] = True
    said = disconnected_note("ABCD", chain, without_ties=True)
    assert said == "C and D were never compared with another system, ignoring ties."
