"""Significance tests of which of two metrics agrees better with people, by every figure of agreement."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics.family import Floats
from qe_desktop.significance.randomization import OnRandomisation
from qe_desktop.significance.williams import MIN_WILLIAMS_SEGMENTS as LEAST_FOR_WILLIAMS
from qe_desktop.significance.williams import williams_p
from qe_desktop.studies.meta_eval.agreement import MetricAgreement
from qe_desktop.studies.meta_eval.perm_both import MIN_SEGMENTS, paired_p_values, perm_both
from qe_desktop.studies.meta_eval.score_data import UNDEFINED, HumanSystemScores, MetaEvalOptions
from qe_desktop.studies.meta_eval.tied_accuracy import accuracy_by_segment
from qe_desktop.studies.progress import subtask

AgreementTestName = Literal["perm-both", "segments", "williams"]
"""PERM-BOTH swaps scores of single translations, "segments" all comparisons of a segment together; Williams takes
systems as a sample."""
TESTED_STATISTICS: dict[str, Callable[[MetricAgreement], float]] = {
    "pearson": lambda one: one.correlations["pearson"],
    "spearman": lambda one: one.correlations["spearman"],
    "kendall": lambda one: one.correlations["kendall"],
    "pairwise_accuracy": lambda one: one.pairwise_accuracy,
    "differentials": lambda one: one.differentials,
    "spa": lambda one: one.spa,
    "segments_pearson": lambda one: one.pooled.get("pearson", UNDEFINED),
    "acc_eq": lambda one: one.tied.accuracy,
}
"""The figures by which metrics are tested, as they are printed, by the names that programs know them by."""


@dataclass(frozen=True, slots=True, eq=False)
class SegmentScores:
    """Scores of segments by each metric that gave any, shape (systems, segments), more being better, with those of
    people, and which segments people rated of every system.
    """

    metrics: tuple[Floats, ...]
    people: HumanSystemScores
    shared: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class AgreementTests:
    """`p` by figure, symmetric, of shape (metrics, metrics): NaN where undefined, 1 on the diagonal; which test it is
    of, and on how many segments it was made (0: on systems). `williams` is that of Pearson's r over systems, too, where
    it is not the test of that figure; None without one.
    """

    p: Mapping[str, Floats] = field(default_factory=dict)
    tests: Mapping[str, AgreementTestName] = field(default_factory=dict)
    segments: Mapping[str, int] = field(default_factory=dict)
    williams: Floats | None = None


def compare_agreements(
    agreements: Sequence[MetricAgreement],
    between: Floats,
    scores: SegmentScores,
    options: MetaEvalOptions,
    watch: OnRandomisation | None,
) -> AgreementTests:
    """Test all pairs of metrics, `between` being how their scores of systems correlate.

    PERM-BOTH tests means of segment scores: where these put two metrics in another order than the printed figures,
    such as BLEU of whole texts, no difference is shown, and p is 1.
    """
    p: dict[str, Floats] = {}
    tests: dict[str, AgreementTestName] = {}
    segments: dict[str, int] = {}
    places, kept = _select_tested(scores)
    if len(places) and kept.sum() >= MIN_SEGMENTS:
        assert scores.people.scores is not None
        found = perm_both(
            np.stack([scores.metrics[place][:, kept] for place in places]), scores.people.scores[:, kept],
            rounds=options.rounds, seed=options.seed, sides=options.sides, orientation=options.orientation,
            watch=subtask(watch, 2, 0),
        )  # fmt: skip
        for figure, values in found.p.items():
            printed = np.asarray([TESTED_STATISTICS[figure](agreements[place]) for place in places])
            p[figure] = _widen(_in_order(values, found.observed[figure], printed), places, len(agreements))
            tests[figure], segments[figure] = "perm-both", found.segments
    of_systems = _williams(agreements, between, options)
    if of_systems is not None and "pearson" not in p:
        p["pearson"], tests["pearson"], segments["pearson"] = of_systems, "williams", 0
    if scores.people.scores is not None and scores.metrics:
        # comparisons within a segment depend on each other, so they are swapped together
        accuracies = [
            accuracy_by_segment(given, scores.people.scores, one.tied.epsilon)
            for given, one in zip(scores.metrics, agreements, strict=False)
        ]
        values = paired_p_values(
            np.stack(accuracies),
            rounds=options.rounds,
            seed=options.seed,
            sides=options.sides,
            watch=subtask(watch, 2, 1),
        )
        p["acc_eq"] = _widen(values, np.arange(len(accuracies)), len(agreements))
        tests["acc_eq"], segments["acc_eq"] = "segments", scores.people.scores.shape[1]
    return AgreementTests(p, tests, segments, None if tests.get("pearson") == "williams" else of_systems)


def _select_tested(scores: SegmentScores) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The metrics that scored every system, and the segments that people and all of these scored of every system."""
    kept = scores.shared.copy()
    known = [~np.isnan(given) for given in scores.metrics] if scores.people.scores is not None else []
    places = [place for place, there in enumerate(known) if there[:, scores.shared].any(axis=1).all()]
    for place in places:
        kept &= known[place].all(axis=0)
    return np.asarray(places, np.int64), kept


def _in_order(p: Floats, tested: Floats, printed: Floats) -> Floats:
    """1 where the figures that were tested and those that are printed disagree about which metric is better, NaN where
    the latter are undefined.
    """
    with np.errstate(invalid="ignore"):
        opposed = (tested[:, None] - tested) * (printed[:, None] - printed) < 0
    undefined = np.isnan(printed)[:, None] | np.isnan(printed)
    return np.where(undefined, np.nan, np.where(opposed, 1.0, p))


def _williams(agreements: Sequence[MetricAgreement], between: Floats, options: MetaEvalOptions) -> Floats | None:
    systems = len(agreements[0].scores) if agreements else 0
    if systems < LEAST_FOR_WILLIAMS:
        return None
    with_people = np.asarray([one.correlations["pearson"] for one in agreements])
    return williams_p(with_people, between, systems, two_tailed=options.sides == "two")


def _widen(p: Floats, places: NDArray[np.int64], metrics: int) -> Floats:
    """p of the metrics in some places among all metrics, NaN for the rest."""
    found = np.full((metrics, metrics), np.nan)
    found[np.ix_(places, places)] = p
    return found
