"""Vectorized parsing of times gives the same numbers as parsing each cell."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.formats.ratings.cell_parsing import MAX_UNIX_TIME, format_timestamps, parse_timestamp, parse_timestamps

TIMES = st.integers(0, MAX_UNIX_TIME * 1000 - 1).map(lambda milliseconds: milliseconds / 1000) | st.floats(
    0, MAX_UNIX_TIME - 1
)


@given(st.lists(TIMES, min_size=1, max_size=20))
def test_written_timestamps_are_parsed_in_bulk(times):
    cells = format_timestamps(np.array(times))
    parsed = parse_timestamps(cells)
    if parsed is not None:  # cells with an exponent are not parsed in bulk
        assert parsed.tolist() == [parse_timestamp(cell) for cell in cells]
    else:
        assert any("e" in repr(time) for time in times)


@given(st.integers(0, MAX_UNIX_TIME - 1), st.integers(1, 7), st.data())
def test_timestamps_of_equal_width_are_parsed_in_bulk(second, digits, data):
    day = np.datetime64(second, "s")
    fractions = data.draw(st.lists(st.integers(0, 10**digits - 1), min_size=1, max_size=5))
    cells = [f"{day}.{fraction:0{digits}}Z" for fraction in fractions]
    parsed = parse_timestamps(cells)
    assert parsed is not None
    assert parsed.tolist() == [parse_timestamp(cell) for cell in cells]


@pytest.mark.parametrize(
    "odd",
    ["2024-02-30T10:00:00.000Z", "2024-03-24T10:00:0٣.000Z", "2024-03-24 10:00:00.000Z", "2024-03-24T10:00:00.00\0Z",
     "2024-03-24T10:00:00.000\0", "1969-12-31T23:59:59.999Z", "2024-03-24T10:00:00.-12Z", "2024/03/24T10:00:00.000Z"],
)  # fmt: skip
def test_invalid_cell_disables_bulk_parsing(odd):
    assert len(odd) == 24
    assert parse_timestamps(["2024-03-24T10:00:00.000Z", odd]) is None
    assert parse_timestamps(["2024-03-24T10:00:00.000Z"]) is not None
