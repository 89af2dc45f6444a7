"""Results of systems for several language pairs and metrics: scores, intervals, tests, clusters and averages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from qe_desktop.corpus import QeError
from qe_desktop.corpus.columns import Floats
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import Scoring
from qe_desktop.metrics import Metric

if TYPE_CHECKING:
    # not imported at run time: reading folders needs no significance tests
    from qe_desktop.significance import Comparison, FamilyRows, MetricComparison, SignificanceOptions
    from qe_desktop.significance.randomization import OnRounds


PROGRESS_STEPS = 1_000
"""Number of progress steps per language pair."""
SCORING_SHARE, TESTING_SHARE = 0.2, 0.8
"""Progress on a language pair, as a fraction, when scoring ends and when testing ends; the rest is for intervals."""


@dataclass(frozen=True, slots=True)
class SystemFinding:
    """Result of one system for one metric: score (NaN if undefined) and 95% confidence interval (NaN if undefined).

    `cluster` is 1-based; `ranks` are the best and the worst possible rank. `cluster` and `ranks` are None if the system
    was not tested.
    """

    score: float
    interval: tuple[float, float]
    cluster: int | None = None
    ranks: tuple[int, int] | None = None


def top_systems(findings: Sequence[SystemFinding | None]) -> set[int]:
    """Return the indices of the systems that no other system significantly outperforms, which tables show in bold.

    Untested systems are left out. The result is empty if no system is significantly outperformed.
    """
    present = {index: finding for index, finding in enumerate(findings) if finding is not None}
    top = {index for index, finding in present.items() if finding.ranks is not None and finding.ranks[0] == 1}
    return top if len(top) < len(present) else set()


@dataclass(frozen=True, slots=True, eq=False)
class PairFindings:
    """Results of a language pair: scores, 95% confidence intervals by metric name, and one comparison per test.

    `scores` has shape (systems, metrics), and each array in `intervals` has shape (systems, 2).
    """

    name: str
    scoring: Scoring
    metrics: tuple[Metric, ...]
    scores: Floats
    intervals: Mapping[str, Floats]
    comparisons: tuple[Comparison, ...] = ()
    problems: tuple[str, ...] = ()
    """Reasons why tests could not be run."""

    @property
    def systems(self) -> tuple[str, ...]:
        """Return the names of the systems."""
        return self.scoring.names

    def test_results(self, metric: str) -> MetricComparison | None:
        """Return the test results for a metric; None if there are none."""
        comparison = self.comparison(metric)
        return None if comparison is None else comparison.of(metric)

    def comparison(self, metric: str) -> Comparison | None:
        """Return the comparison that includes a metric; None if there is none."""
        return next(
            (
                comparison
                for comparison in self.comparisons
                if any(metric == of.metric.name for of in comparison.metrics)
            ),
            None,
        )

    def column(self, metric: Metric) -> int:
        """Return the index of a metric in `scores`, found by name because its tokenization may differ between pairs."""
        return [shared.name for shared in self.metrics].index(metric.name)

    def order(self, metric: Metric) -> list[int]:
        """Return the indices of the systems, ordered by a metric: best first, undefined last, ties as in `systems`."""
        sort_keys = metric.sort_keys(self.scores[:, self.column(metric)])
        return [int(index) for index in np.argsort(-sort_keys, kind="stable")]

    def cluster_ends(self, metric: Metric) -> tuple[int, ...]:
        """Return, for each boundary between two clusters, how many systems in `order` precede it.

        The result is empty if there is no boundary. No boundary separates the last cluster from untested systems.
        """
        tested = self.test_results(metric.name)
        sizes = [len(cluster) for cluster in tested.clusters] if tested is not None else []
        return tuple(accumulate(sizes))[:-1]

    def system_findings(self, metric: Metric) -> list[SystemFinding]:
        """Return each system's result for a metric, in the order of `systems`."""
        scores = self.scores[:, self.column(metric)].tolist()
        intervals = [(low, high) for low, high in self.intervals[metric.name].tolist()]
        tested = self.test_results(metric.name)
        if tested is None:
            return [SystemFinding(score, interval) for score, interval in zip(scores, intervals, strict=True)]
        clusters = {index: number for number, systems in enumerate(tested.clusters, 1) for index in systems}
        ranks = {index: (best, worst) for index, (best, worst) in enumerate(tested.ranks.tolist()) if index in clusters}
        return [
            SystemFinding(score, interval, clusters.get(index), ranks.get(index))
            for index, (score, interval) in enumerate(zip(scores, intervals, strict=True))
        ]


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """Results of several language pairs for the systems of one level, with the same metrics and options."""

    level: Level
    metrics: tuple[Metric, ...]
    pairs: tuple[PairFindings, ...]
    options: SignificanceOptions

    @property
    def systems(self) -> list[str]:
        """Return the systems, ordered by their average of the first metric, best first.

        Systems that are missing from a language pair come after all others.
        """
        first = self.metrics[0]
        scores = self._scores(first)
        # the mean of an incomplete system covers fewer pairs: it only defines the order and is not comparable
        sort_keys = first.sort_keys(np.array([np.mean(column) for column in scores.values()]))
        is_incomplete = [len(column) < len(self.pairs) for column in scores.values()]
        names = list(scores)
        return [names[index] for index in np.lexsort((-sort_keys, np.array(is_incomplete)))]

    def averages(self, metric: Metric) -> dict[str, float]:
        """Return the mean score of each system over the pairs; NaN if a score is missing or undefined."""
        return {
            name: float(np.mean(scores)) if len(scores) == len(self.pairs) else float("nan")
            for name, scores in self._scores(metric).items()
        }

    def with_first_metric(self, metric: str) -> Findings:
        """Return findings with `metric` as the first metric, which determines the order of the systems.

        The findings are unchanged if they do not include the metric.
        """
        first = [item for item in self.metrics if item.name == metric]
        metrics = (*first, *(item for item in self.metrics if item.name != metric))
        order = [self.metrics.index(item) for item in metrics]
        pairs = tuple(
            replace(pair, metrics=tuple(pair.metrics[index] for index in order), scores=pair.scores[:, order])
            for pair in self.pairs
        )
        return replace(self, metrics=metrics, pairs=pairs)

    def with_options(self, options: SignificanceOptions) -> Findings:
        """Return findings with the correction and alpha of `options`, without running any test again."""
        from qe_desktop.significance import rejudge_comparison

        def replace_options(options_made: SignificanceOptions) -> SignificanceOptions:
            return replace(options_made, correction=options.correction, alpha=options.alpha)

        pairs = tuple(
            replace(
                pair,
                comparisons=tuple(
                    rejudge_comparison(comparison, replace_options(comparison.options))
                    for comparison in pair.comparisons
                ),
            )
            for pair in self.pairs
        )
        return replace(self, pairs=pairs, options=replace_options(self.options))

    def missing_pairs(self) -> dict[str, list[str]]:
        """Return the language pairs from which each system is missing; systems in all pairs are left out."""
        systems_by_pair = [(pair.name, set(pair.systems)) for pair in self.pairs]
        missing = {name: [pair for pair, systems in systems_by_pair if name not in systems] for name in self.systems}
        return {name: pairs for name, pairs in missing.items() if pairs}

    def _scores(self, metric: Metric) -> dict[str, list[float]]:
        """Return the scores of each system for a metric: one score per language pair that includes the system."""
        column = self.metrics.index(metric)
        by_system: dict[str, list[float]] = {}
        for pair in self.pairs:
            for name, score in zip(pair.systems, pair.scores[:, column].tolist(), strict=True):
                by_system.setdefault(name, []).append(score)
        return by_system


def collect_findings(
    pairs: Mapping[str, Scoring],
    metrics: Sequence[Metric],
    options: SignificanceOptions,
    *,
    on_progress: OnRounds | None = None,
) -> Findings:
    """Score and compare the systems of each language pair; there must be at least one pair.

    Each metric uses the test selected in the options or, by default, its standard test. `on_progress` receives the
    number of completed steps and the total, from any thread, and may raise an exception to stop. If a test cannot be
    run, the reason is in `PairFindings.problems`. Raises QeError if the resampling unit is the document but documents
    are unknown, or if a tokenizer cannot be used.
    """
    results = []
    for index, (name, scoring) in enumerate(pairs.items()):

        def share(done: float, index: int = index) -> None:
            if on_progress is not None:
                on_progress(index * PROGRESS_STEPS + round(done * PROGRESS_STEPS), len(pairs) * PROGRESS_STEPS)

        level_metrics = tuple(scoring.level.metrics.get(metric.name, metric) for metric in metrics)
        results.append(_findings_for_pair(name, scoring, level_metrics, options, share))
    level = next(iter(pairs.values())).level
    return Findings(level, tuple(metrics), tuple(results), options)


def _findings_for_pair(
    name: str,
    scoring: Scoring,
    metrics: tuple[Metric, ...],
    options: SignificanceOptions,
    on_progress: OnProgress,
) -> PairFindings:
    rows = scoring.family_rows(metrics, lambda done: on_progress(SCORING_SHARE * done))
    totals = {
        family_rows.metrics[0].family.name: family_rows.rows.sum(axis=1, dtype=np.float64) for family_rows in rows
    }
    scores = np.stack([metric.score(totals[metric.family.name]) for metric in metrics], axis=-1)
    by_test: dict[str, list[Metric]] = {}
    for metric in metrics:
        if metric.family.has_independent_rows and len(scoring.subjects) > 1:
            by_test.setdefault(options.test or scoring.level.default_test([metric], options.unit), []).append(metric)
    comparisons, problems = [], list[str]()
    for index, (test, tested) in enumerate(by_test.items()):

        def on_test_progress(done: int, total: int, index: int = index) -> None:
            on_progress(SCORING_SHARE + (TESTING_SHARE - SCORING_SHARE) * (index + done / total) / len(by_test))

        try:
            comparisons.append(
                scoring.compare_rows(_rows_for(rows, tested), tested, replace(options, test=test), on_test_progress)
            )
        except QeError as error:
            # errors in one test must not affect other pairs and tests
            problems.append(error.message)

    def on_interval_progress(done: int, total: int) -> None:
        on_progress(TESTING_SHARE + (1 - TESTING_SHARE) * done / total)

    intervals = scoring.intervals(rows, options, on_interval_progress)
    return PairFindings(name, scoring, metrics, scores, intervals, tuple(comparisons), tuple(problems))


def _rows_for(rows: Sequence[FamilyRows], metrics: Sequence[Metric]) -> list[FamilyRows]:
    """Select the rows of the families of `metrics`, with only these metrics."""
    rows_and_metrics = [
        (family_rows, tuple(metric for metric in family_rows.metrics if metric in metrics)) for family_rows in rows
    ]
    return [replace(family_rows, metrics=tested) for family_rows, tested in rows_and_metrics if tested]
