from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus.translation_job import values_of
from qe_desktop.project.review.review_log import SegmentBlocks

segments = st.sampled_from([0, 1, 1023, 1024, 1025, 5000, 10**6])
changes = st.dictionaries(segments, st.one_of(st.none(), st.sampled_from("abc")))


@given(steps=st.lists(changes, max_size=8))
def test_blocks_behave_like_a_dict_and_earlier_versions_stay_unchanged(steps: list[dict[int, str | None]]) -> None:
    plain: dict[int, str] = {}
    versions: list[tuple[SegmentBlocks[str], dict[int, str]]] = [(SegmentBlocks(), {})]
    for step in steps:
        for segment, value in step.items():
            plain.pop(segment, None)
            if value is not None:
                plain[segment] = value
        versions.append((versions[-1][0].with_changes(step), dict(plain)))
    for blocks, expected in versions:
        assert blocks == expected
        assert len(blocks) == len(expected)
        assert sorted(blocks) == sorted(expected)
        assert [blocks.get(segment, "?") for segment in range(1026)] == [expected.get(n, "?") for n in range(1026)]
        assert all((segment in blocks) == (segment in expected) for segment in (0, 1, 1024, 7, 10**6))


def test_equal_values_return_the_same_object_and_other_blocks_are_shared() -> None:
    blocks = SegmentBlocks[str]().with_changes({0: "a", 5000: "b"})
    assert blocks.with_changes({0: "a", 7: None, 9999: None}) is blocks
    changed = blocks.with_changes({1: "c"})
    assert changed._blocks[5000 >> 10] is blocks._blocks[5000 >> 10]


@pytest.mark.parametrize("wanted", [[5], [*range(0, 5000, 2)], []])
def test_values_of_segments_are_read_together(wanted):
    values = SegmentBlocks().with_changes({segment: str(segment) for segment in range(0, 4000, 3)})
    assert values.values_of(wanted) == [values.get(segment) for segment in wanted]
    assert values_of(dict(values), wanted) == values_of(values, wanted) == values.values_of(wanted)
