"""Kendall's tau-b from rows of segments equals scipy, direct pair counts and the oracle."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from qe_desktop.metrics import SENTENCE_METRICS
from qe_desktop.metrics.correlation import GoldNumbers, SystemNumbers
from qe_desktop.metrics.kendall import concordance_rows, count_earlier_equal, count_earlier_lower

KENDALL = SENTENCE_METRICS["Kendall"]
few = st.integers(-3, 3).map(float)
many = st.floats(-1e6, 1e6, allow_nan=False)
pairs = st.lists(st.tuples(few, few), max_size=30) | st.lists(st.tuples(many, many), max_size=30)


def rows_of(system, gold):
    return concordance_rows(SystemNumbers(np.asarray(system, float), GoldNumbers(np.asarray(gold, float))))


@given(pairs)
def test_rows_equal_pair_counts_and_tau_equals_scipy(pair):
    system, gold = np.array(pair).reshape(-1, 2).T
    rows = rows_of(system, gold)
    apart = np.sign(system[:, None] - system), np.sign(gold[:, None] - gold)
    assert (rows[:, 0] == np.abs(apart[1]).sum(axis=1)).all()
    assert (rows[:, 1] == np.abs(apart[0]).sum(axis=1)).all()
    assert (rows[:, 2] == (apart[0] * apart[1]).sum(axis=1)).all()
    score = float(KENDALL.score(rows.sum(axis=0)))
    if len(set(system)) < 2 or len(set(gold)) < 2:
        assert np.isnan(score)
    else:
        assert score == pytest.approx(stats.kendalltau(system, gold).statistic, abs=1e-12)


@given(st.lists(st.integers(0, 9), max_size=40))
def test_earlier_lower_and_equal_values_are_counted(places):
    earlier = [places[:index] for index in range(len(places))]
    column = np.array(places, np.int64)
    lower = [
        sum(earlier_value < here for earlier_value in before) for before, here in zip(earlier, places, strict=True)
    ]
    assert count_earlier_lower(column).tolist() == lower
    same = [
        sum(earlier_value == here for earlier_value in before) for before, here in zip(earlier, places, strict=True)
    ]
    assert count_earlier_equal(column).tolist() == same


@given(pairs, st.randoms())
def test_segment_order_does_not_matter(pair, dice):
    shuffled = list(pair)
    dice.shuffle(shuffled)
    result = [rows_of(*np.array(pairs).reshape(-1, 2).T).sum(axis=0).tolist() for pairs in (pair, shuffled)]
    assert result[0] == result[1]


@pytest.mark.published
def test_kendall_equals_the_oracle(data_folder):
    cases = json.loads((data_folder.parent / "oracles/sentences/correlations.json").read_text())["cases"]
    for case in cases:
        score = float(KENDALL.score(rows_of(case["x"], case["y"]).sum(axis=0)))
        assert score == pytest.approx(case["kendall_b"][0], abs=1e-12)


def test_undefined_values_rank_last():
    assert KENDALL.sort_keys(np.array([np.nan, -0.5])).tolist() == [-np.inf, -0.5]
