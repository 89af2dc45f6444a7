"""Descriptions of scores and comparisons, for tooltips, screen readers and the texts around the matrix."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qe_desktop.corpus import LayerKey, Provenance
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.metrics import Metric
from qe_desktop.report import DASH
from qe_desktop.significance import (
    CORRECTION_LABELS,
    Comparison,
    Correction,
    MetricComparison,
    SignificanceLevel,
    SignificanceOptions,
    format_level,
    get_test,
    tested_pair_count,
    unattainable_level,
)
from qe_desktop.significance.score_intervals import INTERVAL_LABELS, default_interval_rounds, is_resampled
from qe_desktop.ui.scores.number_format import format_change, format_interval, format_p_relation, format_score


def layer_description(layer: LayerKey, items: str, other_names: Sequence[str]) -> str:
    """Return the description of a layer.

    `items` states what the layer contains, such as “Translations”. `other_names` are added if the layer is a system.
    """
    if layer.provenance is Provenance.PERSON:
        return tr("{name}. {items} by an annotator.", name=layer.name, items=items)
    description = tr("{name}. {items} of a system.", name=layer.name, items=items)
    return join_localized("\n", (description, *(tr("Also: {name}.", name=name) for name in other_names)))


def systems_help(positive: str) -> str:
    """Return the description of the name column; `positive` is the positive class, or empty if there is none."""
    description = tr("Systems and annotators, scored against the gold.")
    return join_localized(" ", (description, tr("Positive class: {tag}.", tag=positive))) if positive else description


def direction_text(metric: Metric) -> str:
    """Return the text “lower is better” for a metric of which this is true; empty for other metrics."""
    return tr("lower is better") if metric.better < 0 else ""


def metric_header_help(metric: Metric, *, is_selected: bool) -> str:
    """Return the tooltip of a metric's column header, which also tells how to select the metric."""
    help_text = f"{metric.name}. {metric.help()}"
    if is_selected:
        return help_text
    selecting = tr("To select {metric}, double-click a value or press Enter on it.", metric=metric.name)
    return join_localized(" ", (help_text, selecting))


def interval_help(metric: str) -> str:
    """Return the description of the column that contains the intervals of a metric."""
    return tr(
        "95 % interval of {metric}. To compare two systems, use the matrix: systems with "
        "overlapping intervals may still differ significantly.",
        metric=metric,
    )  # fmt: skip


def rank_help(metric: str) -> str:
    """Return the description of the column that contains the ranks by a metric."""
    return tr(
        "Best and worst rank by {metric} that the tests allow. Bold: no system is significantly better. A thick line: "
        "each system above it is significantly better than each below.",
        metric=metric,
    )  # fmt: skip


def score_sentence(name: str, metric: str, value: float, difference: float, decimals: int) -> str:
    """Return the description of a computed score and of its change due to the last edit."""
    text = format_score(value, decimals)
    if text == DASH:
        return tr("{name}: {metric} is undefined", name=name, metric=metric)
    change = format_change(difference, decimals)
    if not change:
        return f"{name}: {metric} {text}"
    return tr(
        "{name}: {metric} {score}, {change} due to the last edit or undo",
        name=name, metric=metric, score=text, change=change,
    )  # fmt: skip


def interval_sentence(
    name: str,
    metric: str,
    interval: tuple[float, float] | None,
    decimals: int,
    method: str,
    *,
    defined: bool = True,
    outdated: bool = False,
) -> str:
    """Return the description of a score's interval.

    `method` states how the interval was computed and over which units, `defined` whether the score is defined, and
    `outdated` whether the data have been edited since the interval was computed.
    """
    if interval is None:
        return tr("{name}: the interval of {metric} has not been computed", name=name, metric=metric)
    if interval[0] != interval[0] and defined:
        return tr(
            "{name}: {metric} has no interval: there are too few segments or documents, or all of them have the same "
            "value",
            name=name, metric=metric,
        )  # fmt: skip
    if interval[0] != interval[0]:
        return tr("{name}: {metric} is undefined and has no interval", name=name, metric=metric)
    bounds = format_interval(*interval, decimals)
    if outdated:
        return tr(
            "{name}: 95 % interval of {metric}: {interval} ({method}), outdated",
            name=name, metric=metric, interval=bounds, method=method,
        )  # fmt: skip
    return tr(
        "{name}: 95 % interval of {metric}: {interval} ({method})",
        name=name, metric=metric, interval=bounds, method=method,
    )  # fmt: skip


def pair_sentence(
    comparison: Comparison, scores: MetricComparison, left: int, right: int, decimals: int, items: str
) -> str:
    """Return a sentence that states whether one of two systems is significantly better, with the p-value.

    `left` and `right` are the indices of the systems; if they are equal, the sentence states the score of the system.
    `items` names the output of the systems, such as “tags”.
    """
    verdict, metric = comparison.verdicts(scores.metric.name).pair(left, right), scores.metric.name
    if verdict.level is SignificanceLevel.SAME_SYSTEM:
        return tr("{metric} of {system}", system=_name_with_score(comparison, scores, left, decimals), metric=metric)
    if verdict.level is SignificanceLevel.IDENTICAL:
        names = comparison.systems
        return tr("{one} and {other} have identical {items}: p = 1", one=names[left], other=names[right], items=items)
    values = scores.metric.sort_keys(scores.scores[[left, right]]).tolist()
    if values[0] < values[1]:
        left, right = right, left
    first, second = (_name_with_score(comparison, scores, index, decimals) for index in (left, right))
    if verdict.level is SignificanceLevel.UNTESTED:
        return tr(
            "{one} and {other}: the difference in {metric} was not tested", one=first, other=second, metric=metric
        )
    p = _p_value_text(comparison, scores, left, right)
    if values[0] == values[1]:
        return tr("{one} and {other} have the same {metric}: {p}", one=first, other=second, metric=metric, p=p)
    if verdict.level.is_significant:
        return tr(
            "{better} is significantly better than {worse} in {metric}: {p}",
            better=first, worse=second, metric=metric, p=p,
        )  # fmt: skip
    return tr(
        "{better} is not significantly better than {worse} in {metric}: {p}",
        better=first, worse=second, metric=metric, p=p,
    )  # fmt: skip


def _name_with_score(comparison: Comparison, scores: MetricComparison, index: int, decimals: int) -> str:
    name, value = comparison.systems[index], format_score(float(scores.scores[index]), decimals)
    if value != DASH:
        return f"{name} ({value})"
    if scores.metric.undefined_is_zero:
        return tr("{name} (undefined, counted as 0)", name=name)
    return tr("{name} (undefined)", name=name)


def _p_value_text(comparison: Comparison, scores: MetricComparison, left: int, right: int) -> str:
    """Return a text with the adjusted p-value, if there is a correction, and the unadjusted p-value.

    The unadjusted p-value is followed by its Monte Carlo error, if any.
    """
    verdict = comparison.verdicts(scores.metric.name).pair(left, right)
    p = f"{format_p_relation(verdict.p)}{_error(comparison, scores, left, right)}"
    if comparison.options.correction == "none":
        return tr("exact p {p} (unadjusted)", p=p) if comparison.exact else tr("p {p} (unadjusted)", p=p)
    pairs = tested_pair_count(scores.p)
    judged, unadjusted = format_p_relation(verdict.adjusted), p.removeprefix("= ")
    name = CORRECTION_LABELS[comparison.options.correction]
    if comparison.exact:
        return tr(
            "p {judged} after {correction} correction for {n:,} {n:pair|pairs}, exact p {p} unadjusted",
            "", pairs, judged=judged, correction=name, p=unadjusted,
        )  # fmt: skip
    return tr(
        "p {judged} after {correction} correction for {n:,} {n:pair|pairs}, {p} unadjusted",
        "", pairs, judged=judged, correction=name, p=unadjusted,
    )  # fmt: skip


def _error(comparison: Comparison, scores: MetricComparison, left: int, right: int) -> str:
    if comparison.exact or not comparison.rounds or scores.p[left, right] < 0.001:
        return ""
    error = float(scores.error[left, right])
    return f" ± {format_score(error, 3 if error >= 0.0005 else 4)}"


# --- a whole comparison: its method and limits


def test_sentence(comparison: Comparison, *, outdated: bool) -> str:
    """Return a text with the test, the correction and the number of resampling units; `outdated` adds a note."""
    test = get_test(comparison.options.test).title
    return join_localized(" · ", [test, correction_and_units_text(comparison, outdated=outdated)])


def correction_and_units_text(comparison: Comparison, *, outdated: bool) -> str:
    """Return a text with the correction and the number of resampling units; `outdated` adds a note."""
    options = comparison.options
    names = [correction_text(options.correction)]
    if options.unit == "document":
        names.append(tr("{n:,} {n:document|documents}", "", comparison.units))
    else:
        names.append(tr("{n:,} {n:segment|segments}", "", comparison.units))
    return join_localized(" · ", [*names, *([tr("outdated")] if outdated else [])])


def correction_text(correction: Correction) -> str:
    """Return the name of a correction as displayed to the user."""
    return tr("no correction") if correction == "none" else CORRECTION_LABELS[correction]


def trials_text(comparison: Comparison) -> str:
    """Return a text with the number of trials, or of permutations if all were enumerated; empty if there are none."""
    if not comparison.rounds:
        return ""
    if comparison.exact:
        return tr("All permutations ({n:,}).", "", comparison.rounds)
    return tr("{n:,} {n:trial|trials}.", "", comparison.rounds)


def resamples_text(comparison: Comparison) -> str:
    """Return a text with the number of bootstrap resamples for intervals; empty if no interval is resampled."""
    options = comparison.options
    if not any(is_resampled(tests.metric, options.interval_method) for tests in comparison.metrics):
        return ""
    resamples = options.interval_rounds or default_interval_rounds(comparison.units)
    return tr("Intervals: {n:,} {n:resample|resamples}.", "", resamples)


def method_sentence(options: SignificanceOptions) -> str:
    """Return a text with the test, the interval method, the resampling unit and the seed.

    For an analytic test, a caution is added, if there is one.
    """
    procedure = get_test(options.test)
    test, method = procedure.title, INTERVAL_LABELS[options.interval_method]
    if procedure.is_closed_form:
        texts_by_unit = {
            "segment": tr("{test}, analytic; intervals by {method} over segments, seed {seed}.",
                          test=test, method=method, seed=options.seed),
            "document": tr("{test}, analytic; intervals by {method} over documents, seed {seed}.",
                           test=test, method=method, seed=options.seed),
        }  # fmt: skip
        return join_localized(" ", [part for part in (texts_by_unit[options.unit], procedure.caution) if part])
    if options.interval_method == "fisher":
        texts_by_unit = {
            "segment": tr("{test}, seed {seed}; segments are permuted in tests, and resampled for intervals other than "
                          "those of r ({method}).", test=test, method=method, seed=options.seed),
            "document": tr("{test}, seed {seed}; documents are permuted in tests, and resampled for intervals other "
                           "than those of r ({method}).", test=test, method=method, seed=options.seed),
        }  # fmt: skip
        return texts_by_unit[options.unit]
    if options.unit == "document":
        return tr(
            "{test}, seed {seed}; documents are permuted in tests and resampled for intervals ({method}).",
            test=test, method=method, seed=options.seed,
        )  # fmt: skip
    return tr(
        "{test}, seed {seed}; segments are permuted in tests and resampled for intervals ({method}).",
        test=test, method=method, seed=options.seed,
    )  # fmt: skip


def method_note(comparison: Comparison, metric: str) -> str:
    """Return a note for an exported table: the test, the number of trials, and the meaning of ranks by a metric."""
    options = comparison.options
    ranks = tr(
        "Rank: best and worst rank of a system by {metric} according to the tests (p ≤ {alpha}; {correction}). Every "
        "system above a line is significantly better by {metric} than every system below it.",
        alpha=format_level(options.alpha), correction=CORRECTION_LABELS[options.correction], metric=metric,
    )  # fmt: skip
    is_any_undefined = any(np.isnan(tests.scores).any() for tests in comparison.metrics)
    untested = tr("Systems with an undefined score are not tested.") if is_any_undefined else ""
    counts = (trials_text(comparison), resamples_text(comparison))
    return join_localized(" ", filter(None, (method_sentence(options), *counts, ranks, untested)))


def split_documents_warning(comparison: Comparison) -> str:
    """Return a warning if segments of the same document were permuted or resampled separately; empty otherwise."""
    if not comparison.split_documents:
        return ""
    return tr(
        "The segments belong to {n:,} documents. If segments of a document are similar, p-values are too small: use "
        "documents as the resampling unit.",
        "", comparison.split_documents,
    )  # fmt: skip


def too_few_text(comparison: Comparison) -> str:
    """Return a short note if there are too few trials or units to reach a significance level; empty otherwise.

    See `unattainable_level`.
    """
    unattainable = unattainable_level(comparison)
    if unattainable is None:
        return ""
    if unattainable.rounds is not None:
        return tr("{n:,} {n:trial is|trials are} too few for small p-values.", "", comparison.rounds)
    if comparison.options.unit == "document":
        return tr("{n:,} {n:document is|documents are} too few for small p-values.", "", comparison.units)
    return tr("{n:,} {n:segment is|segments are} too few for small p-values.", "", comparison.units)
