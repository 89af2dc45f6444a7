"""What people and metrics gave the same systems, and their correlations on segments that are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics import Metric
from qe_desktop.metrics.external import ExternalScores, external_metric, external_rows
from qe_desktop.metrics.family import Floats
from qe_desktop.significance.bootstrap import percentile_intervals, resampled_scores
from qe_desktop.significance.randomization import FamilyRows, OnRandomisation
from qe_desktop.studies.meta_eval.perm_both import Sides
from qe_desktop.studies.meta_eval.soft_pairwise_accuracy import SPA_ROUNDS
from qe_desktop.studies.meta_eval.system_level import Orientation, system_kendall, system_pearson, system_spearman

CORRELATIONS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "pearson": system_pearson,
    "spearman": system_spearman,
    "kendall": system_kendall,
}
"""Correlations over systems, by the names that programs know them by."""
HEADINGS = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall"}
"""The same, by the names that people know them by."""
UNDEFINED = float("nan")
SegmentSet = Literal["common", "all"]
MIN_COMMON_SEGMENTS = 2
"""Of fewer common segments no study is made: each figure takes those that it can use."""


@dataclass(frozen=True, slots=True, eq=False)
class HumanSystemScores:
    """What people gave systems, more being better: `systems` of shape (systems,).

    `scores` are those of segments, shape (systems, segments), NaN where they gave none; None where there is no more
    than a score of each system.
    """

    systems: Floats
    scores: Floats | None = None

    @classmethod
    def of_segments(cls, scores: Floats) -> HumanSystemScores:
        """Scores of segments: those of systems are their means, NaN without any."""
        rated = ~np.isnan(scores)
        count = rated.sum(axis=1)
        means = np.where(rated, scores, 0.0).sum(axis=1) / np.maximum(count, 1)
        return cls(np.where(count > 0, means, np.nan), scores)

    @property
    def rated(self) -> NDArray[np.bool_]:
        """Which segments of which systems were rated; a QE study without scores of segments has no such."""
        return np.zeros((len(self.systems), 0), bool) if self.scores is None else ~np.isnan(self.scores)

    def shared(self, segments: int) -> NDArray[np.bool_]:
        """Which of all segments were rated of every system; none where people scored no segments."""
        return np.zeros(segments, bool) if self.scores is None else np.asarray(self.rated.all(axis=0))

    def only(self, kept: NDArray[np.bool_]) -> HumanSystemScores:
        """Scores of some segments, shape (segments,), of which systems have the means; as it is where none is lost."""
        if self.scores is None or not (self.rated & ~kept).any():
            return self
        return HumanSystemScores.of_segments(np.where(kept, self.scores, np.nan))

    def counted(self, segments: int) -> NDArray[np.bool_]:
        """On which segments metrics score systems: those that were rated, where they are the same of all; else all."""
        rated = self.rated
        same = bool(rated.size) and bool((rated == rated[:1]).all())
        return self.shared(segments) if same else np.ones(segments, bool)


@dataclass(frozen=True, slots=True, eq=False)
class MetricSystemScores:
    """What is studied: `families` with rows of shape (systems, segments, columns), and metrics that gave each system a
    score and no more, shape (systems,).
    """

    families: tuple[FamilyRows, ...]
    alone: tuple[tuple[Metric, Floats], ...] = ()

    @property
    def all(self) -> list[Metric]:
        """Every metric, those of families first."""
        return [*self.of_families, *(metric for metric, _ in self.alone)]

    @property
    def of_families(self) -> list[Metric]:
        """The metrics that have rows."""
        return [metric for family in self.families for metric in family.metrics]

    @property
    def segments(self) -> int:
        """How many segments there are rows of."""
        return self.families[0].rows.shape[1] if self.families else 0

    def on(self, kept: NDArray[np.bool_]) -> list[FamilyRows]:
        """The rows of some segments."""
        return [replace(family, rows=family.rows[:, kept]) for family in self.families]

    def of_segments(self) -> list[Floats]:
        """The score of every segment by each metric that has rows, shape (systems, segments), more being better."""
        return [metric.better * metric.score(family.rows) for family in self.families for metric in family.metrics]


@dataclass(frozen=True, slots=True)
class MetaEvalOptions:
    """How a study is made: the seed and rounds of permutations and draws, how differences of pairs are taken, whether
    tests of two metrics are two-sided, or one-sided: is the metric with the higher figure better? `segments`: whether
    all figures are of the segments that are common to people and all metrics, or each of all that it can use.
    """

    seed: int = 1
    rounds: int = SPA_ROUNDS
    draws: int = 1_000
    orientation: Orientation = "ahead"
    sides: Sides = "two"
    segments: SegmentSet = "common"


def common_segments(metrics: MetricSystemScores, people: HumanSystemScores) -> NDArray[np.bool_]:
    """Which segments people and all metrics scored of every system, shape (segments,).

    A metric that scored none of them for some system does not count: it would leave none to the others.
    """
    rated = people.shared(metrics.segments)
    kept = rated.copy()
    for family in metrics.families:
        if family.metrics[0].family.partial:
            known = family.rows[:, :, -1] > 0
            if known[:, rated].any(axis=1).all():
                kept &= known.all(axis=0)
    return kept


def studied_human_scores(
    metrics: MetricSystemScores, people: HumanSystemScores, options: MetaEvalOptions
) -> HumanSystemScores:
    """What people gave the segments that are studied."""
    if options.segments == "all" or people.scores is None or not metrics.families:
        return people
    kept = common_segments(metrics, people)
    return people.only(kept) if kept.sum() >= MIN_COMMON_SEGMENTS else people


def human_rows(people: HumanSystemScores, kept: NDArray[np.bool_]) -> FamilyRows:
    """What people gave these segments, as rows."""
    assert people.scores is not None
    rows = np.stack([external_rows(ExternalScores(scores)) for scores in people.scores[:, kept]])
    return FamilyRows(rows, (external_metric("people"),))


def bootstrap_scores(
    families: Sequence[FamilyRows],
    people: HumanSystemScores,
    counted: NDArray[np.bool_],
    options: MetaEvalOptions,
    watch: OnRandomisation | None,
) -> Floats:
    """Scores on segments drawn with replacement, more being better, people first: (1 + metrics, draws, systems)."""
    if not families:
        return np.broadcast_to(people.systems, (1, 1, len(people.systems)))
    asked = [*families] if people.scores is None else [human_rows(people, counted), *families]
    found = np.swapaxes(resampled_scores(asked, rounds=options.draws, seed=options.seed, watch=watch), 1, 2)
    metrics = [metric for family in asked for metric in family.metrics]
    found = np.asarray(found * np.asarray([metric.better for metric in metrics])[:, None, None])
    if people.scores is None:
        return np.concatenate([np.broadcast_to(people.systems, (1, *found.shape[1:])), found])
    return found


def system_score_intervals(drawn: Floats, better: int = 1) -> Floats:
    """95 % intervals of systems' scores as they are printed, shape (systems, 2); drawn ones have (draws, systems).

    Drawn scores are such that more is better, so those of a metric by which less is are turned back.
    """
    return np.sort(better * percentile_intervals(np.swapaxes(drawn, 0, 1)), axis=-1)
