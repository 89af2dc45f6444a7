"""WMT's kappa against published figures and a plain loop."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import ItemRole, Pair, PairRatings
from qe_desktop.ratings.agreement.ranking_agreement import wmt_kappa
from tests.ratings import naive
from tests.ratings.rankings import judgements, oracle, pairs_of, turned, wmt16


def test_known_kappa():
    known = oracle("wmt_ranking_kappa")
    pairs = pairs_of(known["rankings"])
    found = wmt_kappa(pairs, intra=False)
    assert (found.agree, found.comparable) == (known["identical"], known["comparable"])
    assert (found.ties, found.total) == (known["ties"], known["total"])
    assert found.pA == known["pA"]
    assert found.pE == pytest.approx(known["pE"], abs=6e-7)
    assert found.kappa == pytest.approx(known["kappa"], abs=6e-7)
    assert found.problem == ""


@given(judgements(), st.booleans(), st.booleans())
def test_counts_are_those_of_a_plain_loop(rows, intra, as_listed):
    found = wmt_kappa(PairRatings.of(rows), intra=intra, as_listed=as_listed)
    wanted = naive.agreement(rows, intra=intra, as_listed=as_listed)
    assert (found.agree, found.comparable, found.ties, found.total) == wanted
    assert (found.kappa is None) == bool(found.problem)
    if found.kappa is not None:
        assert found.pA == found.agree / found.comparable
        tie = found.ties / found.total
        chance = tie * tie + 2 * ((1 - tie) / 2) ** 2
        assert found.kappa == pytest.approx((found.pA - chance) / (1 - chance))


@given(judgements(), st.randoms(use_true_random=False), st.booleans(), st.booleans())
def test_order_of_rows_makes_no_difference(rows, random, intra, as_listed):
    other = list(rows)
    random.shuffle(other)
    one, two = (wmt_kappa(PairRatings.of(some), intra=intra, as_listed=as_listed) for some in (rows, other))
    assert one == two


@given(judgements(), st.lists(st.booleans(), min_size=40, max_size=40))
def test_order_free_is_free_of_the_order_listed(rows, turn):
    other = [turned(row) if yes else row for row, yes in zip(rows, turn, strict=False)]
    assert wmt_kappa(PairRatings.of(rows), intra=False) == wmt_kappa(PairRatings.of(other), intra=False)
    marked = [row._replace(role=ItemRole.REPEAT) for row in rows]
    marked_other = [row._replace(role=ItemRole.REPEAT) for row in other]
    assert wmt_kappa(PairRatings.of(marked), intra=True) == wmt_kappa(PairRatings.of(marked_other), intra=True)


def test_turned_round_pairs_compare_only_order_free():
    rows = [Pair("r1", "1", "A", "B", 1, 2), Pair("r2", "1", "B", "A", 2, 1), Pair("r2", "1", "A", "C", 2, 2)]
    found = wmt_kappa(PairRatings.of(rows), intra=False)
    assert (found.agree, found.comparable, found.ties, found.total) == (1, 1, 1, 3)
    listed = wmt_kappa(PairRatings.of(rows), intra=False, as_listed=True)
    assert listed.kappa is listed.pA is None
    assert listed.problem == "No two outputs of a segment were compared twice, listed in the same order."


def test_a_marked_repeat_counts_for_the_rater_alone():
    rows = [
        Pair("r1", "1", "A", "B", 1, 2),
        Pair("r1", "1", "B", "A", 1, 2, role=ItemRole.REPEAT),
        Pair("r1", "2", "A", "B", 1, 1),
        Pair("r1", "1", "A", "B", 1, 2, role=ItemRole.BAD),
        Pair("r1", "1", "A", "B", 1, 2, role=ItemRole.TRAINING),
    ]
    found = wmt_kappa(PairRatings.of(rows), intra=True)
    assert (found.agree, found.comparable, found.ties, found.total) == (0, 1, 0, 2)
    assert found.kappa == pytest.approx(-1.0)
    assert wmt_kappa(PairRatings.of(rows), intra=False).comparable == 0


def test_pairs_of_one_rater_count_too():
    rows = [Pair("r1", "1", "A", "B", 1, 2), Pair("r1", "1", "A", "B", 2, 1), Pair("r2", "1", "A", "B", 1, 2)]
    assert wmt_kappa(PairRatings.of(rows), intra=False).comparable == 3


@pytest.mark.parametrize(
    ("rows", "intra", "words"),
    [
        ([], False, "No two outputs of a segment were compared twice."),
        ([], True, "No rater saw the same two outputs of a segment twice"),
        ([Pair("r", "1", "A", "A", 1, 1)] * 2, False, "No two outputs"),
        ([Pair("r", "1", "A", "B", 2, 2)] * 2, False, "All judgements are ties"),
        ([Pair("r", "1", "A", "B", 2, 2)] * 2, True, "All judgements are ties"),
        (
            [Pair("r", "1", "A", "B", 2, 2), Pair("r", "1", "A", "C", 1, 2, role=ItemRole.REPEAT)],
            True,
            "Raters saw segments again, but never the same two outputs.",
        ),
    ],
)
def test_undefined_agreement_is_said(rows, intra, words):
    found = wmt_kappa(PairRatings.of(rows), intra=intra)
    assert found.kappa is None
    assert found.problem.startswith(words)


@pytest.mark.published
@pytest.mark.parametrize("pair", ["deu-eng", "eng-ron", "tur-eng"])
def test_published_kappas_of_wmt16(data_folder, pair):
    known = json.loads((data_folder.parent / "oracles" / "ratings" / "wmt16_kappa_real.json").read_text())
    pairs = wmt16(data_folder / "ratings" / "wmt16_rankings" / "collapsed" / f"wmt16.collapsed.{pair}.csv.gz")
    for kind, intra in (("inter", False), ("intra", True)):
        published = known["published"][pair][kind]
        found = wmt_kappa(pairs, intra=intra, as_listed=True)
        for name in ("agree", "comparable", "ties", "total"):
            assert getattr(found, name) == published[name]
        for name in ("pA", "pE", "kappa"):
            assert round(getattr(found, name), 3) == published[name]
        for name, as_listed in (("as_shown", True), ("canonical", False)):
            found = wmt_kappa(pairs, intra=intra, as_listed=as_listed)
            for figure, value in known["recomputed"][pair][kind][name].items():
                assert getattr(found, figure) == pytest.approx(value, abs=6e-7)
