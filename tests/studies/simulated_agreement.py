"""Simulated human scores of systems, and scores of metrics that agree with them equally well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.studies.meta_eval.agreement import MetricAgreement
from qe_desktop.studies.meta_eval.agreement_statistics import AGREEMENT_STATISTICS
from qe_desktop.studies.meta_eval.agreement_tests import permute_pooled, tied_accuracy_rows
from qe_desktop.studies.meta_eval.meta_evaluation import meta_evaluate
from qe_desktop.studies.meta_eval.perm_both import Sides, paired_p_values, perm_both
from qe_desktop.studies.meta_eval.score_data import HumanSystemScores, MetaEvalOptions, MetricSystemScores
from qe_desktop.studies.meta_eval.tied_accuracy import tied_accuracy
from tests.studies.test_soft_pairwise_accuracy import rows_of

MetricError = Literal["translation", "segment", "document"]
"""Which translations share half of the error variance of a metric: none, all of one segment, or all of one document and
system.
"""
DOCUMENT_SIZE = 4
"""Segments per simulated document."""


def human_and_metric_scores(
    seed: Sequence[int], systems: int = 10, segments: int = 100, metrics: int = 2, error: MetricError = "translation"
) -> tuple[Floats, Floats]:
    """Return human scores (systems, segments) and scores of exchangeable metrics (metrics, systems, segments).

    Systems and segments differ in quality; human scores and metrics measure it with independent errors.
    """
    generator = np.random.default_rng(seed)
    shape = systems, segments
    quality = (
        np.linspace(0, 0.6, systems)[:, None]
        + generator.normal(0, 0.5, shape)
        + generator.normal(0, 0.5, (1, segments))
    )
    human_scores = quality + generator.normal(0, 0.7, shape)
    return human_scores, np.stack([quality + _errors(generator, shape, error) for _ in range(metrics)])


def _errors(generator: np.random.Generator, shape: tuple[int, int], error: MetricError) -> Floats:
    if error == "translation":
        return generator.normal(size=shape)
    if error == "segment":
        return 0.7 * generator.normal(size=shape) + 0.7 * generator.normal(size=(1, shape[1]))
    of_documents = generator.normal(size=(shape[0], shape[1] // DOCUMENT_SIZE))
    return 0.7 * generator.normal(size=shape) + 0.7 * np.repeat(of_documents, DOCUMENT_SIZE, axis=1)


def false_positive_rates(
    simulations: int,
    *,
    rounds: int,
    sides: Sides = "two",
    systems: int = 10,
    segments: int = 100,
    error: MetricError = "translation",
) -> dict[str, float]:
    """Return how often equally good metrics differ at alpha .05, by statistic; one-sided: the second is better.

    Errors shared by documents are tested with documents as units, others with segments.
    """
    hits: dict[str, int] = {}
    for number in range(simulations):
        human_scores, metrics = human_and_metric_scores((7, number), systems, segments, error=error)
        units = np.arange(segments) // (DOCUMENT_SIZE if error == "document" else 1)
        for result in (
            perm_both(metrics, human_scores, rounds=rounds, seed=number, sides=sides, units=units),
            permute_pooled(metrics, human_scores, units, rounds=rounds, seed=number, sides=sides),
        ):
            for statistic, p in result.p.items():
                is_expected_side = sides == "two" or result.observed[statistic][1] > result.observed[statistic][0]
                hits[statistic] = hits.get(statistic, 0) + int(is_expected_side and p[0, 1] <= 0.05)
        tied = [tied_accuracy(metric, human_scores) for metric in metrics]
        rows = tied_accuracy_rows(list(metrics), human_scores, [accuracy.epsilon for accuracy in tied], units)
        p = paired_p_values(rows, rounds=rounds, seed=number, sides=sides)
        is_expected_side = sides == "two" or tied[1].accuracy > tied[0].accuracy
        hits["acc_eq"] = hits.get("acc_eq", 0) + int(is_expected_side and p[0, 1] <= 0.05)
    return {statistic: count / simulations for statistic, count in hits.items()}


def study_of(seed: Sequence[int], draws: int, systems: int, segments: int) -> MetricAgreement:
    """Return the agreement of one metric with human scores rounded to whole numbers, which have many ties."""
    people, (metric,) = human_and_metric_scores(seed, systems, segments, metrics=1)
    names = [f"s{number}" for number in range(systems)]
    human_scores = HumanSystemScores.of_segments(np.round(people * 1.5))
    options = MetaEvalOptions(seed=seed[-1], rounds=100, draws=draws)
    return meta_evaluate(names, MetricSystemScores((rows_of(metric),)), human_scores, options).agreements[0]


def coverage_rates(
    simulations: int, *, draws: int, systems: int = 10, segments: int = 100, truths: int = 600
) -> dict[str, float]:
    """Return how often the interval of each statistic covers its mean over other samples of these systems."""
    samples = [study_of((99, number), 2, systems, segments) for number in range(truths)]
    truth = {
        statistic.key: np.mean([statistic.value(agreement) for agreement in samples])
        for statistic in AGREEMENT_STATISTICS
    }
    hits = dict.fromkeys(truth, 0)
    for number in range(simulations):
        agreement = study_of((5, number), draws, systems, segments)
        for name, value in truth.items():
            low, high = agreement.intervals[name]
            hits[name] += int(low - 1e-12 <= value <= high + 1e-12)
    return {name: count / simulations for name, count in hits.items()}
