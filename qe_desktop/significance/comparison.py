"""System comparison: scores, p-values of all pairs, significant differences, and distinction coefficients d."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import QeError
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics import Metric
from qe_desktop.significance.clusters import rank_clusters, rank_ranges
from qe_desktop.significance.corrections import Correction, adjust_p, adjust_p_matrix, upper_triangle
from qe_desktop.significance.missing_units import compare_shared_units, has_missing_scores
from qe_desktop.significance.randomization import FamilyRows, OnRounds, PairTests, sum_by_document
from qe_desktop.significance.registry import get_test
from qe_desktop.significance.score_intervals import IntervalMethod
from qe_desktop.significance.verdicts import PairVerdicts

ResamplingUnit = Literal["segment", "document"]


@dataclass(frozen=True, slots=True)
class SignificanceOptions:
    """Options of a system comparison and of confidence intervals; `test` is the name of a `SignificanceTest`."""

    test: str = "randomisation"
    rounds: int = 10_000
    seed: int = 1
    unit: ResamplingUnit = "segment"
    correction: Correction = "bonferroni"
    alpha: float = 0.05
    top: int | None = None
    """Number of top systems in the ranking, for `d_top` and `d_bottom`; None for half of the systems, rounded down."""
    interval_method: IntervalMethod = "bootstrap"
    interval_rounds: int | None = None
    """Number of bootstrap resamples for intervals; None for the number that `default_interval_rounds` returns."""


@dataclass(frozen=True, slots=True, eq=False)
class MetricComparison:
    """Comparison of systems by one metric; matrices have shape (systems, systems), in input order of the systems.

    Attributes
    ----------
    scores
        Scores, shape (systems,), NaN if undefined; `Metric.sort_keys` determines how undefined scores are ranked.
    order
        System indices, best first.
    p, error, adjusted
        Unadjusted p-values, their Monte Carlo standard errors, and adjusted p-values.
    beats
        Whether system a is significantly better than system b, `beats[a, b]`.
    d, d_top, d_bottom
        Distinction coefficients over all systems, over the upper part of the ranking, and over the lower part; NaN if
        no pair of these systems was tested.
    """

    metric: Metric
    scores: Floats
    order: Ints
    p: Floats
    error: Floats
    adjusted: Floats
    beats: NDArray[np.bool_]
    d: float
    d_top: float
    d_bottom: float

    @property
    def clusters(self) -> list[list[int]]:
        """Groups of system indices, best first; each system is significantly better than all systems in lower groups.

        Systems that were not tested, such as those with undefined scores, are in no group.
        """
        return rank_clusters(self.order[self._is_tested[self.order]], self.beats)

    @property
    def ranks(self) -> Ints:
        """Best and worst possible rank of each system, shape (systems, 2); 0 for systems that are in no cluster."""
        tested = np.flatnonzero(self._is_tested)
        ranks = np.zeros((len(self.beats), 2), np.int64)
        ranks[tested] = np.stack(rank_ranges(self.beats[np.ix_(tested, tested)]), axis=-1)
        return ranks

    @property
    def _is_tested(self) -> NDArray[np.bool_]:
        is_other = ~np.eye(len(self.p), dtype=bool)
        is_single = ~np.isnan(self.scores) & (len(self.p) < 2)
        return np.asarray((np.isfinite(self.p) & is_other).any(axis=1) | is_single)


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Comparison of systems by all metrics.

    Attributes
    ----------
    rounds
        Number of trials, permutations (if `exact`) or resamples; 0 for tests in closed form and for a single system.
    units
        Number of resampling units.
    identical
        Whether two systems have the same output, shape (systems, systems); None if unknown.
    split_documents
        Number of documents if their segments were permuted or resampled separately; 0 if documents were kept whole.
    """

    systems: tuple[str, ...]
    metrics: tuple[MetricComparison, ...]
    options: SignificanceOptions
    rounds: int
    exact: bool
    segments: int
    units: int
    identical: NDArray[np.bool_] | None = None
    split_documents: int = 0

    def of(self, metric: str) -> MetricComparison:
        """Return the comparison by the metric named `metric`. Raises KeyError if the metric is not included."""
        return {comparison.metric.name: comparison for comparison in self.metrics}[metric]

    def verdicts(self, metric: str) -> PairVerdicts:
        """Return the test verdicts by the metric named `metric`. Raises KeyError if the metric is not included."""
        tests = self.of(metric)
        return PairVerdicts(tests.p, tests.adjusted, tests.beats, identical=self.identical, alpha=self.options.alpha)


def compare_rows(
    names: Sequence[str],
    families: Sequence[FamilyRows],
    metrics: Sequence[Metric],
    options: SignificanceOptions,
    *,
    documents: NDArray[np.integer] | None = None,
    on_progress: OnRounds | None = None,
) -> Comparison:
    """Compare systems by metrics, and test all pairs of systems.

    Parameters
    ----------
    names
        System names.
    families
        Rows and metrics; all families have the same systems and segments.
    metrics
        All metrics of the families, in the order that the result should have.
    options
        Test, resampling unit, correction and significance level.
    documents
        Index of the document of each segment, shape (segments,); required if documents are the resampling unit.
    on_progress
        Progress callback, called from any thread with the number of completed trials and the total. An exception that
        it raises stops the test.

    Returns
    -------
    Comparison
        Scores, p-values of all pairs of systems, and rankings, by metric.

    Raises
    ------
    QeError
        If the test is unknown, if it needs more segments, or if it does not support one of the metrics or the
        resampling unit. Also if documents are the resampling unit, but `documents` is None.
    """
    _reject_untestable(metrics)
    families, documents = _scored_rows(families, documents)
    segments = families[0].rows.shape[1]
    totals = {family.metrics[0].family.name: family.rows.sum(axis=1, dtype=np.float64) for family in families}
    results: dict[str, MetricComparison] = {}
    for part in _parts(families, options):
        tests = _run_tests(part, options, documents, on_progress)
        tested = [metric for family in part for metric in family.metrics]
        scores = np.stack([metric.score(totals[metric.family.name]) for metric in tested])
        is_missing = _missing_scores(tested, scores)
        p, error = np.where(is_missing, np.nan, tests.p), np.where(is_missing, 0.0, tests.error)
        results |= {comparison.metric.name: comparison for comparison in judge_pairs(tested, scores, p, error, options)}
    ordered = tuple(results[metric.name] for metric in metrics)
    units = segments if options.unit == "segment" or documents is None else len(np.unique(documents))
    return Comparison(tuple(names), ordered, options, tests.rounds, tests.exact, segments, units)


def _missing_scores(metrics: Sequence[Metric], scores: Floats) -> NDArray[np.bool_]:
    """Return a mask of pairs with an undefined score that must not count as 0, shape (metrics, systems, systems)."""
    is_missing = np.isnan(scores) & ~np.asarray([metric.undefined_is_zero for metric in metrics])[:, None]
    is_either_missing = is_missing[:, :, None] | is_missing[:, None, :]
    return np.asarray(is_either_missing & ~np.eye(scores.shape[1], dtype=bool))


def _scored_rows(
    families: Sequence[FamilyRows], documents: NDArray[np.integer] | None
) -> tuple[Sequence[FamilyRows], NDArray[np.integer] | None]:
    """Return families and documents without the segments for which no system has output, unless that leaves none."""
    if not all(family.metrics[0].family.has_missing_rows for family in families):
        return families, documents
    is_scored = np.logical_or.reduce([family.rows.any(axis=(0, 2)) for family in families])
    if is_scored.all() or not is_scored.any():
        return families, documents
    scored_families = [replace(family, rows=family.rows[:, is_scored]) for family in families]
    return scored_families, None if documents is None else documents[is_scored]


def _parts(families: Sequence[FamilyRows], options: SignificanceOptions) -> list[list[FamilyRows]]:
    """Return families in groups: those with missing scores are separate if the test supports missing scores."""
    by_pairs = get_test(options.test).test_pairs is not None
    has_missing = [by_pairs and has_missing_scores(family) for family in families]
    parts = [
        [family for family, has_holes in zip(families, has_missing, strict=True) if has_holes is hole]
        for hole in (False, True)
    ]
    return [part for part in parts if part]


def _run_tests(
    families: Sequence[FamilyRows],
    options: SignificanceOptions,
    documents: NDArray[np.integer] | None,
    on_progress: OnRounds | None,
) -> PairTests:
    test = get_test(options.test)
    if len(families[0].rows) < 2:
        # a single system has no pairs to test
        shape = (sum(len(family.metrics) for family in families), 1, 1)
        return PairTests(np.ones(shape), np.zeros(shape), 0, False)
    units = sum_by_unit(families, options.unit, documents)
    if test.test_pairs is not None and has_missing_scores(families[0]):
        document_ids = documents if options.unit == "document" else None
        return compare_shared_units(
            families,
            test.test_pairs,
            rounds=options.rounds,
            seed=options.seed,
            documents=document_ids,
            on_progress=on_progress,
        )
    totals = [(family.metrics, family.rows.sum(axis=1, dtype=np.float64)) for family in families]
    observed = np.stack([metric.finite_scores(total) for metrics, total in totals for metric in metrics])
    return test.run(units, observed, rounds=options.rounds, seed=options.seed, on_progress=on_progress)


def _reject_untestable(metrics: Sequence[Metric]) -> None:
    for metric in metrics:
        if not metric.family.has_independent_rows:
            message = tr(
                "{metric} compares each segment with all others, so segments cannot be permuted or resampled",
                metric=metric.name,
            )
            raise QeError(message, hint=tr("Use another metric."))


def sum_by_unit(
    families: Sequence[FamilyRows], unit: ResamplingUnit, documents: NDArray[np.integer] | None
) -> Sequence[FamilyRows]:
    """Return the rows summed by resampling unit.

    Segments of a document are similar, so tests and intervals can resample documents as a whole.

    Parameters
    ----------
    families
        Rows of segments, with their metrics.
    unit
        "segment" or "document".
    documents
        Index of the document of each segment, shape (segments,); None if unknown.

    Returns
    -------
    sequence of FamilyRows
        `families` if the unit is "segment"; otherwise, families with one row per document.

    Raises
    ------
    QeError
        If the unit is "document" and `documents` is None.
    """
    if unit == "segment":
        return families
    if documents is None:
        raise no_documents_error()
    return [FamilyRows(sum_by_document(family.rows, documents), family.metrics) for family in families]


def no_documents_error() -> QeError:
    """Return the error raised if documents are the resampling unit and there is no document information."""
    return QeError(
        tr("documents cannot be used as resampling units, because there is no document information"),
        hint=tr("Use segments as resampling units, or add a file with one document name per line."),
        command_hint=tr(
            "Use segments as resampling units, or use --documents to specify a file with one document name per line."
        ),
    )


def judge_pairs(
    metrics: Sequence[Metric], scores: Floats, p: Floats, error: Floats, options: SignificanceOptions
) -> tuple[MetricComparison, ...]:
    """Rank systems by each metric, and determine which differences are significant.

    `scores` has shape (metrics, systems); `p` and `error` have shape (metrics, systems, systems). Since no test is run,
    the correction, alpha and the number of top systems in `options` can be changed interactively.
    """
    sort_keys = np.stack([metric.sort_keys(values) for metric, values in zip(metrics, scores, strict=True)])
    order = np.argsort(-sort_keys, axis=-1, kind="stable")
    corrected = adjust_p_matrix(p, options.correction)
    beats = (corrected <= options.alpha) & (sort_keys[:, :, None] > sort_keys[:, None, :])
    # tests of resampled differences around their mean can find systems with equal scores significantly different
    is_tied = (sort_keys[:, :, None] == sort_keys[:, None, :]) & ~np.isnan(p)
    shares = _distinctions(np.where(is_tied, 1.0, p), order, options)
    columns = zip(metrics, scores, order, p, error, corrected, beats, strict=True)
    return tuple(MetricComparison(*column, *ds) for column, ds in zip(columns, shares.tolist(), strict=True))


def rejudge_comparison(comparison: Comparison, options: SignificanceOptions) -> Comparison:
    """Judge existing test results again, with another correction, significance level or number of top systems.

    Parameters
    ----------
    comparison
        Comparison whose p-values are reused.
    options
        New options. The test, rounds, seed and resampling unit must be those of the comparison.

    Returns
    -------
    Comparison
        Comparison with the new options; `comparison` itself if the options are equal.
    """
    if options == comparison.options:
        return comparison
    before = comparison.metrics
    scores, p, error = (
        np.stack(column) for column in zip(*((item.scores, item.p, item.error) for item in before), strict=True)
    )
    result = judge_pairs([item.metric for item in before], scores, p, error, options)
    # reuse the tested arrays instead of copying them
    pairs = zip(result, before, strict=True)
    metrics = tuple(replace(item, scores=tested.scores, p=tested.p, error=tested.error) for item, tested in pairs)
    return replace(comparison, metrics=metrics, options=options)


def distinction_coefficient(p: Floats, correction: Correction, alpha: float) -> float:
    """Return the distinction coefficient d: the share of pairs that differ significantly (Logacheva et al. 2016).

    Parameters
    ----------
    p
        Symmetric matrix of unadjusted p-values, shape (systems, systems); NaN if untested.
    correction
        Correction for multiple tests, which counts only the pairs in `p`. For the upper or lower half of a ranking,
        these are the pairs within that half (Logacheva et al. 2016, footnote 3).
    alpha
        Significance level of the adjusted p-values.

    Returns
    -------
    float
        Share of the tested pairs that differ significantly, 0 to 1; NaN if no pair was tested.
    """
    return float(_significant_share(p[upper_triangle(len(p))], correction, alpha))


def _distinctions(p: Floats, order: Ints, options: SignificanceOptions) -> Floats:
    """Return d over all systems, over the top and over the bottom systems, by each metric, shape (metrics, 3)."""
    rows, columns = upper_triangle(order.shape[-1])
    top, _ = top_and_bottom(order.shape[-1], options.top)
    by_rank = p[np.arange(len(p))[:, None], order[:, rows], order[:, columns]]
    parts = (p[:, rows, columns], by_rank[:, columns < top], by_rank[:, rows >= top])
    return np.stack([_significant_share(part, options.correction, options.alpha) for part in parts], axis=-1)


def _significant_share(p: Floats, correction: Correction, alpha: float) -> Floats:
    """Return the share of significant tests among those with a p-value, NaN if none; `p` has shape (..., tests)."""
    tested = np.count_nonzero(np.isfinite(p), axis=-1)
    significant = np.count_nonzero(adjust_p(p, correction) <= alpha, axis=-1)
    return np.asarray(np.where(tested, significant / np.maximum(tested, 1), np.nan))


def top_and_bottom(systems: int, top: int | None = None) -> tuple[int, int]:
    """Return the sizes of the upper and lower parts of a ranking.

    Parameters
    ----------
    systems
        Number of systems.
    top
        Size of the upper part, clipped to 0 … `systems`; None for half, rounded down.

    Returns
    -------
    tuple of int
        Sizes of the upper and the lower part. By default, they are 8 and 9 for 17 systems, as in Logacheva et al. 2016.
    """
    upper = systems // 2 if top is None else max(0, min(top, systems))
    return upper, systems - upper
