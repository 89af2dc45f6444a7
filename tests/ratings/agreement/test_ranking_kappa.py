"""WMT's kappa of rankings against published results and a plain loop."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import ItemRole, PairRatings, PairwiseJudgement
from qe_desktop.ratings.agreement.ranking_kappa import wmt_kappa
from tests.ratings import naive_ranking_statistics
from tests.ratings.rankings import judgement_lists, load_expected, make_pairs, read_wmt16, swap_systems


def test_kappa_equals_the_known_value():
    known = load_expected("wmt_ranking_kappa")
    pairs = make_pairs(known["rankings"])
    result = wmt_kappa(pairs, intra=False)
    assert (result.agree, result.comparable) == (known["identical"], known["comparable"])
    assert (result.ties, result.total) == (known["ties"], known["total"])
    assert result.pA == known["pA"]
    assert result.pE == pytest.approx(known["pE"], abs=6e-7)
    assert result.kappa == pytest.approx(known["kappa"], abs=6e-7)
    assert result.problem == ""


@given(judgement_lists(), st.booleans(), st.booleans())
def test_counts_equal_a_plain_loop(rows, intra, as_listed):
    result = wmt_kappa(PairRatings.of(rows), intra=intra, as_listed=as_listed)
    expected = naive_ranking_statistics.agreement(rows, intra=intra, as_listed=as_listed)
    assert (result.agree, result.comparable, result.ties, result.total) == expected
    assert (result.kappa is None) == bool(result.problem)
    if result.kappa is not None:
        assert result.pA == result.agree / result.comparable
        tie = result.ties / result.total
        chance = tie * tie + 2 * ((1 - tie) / 2) ** 2
        assert result.kappa == pytest.approx((result.pA - chance) / (1 - chance))


@given(judgement_lists(), st.randoms(use_true_random=False), st.booleans(), st.booleans())
def test_order_of_rows_does_not_matter(rows, random, intra, as_listed):
    shuffled = list(rows)
    random.shuffle(shuffled)
    first, second = (wmt_kappa(PairRatings.of(part), intra=intra, as_listed=as_listed) for part in (rows, shuffled))
    assert first == second


@given(judgement_lists(), st.lists(st.booleans(), min_size=40, max_size=40))
def test_order_within_pairs_does_not_matter_by_default(rows, turn):
    reversed_rows = [swap_systems(row) if reverse else row for row, reverse in zip(rows, turn, strict=False)]
    assert wmt_kappa(PairRatings.of(rows), intra=False) == wmt_kappa(PairRatings.of(reversed_rows), intra=False)
    assert wmt_kappa(PairRatings.of(rows), intra=True) == wmt_kappa(PairRatings.of(reversed_rows), intra=True)


def test_reversed_pairs_are_comparable_unless_as_listed():
    rows = [
        PairwiseJudgement("r1", "1", "A", "B", 1, 2),
        PairwiseJudgement("r2", "1", "B", "A", 2, 1),
        PairwiseJudgement("r2", "1", "A", "C", 2, 2),
    ]
    result = wmt_kappa(PairRatings.of(rows), intra=False)
    assert (result.agree, result.comparable, result.ties, result.total) == (1, 1, 1, 3)
    listed = wmt_kappa(PairRatings.of(rows), intra=False, as_listed=True)
    assert listed.kappa is listed.pA is None
    assert listed.problem == "No two outputs of a segment were compared twice in the same order."


def test_repeats_count_only_for_intra_rater_agreement():
    rows = [
        PairwiseJudgement("r1", "1", "A", "B", 1, 2),
        PairwiseJudgement("r1", "1", "B", "A", 1, 2, role=ItemRole.REPEAT),
        PairwiseJudgement("r1", "2", "A", "B", 1, 1),
        PairwiseJudgement("r1", "1", "A", "B", 1, 2, role=ItemRole.BAD),
        PairwiseJudgement("r1", "1", "A", "B", 1, 2, role=ItemRole.TRAINING),
    ]
    result = wmt_kappa(PairRatings.of(rows), intra=True)
    assert (result.agree, result.comparable, result.ties, result.total) == (0, 1, 0, 2)
    assert result.kappa == pytest.approx(-1.0)
    assert wmt_kappa(PairRatings.of(rows), intra=False).comparable == 0


def test_inter_rater_agreement_excludes_pairs_of_one_rater():
    rows = [
        PairwiseJudgement("r1", "1", "A", "B", 1, 2),
        PairwiseJudgement("r1", "1", "A", "B", 2, 1),
        PairwiseJudgement("r2", "1", "A", "B", 1, 2),
    ]
    between = wmt_kappa(PairRatings.of(rows), intra=False)
    assert (between.agree, between.comparable) == (1, 2)
    # in the variant that WMT published, they count
    assert wmt_kappa(PairRatings.of(rows), intra=False, as_listed=True).comparable == 3


def test_single_rater_has_no_inter_rater_agreement():
    result = wmt_kappa(PairRatings.of([PairwiseJudgement("r1", "1", "A", "B", 1, 2)] * 2), intra=False)
    assert result.kappa is None
    assert result.problem == "No two outputs of a segment were compared by two raters."


def test_intra_rater_agreement_ignores_the_order_within_pairs():
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
def test_undefined_agreement_is_reported(rows, intra, words):
    result = wmt_kappa(PairRatings.of(rows), intra=intra)
    assert result.kappa is None
    assert result.problem.startswith(words)


@pytest.mark.published
@pytest.mark.parametrize("pair", ["deu-eng", "eng-ron", "tur-eng"])
def test_published_kappas_of_wmt16(data_folder, pair):
    known = json.loads((data_folder.parent / "oracles" / "ratings" / "wmt16_kappa_real.json").read_text())
    pairs = read_wmt16(data_folder / "ratings" / "wmt16_rankings" / "collapsed" / f"wmt16.collapsed.{pair}.csv.gz")
    for kind, intra in (("inter", False), ("intra", True)):
        published, recomputed = known["published"][pair][kind], known["recomputed"][pair][kind]["as_shown"]
        result = wmt_kappa(pairs, intra=intra, as_listed=True)
        for name in ("agree", "comparable", "ties", "total"):
            assert getattr(result, name) == published[name]
        for name in ("pA", "pE", "kappa"):
            assert round(getattr(result, name), 3) == published[name]
        for figure, value in recomputed.items():
            assert getattr(result, figure) == pytest.approx(value, abs=6e-7)
    # the order-independent oracle counts the pairs of one rater, too
    together = known["recomputed"][pair]["inter"]["canonical"]
    between, within = (wmt_kappa(pairs, intra=intra) for intra in (False, True))
    for name in ("agree", "comparable"):
        assert getattr(between, name) + getattr(within, name) == together[name]
    assert (between.ties, between.total) == (together["ties"], together["total"])
    # pairs that a rater judged again in the other order, in segments that the rule of WMT skips
    assert within.comparable > known["recomputed"][pair]["intra"]["canonical"]["comparable"]


@pytest.mark.published
@pytest.mark.parametrize(("pair", "between", "within"), [("eng-ron", (339, 653), (225, 328))])
def test_order_independent_counts_of_wmt16_equal_a_plain_loop(data_folder, pair, between, within):
    pairs = read_wmt16(data_folder / "ratings" / "wmt16_rankings" / "collapsed" / f"wmt16.collapsed.{pair}.csv.gz")
    for intra, counts in ((False, between), (True, within)):
        result = wmt_kappa(pairs, intra=intra)
        assert (result.agree, result.comparable) == counts == _by_segment(pairs, intra)


def _by_segment(pairs, intra):
    """Return the numbers of agreeing and comparable pairs, counted by segment in a plain loop."""
    agree = comparable = 0
    names = ["+".join(sorted(unit.split("+"))) for unit in pairs.units]
    segments = {}
    for row in range(len(pairs)):
        systems = names[pairs.first[row]], names[pairs.second[row]]
        first, second = int(pairs.first_rank[row]), int(pairs.second_rank[row])
        outcome = (second > first) - (second < first)
        if systems[0] != systems[1]:
            judgement = (min(systems), max(systems), outcome if systems[0] < systems[1] else -outcome)
            segments.setdefault(int(pairs.segment[row]), []).append((int(pairs.rater[row]), judgement))
    for judged in segments.values():
        for (rater, judgement_a), (other_rater, judgement_b) in itertools.combinations(judged, 2):
            if (rater == other_rater) == intra and judgement_a[:2] == judgement_b[:2]:
                comparable += 1
                agree += judgement_a == judgement_b
    return agree, comparable
