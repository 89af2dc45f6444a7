"""Curves of agreement with people: their points are what studies of those metrics and references say."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from qe_desktop.corpus import QeError, TextColumn
from qe_desktop.levels.translations.translation_inputs import level_of, scoring_of
from qe_desktop.metrics.text.translation_metrics import TranslationMetricSettings
from qe_desktop.studies.meta_eval.agreement_curves import (
    MAX_REFERENCE_SETS,
    RECALL_STEPS,
    StudiedTexts,
    recall_curve,
    reference_curves,
    reference_sets,
)
from qe_desktop.studies.meta_eval.meta_evaluation import meta_evaluate
from qe_desktop.studies.meta_eval.score_data import CORRELATIONS, HumanSystemScores, MetaEvalOptions, MetricSystemScores

WORDS = tuple("abcdefghijklmnopqr")
OPTIONS = MetaEvalOptions(seed=3, draws=200, rounds=50)
SYSTEMS = ("one", "two", "three", "four", "five")
BY_WEIGHT = {0.0: "unigram-P", 0.5: "unigram-F1", 0.9: "unigram-Fmean", 1.0: "unigram-R"}


def texts_of(references=2, segments=40, seed=5):
    """Systems that lose or add words, each in its own measure, and people who mind the lost ones."""
    dice = np.random.default_rng(seed)

    def changed(words, lost, added):
        kept = [word for word in words if dice.random() >= lost]
        return " ".join([*kept, *dice.choice(WORDS, dice.binomial(len(words), added))])

    sources = [list(dice.choice(WORDS, dice.integers(5, 12))) for _ in range(segments)]
    held = {f"r{place}": [changed(one, 0.1, 0.1) for one in sources] for place in range(references)}
    losing = [0.1, 0.2, 0.3, 0.4, 0.5]
    adding = [0.5, 0.1, 0.4, 0.0, 0.3]
    systems = {
        name: [changed(one, lost, added) for one in sources]
        for name, lost, added in zip(SYSTEMS, losing, adding, strict=True)
    }
    people = np.stack([5 - 6 * lost + dice.normal(0, 1, segments) for lost in losing])
    settings = TranslationMetricSettings(references=references)
    columns = ({name: TextColumn.of(lines) for name, lines in texts.items()} for texts in (held, systems))
    return StudiedTexts(scoring_of(level_of(settings), *columns), settings), HumanSystemScores.of_segments(people)


def studied(texts, people, names):
    """What a study says of these metrics."""
    scoring = texts.scoring
    families = scoring.family_rows([scoring.level.metrics[name] for name in names])
    found = meta_evaluate(SYSTEMS, MetricSystemScores(tuple(families)), people, OPTIONS)
    return {one.metric.name: one for one in found.agreements}


@pytest.mark.parametrize("references", [1, 3])
def test_weights_that_are_metrics_agree_as_these_do(references):
    texts, people = texts_of(references)
    curve = recall_curve(texts, people, OPTIONS)
    expected = studied(texts, people, BY_WEIGHT.values())
    points = {point.at: point for point in curve.points}
    assert len(points) == RECALL_STEPS + 1
    assert sorted(points) == list(points)
    for weight, name in BY_WEIGHT.items():
        assert points[weight].correlations == pytest.approx(expected[name].correlations)
        for correlation in CORRELATIONS:
            assert points[weight].intervals[correlation] == pytest.approx(expected[name].intervals[correlation])
    # people mind lost words, so recall is what agrees with them
    assert curve.best.at > 0.5
    assert points[1.0].correlations["pearson"] > points[0.0].correlations["pearson"]


def test_a_weight_takes_the_reference_that_it_likes_best():
    """Precision likes the short reference and recall the one with nothing more in it."""
    texts, people = texts_of(2)
    by_weight = {point.at: point.correlations["pearson"] for point in recall_curve(texts, people, OPTIONS).points}
    for names in (["r0"], ["r1"]):
        alone = StudiedTexts(texts.with_references(names), texts.settings)
        single = {point.at: point.correlations["pearson"] for point in recall_curve(alone, people, OPTIONS).points}
        assert single != pytest.approx(by_weight)


def test_numbers_of_references_are_means_over_sets_of_them():
    texts, people = texts_of(3)
    names = ("BLEU", "chrF", "unigram-Fmean")
    curves = reference_curves(texts, names, people, OPTIONS)
    assert [curve.metric for curve in curves] == list(names)
    whole = studied(texts, people, names)
    singles = [
        studied(StudiedTexts(texts.with_references([name]), texts.settings), people, names) for name in texts.references
    ]
    for curve in curves:
        assert [(point.at, point.sets, point.sampled) for point in curve.points] == [
            (1, 3, False), (2, 3, False), (3, 1, False),
        ]  # fmt: skip
        assert curve.points[-1].correlations == pytest.approx(whole[curve.metric].correlations)
        assert curve.points[-1].intervals["pearson"] == pytest.approx(whole[curve.metric].intervals["pearson"])
        mean = np.mean([one[curve.metric].correlations["pearson"] for one in singles])
        assert curve.points[0].correlations["pearson"] == pytest.approx(mean)
        for point in curve.points:
            low, high = point.intervals["pearson"]
            assert low < high


def test_many_sets_are_drawn_from_the_seed():
    assert reference_sets(4, 2, 1) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    drawn = reference_sets(12, 5, 1)
    assert len(set(drawn)) == MAX_REFERENCE_SETS < comb(12, 5)
    assert all(len(set(one)) == 5 and set(one) <= set(range(12)) for one in drawn)
    assert drawn == reference_sets(12, 5, 1) != reference_sets(12, 5, 2)


def test_one_reference_makes_no_curve():
    texts, people = texts_of(1)
    with pytest.raises(QeError, match="needs at least two"):
        reference_curves(texts, ("BLEU",), people, OPTIONS)


def test_progress_is_that_of_all_sets():
    texts, people = texts_of(2)
    told = []
    reference_curves(texts, ("unigram-R",), people, OPTIONS, lambda done, rounds: told.append(done / rounds))
    assert told == sorted(told)
    assert told[-1] == 1


def test_on_segments_that_people_did_not_rate_nothing_is_counted():
    texts, people = texts_of(1)
    scores = people.scores.copy()
    scores[:, 30:] = np.nan
    some = HumanSystemScores.of_segments(scores)
    expected = studied(texts, some, ["unigram-Fmean"])["unigram-Fmean"]
    points = {point.at: point for point in recall_curve(texts, some, OPTIONS).points}
    assert points[0.9].correlations == pytest.approx(expected.correlations)
    assert points[0.9].correlations != pytest.approx(
        studied(texts, people, ["unigram-Fmean"])["unigram-Fmean"].correlations
    )
