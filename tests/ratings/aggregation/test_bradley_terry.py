"""Bradley–Terry strengths: known values, the condition of a maximum, and tables without a solution."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse.csgraph import connected_components

from qe_desktop.ratings.aggregation.bradley_terry import fit_bradley_terry
from qe_desktop.ratings.aggregation.win_rates import WinTable, count_wins
from tests.ratings.rankings import load_expected, make_pairs


def table_of(wins, ties=None) -> WinTable:
    wins = np.asarray(wins, np.int64)
    ties = np.zeros_like(wins) if ties is None else np.asarray(ties, np.int64)
    return WinTable(tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(wins)]), wins, ties)


def win_probabilities(strengths):
    """Probability that the system of the row beats that of the column."""
    return 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))


@pytest.mark.parametrize(("ties", "name"), [("drop", "theta_mle"), ("half", "theta_half_ties")])
def test_strengths_equal_known_values(ties, name):
    known = load_expected("bradley_terry")
    table = count_wins(make_pairs(load_expected("ranking_wins")["rankings"]))
    assert table.wins.tolist() == known["win_matrix"]
    fit = fit_bradley_terry(table, ties)
    assert fit.problem == ""
    assert dict(zip(fit.systems, fit.strengths.tolist(), strict=True)) == pytest.approx(known[name], abs=6e-7)


def test_win_probabilities_equal_known_values():
    known = load_expected("bradley_terry")
    fit = fit_bradley_terry(table_of(known["win_matrix"]))
    probabilities = dict(zip(fit.systems, win_probabilities(fit.strengths)[0].tolist(), strict=True))
    assert probabilities == pytest.approx({"A": 0.5} | known["prob_A_beats"], abs=6e-7)


def test_system_without_comparisons_is_reported():
    fit = fit_bradley_terry(table_of(load_expected("bradley_terry")["disconnected_case"]["wins"]))
    assert fit.strengths is None
    assert "C was never compared with another system." in fit.problem


def test_unconnected_groups_are_reported():
    wins = np.zeros((5, 5), np.int64)
    wins[0, 1] = wins[1, 0] = wins[2, 3] = wins[3, 2] = 2
    fit = fit_bradley_terry(table_of(wins))
    assert fit.strengths is None
    assert "E was never compared with another system." in fit.problem
    assert "These groups were not compared with each other: A and B; C and D." in fit.problem


def test_systems_that_never_lose_or_never_win_are_reported():
    fit = fit_bradley_terry(table_of(load_expected("bradley_terry")["always_wins_case"]["wins"]))
    assert fit.strengths is None
    assert fit.problem == "A never lost to any other system. Some differences in strength would be infinite."
    chain = fit_bradley_terry(table_of([[0, 2, 3, 1], [0, 0, 2, 0], [0, 1, 0, 0], [0, 2, 0, 0]]))
    assert chain.problem.startswith("A never lost to any other system. B and C never won against a system outs")


def test_ties_as_half_wins_connect_systems():
    wins, ties = [[0, 3, 0], [1, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 2], [0, 2, 0]]
    dropped = fit_bradley_terry(table_of(wins, ties))
    assert dropped.strengths is None
    assert "Apart from ties, C was never compared with another system." in dropped.problem
    halved = fit_bradley_terry(table_of(wins, ties), "half")
    assert halved.problem == ""
    assert halved.strengths[1] == pytest.approx(halved.strengths[2], abs=1e-12)


@pytest.mark.parametrize(
    ("wins", "ties", "words"),
    [
        (np.zeros((0, 0)), None, "At least two systems"),
        (np.zeros((1, 1)), None, "At least two systems"),
        (np.zeros((2, 2)), None, "No system was judged"),
        (np.zeros((2, 2)), [[0, 5], [5, 0]], "No system was judged"),
    ],
)
def test_table_without_decisions_is_reported(wins, ties, words):
    fit = fit_bradley_terry(table_of(wins, ties))
    assert fit.strengths is None
    assert words in fit.problem


TABLES = st.integers(2, 7).flatmap(
    lambda size: st.tuples(
        arrays(np.int64, (size, size), elements=st.one_of(st.just(0), st.integers(0, 9), st.integers(0, 10**6))),
        arrays(np.int64, (size, size), elements=st.integers(0, 3)),
    )
)


@given(TABLES, st.sampled_from(["drop", "half"]))
def test_expected_wins_equal_observed_wins(tables, ties):
    wins, tied = tables
    np.fill_diagonal(wins, 0)
    tied = np.triu(tied, 1)
    tied += tied.T
    counted = wins + (tied / 2 if ties == "half" else 0)
    fit = fit_bradley_terry(table_of(wins, tied), ties)
    parts = connected_components(counted > 0, directed=True, connection="strong")[0]
    assert (fit.strengths is None) == (parts > 1) == bool(fit.problem)
    assume(parts == 1)
    assert abs(fit.strengths.sum()) < 1e-9
    # the likelihood is maximal exactly where the expected wins of every system equal its wins
    expected = ((counted + counted.T) * win_probabilities(fit.strengths)).sum(1)
    assert expected == pytest.approx(counted.sum(1), rel=1e-7, abs=1e-6)


@given(TABLES)
def test_relabelled_systems_keep_their_strengths(tables):
    wins = tables[0] + 1
    np.fill_diagonal(wins, 0)
    order = np.random.default_rng(1).permutation(len(wins))
    first, second = fit_bradley_terry(table_of(wins)), fit_bradley_terry(table_of(wins[np.ix_(order, order)]))
    assert second.strengths == pytest.approx(first.strengths[order], abs=1e-7)


def test_cycle_closed_by_single_wins_among_huge_counts_converges():
    """The curvature spans many powers of ten: Newton's step once met a singular matrix or ended elsewhere."""
    for many, ring, few in ((67_517, 54, 3), (33_759, 52, 1)):
        wins = np.zeros((7, 7), np.int64)
        for winner, loser, count in (
            (0, 1, 145), (1, 5, many), (2, 4, 1), (3, 5, 17), (3, 6, 2), (4, 6, 1), (5, 2, 1), (6, 0, ring),
            (6, 3, few),
        ):  # fmt: skip
            wins[winner, loser] = count
        fit = fit_bradley_terry(table_of(wins, np.zeros_like(wins)), "drop")
        expected = ((wins + wins.T) * win_probabilities(fit.strengths)).sum(1)
        assert expected == pytest.approx(wins.sum(1), rel=1e-9)
