"""Results as a whole: what is computed from what, and what is said in words instead of a number."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from qe_desktop.corpus import Comment, ItemRole, PairwiseJudgement, QeError, RatingFlag, Ratings, Score, join_ratings
from qe_desktop.formats.ratings import MEAN_RATER
from qe_desktop.ratings.results.rating_results import build_results, compute_trueskill, with_trueskill
from qe_desktop.ratings.results.result_types import TOTAL, RatingOptions
from qe_desktop.report.rating_json import ratings_json
from qe_desktop.report.rating_report import rating_tables
from qe_desktop.ui.campaigns.results.results_service import results_summary

DATA = Path(__file__).parents[1] / "data/ratings"
QUICK = RatingOptions(runs=20, rounds=50)


def oracle(name):
    return json.loads((DATA / f"{name}.json").read_text())


def named(figures, name):
    """The system or the rater of this name."""
    return next(one for one in figures if one.name == name)


def two_scales(dropped=()):
    rows = []
    for system, segment, rater, adequacy, fluency in oracle("adequacy_fluency")["ratings"]:
        if [system, segment, rater] not in dropped:
            rows.append(Score(rater, system, str(segment), "adequacy", adequacy))
            rows.append(Score(rater, system, str(segment), "fluency", fluency))
    return Ratings.of(rows)


def rankings():
    rows = []
    for number, (segment, rater, systems, ranks) in enumerate(oracle("ranking_wins")["rankings"]):
        rows += [
            PairwiseJudgement(
                rater,
                str(segment),
                systems[one],
                systems[other],
                ranks[one],
                ranks[other],
                str(number),
                seconds=4.0 + number,
            )
            for one in range(5)
            for other in range(one + 1, 5)
        ]
    return Ratings.of(pairs=rows)


@pytest.mark.parametrize("case", ["system", "missing_case", "missing_case_2"])
def test_adequacy_and_fluency(case):
    expected = oracle("adequacy_fluency")
    dropped = [] if case == "system" else expected[case]["dropped"]
    means = expected["system"] if case == "system" else expected[case]["system_segment_mean"]
    results = build_results(two_scales(dropped), options=QUICK)
    assert results.scales == ("adequacy", "fluency")
    assert [system.name for system in results.systems] == ["C", "A", "B"]
    for system in results.systems:
        values = {name: estimate.value for name, estimate in system.scores.raw.items()}
        assert values == pytest.approx(means[system.name], abs=1e-6)
        assert set(system.scores.z) == {"adequacy", "fluency", TOTAL}
        assert system.n == 4
        total = system.scores.raw[TOTAL]
        assert total.low <= total.value <= total.high
    assert "adequacy + fluency" in results.clusters_by
    assert set(results.agreement) == {"adequacy", "fluency"}
    pages = {page.name: page for page in results.raters}
    if case == "system":
        judges = {name: {scale: page.mean for scale, page in held.scales.items()} for name, held in pages.items()}
        assert judges["j1"] == pytest.approx(expected["judge_means"]["j1"], abs=1e-6)


def direct_assessment():
    return Ratings.of(
        [
            Score(rater, system, str(segment), "score", value)
            for rater, segment, system, value in oracle("z_normalise")["ratings"]
        ]
    )


@pytest.mark.parametrize(("standardise", "expected"), [("drop", "system_ddof1"), ("appraise", None)])
def test_direct_assessment(standardise, expected):
    z = oracle("z_normalise")
    means = z[expected] if expected else z["appraise_variant"]["system"]
    results = build_results(direct_assessment(), options=RatingOptions(rounds=50, standardise=standardise))
    assert {system.name for system in results.systems} == set(means)
    for system in results.systems:
        assert system.scores.raw["score"].value == pytest.approx(means[system.name]["score"], abs=1e-6)
        assert system.scores.z["score"].value == pytest.approx(means[system.name]["z"], abs=1e-6)
    assert results.clusters_by == "rank-sum test on segments' z of score"
    said = " ".join(results.notes)
    assert "r3 gave the value 66 all 3 times" in said
    assert "r4 has a single score" in said
    assert ("excluded from z" in said) == (standardise == "drop")
    assert "z is 0 throughout" not in said or standardise == "appraise"


def test_means_of_raters_stand_in_only_for_what_is_not_given():
    given_z = [Score("r1", "A", "1", "z", 1.0), Score("r2", "A", "1", "z", 0.0), Score("r1", "B", "1", "z", -1.0)]
    means = [Score(MEAN_RATER, "A", "1", "score", 80), Score(MEAN_RATER, "B", "1", "score", 20),
             Score(MEAN_RATER, "A", "1", "z", 7.0), Score(MEAN_RATER, "B", "1", "z", 9.0)]  # fmt: skip
    results = build_results(join_ratings([Ratings.of(given_z), Ratings.of(means)]), options=QUICK)
    assert results.scales == ("score",)
    values = {
        system.name: (system.scores.raw["score"].value, system.scores.z["score"].value) for system in results.systems
    }
    assert values == {"A": (80, 0.5), "B": (20, -1)}
    assert [page.name for page in results.raters] == ["r1", "r2"]
    assert results.agreement["score"].raters == ("r1", "r2")
    alone = build_results(Ratings.of(means), options=QUICK)
    assert {system.name: system.scores.z["score"].value for system in alone.systems} == {"A": 7, "B": 9}
    assert (alone.raters, alone.agreement) == ((), {})


def test_rankings_and_trueskill_later():
    expected = oracle("ranking_wins")
    first = build_results(rankings(), options=QUICK, trueskill=False)
    assert first.trueskill is None
    assert all(system.wins.trueskill is None for system in first.systems)
    assert [system.name for system in first.systems] == ["A", "B", "C", "D", "E"]
    for system in first.systems:
        assert system.n == 32
        assert system.wins.expected_wins == pytest.approx(expected["expected_wins_wmt13"][system.name], abs=1e-6)
        assert system.wins.half_ties == pytest.approx(expected["half_ties"][system.name], abs=1e-6)
        assert system.wins.at_least_as_good == pytest.approx(expected["at_least_as_good_wmt08_11"][system.name])
    assert first.wins_ranking.p[0, 1] == pytest.approx(0.453125)
    later = with_trueskill(first, compute_trueskill(rankings(), QUICK))
    whole = build_results(rankings(), options=QUICK)
    assert later.systems == whole.systems
    assert later.clusters == whole.clusters == whole.trueskill.clusters
    assert [system.name for system in whole.systems] == list(whole.trueskill.systems)
    assert whole.wins_ranking.systems == whole.trueskill.systems
    assert whole.clusters_by == "TrueSkill rank ranges over 20 bootstrap resamples"
    kappa = whole.ranking_agreement.inter
    assert (kappa.agree, kappa.comparable, kappa.kappa) == (15, 20, pytest.approx(0.578781, abs=1e-6))


def test_pages_of_raters_who_rank():
    results = build_results(
        join_ratings(
            [rankings(), Ratings.of(comments=[Comment("j1", "9", "?", ("A",), True), Comment("j2", "1", "nice")])]
        ),
        options=QUICK,
        trueskill=False,
    )
    page = named(results.raters, "j1")
    assert (page.rankings.screens, page.rankings.judgements, page.skipped, page.comments) == (3, 30, 1, 0)
    assert page.rankings.pace.n == 3
    assert page.rankings.pace.too_fast == pytest.approx(1 / 3)
    assert page.remarks == ("too fast: 33% of rankings in less than 5 s",)
    # j1 and j2 share segment 1, j1 and j3 segment 2; each compares ten pairs there
    assert page.rankings.shared == 20
    assert page.rankings.with_others == pytest.approx(0.75)


def test_agreement_of_some_raters_names_them():
    table = oracle("agreement")["ratings"]
    rows = [
        Score(f"j{rater + 1}", "A", str(item), "score", value)
        for item, row in enumerate(table)
        for rater, value in enumerate(row)
    ]
    # a first rater who shares nothing with anybody
    results = build_results(Ratings.of([Score("alone", "B", "0", "score", 2.0), *rows]), options=QUICK)
    found = results.agreement["score"]
    names = [
        (found.raters[one], found.raters[other])
        for one, other in zip(found.pairs.first, found.pairs.second, strict=True)
    ]
    assert names == [("j1", "j2"), ("j1", "j3"), ("j2", "j3")]
    assert found.pairs.figures.quadratic[0] == pytest.approx(0.848101, abs=1e-6)
    assert found.krippendorff["ordinal"].value == pytest.approx(0.873208, abs=1e-6)


def test_repeats_control_items_and_late_changes():
    rows = [
        Score("Ada", "A", str(segment), "score", value, role)
        for segment in range(8)
        for value, role in (
            (60 + segment, ItemRole.SYSTEM),
            (62 + segment, ItemRole.REPEAT),
            (20 + 2 * segment, ItemRole.BAD),
        )
    ]
    rows.append(Score("Ada", "A", "9", "fluency", 3, flags=RatingFlag.CHANGED_AFTER_REVEAL))
    results = build_results(Ratings.of(rows), options=QUICK)
    page = named(results.raters, "Ada")
    assert page.scales["score"].control.passes is True
    assert results.intra["score"].n == 8
    assert results.intra["score"].mean_difference == pytest.approx(2)
    assert page.changed_after_reveal == 1
    # the repeats count in the means, the degraded items do not
    assert named(results.systems, "A").scores.raw["score"].value == pytest.approx(64.5)


def test_short_scales_are_compared_by_values_and_long_ones_by_z():
    def one(scale, values):
        rows = [
            Score(f"r{place % 2}", "AB"[place // 2 % 2], str(place // 4), scale, value)
            for place, value in enumerate(values)
        ]
        return build_results(Ratings.of(rows), options=QUICK).clusters_by

    assert one("adequacy", [5, 4, 1, 2, 4, 4, 2, 1]).endswith("segments' adequacy")
    assert one("adequacy", [95, 84, 11, 22, 74, 64, 52, 1]).endswith("segments' z of adequacy")


def test_what_is_undefined_is_said_in_words():
    same = build_results(
        Ratings.of([Score(rater, system, "1", "score", 50) for rater in "ab" for system in "XY"]), options=QUICK
    )
    assert "score: z is undefined" in " ".join(same.notes)
    assert same.agreement["score"].krippendorff["ordinal"].value is None
    assert named(same.systems, "X").scores.raw["score"].value == 50
    assert "score" not in named(same.systems, "X").scores.z
    tied = build_results(Ratings.of(pairs=[PairwiseJudgement("a", "1", "X", "Y", 1, 1)]), options=QUICK)
    assert named(tied.systems, "X").wins.expected_wins is None
    assert named(tied.systems, "X").wins.trueskill is None
    said = " ".join(tied.notes)
    assert "Bradley–Terry: No judgement says" in said
    assert "TrueSkill: All judgements are ties" in said
    assert "without a winner in any judgement: X and Y" in said
    apart = build_results(
        Ratings.of([Score("a", "X", "1", "adequacy", 3), Score("a", "Y", "2", "fluency", 4)]), options=QUICK
    )
    assert "no output was rated for both adequacy and fluency" in " ".join(apart.notes)
    assert [system.name for system in apart.systems] == ["X", "Y"]
    assert (apart.systems[1].rank_low, apart.systems[1].rank_high) == (None, None)
    single = build_results(Ratings.of([Score("a", "X", "1", "score", 3)]), options=QUICK)
    assert single.scale_ranking.problem == "At least two systems are needed for a comparison."


@pytest.mark.parametrize(
    "ratings",
    [
        Ratings.of(),
        Ratings.of([Score("a", "X", "1", "score", 3, ItemRole.TRAINING)]),
        Ratings.of([Score("a", "X", "1", "score", 3, ItemRole.BAD)]),
        Ratings.of(pairs=[PairwiseJudgement("a", "1", "X", "Y", 1, 2, role=ItemRole.TRAINING)]),
        Ratings.of(comments=[Comment("a", "1", "x")]),
    ],
)
def test_nothing_that_counts_is_refused(ratings):
    with pytest.raises(QeError, match="no ratings that count"):
        build_results(ratings, options=QUICK)


def test_scales_and_rankings_together():
    results = build_results(join_ratings([two_scales(), rankings()]), options=QUICK)
    assert [system.name for system in results.systems][:3] == ["C", "A", "B"]
    assert named(results.systems, "D").scores is None
    assert named(results.systems, "D").rank_low is None
    assert named(results.systems, "A").wins.expected_wins == pytest.approx(0.709821, abs=1e-6)
    assert named(results.systems, "A").wins.trueskill is not None
    assert results.clusters == results.scale_ranking.clusters
    assert {page.name for page in results.raters} == {"j1", "j2", "j3"}


def test_corrections_widen_the_clusters():
    dice = np.random.default_rng(3)
    rows = [
        Score("a", name, str(segment), "score", float(np.clip(dice.normal(50 + 4 * place, 15), 0, 100)))
        for place, name in enumerate("VWXYZ")
        for segment in range(60)
    ]
    plain, holm = (
        build_results(Ratings.of(rows), options=RatingOptions(rounds=20, correction=name)) for name in ("none", "holm")
    )
    assert holm.scale_ranking.beats.sum() < plain.scale_ranking.beats.sum()
    assert np.array_equal(holm.scale_ranking.p, plain.scale_ranking.p, equal_nan=True)
    assert len(holm.clusters) <= len(plain.clusters)


def test_progress_is_heard_and_may_stop():
    heard = []
    build_results(rankings(), options=QUICK, progress=heard.append)
    assert heard[-1] == pytest.approx(1)

    class Stop(Exception):
        pass

    def stop(share):
        raise Stop

    with pytest.raises(Stop):
        build_results(rankings(), options=QUICK, progress=stop)


def test_the_same_ratings_in_another_order_give_the_same_results():
    from qe_desktop.report.rating_json import ratings_json

    dice = np.random.default_rng(1)
    for whole in (two_scales(), direct_assessment(), rankings()):
        order = dice.permutation(max(len(whole.scores), len(whole.pairs)))
        scores = whole.scores.rows()
        pairs = whole.pairs.rows()
        shuffled = Ratings.of([scores[place] for place in order if scores], [pairs[place] for place in order if pairs])
        one, other = (ratings_json(build_results(ratings, options=QUICK)) for ratings in (whole, shuffled))
        assert one["clusters"] == other["clusters"]
        assert list(one["systems"]) == list(other["systems"])
        for name, figures in one["systems"].items():
            intervals, others = figures.pop("intervals", {}), other["systems"][name].pop("intervals", {})
            assert figures == pytest.approx(other["systems"][name], rel=1e-12)
            assert intervals == others
            assert one["significance"]["p"][name] == other["significance"]["p"][name]


REPEATED = [
    Score("ann", "A", "1", "score", 10), Score("ann", "A", "1", "score", 30, ItemRole.REPEAT),
    Score("ben", "A", "1", "score", 80), Score("ann", "B", "1", "score", 50), Score("ben", "B", "1", "score", 60),
]  # fmt: skip


@pytest.mark.parametrize(
    ("repeats", "mean", "rule", "summary"),
    [
        ("each", 40.0, "each rating counts, as at WMT", "each rating counts"),
        (
            "rater", 50.0, "the mean of a rater's ratings counts, so raters have equal weight",
            "mean of each rater’s repeated ratings counts",
        ),
    ],
)  # fmt: skip
def test_the_rule_for_repeats_is_said_and_can_be_chosen(repeats, mean, rule, summary):
    """The README spoke of the mean of raters, where each rating counted and nothing said so."""
    found = build_results(Ratings.of(REPEATED), options=RatingOptions(rounds=20, repeats=repeats))
    scores = named(found.systems, "A").scores
    assert scores is not None
    assert scores.raw["score"].value == mean
    note = f"repeats: one repeated rating by the same rater; {rule}"
    assert note in found.notes
    assert ratings_json(found)["options"]["repeats"] == repeats
    assert any(note in said for table in rating_tables(found, 0) for said in table.notes)
    assert summary in results_summary(Ratings.of(REPEATED), found)


def test_nothing_is_said_of_repeats_where_there_are_none():
    found = build_results(
        Ratings.of([row for row in REPEATED if row.role is ItemRole.SYSTEM]), options=RatingOptions(rounds=20)
    )
    assert not [note for note in found.notes if "repeats" in note]


def test_one_segment_alone_gives_no_interval():
    """A single rating of 9 had an interval of [9, 9], as if nothing were left to chance."""
    scores = [Score("ann", "A", "1", "score", 9), *(Score("ann", "B", str(at), "score", at) for at in range(1, 9))]
    found = build_results(Ratings.of(scores), options=RatingOptions(rounds=50))
    alone, others = (named(found.systems, name).scores.raw["score"] for name in "AB")
    assert (alone.value, alone.low, alone.high) == (9.0, None, None)
    assert alone.problem == "no interval: a bootstrap over segments needs at least two segments"
    assert others.low < others.value < others.high
    assert not others.problem
    assert f"A: {alone.problem}" in found.notes
    told = ratings_json(found)["systems"]
    assert "raw" not in told["A"].get("intervals", {})
    assert "raw" in told["B"]["intervals"]


def test_equal_means_of_all_segments_give_no_interval():
    """Two ratings of 9 had an interval of [9, 9]."""
    scores = [Score("ann", "A", str(at), "score", 9) for at in range(1, 4)]
    scores += [Score("ann", "B", str(at), "score", at) for at in range(1, 4)]
    found = build_results(Ratings.of(scores), options=RatingOptions(rounds=50))
    equal, others = (named(found.systems, name).scores.raw["score"] for name in "AB")
    assert (equal.value, equal.low, equal.high) == (9.0, None, None)
    assert equal.problem == "no interval: the means of all segments are equal, so their variance is unknown"
    assert others.low < others.high
    assert f"A: {equal.problem}" in found.notes
    told = ratings_json(found)["systems"]
    assert "raw" not in told["A"].get("intervals", {})
    assert "raw" in told["B"]["intervals"]


def test_the_total_of_one_segment_has_no_interval():
    scores = [Score("ann", "A", str(at), "adequacy", at) for at in range(1, 5)] + [Score("ann", "A", "1", "fluency", 4)]
    raw = named(build_results(Ratings.of(scores), options=RatingOptions(rounds=50)).systems, "A").scores.raw
    assert raw["adequacy"].low is not None
    assert raw["fluency"].low is None
    assert raw[TOTAL].low is None
