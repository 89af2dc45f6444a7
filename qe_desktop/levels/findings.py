"""Findings: the systems of several language pairs by every metric, with intervals, tests, clusters, and averages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import Scoring
from qe_desktop.metrics import Metric
from qe_desktop.metrics.family import Floats

if TYPE_CHECKING:
    # what reads folders alone needs no tests
    from qe_desktop.significance import Comparison, FamilyRows, MetricComparison, Options, Way
    from qe_desktop.significance.randomisation import Watch


@dataclass(frozen=True, slots=True)
class Finding:
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

    def order(self, metric: Metric) -> list[int]:
        """The places of the systems, best first."""
        worth = metric.worth(self.scores[:, self.metrics.index(metric)])
        return [int(place) for place in np.argsort(-worth, kind="stable")]

    def finding(self, system: str, metric: Metric) -> Finding | None:
        """What is known of a system by a metric; None where the pair has no such system."""
        if system not in self.systems:
            return None
        place = self.systems.index(system)
        low, high = self.intervals[metric.name][place]
        score = float(self.scores[place, self.metrics.index(metric)])
        tested = self.tested(metric.name)
        if tested is None:
            return Finding(score, (float(low), float(high)))
        cluster = next(number for number, systems in enumerate(tested.clusters, 1) if place in systems)
        best, worst = tested.ranks[place].tolist()
        return Finding(score, (float(low), float(high)), cluster, (best, worst))


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """What several language pairs say of the systems of one level, by the same metrics and options."""

    level: Level
    metrics: tuple[Metric, ...]
    pairs: tuple[PairFindings, ...]
    options: Options
    way: Way = "bootstrap"

    @property
    def systems(self) -> list[str]:
        """All systems: those of all pairs first, by the average of the first metric, then those with gaps."""
        names = list(dict.fromkeys(name for pair in self.pairs for name in pair.systems))
        first = self.metrics[0]
        # of those with gaps the mean over fewer pairs says in what order they stand, which is no comparison
        worth = first.worth(np.array([np.mean(self._scores(name, first)) for name in names]))
        gaps = [not self._in_all(name) for name in names]
        return [names[place] for place in np.lexsort((-worth, np.array(gaps)))]

    def average(self, system: str, metric: Metric) -> float:
        """The mean of a system's scores over the pairs; NaN where it has none for one of them, or an undefined one."""
        return float(np.mean(self._scores(system, metric))) if self._in_all(system) else float("nan")

    def lacking(self) -> dict[str, list[str]]:
        """Systems that are not in all pairs, with the pairs that they are not in."""
        missing = {name: [pair.name for pair in self.pairs if name not in pair.systems] for name in self.systems}
        return {name: pairs for name, pairs in missing.items() if pairs}

    def _in_all(self, system: str) -> bool:
        return all(system in pair.systems for pair in self.pairs)

    def _scores(self, system: str, metric: Metric) -> list[float]:
        column = self.metrics.index(metric)
        return [float(pair.scores[pair.systems.index(system), column]) for pair in self.pairs if system in pair.systems]


def findings_of(
    pairs: Mapping[str, Scoring],
    metrics: Sequence[Metric],
    options: Options,
    *,
    way: Way = "bootstrap",
    watch: Watch | None = None,
) -> Findings:
    """Score and compare the systems of each language pair; each metric by the test of the options, or where they name
    none by the one that is usual for it.

    `watch` hears the rounds that are done and how many there are in all, and may raise to stop.
    """
    found = []
    for place, (name, scoring) in enumerate(pairs.items()):

        def share(done: int, total: int, place: int = place) -> None:
            if watch is not None:
                watch(place * total + done, len(pairs) * total)

        found.append(_of_pair(name, scoring, tuple(metrics), options, way, share))
    level = next(iter(pairs.values())).level
    return Findings(level, tuple(metrics), tuple(found), options, way)


def _of_pair(
    name: str, scoring: Scoring, metrics: tuple[Metric, ...], options: Options, way: Way, watch: Watch
) -> PairFindings:
    rows = scoring.family_rows(metrics)
    totals = {one.metrics[0].family.name: one.rows.sum(axis=1, dtype=np.float64) for one in rows}
    scores = np.stack([metric.score(totals[metric.family.name]) for metric in metrics], axis=-1)
    by_test: dict[str, list[Metric]] = {}
    for metric in metrics:
        if metric.family.separate and len(scoring.subjects) > 1:
            by_test.setdefault(options.test or scoring.level.usual_test([metric], options.unit), []).append(metric)
    comparisons = tuple(
        scoring.compared(_rows_for(rows, tested), tested, replace(options, test=name_of_test), watch)
        for name_of_test, tested in by_test.items()
    )
    intervals = scoring.intervals(rows, options, way)
    return PairFindings(name, scoring, metrics, scores, intervals, comparisons)


def _rows_for(rows: Sequence[FamilyRows], metrics: Sequence[Metric]) -> list[FamilyRows]:
    """The rows of the families of these metrics alone."""
    kept = [(one, tuple(metric for metric in one.metrics if metric in metrics)) for one in rows]
    return [replace(one, metrics=tested) for one, tested in kept if tested]
