"""Curves of correlation with human scores: their points equal studies of the same metrics and references."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
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


def random_texts(references=2, segments=40, seed=5):
    """Return references, translations and human scores, shape (systems, segments).

    The systems lose and add words at different rates; the human scores penalize lost words.
    """
    generator = np.random.default_rng(seed)

    def changed(words, lost, added):
        remaining = [word for word in words if generator.random() >= lost]
        return " ".join([*remaining, *generator.choice(WORDS, generator.binomial(len(words), added))])

    sources = [list(generator.choice(WORDS, generator.integers(5, 12))) for _ in range(segments)]
    reference_texts = {f"r{number}": [changed(source, 0.1, 0.1) for source in sources] for number in range(references)}
    losing = [0.1, 0.2, 0.3, 0.4, 0.5]
    adding = [0.5, 0.1, 0.4, 0.0, 0.3]
    systems = {
        name: [changed(source, lost, added) for source in sources]
        for name, lost, added in zip(SYSTEMS, losing, adding, strict=True)
    }
    people = np.stack([5 - 6 * lost + generator.normal(0, 1, segments) for lost in losing])
    return reference_texts, systems, people


def texts_of(references=2):
    """Return random texts as a study reads them, and their human scores."""
    *texts, people = random_texts(references)
    settings = TranslationMetricSettings(references=references)
    columns = ({name: TextColumn.of(lines) for name, lines in named.items()} for named in texts)
    return StudiedTexts(scoring_of(level_of(settings), *columns), settings), HumanSystemScores.of_segments(people)


def f_mean(matches, translated, reference, weight):
    """Return the harmonic mean of precision and recall with this weight of recall, exactly."""
    return matches / (weight * reference + (1 - weight) * translated)


def count_matches(translation, reference):
    """Return the number of matched words and the lengths of both texts."""
    first, second = translation.split(), reference.split()
    return (Counter(first) & Counter(second)).total(), len(first), len(second)


def score_by_best_references(translations, references, weight):
    """Return the score of a system, and the index of the best reference of each segment."""
    chosen, totals = [], np.zeros(3, int)
    for segment, translation in enumerate(translations):
        counts = [count_matches(translation, lines[segment]) for lines in references.values()]
        values = [f_mean(*row, weight) for row in counts]
        chosen.append(values.index(max(values)))
        totals += counts[chosen[-1]]
    return float(f_mean(*totals.tolist(), weight)), chosen


def agreements_of(texts, people, names):
    """Return the agreement of these metrics as a study computes it, by name."""
    scoring = texts.scoring
    families = scoring.family_rows([scoring.level.metrics[name] for name in names])
    study = meta_evaluate(SYSTEMS, MetricSystemScores(tuple(families)), people, OPTIONS)
    return {agreement.metric.name: agreement for agreement in study.agreements}


@pytest.mark.parametrize("references", [1, 3])
def test_recall_curve_equals_the_metrics_of_those_weights(references):
    texts, people = texts_of(references)
    curve = recall_curve(texts, people, OPTIONS)
    expected = agreements_of(texts, people, BY_WEIGHT.values())
    points = {point.x: point for point in curve.points}
    assert len(points) == RECALL_STEPS + 1
    assert sorted(points) == list(points)
    for weight, name in BY_WEIGHT.items():
        assert points[weight].correlations == pytest.approx(expected[name].correlations)
        for correlation in CORRELATIONS:
            assert points[weight].intervals[correlation] == pytest.approx(expected[name].intervals[correlation])
    # the human scores penalize lost words, so recall agrees with them
    assert curve.best.x > 0.5
    assert points[1.0].correlations["pearson"] > points[0.0].correlations["pearson"]


def test_each_recall_weight_uses_its_best_reference():
    """Precision may be highest against one reference and recall against the other."""
    texts, people = texts_of(2)
    references, systems, human_scores = random_texts(2)
    best_references = set()
    for point in recall_curve(texts, people, OPTIONS).points:
        weight = Fraction(point.x).limit_denominator(RECALL_STEPS)
        scores, chosen = zip(
            *(score_by_best_references(lines, references, weight) for lines in systems.values()), strict=True
        )
        expected = np.corrcoef(scores, human_scores.mean(axis=1))[0, 1]
        assert point.correlations["pearson"] == pytest.approx(expected)
        best_references.add(str(chosen))
    assert len(best_references) > 1


def test_reference_curve_is_the_mean_over_sets_of_references():
    texts, people = texts_of(3)
    names = ("BLEU", "chrF", "unigram-Fmean")
    curves = reference_curves(texts, names, people, OPTIONS)
    assert [curve.metric for curve in curves] == list(names)
    whole = agreements_of(texts, people, names)
    singles = [
        agreements_of(StudiedTexts(texts.with_references([name]), texts.settings), people, names)
        for name in texts.references
    ]
    for curve in curves:
        assert [(point.x, point.set_count, point.sampled) for point in curve.points] == [
            (1, 3, False), (2, 3, False), (3, 1, False),
        ]  # fmt: skip
        assert curve.points[-1].correlations == pytest.approx(whole[curve.metric].correlations)
        assert curve.points[-1].intervals["pearson"] == pytest.approx(whole[curve.metric].intervals["pearson"])
        mean = np.mean([agreements[curve.metric].correlations["pearson"] for agreements in singles])
        assert curve.points[0].correlations["pearson"] == pytest.approx(mean)
        for point in curve.points:
            low, high = point.intervals["pearson"]
            assert low < high


def test_large_numbers_of_reference_sets_are_sampled_by_seed():
    assert reference_sets(4, 2, 1) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    drawn = reference_sets(12, 5, 1)
    assert len(set(drawn)) == MAX_REFERENCE_SETS < comb(12, 5)
    assert all(len(set(names)) == 5 and set(names) <= set(range(12)) for names in drawn)
    assert drawn == reference_sets(12, 5, 1) != reference_sets(12, 5, 2)


def test_reference_curve_of_one_reference_is_refused():
    texts, people = texts_of(1)
    with pytest.raises(QeError, match="needs at least two"):
        reference_curves(texts, ("BLEU",), people, OPTIONS)


def test_progress_covers_all_reference_sets():
    texts, people = texts_of(2)
    shares = []
    reference_curves(texts, ("unigram-R",), people, OPTIONS, lambda done, rounds: shares.append(done / rounds))
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_unrated_segments_are_left_out_of_the_curve():
    texts, people = texts_of(1)
    scores = people.scores.copy()
    scores[:, 30:] = np.nan
    partly_rated = HumanSystemScores.of_segments(scores)
    expected = agreements_of(texts, partly_rated, ["unigram-Fmean"])["unigram-Fmean"]
    points = {point.x: point for point in recall_curve(texts, partly_rated, OPTIONS).points}
    assert points[0.9].correlations == pytest.approx(expected.correlations)
    assert points[0.9].correlations != pytest.approx(
        agreements_of(texts, people, ["unigram-Fmean"])["unigram-Fmean"].correlations
    )
