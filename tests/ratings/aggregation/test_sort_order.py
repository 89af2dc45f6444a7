"""The order of rows sorted by keys of any size."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.ratings.aggregation.rating_groups import sort_order

bounds = st.sampled_from([1, 2, 1 << 16, (1 << 16) + 1, 1 << 31, 1 << 32, 1 << 50])


@given(bounds, st.data())
def test_sort_order_equals_a_stable_argsort(bound, data):
    few = data.draw(st.lists(st.integers(0, bound - 1), min_size=1, max_size=5))
    keys = np.array(data.draw(st.lists(st.sampled_from(few), max_size=40)), np.int64)
    assert sort_order(keys, bound).tolist() == np.argsort(keys, kind="stable").tolist()
    if bound <= 1 << 31:
        assert sort_order(keys.astype(np.int32), bound).tolist() == np.argsort(keys, kind="stable").tolist()
