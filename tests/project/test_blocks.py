from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.project.review.block_map import SegmentBlocks

segments = st.sampled_from([0, 1, 1023, 1024, 1025, 5000, 10**6])
changes = st.dictionaries(segments, st.one_of(st.none(), st.sampled_from("abc")))


@given(steps=st.lists(changes, max_size=8))
def test_it_holds_what_a_dictionary_would_and_earlier_ones_stay(steps: list[dict[int, str | None]]) -> None:
    plain: dict[int, str] = {}
    held: list[tuple[SegmentBlocks[str], dict[int, str]]] = [(SegmentBlocks(), {})]
    for step in steps:
        for segment, value in step.items():
            plain.pop(segment, None)
            if value is not None:
                plain[segment] = value
        held.append((held[-1][0].changed(step), dict(plain)))
    for one, expected in held:
        assert one == expected
        assert len(one) == len(expected)
        assert sorted(one) == sorted(expected)
        assert [one.get(segment, "?") for segment in range(1026)] == [expected.get(n, "?") for n in range(1026)]
        assert all((segment in one) == (segment in expected) for segment in (0, 1, 1024, 7, 10**6))


def test_where_nothing_differs_it_is_the_same_and_other_blocks_are_shared() -> None:
    one = SegmentBlocks[str]().changed({0: "a", 5000: "b"})
    assert one.changed({0: "a", 7: None, 9999: None}) is one
    other = one.changed({1: "c"})
    assert other._blocks[5000 >> 10] is one._blocks[5000 >> 10]
