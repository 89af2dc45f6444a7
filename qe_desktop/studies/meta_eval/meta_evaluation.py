"""Metric meta-evaluation at system, pair and segment level, with tests between metrics.

The system-level statistics are those of Lavie et al. 2004, §3 and tables 1–4, and of the WMT metrics task since 2021.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import QeError
from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics import SENTENCE_METRICS, Metric
from qe_desktop.metrics.correlation import GoldNumbers, SystemNumbers
from qe_desktop.significance.bootstrap import BootstrapWeights, GroupedBootstrapWeights
from qe_desktop.significance.randomization import FamilyRows, OnRounds, subtask
from qe_desktop.studies.meta_eval.agreement import (
    MetricAgreement,
    bootstrap_p_values,
    match_segments,
    percentile_interval,
    segment_intervals,
    system_intervals,
)
from qe_desktop.studies.meta_eval.agreement_tests import AgreementTests, SegmentScores, compare_agreements
from qe_desktop.studies.meta_eval.score_data import (
    CORRELATIONS,
    UNDEFINED,
    HumanSystemScores,
    MetaEvalOptions,
    MetricSystemScores,
    bootstrap_scores,
    human_rows,
    studied_human_scores,
    system_score_intervals,
)
from qe_desktop.studies.meta_eval.soft_pairwise_accuracy import pairwise_p_values, soft_pairwise_accuracy
from qe_desktop.studies.meta_eval.system_level import pairwise_accuracy, pairwise_differences, system_pearson
from qe_desktop.studies.meta_eval.tied_accuracy import has_comparisons, tied_accuracy

MIN_SYSTEMS = 3
"""Minimum number of systems for a correlation."""
PROGRESS_PARTS = 4
"""Number of progress steps: resampling, tests of system pairs, segment-level statistics, and tests between metrics."""


@dataclass(frozen=True, slots=True, eq=False)
class MetaEvaluation:
    """Result of a meta-evaluation.

    `systems` are names, and `human_scores` (systems,) are system scores. `inter_metric` (metrics, metrics) are
    correlations between the system scores of two metrics; `tests` are tests of whether one metric agrees better than
    another with human scores. `segments` is the number of segments from which system scores of metrics are computed.
    `shared_segments` is the number of segments with human scores for all systems, and `rated_segments` the number with
    a human score for at least one system. `human` has the human scores used by the statistics. `human_intervals`
    (systems, 2) are 95% intervals of the human scores, None if human or metric segment scores are missing.
    `human_p_values` (pairs,) are one-sided p-values of system pairs by human scores (alternative: the first system of
    the pair is better), None if untested.
    """

    systems: tuple[str, ...]
    human_scores: Floats
    agreements: tuple[MetricAgreement, ...]
    inter_metric: Floats
    tests: AgreementTests
    segments: int
    shared_segments: int
    rated_segments: int
    options: MetaEvalOptions
    human: HumanSystemScores
    human_intervals: Floats | None = None
    human_p_values: Floats | None = None

    @property
    def metric_p_values(self) -> Mapping[str, Floats]:
        """p-values of tests between metrics, keyed by statistic.

        Each array has shape (metrics, metrics); undefined p-values are NaN.
        """
        return self.tests.p

    @property
    def has_fixed_human_scores(self) -> bool:
        """Whether intervals come from resamples in which human scores do not vary, for lack of segment scores."""
        return self.human.scores is None and any(agreement.intervals for agreement in self.agreements)

    @property
    def pairs(self) -> int:
        """Number of system pairs."""
        return len(self.systems) * (len(self.systems) - 1) // 2


def meta_evaluate(
    systems: Sequence[str],
    metrics: MetricSystemScores,
    human: HumanSystemScores,
    options: MetaEvalOptions | None = None,
    on_progress: OnRounds | None = None,
) -> MetaEvaluation:
    """Evaluate metrics by their agreement with human scores; every system must have a human score.

    Statistics normally use the segments with human and metric scores for every system. If there are fewer than two such
    segments, or if `options` request all segments, metrics are scored on the segments with human scores, or on all
    segments if the segments with human scores differ between systems. In this case, SPA and permutation tests, except
    the test of acc*eq, use the segments with scores for every system.

    `on_progress` receives the progress in `PROGRESS_PARTS` parts of equal weight, and may raise to stop. Raises QeError
    if there are fewer than three systems, or if `options.unit` is "document" but documents are unknown.
    """
    if len(systems) < MIN_SYSTEMS:
        message = tr(
            "a correlation needs at least {n} systems, but there {found:is|are} {found}",
            "",
            MIN_SYSTEMS,
            found=len(systems),
        )
        raise QeError(message, hint=tr("Add scores of more systems."))
    options = options or MetaEvalOptions()
    rated = int(human.shared_segments(metrics.segments).sum()), int(human.rated_mask.any(axis=0).sum())
    human = studied_human_scores(metrics, human, options)
    shared, counted = human.shared_segments(metrics.segments), human.scored_segments(metrics.segments)
    families = metrics.select_segments(counted)
    scores = [metric.score(family.rows.sum(axis=1)) for family in families for metric in family.metrics]
    scores += [external for _, external in metrics.system_level_scores]
    oriented_scores = np.stack(
        [metric.better * score for metric, score in zip(metrics.all_metrics, scores, strict=True)]
    )
    resampled = bootstrap_scores(families, human, counted, options, subtask(on_progress, PROGRESS_PARTS, 0))
    of_pairs = metrics.families and shared.any()
    p_values = (
        _pair_p_values(metrics.select_segments(shared), human, shared, options, subtask(on_progress, PROGRESS_PARTS, 1))
        if of_pairs
        else None
    )
    resampled, p_values = _mask_undefined(np.stack(scores), resampled, p_values)
    agreements_without_intervals = [
        _system_level_agreement(metric, score, better, human, options)
        for metric, score, better in zip(metrics.all_metrics, scores, oriented_scores, strict=True)
    ]
    segment_scores = metrics.segment_scores()
    agreements_with_intervals = [
        replace(
            agreement,
            intervals=system_intervals(resampled[1 + index], resampled[0], options.orientation),
            score_intervals=system_score_intervals(resampled[1 + index], agreement.metric.better),
            pair_p_values=None if p_values is None else p_values[1 + index],
            spa=UNDEFINED if p_values is None else float(soft_pairwise_accuracy(p_values[1 + index], p_values[0])),
            counts=_counts(segment_scores[index], human, int(counted.sum()), int(shared.sum())),
            observations=_observations(segment_scores[index], human),
        )
        for index, agreement in enumerate(agreements_without_intervals[: len(segment_scores)])
    ]
    with_intervals = _WithIntervals(human, metrics.select_segments(shared), shared, options)
    result = _on_segments(
        agreements_with_intervals, segment_scores, with_intervals, subtask(on_progress, PROGRESS_PARTS, 2)
    )
    agreements = [*result, *agreements_without_intervals[len(segment_scores) :]]
    inter_metric = np.stack([system_pearson(oriented_scores, item) for item in oriented_scores])
    of_metrics = SegmentScores(tuple(segment_scores), human, shared)
    tests = compare_agreements(agreements, inter_metric, of_metrics, options, subtask(on_progress, PROGRESS_PARTS, 3))
    has_human_intervals = human.scores is not None and bool(metrics.families)
    return MetaEvaluation(
        tuple(systems),
        human.systems,
        tuple(agreements),
        inter_metric,
        tests,
        int(counted.sum()),
        *rated,
        options,
        human,
        human_intervals=system_score_intervals(resampled[0]) if has_human_intervals else None,
        human_p_values=None if p_values is None else p_values[0],
    )


def _mask_undefined(scores: Floats, resampled: Floats, p_values: Floats | None) -> tuple[Floats, Floats | None]:
    """Return resampled scores and p-values of pairs, with NaN for systems without a score by the metric.

    The returned p-values are None if `p_values` is None.
    """
    undefined = np.isnan(scores[: len(resampled) - 1])
    if not undefined.any():
        return resampled, p_values
    resampled = np.concatenate([resampled[:1], np.where(undefined[:, None], np.nan, resampled[1:])])
    if p_values is not None:
        first, second = np.triu_indices(scores.shape[1], 1)
        p_values = np.concatenate(
            [p_values[:1], np.where(undefined[:, first] | undefined[:, second], np.nan, p_values[1:])]
        )
    return resampled, p_values


def _system_level_agreement(
    metric: Metric, scores: Floats, oriented_scores: Floats, human: HumanSystemScores, options: MetaEvalOptions
) -> MetricAgreement:
    results = {name: float(figure(oriented_scores, human.systems)) for name, figure in CORRELATIONS.items()}
    metric_differences, human_differences = pairwise_differences(oriented_scores, human.systems, options.orientation)
    accuracy = float(pairwise_accuracy(oriented_scores, human.systems))
    return MetricAgreement(
        metric, scores, results, accuracy, float(system_pearson(metric_differences, human_differences))
    )


def _pair_p_values(
    families: Sequence[FamilyRows],
    human: HumanSystemScores,
    shared: NDArray[np.bool_],
    options: MetaEvalOptions,
    on_progress: OnRounds | None,
) -> Floats:
    """Return p-values of system pairs by human scores (first row) and by each metric, shape (1 + metrics, pairs)."""
    all_families = [human_rows(human, shared), *families]
    return pairwise_p_values(all_families, rounds=options.rounds, seed=options.seed, on_progress=on_progress)


def _counts(scores: Floats, human: HumanSystemScores, counted: int, shared: int) -> dict[str, int]:
    """Return the number of segments used by each statistic of a metric; `scores` are its segment scores."""
    counts = dict.fromkeys((*CORRELATIONS, "pairwise_accuracy", "differentials"), counted)
    if human.scores is not None:
        with_both = int((~(np.isnan(scores) | np.isnan(human.scores))).any(axis=0).sum())
        counts |= {"spa": shared, **dict.fromkeys(("segments_pearson", "segments_kendall"), with_both)}
        counts["acc_eq"] = int(has_comparisons(scores, human.scores).sum())
    return counts


def _observations(scores: Floats, human: HumanSystemScores) -> dict[str, int]:
    """Return the number of translations with human and metric scores, by statistic.

    For acc*eq, it is the number of pairs of these translations within segments.
    """
    if human.scores is None:
        return {}
    translations = (~(np.isnan(scores) | np.isnan(human.scores))).sum(axis=0)
    count, pairs = int(translations.sum()), int((translations * (translations - 1) // 2).sum())
    return {"segments_pearson": count, "segments_kendall": count, "acc_eq": pairs}


def _on_segments(
    agreements: Sequence[MetricAgreement],
    scores: Sequence[Floats],
    intervals: _WithIntervals,
    on_progress: OnRounds | None,
) -> list[MetricAgreement]:
    """Return the agreements, with statistics of segment scores added if there are human segment scores.

    `scores` has the segment scores of each metric, shape (systems, segments).
    """
    human = intervals.human
    if human.scores is None:
        return list(agreements)
    results = []
    for index, (agreement, metric_scores) in enumerate(zip(agreements, scores, strict=True)):
        results.append(
            intervals.add_intervals(
                _add_segment_statistics(agreement, metric_scores, human.scores), index, metric_scores
            )
        )
        if on_progress is not None:
            on_progress(len(results), len(agreements))
    return results


class _WithIntervals:
    """Bootstrap intervals of SPA and of segment-level statistics; all metrics use the same resamples.

    `families` has the rows of the segments in the mask `shared`, which have human scores for every system.
    """

    def __init__(
        self,
        human: HumanSystemScores,
        families: Sequence[FamilyRows],
        shared: NDArray[np.bool_],
        options: MetaEvalOptions,
    ) -> None:
        self.human = human
        self._rated = np.asarray(human.rated_mask.any(axis=0))
        # segments of the same mask have the same weights
        self._draws = self._shared_draws = BootstrapWeights(options.draws, options.seed)
        if options.unit == "document":
            self._draws, self._shared_draws = (
                GroupedBootstrapWeights(options.draws, options.seed, human.units(mask, options.unit))
                for mask in (self._rated, shared)
            )
        self._rows = [FamilyRows(family.rows, (metric,)) for family in families for metric in family.metrics]
        self._human_p_values: Floats | None = None
        if shared.any():
            self._human_p_values = bootstrap_p_values(human_rows(human, shared), self._shared_draws)

    def add_intervals(self, agreement: MetricAgreement, index: int, scores: Floats) -> MetricAgreement:
        """Return the agreement with intervals added.

        `index` is the position of the metric among the metrics with rows, and `scores` are its segment scores.
        """
        assert self.human.scores is not None
        metric_scores, human_scores = scores[:, self._rated], self.human.scores[:, self._rated]
        result = segment_intervals(agreement, metric_scores, human_scores, self._draws)
        result["spa"] = UNDEFINED, UNDEFINED
        if self._human_p_values is not None and not np.isnan(agreement.spa):
            result["spa"] = percentile_interval(
                soft_pairwise_accuracy(bootstrap_p_values(self._rows[index], self._shared_draws), self._human_p_values)
            )
        return replace(agreement, intervals={**agreement.intervals, **result})


def _add_segment_statistics(agreement: MetricAgreement, scores: Floats, human: Floats) -> MetricAgreement:
    is_defined = ~(np.isnan(scores) | np.isnan(human))
    numbers = SystemNumbers(scores[is_defined], GoldNumbers(human[is_defined]))
    pooled = {}
    for name in ("Pearson", "Kendall"):
        metric = SENTENCE_METRICS[name]
        pooled[name.lower()] = (
            float(metric.score(metric.family.rows(numbers).sum(axis=0))) if is_defined.any() else UNDEFINED
        )
    return replace(agreement, pooled=pooled, match=match_segments(scores, human), tied=tied_accuracy(scores, human))
