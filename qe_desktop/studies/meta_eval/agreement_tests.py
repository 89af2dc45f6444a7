"""Significance tests of whether one metric agrees better than another with human scores, for every statistic.

Correlations over all translations are tested by a variant of PERM-BOTH. As in PERM-BOTH (Deutsch et al. 2021), the
scores of each metric are standardized over all systems and segments, and the statistic of each metric is recomputed in
each round. The scores of all systems for a segment are swapped together, because metric errors caused by the source or
reference are common to all systems. Swapping single translations, as in `mt-metrics-eval`, would find too many
significant differences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.metrics.correlation import GoldNumbers, SystemNumbers, standardize
from qe_desktop.metrics.kendall import concordance_rows
from qe_desktop.significance import random_masks
from qe_desktop.significance.randomization import OnRounds, subtask
from qe_desktop.significance.williams import MIN_WILLIAMS_SEGMENTS, williams_p
from qe_desktop.studies.meta_eval.agreement import MetricAgreement
from qe_desktop.studies.meta_eval.perm_both import MIN_SEGMENTS, TOLERANCE, PermBoth, Sides, paired_p_values, perm_both
from qe_desktop.studies.meta_eval.score_data import UNDEFINED, HumanSystemScores, MetaEvalOptions
from qe_desktop.studies.meta_eval.tied_accuracy import accuracy_by_segment, has_comparisons

AgreementTestName = Literal["perm-both", "segments", "documents", "williams"]
"""Names of tests between metrics.

"perm-both" (PERM-BOTH) swaps the scores of two metrics for single translations, or for all translations of a document
by one system. "segments" and "documents" swap the scores for all translations of a segment or document together.
"williams" is the Williams test, which treats systems as a sample.
"""
TESTED_STATISTICS: dict[str, Callable[[MetricAgreement], float]] = {
    "pearson": lambda agreement: agreement.correlations["pearson"],
    "spearman": lambda agreement: agreement.correlations["spearman"],
    "kendall": lambda agreement: agreement.correlations["kendall"],
    "pairwise_accuracy": lambda agreement: agreement.pairwise_accuracy,
    "differentials": lambda agreement: agreement.differentials,
    "spa": lambda agreement: agreement.spa,
    "segments_pearson": lambda agreement: agreement.pooled.get("pearson", UNDEFINED),
    "segments_kendall": lambda agreement: agreement.pooled.get("kendall", UNDEFINED),
    "acc_eq": lambda agreement: agreement.tied.accuracy,
}
"""Functions that return the value of each statistic on which metrics are tested, keyed by JSON name."""


@dataclass(frozen=True, slots=True, eq=False)
class SegmentScores:
    """Segment scores by metrics and by humans, and a mask of segments.

    `metrics` are arrays of shape (systems, segments) in which higher is better, one for each metric with segment
    scores. `shared` (segments,) marks the segments with a human score for every system.
    """

    metrics: tuple[Floats, ...]
    human: HumanSystemScores
    shared: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class AgreementTests:
    """Significance tests of whether one metric agrees better than another with human scores.

    The mappings are keyed by statistic. `p` has symmetric matrices of p-values, shape (metrics, metrics), with 1 on the
    diagonal and NaN for undefined values. `tests` has the name of each test; `segments` has the number of segments in
    the test, 0 for a system-level test. `williams` has the p-values of the Williams test of Pearson's r over systems;
    None if `p` has these p-values, or if there are too few systems.
    """

    p: Mapping[str, Floats] = field(default_factory=dict)
    tests: Mapping[str, AgreementTestName] = field(default_factory=dict)
    segments: Mapping[str, int] = field(default_factory=dict)
    williams: Floats | None = None


def compare_agreements(
    agreements: Sequence[MetricAgreement],
    correlations: Floats,
    scores: SegmentScores,
    options: MetaEvalOptions,
    on_progress: OnRounds | None,
) -> AgreementTests:
    """Test, for all pairs of metrics, whether one agrees better than the other with human scores.

    `correlations` (metrics, metrics) are correlations between the system scores of two metrics. PERM-BOTH tests
    statistics computed from mean segment scores. p is 1 if these statistics order two metrics differently from the
    reported statistics, which is possible for BLEU of whole texts. Raises QeError if `options.unit` is "document" but
    documents are unknown.
    """
    p: dict[str, Floats] = {}
    tests: dict[str, AgreementTestName] = {}
    segments: dict[str, int] = {}
    unit_test: AgreementTestName = "segments" if options.unit == "segment" else "documents"
    sampling = {"rounds": options.rounds, "seed": options.seed}
    metric_indices, common = _select_tested(scores)
    units = scores.human.units(common, options.unit) if len(metric_indices) else np.arange(0)
    if units.max(initial=0) + 1 >= MIN_SEGMENTS:
        assert scores.human.scores is not None
        tested = np.stack([scores.metrics[index][:, common] for index in metric_indices])
        human = scores.human.scores[:, common]
        named: dict[AgreementTestName, PermBoth] = {
            "perm-both": perm_both(
                tested, human, sides=options.sides, orientation=options.orientation, units=units,
                on_progress=subtask(on_progress, 3, 0), **sampling,
            ),
            unit_test: permute_pooled(tested, human, units, sides=options.sides, on_progress=subtask(on_progress, 3,
            1), **sampling),
        }  # fmt: skip
        for test, result in named.items():
            for figure, values in result.p.items():
                reported = np.asarray([TESTED_STATISTICS[figure](agreements[index]) for index in metric_indices])
                p[figure] = _expand_to_all(
                    _correct_contradictory_p(values, result.observed[figure], reported), metric_indices, len(agreements)
                )
                tests[figure], segments[figure] = test, result.segments
    williams = _williams(agreements, correlations, options)
    if williams is not None and "pearson" not in p:
        p["pearson"], tests["pearson"], segments["pearson"] = williams, "williams", 0
    if scores.human.scores is not None and scores.metrics:
        # comparisons within a segment are dependent, so they are swapped together
        units = scores.human.units(np.ones(scores.human.scores.shape[1], bool), options.unit)
        epsilons = [agreement.tied.epsilon for agreement in agreements[: len(scores.metrics)]]
        accuracies = tied_accuracy_rows(scores.metrics, scores.human.scores, epsilons, units)
        values = paired_p_values(accuracies, sides=options.sides, on_progress=subtask(on_progress, 3, 2), **sampling)
        compared = [has_comparisons(scores_of_metric, scores.human.scores) for scores_of_metric in scores.metrics]
        # a metric without pairs of scored translations has rows of zeros, but no accuracy
        defined = np.flatnonzero([is_defined.any() for is_defined in compared])
        p["acc_eq"] = _expand_to_all(values[np.ix_(defined, defined)], defined, len(agreements))
        tests["acc_eq"], segments["acc_eq"] = unit_test, int(np.any(compared, axis=0).sum())
    return AgreementTests(p, tests, segments, None if tests.get("pearson") == "williams" else williams)


def tied_accuracy_rows(
    metrics: Sequence[Floats], human: Floats, epsilons: Sequence[float], units: NDArray[np.intp]
) -> Floats:
    """Return the contribution of each unit to acc*eq, shape (metrics, units), as values for `paired_p_values`.

    Metric and human scores have shape (systems, segments). `epsilons` has the ε of each metric, `units` the index of
    the unit of each segment.
    """
    return np.stack(
        [
            sum_by_unit(accuracy_by_segment(metric, human, epsilon), units)
            for metric, epsilon in zip(metrics, epsilons, strict=True)
        ]
    )


def _select_tested(scores: SegmentScores) -> tuple[Ints, NDArray[np.bool_]]:
    """Return the indices of the metrics that score every system, and a mask of the segments on which they are tested.

    In these segments, every system has a human score and a score by each of these metrics.
    """
    common = scores.shared.copy()
    is_scored = (
        [~np.isnan(scores_of_metric) for scores_of_metric in scores.metrics] if scores.human.scores is not None else []
    )
    indices = [index for index, is_known in enumerate(is_scored) if is_known[:, scores.shared].any(axis=1).all()]
    for index in indices:
        common &= is_scored[index].all(axis=0)
    return np.asarray(indices, np.int64), common


def _correct_contradictory_p(p: Floats, tested: Floats, reported: Floats) -> Floats:
    """Return p, set to 1 where the tested and the reported statistics (`reported`) order two metrics differently.

    The result is NaN where a reported statistic is undefined.
    """
    with np.errstate(invalid="ignore"):
        is_contradictory = (tested[:, None] - tested) * (reported[:, None] - reported) < 0
    undefined = np.isnan(reported)[:, None] | np.isnan(reported)
    return np.where(undefined, np.nan, np.where(is_contradictory, 1.0, p))


def _williams(agreements: Sequence[MetricAgreement], correlations: Floats, options: MetaEvalOptions) -> Floats | None:
    systems = len(agreements[0].scores) if agreements else 0
    if systems < MIN_WILLIAMS_SEGMENTS:
        return None
    human_correlations = np.asarray([agreement.correlations["pearson"] for agreement in agreements])
    return williams_p(human_correlations, correlations, systems, two_tailed=options.sides == "two")


def _expand_to_all(p: Floats, indices: Ints, metrics: int) -> Floats:
    """Expand the p-values of the metrics at `indices` to all metrics, with NaN for the rest."""
    widened = np.full((metrics, metrics), np.nan)
    widened[np.ix_(indices, indices)] = p
    return widened


POOLED_STATISTICS = ("segments_pearson", "segments_kendall")
"""Names of the statistics over all translations, as in JSON."""
SwappedDifferences = Callable[[Floats], Floats]
"""Function that returns the differences of a statistic between metrics (rounds, pairs) after swaps (rounds, units)."""


def permute_pooled(
    metrics: Floats,
    human: Floats,
    units: NDArray[np.intp],
    *,
    rounds: int,
    seed: int,
    sides: Sides = "two",
    on_progress: OnRounds | None = None,
) -> PermBoth:
    """Test all pairs of metrics on every statistic of `POOLED_STATISTICS`; all tests use the same swaps.

    Parameters
    ----------
    metrics
        Segment scores, higher is better, shape (metrics, systems, segments), finite.
    human
        Human scores of the same segments, shape (systems, segments), finite.
    units
        Index of the unit to which each segment belongs, shape (segments,), from 0 without gaps; units are swapped as a
        whole, for all systems together, because errors caused by the source or reference are common to all systems.
    rounds, seed, sides
        As in `perm_both`.
    on_progress
        Progress callback (rounds done, rounds); may raise to stop.

    Returns
    -------
    PermBoth
        P-values and statistics, keyed by the names in `POOLED_STATISTICS`.
    """
    count = len(metrics)
    scores = np.stack([standardize(metric.ravel()).reshape(metric.shape) for metric in metrics])
    first, second = np.triu_indices(count, 1)
    swapped: dict[str, SwappedDifferences] = {}
    observed: dict[str, Floats] = {}
    observed["segments_pearson"], swapped["segments_pearson"] = _pearson(scores, human, units)
    observed["segments_kendall"], swapped["segments_kendall"] = _kendall(scores, human, units)
    differ = {name: values[first] - values[second] for name, values in observed.items()}
    reached = {name: np.zeros(len(first), np.int64) for name in observed}
    size, completed = int(units.max(initial=-1)) + 1, 0
    for block, drawn in random_masks.round_blocks(rounds):
        flips = random_masks.unpack_flips(random_masks.swap_bits(seed, block, drawn, size), 0, size).astype(np.float64)
        for name, differences in swapped.items():
            magnitudes, moved = np.abs(differ[name]), differences(flips)
            # equal statistics: all rounds reach their difference
            moved = (
                np.abs(moved)
                if sides == "two"
                else moved * np.where(magnitudes > TOLERANCE, np.sign(differ[name]), 0.0)
            )
            reached[name] += np.count_nonzero(~(moved < magnitudes - TOLERANCE), axis=0)
        completed += drawn
        if on_progress is not None:
            on_progress(completed, rounds)
    p = {}
    for name, hits in reached.items():
        values = np.where(np.isnan(differ[name]), np.nan, (hits + 1) / (rounds + 1))
        p[name] = np.ones((count, count))
        p[name][first, second] = p[name][second, first] = values
    return PermBoth(p, observed, human.shape[1])


def _pearson(scores: Floats, human: Floats, units: NDArray[np.intp]) -> tuple[Floats, SwappedDifferences]:
    """Return Pearson's r of each metric, and a function that returns differences of r between metrics after swaps."""
    standardized, cells = standardize(human.ravel()).reshape(human.shape), human.size
    first, second = np.triu_indices(len(scores), 1)
    columns = np.stack(
        [
            np.stack([sum_by_unit(row, units) for row in values.sum(axis=1)], axis=-1)
            for values in (scores, scores**2, scores * standardized)
        ]
    )  # (3, units, metrics)
    totals = columns.sum(axis=1)

    def correlation(sums: Floats) -> Floats:
        # human scores are standardized: their mean is 0, and their squares sum up to the number of cells
        total, square, product = sums
        spread = square - total**2 / cells
        varied = (spread > TOLERANCE * cells) & bool(np.ptp(human))
        return np.where(varied, product / np.sqrt(np.where(varied, spread, 1.0) * cells), np.nan)

    def differences(flips: Floats) -> Floats:
        swapped_sums = flips @ columns
        left = totals[:, None] - swapped_sums
        return correlation(left[..., first] + swapped_sums[..., second]) - correlation(
            left[..., second] + swapped_sums[..., first]
        )

    return correlation(totals), differences


def _kendall(scores: Floats, human: Floats, units: NDArray[np.intp]) -> tuple[Floats, SwappedDifferences]:
    """Return Kendall's τ-b of each metric, and a function that returns differences of τ-b between metrics after swaps.

    With w = 1 for swapped and w = −1 for unswapped units, the concordance of a metric is quadratic in w. Its even part
    is common to both metrics, and its odd part is linear: Σ w (R_b − R_a) / 2, where R_a and R_b are the sums of the
    concordance rows of metrics a and b over a unit, computed among the scores of both metrics. The same holds for the
    untied pairs in the denominator. The even parts are replaced by their means over swaps, which is exact if there are
    no ties.
    """
    size, cells = int(units.max(initial=-1)) + 1, human.size
    of_cells = np.broadcast_to(units, human.shape).ravel()
    flat, gold = scores.reshape(len(scores), -1), GoldNumbers(human.ravel())
    repeated_gold = GoldNumbers(np.tile(human.ravel(), 2))
    concordances = np.stack([concordance_rows(SystemNumbers(metric, gold)).sum(axis=0) for metric in flat])
    first, second = np.triu_indices(len(scores), 1)
    even_parts, odd = np.empty((2, len(first))), np.empty((2, size, len(first)))
    for pair, (left, right) in enumerate(zip(first, second, strict=True)):
        rows = concordance_rows(SystemNumbers(np.concatenate([flat[left], flat[right]]), repeated_gold))[:, 1:]
        # the two scores of a cell are never both in use
        unused = np.array([2 * np.count_nonzero(flat[left] != flat[right]), 0])
        even_parts[:, pair] = (rows.sum(axis=0) - unused) / 4
        for part, values in enumerate((rows[cells:] - rows[:cells]).T / 2):
            odd[part, :, pair] = sum_by_unit(values, of_cells)
    untied_gold = concordances[0, 0] if len(concordances) else 0.0

    def differences(flips: Floats) -> Floats:
        signs = 2 * flips - 1
        untied, concordant = signs @ odd
        return _tau(even_parts[1] + concordant, even_parts[0] + untied, untied_gold) - _tau(
            even_parts[1] - concordant, even_parts[0] - untied, untied_gold
        )

    return _tau(concordances[:, 2], concordances[:, 1], untied_gold), differences


def _tau(concordant: Floats, untied: Floats, untied_gold: float) -> Floats:
    pairs = np.maximum(untied, 0) * untied_gold
    return np.where(pairs > 0, concordant / np.sqrt(np.where(pairs > 0, pairs, 1.0)), np.nan)


def sum_by_unit(values: Floats, units: NDArray[np.intp]) -> Floats:
    """Return the sum of `values` over the segments of each unit, shape (units,)."""
    return np.asarray(np.bincount(units, values, int(units.max(initial=-1)) + 1), np.float64)
