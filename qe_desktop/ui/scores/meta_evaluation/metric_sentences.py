"""Sentences about the cells of the meta-evaluation tables and matrices."""

from __future__ import annotations

import math

import numpy as np

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.significance import CORRECTION_LABELS, Correction, PairVerdict, SignificanceLevel
from qe_desktop.studies.meta_eval.agreement import MetricAgreement
from qe_desktop.studies.meta_eval.agreement_statistics import (
    AgreementStatistic,
    metric_verdicts,
    no_interval_reason,
    order_by_statistic,
    test_text,
    top_metrics,
    undefined_reason,
    value_cautions,
)
from qe_desktop.studies.meta_eval.meta_evaluation import MetaEvaluation
from qe_desktop.ui.scores.number_format import format_p_relation, format_score, format_signed


def metric_sentence(agreement: MetricAgreement) -> str:
    """Return the description of a metric; if lower is better, with a note that its scores are negated."""
    text = f"{agreement.metric.name}. {agreement.metric.help()}"
    if agreement.metric.better > 0:
        return text
    note = tr("Lower is better, so the scores are negated before they are compared with human scores.")
    return join_localized(" ", (text, note))


def figure_sentence(
    study: MetaEvaluation, agreement: MetricAgreement, figure: AgreementStatistic, decimals: int
) -> str:
    """Return the description of the value of a statistic for a metric, with cautions.

    If the value is undefined, the description contains the reason.
    """
    sentence = _figure_sentence(study, agreement, figure, decimals)
    return join_localized(" ", [sentence, *value_cautions(study, figure, agreement)])


def _figure_sentence(
    study: MetaEvaluation, agreement: MetricAgreement, figure: AgreementStatistic, decimals: int
) -> str:
    value, name = figure.value(agreement), agreement.metric.name
    if math.isnan(value):
        reason = undefined_reason(study, figure, agreement)
        return tr("{metric}: {figure} is undefined. {reason}", metric=name, figure=figure.title, reason=reason)
    number = format_score(value, decimals)
    ends = figure.interval(agreement)
    if ends is not None:
        low, high = (format_score(end, decimals) for end in ends)
        if figure.name == "acc_eq":
            return tr(
                "{metric} vs. human scores: {figure} {value}, 95 % interval {low} to {high}. Metric scores at most "
                "{epsilon} apart count as tied. Press Enter to show the chart.",
                metric=name, figure=figure.title, value=number, low=low, high=high,
                epsilon=f"{agreement.tied.epsilon:.4g}",
            )  # fmt: skip
        return tr(
            "{metric} vs. human scores: {figure} {value}, 95 % interval {low} to {high}. Press Enter to show the "
            "chart.",
            metric=name, figure=figure.title, value=number, low=low, high=high,
        )  # fmt: skip
    reason = no_interval_reason(study, agreement)
    return tr(
        "{metric} vs. human scores: {figure} {value}. {reason}", metric=name, figure=figure.title, value=number,
        reason=reason,
    )  # fmt: skip


def system_sentence(system: str, metric: str, score: str, rank: str, human_rank: str) -> str:
    """Return a sentence about the rank of a system by a metric and its rank by human scores.

    `rank` is empty if the system has no score by the metric.
    """
    if not rank:
        return tr(
            "{system}: no {metric} score; rank {people} by human scores. Press Enter to list its segments.",
            system=system, metric=metric, people=human_rank,
        )  # fmt: skip
    return tr(
        "{system}: {score} by {who}, rank {rank}; rank {people} by human scores. Press Enter to list its segments.",
        system=system, who=metric, score=score, rank=rank, people=human_rank,
    )  # fmt: skip


def human_score_sentence(system: str, score: str, rank: str) -> str:
    """Return a sentence about the human score of a system and its rank."""
    return tr("{system}: human score {score}, rank {rank}.", system=system, score=score, rank=rank)


def correlation_sentence(first: str, second: str, value: float, decimals: int) -> str:
    """Return a sentence about the correlation between two metrics."""
    if math.isnan(value):
        return tr(
            "{one} and {other}: Pearson's r is undefined, because at least one metric lacks a score for a system or "
            "has the same score for all systems.",
            one=first, other=second,
        )  # fmt: skip
    return tr(
        "{one} and {other}: Pearson's r of their system scores is {value}.",
        one=first, other=second, value=format_score(value, decimals),
    )  # fmt: skip


def significance_sentence(
    study: MetaEvaluation,
    figure: AgreementStatistic,
    first: int,
    second: int,
    verdict: PairVerdict,
    correction: Correction,
    decimals: int,
) -> str:
    """Return a sentence on whether one of two metrics agrees significantly better with human scores than the other."""
    values = [figure.value(study.agreements[index]) for index in (first, second)]
    names = [study.agreements[index].metric.name for index in (first, second)]
    if verdict.level in (SignificanceLevel.UNTESTED, SignificanceLevel.SAME_SYSTEM):
        return tr(
            "{one} and {other}: the difference in {figure} was not tested.",
            one=names[0], other=names[1], figure=figure.title,
        )  # fmt: skip
    judged, test = format_p_relation(verdict.adjusted), test_text(study, figure)
    difference = format_signed(values[0] - values[1], decimals)
    p_text = (
        judged
        if correction == "none"
        else tr("{p} after {correction} correction", p=judged, correction=CORRECTION_LABELS[correction])
    )
    if verdict.better is None:
        if values[1] > values[0]:
            # the better one first, so that the difference has the sign that the matrix shows
            names.reverse()
            difference = format_signed(values[1] - values[0], decimals)
        return tr(
            "{one} and {other} do not differ significantly in {figure} ({apart}): p {p}, {test}.",
            one=names[0], other=names[1], apart=difference, figure=figure.title, p=p_text, test=test,
        )  # fmt: skip
    better, worse = (names[0], names[1]) if verdict.better == first else (names[1], names[0])
    return tr(
        "{better} agrees significantly better with human scores than {worse} does on these systems ({figure}, "
        "{apart}): p {p}, {test}.",
        better=better, worse=worse, figure=figure.title,
        apart=format_signed(abs(values[0] - values[1]), decimals), p=p_text,
        test=test,
    )  # fmt: skip


def answer_sentence(
    study: MetaEvaluation, figure: AgreementStatistic, correction: Correction, alpha: float, decimals: int
) -> str:
    """Return a sentence on the metrics that no metric significantly outperforms; "" if the statistic was not tested."""
    verdicts = metric_verdicts(study, figure, correction, alpha)
    best = order_by_statistic(study, figure)[0]
    value = figure.value(study.agreements[best])
    if verdicts is None or math.isnan(value):
        return ""
    worse = int(np.count_nonzero(verdicts.beats[best]))
    if not verdicts.beats.any():
        return tr("No two metrics differ significantly in {figure}.", figure=figure.title)
    others = len(top_metrics(study, figure, correction, alpha)) - 1
    name, number = study.agreements[best].metric.name, format_score(value, decimals)
    answer = tr(
        "In {figure}, no metric is significantly better than {metric} ({value}), which is significantly better than "
        "{n} {n:metric|metrics}.",
        "", worse, figure=figure.title, metric=name, value=number,
    ) if worse else tr(
        "In {figure}, {metric} has the best value ({value}), but no other metric differs significantly from it.",
        figure=figure.title, metric=name, value=number,
    )  # fmt: skip
    if not others:
        return answer
    more = tr(
        "{n} other {n:metric is|metrics are} also in bold: no metric is significantly better than {n:it|these}.",
        "", others,
    )  # fmt: skip
    return join_localized(" ", (answer, more))
