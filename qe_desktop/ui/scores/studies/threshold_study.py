"""Study of the best threshold on P(BAD) for each metric, and the tables of this study."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from qe_desktop.corpus import Kind
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels import Scoring
from qe_desktop.levels.chart_model import Panels
from qe_desktop.report.render.output_formats import Report
from qe_desktop.report.thresholds import ThresholdsReport, chosen_threshold, score_at_chosen, score_at_default
from qe_desktop.studies.charts.metric_side import NumberFormatter
from qe_desktop.studies.charts.threshold_charts import threshold_panels
from qe_desktop.studies.threshold_study import (
    DEFAULT_PROBABILITY_THRESHOLD,
    SystemThresholds,
    ThresholdStudy,
    open_threshold_data,
    study_thresholds,
    with_probabilities,
)
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores import empty_states
from qe_desktop.ui.scores.number_format import format_score
from qe_desktop.ui.scores.result_table import (
    TableRow,
    exact_values,
    interval_text,
    metric_cell,
    name_cell,
    name_column,
    table_of_rows,
    value_column,
)
from qe_desktop.ui.scores.studies.study import (
    Study,
    StudyOptions,
    StudyRequest,
    StudyResult,
    StudyTarget,
    TitledTable,
    find_index,
)
from qe_desktop.ui.widgets.placeholder_page import EmptyState
from qe_desktop.ui.widgets.tables.table_model import TableCell, TableColumn, TableData

MAX_AUTOMATIC_NUMBERS = 1_000_000
"""Maximum number of probabilities (systems × words) for which the study starts automatically."""


OPTIMISTIC_TEXT = tr("Optimistic: tuned on gold.")
OPTIMISTIC_TOOLTIP = tr("Thresholds are tuned on this gold, so scores are optimistic.")


class ThresholdSearch(Study):
    """Study of the scores at every threshold on P(BAD)."""

    name = "thresholds"
    title = tr("Thresholds")
    about = tr("Which threshold on P(BAD) gives the best tags, by each metric?")

    def unavailable_state(self, scoring: Scoring) -> EmptyState | None:
        """Return the empty state; None if MT words are scored, a system has probabilities, and the gold is suitable."""
        if scoring.level.tags is not Kind.WORDS:
            explanation = tr(
                "P(BAD) is available only for words of the MT. Switch to words to find the best threshold."
            )
            return EmptyState(tr("Thresholds apply to words"), explanation)
        if not with_probabilities(scoring):
            explanation = tr("Add a file with P(BAD) for every word of a system. A threshold turns P(BAD) into tags.")
            return EmptyState(tr("No system has probabilities"), explanation, (empty_states.FILES,))
        return super().unavailable_state(scoring)

    def inputs(self, scoring: Scoring) -> Sequence[Any]:
        """Return the tags of the gold and the probabilities; the result does not depend on the current threshold."""
        gold = scoring.view.tags(scoring.reference).values
        return [gold, *(layer.numbers.values for layer in with_probabilities(scoring))]

    def is_automatic(self, scoring: Scoring, options: StudyOptions) -> bool:
        """Return whether there are at most `MAX_AUTOMATIC_NUMBERS` probabilities."""
        return scoring.size * len(with_probabilities(scoring)) <= MAX_AUTOMATIC_NUMBERS

    def run(self, request: StudyRequest, progress: Progress) -> Report:
        """Evaluate every threshold, compute bootstrap intervals of the best thresholds, and return the report.

        Raises QeError if probabilities are not finite or do not match the tags.
        """

        def on_progress(count: int, total: int) -> None:
            progress.report(count / max(1, total), tr("resampling segments"))

        progress.report(0.0, tr("evaluating thresholds"))
        data = open_threshold_data(request.scoring)
        study = study_thresholds(data, request.metrics, seed=request.options.seed, on_progress=on_progress)
        return ThresholdsReport.build(request.scoring, study)

    def tables(self, result: StudyResult, decimals: int, is_outdated: bool) -> Sequence[TitledTable]:
        """Return two tables: the best thresholds, and how well the probabilities rank words."""
        return [
            TitledTable(tr("Best thresholds"), partial(_thresholds, result.study, decimals, is_outdated)),
            TitledTable(tr("Ranking of words"), partial(_ranks, result.study, decimals, is_outdated)),
        ]

    def panels(self, result: StudyResult, target: StudyTarget, number: NumberFormatter) -> Panels:
        """Return the charts for the system and metric in `target`."""
        study = result.study
        system = find_index(target.system, [item.name for item in study.systems])
        return threshold_panels(study, system, find_index(target.metric, [item.name for item in study.metrics]), number)

    def warning(self, result: StudyResult) -> str:
        """Return a warning that thresholds are tuned on the scored data."""
        return OPTIMISTIC_TEXT


def _thresholds(study: ThresholdStudy, decimals: int, is_outdated: bool) -> TableData[StudyTarget]:
    rows: list[TableRow[StudyTarget]] = []
    token = "muted" if is_outdated else ""
    for system in study.systems:
        for metric_index, metric in enumerate(study.metrics):
            target = StudyTarget(metric.name, system.name)
            last = metric_index == len(study.metrics) - 1
            named = tr("{system} by {metric}. Press Enter to show the chart.", system=system.name, metric=metric.name)
            cells = (
                name_cell(system.name, named, last=last),
                metric_cell(metric, last=last),
                *_numbers(study, system, metric_index, decimals, token, last),
            )
            rows.append((cells, (target,) * len(cells)))
    usual = f"{DEFAULT_PROBABILITY_THRESHOLD:g}"
    columns = (
        name_column(tr("System"), "system"),
        name_column(tr("Metric"), "metric"),
        value_column(
            tr("Best threshold"),
            tr("Threshold at which the metric is highest, with the 95 % interval of the threshold; words with a higher "
               "P(BAD) are tagged BAD"),
            "threshold", "low", "high",
        ),
        value_column(tr("% BAD"), tr("Share of words that are tagged BAD at the best threshold"), "bad"),
        value_column(tr("Score"), tr("Metric at the best threshold"), "score"),
        value_column(tr("At {threshold}", threshold=usual), tr("Metric at the default threshold"), "usual"),
    )  # fmt: skip
    return table_of_rows(columns, rows, is_sortable=True)


def _numbers(
    study: ThresholdStudy, system: SystemThresholds, metric_index: int, decimals: int, token: str, last: bool
) -> tuple[TableCell, ...]:
    best, metric = chosen_threshold(system, metric_index), study.metrics[metric_index].name
    usual = score_at_default(system, metric_index)
    default_description = tr(
        "{system}: {metric} is {score} at the default threshold, {threshold:g}.",
        threshold=DEFAULT_PROBABILITY_THRESHOLD,
        score=format_score(usual, decimals),
        system=system.name,
        metric=metric,
    )
    default_cell = TableCell(
        format_score(usual, decimals), default_description, token, ends_group=last, exact_values=exact_values(usual)
    )
    if math.isnan(best.threshold):
        description = tr(
            "{system}: {metric} does not depend on the threshold, so no threshold is best.",
            system=system.name,
            metric=metric,
        )
        undefined_cell = TableCell(
            format_score(math.nan, decimals), description, "muted", ends_group=last, exact_values=(None,)
        )
        return (
            TableCell(undefined_cell.text, description, "muted", ends_group=last, exact_values=(None, None, None)),
            undefined_cell,
            undefined_cell,
            default_cell,
        )
    score = score_at_chosen(system, metric_index)
    low, high = best.interval
    text = format_score(best.threshold, decimals)
    description = tr(
        "{system}: {metric} is highest if words with P(BAD) above {threshold} are tagged BAD.",
        threshold=text,
        system=system.name,
        metric=metric,
    )
    if not math.isnan(low):
        more = tr(
            "In 95 % of {n:,} bootstrap resamples of segments, the best threshold is between {low} and {high}.",
            "", study.rounds, low=format_score(low, decimals), high=format_score(high, decimals),
        )  # fmt: skip
        description = join_localized(" ", (description, more))
    share = tr("{system}: {share:.1f} % of words have P(BAD) above {threshold}.", system=system.name,
    share=100 * best.bad_share,
               threshold=text)  # fmt: skip
    score_text = tr("{system}: {metric} is {score} at threshold {threshold}, tuned on the same gold (optimistic).",
                  score=format_score(score, decimals), threshold=text, system=system.name, metric=metric)  # fmt: skip
    return (
        TableCell(
            text,
            description,
            token,
            ends_group=last,
            suffix=interval_text(low, high, decimals),
            exact_values=exact_values(best.threshold, low, high),
        ),
        TableCell(f"{100 * best.bad_share:.1f}", share, token, ends_group=last, exact_values=(best.bad_share,)),
        TableCell(format_score(score, decimals), score_text, token, ends_group=last, exact_values=exact_values(score)),
        default_cell,
    )


def _ranks(study: ThresholdStudy, decimals: int, is_outdated: bool) -> TableData[StudyTarget]:
    rows: list[TableRow[StudyTarget]] = []
    token = "muted" if is_outdated else ""
    for system in study.systems:
        overall, per_segment = system.sweep.together, system.sweep.by_segment
        recall = math.nan if per_segment.recall_at_k is None else per_segment.recall_at_k
        figures = (overall.auc, overall.average_precision, recall, per_segment.auc, per_segment.average_precision)
        cells = [name_cell(system.name)]
        cells += [
            TableCell(
                format_score(value, decimals),
                tr("{system}: {figure} is {value}.", system=system.name, figure=column.header,
                   value=format_score(value, decimals)),
                token, exact_values=exact_values(value),
            )
            for value, column in zip(figures, _figures(study), strict=True)
        ]  # fmt: skip
        rows.append((tuple(cells), (StudyTarget(system=system.name),) * len(cells)))
    return table_of_rows((name_column(tr("System"), "system"), *_figures(study)), rows, is_sortable=True)


def _figures(study: ThresholdStudy) -> tuple[TableColumn, ...]:
    count = next((system.sweep.by_segment.segments or 0 for system in study.systems), 0)
    means = tr("mean over {n:,} {n:segment|segments} with both OK and BAD words, as in the WMT22 explainability task",
               "", count)  # fmt: skip
    auc = tr("Probability that a BAD word has a higher P(BAD) than an OK word")
    precise = tr("Mean precision at the ranks of the BAD words")
    recall = tr("Share of a segment's k BAD words that are among its k words with the highest P(BAD)")
    return (
        value_column("AUC", auc, "auc"),
        value_column("AP", precise, "average precision"),
        value_column(tr("segment R@K"), join_localized(": ", (recall, means)), "segments recall at k"),
        value_column(tr("segment AUC"), join_localized(": ", (auc, means)), "segments auc"),
        value_column(tr("segment AP"), join_localized(": ", (precise, means)), "segments average precision"),
    )
