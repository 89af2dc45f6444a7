"""Counts and shares of wins against published results, known counts and a plain loop."""

from __future__ import annotations

import csv
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import ItemRole, PairRatings, PairwiseJudgement
from qe_desktop.ratings.aggregation.win_rates import (
    WinTable,
    at_least_as_good,
    count_wins,
    expected_wins,
    half_tie_wins,
    ignoring_ties,
    sign_test,
    sign_tests,
    strictly_better,
)
from tests.ratings import naive_ranking_statistics
from tests.ratings.rankings import judgement_lists, load_expected, make_pairs, read_wmt16, swap_systems

SHARES = {
    "at_least_as_good_wmt08_11": at_least_as_good,
    "strictly_better": strictly_better,
    "ignoring_ties_bojar2011": ignoring_ties,
    "half_ties": half_tie_wins,
    "expected_wins_wmt13": expected_wins,
    "expected_wins_keisks_missing_pairs_as_zero": lambda table: expected_wins(table, "zero"),
}


def test_counts_of_rankings():
    known = load_expected("ranking_wins")
    table = count_wins(make_pairs(known["rankings"]))
    assert table.systems == tuple(known["systems"])
    assert table.wins.tolist() == known["win_matrix"]
    assert table.ties.tolist() == known["tie_matrix"]
    assert table.comparisons == known["n_pairwise"]
    assert table.undecided_pairs() == ()


@pytest.mark.parametrize("name", SHARES)
def test_shares_of_wins(name):
    known = load_expected("ranking_wins")
    table = count_wins(make_pairs(known["rankings"]))
    shares = dict(zip(table.systems, SHARES[name](table).tolist(), strict=True))
    assert shares == pytest.approx(known[name], abs=5e-7)


def test_sign_tests_of_all_pairs():
    known = load_expected("ranking_wins")
    table = count_wins(make_pairs(known["rankings"]))
    p = sign_tests(table)
    assert np.isnan(p.diagonal()).all()
    for pair, row in known["sign_test_two_sided"].items():
        first, second = (table.systems.index(name) for name in pair.split("-"))
        assert (table.wins[first, second], table.wins[second, first]) == (row["wins"], row["losses"])
        assert table.ties[first, second] == row["ties"]
        assert p[first, second] == p[second, first] == pytest.approx(row["p"], abs=6e-7)


@given(st.integers(0, 400), st.integers(0, 400))
def test_sign_test_equals_the_exact_binomial_test(wins, losses):
    p_value = float(sign_test(wins, losses))
    decided = wins + losses
    if decided == 0:
        assert math.isnan(p_value)
        return
    tail = sum(math.comb(decided, k) for k in range(min(wins, losses) + 1))
    assert p_value == pytest.approx(min(1.0, 2 * tail / 2**decided), rel=1e-9)


def test_undecided_pairs_are_left_out_or_count_as_zero():
    table = WinTable(
        ("A", "B", "C"),
        np.asarray([[0, 3, 0], [1, 0, 2], [0, 2, 0]]),
        np.asarray([[0, 0, 4], [0, 0, 0], [4, 0, 0]]),
    )
    assert table.undecided_pairs() == (("A", "C"),)
    assert expected_wins(table).tolist() == [0.75, (0.25 + 0.5) / 2, 0.5]
    assert expected_wins(table, "zero").tolist() == [0.375, (0.25 + 0.5) / 2, 0.25]
    assert np.isnan(sign_tests(table)[0, 2])


def test_missing_comparisons_are_nan_without_a_warning():
    table = count_wins(
        PairRatings.of([PairwiseJudgement("r", "1", "A", "B", 1, 1), PairwiseJudgement("r", "1", "C", "C", 1, 1)])
    )
    assert table.systems == ("A", "B", "C")
    assert np.isnan(ignoring_ties(table)).all()
    assert np.isnan(expected_wins(table)).all()
    assert at_least_as_good(table).tolist()[:2] == [1.0, 1.0]
    assert np.isnan(at_least_as_good(table)[2])
    empty = count_wins(PairRatings.of([]))
    assert empty.systems == ()
    assert empty.comparisons == 0
    assert [len(share(empty)) for share in SHARES.values()] == [0] * len(SHARES)


def test_identical_outputs_count_for_each_system_and_tie_once_per_screen():
    rows = [
        PairwiseJudgement("r", "1", "A+B", "C", 1, 2, "x"),
        PairwiseJudgement("r", "1", "A+B", "D", 1, 1, "x"),
        PairwiseJudgement("r", "1", "C", "D", 2, 1, "x"),
        PairwiseJudgement("r", "1", "A+B", "C", 2, 1, "y", ItemRole.REPEAT),
    ]
    table = count_wins(PairRatings.of(rows))
    index = {name: position for position, name in enumerate(table.systems)}
    assert {(a, b): n for a in index for b in index if (n := int(table.wins[index[a], index[b]]))} == {
        ("A", "C"): 1, ("B", "C"): 1, ("D", "C"): 1,
    }  # fmt: skip
    assert {(a, b): n for a in index for b in index if a < b and (n := int(table.ties[index[a], index[b]]))} == {
        ("A", "B"): 1, ("A", "D"): 1, ("B", "D"): 1,
    }  # fmt: skip


@given(judgement_lists())
def test_table_equals_a_plain_loop(rows):
    table = count_wins(PairRatings.of(rows))
    expected = naive_ranking_statistics.outcomes(rows)
    for kind, counts in (("wins", table.wins), ("ties", table.ties)):
        nonzero = {
            (kind, table.systems[first], table.systems[second]): int(counts[first, second])
            for first, second in np.argwhere(counts).tolist()
        }
        assert nonzero == {cell: count for cell, count in expected.items() if cell[0] == kind}


@given(judgement_lists(), st.randoms(use_true_random=False))
def test_order_of_rows_and_of_pairs_does_not_matter(rows, random):
    shuffled = [swap_systems(row) if random.random() < 0.5 else row for row in rows]
    random.shuffle(shuffled)
    first, second = count_wins(PairRatings.of(rows)), count_wins(PairRatings.of(shuffled))
    assert sorted(first.systems) == sorted(second.systems)
    order = [second.systems.index(name) for name in first.systems]
    assert np.array_equal(first.wins, second.wins[np.ix_(order, order)])
    assert np.array_equal(first.ties, second.ties[np.ix_(order, order)])


@pytest.mark.published
@pytest.mark.parametrize("pair", ["deu-eng", "eng-ron", "tur-eng"])
def test_counts_and_expected_wins_of_wmt16(data_folder, pair):
    known = json.loads(
        (data_folder.parent / "oracles" / "ratings" / "wmt16_trueskill_expectedwins_real.json").read_text()
    )
    known = known["language_pairs"][pair]
    folder = data_folder / "ratings" / "wmt16_rankings"
    table = count_wins(read_wmt16(folder / "pairwise" / f"wmt16.{pair}.csv.gz"))
    assert table.comparisons == known["comparisons"]
    index = {name: position for position, name in enumerate(table.systems)}
    for first, second, wins, ties, losses in known["pair_counts"]:
        cell = index[first], index[second]
        assert (table.wins[cell], table.ties[cell], table.wins[cell[::-1]]) == (wins, ties, losses)
    wins_by_system = dict(zip(table.systems, expected_wins(table).tolist(), strict=True))
    assert wins_by_system == pytest.approx(known["expected_wins"], abs=6e-7)


@pytest.mark.published
@pytest.mark.parametrize("pair", ["eng-ron", "tur-eng", "eng-tur"])
def test_collapsed_judgements_expand_to_the_pairwise_ones(data_folder, pair):
    folder = data_folder / "ratings" / "wmt16_rankings"
    pairwise = count_wins(read_wmt16(folder / "pairwise" / f"wmt16.{pair}.csv.gz"))
    collapsed = count_wins(read_wmt16(folder / "collapsed" / f"wmt16.collapsed.{pair}.csv.gz"))
    order = [collapsed.systems.index(name) for name in pairwise.systems]
    assert np.array_equal(pairwise.wins, collapsed.wins[np.ix_(order, order)])
    assert np.array_equal(pairwise.ties, collapsed.ties[np.ix_(order, order)])


@pytest.mark.published
def test_preferences_between_two_systems(data_folder):
    folder = data_folder / "ratings" / "mt_parity_ranking_docs_vs_sents"
    known = json.loads((data_folder.parent / "oracles" / "ratings" / "mt_parity_real.json").read_text())["data"]
    with (folder / "results.csv").open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if "spam" not in (row["A_origin"], row["B_origin"])]
    for name, expected in known.items():
        level, contest, question = name.split("|")
        first, second = contest.split("_vs_")
        pairs = []
        for row in rows:
            if row["level"] != level or {row["A_origin"], row["B_origin"]} != {first, second}:
                continue
            for rater in ("rater1", "rater2"):
                choice = row[f"{question}_{rater}"]
                ranks = {"tie": (1, 1), row["A_origin"]: (1, 2), row["B_origin"]: (2, 1)}[choice]
                pairs.append(
                    PairwiseJudgement(
                        rater, f"{row['file_id']}:{row['file_order']}", row["A_origin"], row["B_origin"], *ranks
                    )
                )
        table = count_wins(PairRatings.of(pairs))
        a, b = table.systems.index(first), table.systems.index(second)
        assert (table.wins[a, b], table.wins[b, a]) == (expected["first"], expected["second"])
        assert table.ties[a, b] == expected["tie"]
        assert sign_tests(table)[a, b] == pytest.approx(expected["sign_test_ignoring_ties"], rel=1e-5)
