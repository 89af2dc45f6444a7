"""Whether metrics agree with people on systems, pairs of them, and segments, and how metrics compare in that.

Lavie et al. 2004 §3 and tables 1–4 at the system level; what the WMT metrics tasks report since 2021 beside them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics import SENTENCE_METRICS, Metric
from qe_desktop.metrics.family import Floats
from qe_desktop.metrics.scores.correlation import GoldNumbers, SystemNumbers
from qe_desktop.significance.bootstrap import BootstrapWeights
from qe_desktop.significance.randomization import FamilyRows, OnRandomisation
from qe_desktop.studies.meta_eval.agreement import MetricAgreement, match_segments
from qe_desktop.studies.meta_eval.agreement_intervals import (
    bootstrap_p_values,
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
from qe_desktop.studies.meta_eval.tied_accuracy import tied_accuracy
from qe_desktop.studies.progress import subtask

MIN_SYSTEMS = 3
"""Systems that a correlation needs."""
PROGRESS_PARTS = 4
"""Drawing segments, swapping them, ordering translations of each, and swapping pairs: what whoever watches hears of."""


@dataclass(frozen=True, slots=True, eq=False)
class MetaEvaluation:
    """Metrics beside people. `systems` are names; `people` (systems,) is what people gave them.

    `between` (metrics, metrics) is how the systems' scores of two metrics correlate; `tests` are those of which metric
    agrees better with people. `segments` says on how many segments metrics scored systems, `shared` how many were rated
    of all, and `rated` how many of any. `studied` is what people gave the segments that figures are of.
    `people_intervals` (systems, 2) are 95 % intervals of what people gave, and `people_ahead` (pairs,) is their
    one-sided p of the first system of each pair, where people gave segments scores.
    """

    systems: tuple[str, ...]
    people: Floats
    agreements: tuple[MetricAgreement, ...]
    between: Floats
    tests: AgreementTests
    segments: int
    shared: int
    rated: int
    options: MetaEvalOptions
    studied: HumanSystemScores
    people_intervals: Floats | None = None
    people_ahead: Floats | None = None

    @property
    def better(self) -> Mapping[str, Floats]:
        """By figure, p (metrics, metrics) of the tests of which of two metrics is better, NaN where undefined."""
        return self.tests.p

    @property
    def pairs(self) -> int:
        """Pairs of systems."""
        return len(self.systems) * (len(self.systems) - 1) // 2


def meta_evaluate(
    systems: Sequence[str],
    metrics: MetricSystemScores,
    people: HumanSystemScores,
    options: MetaEvalOptions | None = None,
    watch: OnRandomisation | None = None,
) -> MetaEvaluation:
    """How metrics agree with people on some systems, which all have a score by people.

    All figures are of the segments that people and all metrics scored of every system. Where there are none, or
    `options` want all segments: where people rated the same segments of all systems, metrics score these alone; else
    they score all, and what needs two systems' ratings of one segment is of those rated of every system. QeError for
    fewer than three systems. `watch` hears of `STEPS` that are held to take alike, and may raise to stop.
    """
    if len(systems) < MIN_SYSTEMS:
        message = tr(
            "a correlation needs {n} systems at the least, and there are {found}", "", MIN_SYSTEMS, found=len(systems)
        )
        raise QeError(message, hint=tr("Give the scores of more systems."))
    options = options or MetaEvalOptions()
    rated = int(people.shared(metrics.segments).sum()), int(people.rated.any(axis=0).sum())
    people = studied_human_scores(metrics, people, options)
    shared, counted = people.shared(metrics.segments), people.counted(metrics.segments)
    kept = metrics.on(counted)
    scores = [metric.score(family.rows.sum(axis=1)) for family in kept for metric in family.metrics]
    scores += [given for _, given in metrics.alone]
    worth = np.stack([metric.better * one for metric, one in zip(metrics.all, scores, strict=True)])
    drawn = bootstrap_scores(kept, people, counted, options, subtask(watch, PROGRESS_PARTS, 0))
    of_pairs = metrics.families and shared.any()
    sure = _sure(metrics.on(shared), people, shared, options, subtask(watch, PROGRESS_PARTS, 1)) if of_pairs else None
    drawn, sure = _of_defined(np.stack(scores), drawn, sure)
    plain = [
        _plain(metric, one, better, people, options)
        for metric, one, better in zip(metrics.all, scores, worth, strict=True)
    ]
    of_segments = metrics.of_segments()
    drawn_on = [
        replace(
            one,
            intervals=system_intervals(drawn[1 + place], drawn[0], options.orientation),
            score_intervals=system_score_intervals(drawn[1 + place], one.metric.better),
            ahead=None if sure is None else sure[1 + place],
            spa=UNDEFINED if sure is None else float(soft_pairwise_accuracy(sure[1 + place], sure[0])),
            counts=_counts(of_segments[place], people, int(counted.sum()), int(shared.sum())),
        )
        for place, one in enumerate(plain[: len(of_segments)])
    ]
    with_intervals = _WithIntervals(people, metrics.on(shared), shared, BootstrapWeights(options.draws, options.seed))
    found = _on_segments(drawn_on, of_segments, with_intervals, subtask(watch, PROGRESS_PARTS, 2))
    agreements = [*found, *plain[len(of_segments) :]]
    between = np.stack([system_pearson(worth, one) for one in worth])
    of_metrics = SegmentScores(tuple(of_segments), people, shared)
    tests = compare_agreements(agreements, between, of_metrics, options, subtask(watch, PROGRESS_PARTS, 3))
    of_people = people.scores is not None and bool(metrics.families)
    return MetaEvaluation(
        tuple(systems), people.systems, tuple(agreements), between, tests, int(counted.sum()), *rated, options, people,
        people_intervals=system_score_intervals(drawn[0]) if of_people else None,
        people_ahead=None if sure is None else sure[0],
    )  # fmt: skip


def _of_defined(scores: Floats, drawn: Floats, sure: Floats | None) -> tuple[Floats, Floats | None]:
    """Drawn scores, and p of pairs, NaN for systems that a metric gave no score: drawn and tested it is 0."""
    undefined = np.isnan(scores[: len(drawn) - 1])
    if not undefined.any():
        return drawn, sure
    drawn = np.concatenate([drawn[:1], np.where(undefined[:, None], np.nan, drawn[1:])])
    if sure is not None:
        first, second = np.triu_indices(scores.shape[1], 1)
        sure = np.concatenate([sure[:1], np.where(undefined[:, first] | undefined[:, second], np.nan, sure[1:])])
    return drawn, sure


def _plain(
    metric: Metric, scores: Floats, worth: Floats, people: HumanSystemScores, options: MetaEvalOptions
) -> MetricAgreement:
    """What scores of systems tell."""
    found = {name: float(figure(worth, people.systems)) for name, figure in CORRELATIONS.items()}
    apart, theirs = pairwise_differences(worth, people.systems, options.orientation)
    accuracy = float(pairwise_accuracy(worth, people.systems))
    return MetricAgreement(metric, scores, found, accuracy, float(system_pearson(apart, theirs)))


def _sure(
    families: Sequence[FamilyRows],
    people: HumanSystemScores,
    shared: NDArray[np.bool_],
    options: MetaEvalOptions,
    watch: OnRandomisation | None,
) -> Floats:
    """p of pairs of systems, people first, shape (1 + metrics, pairs)."""
    asked = [human_rows(people, shared), *families]
    return pairwise_p_values(asked, rounds=options.rounds, seed=options.seed, watch=watch)


def _counts(scores: Floats, people: HumanSystemScores, counted: int, shared: int) -> dict[str, int]:
    """Of how many segments the figures of a metric are, which scored systems on so many."""
    counts = dict.fromkeys((*CORRELATIONS, "pairwise_accuracy", "differentials"), counted)
    if people.scores is not None:
        both = int((~(np.isnan(scores) | np.isnan(people.scores))).any(axis=0).sum())
        counts |= {"spa": shared, **dict.fromkeys(("segments_pearson", "segments_kendall", "acc_eq"), both)}
    return counts


def _on_segments(
    agreements: Sequence[MetricAgreement],
    scores: Sequence[Floats],
    intervals: _WithIntervals,
    watch: OnRandomisation | None,
) -> list[MetricAgreement]:
    """With what scores of segments tell, of each metric, shape (systems, segments)."""
    people = intervals.people
    if people.scores is None:
        return list(agreements)
    found = []
    for place, (one, given) in enumerate(zip(agreements, scores, strict=True)):
        found.append(intervals.of(_on_these(one, given, people.scores), place, given))
        if watch is not None:
            watch(len(found), len(agreements))
    return found


class _WithIntervals:
    """Adds intervals of SPA and of the figures of segments, all metrics on the same draws.

    `families` are the rows of the `shared` segments, which were rated of every system.
    """

    def __init__(
        self,
        people: HumanSystemScores,
        families: Sequence[FamilyRows],
        shared: NDArray[np.bool_],
        draws: BootstrapWeights,
    ) -> None:
        self.people, self._draws = people, draws
        self._rated = people.rated.any(axis=0)
        self._rows = [FamilyRows(family.rows, (metric,)) for family in families for metric in family.metrics]
        self._sure: Floats | None = None
        if shared.any():
            self._sure = bootstrap_p_values(human_rows(people, shared), draws)

    def of(self, one: MetricAgreement, place: int, scores: Floats) -> MetricAgreement:
        """The agreement of the metric at a place among those with rows, which gave segments these scores."""
        assert self.people.scores is not None
        kept, given = scores[:, self._rated], self.people.scores[:, self._rated]
        found = segment_intervals(one, kept, given, self._draws)
        found["spa"] = UNDEFINED, UNDEFINED
        if self._sure is not None and not np.isnan(one.spa):
            found["spa"] = percentile_interval(
                soft_pairwise_accuracy(bootstrap_p_values(self._rows[place], self._draws), self._sure)
            )
        return replace(one, intervals={**one.intervals, **found})


def _on_these(one: MetricAgreement, scores: Floats, people: Floats) -> MetricAgreement:
    both = ~(np.isnan(scores) | np.isnan(people))
    numbers = SystemNumbers(scores[both], GoldNumbers(people[both]))
    pooled = {}
    for name in ("Pearson", "Kendall"):
        metric = SENTENCE_METRICS[name]
        pooled[name.lower()] = float(metric.score(metric.family.rows(numbers).sum(axis=0))) if both.any() else UNDEFINED
    return replace(one, pooled=pooled, match=match_segments(scores, people), tied=tied_accuracy(scores, people))
