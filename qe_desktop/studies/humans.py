"""Whether metrics agree with people on systems, pairs of them, and segments, and how metrics compare in that.

Lavie et al. 2004 §3 and tables 1–4 at the system level; what the WMT metrics tasks report since 2021 beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import QeError
from qe_desktop.metrics import SENTENCE_METRICS, Metric
from qe_desktop.metrics.brought import Brought, brought_metric, brought_rows
from qe_desktop.metrics.correlation import GoldNumbers, Numbers
from qe_desktop.metrics.family import Floats
from qe_desktop.significance.bootstrap import intervals, resampled_scores
from qe_desktop.significance.randomisation import FamilyRows, Watch
from qe_desktop.significance.williams import LEAST as LEAST_FOR_WILLIAMS
from qe_desktop.significance.williams import williams
from qe_desktop.studies.signed import paired_p_values
from qe_desktop.studies.soft_accuracy import ROUNDS, pair_p_values, soft_accuracy
from qe_desktop.studies.system_level import Orientation, differences, kendall, pairwise_accuracy, pearson, spearman
from qe_desktop.studies.tied_accuracy import TiedAccuracy, accuracy_by_segment, tied_accuracy
from qe_desktop.wording import tr

LEAST = 3
"""Systems that a correlation needs."""
CORRELATIONS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}
"""Correlations over systems, by the names that programs know them by."""
NONE = float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """What people gave systems, more being better: `systems` of shape (systems,).

    `scores` are those of segments, shape (systems, segments), NaN where they gave none; None where there is no more
    than a score of each system.
    """

    systems: Floats
    scores: Floats | None = None

    @classmethod
    def of_segments(cls, scores: Floats) -> People:
        """Scores of segments: those of systems are their means, NaN without any."""
        rated = ~np.isnan(scores)
        count = rated.sum(axis=1)
        means = np.where(rated, scores, 0.0).sum(axis=1) / np.maximum(count, 1)
        return cls(np.where(count > 0, means, np.nan), scores)

    @property
    def rated(self) -> NDArray[np.bool_]:
        """Which segments of which systems were rated; a QE study without scores of segments has no such."""
        return np.zeros((len(self.systems), 0), bool) if self.scores is None else ~np.isnan(self.scores)


@dataclass(frozen=True, slots=True, eq=False)
class Metrics:
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
class Options:
    """How a study is made: the seed and rounds of permutations and draws, and how differences of pairs are taken."""

    seed: int = 1
    rounds: int = ROUNDS
    draws: int = 1_000
    orientation: Orientation = "ahead"


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """How one metric agrees with people; NaN where a figure is undefined.

    `scores` (systems,) are as the metric prints them; `correlations` and their 95 % `intervals` are by name;
    `differentials` is the correlation over pairs; `pooled` holds Pearson and Kendall over the scores of all segments at
    once, and `tied` is acc*eq.
    """

    metric: Metric
    scores: Floats
    correlations: dict[str, float]
    pairwise_accuracy: float
    differentials: float
    intervals: dict[str, tuple[float, float]] = field(default_factory=dict)
    spa: float = NONE
    pooled: dict[str, float] = field(default_factory=dict)
    tied: TiedAccuracy = TiedAccuracy(NONE, NONE)  # noqa: RUF009


@dataclass(frozen=True, slots=True, eq=False)
class HumansStudy:
    """Metrics beside people. `systems` are names; `people` (systems,) is what people gave them.

    `between` (metrics, metrics) is how the systems' scores of two metrics correlate; `better` holds, by figure, the p
    (metrics, metrics) of one metric being better than another by chance, NaN where it cannot be worked out. `segments`
    says on how many segments metrics scored systems, `shared` how many were rated of all.
    """

    systems: tuple[str, ...]
    people: Floats
    agreements: tuple[Agreement, ...]
    between: Floats
    better: dict[str, Floats]
    segments: int
    shared: int
    options: Options

    @property
    def pairs(self) -> int:
        """Pairs of systems."""
        return len(self.systems) * (len(self.systems) - 1) // 2


def study_humans(
    systems: Sequence[str], metrics: Metrics, people: People, options: Options | None = None, watch: Watch | None = None
) -> HumansStudy:
    """How metrics agree with people on some systems, which all have a score by people.

    Where people rated the same segments of all systems, metrics score these alone; else they score all segments, and
    what needs two systems' ratings of one segment is worked out on those that were rated of every system. QeError for
    fewer than three systems.
    """
    if len(systems) < LEAST:
        message = tr(
            "a correlation needs {n} systems at the least, and there are {found}", "", LEAST, found=len(systems)
        )
        raise QeError(message, hint=tr("Give the scores of more systems."))
    options = options or Options()
    rated = people.rated
    # without scores of segments, all segments count, and none is shared
    shared = np.asarray(rated.all(axis=0)) if people.scores is not None else np.zeros(metrics.segments, bool)
    counted = shared if rated.size and (rated == rated[:1]).all() else np.ones(metrics.segments, bool)
    kept = metrics.on(counted)
    scores = [metric.score(family.rows.sum(axis=1)) for family in kept for metric in family.metrics]
    scores += [given for _, given in metrics.alone]
    worth = np.stack([metric.better * one for metric, one in zip(metrics.all, scores, strict=True)])
    drawn = _drawn(kept, people, counted, options, watch)
    sure = _sure(metrics.on(shared), people, shared, options, watch) if metrics.families and shared.any() else None
    plain = [
        _plain(metric, one, better, people, options)
        for metric, one, better in zip(metrics.all, scores, worth, strict=True)
    ]
    of_segments = metrics.of_segments()
    drawn_on = [
        replace(
            one,
            intervals=_intervals(drawn[1 + place], drawn[0]),
            spa=NONE if sure is None else float(soft_accuracy(sure[1 + place], sure[0])),
        )
        for place, one in enumerate(plain[: len(of_segments)])
    ]
    agreements = [
        *(_on_segments(one, scores, people) for one, scores in zip(drawn_on, of_segments, strict=True)),
        *plain[len(of_segments) :],
    ]
    between = np.stack([pearson(worth, one) for one in worth])
    better = _better(agreements, between, people, sure, of_segments, options)
    counts = int(counted.sum()), int(shared.sum())
    return HumansStudy(tuple(systems), people.systems, tuple(agreements), between, better, *counts, options)


def _plain(metric: Metric, scores: Floats, worth: Floats, people: People, options: Options) -> Agreement:
    """What scores of systems tell."""
    found = {name: float(figure(worth, people.systems)) for name, figure in CORRELATIONS.items()}
    apart, theirs = differences(worth, people.systems, options.orientation)
    accuracy = float(pairwise_accuracy(worth, people.systems))
    return Agreement(metric, scores, found, accuracy, float(pearson(apart, theirs)))


def _people_rows(people: People, kept: NDArray[np.bool_]) -> FamilyRows:
    assert people.scores is not None
    rows = np.stack([brought_rows(Brought(scores)) for scores in people.scores[:, kept]])
    return FamilyRows(rows, (brought_metric("people"),))


def _drawn(
    families: Sequence[FamilyRows], people: People, counted: NDArray[np.bool_], options: Options, watch: Watch | None
) -> Floats:
    """Scores on segments drawn with replacement, more being better, people first: (1 + metrics, draws, systems)."""
    if not families:
        return np.broadcast_to(people.systems, (1, 1, len(people.systems)))
    asked = [*families] if people.scores is None else [_people_rows(people, counted), *families]
    found = np.swapaxes(resampled_scores(asked, rounds=options.draws, seed=options.seed, watch=watch), 1, 2)
    metrics = [metric for family in asked for metric in family.metrics]
    found = np.asarray(found * np.asarray([metric.better for metric in metrics])[:, None, None])
    if people.scores is None:
        return np.concatenate([np.broadcast_to(people.systems, (1, *found.shape[1:])), found])
    return found


def _intervals(metric: Floats, people: Floats) -> dict[str, tuple[float, float]]:
    """95 % intervals of each correlation, NaN where none of the draws has any; scores of shape (draws, systems)."""
    found = {}
    for name, figure in CORRELATIONS.items():
        values = figure(metric, people)
        ends = intervals(values[~np.isnan(values)]) if (~np.isnan(values)).any() else (NONE, NONE)
        found[name] = float(ends[0]), float(ends[1])
    return found


def _sure(
    families: Sequence[FamilyRows], people: People, shared: NDArray[np.bool_], options: Options, watch: Watch | None
) -> Floats:
    """p of pairs of systems, people first, shape (1 + metrics, pairs)."""
    asked = [_people_rows(people, shared), *families]
    return pair_p_values(asked, rounds=options.rounds, seed=options.seed, watch=watch)


def _on_segments(one: Agreement, scores: Floats, people: People) -> Agreement:
    """With what scores of segments tell, shape (systems, segments)."""
    if people.scores is None:
        return one
    both = ~(np.isnan(scores) | np.isnan(people.scores))
    numbers = Numbers(scores[both], GoldNumbers(people.scores[both]))
    pooled = {}
    for name in ("Pearson", "Kendall"):
        metric = SENTENCE_METRICS[name]
        pooled[name.lower()] = float(metric.score(metric.family.rows(numbers).sum(axis=0))) if both.any() else NONE
    return replace(one, pooled=pooled, tied=tied_accuracy(scores, people.scores))


def _better(
    agreements: Sequence[Agreement],
    between: Floats,
    people: People,
    sure: Floats | None,
    of_segments: Sequence[Floats],
    options: Options,
) -> dict[str, Floats]:
    """p that the better of two metrics is so by chance: Williams at the system level, permutation of pairs else."""
    found: dict[str, Floats] = {}
    if len(people.systems) >= LEAST_FOR_WILLIAMS:
        with_people = np.asarray([one.correlations["pearson"] for one in agreements])
        found["pearson"] = williams(with_people, between, len(people.systems))
    if sure is not None:
        found["spa"] = _widened(_paired(1 - np.abs(sure[1:] - sure[0]), options), len(agreements))
    if people.scores is not None and of_segments:
        # pairs of one segment are no chances of their own, so they are swapped together
        held = [
            accuracy_by_segment(scores, people.scores, one.tied.epsilon)
            for scores, one in zip(of_segments, agreements, strict=False)
        ]
        found["acc_eq"] = _widened(_paired(np.stack(held), options), len(agreements))
    return found


def _paired(values: Floats, options: Options) -> Floats:
    return paired_p_values(values, rounds=options.rounds, seed=options.seed)


def _widened(p: Floats, metrics: int) -> Floats:
    """p of metrics with rows among all metrics, NaN for the rest."""
    found = np.full((metrics, metrics), np.nan)
    found[: len(p), : len(p)] = p
    return found
