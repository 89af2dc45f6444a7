"""Rating results as a whole: how they are computed, and notes in place of undefined values."""

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


def load_expected(name):
    return json.loads((DATA / f"{name}.json").read_text())


def figures_named(figures, name):
    """Return the results of the system or rater with this name."""
    return next(row for row in figures if row.name == name)


def make_two_scales(dropped=()):
    rows = []
    for system, segment, rater, adequacy, fluency in load_expected("adequacy_fluency")["ratings"]:
        if [system, segment, rater] not in dropped:
            rows.append(Score(rater, system, str(segment), "adequacy", adequacy))
            rows.append(Score(rater, system, str(segment), "fluency", fluency))
    return Ratings.of(rows)


def make_rankings():
    rows = []
    for number, (segment, rater, systems, ranks) in enumerate(load_expected("ranking_wins")["rankings"]):
        rows += [
            PairwiseJudgement(
                rater,
                str(segment),
                systems[first],
                systems[second],
                ranks[first],
                ranks[second],
                str(number),
                seconds=4.0 + number,
            )
            for first in range(5)
            for second in range(first + 1, 5)
        ]
    return Ratings.of(pairs=rows)


@pytest.mark.parametrize("case", ["system", "missing_case", "missing_case_2"])
def test_adequacy_and_fluency(case):
    expected = load_expected("adequacy_fluency")
    dropped = [] if case == "system" else expected[case]["dropped"]
    means = expected["system"] if case == "system" else expected[case]["system_segment_mean"]
    results = build_results(make_two_scales(dropped), options=QUICK)
    assert results.scales == ("adequacy", "fluency")
    assert [system.name for system in results.systems] == ["C", "A", "B"]
    for system in results.systems:
        values = {name: estimate.value for name, estimate in system.scores.raw.items()}
        assert values == pytest.approx(means[system.name], abs=1e-6)
        assert set(system.scores.z) == {"adequacy", "fluency", TOTAL}
        assert system.n == 4
        total = system.scores.raw[TOTAL]
        assert total.low <= total.value <= total.high
    assert "adequacy + fluency" in results.cluster_method
    assert set(results.agreement) == {"adequacy", "fluency"}
    raters = {figures.name: figures for figures in results.raters}
    if case == "system":
        judges = {
            name: {scale: figures.mean for scale, figures in rater_figures.scales.items()}
            for name, rater_figures in raters.items()
        }
        assert judges["j1"] == pytest.approx(expected["judge_means"]["j1"], abs=1e-6)


def make_direct_assessment():
    return Ratings.of(
        [
            Score(rater, system, str(segment), "score", value)
            for rater, segment, system, value in load_expected("z_normalise")["ratings"]
        ]
    )


@pytest.mark.parametrize(("standardise", "expected"), [("drop", "system_ddof1"), ("appraise", None)])
def test_direct_assessment(standardise, expected):
    z = load_expected("z_normalise")
    means = z[expected] if expected else z["appraise_variant"]["system"]
    results = build_results(make_direct_assessment(), options=RatingOptions(rounds=50, standardise=standardise))
    assert {system.name for system in results.systems} == set(means)
    for system in results.systems:
        assert system.scores.raw["score"].value == pytest.approx(means[system.name]["score"], abs=1e-6)
        assert system.scores.z["score"].value == pytest.approx(means[system.name]["z"], abs=1e-6)
    assert results.cluster_method == "rank-sum test on segment means of z-scores (score)"
    notes = " ".join(results.notes)
    assert "r3 gave the value 66 all 3 times" in notes
    assert "r4 gave only one rating" in notes
    assert ("excluded from the z-scores" in notes) == (standardise == "drop")
    assert "are set to 0" not in notes or standardise == "appraise"


def test_mean_ratings_are_used_only_where_ratings_are_missing():
    given_z = [Score("r1", "A", "1", "z", 1.0), Score("r2", "A", "1", "z", 0.0), Score("r1", "B", "1", "z", -1.0)]
    means = [Score(MEAN_RATER, "A", "1", "score", 80), Score(MEAN_RATER, "B", "1", "score", 20),
             Score(MEAN_RATER, "A", "1", "z", 7.0), Score(MEAN_RATER, "B", "1", "z", 9.0)]  # fmt: skip
    results = build_results(join_ratings([Ratings.of(given_z), Ratings.of(means)]), options=QUICK)
    assert results.scales == ("score",)
    values = {
        system.name: (system.scores.raw["score"].value, system.scores.z["score"].value) for system in results.systems
    }
    assert values == {"A": (80, 0.5), "B": (20, -1)}
    assert [rater.name for rater in results.raters] == ["r1", "r2"]
    assert results.agreement["score"].raters == ("r1", "r2")
    alone = build_results(Ratings.of(means), options=QUICK)
    assert {system.name: system.scores.z["score"].value for system in alone.systems} == {"A": 7, "B": 9}
    assert (alone.raters, alone.agreement) == ((), {})


def test_trueskill_can_be_added_later():
    expected = load_expected("ranking_wins")
    first = build_results(make_rankings(), options=QUICK, trueskill=False)
    assert first.trueskill is None
    assert all(system.wins.trueskill is None for system in first.systems)
    assert [system.name for system in first.systems] == ["A", "B", "C", "D", "E"]
    for system in first.systems:
        assert system.n == 32
        assert system.wins.expected_wins == pytest.approx(expected["expected_wins_wmt13"][system.name], abs=1e-6)
        assert system.wins.half_ties == pytest.approx(expected["half_ties"][system.name], abs=1e-6)
        assert system.wins.at_least_as_good == pytest.approx(expected["at_least_as_good_wmt08_11"][system.name])
    assert first.wins_ranking.p[0, 1] == pytest.approx(0.453125)
    later = with_trueskill(first, compute_trueskill(make_rankings(), QUICK))
    whole = build_results(make_rankings(), options=QUICK)
    assert later.systems == whole.systems
    assert later.clusters == whole.clusters == whole.trueskill.clusters
    assert [system.name for system in whole.systems] == list(whole.trueskill.systems)
    assert whole.wins_ranking.systems == whole.trueskill.systems
    assert whole.cluster_method == "rank ranges of TrueSkill from 20 bootstrap resamples"
    kappa = whole.ranking_agreement.inter
    assert (kappa.agree, kappa.comparable, kappa.kappa) == (15, 20, pytest.approx(0.578781, abs=1e-6))


def test_figures_of_raters_who_rank():
    results = build_results(
        join_ratings(
            [make_rankings(), Ratings.of(comments=[Comment("j1", "9", "?", ("A",), True), Comment("j2", "1", "nice")])]
        ),
        options=QUICK,
        trueskill=False,
    )
    figures = figures_named(results.raters, "j1")
    assert (figures.rankings.screens, figures.rankings.judgements, figures.skipped, figures.comments) == (3, 30, 1, 0)
    assert figures.rankings.pace.n == 3
    assert figures.rankings.pace.too_fast == pytest.approx(1 / 3)
    assert figures.remarks == ("ranked 33 % of items too fast, in less than 5 s each",)
    # j1 and j2 share segment 1, j1 and j3 segment 2; each compares ten pairs there
    assert figures.rankings.shared == 20
    assert figures.rankings.agreement_with_others == pytest.approx(0.75)


def test_agreement_of_some_raters_has_their_names():
    table = load_expected("agreement")["ratings"]
    rows = [
        Score(f"j{rater + 1}", "A", str(item), "score", value)
        for item, row in enumerate(table)
        for rater, value in enumerate(row)
    ]
    # a first rater who shares no item with others
    results = build_results(Ratings.of([Score("alone", "B", "0", "score", 2.0), *rows]), options=QUICK)
    agreement = results.agreement["score"]
    names = [
        (agreement.raters[first], agreement.raters[second])
        for first, second in zip(agreement.pairs.first, agreement.pairs.second, strict=True)
    ]
    assert names == [("j1", "j2"), ("j1", "j3"), ("j2", "j3")]
    assert agreement.pairs.statistics.quadratic[0] == pytest.approx(0.848101, abs=1e-6)
    assert agreement.krippendorff["ordinal"].value == pytest.approx(0.873208, abs=1e-6)


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
    figures = figures_named(results.raters, "Ada")
    assert figures.scales["score"].control.passes is True
    assert results.intra["score"].n == 8
    assert results.intra["score"].mean_difference == pytest.approx(2)
    assert figures.changed_after_reveal == 1
    # the repeats count in the means, the degraded items do not
    assert figures_named(results.systems, "A").scores.raw["score"].value == pytest.approx(64.5)


def test_short_scales_are_compared_by_values_and_long_ones_by_z():
    def clusters_by(scale, values):
        rows = [
            Score(f"r{index % 2}", "AB"[index // 2 % 2], str(index // 4), scale, value)
            for index, value in enumerate(values)
        ]
        return build_results(Ratings.of(rows), options=QUICK).cluster_method

    assert clusters_by("adequacy", [5, 4, 1, 2, 4, 4, 2, 1]).endswith("segment means (adequacy)")
    assert clusters_by("adequacy", [95, 84, 11, 22, 74, 64, 52, 1]).endswith("z-scores (adequacy)")


def test_undefined_values_are_explained_in_notes():
    same = build_results(
        Ratings.of([Score(rater, system, "1", "score", 50) for rater in "ab" for system in "XY"]), options=QUICK
    )
    assert "score: z is undefined" in " ".join(same.notes)
    assert same.agreement["score"].krippendorff["ordinal"].value is None
    assert figures_named(same.systems, "X").scores.raw["score"].value == 50
    assert "score" not in figures_named(same.systems, "X").scores.z
    tied = build_results(Ratings.of(pairs=[PairwiseJudgement("a", "1", "X", "Y", 1, 1)]), options=QUICK)
    assert figures_named(tied.systems, "X").wins.expected_wins is None
    assert figures_named(tied.systems, "X").wins.trueskill is None
    notes = " ".join(tied.notes)
    assert "Bradley–Terry: No system was judged" in notes
    assert "TrueSkill: All judgements are ties" in notes
    assert "without a winner in any judgement: X and Y" in notes
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
def test_ratings_of_which_none_count_are_refused(ratings):
    with pytest.raises(QeError, match="no ratings that count"):
        build_results(ratings, options=QUICK)


def test_scales_and_rankings_together():
    results = build_results(join_ratings([make_two_scales(), make_rankings()]), options=QUICK)
    assert [system.name for system in results.systems][:3] == ["C", "A", "B"]
    assert figures_named(results.systems, "D").scores is None
    assert figures_named(results.systems, "D").rank_low is None
    assert figures_named(results.systems, "A").wins.expected_wins == pytest.approx(0.709821, abs=1e-6)
    assert figures_named(results.systems, "A").wins.trueskill is not None
    assert results.clusters == results.scale_ranking.clusters
    assert {rater.name for rater in results.raters} == {"j1", "j2", "j3"}


def test_corrections_widen_the_clusters():
    rng = np.random.default_rng(3)
    rows = [
        Score("a", name, str(segment), "score", float(np.clip(rng.normal(50 + 4 * index, 15), 0, 100)))
        for index, name in enumerate("VWXYZ")
        for segment in range(60)
    ]
    plain, holm = (
        build_results(Ratings.of(rows), options=RatingOptions(rounds=20, correction=name)) for name in ("none", "holm")
    )
    assert holm.scale_ranking.beats.sum() < plain.scale_ranking.beats.sum()
    assert np.array_equal(holm.scale_ranking.p, plain.scale_ranking.p, equal_nan=True)
    assert len(holm.clusters) <= len(plain.clusters)


def test_progress_is_reported_and_can_stop_the_computation():
    shares = []
    build_results(make_rankings(), options=QUICK, progress=shares.append)
    assert shares[-1] == pytest.approx(1)

    class Stop(Exception):
        pass

    def stop(share):
        raise Stop

    with pytest.raises(Stop):
        build_results(make_rankings(), options=QUICK, progress=stop)


def test_order_of_ratings_does_not_change_the_results():
    from qe_desktop.report.rating_json import ratings_json

    rng = np.random.default_rng(1)
    for whole in (make_two_scales(), make_direct_assessment(), make_rankings()):
        order = rng.permutation(max(len(whole.scores), len(whole.pairs)))
        scores = whole.scores.rows()
        pairs = whole.pairs.rows()
        shuffled = Ratings.of([scores[index] for index in order if scores], [pairs[index] for index in order if pairs])
        first, second = (ratings_json(build_results(ratings, options=QUICK)) for ratings in (whole, shuffled))
        assert first["clusters"] == second["clusters"]
        assert list(first["systems"]) == list(second["systems"])
        for name, figures in first["systems"].items():
            intervals, other_intervals = figures.pop("intervals", {}), second["systems"][name].pop("intervals", {})
            assert figures == pytest.approx(second["systems"][name], rel=1e-12)
            assert intervals == other_intervals
            assert first["significance"]["p"][name] == second["significance"]["p"][name]


REPEATED = [
    Score("ann", "A", "1", "score", 10), Score("ann", "A", "1", "score", 30, ItemRole.REPEAT),
    Score("ben", "A", "1", "score", 80), Score("ann", "B", "1", "score", 50), Score("ben", "B", "1", "score", 60),
]  # fmt: skip


@pytest.mark.parametrize(
    ("repeats", "mean", "rule", "summary"),
    [
        ("each", 40.0, "each rating counts, as at WMT", "repeated ratings count separately"),
        (
            "rater", 50.0, "the mean of each rater's ratings of an output counts, so raters have equal weight",
            "the mean of each rater's repeated ratings counts",
        ),
    ],
)  # fmt: skip
def test_rule_for_repeats_is_an_option_and_is_noted(repeats, mean, rule, summary):
    """The README once described means of raters, although each rating counted and no note said so."""
    results = build_results(Ratings.of(REPEATED), options=RatingOptions(rounds=20, repeats=repeats))
    scores = figures_named(results.systems, "A").scores
    assert scores is not None
    assert scores.raw["score"].value == mean
    note = f"repeats: 1 rating of an output that the same rater had already rated; {rule}"
    assert note in results.notes
    assert ratings_json(results)["options"]["repeats"] == repeats
    assert any(note in text for table in rating_tables(results, 0) for text in table.notes)
    assert summary in results_summary(Ratings.of(REPEATED), results)


def test_results_without_repeats_have_no_note_on_them():
    results = build_results(
        Ratings.of([row for row in REPEATED if row.role is ItemRole.SYSTEM]), options=RatingOptions(rounds=20)
    )
    assert not [note for note in results.notes if "repeats" in note]


def test_single_segment_gives_no_interval():
    """A single rating of 9 once had the interval [9, 9], as if it were certain."""
    scores = [Score("ann", "A", "1", "score", 9), *(Score("ann", "B", str(n), "score", n) for n in range(1, 9))]
    results = build_results(Ratings.of(scores), options=RatingOptions(rounds=50))
    alone, others = (figures_named(results.systems, name).scores.raw["score"] for name in "AB")
    assert (alone.value, alone.low, alone.high) == (9.0, None, None)
    assert alone.problem == "no interval: a bootstrap over segments needs at least two segments"
    assert others.low < others.value < others.high
    assert not others.problem
    assert f"A: {alone.problem}" in results.notes
    systems = ratings_json(results)["systems"]
    assert "raw" not in systems["A"].get("intervals", {})
    assert "raw" in systems["B"]["intervals"]


def test_equal_means_of_all_segments_give_no_interval():
    """Several ratings of 9 once had the interval [9, 9]."""
    scores = [Score("ann", "A", str(n), "score", 9) for n in range(1, 4)]
    scores += [Score("ann", "B", str(n), "score", n) for n in range(1, 4)]
    results = build_results(Ratings.of(scores), options=RatingOptions(rounds=50))
    equal, others = (figures_named(results.systems, name).scores.raw["score"] for name in "AB")
    assert (equal.value, equal.low, equal.high) == (9.0, None, None)
    assert equal.problem == "no interval: the means of all segments are equal, so the uncertainty cannot be estimated"
    assert others.low < others.high
    assert f"A: {equal.problem}" in results.notes
    systems = ratings_json(results)["systems"]
    assert "raw" not in systems["A"].get("intervals", {})
    assert "raw" in systems["B"]["intervals"]


def test_total_of_one_segment_has_no_interval():
    scores = [Score("ann", "A", str(n), "adequacy", n) for n in range(1, 5)] + [Score("ann", "A", "1", "fluency", 4)]
    raw = figures_named(build_results(Ratings.of(scores), options=RatingOptions(rounds=50)).systems, "A").scores.raw
    assert raw["adequacy"].low is not None
    assert raw["fluency"].low is None
    assert raw[TOTAL].low is None
