"""Significance tests of which of two metrics agrees better with human scores, for every statistic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.significance.randomization import OnRounds, subtask
from qe_desktop.significance.williams import MIN_WILLIAMS_SEGMENTS, williams_p
from qe_desktop.studies.meta_eval.agreement import MetricAgreement
from qe_desktop.studies.meta_eval.perm_both import MIN_SEGMENTS, PermBoth, paired_p_values, perm_both
from qe_desktop.studies.meta_eval.pooled_permutation import permute_pooled, sum_by_unit
from qe_desktop.studies.meta_eval.score_data import UNDEFINED, HumanSystemScores, MetaEvalOptions
from qe_desktop.studies.meta_eval.tied_accuracy import accuracy_by_segment, has_comparisons

AgreementTestName = Literal["perm-both", "segments", "documents", "williams"]
"""Names of tests between metrics.

PERM-BOTH swaps scores of single translations, or of all translations of a document by one system. "segments" and
"documents" swap the scores of all systems for a segment or document together. Williams treats systems as a sample.
"""
TESTED_STATISTICS: dict[str, Callable[[MetricAgreement], float]] = {
    "pearson": lambda agreement: agreement.correlations["pearson"],
    "spearman": lambda agreement: agreement.correlations["spearman"],
    "kendall": lambda agreement: agreement.correlations["kendall"],
    "pairwise_accuracy": lambda agreement: agreement.pairwise_accuracy,
    "differentials": lambda agreement: agreement.differentials,
    "spa": lambda agreement: agreement.spa,
    "segments_pearson": lambda agreement: agreement.pooled.get("pearson", UNDEFINED),
    "segments_kendall": lambda agreement: agreement.pooled.get("kendall", UNDEFINED),
    "acc_eq": lambda agreement: agreement.tied.accuracy,
}
"""Maps the JSON name of each statistic used to test metrics to a function that returns its value."""


@dataclass(frozen=True, slots=True, eq=False)
class SegmentScores:
    """Segment scores by each metric that has any, human scores, and a mask of segments.

    `metrics` are arrays of shape (systems, segments) in which higher is better; `shared` (segments,) marks the segments
    with a human score for every system.
    """

    metrics: tuple[Floats, ...]
    human: HumanSystemScores
    shared: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class AgreementTests:
    """Significance tests of which of two metrics agrees better with human scores.

    `p` has a symmetric matrix of p-values by statistic, shape (metrics, metrics), with 1 on the diagonal and NaN if
    undefined. `tests` is the test of each statistic, and `segments` its number of segments (0: system-level).
    `williams` has the p-values of the Williams test of Pearson's r over systems; None if `p` has them, or if there are
    too few systems.
    """

    p: Mapping[str, Floats] = field(default_factory=dict)
    tests: Mapping[str, AgreementTestName] = field(default_factory=dict)
    segments: Mapping[str, int] = field(default_factory=dict)
    williams: Floats | None = None


def compare_agreements(
    agreements: Sequence[MetricAgreement],
    correlations: Floats,
    scores: SegmentScores,
    options: MetaEvalOptions,
    on_progress: OnRounds | None,
) -> AgreementTests:
    """Test all pairs of metrics; `correlations` are correlations of their system scores.

    PERM-BOTH tests statistics of mean segment scores. If these statistics order two metrics differently from the
    reported ones (possible for BLEU of whole texts), no difference is shown and p is 1. Raises QeError if documents are
    requested but unknown.
    """
    p: dict[str, Floats] = {}
    tests: dict[str, AgreementTestName] = {}
    segments: dict[str, int] = {}
    unit_test: AgreementTestName = "segments" if options.unit == "segment" else "documents"
    sampling = {"rounds": options.rounds, "seed": options.seed}
    metric_indices, common = _select_tested(scores)
    units = scores.human.units(common, options.unit) if len(metric_indices) else np.arange(0)
    if units.max(initial=0) + 1 >= MIN_SEGMENTS:
        assert scores.human.scores is not None
        tested = np.stack([scores.metrics[index][:, common] for index in metric_indices])
        human = scores.human.scores[:, common]
        named: dict[AgreementTestName, PermBoth] = {
            "perm-both": perm_both(
                tested, human, sides=options.sides, orientation=options.orientation, units=units,
                on_progress=subtask(on_progress, 3, 0), **sampling,
            ),
            unit_test: permute_pooled(tested, human, units, sides=options.sides, on_progress=subtask(on_progress, 3,
            1), **sampling),
        }  # fmt: skip
        for test, result in named.items():
            for figure, values in result.p.items():
                printed = np.asarray([TESTED_STATISTICS[figure](agreements[index]) for index in metric_indices])
                p[figure] = _expand_to_all(
                    _correct_contradictory_p(values, result.observed[figure], printed), metric_indices, len(agreements)
                )
                tests[figure], segments[figure] = test, result.segments
    williams = _williams(agreements, correlations, options)
    if williams is not None and "pearson" not in p:
        p["pearson"], tests["pearson"], segments["pearson"] = williams, "williams", 0
    if scores.human.scores is not None and scores.metrics:
        # comparisons within a segment are dependent, so they are swapped together
        units = scores.human.units(np.ones(scores.human.scores.shape[1], bool), options.unit)
        epsilons = [agreement.tied.epsilon for agreement in agreements[: len(scores.metrics)]]
        accuracies = tied_accuracy_rows(scores.metrics, scores.human.scores, epsilons, units)
        values = paired_p_values(accuracies, sides=options.sides, on_progress=subtask(on_progress, 3, 2), **sampling)
        compared = [has_comparisons(scores_of_metric, scores.human.scores) for scores_of_metric in scores.metrics]
        # a metric without pairs of scored translations has rows of zeros, but no accuracy
        defined = np.flatnonzero([is_defined.any() for is_defined in compared])
        p["acc_eq"] = _expand_to_all(values[np.ix_(defined, defined)], defined, len(agreements))
        tests["acc_eq"], segments["acc_eq"] = unit_test, int(np.any(compared, axis=0).sum())
    return AgreementTests(p, tests, segments, None if tests.get("pearson") == "williams" else williams)


def tied_accuracy_rows(
    metrics: Sequence[Floats], human: Floats, epsilons: Sequence[float], units: NDArray[np.intp]
) -> Floats:
    """Return the contribution of each unit to acc*eq, shape (metrics, units), for `paired_p_values` to swap.

    Metric and human scores have shape (systems, segments); `epsilons` has the ε of each metric, `units` the unit of
    each segment.
    """
    return np.stack(
        [
            sum_by_unit(accuracy_by_segment(metric, human, epsilon), units)
            for metric, epsilon in zip(metrics, epsilons, strict=True)
        ]
    )


def _select_tested(scores: SegmentScores) -> tuple[Ints, NDArray[np.bool_]]:
    """Return the indices of the metrics that score every system, and a mask of the segments on which they are tested.

    These segments have a human score and a score by each of these metrics for every system.
    """
    common = scores.shared.copy()
    is_scored = (
        [~np.isnan(scores_of_metric) for scores_of_metric in scores.metrics] if scores.human.scores is not None else []
    )
    indices = [index for index, is_known in enumerate(is_scored) if is_known[:, scores.shared].any(axis=1).all()]
    for index in indices:
        common &= is_scored[index].all(axis=0)
    return np.asarray(indices, np.int64), common


def _correct_contradictory_p(p: Floats, tested: Floats, printed: Floats) -> Floats:
    """Set p to 1 if tested and reported statistics order two metrics differently.

    p is NaN if a reported statistic is undefined.
    """
    with np.errstate(invalid="ignore"):
        is_contradictory = (tested[:, None] - tested) * (printed[:, None] - printed) < 0
    undefined = np.isnan(printed)[:, None] | np.isnan(printed)
    return np.where(undefined, np.nan, np.where(is_contradictory, 1.0, p))


def _williams(agreements: Sequence[MetricAgreement], correlations: Floats, options: MetaEvalOptions) -> Floats | None:
    systems = len(agreements[0].scores) if agreements else 0
    if systems < MIN_WILLIAMS_SEGMENTS:
        return None
    human_correlations = np.asarray([agreement.correlations["pearson"] for agreement in agreements])
    return williams_p(human_correlations, correlations, systems, two_tailed=options.sides == "two")


def _expand_to_all(p: Floats, indices: Ints, metrics: int) -> Floats:
    """Expand the p-values of some metrics to all metrics, with NaN for the rest."""
    widened = np.full((metrics, metrics), np.nan)
    widened[np.ix_(indices, indices)] = p
    return widened
