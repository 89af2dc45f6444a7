"""Joining human and metric scores: system names, rank gaps, and reasons for undefined statistics."""

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
from qe_desktop.studies.meta_eval.meta_eval_inputs import (
    MetaEvalChoice,
    available_metrics,
    build_meta_eval_data,
    default_metrics,
    has_metrics,
)
from qe_desktop.studies.meta_eval.meta_evaluation import meta_evaluate
from qe_desktop.studies.meta_eval.score_data import HumanSystemScores
from qe_desktop.studies.meta_eval.score_join import MetaEvalNames, NamesDifferError
from qe_desktop.studies.meta_eval.segment_rank_gap import mean_rank_order, segment_rank_gap

SYSTEMS = ("one", "two", "three", "four")
SIZE = 12


def ratings(systems=SYSTEMS, segments=range(SIZE), rater="r"):
    generator = np.random.default_rng(4)
    rows = [
        Score(rater, name, str(segment + 1), "score", float(index + generator.integers(0, 4)))
        for index, name in enumerate(systems)
        for segment in segments
    ]
    return Ratings(ScoreRatings.of(rows), origin="people.tsv")


def column(better=1, systems=SYSTEMS, seed=1):
    generator = np.random.default_rng(seed)
    return MetricColumn(
        {name: better * (index + generator.normal(0, 1, SIZE)) for index, name in enumerate(systems)},
        better,
        f"m{seed}",
    )


def make_scored_corpus(**columns):
    return Corpus("c", SIZE, metric_scores=columns or {"M": column(), "E": column(-1, seed=2)})


def test_metrics_and_ratings_of_a_corpus_are_joined():
    corpus = make_scored_corpus()
    assert has_metrics(corpus)
    assert available_metrics(corpus) == default_metrics(corpus) == ("M", "E")
    data = build_meta_eval_data(View(corpus), ratings())
    assert data.systems == SYSTEMS
    assert [metric.name for metric in data.metrics.all_metrics] == ["M", "E"]
    assert data.texts is None
    assert not data.names.has_unmatched_names
    assert data.human.systems.tolist() == [data.human.scores[index].mean() for index in range(4)]


def test_missing_metrics_or_ratings_are_refused():
    assert not has_metrics(Corpus("c", SIZE))
    with pytest.raises(QeError, match="no metric"):
        build_meta_eval_data(View(Corpus("c", SIZE)), ratings())
    with pytest.raises(QeError, match="contain no usable scores"):
        build_meta_eval_data(View(make_scored_corpus()), Ratings.of())


@pytest.mark.parametrize(
    ("people", "metrics", "hint"),
    [
        (("a", "b", "x"), ("a", "b", "y"), "Human scores cover a, b, x; only metrics cover y. Match names that"),
        (("a", "b", "c"), ("a", "b"), "Human scores cover a, b, c. Match names that differ."),
        ((), ("a", "b"), "systems. Match names that differ."),
    ],
)
def test_hint_lists_no_empty_side(people, metrics, hint):
    common = tuple(name for name in people if name in metrics)
    assert hint in NamesDifferError(MetaEvalNames(people, metrics, common), None).hint


def test_differing_system_names_are_reported_until_matched():
    rated = ratings([f"{name}.1" for name in SYSTEMS[:3]] + ["four"])
    with pytest.raises(NamesDifferError) as refused:
        build_meta_eval_data(View(make_scored_corpus()), rated)
    names = refused.value.names
    assert (names.human, names.metrics, names.common) == (("one.1", "two.1", "three.1", "four"), SYSTEMS, ("four",))
    assert names.has_unmatched_names
    matched = SystemNameMapping({f"{name}.1": name for name in SYSTEMS[:3]})
    data = build_meta_eval_data(View(replace(make_scored_corpus(), rating_systems=matched)), rated)
    assert data.systems == SYSTEMS
    renamed_column = replace(column(systems=("uno", "two", "three", "four")), matched=SystemNameMapping({"uno": "one"}))
    assert build_meta_eval_data(View(make_scored_corpus(M=renamed_column)), ratings()).systems == SYSTEMS


def test_system_missing_in_one_metric_is_excluded_with_a_note():
    fewer = replace(column(systems=SYSTEMS[:3], seed=1), origin="scores")
    data = build_meta_eval_data(
        View(make_scored_corpus(A=fewer, B=replace(column(seed=2), origin="scores"))), ratings()
    )
    assert data.systems == SYSTEMS[:3]
    assert [note for note in data.notes if "excluded" in note] == ["excluded because missing from scores: four"]


def test_option_selects_the_mean_of_ratings():
    corpus, human_ratings = View(make_scored_corpus()), ratings()
    compared, mean = (
        build_meta_eval_data(corpus, human_ratings, MetaEvalChoice(by=by)).human.systems for by in ("compared", "mean")
    )
    # on a short scale, systems are compared by raw ratings
    assert compared.tolist() == mean.tolist()
    z = build_meta_eval_data(corpus, human_ratings, MetaEvalChoice(by="z")).human.systems
    assert z.tolist() != mean.tolist()
    assert np.corrcoef(z, mean)[0, 1] == pytest.approx(1.0)
    systems_only = build_meta_eval_data(corpus, human_ratings, MetaEvalChoice(systems_only=True))
    assert systems_only.human.scores is None


def test_counting_texts_can_be_stopped():
    texts = {name: TextColumn.of([f"a b {index} {segment}" for segment in range(SIZE)])
             for index, name in enumerate(SYSTEMS)}  # fmt: skip
    corpus = Corpus("c", SIZE, translations=texts, references={"A": texts["one"], "B": texts["two"]})

    def stop(share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        build_meta_eval_data(View(corpus), ratings(), on_progress=stop)
    data = build_meta_eval_data(View(corpus), ratings())
    assert data.signature["references"] == "A+B"
    one_reference = build_meta_eval_data(
        View(corpus), ratings(), MetaEvalChoice(reference=data.texts.scoring.level.references(View(corpus))[1])
    )
    assert one_reference.signature["references"] == "A"
    assert one_reference.text_metrics == ("BLEU", "chrF", "TER")


def test_rank_gap_ranks_all_translations_scored_by_both():
    assert mean_rank_order(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1.0, 3.5, 2.0]
    data = build_meta_eval_data(View(make_scored_corpus()), ratings(segments=range(1, 6)))
    gap = segment_rank_gap(data, 2, "E")
    assert (gap.system, gap.metric, gap.ranked) == ("three", "E", 20)
    assert np.flatnonzero(~np.isnan(gap.values)).tolist() == [1, 2, 3, 4, 5]
    metric_scores = -np.stack([make_scored_corpus().metric_scores["E"].systems[name][1:6] for name in SYSTEMS])
    human_scores = data.human.scores[:, 1:6]
    expected = [
        [(metric_scores < score).sum() + ((metric_scores == score).sum() + 1) / 2 for score in metric_scores[2]],
        [(human_scores < score).sum() + ((human_scores == score).sum() + 1) / 2 for score in human_scores[2]],
    ]
    assert gap.values[1:6] == pytest.approx(np.subtract(*expected))
    with pytest.raises(QeError, match="no segment scores"):
        segment_rank_gap(data, 0, "nothing")
    with pytest.raises(QeError, match="not available by segment"):
        segment_rank_gap(
            build_meta_eval_data(View(make_scored_corpus()), ratings(), MetaEvalChoice(systems_only=True)), 0, "M"
        )


def test_verdict_names_the_higher_score_as_better():
    p = np.array([[1.0, 0.001, np.nan], [0.001, 1.0, 0.02], [np.nan, 0.02, 1.0]])
    scores = np.array([0.1, 0.5, 0.3])
    verdicts = judge_matrix(p, scores, "bonferroni", 0.05)
    assert (verdicts.pair(0, 1).level, verdicts.pair(0, 1).better) == (SignificanceLevel.STRONG, 1)
    # Bonferroni over the two tested pairs
    assert verdicts.pair(1, 2).adjusted == pytest.approx(0.04)
    assert verdicts.pair(2, 1).better == 1
    assert verdicts.pair(0, 2).level is SignificanceLevel.UNTESTED
    assert judge_matrix(p, np.zeros(3), "none", 0.05).pair(0, 1).level is SignificanceLevel.NOT_SIGNIFICANT


def test_undefined_statistics_state_their_reason():
    flat = MetricColumn({name: np.ones(SIZE) for name in SYSTEMS}, origin="flat")
    data = build_meta_eval_data(View(make_scored_corpus(M=column(), F=flat)), ratings())
    study = meta_evaluate(data.systems, data.metrics, data.human)
    agreement = study.agreements[1]
    for figure in AGREEMENT_STATISTICS:
        if np.isnan(figure.value(agreement)):
            assert "F" in undefined_reason(study, figure, agreement)
    assert np.isnan(get_statistic("pearson").value(agreement))
    assert order_by_statistic(study, get_statistic("pearson")) == [0, 1]
    of_three = build_meta_eval_data(View(make_scored_corpus()), ratings(SYSTEMS[:3]))
    three = meta_evaluate(data.systems[:3], of_three.metrics, HumanSystemScores(of_three.human.systems))
    assert metric_verdicts(three, get_statistic("pearson"), "none", 0.05) is None
    assert "more than 3 systems" in untested_reason(three, get_statistic("pearson"))


def test_metric_without_scores_of_a_system_names_the_system():
    empty = {**column().systems, "two": np.full(SIZE, np.nan)}
    data = build_meta_eval_data(View(make_scored_corpus(M=column(), L=MetricColumn(empty, origin="l"))), ratings())
    study = meta_evaluate(data.systems, data.metrics, data.human)
    agreement = study.agreements[1]
    for name in ("pearson", "kendall", "pairs", "spa"):
        assert np.isnan(get_statistic(name).value(agreement))
        assert undefined_reason(study, get_statistic(name), agreement) == "L has no score for two."
