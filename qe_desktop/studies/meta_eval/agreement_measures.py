"""The figures of how a metric agrees with people: what each is, and why it may be undefined."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Floats
from qe_desktop.significance import Correction
from qe_desktop.significance.verdicts import PairVerdicts, judge_matrix
from qe_desktop.studies.meta_eval.agreement import MetricAgreement
from qe_desktop.studies.meta_eval.meta_evaluation import MetaEvaluation
from qe_desktop.studies.meta_eval.perm_both import MIN_SEGMENTS
from qe_desktop.studies.meta_eval.score_data import CORRELATIONS, HEADINGS, UNDEFINED

IntervalEnds = tuple[float, float]
FEW_SYSTEMS = 6
"""Correlations over fewer systems have a caution: unrelated scores often reach .9."""
FEW_SYSTEMS_MARK = "†"
"""Stands after a number with a caution."""


@dataclass(frozen=True, slots=True)
class AgreementStatistic:
    """A figure of which more is better: its name for programs, how a header and a list call it, and what it says.

    `value` takes it from an agreement; `tested` is its name among the tests of which metric is better, if there is any.
    """

    name: str
    title: str
    about: str
    value: Callable[[MetricAgreement], float]
    tested: str = ""

    @property
    def key(self) -> str:
        """Its name among counts of segments and, where it is tested, among tests."""
        return self.tested or self.name.replace("-", "_")

    def interval(self, one: MetricAgreement) -> IntervalEnds | None:
        """The 95 % interval on resampled segments; None without one."""
        ends = one.intervals.get(self.key)
        return None if ends is None or math.isnan(ends[0]) else ends

    def values(self, study: MetaEvaluation) -> Floats:
        """That of each metric, shape (metrics,), NaN where undefined."""
        return np.asarray([self.value(one) for one in study.agreements])


def few_systems_note(study: MetaEvaluation, figure: AgreementStatistic) -> str:
    """What a reader must know of a correlation over few systems; "" of other figures, and with more systems."""
    systems = len(study.systems)
    if systems >= FEW_SYSTEMS or figure.name not in (*CORRELATIONS, "differentials"):
        return ""
    return tr(
        "Only {n} systems: Pearson’s r of scores that are unrelated exceeds ±{r:.3f} in 5 % of cases, and intervals "
        "from resampling segments do not show that.",
        "", systems, r=chance_correlation(systems),
    )  # fmt: skip


def chance_correlation(systems: int) -> float:
    """The |r| that normally distributed scores which are unrelated exceed in 5 % of cases, of 3 systems or more."""
    from scipy.special import stdtrit

    t = float(stdtrit(systems - 2, 0.975))
    return t / math.sqrt(systems - 2 + t * t)


def counts_text(study: MetaEvaluation, name: str) -> str:
    """Of how many segments a figure is; the least and the most where that differs between metrics, "" where of none."""
    counts = sorted({one.counts[name] for one in study.agreements if name in one.counts})
    if len(counts) > 1:
        return tr("{least:,}–{most:,}", least=counts[0], most=counts[-1])
    return f"{counts[0]:,}" if counts else ""


def get_statistic(name: str) -> AgreementStatistic:
    """A figure by its name; the first where there is none so called."""
    return next((one for one in AGREEMENT_STATISTICS if one.name == name), AGREEMENT_STATISTICS[0])


def statistic_of_test(name: str) -> AgreementStatistic:
    """The figure of a test by the test's name."""
    return next(one for one in AGREEMENT_STATISTICS if one.tested == name)


def order_by_statistic(study: MetaEvaluation, figure: AgreementStatistic) -> list[int]:
    """The places of the metrics, best first; equal ones as they stand, those without the figure last."""
    values = figure.values(study)
    return [int(place) for place in np.argsort(np.where(np.isnan(values), np.inf, -values), kind="stable")]


def metric_verdicts(
    study: MetaEvaluation, figure: AgreementStatistic, correction: Correction, alpha: float
) -> PairVerdicts | None:
    """Which metric is significantly better by a figure, judged; None where the study has no such test."""
    p = study.better.get(figure.tested)
    if p is None:
        return None
    return judge_matrix(p, np.nan_to_num(figure.values(study), nan=-np.inf), correction, alpha)


def untested_reason(study: MetaEvaluation, figure: AgreementStatistic) -> str:
    """Why the study has no test of which metric is better by a figure."""
    if not figure.tested:
        return tr("There is no test of which metric is better by this figure.")
    if study.shared < MIN_SEGMENTS or not study.segments:
        if figure.tested == "pearson":
            return tr("The Williams test needs more systems than the {n} that there are.", n=len(study.systems))
        return _no_segments(study)
    return tr(
        "The test needs {n} segments of which people and every metric scored all systems.", "", MIN_SEGMENTS,
    )  # fmt: skip


def test_text(study: MetaEvaluation, figure: AgreementStatistic) -> str:
    """Which test says whether a metric is better by a figure, and whether it is two-sided; "" without one."""
    test, two = study.tests.tests.get(figure.tested), study.options.sides == "two"
    if test == "perm-both":
        return tr("PERM-BOTH, two-sided") if two else tr("PERM-BOTH, one-sided")
    if test == "segments":
        return tr("permutation of segments, two-sided") if two else tr("permutation of segments, one-sided")
    if test == "williams":
        return tr("Williams test, two-tailed") if two else tr("Williams test, one-tailed")
    return ""


def undefined_reason(study: MetaEvaluation, figure: AgreementStatistic, one: MetricAgreement) -> str:
    """Why a figure of a metric is undefined."""
    if np.isnan(one.scores).any() and figure.name in (*_OF_SYSTEMS, "spa"):
        lacking = [name for name, score in zip(study.systems, one.scores, strict=True) if np.isnan(score)]
        return tr("{metric} has no score of {systems}.", metric=one.metric.name, systems=list_names(lacking))
    if figure.name in _OF_SYSTEMS:
        return tr("All systems have one score by {metric}, or by people.", metric=one.metric.name)
    if not one.intervals:
        return tr("{metric} gave each system a score, and segments none.", metric=one.metric.name)
    if figure.name == "spa" or not one.pooled:
        return _no_segments(study)
    if figure.name == "acc_eq":
        return tr("No two translations of a segment were scored by people and by {metric}.", metric=one.metric.name)
    return tr("All segments have one score by {metric}, or by people.", metric=one.metric.name)


def no_interval_reason(study: MetaEvaluation, one: MetricAgreement) -> str:
    """Why there is no interval."""
    if not one.intervals:
        return tr("{metric} gave each system a score, and segments none.", metric=one.metric.name)
    return tr("The figure is undefined on all resampled segments.")


def _no_segments(study: MetaEvaluation) -> str:
    if study.shared:
        return tr("No metric gave scores to segments.")
    return tr("No segment was rated of every system.")


def _of_systems(name: str, one: MetricAgreement) -> float:
    return one.correlations.get(name, UNDEFINED)


def _pooled(name: str, one: MetricAgreement) -> float:
    return one.pooled.get(name, UNDEFINED)


AGREEMENT_STATISTICS = (
    AgreementStatistic(
        "pearson", HEADINGS["pearson"], tr("Pearson’s r over systems, with the 95 % interval from resampling segments"),
        partial(_of_systems, "pearson"), "pearson",
    ),
    AgreementStatistic(
        "spearman", HEADINGS["spearman"],
        tr("Spearman’s ρ over systems, with the 95 % interval from resampling segments"),
        partial(_of_systems, "spearman"), "spearman",
    ),
    AgreementStatistic(
        "kendall", HEADINGS["kendall"], tr("Kendall’s τ over systems, with the 95 % interval from resampling segments"),
        partial(_of_systems, "kendall"), "kendall",
    ),
    AgreementStatistic(
        "pairs", tr("pairs alike"),
        tr("Pairwise accuracy: the share of pairs of systems that are ordered as people have it"),
        lambda one: one.pairwise_accuracy, "pairwise_accuracy",
    ),
    AgreementStatistic(
        "spa", "SPA",
        tr("Soft pairwise accuracy: whether the metric is as sure as people are which of two systems is ahead"),
        lambda one: one.spa, "spa",
    ),
    AgreementStatistic(
        "differentials", tr("differentials"), tr("Pearson’s r over all pairs of systems, of what the two are apart"),
        lambda one: one.differentials, "differentials",
    ),
    AgreementStatistic(
        "segments-pearson", tr("segments: Pearson"), tr("Pearson’s r over the translations of all segments at once"),
        partial(_pooled, "pearson"), "segments_pearson",
    ),
    AgreementStatistic(
        "segments-kendall", tr("segments: Kendall"), tr("Kendall’s τ over the translations of all segments at once"),
        partial(_pooled, "kendall"),
    ),
    AgreementStatistic(
        "acc_eq", "acc*eq",
        tr(
            "How often two translations of a segment are ordered as people have it, ties included; scores up to ε "
            "apart are tied"
        ),
        lambda one: one.tied.accuracy, "acc_eq",
    ),
)  # fmt: skip
"""All of them, in the order of the report."""
_OF_SYSTEMS = ("pearson", "spearman", "kendall", "pairs", "differentials")
