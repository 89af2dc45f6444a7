"""Study of repeated sampling (Logacheva et al. 2016, table 2), and result tables."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from functools import partial

import numpy as np

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels import Scoring
from qe_desktop.levels.chart_model import Panels
from qe_desktop.report.render.output_formats import Report
from qe_desktop.report.sampling import SamplingReport
from qe_desktop.significance import SignificanceOptions
from qe_desktop.studies.charts.metric_side import NumberFormatter
from qe_desktop.studies.charts.tag_metric_charts import sampling_panels
from qe_desktop.studies.sampling.executors import run_in_threads
from qe_desktop.studies.sampling.sampling_options import (
    DEFAULT_ERROR_SHARES,
    DEFAULT_SIZES,
    SamplingOptions,
    format_share,
)
from qe_desktop.studies.sampling.sampling_study import RANGE_STANDARD_ERRORS, SamplingStudy, study_sampling
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.number_format import format_p, format_score
from qe_desktop.ui.scores.result_table import (
    TableRow,
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
from qe_desktop.ui.widgets.tables.table_model import TableCell, TableColumn, TableData


class RepeatedSampling(Study):
    """Study of the smallest difference in error rate that a metric detects.

    It never starts automatically, because it may take hours.
    """

    name = "sampling"
    title = tr("Repeated sampling")
    about = tr(
        "How small a difference in error rate can a metric detect with a given number of data sets sampled from "
        "systems' errors?"
    )
    choices = ("metrics", "mode", "repetitions", "errors", "sizes")
    options = ("seed", "correction", "alpha")
    judging = ("correction", "alpha")

    def summary_parts(self, study_options: StudyOptions) -> Sequence[str]:
        """Return the test and the mode: this study compares samples of scores with t-tests."""
        return tr("t-test"), tr("simulation") if study_options.mode == "full" else tr("analytic")

    def is_automatic(self, scoring: Scoring, options: StudyOptions) -> bool:
        """Return False, because the study may be slow."""
        return False

    def run(self, request: StudyRequest, progress: Progress) -> Report:
        """Sample data sets on all processors but one; return the report. Raises QeError for invalid options or data."""
        study_options, judged = request.study_options, request.options
        options = SamplingOptions(
            parse_errors(study_options.errors) or DEFAULT_ERROR_SHARES,
            parse_sizes(study_options.sizes) or DEFAULT_SIZES,
            study_options.repetitions,
            "full" if study_options.mode == "full" else "fast",
            judged.seed,
            correction=judged.correction,
            alpha=judged.alpha,
            lowers_errors=not parse_errors(study_options.errors),
        ).normalize()

        def on_progress(count: int, total: int) -> None:
            text = tr("{done:,} of {n:,} {n:repetition|repetitions}", "", total, done=count)
            progress.report(count / max(1, total), text if options.mode == "full" else tr("sampling data sets"))

        progress.report(0.0, tr("scoring"))
        run = run_in_threads(max(1, (os.cpu_count() or 1) - 1))
        study = study_sampling(request.scoring, request.metrics, options, run=run, on_progress=on_progress)
        return SamplingReport(study, (), request.scoring.level.signature(request.scoring))

    def rejudge(self, result: StudyResult, options: SignificanceOptions) -> Report:
        """Return the report with the correction and alpha of `options`; the unadjusted p-values do not change."""
        study = result.study
        now = replace(study.options, correction=options.correction, alpha=options.alpha)
        report = result.report
        assert isinstance(report, SamplingReport)
        return replace(report, study=replace(study, options=now))

    def tables(self, result: StudyResult, decimals: int, is_outdated: bool) -> Sequence[TitledTable]:
        """Return a table like table 2 in Logacheva et al. 2016, all p-values, and the scores of data sets."""
        return [
            TitledTable(tr("Sample size needed"), partial(_paper_table, result.study, is_outdated)),
            TitledTable(tr("p by number of data sets"), partial(_p_values, result.study, is_outdated)),
            TitledTable(tr("Scores of data sets"), partial(_scores, result.study, decimals, is_outdated)),
        ]

    def panels(self, result: StudyResult, target: StudyTarget, number: NumberFormatter) -> Panels:
        """Return p-value charts: the metric of `target` for all pairs of error rates, and all metrics for one pair."""
        return sampling_panels(
            result.study, find_index(target.metric, [metric.name for metric in result.study.metrics]), number
        )


def parse_errors(text: str) -> tuple[Decimal, ...]:
    """Return the percentages in a text; empty if the text is empty. Raises QeError if a number is invalid."""
    return tuple(_parse_decimal(part) for part in _split_numbers(text))


MAX_EXPONENT = 18
"""Maximum absolute value of the decimal exponent of a number that the user types."""


def parse_sizes(text: str) -> tuple[int, ...]:
    """Return numbers of data sets parsed from a text; empty if the text is. Raises QeError if one is not whole."""
    numbers = [_parse_decimal(number) for number in _split_numbers(text)]
    if any(number != int(number) for number in numbers):
        raise QeError(tr("sizes must be whole numbers"), hint=tr("Use sizes such as 100 500 1000."))
    return tuple(int(number) for number in numbers)


def _split_numbers(text: str) -> list[str]:
    return text.replace(",", " ").replace(";", " ").replace("%", " ").split()


def _parse_decimal(text: str) -> Decimal:
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("NaN")
    # converting a number with a huge exponent to an integer would take minutes
    if not number.is_finite() or abs(number.adjusted()) > MAX_EXPONENT:
        raise QeError(tr("“{text}” is not a number", text=text), hint=tr("Use numbers separated by spaces."))
    return number


def _size_indices_by_difference(study: SamplingStudy, standard_errors: float) -> dict[Decimal, np.ndarray]:
    """Map each difference in error rate to the indices of the smallest sufficient sizes, shape (metrics,).

    A size is sufficient if the metric detects the difference for all pairs of error rates with this difference. If no
    size is sufficient, the index is the number of sizes. Keys are in ascending order. Before adjustment, each p-value
    is shifted by `standard_errors` times its standard error.
    """
    needed, indexes = study.required_size_indices(standard_errors), dict[Decimal, list[int]]()
    for pair_index, pair in enumerate(study.options.pairs):
        indexes.setdefault(study.options.difference(pair), []).append(pair_index)
    return {difference: needed[:, indexes[difference]].max(axis=1) for difference in sorted(indexes)}


def _paper_table(study: SamplingStudy, is_outdated: bool) -> TableData[StudyTarget]:
    """Return a table with a row per metric: the number of data sets needed to detect each difference.

    Metrics that need the fewest data sets come first; ties are sorted by mean p-value.
    """
    exact = _size_indices_by_difference(study, 0.0)
    low, high = (
        _size_indices_by_difference(study, by_errors) for by_errors in (-RANGE_STANDARD_ERRORS, RANGE_STANDARD_ERRORS)
    )
    token = "muted" if is_outdated else ""
    order = np.lexsort((study.p.mean(axis=(1, 2)), np.sum(list(exact.values()), axis=0)))
    rows: list[TableRow[StudyTarget]] = []
    for row in order.tolist():
        metric, target = study.metrics[row], StudyTarget(study.metrics[row].name)
        cells = [metric_cell(metric)]
        cells += [
            _needed_size_cell(
                study,
                metric.name,
                difference,
                int(size_indices[row]),
                (int(low[difference][row]), int(high[difference][row])),
                token,
            )
            for difference, size_indices in exact.items()
        ]
        rows.append((tuple(cells), (target,) * len(cells)))
    tooltip = tr(
        "Number of data sets needed to detect a difference of this many percentage points between any two error "
        "rates. A data set is the gold with errors of the systems in randomly selected segments."
    )
    columns = (
        name_column(tr("Metric"), "metric", tr("Metrics that need the fewest data sets come first")),
        *(
            replace(
                value_column(format_share(difference), tooltip, format_share(difference)),
                group=tr("Data sets needed, by difference in percentage points"),
            )
            for difference in exact
        ),
    )
    return table_of_rows(columns, rows)


def _needed_size_cell(
    study: SamplingStudy, metric: str, difference: Decimal, size_index: int, index_range: tuple[int, int], token: str
) -> TableCell:
    sizes = study.options.sizes
    if size_index < len(sizes):
        sentence = tr(
            "{metric} detects a {points}-percentage-point difference with {n:,} data sets.",
            "", sizes[size_index], metric=metric, points=format_share(difference),
        )  # fmt: skip
    else:
        sentence = tr(
            "{metric} does not detect a {points}-percentage-point difference with {n:,} data sets.",
            "", sizes[-1], metric=metric, points=format_share(difference),
        )  # fmt: skip
    if not size_index:
        least_tested = tr("This is the smallest number tested, so fewer may be enough.")
        sentence = join_localized(" ", (sentence, least_tested))
    range_text = ""
    if index_range[0] != index_range[1]:
        least, maximum = (_format_size(sizes, index) for index in index_range)
        range_text = f"[{least}, {maximum}]"
        more = tr(
            "If p is two standard errors lower or higher, the number of data sets needed is {least} to {most}.",
            least=least, most=maximum,
        )  # fmt: skip
        sentence = join_localized(" ", (sentence, more))
    is_out_of_range = size_index >= len(sizes)
    return TableCell(
        _format_size(sizes, size_index), sentence, token or ("muted" if is_out_of_range else ""), suffix=range_text,
        exact_values=(None if is_out_of_range else sizes[size_index],),
    )  # fmt: skip


def _format_size(sizes: Sequence[int], size_index: int) -> str:
    """Return the size at an index as text, with "≤" if it is the smallest; if none suffices, ">" and the largest."""
    if size_index >= len(sizes):
        return f">{sizes[-1]:,}"
    return f"{sizes[size_index]:,}" if size_index else f"≤{sizes[0]:,}"


def _p_values(study: SamplingStudy, is_outdated: bool) -> TableData[StudyTarget]:
    """Return a table with a row per metric and pair of error rates: the p-value at each size.

    Copies of the table also have the standard error and the adjusted p-value.
    """
    options, adjusted = study.options, study.adjusted_p()
    token = "muted" if is_outdated else ""
    rows: list[TableRow[StudyTarget]] = []
    for row, metric in enumerate(study.metrics):
        for pair_index, pair in enumerate(options.pairs):
            first, second = (format_share(options.errors[end]) for end in pair)
            last = pair_index == len(options.pairs) - 1
            named = tr("{metric}: error rates {one} and {other} %", metric=metric.name, one=first, other=second)
            cells = [
                name_cell(metric.name, named, last=last),
                TableCell(
                    tr("{one} and {other} %", one=first, other=second),
                    named,
                    ends_group=last,
                    exact_values=(first, second),
                ),
            ]
            for column, size in enumerate(options.sizes):
                p, error = float(study.p[row, pair_index, column]), float(study.error[row, pair_index, column])
                judged = float(adjusted[row, pair_index, column])
                sentence = tr(
                    "{metric}, error rates {one} and {other} %, {n:,} data sets: p {p} ± {error}, adjusted p {judged}.",
                    "", size, metric=metric.name, one=first, other=second, p=format_p(p), error=format_p(error),
                    judged=format_p(judged),
                )  # fmt: skip
                is_significant = judged <= options.alpha
                cells.append(
                    TableCell(
                        format_p(p),
                        sentence,
                        token,
                        is_bold=is_significant,
                        ends_group=last,
                        exact_values=(p, error, judged),
                    )
                )
            rows.append((tuple(cells), (StudyTarget(metric.name),) * len(cells)))
    parts, tooltip = ("p", "p error", "adjusted p"), tr("p before correction; bold: significant after correction")
    columns = (
        name_column(tr("Metric"), "metric"),
        TableColumn(tr("Errors"), exported_headers=("errors 1", "errors 2")),
        *(value_column(f"{size:,}", tooltip, *(f"{size} {part}" for part in parts)) for size in options.sizes),
    )
    return table_of_rows(columns, rows)


def _scores(study: SamplingStudy, decimals: int, is_outdated: bool) -> TableData[StudyTarget]:
    """Return a table with a row per metric: mean and standard deviation of data set scores at each error rate."""
    token = "muted" if is_outdated else ""
    rows: list[TableRow[StudyTarget]] = []
    for row, metric in enumerate(study.metrics):
        cells = [metric_cell(metric)]
        for error_index, error in enumerate(study.options.errors):
            mean, deviation = float(study.means[row, error_index]), float(study.deviations[row, error_index])
            texts = [format_score(value, decimals + 1) for value in (mean, deviation)]
            sentence = tr("{metric} of data sets with {share} % errors: mean {mean}, standard deviation {sd}.",
                          metric=metric.name, share=format_share(error), mean=texts[0], sd=texts[1])  # fmt: skip
            cells.append(
                TableCell(texts[0], sentence, token, second_line=f"± {texts[1]}", exact_values=(mean, deviation))
            )
        rows.append((tuple(cells), (StudyTarget(metric.name),) * len(cells)))
    columns = (
        name_column(tr("Metric"), "metric"),
        *(
            value_column(
                tr("{share} %", share=format_share(error)),
                tr("Data sets with this share of wrong tags"),
                f"{format_share(error)} mean",
                f"{format_share(error)} sd",
            )
            for error in study.options.errors
        ),
    )
    return table_of_rows(columns, rows)
