"""Columns of the meta-evaluation table: statistics by level, each with the number of units it is computed over."""

from __future__ import annotations

from qe_desktop.i18n.messages import tr
from qe_desktop.studies.meta_eval.agreement_statistics import (
    FIXED_HUMAN_SCORES,
    AgreementStatistic,
    are_few_systems,
    counts_text,
    few_systems_caution,
    observations_text,
)
from qe_desktop.studies.meta_eval.meta_evaluation import MetaEvaluation
from qe_desktop.ui.widgets.tables.table_model import TableColumn

SYSTEM_LEVEL, PAIRWISE, SEGMENT_LEVEL = tr("System level"), tr("Pairwise"), tr("Segment level")
_HEADERS = {
    "pearson": (SYSTEM_LEVEL, "Pearson"),
    "spearman": (SYSTEM_LEVEL, "Spearman"),
    "kendall": (SYSTEM_LEVEL, "Kendall"),
    "pairs": (PAIRWISE, tr("Accuracy")),
    "spa": (PAIRWISE, "SPA"),
    "differentials": (PAIRWISE, tr("Differences")),
    "segments-pearson": (SEGMENT_LEVEL, "Pearson"),
    "segments-kendall": (SEGMENT_LEVEL, "Kendall"),
    "acc_eq": (SEGMENT_LEVEL, "acc*eq"),
}
"""Column group and heading of each statistic, by name of the statistic."""
ENDS, EPSILON = ("", " low", " high"), " epsilon"
"""Header suffixes of the columns that are copied for each statistic; `EPSILON` is for acc*eq only."""


def has_few_systems(study: MetaEvaluation, figure: AgreementStatistic) -> bool:
    """Return whether a statistic is computed over too few systems to distinguish metrics."""
    return are_few_systems(len(study.systems)) and not is_segment_level(figure)


def is_system_level(figure: AgreementStatistic) -> bool:
    """Return whether a statistic is a system-level correlation; only such statistics have intervals in the table.

    The intervals of all statistics would not fit into a narrow window. The description of a value contains its
    interval.
    """
    return _HEADERS[figure.name][0] == SYSTEM_LEVEL


def is_segment_level(figure: AgreementStatistic) -> bool:
    """Return whether a statistic is computed over translations instead of systems."""
    return _HEADERS[figure.name][0] == SEGMENT_LEVEL


def _meaning_of_n(figure: AgreementStatistic, group: str) -> str:
    """Return a text that says what the number n below the heading of a statistic counts."""
    if group == SYSTEM_LEVEL:
        return tr("n is the number of systems")
    if group == PAIRWISE:
        return tr("n is the number of system pairs")
    return (
        tr("n is the number of translation pairs") if figure.name == "acc_eq" else tr("n is the number of translations")
    )


def statistic_column(study: MetaEvaluation, figure: AgreementStatistic, chosen: AgreementStatistic) -> TableColumn:
    """Return the column of a statistic, with a caution if the statistic is computed over too few systems."""
    group, title = _HEADERS[figure.name]
    counts, systems = counts_text(study, figure.key), len(study.systems)
    sizes = {SYSTEM_LEVEL: f"{systems:,}", PAIRWISE: f"{study.pairs:,}"}
    size = sizes[group] if group in sizes else observations_text(study, figure.key)
    explanations = [figure.description]
    if counts:
        explanations.append(tr("Segments: {counts}", counts=counts))
    if size:
        explanations.append(_meaning_of_n(figure, group))
    if figure.key in study.metric_p_values:
        explanations.append(tr("Bold: no metric is significantly better"))
    if study.has_fixed_human_scores and not is_segment_level(figure):
        explanations.append(FIXED_HUMAN_SCORES.removesuffix("."))
    has_few = has_few_systems(study, figure)
    caution = ""
    if has_few:
        caution = few_systems_caution(systems) if group == SYSTEM_LEVEL else tr("too few systems")
    return TableColumn(
        title,
        "\n".join(explanations),
        is_right_aligned=True,
        is_current=figure == chosen,
        second_line=tr("n {count}", count=size) if size else "",
        has_second_line_caution=has_few,
        group=group,
        caution=caution,
        exported_headers=tuple(
            f"{figure.name}{part}" for part in ((*ENDS, EPSILON) if figure.name == "acc_eq" else ENDS)
        ),
    )
