"""Exact representation of columns."""

from __future__ import annotations

import numpy as np

from qe_desktop.significance.exact_columns import exact_columns


def test_exact_columns_without_units() -> None:
    columns = exact_columns([np.zeros((3, 0)), np.zeros((3, 0))])
    assert columns.matrix.shape == (6, 0)
    assert columns.combine(np.zeros((6, 4))).shape == (2, 3, 4)
