"""Statistics of agreement with human scores: definitions, and reasons for undefined values."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import tr
from qe_desktop.significance import Correction, UnattainableLevel, missed_level
from qe_desktop.significance.verdicts import PairVerdicts, judge_matrix
from qe_desktop.studies.meta_eval.agreement import MetricAgreement
from qe_desktop.studies.meta_eval.agreement_tests import TESTED_STATISTICS
from qe_desktop.studies.meta_eval.meta_evaluation import MetaEvaluation
from qe_desktop.studies.meta_eval.perm_both import MIN_SEGMENTS
from qe_desktop.studies.meta_eval.score_data import CORRELATIONS, HEADINGS

IntervalEnds = tuple[float, float]
FEW_SYSTEMS = 6
"""Number of systems below which correlations have a caution, because r of unrelated scores can reach .9."""
FEW_SYSTEMS_MARK = "†"
"""Mark shown after a correlation over fewer than `FEW_SYSTEMS` systems."""


@dataclass(frozen=True, slots=True)
class AgreementStatistic:
    """Statistic of agreement with human scores; higher is better.

    `name` is used in commands and copied tables, `title` in headings. `key` is the name of the statistic in
    `TESTED_STATISTICS` and in the mappings of segment counts, intervals and tests between metrics.
    """

    name: str
    title: str
    description: str
    key: str

    def value(self, agreement: MetricAgreement) -> float:
        """Return the value of the statistic, NaN if undefined."""
        return TESTED_STATISTICS[self.key](agreement)

    def interval(self, agreement: MetricAgreement) -> IntervalEnds | None:
        """Return the 95% bootstrap interval of the statistic; None if it is missing or undefined."""
        ends = agreement.intervals.get(self.key)
        return None if ends is None or math.isnan(ends[0]) else ends

    def values(self, study: MetaEvaluation) -> Floats:
        """Return the value of each metric, shape (metrics,), NaN if undefined."""
        return np.asarray([self.value(agreement) for agreement in study.agreements])


FIXED_HUMAN_SCORES = tr("The bootstrap holds human scores fixed, so the intervals are too narrow.")
"""Caution about the intervals of a study that has no human segment scores (`has_fixed_human_scores`)."""
SEGMENTS_OMITTED = tr("The segment level is turned off (level: “systems only”).")
"""Reason why there are no segment-level statistics although there are human segment scores."""


def are_few_systems(systems: int) -> bool:
    """Return whether there are fewer than `FEW_SYSTEMS` systems, so that statistics over systems need a caution."""
    return systems < FEW_SYSTEMS


def few_systems_note(study: MetaEvaluation, figure: AgreementStatistic) -> str:
    """Return a caution if the statistic is a correlation over fewer than `FEW_SYSTEMS` systems, else ""."""
    systems = len(study.systems)
    if not are_few_systems(systems) or figure.name not in (*CORRELATIONS, "differentials"):
        return ""
    return tr(
        "With only {n} {n:system|systems}, Pearson's r of unrelated scores lies outside ±{r:.3f} in 5 % of cases. "
        "Bootstrap intervals do not reflect this.",
        "", systems, r=chance_correlation(systems),
    )  # fmt: skip


def value_cautions(study: MetaEvaluation, figure: AgreementStatistic, agreement: MetricAgreement) -> list[str]:
    """Return cautions on a value: few systems, and an interval that is too narrow; empty if the value is undefined."""
    if math.isnan(figure.value(agreement)):
        return []
    is_too_narrow = study.has_fixed_human_scores and figure.interval(agreement) is not None
    cautions = (FIXED_HUMAN_SCORES if is_too_narrow else "", few_systems_note(study, figure))
    return [caution for caution in cautions if caution]


def chance_correlation(systems: int) -> float:
    """Return the |r| that unrelated, normally distributed scores exceed in 5% of cases.

    `systems` must be at least 3.
    """
    from scipy.special import stdtrit

    t = float(stdtrit(systems - 2, 0.975))
    return t / math.sqrt(systems - 2 + t * t)


def counts_text(study: MetaEvaluation, name: str) -> str:
    """Return the number of segments used by a statistic, as text.

    The text is a range if the number differs between metrics, and "" if no metric has one.
    """
    return _range_text(agreement.counts.get(name) for agreement in study.agreements)


def observations_text(study: MetaEvaluation, name: str) -> str:
    """Return the number of translations (for acc*eq, of translation pairs) used by a segment-level statistic, as text.

    The text is a range if the number differs between metrics, and "" if no metric has one.
    """
    return _range_text(agreement.observations.get(name) for agreement in study.agreements)


def _range_text(numbers: Iterable[int | None]) -> str:
    counts = sorted({count for count in numbers if count is not None})
    if len(counts) > 1:
        return tr("{least:,}–{most:,}", least=counts[0], most=counts[-1])
    return f"{counts[0]:,}" if counts else ""


def few_systems_caution(systems: int) -> str:
    """Return a short caution if there are fewer than `FEW_SYSTEMS` systems, else ""."""
    return tr("{n} {n:system|systems}: too few", "", systems) if are_few_systems(systems) else ""


def get_statistic(name: str) -> AgreementStatistic:
    """Return a statistic by name, or the first one if the name is unknown."""
    return next((statistic for statistic in AGREEMENT_STATISTICS if statistic.name == name), AGREEMENT_STATISTICS[0])


def statistic_of_test(name: str) -> AgreementStatistic:
    """Return the statistic with the key `name`, as used by tests between metrics. Raises StopIteration if unknown."""
    return next(statistic for statistic in AGREEMENT_STATISTICS if statistic.key == name)


def order_by_statistic(study: MetaEvaluation, figure: AgreementStatistic) -> list[int]:
    """Return the indices of the metrics, best first; tied metrics are in input order, undefined values come last."""
    values = figure.values(study)
    return [int(index) for index in np.argsort(np.where(np.isnan(values), np.inf, -values), kind="stable")]


def metric_verdicts(
    study: MetaEvaluation, figure: AgreementStatistic, correction: Correction, alpha: float
) -> PairVerdicts | None:
    """Return which metric of each pair is significantly better on a statistic; None if the statistic was not tested."""
    p = study.metric_p_values.get(figure.key)
    if p is None:
        return None
    return judge_matrix(p, np.nan_to_num(figure.values(study), nan=-np.inf), correction, alpha)


def top_metrics(
    study: MetaEvaluation, figure: AgreementStatistic, correction: Correction, alpha: float
) -> frozenset[int]:
    """Return the indices of metrics that no other metric significantly outperforms; empty if no test is significant.

    Metrics whose value is undefined are left out.
    """
    verdicts = metric_verdicts(study, figure, correction, alpha)
    if verdicts is None or not verdicts.beats.any():
        return frozenset()
    beaten = np.atleast_1d(verdicts.beats.any(axis=0))
    return frozenset(np.flatnonzero(~beaten & ~np.isnan(figure.values(study))).tolist())


def unattainable_metric_level(
    study: MetaEvaluation, figure: AgreementStatistic, correction: Correction, alpha: float
) -> UnattainableLevel | None:
    """Return the significance level that tests between metrics on a statistic cannot reach; None if there is none.

    The result is also None if the statistic was not tested, or was tested by the Williams test, whose p-values have a
    closed form.
    """
    p, test = study.metric_p_values.get(figure.key), study.tests.tests.get(figure.key)
    if p is None or test is None or test == "williams":
        return None
    tested = int(np.count_nonzero(~np.isnan(p[np.triu_indices(len(p), 1)])))
    if not tested:
        return None
    pairs = 1 if correction == "none" else tested
    units = study.tests.segments[figure.key]
    if study.options.unit == "document" and study.human.documents is not None:
        units = len(np.unique(study.human.documents))
    swap_count = units * len(study.systems) if test == "perm-both" else units
    # swapping all units gives as large a two-sided difference as swapping none
    bound = min(1.0, pairs * 2.0 ** ((1 if study.options.sides == "two" else 0) - swap_count))
    smallest_p = min(1.0, max(bound, pairs / (study.options.rounds + 1)))
    return missed_level(alpha, pairs, smallest_p, bound)


def untested_reason(study: MetaEvaluation, figure: AgreementStatistic) -> str:
    """Return why a statistic was not tested between metrics."""
    if study.shared_segments < MIN_SEGMENTS or not study.segments:
        if figure.key == "pearson":
            return tr("The Williams test needs more than {n} systems.", n=len(study.systems))
        return _no_segments(study)
    return tr(
        "The test needs human and metric scores for all systems in at least {n} segments (or documents, if documents "
        "are permuted).",
        "", MIN_SEGMENTS,
    )  # fmt: skip


def test_text(study: MetaEvaluation, figure: AgreementStatistic) -> str:
    """Return the name of the one- or two-sided test between metrics for a statistic; "" if there was no test."""
    test, is_two_sided = study.tests.tests.get(figure.key), study.options.sides == "two"
    if test == "perm-both":
        if study.options.unit == "document":
            return tr("PERM-BOTH of documents, two-sided") if is_two_sided else tr("PERM-BOTH of documents, one-sided")
        return tr("PERM-BOTH, two-sided") if is_two_sided else tr("PERM-BOTH, one-sided")
    if test == "documents":
        return tr("permutation of documents, two-sided") if is_two_sided else tr("permutation of documents, one-sided")
    if test == "segments":
        return tr("permutation of segments, two-sided") if is_two_sided else tr("permutation of segments, one-sided")
    if test == "williams":
        return tr("Williams test, two-sided") if is_two_sided else tr("Williams test, one-sided")
    return ""


def undefined_reason(study: MetaEvaluation, figure: AgreementStatistic, agreement: MetricAgreement) -> str:
    """Return why a statistic of a metric is undefined."""
    if np.isnan(agreement.scores).any() and figure.name in (*_OF_SYSTEMS, "spa"):
        lacking = [name for name, score in zip(study.systems, agreement.scores, strict=True) if np.isnan(score)]
        return tr("{metric} has no score for {systems}.", metric=agreement.metric.name, systems=list_names(lacking))
    if figure.name in _OF_SYSTEMS:
        return tr("All systems have the same {metric} score, or the same human score.", metric=agreement.metric.name)
    if not agreement.intervals:
        return tr("{metric} has system scores only, no segment scores.", metric=agreement.metric.name)
    if figure.name == "spa" or not agreement.pooled:
        return _no_segments(study)
    if figure.name == "acc_eq":
        return tr(
            "No two translations of a segment have both human scores and {metric} scores.",
            metric=agreement.metric.name,
        )
    return tr(
        "Either no segment has both human and {metric} scores, or all segments have the same {metric} or human score.",
        metric=agreement.metric.name,
    )


def no_interval_reason(study: MetaEvaluation, agreement: MetricAgreement) -> str:
    """Return why a statistic of a metric has no interval."""
    if not agreement.intervals:
        return tr("{metric} has system scores only, no segment scores.", metric=agreement.metric.name)
    return tr("There is no interval, because the value is undefined in all resamples.")


def _no_segments(study: MetaEvaluation) -> str:
    if study.human.omits_segments:
        return SEGMENTS_OMITTED
    if study.shared_segments and study.segments:
        return tr("Only {n} {n:segment has|segments have} a human score for every system.", "", study.shared_segments)
    if study.shared_segments:
        return tr("No metric has segment scores.")
    return tr("No segment has a human score for every system.")


AGREEMENT_STATISTICS = (
    AgreementStatistic(
        "pearson", HEADINGS["pearson"],
        tr("System-level Pearson's r, with the 95 % bootstrap interval"), "pearson",
    ),
    AgreementStatistic(
        "spearman", HEADINGS["spearman"],
        tr("System-level Spearman's ρ, with the 95 % bootstrap interval"), "spearman",
    ),
    AgreementStatistic(
        "kendall", HEADINGS["kendall"],
        tr("System-level Kendall's τ, with the 95 % bootstrap interval"), "kendall",
    ),
    AgreementStatistic(
        "pairs", tr("pairwise accuracy"),
        tr("Pairwise accuracy: share of system pairs with the same order, or both tied, by metric and human scores"),
        "pairwise_accuracy",
    ),
    AgreementStatistic(
        "spa", "SPA",
        tr("Soft pairwise accuracy: one minus the mean absolute difference, over all system pairs, "
           "between the one-sided p-values of the metric and of human scores"), "spa",
    ),
    AgreementStatistic(
        "differentials", tr("score differences"),
        tr("Pearson's r of score differences over all system pairs (“differentials”, Lavie et al. 2004)"),
        "differentials",
    ),
    AgreementStatistic(
        "segments-pearson", tr("segment-level Pearson"), tr("Pearson's r over the translations of all segments"),
        "segments_pearson",
    ),
    AgreementStatistic(
        "segments-kendall", tr("segment-level Kendall"), tr("Kendall's τ over the translations of all segments"),
        "segments_kendall",
    ),
    AgreementStatistic(
        "acc_eq", "acc*eq",
        tr(
            "Share of translation pairs within segments with the same order, or both tied, by metric and human scores; "
            "metric scores at most ε apart count as tied"
        ),
        "acc_eq",
    ),
)  # fmt: skip
"""All statistics, in report order."""
_OF_SYSTEMS = ("pearson", "spearman", "kendall", "pairs", "differentials")
