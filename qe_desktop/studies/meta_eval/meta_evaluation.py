"""Whether metrics agree with people on systems, pairs of them, and segments, and how metrics compare in that.

Lavie et al. 2004 §3 and tables 1–4 at the system level; what the WMT metrics tasks report since 2021 beside them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import QeError
from qe_desktop.metrics import SENTENCE_METRICS, Metric
from qe_desktop.metrics.correlation import GoldNumbers, Numbers
from qe_desktop.metrics.family import Floats
from qe_desktop.significance.bootstrap import Draws
from qe_desktop.significance.randomisation import FamilyRows, Watch
from qe_desktop.studies.agreement import Agreement
from qe_desktop.studies.agreement_intervals import drawn_p_values, interval, segment_intervals, system_intervals
from qe_desktop.studies.agreement_tests import AgreementTests, SegmentScores, agreement_tests
from qe_desktop.studies.beside_people import (
    CORRELATIONS,
    NONE,
    Metrics,
    Options,
    People,
    drawn_scores,
    people_rows,
    people_studied,
    score_intervals,
)
from qe_desktop.studies.segment_match import segment_match
from qe_desktop.studies.soft_accuracy import pair_p_values, soft_accuracy
from qe_desktop.studies.system_level import differences, pairwise_accuracy, pearson
from qe_desktop.studies.tied_accuracy import tied_accuracy
from qe_desktop.studies.watching import part
from qe_desktop.wording import tr

LEAST = 3
"""Systems that a correlation needs."""
STEPS = 4
"""Drawing segments, swapping them, ordering translations of each, and swapping pairs: what whoever watches hears of."""


@dataclass(frozen=True, slots=True, eq=False)
class HumansStudy:
    """Metrics beside people. `systems` are names; `people` (systems,) is what people gave them.

    `between` (metrics, metrics) is how the systems' scores of two metrics correlate; `tests` are those of which metric
    agrees better with people. `segments` says on how many segments metrics scored systems, `shared` how many were rated
    of all, and `rated` how many of any. `studied` is what people gave the segments that figures are of.
    `people_intervals` (systems, 2) are 95 % intervals of what people gave, and `people_ahead` (pairs,) is their
    one-sided p of the first system of each pair, where people gave segments scores.
    """

    systems: tuple[str, ...]
    people: Floats
    agreements: tuple[Agreement, ...]
    between: Floats
    tests: AgreementTests
    segments: int
    shared: int
    rated: int
    options: Options
    studied: People
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


def study_humans(
    systems: Sequence[str], metrics: Metrics, people: People, options: Options | None = None, watch: Watch | None = None
) -> HumansStudy:
    """How metrics agree with people on some systems, which all have a score by people.

    All figures are of the segments that people and all metrics scored of every system. Where there are none, or
    `options` want all segments: where people rated the same segments of all systems, metrics score these alone; else
    they score all, and what needs two systems' ratings of one segment is of those rated of every system. QeError for
    fewer than three systems. `watch` hears of `STEPS` that are held to take alike, and may raise to stop.
    """
    if len(systems) < LEAST:
        message = tr(
            "a correlation needs {n} systems at the least, and there are {found}", "", LEAST, found=len(systems)
        )
        raise QeError(message, hint=tr("Give the scores of more systems."))
    options = options or Options()
    rated = int(people.shared(metrics.segments).sum()), int(people.rated.any(axis=0).sum())
    people = people_studied(metrics, people, options)
    shared, counted = people.shared(metrics.segments), people.counted(metrics.segments)
    kept = metrics.on(counted)
    scores = [metric.score(family.rows.sum(axis=1)) for family in kept for metric in family.metrics]
    scores += [given for _, given in metrics.alone]
    worth = np.stack([metric.better * one for metric, one in zip(metrics.all, scores, strict=True)])
    drawn = drawn_scores(kept, people, counted, options, part(watch, STEPS, 0))
    of_pairs = metrics.families and shared.any()
    sure = _sure(metrics.on(shared), people, shared, options, part(watch, STEPS, 1)) if of_pairs else None
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
            score_intervals=score_intervals(drawn[1 + place], one.metric.better),
            ahead=None if sure is None else sure[1 + place],
            spa=NONE if sure is None else float(soft_accuracy(sure[1 + place], sure[0])),
            counts=_counts(of_segments[place], people, int(counted.sum()), int(shared.sum())),
        )
        for place, one in enumerate(plain[: len(of_segments)])
    ]
    with_intervals = _WithIntervals(people, metrics.on(shared), shared, Draws(options.draws, options.seed))
    found = _on_segments(drawn_on, of_segments, with_intervals, part(watch, STEPS, 2))
    agreements = [*found, *plain[len(of_segments) :]]
    between = np.stack([pearson(worth, one) for one in worth])
    of_metrics = SegmentScores(tuple(of_segments), people, shared)
    tests = agreement_tests(agreements, between, of_metrics, options, part(watch, STEPS, 3))
    of_people = people.scores is not None and bool(metrics.families)
    return HumansStudy(
        tuple(systems), people.systems, tuple(agreements), between, tests, int(counted.sum()), *rated, options, people,
        people_intervals=score_intervals(drawn[0]) if of_people else None,
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


def _plain(metric: Metric, scores: Floats, worth: Floats, people: People, options: Options) -> Agreement:
    """What scores of systems tell."""
    found = {name: float(figure(worth, people.systems)) for name, figure in CORRELATIONS.items()}
    apart, theirs = differences(worth, people.systems, options.orientation)
    accuracy = float(pairwise_accuracy(worth, people.systems))
    return Agreement(metric, scores, found, accuracy, float(pearson(apart, theirs)))


def _sure(
    families: Sequence[FamilyRows], people: People, shared: NDArray[np.bool_], options: Options, watch: Watch | None
) -> Floats:
    """p of pairs of systems, people first, shape (1 + metrics, pairs)."""
    asked = [people_rows(people, shared), *families]
    return pair_p_values(asked, rounds=options.rounds, seed=options.seed, watch=watch)


def _counts(scores: Floats, people: People, counted: int, shared: int) -> dict[str, int]:
    """Of how many segments the figures of a metric are, which scored systems on so many."""
    counts = dict.fromkeys((*CORRELATIONS, "pairwise_accuracy", "differentials"), counted)
    if people.scores is not None:
        both = int((~(np.isnan(scores) | np.isnan(people.scores))).any(axis=0).sum())
        counts |= {"spa": shared, **dict.fromkeys(("segments_pearson", "segments_kendall", "acc_eq"), both)}
    return counts


def _on_segments(
    agreements: Sequence[Agreement], scores: Sequence[Floats], intervals: _WithIntervals, watch: Watch | None
) -> list[Agreement]:
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

    def __init__(self, people: People, families: Sequence[FamilyRows], shared: NDArray[np.bool_], draws: Draws) -> None:
        self.people, self._draws = people, draws
        self._rated = people.rated.any(axis=0)
        self._rows = [FamilyRows(family.rows, (metric,)) for family in families for metric in family.metrics]
        self._sure: Floats | None = None
        if shared.any():
            self._sure = drawn_p_values(people_rows(people, shared), draws)

    def of(self, one: Agreement, place: int, scores: Floats) -> Agreement:
        """The agreement of the metric at a place among those with rows, which gave segments these scores."""
        assert self.people.scores is not None
        kept, given = scores[:, self._rated], self.people.scores[:, self._rated]
        found = segment_intervals(one, kept, given, self._draws)
        found["spa"] = NONE, NONE
        if self._sure is not None and not np.isnan(one.spa):
            found["spa"] = interval(soft_accuracy(drawn_p_values(self._rows[place], self._draws), self._sure))
        return replace(one, intervals={**one.intervals, **found})


def _on_these(one: Agreement, scores: Floats, people: Floats) -> Agreement:
    both = ~(np.isnan(scores) | np.isnan(people))
    numbers = Numbers(scores[both], GoldNumbers(people[both]))
    pooled = {}
    for name in ("Pearson", "Kendall"):
        metric = SENTENCE_METRICS[name]
        pooled[name.lower()] = float(metric.score(metric.family.rows(numbers).sum(axis=0))) if both.any() else NONE
    return replace(one, pooled=pooled, match=segment_match(scores, people), tied=tied_accuracy(scores, people))
