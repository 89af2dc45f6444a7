"""Columns in exact form."""

from __future__ import annotations

import numpy as np

from qe_desktop.significance.exact_columns import exact_columns


def test_no_units_at_all_are_columns_too() -> None:
    columns = exact_columns([np.zeros((3, 0)), np.zeros((3, 0))])
    assert columns.matrix.shape == (6, 0)
    assert columns.combine(np.zeros((6, 4))).shape == (2, 3, 4)
