"""Significance of differences between metrics in a meta-evaluation: tables and JSON, with adjusted p-values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.report.format_values import format_p
from qe_desktop.report.meta_evaluation_charts import significance_title
from qe_desktop.report.meta_evaluation_notes import adjusted_note, test_size_notes
from qe_desktop.report.render.columns import square_json
from qe_desktop.report.render.tables import Table
from qe_desktop.significance import Correction, adjust_p_matrix
from qe_desktop.studies.meta_eval.agreement_statistics import statistic_of_test
from qe_desktop.studies.meta_eval.meta_evaluation import MetaEvaluation

P_DECIMALS = 3
"""Number of decimals of p-values."""


def metric_differences_json(study: MetaEvaluation, correction: Correction, alpha: float) -> dict[str, Any]:
    """Return the unadjusted p-values of all pairs of metrics and, if there is a correction, the adjusted ones."""
    names, williams = _names(study), study.tests.williams
    content: dict[str, Any] = {
        "better": {figure: square_json(names, p) for figure, p in study.metric_p_values.items()},
        "tests": {
            figure: {
                "test": study.tests.tests[figure],
                "sides": study.options.sides,
                "segments": study.tests.segments[figure] or None,
            }
            for figure in study.metric_p_values
        },
    }
    if williams is not None:
        content["williams"] = square_json(names, williams)
    if correction != "none":
        adjusted = {figure: adjust_p_matrix(p, correction) for figure, p in study.metric_p_values.items()}
        content["correction"], content["alpha"] = correction, alpha
        content["better_adjusted"] = {figure: square_json(names, p) for figure, p in adjusted.items()}
        if williams is not None:
            content["williams_adjusted"] = square_json(names, adjust_p_matrix(williams, correction))
    return content


def metric_difference_tables(study: MetaEvaluation, correction: Correction) -> Iterator[Table]:
    """Yield a matrix of p-values, adjusted with `correction`, for each tested statistic."""
    for figure, p in study.metric_p_values.items():
        title = significance_title(study, statistic_of_test(figure))
        yield _matrix(study, title, p, correction, test_size_notes(study, figure))
    if study.tests.williams is not None:
        title = (
            tr("Significance of differences in Pearson (Williams test, two-sided, p)")
            if study.options.sides == "two"
            else tr("Significance of differences in Pearson (Williams test, one-sided, p)")
        )
        yield _matrix(study, title, study.tests.williams, correction)


def _names(study: MetaEvaluation) -> list[str]:
    return [agreement.metric.name for agreement in study.agreements]


def _matrix(study: MetaEvaluation, title: str, p: Floats, correction: Correction, notes: tuple[str, ...] = ()) -> Table:
    names, adjusted = _names(study), adjust_p_matrix(p, correction)
    rows = tuple(
        (
            name,
            *(
                None if row == column else format_p(float(value), P_DECIMALS)
                for column, value in enumerate(adjusted[row])
            ),
        )
        for row, name in enumerate(names)
    )
    note = adjusted_note(p, correction)
    return Table(title, ("", *names), rows, P_DECIMALS, (*notes, *([note] if note else [])))
