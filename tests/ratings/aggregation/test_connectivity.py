"""Which systems are connected by judgements, and the note on those that are not."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from qe_desktop.ratings.aggregation.bradley_terry import disconnected_note, equivalence_classes, name_list, reachability

GRAPHS = st.integers(0, 9).flatmap(lambda size: arrays(bool, (size, size)))


@given(GRAPHS)
def test_reachability_equals_a_graph_traversal(edges):
    reachable = reachability(edges)
    for start in range(len(edges)):
        reached, to_visit = {start}, [start]
        while to_visit:
            for end in np.flatnonzero(edges[to_visit.pop()]).tolist():
                if end not in reached:
                    reached.add(end)
                    to_visit.append(end)
        assert set(np.flatnonzero(reachable[start]).tolist()) == reached


@given(GRAPHS)
def test_equivalence_classes_contain_every_system_once_largest_first(edges):
    reach = reachability(edges)
    classes = equivalence_classes(reach & reach.T)
    assert sorted(index for members in classes for index in members.tolist()) == list(range(len(edges)))
    assert [len(members) for members in classes] == sorted((len(members) for members in classes), reverse=True)


def test_long_lists_of_names_are_shortened():
    assert [name_list("ABC"[:count]) for count in range(4)] == ["", "A", "A and B", "A, B and C"]
    assert name_list([str(n) for n in range(9)]) == "0, 1, 2, 3, 4, 5, 6, 7 and 1 other"
    assert name_list([str(n) for n in range(1010)]).endswith("7 and 1,002 others")


def test_note_names_disconnected_systems():
    assert disconnected_note("", np.zeros((0, 0), bool)) == ""
    assert disconnected_note("AB", np.zeros((2, 2), bool)) == "No two systems were compared."
    assert disconnected_note("AB", np.ones((2, 2), bool)) == ""
    chain = np.zeros((4, 4), bool)
    chain[[0, 1], [1, 0]] = True
    note = disconnected_note("ABCD", chain, without_ties=True)
    assert note == "Apart from ties, C and D were never compared with another system."
