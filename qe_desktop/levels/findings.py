"""Findings: the systems of several language pairs by every metric, with intervals, tests, clusters, and averages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from qe_desktop.corpus import QeError
from qe_desktop.levels.level import Level, OnProgress
from qe_desktop.levels.scoring import Scoring
from qe_desktop.metrics import Metric
from qe_desktop.metrics.family import Floats

if TYPE_CHECKING:
    # what reads folders alone needs no tests
    from qe_desktop.significance import Comparison, FamilyRows, IntervalMethod, MetricComparison, SignificanceOptions
    from qe_desktop.significance.randomization import OnRandomisation


PROGRESS_STEPS = 1_000
"""So many steps of progress a language pair."""
SCORING_SHARE, TESTING_SHARE = 0.2, 0.8
"""The shares of a pair's work that are done when its rows are counted, and when it is tested; intervals come last."""


@dataclass(frozen=True, slots=True)
class SystemFinding:
    """What is known of one system by one metric: its score, NaN where undefined, and the interval, NaN where none is.

    `cluster` is its place among the clusters, from 1, `ranks` the best and worst rank that it may have; None where
    nothing was tested.
    """

    score: float
    interval: tuple[float, float]
    cluster: int | None = None
    ranks: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PairFindings:
    """One language pair: `scores` of shape (systems, metrics), intervals by metrics' names, and one comparison for each
    test that was made.
    """

    name: str
    scoring: Scoring
    metrics: tuple[Metric, ...]
    scores: Floats
    intervals: Mapping[str, Floats]
    comparisons: tuple[Comparison, ...] = ()
    problems: tuple[str, ...] = ()
    """Why tests could not be made."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems' names."""
        return self.scoring.names

    def tested(self, metric: str) -> MetricComparison | None:
        """The tests by a metric; None where none was made."""
        comparison = self.comparison(metric)
        return None if comparison is None else comparison.of(metric)

    def comparison(self, metric: str) -> Comparison | None:
        """The comparison that a metric is part of."""
        return next((one for one in self.comparisons if any(metric == of.metric.name for of in one.metrics)), None)

    def column(self, metric: Metric) -> int:
        """The column of the scores by a metric of this name; pairs may cut texts otherwise for it."""
        return [one.name for one in self.metrics].index(metric.name)

    def order(self, metric: Metric) -> list[int]:
        """The places of the systems, best first."""
        worth = metric.worth(self.scores[:, self.column(metric)])
        return [int(place) for place in np.argsort(-worth, kind="stable")]

    def by(self, metric: Metric) -> list[SystemFinding]:
        """What is known of each system by a metric, in the systems' order."""
        scores = self.scores[:, self.column(metric)].tolist()
        intervals = [(low, high) for low, high in self.intervals[metric.name].tolist()]
        tested = self.tested(metric.name)
        if tested is None:
            return [SystemFinding(score, interval) for score, interval in zip(scores, intervals, strict=True)]
        clusters = {place: number for number, systems in enumerate(tested.clusters, 1) for place in systems}
        ranks = {place: (best, worst) for place, (best, worst) in enumerate(tested.ranks.tolist()) if place in clusters}
        return [
            SystemFinding(score, interval, clusters.get(place), ranks.get(place))
            for place, (score, interval) in enumerate(zip(scores, intervals, strict=True))
        ]


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """What several language pairs say of the systems of one level, by the same metrics and options."""

    level: Level
    metrics: tuple[Metric, ...]
    pairs: tuple[PairFindings, ...]
    options: SignificanceOptions
    way: IntervalMethod = "bootstrap"
    interval_rounds: int | None = None
    """In how many rounds intervals were drawn; None for as many as is usual for a pair."""

    @property
    def systems(self) -> list[str]:
        """All systems: those of all pairs first, by the average of the first metric, then those with gaps."""
        first = self.metrics[0]
        scores = self._scores(first)
        # of those with gaps the mean over fewer pairs says in what order they stand, which is no comparison
        worth = first.worth(np.array([np.mean(found) for found in scores.values()]))
        gaps = [len(found) < len(self.pairs) for found in scores.values()]
        names = list(scores)
        return [names[place] for place in np.lexsort((-worth, np.array(gaps)))]

    def averages(self, metric: Metric) -> dict[str, float]:
        """The mean of each system's scores over the pairs; NaN where it has none for one of them, or one undefined."""
        return {
            name: float(np.mean(found)) if len(found) == len(self.pairs) else float("nan")
            for name, found in self._scores(metric).items()
        }

    def led_by(self, metric: str) -> Findings:
        """The same with this metric first, which systems are ordered by; as they are where they have no such metric."""
        first = [one for one in self.metrics if one.name == metric]
        metrics = (*first, *(one for one in self.metrics if one.name != metric))
        places = [self.metrics.index(one) for one in metrics]
        pairs = tuple(
            replace(pair, metrics=tuple(pair.metrics[place] for place in places), scores=pair.scores[:, places])
            for pair in self.pairs
        )
        return replace(self, metrics=metrics, pairs=pairs)

    def rejudged(self, options: SignificanceOptions) -> Findings:
        """The same tests under the correction and alpha of other options; nothing is tested again."""
        from qe_desktop.significance import judge_again

        def judged(options_made: SignificanceOptions) -> SignificanceOptions:
            return replace(options_made, correction=options.correction, alpha=options.alpha)

        pairs = tuple(
            replace(pair, comparisons=tuple(judge_again(one, judged(one.options)) for one in pair.comparisons))
            for pair in self.pairs
        )
        return replace(self, pairs=pairs, options=judged(self.options))

    def lacking(self) -> dict[str, list[str]]:
        """Systems that are not in all pairs, with the pairs that they are not in."""
        held = [(pair.name, set(pair.systems)) for pair in self.pairs]
        missing = {name: [pair for pair, systems in held if name not in systems] for name in self.systems}
        return {name: pairs for name, pairs in missing.items() if pairs}

    def _scores(self, metric: Metric) -> dict[str, list[float]]:
        """The scores of each system in the pairs that have it."""
        column = self.metrics.index(metric)
        found: dict[str, list[float]] = {}
        for pair in self.pairs:
            for name, score in zip(pair.systems, pair.scores[:, column].tolist(), strict=True):
                found.setdefault(name, []).append(score)
        return found


def collect_findings(
    pairs: Mapping[str, Scoring],
    metrics: Sequence[Metric],
    options: SignificanceOptions,
    *,
    way: IntervalMethod = "bootstrap",
    interval_rounds: int | None = None,
    watch: OnRandomisation | None = None,
) -> Findings:
    """Score and compare the systems of each language pair; each metric by the test of the options, or where they name
    none by the one that is usual for it. Intervals are drawn in as many rounds as is usual where nobody says.

    `watch` hears how much is done and of how much, from any thread, and may raise to stop.
    """
    found = []
    for place, (name, scoring) in enumerate(pairs.items()):

        def share(done: float, place: int = place) -> None:
            if watch is not None:
                watch(place * PROGRESS_STEPS + round(done * PROGRESS_STEPS), len(pairs) * PROGRESS_STEPS)

        own = tuple(scoring.level.metrics.get(metric.name, metric) for metric in metrics)
        found.append(_of_pair(name, scoring, own, options, (way, interval_rounds), share))
    level = next(iter(pairs.values())).level
    return Findings(level, tuple(metrics), tuple(found), options, way, interval_rounds)


def _of_pair(
    name: str,
    scoring: Scoring,
    metrics: tuple[Metric, ...],
    options: SignificanceOptions,
    drawing: tuple[IntervalMethod, int | None],
    share: OnProgress,
) -> PairFindings:
    rows = scoring.family_rows(metrics, lambda done: share(SCORING_SHARE * done))
    totals = {one.metrics[0].family.name: one.rows.sum(axis=1, dtype=np.float64) for one in rows}
    scores = np.stack([metric.score(totals[metric.family.name]) for metric in metrics], axis=-1)
    by_test: dict[str, list[Metric]] = {}
    for metric in metrics:
        if metric.family.separate and len(scoring.subjects) > 1:
            by_test.setdefault(options.test or scoring.level.usual_test([metric], options.unit), []).append(metric)
    comparisons, problems = [], list[str]()
    for place, (test, tested) in enumerate(by_test.items()):

        def made(done: int, total: int, place: int = place) -> None:
            share(SCORING_SHARE + (TESTING_SHARE - SCORING_SHARE) * (place + done / total) / len(by_test))

        try:
            comparisons.append(scoring.compared(_rows_for(rows, tested), tested, replace(options, test=test), made))
        except QeError as error:
            # the other pairs and tests are none the worse for it
            problems.append(error.message)

    def drawn(done: int, total: int) -> None:
        share(TESTING_SHARE + (1 - TESTING_SHARE) * done / total)

    way, rounds = drawing
    intervals = scoring.intervals(rows, options, way, drawn, rounds)
    return PairFindings(name, scoring, metrics, scores, intervals, tuple(comparisons), tuple(problems))


def _rows_for(rows: Sequence[FamilyRows], metrics: Sequence[Metric]) -> list[FamilyRows]:
    """The rows of the families of these metrics alone."""
    kept = [(one, tuple(metric for metric in one.metrics if metric in metrics)) for one in rows]
    return [replace(one, metrics=tested) for one, tested in kept if tested]
