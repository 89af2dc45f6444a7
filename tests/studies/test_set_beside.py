"""What people gave beside what metrics gave: names in common, ranks apart, figures and their reasons."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import MetricColumn, NamesMatched, QeError, Ratings, Score, ScoreRatings, TextColumn, View
from qe_desktop.corpus.corpus import Corpus
from qe_desktop.significance import Sureness
from qe_desktop.significance.judged_pairs import judged_pairs
from qe_desktop.studies.beside_people import People
from qe_desktop.studies.figures import FIGURES, figure_named, order_by, undefined, untested, verdicts
from qe_desktop.studies.humans import study_humans
from qe_desktop.studies.open_inputs import Chosen, ask_of, has_metrics, known_metrics, usual_metrics
from qe_desktop.studies.rank_gaps import rank_gap, ranks_of
from qe_desktop.studies.set_beside import NamesDiffer

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
    assert known_metrics(corpus) == usual_metrics(corpus) == ("M", "E")
    asked = ask_of(View(corpus), ratings())
    assert asked.systems == SYSTEMS
    assert [one.name for one in asked.metrics.all] == ["M", "E"]
    assert asked.texts is None
    assert not asked.names.differ
    assert asked.people.systems.tolist() == [asked.people.scores[place].mean() for place in range(4)]


def test_nothing_to_set_beside_people_is_refused():
    assert not has_metrics(Corpus("c", SIZE))
    with pytest.raises(QeError, match="no metric"):
        ask_of(View(Corpus("c", SIZE)), ratings())
    with pytest.raises(QeError, match="give none a score"):
        ask_of(View(scored()), Ratings.of())


def test_names_that_differ_are_told_with_those_of_both_sides():
    rated = ratings([f"{name}.1" for name in SYSTEMS[:3]] + ["four"])
    with pytest.raises(NamesDiffer) as refused:
        ask_of(View(scored()), rated)
    names = refused.value.names
    assert (names.people, names.metrics, names.common) == (("one.1", "two.1", "three.1", "four"), SYSTEMS, ("four",))
    assert names.differ
    matched = NamesMatched({f"{name}.1": name for name in SYSTEMS[:3]})
    asked = ask_of(View(replace(scored(), rated=matched)), rated)
    assert asked.systems == SYSTEMS
    other = replace(column(systems=("uno", "two", "three", "four")), matched=NamesMatched({"uno": "one"}))
    assert ask_of(View(scored(M=other)), ratings()).systems == SYSTEMS


def test_what_one_metric_lacks_is_left_out_and_said_where_two_come_from_files_of_one_name():
    fewer = replace(column(systems=SYSTEMS[:3], seed=1), origin="scores")
    asked = ask_of(View(scored(A=fewer, B=replace(column(seed=2), origin="scores"))), ratings())
    assert asked.systems == SYSTEMS[:3]
    assert [note for note in asked.notes if "left out" in note] == ["left out, not in scores: four"]


def test_which_means_of_ratings_are_taken_is_chosen():
    corpus, given = View(scored()), ratings()
    compared, mean = (ask_of(corpus, given, Chosen(by=by)).people.systems for by in ("compared", "mean"))
    # on a short scale systems are compared by the ratings themselves
    assert compared.tolist() == mean.tolist()
    z = ask_of(corpus, given, Chosen(by="z")).people.systems
    assert z.tolist() != mean.tolist()
    assert np.corrcoef(z, mean)[0, 1] == pytest.approx(1.0)
    alone = ask_of(corpus, given, Chosen(systems_only=True))
    assert alone.people.scores is None


def test_counting_texts_can_be_stopped():
    texts = {name: TextColumn.of([f"a b {place} {segment}" for segment in range(SIZE)])
             for place, name in enumerate(SYSTEMS)}  # fmt: skip
    corpus = Corpus("c", SIZE, translations=texts, references={"A": texts["one"], "B": texts["two"]})

    def stop(share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        ask_of(View(corpus), ratings(), watch=stop)
    asked = ask_of(View(corpus), ratings())
    assert asked.signature["references"] == "A+B"
    one = ask_of(View(corpus), ratings(), Chosen(reference=asked.texts.scoring.level.references(View(corpus))[1]))
    assert one.signature["references"] == "A"
    assert one.of_texts == ("BLEU", "chrF", "TER")


def test_ranks_are_among_all_translations_that_both_scored():
    assert ranks_of(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1.0, 3.5, 2.0]
    asked = ask_of(View(scored()), ratings(segments=range(1, 6)))
    gap = rank_gap(asked, 2, "E")
    assert (gap.system, gap.metric, gap.ranked) == ("three", "E", 20)
    assert np.flatnonzero(~np.isnan(gap.values)).tolist() == [1, 2, 3, 4, 5]
    ours = -np.stack([scored().metric_scores["E"].systems[name][1:6] for name in SYSTEMS])
    theirs = asked.people.scores[:, 1:6]
    expected = [
        [(ours < one).sum() + ((ours == one).sum() + 1) / 2 for one in ours[2]],
        [(theirs < one).sum() + ((theirs == one).sum() + 1) / 2 for one in theirs[2]],
    ]
    assert gap.values[1:6] == pytest.approx(np.subtract(*expected))
    with pytest.raises(QeError, match="segments none"):
        rank_gap(asked, 0, "nothing")
    with pytest.raises(QeError, match="not known by segment"):
        rank_gap(ask_of(View(scored()), ratings(), Chosen(systems_only=True)), 0, "M")


def test_p_is_judged_by_what_is_worth_more():
    p = np.array([[1.0, 0.001, np.nan], [0.001, 1.0, 0.02], [np.nan, 0.02, 1.0]])
    worth = np.array([0.1, 0.5, 0.3])
    found = judged_pairs(p, worth, "bonferroni", 0.05)
    assert (found.pair(0, 1).sureness, found.pair(0, 1).better) == (Sureness.STRONG, 1)
    # of the two pairs that were tested
    assert found.pair(1, 2).judged == pytest.approx(0.04)
    assert found.pair(2, 1).better == 1
    assert found.pair(0, 2).sureness is Sureness.UNTESTED
    assert judged_pairs(p, np.zeros(3), "none", 0.05).pair(0, 1).sureness is Sureness.NOT


def test_every_figure_says_why_it_is_undefined():
    flat = MetricColumn({name: np.ones(SIZE) for name in SYSTEMS}, origin="flat")
    asked = ask_of(View(scored(M=column(), F=flat)), ratings())
    study = study_humans(asked.systems, asked.metrics, asked.people)
    one = study.agreements[1]
    for figure in FIGURES:
        if np.isnan(figure.value(one)):
            assert "F" in undefined(study, figure, one)
    assert np.isnan(figure_named("pearson").value(one))
    assert order_by(study, figure_named("pearson")) == [0, 1]
    assert verdicts(study, figure_named("segments-kendall"), "none", 0.05) is None
    assert "no test" in untested(study, figure_named("segments-kendall"))
    of_three = ask_of(View(scored()), ratings(SYSTEMS[:3]))
    three = study_humans(asked.systems[:3], of_three.metrics, People(of_three.people.systems))
    assert verdicts(three, figure_named("pearson"), "none", 0.05) is None
    assert "more systems than the 3" in untested(three, figure_named("pearson"))


def test_a_metric_that_lacks_a_system_says_which():
    empty = {**column().systems, "two": np.full(SIZE, np.nan)}
    asked = ask_of(View(scored(M=column(), L=MetricColumn(empty, origin="l"))), ratings())
    study = study_humans(asked.systems, asked.metrics, asked.people)
    one = study.agreements[1]
    for name in ("pearson", "kendall", "pairs", "spa"):
        assert np.isnan(figure_named(name).value(one))
        assert undefined(study, figure_named(name), one) == "L has no score of two."
