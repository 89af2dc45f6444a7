"""What people gave beside what metrics gave: names in common, ranks apart, figures and their reasons."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import MetricColumn, QeError, Ratings, Score, ScoreRatings, SystemNameMapping, TextColumn, View
from qe_desktop.corpus.corpus import Corpus
from qe_desktop.significance import SignificanceLevel
from qe_desktop.significance.verdicts import judge_matrix
from qe_desktop.studies.meta_eval.agreement_statistics import (
    AGREEMENT_STATISTICS,
    get_statistic,
    metric_verdicts,
    order_by_statistic,
    undefined_reason,
    untested_reason,
)
from qe_desktop.studies.meta_eval.meta_evaluation import meta_evaluate
from qe_desktop.studies.meta_eval.score_data import HumanSystemScores
from qe_desktop.studies.meta_eval.score_join import NamesDifferError
from qe_desktop.studies.meta_eval.segment_rank_gap import mean_rank_order, segment_rank_gap
from qe_desktop.studies.meta_eval.view_inputs import (
    MetaEvalChoice,
    available_metrics,
    build_meta_eval_data,
    default_metrics,
    has_metrics,
)

SYSTEMS = ("one", "two", "three", "four")
SIZE = 12


def ratings(systems=SYSTEMS, segments=range(SIZE), rater="r"):
    dice = np.random.default_rng(4)
    rows = [
        Score(rater, name, str(segment + 1), "score", float(place + dice.integers(0, 4)))
        for place, name in enumerate(systems)
        for segment in segments
    ]
    return Ratings(ScoreRatings.of(rows), origin="people.tsv")


def column(better=1, systems=SYSTEMS, seed=1):
    dice = np.random.default_rng(seed)
    return MetricColumn(
        {name: better * (place + dice.normal(0, 1, SIZE)) for place, name in enumerate(systems)}, better, f"m{seed}"
    )


def scored(**columns):
    return Corpus("c", SIZE, metric_scores=columns or {"M": column(), "E": column(-1, seed=2)})


def test_metrics_and_ratings_of_a_corpus_are_set_beside_each_other():
    corpus = scored()
    assert has_metrics(corpus)
    assert available_metrics(corpus) == default_metrics(corpus) == ("M", "E")
    asked = build_meta_eval_data(View(corpus), ratings())
    assert asked.systems == SYSTEMS
    assert [one.name for one in asked.metrics.all] == ["M", "E"]
    assert asked.texts is None
    assert not asked.names.differ
    assert asked.people.systems.tolist() == [asked.people.scores[place].mean() for place in range(4)]


def test_nothing_to_set_beside_people_is_refused():
    assert not has_metrics(Corpus("c", SIZE))
    with pytest.raises(QeError, match="no metric"):
        build_meta_eval_data(View(Corpus("c", SIZE)), ratings())
    with pytest.raises(QeError, match="compare translations and have no scores"):
        build_meta_eval_data(View(scored()), Ratings.of())


def test_names_that_differ_are_told_with_those_of_both_sides():
    rated = ratings([f"{name}.1" for name in SYSTEMS[:3]] + ["four"])
    with pytest.raises(NamesDifferError) as refused:
        build_meta_eval_data(View(scored()), rated)
    names = refused.value.names
    assert (names.people, names.metrics, names.common) == (("one.1", "two.1", "three.1", "four"), SYSTEMS, ("four",))
    assert names.differ
    matched = SystemNameMapping({f"{name}.1": name for name in SYSTEMS[:3]})
    asked = build_meta_eval_data(View(replace(scored(), rated=matched)), rated)
    assert asked.systems == SYSTEMS
    other = replace(column(systems=("uno", "two", "three", "four")), matched=SystemNameMapping({"uno": "one"}))
    assert build_meta_eval_data(View(scored(M=other)), ratings()).systems == SYSTEMS


def test_what_one_metric_lacks_is_left_out_and_said_where_two_come_from_files_of_one_name():
    fewer = replace(column(systems=SYSTEMS[:3], seed=1), origin="scores")
    asked = build_meta_eval_data(View(scored(A=fewer, B=replace(column(seed=2), origin="scores"))), ratings())
    assert asked.systems == SYSTEMS[:3]
    assert [note for note in asked.notes if "excluded" in note] == ["excluded because missing in scores: four"]


def test_which_means_of_ratings_are_taken_is_chosen():
    corpus, given = View(scored()), ratings()
    compared, mean = (
        build_meta_eval_data(corpus, given, MetaEvalChoice(by=by)).people.systems for by in ("compared", "mean")
    )
    # on a short scale systems are compared by the ratings themselves
    assert compared.tolist() == mean.tolist()
    z = build_meta_eval_data(corpus, given, MetaEvalChoice(by="z")).people.systems
    assert z.tolist() != mean.tolist()
    assert np.corrcoef(z, mean)[0, 1] == pytest.approx(1.0)
    alone = build_meta_eval_data(corpus, given, MetaEvalChoice(systems_only=True))
    assert alone.people.scores is None


def test_counting_texts_can_be_stopped():
    texts = {name: TextColumn.of([f"a b {place} {segment}" for segment in range(SIZE)])
             for place, name in enumerate(SYSTEMS)}  # fmt: skip
    corpus = Corpus("c", SIZE, translations=texts, references={"A": texts["one"], "B": texts["two"]})

    def stop(share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        build_meta_eval_data(View(corpus), ratings(), watch=stop)
    asked = build_meta_eval_data(View(corpus), ratings())
    assert asked.signature["references"] == "A+B"
    one = build_meta_eval_data(
        View(corpus), ratings(), MetaEvalChoice(reference=asked.texts.scoring.level.references(View(corpus))[1])
    )
    assert one.signature["references"] == "A"
    assert one.of_texts == ("BLEU", "chrF", "TER")


def test_ranks_are_among_all_translations_that_both_scored():
    assert mean_rank_order(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1.0, 3.5, 2.0]
    asked = build_meta_eval_data(View(scored()), ratings(segments=range(1, 6)))
    gap = segment_rank_gap(asked, 2, "E")
    assert (gap.system, gap.metric, gap.ranked) == ("three", "E", 20)
    assert np.flatnonzero(~np.isnan(gap.values)).tolist() == [1, 2, 3, 4, 5]
    ours = -np.stack([scored().metric_scores["E"].systems[name][1:6] for name in SYSTEMS])
    theirs = asked.people.scores[:, 1:6]
    expected = [
        [(ours < one).sum() + ((ours == one).sum() + 1) / 2 for one in ours[2]],
        [(theirs < one).sum() + ((theirs == one).sum() + 1) / 2 for one in theirs[2]],
    ]
    assert gap.values[1:6] == pytest.approx(np.subtract(*expected))
    with pytest.raises(QeError, match="no segment scores"):
        segment_rank_gap(asked, 0, "nothing")
    with pytest.raises(QeError, match="not available by segment"):
        segment_rank_gap(build_meta_eval_data(View(scored()), ratings(), MetaEvalChoice(systems_only=True)), 0, "M")


def test_p_is_judged_by_what_is_worth_more():
    p = np.array([[1.0, 0.001, np.nan], [0.001, 1.0, 0.02], [np.nan, 0.02, 1.0]])
    worth = np.array([0.1, 0.5, 0.3])
    found = judge_matrix(p, worth, "bonferroni", 0.05)
    assert (found.pair(0, 1).sureness, found.pair(0, 1).better) == (SignificanceLevel.STRONG, 1)
    # of the two pairs that were tested
    assert found.pair(1, 2).judged == pytest.approx(0.04)
    assert found.pair(2, 1).better == 1
    assert found.pair(0, 2).sureness is SignificanceLevel.UNTESTED
    assert judge_matrix(p, np.zeros(3), "none", 0.05).pair(0, 1).sureness is SignificanceLevel.NOT


def test_every_figure_says_why_it_is_undefined():
    flat = MetricColumn({name: np.ones(SIZE) for name in SYSTEMS}, origin="flat")
    asked = build_meta_eval_data(View(scored(M=column(), F=flat)), ratings())
    study = meta_evaluate(asked.systems, asked.metrics, asked.people)
    one = study.agreements[1]
    for figure in AGREEMENT_STATISTICS:
        if np.isnan(figure.value(one)):
            assert "F" in undefined_reason(study, figure, one)
    assert np.isnan(get_statistic("pearson").value(one))
    assert order_by_statistic(study, get_statistic("pearson")) == [0, 1]
    of_three = build_meta_eval_data(View(scored()), ratings(SYSTEMS[:3]))
    three = meta_evaluate(asked.systems[:3], of_three.metrics, HumanSystemScores(of_three.people.systems))
    assert metric_verdicts(three, get_statistic("pearson"), "none", 0.05) is None
    assert "more than 3 systems" in untested_reason(three, get_statistic("pearson"))


def test_a_metric_that_lacks_a_system_says_which():
    empty = {**column().systems, "two": np.full(SIZE, np.nan)}
    asked = build_meta_eval_data(View(scored(M=column(), L=MetricColumn(empty, origin="l"))), ratings())
    study = meta_evaluate(asked.systems, asked.metrics, asked.people)
    one = study.agreements[1]
    for name in ("pearson", "kendall", "pairs", "spa"):
        assert np.isnan(get_statistic(name).value(one))
        assert undefined_reason(study, get_statistic(name), one) == "L has no score for two."
