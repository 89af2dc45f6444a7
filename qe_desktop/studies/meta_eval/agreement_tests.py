"""Significance tests of whether one metric agrees better than another with human scores, for every statistic."""

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

"perm-both" (PERM-BOTH) swaps the scores of two metrics for single translations, or for all translations of a document
by one system. "segments" and "documents" swap the scores for all translations of a segment or document together.
"williams" is the Williams test, which treats systems as a sample.
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
"""Functions that return the value of each statistic for which metrics are tested, keyed by JSON name."""


@dataclass(frozen=True, slots=True, eq=False)
class SegmentScores:
    """Segment scores by metrics and by humans, and a mask of segments.

    `metrics` are arrays of shape (systems, segments) in which higher is better, one for each metric with segment
    scores. `shared` (segments,) marks the segments with a human score for every system.
    """

    metrics: tuple[Floats, ...]
    human: HumanSystemScores
    shared: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class AgreementTests:
    """Significance tests of whether one metric agrees better than another with human scores.

    The mappings are keyed by statistic. `p` has symmetric matrices of p-values, shape (metrics, metrics), with 1 on the
    diagonal and NaN for undefined values. `tests` has the name of each test, and `segments` the number of segments it
    used, 0 for a system-level test. `williams` has the p-values of the Williams test of Pearson's r over systems; None
    if `p` has these p-values, or if there are too few systems.
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
    """Test, for all pairs of metrics, whether one agrees better than the other with human scores.

    `correlations` (metrics, metrics) are correlations between the system scores of two metrics. PERM-BOTH tests
    statistics computed from mean segment scores. p is 1 if these statistics order two metrics differently from the
    reported statistics, which is possible for BLEU of whole texts. Raises QeError if `options.unit` is "document" but
    documents are unknown.
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
                reported = np.asarray([TESTED_STATISTICS[figure](agreements[index]) for index in metric_indices])
                p[figure] = _expand_to_all(
                    _correct_contradictory_p(values, result.observed[figure], reported), metric_indices, len(agreements)
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
    """Return the contribution of each unit to acc*eq, shape (metrics, units), as values for `paired_p_values`.

    Metric and human scores have shape (systems, segments). `epsilons` has the ε of each metric, `units` the index of
    the unit of each segment.
    """
    return np.stack(
        [
            sum_by_unit(accuracy_by_segment(metric, human, epsilon), units)
            for metric, epsilon in zip(metrics, epsilons, strict=True)
        ]
    )


def _select_tested(scores: SegmentScores) -> tuple[Ints, NDArray[np.bool_]]:
    """Return the indices of the metrics that score every system, and a mask of the segments on which they are tested.

    In these segments, every system has a human score and a score by each of these metrics.
    """
    common = scores.shared.copy()
    is_scored = (
        [~np.isnan(scores_of_metric) for scores_of_metric in scores.metrics] if scores.human.scores is not None else []
    )
    indices = [index for index, is_known in enumerate(is_scored) if is_known[:, scores.shared].any(axis=1).all()]
    for index in indices:
        common &= is_scored[index].all(axis=0)
    return np.asarray(indices, np.int64), common


def _correct_contradictory_p(p: Floats, tested: Floats, reported: Floats) -> Floats:
    """Return p, set to 1 where the tested and the reported statistics (`reported`) order two metrics differently.

    The result is NaN where a reported statistic is undefined.
    """
    with np.errstate(invalid="ignore"):
        is_contradictory = (tested[:, None] - tested) * (reported[:, None] - reported) < 0
    undefined = np.isnan(reported)[:, None] | np.isnan(reported)
    return np.where(undefined, np.nan, np.where(is_contradictory, 1.0, p))


def _williams(agreements: Sequence[MetricAgreement], correlations: Floats, options: MetaEvalOptions) -> Floats | None:
    systems = len(agreements[0].scores) if agreements else 0
    if systems < MIN_WILLIAMS_SEGMENTS:
        return None
    human_correlations = np.asarray([agreement.correlations["pearson"] for agreement in agreements])
    return williams_p(human_correlations, correlations, systems, two_tailed=options.sides == "two")


def _expand_to_all(p: Floats, indices: Ints, metrics: int) -> Floats:
    """Expand the p-values of the metrics at `indices` to all metrics, with NaN for the rest."""
    widened = np.full((metrics, metrics), np.nan)
    widened[np.ix_(indices, indices)] = p
    return widened
