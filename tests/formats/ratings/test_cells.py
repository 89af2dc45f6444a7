"""Moments read a column at once are the very numbers that reading them one by one gives."""

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
def test_columns_as_we_write_them(times):
    cells = format_timestamps(np.array(times))
    found = parse_timestamps(cells)
    if found is not None:  # where one has an exponent, all are read one by one
        assert found.tolist() == [parse_timestamp(cell) for cell in cells]
    else:
        assert any("e" in repr(time) for time in times)


@given(st.integers(0, MAX_UNIX_TIME - 1), st.integers(1, 7), st.data())
def test_columns_of_one_width(second, digits, data):
    day = np.datetime64(second, "s")
    fractions = data.draw(st.lists(st.integers(0, 10**digits - 1), min_size=1, max_size=5))
    cells = [f"{day}.{fraction:0{digits}}Z" for fraction in fractions]
    found = parse_timestamps(cells)
    assert found is not None
    assert found.tolist() == [parse_timestamp(cell) for cell in cells]


@pytest.mark.parametrize(
    "odd",
    ["2024-02-30T10:00:00.000Z", "2024-03-24T10:00:0٣.000Z", "2024-03-24 10:00:00.000Z", "2024-03-24T10:00:00.00\0Z",
     "2024-03-24T10:00:00.000\0", "1969-12-31T23:59:59.999Z", "2024-03-24T10:00:00.-12Z", "2024/03/24T10:00:00.000Z"],
)  # fmt: skip
def test_one_odd_cell_leaves_all_to_be_read_one_by_one(odd):
    assert len(odd) == 24
    assert parse_timestamps(["2024-03-24T10:00:00.000Z", odd]) is None
    assert parse_timestamps(["2024-03-24T10:00:00.000Z"]) is not None
