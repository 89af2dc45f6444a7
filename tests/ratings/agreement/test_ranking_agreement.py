"""WMT's kappa against published figures and a plain loop."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import ItemRole, PairRatings, PairwiseJudgement
from qe_desktop.ratings.agreement.ranking_kappa import wmt_kappa
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
    assert wmt_kappa(PairRatings.of(rows), intra=True) == wmt_kappa(PairRatings.of(other), intra=True)


def test_turned_round_pairs_compare_only_order_free():
    rows = [
        PairwiseJudgement("r1", "1", "A", "B", 1, 2),
        PairwiseJudgement("r2", "1", "B", "A", 2, 1),
        PairwiseJudgement("r2", "1", "A", "C", 2, 2),
    ]
    found = wmt_kappa(PairRatings.of(rows), intra=False)
    assert (found.agree, found.comparable, found.ties, found.total) == (1, 1, 1, 3)
    listed = wmt_kappa(PairRatings.of(rows), intra=False, as_listed=True)
    assert listed.kappa is listed.pA is None
    assert listed.problem == "No two outputs of a segment were compared twice, listed in the same order."


def test_a_marked_repeat_counts_for_the_rater_alone():
    rows = [
        PairwiseJudgement("r1", "1", "A", "B", 1, 2),
        PairwiseJudgement("r1", "1", "B", "A", 1, 2, role=ItemRole.REPEAT),
        PairwiseJudgement("r1", "2", "A", "B", 1, 1),
        PairwiseJudgement("r1", "1", "A", "B", 1, 2, role=ItemRole.BAD),
        PairwiseJudgement("r1", "1", "A", "B", 1, 2, role=ItemRole.TRAINING),
    ]
    found = wmt_kappa(PairRatings.of(rows), intra=True)
    assert (found.agree, found.comparable, found.ties, found.total) == (0, 1, 0, 2)
    assert found.kappa == pytest.approx(-1.0)
    assert wmt_kappa(PairRatings.of(rows), intra=False).comparable == 0


def test_agreement_between_raters_leaves_pairs_of_one_rater_out():
    rows = [
        PairwiseJudgement("r1", "1", "A", "B", 1, 2),
        PairwiseJudgement("r1", "1", "A", "B", 2, 1),
        PairwiseJudgement("r2", "1", "A", "B", 1, 2),
    ]
    between = wmt_kappa(PairRatings.of(rows), intra=False)
    assert (between.agree, between.comparable) == (1, 2)
    # as WMT published it, they count
    assert wmt_kappa(PairRatings.of(rows), intra=False, as_listed=True).comparable == 3


def test_one_rater_alone_has_no_agreement_between_raters():
    found = wmt_kappa(PairRatings.of([PairwiseJudgement("r1", "1", "A", "B", 1, 2)] * 2), intra=False)
    assert found.kappa is None
    assert found.problem == "No two outputs of a segment were compared by two raters."


def test_agreement_within_a_rater_is_free_of_the_order_listed():
    rows = [
        PairwiseJudgement("r1", "1", "A", "B", 1, 2),
        PairwiseJudgement("r1", "1", "B", "A", 2, 1),
        PairwiseJudgement("r1", "2", "A", "B", 1, 1),
    ]
    within = wmt_kappa(PairRatings.of(rows), intra=True)
    assert (within.agree, within.comparable, within.ties, within.total) == (1, 1, 0, 2)
    assert wmt_kappa(PairRatings.of(rows), intra=True, as_listed=True).comparable == 0


@pytest.mark.parametrize(
    ("rows", "intra", "words"),
    [
        ([], False, "No two outputs of a segment were compared by two raters."),
        ([], True, "No rater saw the same two outputs of a segment twice"),
        ([PairwiseJudgement("r", "1", "A", "A", 1, 1)] * 2, False, "No two outputs"),
        ([PairwiseJudgement(rater, "1", "A", "B", 2, 2) for rater in ("r", "s")], False, "All judgements are ties"),
        ([PairwiseJudgement("r", "1", "A", "B", 2, 2)] * 2, True, "All judgements are ties"),
        (
            [
                PairwiseJudgement("r", "1", "A", "B", 2, 2),
                PairwiseJudgement("r", "1", "A", "C", 1, 2, role=ItemRole.REPEAT),
            ],
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
        published, recomputed = known["published"][pair][kind], known["recomputed"][pair][kind]["as_shown"]
        found = wmt_kappa(pairs, intra=intra, as_listed=True)
        for name in ("agree", "comparable", "ties", "total"):
            assert getattr(found, name) == published[name]
        for name in ("pA", "pE", "kappa"):
            assert round(getattr(found, name), 3) == published[name]
        for figure, value in recomputed.items():
            assert getattr(found, figure) == pytest.approx(value, abs=6e-7)
    # the order-free oracle of all pairs has those of one rater among them
    together = known["recomputed"][pair]["inter"]["canonical"]
    between, within = (wmt_kappa(pairs, intra=intra) for intra in (False, True))
    for name in ("agree", "comparable"):
        assert getattr(between, name) + getattr(within, name) == together[name]
    assert (between.ties, between.total) == (together["ties"], together["total"])
    # pairs that a rater judged in the other order the second time, in segments that WMT's rule passes over
    assert within.comparable > known["recomputed"][pair]["intra"]["canonical"]["comparable"]


@pytest.mark.published
@pytest.mark.parametrize(("pair", "between", "within"), [("eng-ron", (339, 653), (225, 328))])
def test_order_free_counts_of_wmt16_are_those_of_a_plain_loop(data_folder, pair, between, within):
    pairs = wmt16(data_folder / "ratings" / "wmt16_rankings" / "collapsed" / f"wmt16.collapsed.{pair}.csv.gz")
    for intra, counts in ((False, between), (True, within)):
        found = wmt_kappa(pairs, intra=intra)
        assert (found.agree, found.comparable) == counts == _by_segment(pairs, intra)


def _by_segment(pairs, intra):
    """agree and comparable, each segment in a plain loop."""
    agree = comparable = 0
    names = ["+".join(sorted(unit.split("+"))) for unit in pairs.units]
    segments = {}
    for row in range(len(pairs)):
        two = names[pairs.first[row]], names[pairs.second[row]]
        first, second = int(pairs.first_rank[row]), int(pairs.second_rank[row])
        apart = (second > first) - (second < first)
        if two[0] != two[1]:
            judgement = (min(two), max(two), apart if two[0] < two[1] else -apart)
            segments.setdefault(int(pairs.segment[row]), []).append((int(pairs.rater[row]), judgement))
    for judged in segments.values():
        for (rater, one), (other_rater, other) in itertools.combinations(judged, 2):
            if (rater == other_rater) == intra and one[:2] == other[:2]:
                comparable += 1
                agree += one == other
    return agree, comparable
