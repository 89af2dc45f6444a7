"""Human and metric scores of the same systems, their bootstrap resamples, and correlations over systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, count_split_documents
from qe_desktop.metrics import Metric
from qe_desktop.metrics.external import ExternalScores, external_metric, external_rows
from qe_desktop.significance.bootstrap import percentile_intervals, resampled_scores
from qe_desktop.significance.comparison import ResamplingUnit, no_documents_error
from qe_desktop.significance.randomization import FamilyRows, OnRounds, sum_by_document
from qe_desktop.studies.meta_eval.perm_both import Sides
from qe_desktop.studies.meta_eval.soft_pairwise_accuracy import SPA_ROUNDS
from qe_desktop.studies.meta_eval.system_level import Orientation, system_kendall, system_pearson, system_spearman

CORRELATIONS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "pearson": system_pearson,
    "spearman": system_spearman,
    "kendall": system_kendall,
}
"""Functions that compute correlations over systems, keyed by the JSON names of the correlations."""
HEADINGS = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall"}
"""Labels of the correlations, with the keys of `CORRELATIONS`."""
UNDEFINED = float("nan")
SegmentSet = Literal["common", "all"]
MIN_COMMON_SEGMENTS = 2
"""Minimum number of common segments; if there are fewer, each statistic uses all segments available to it."""


@dataclass(frozen=True, slots=True, eq=False)
class HumanSystemScores:
    """Human scores of systems; higher is better.

    `systems` (systems,) are system scores. `scores` are segment scores, shape (systems, segments), NaN if missing; None
    if there are only system scores. `documents` is the document index of each segment, shape (segments,), if known.
    `unit` is the unit for display, such as “z-score”; empty if unknown. `omits_segments` states
    whether there are segment scores that the user chose not to use.
    """

    systems: Floats
    scores: Floats | None = None
    documents: NDArray[np.integer] | None = None
    unit: str = ""
    omits_segments: bool = False

    @classmethod
    def of_segments(cls, scores: Floats, documents: NDArray[np.integer] | None = None) -> HumanSystemScores:
        """Return human scores; the score of a system is the mean of its segment scores, NaN if it has none."""
        rated = ~np.isnan(scores)
        count = rated.sum(axis=1)
        means = np.where(rated, scores, 0.0).sum(axis=1) / np.maximum(count, 1)
        return cls(np.where(count > 0, means, np.nan), scores, documents)

    @property
    def split_documents(self) -> int:
        """Number of documents if resampling single segments would split a document, else 0.

        If there are segment scores, only segments with a score for at least one system count.
        """
        if self.documents is None or self.scores is None:
            return count_split_documents(self.documents)
        return count_split_documents(self.documents[self.rated_mask.any(axis=0)])

    def units(self, mask: NDArray[np.bool_], unit: ResamplingUnit) -> NDArray[np.intp]:
        """Return the index of the resampling unit of each segment in `mask` (segments,), from 0 without gaps.

        Raises QeError if `unit` is "document" but documents are unknown.
        """
        if unit == "segment":
            return np.arange(int(mask.sum()))
        if self.documents is None:
            raise no_documents_error()
        return np.asarray(np.unique(self.documents[mask], return_inverse=True)[1].reshape(-1))

    @property
    def rated_mask(self) -> NDArray[np.bool_]:
        """Mask of scores that exist, shape (systems, segments), or (systems, 0) if there are only system scores."""
        return np.zeros((len(self.systems), 0), bool) if self.scores is None else ~np.isnan(self.scores)

    def shared_segments(self, segments: int) -> NDArray[np.bool_]:
        """Return a mask of the segments with scores for every system, all False if there are only system scores."""
        return np.zeros(segments, bool) if self.scores is None else np.asarray(self.rated_mask.all(axis=0))

    def select_segments(self, kept: NDArray[np.bool_]) -> HumanSystemScores:
        """Return the scores of the segments in the mask `kept` (segments,), with system means over these segments.

        The scores are unchanged if all segments with scores are kept.
        """
        if self.scores is None or not (self.rated_mask & ~kept).any():
            return self
        restricted = HumanSystemScores.of_segments(np.where(kept, self.scores, np.nan), self.documents)
        return replace(restricted, unit=self.unit)

    def scored_segments(self, segments: int) -> NDArray[np.bool_]:
        """Return the segments on which metrics are scored, as a mask of shape (segments,).

        These are the segments with human scores if all systems have human scores for the same segments, or else all
        segments.
        """
        rated = self.rated_mask
        same = bool(rated.size) and bool((rated == rated[:1]).all())
        return self.shared_segments(segments) if same else np.ones(segments, bool)


@dataclass(frozen=True, slots=True, eq=False)
class MetricSystemScores:
    """Metrics to evaluate, with segment rows or with system scores only.

    `families` have rows of shape (systems, segments, columns); metrics in `system_level_scores` have system scores
    only, shape (systems,).
    """

    families: tuple[FamilyRows, ...]
    system_level_scores: tuple[tuple[Metric, Floats], ...] = ()

    @property
    def all_metrics(self) -> list[Metric]:
        """All metrics; metrics of families come first."""
        return [*self.family_metrics, *(metric for metric, _ in self.system_level_scores)]

    @property
    def family_metrics(self) -> list[Metric]:
        """Metrics with segment rows."""
        return [metric for family in self.families for metric in family.metrics]

    @property
    def segments(self) -> int:
        """Number of segments in the rows of `families`; 0 if there are no families."""
        return self.families[0].rows.shape[1] if self.families else 0

    def select_segments(self, mask: NDArray[np.bool_]) -> list[FamilyRows]:
        """Return the families with only the rows of the segments in `mask` (segments,)."""
        return [replace(family, rows=family.rows[:, mask]) for family in self.families]

    def segment_scores(self) -> list[Floats]:
        """Return the segment scores, shape (systems, segments), of each metric that has rows; higher is better."""
        return [metric.better * metric.score(family.rows) for family in self.families for metric in family.metrics]


@dataclass(frozen=True, slots=True)
class MetaEvalOptions:
    """Options of a meta-evaluation.

    `rounds` is the number of permutations, and `draws` the number of bootstrap resamples. `orientation` is the
    direction of score differences. Tests between metrics are two-sided, or one-sided for the metric with the higher
    statistic (`sides`). `segments` states whether all statistics use the common segments, or each statistic uses all
    segments available to it. `unit` is the unit permuted in tests between metrics and resampled for intervals. P-values
    of system pairs, and therefore SPA, always come from permutations of segments.
    """

    seed: int = 1
    rounds: int = SPA_ROUNDS
    draws: int = 1_000
    orientation: Orientation = "ahead"
    sides: Sides = "two"
    segments: SegmentSet = "common"
    unit: ResamplingUnit = "segment"


def common_segments(metrics: MetricSystemScores, human: HumanSystemScores) -> NDArray[np.bool_]:
    """Return which segments have human and metric scores for every system, shape (segments,).

    A metric that has no scores at all for one of the systems is ignored, because it would leave no segments.
    """
    rated = human.shared_segments(metrics.segments)
    common = rated.copy()
    for family in metrics.families:
        if family.metrics[0].family.has_missing_rows:
            is_scored = family.rows[:, :, -1] > 0
            if is_scored[:, rated].any(axis=1).all():
                common &= is_scored.all(axis=0)
    return common


def studied_human_scores(
    metrics: MetricSystemScores, human: HumanSystemScores, options: MetaEvalOptions
) -> HumanSystemScores:
    """Return the human scores of the common segments, or all human scores.

    All scores are returned if `options` request all segments, if human or metric segment scores are missing, or if
    fewer than `MIN_COMMON_SEGMENTS` segments are common.
    """
    if options.segments == "all" or human.scores is None or not metrics.families:
        return human
    common = common_segments(metrics, human)
    return human.select_segments(common) if common.sum() >= MIN_COMMON_SEGMENTS else human


def human_rows(human: HumanSystemScores, mask: NDArray[np.bool_]) -> FamilyRows:
    """Return the human scores of the segments in a mask, as rows; `human` must have segment scores."""
    assert human.scores is not None
    rows = np.stack([external_rows(ExternalScores(scores)) for scores in human.scores[:, mask]])
    return FamilyRows(rows, (external_metric("people"),))


def bootstrap_scores(
    families: Sequence[FamilyRows],
    human: HumanSystemScores,
    counted: NDArray[np.bool_],
    options: MetaEvalOptions,
    on_progress: OnRounds | None,
) -> Floats:
    """Return scores on bootstrap resamples of segments, shape (1 + metrics, draws, systems); human scores come first.

    Higher is better for all scores. Human system scores are repeated in each resample if there are no human segment
    scores. Without families, the result has only the observed human scores, shape (1, 1, systems). Raises QeError if
    `options.unit` is "document" but documents are unknown.
    """
    if not families:
        return np.broadcast_to(human.systems, (1, 1, len(human.systems)))
    all_families = [*families] if human.scores is None else [human_rows(human, counted), *families]
    if options.unit == "document":
        units = human.units(counted, options.unit)
        all_families = [FamilyRows(sum_by_document(family.rows, units), family.metrics) for family in all_families]
    result = np.swapaxes(
        resampled_scores(all_families, rounds=options.draws, seed=options.seed, on_progress=on_progress), 1, 2
    )
    metrics = [metric for family in all_families for metric in family.metrics]
    result = np.asarray(result * np.asarray([metric.better for metric in metrics])[:, None, None])
    if human.scores is None:
        return np.concatenate([np.broadcast_to(human.systems, (1, *result.shape[1:])), result])
    return result


def system_score_intervals(resampled: Floats, better: int = 1) -> Floats:
    """Return 95% intervals of system scores in the units of the metric, shape (systems, 2).

    `resampled` has shape (draws, systems), and higher is better. If lower is better for the metric, `better` is −1, and
    the interval ends are negated.
    """
    return np.sort(better * percentile_intervals(np.swapaxes(resampled, 0, 1)), axis=-1)
