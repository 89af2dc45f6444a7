"""Study of repeated sampling (Logacheva et al. 2016, table 2)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import Scoring
from qe_desktop.levels.chart_model import Panels
from qe_desktop.report.render.output_formats import Report
from qe_desktop.report.sampling import SamplingReport
from qe_desktop.significance import SignificanceOptions
from qe_desktop.studies.charts.metric_side import NumberFormatter
from qe_desktop.studies.charts.sampling_charts import sampling_panels
from qe_desktop.studies.sampling.executors import run_in_threads
from qe_desktop.studies.sampling.sampling_options import DEFAULT_ERROR_SHARES, DEFAULT_SIZES, SamplingOptions
from qe_desktop.studies.sampling.sampling_study import study_sampling
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.studies.sampling_tables import sampling_tables
from qe_desktop.ui.scores.studies.study import (
    Study,
    StudyOptions,
    StudyRequest,
    StudyResult,
    StudyTarget,
    TitledTable,
    find_index,
)


class RepeatedSampling(Study):
    """Study of the smallest difference in error rate that a metric detects; never automatic, as it may take hours."""

    name = "sampling"
    title = tr("Repeated sampling")
    about = tr(
        "Which difference in error rate can a metric detect with a given number of data sets sampled from systems' "
        "errors?"
    )
    choices = ("metrics", "mode", "repetitions", "errors", "sizes")
    options = ("seed", "correction", "alpha")
    judging = ("correction", "alpha")

    def automatic(self, scoring: Scoring, wish: StudyOptions) -> bool:
        """Return False, because the study may be slow."""
        return False

    def make(self, request: StudyRequest, progress: Progress) -> Report:
        """Sample data sets on all processors but one; return the report. Raises QeError for invalid options or data."""
        wish, judged = request.wish, request.options
        options = SamplingOptions(
            parse_errors(wish.errors) or DEFAULT_ERROR_SHARES,
            parse_sizes(wish.sizes) or DEFAULT_SIZES,
            wish.repetitions,
            "full" if wish.mode == "full" else "fast",
            judged.seed,
            correction=judged.correction,
            alpha=judged.alpha,
        ).checked()

        def watch(done: int, total: int) -> None:
            text = tr("{done:,} of {n:,} {n:repetition|repetitions}", "", total, done=done)
            progress.report(done / max(1, total), text if options.mode == "full" else tr("sampling data sets"))

        progress.report(0.0, tr("scoring"))
        run = run_in_threads(max(1, (os.cpu_count() or 1) - 1))
        study = study_sampling(request.scoring, request.metrics, options, run=run, watch=watch)
        return SamplingReport(study, (), request.scoring.level.signature(request.scoring))

    def judged(self, result: StudyResult, options: SignificanceOptions) -> Report:
        """Return the report of the same p-values under another correction and alpha."""
        study = result.study
        now = replace(study.options, correction=options.correction, alpha=options.alpha)
        report = result.report
        assert isinstance(report, SamplingReport), "it is what was made"
        return replace(report, study=replace(study, options=now))

    def sheets(self, result: StudyResult, decimals: int, late: bool) -> Sequence[TitledTable]:
        """Return table 2 of Logacheva et al. 2016, all p-values, and the scores of data sets."""
        return sampling_tables(result.study, decimals, late=late)

    def panels(self, result: StudyResult, target: StudyTarget, number: NumberFormatter) -> Panels:
        """Return charts of the current metric on all pairs of error rates, and of all metrics on one pair."""
        return sampling_panels(
            result.study, find_index(target.metric, [metric.name for metric in result.study.metrics]), number
        )


def parse_errors(text: str) -> tuple[Decimal, ...]:
    """Parse percentages; the result is empty if the text is empty. Raises QeError on invalid numbers."""
    return tuple(_parse_decimal(part) for part in _split_numbers(text))


MAX_EXPONENT = 18
"""Largest absolute decimal exponent of a typed number."""


def parse_sizes(text: str) -> tuple[int, ...]:
    """Parse numbers of data sets; empty if the text is empty. Raises QeError unless all are whole numbers."""
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
