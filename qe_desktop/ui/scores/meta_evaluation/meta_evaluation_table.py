"""Options, result and tables of a meta-evaluation: metrics × statistics, and systems with human and metric scores."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from qe_desktop.corpus import LayerKey, View
from qe_desktop.corpus.columns import Floats
from qe_desktop.escaping import isolate_bidi
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.metrics.text.tokenization import DEFAULT_TOKENIZATION, Tokenization
from qe_desktop.report.meta_evaluation import MetaEvaluationReport
from qe_desktop.significance import Correction
from qe_desktop.significance.comparison import ResamplingUnit
from qe_desktop.studies.meta_eval.agreement import MetricAgreement
from qe_desktop.studies.meta_eval.agreement_curves import CorrelationCurve
from qe_desktop.studies.meta_eval.agreement_statistics import (
    AGREEMENT_STATISTICS,
    AgreementStatistic,
    order_by_statistic,
    top_metrics,
)
from qe_desktop.studies.meta_eval.human_score_files import HumanScoreMeans
from qe_desktop.studies.meta_eval.meta_eval_inputs import MetaEvalChoice
from qe_desktop.studies.meta_eval.meta_evaluation import MetaEvaluation
from qe_desktop.studies.meta_eval.perm_both import Sides
from qe_desktop.studies.meta_eval.score_data import MetaEvalOptions, SegmentSet
from qe_desktop.studies.meta_eval.score_join import MetaEvalData
from qe_desktop.studies.meta_eval.system_level import Orientation, mean_ranks
from qe_desktop.ui.scores.meta_evaluation.metric_columns import (
    has_few_systems,
    is_system_level,
    statistic_column,
)
from qe_desktop.ui.scores.meta_evaluation.metric_sentences import (
    figure_sentence,
    human_score_sentence,
    metric_sentence,
    system_sentence,
)
from qe_desktop.ui.scores.number_format import format_interval, format_score
from qe_desktop.ui.scores.result_table import TableRow, name_column, table_of_rows
from qe_desktop.ui.scores.score_descriptions import direction_text
from qe_desktop.ui.widgets.tables.table_model import TableCell, TableColumn, TableData

CURVES = ("recall", "references")
"""Names of the curves, in the order of the report."""


_STUDY_OPTIONS = ("seed", "rounds", "orientation", "sides", "segments", "unit")
"""Names of the options that do not affect the scores."""


@dataclass(frozen=True, slots=True)
class MetaEvaluationOptions:
    """Options of the meta-evaluation.

    `ratings` is the uid of a `RatingsChoice`, or None for the default; `metrics` is empty for the default metrics.
    """

    seed: int = 1
    rounds: int = 1_000
    orientation: Orientation = "ahead"
    sides: Sides = "two"
    segments: SegmentSet = "common"
    unit: ResamplingUnit = "segment"
    by: HumanScoreMeans = "compared"
    ratings: str | None = None
    metrics: tuple[str, ...] = ()
    systems_only: bool = False
    reference: LayerKey | None = None
    tokenization: Tokenization = DEFAULT_TOKENIZATION

    @property
    def options(self) -> MetaEvalOptions:
        """Options of the study; `rounds` is the number of trials in tests and also of resamples for intervals."""
        return MetaEvalOptions(
            self.seed, self.rounds, self.rounds, self.orientation, self.sides, self.segments, self.unit
        )

    def input_choice(self) -> MetaEvalChoice:
        """Return the options that determine the scores: metrics, mean of ratings, reference, level and tokenization."""
        return MetaEvalChoice(self.metrics, self.by, self.reference, self.systems_only, self.tokenization)

    def has_same_inputs(self, other: MetaEvaluationOptions) -> bool:
        """Return whether all options that affect the scores are the same as in `other`."""
        options = {name: getattr(other, name) for name in _STUDY_OPTIONS}
        return replace(self, **options) == other


@dataclass(frozen=True, slots=True)
class RatingsChoice:
    """Set of ratings that can be selected; `is_blinded` states whether its system names are still hidden."""

    uid: str
    title: str
    is_blinded: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class MetaEvaluationResult:
    """Result of a meta-evaluation: the `study`, with the `view`, `data` and `options` for which it was run.

    `choices` are the available sets of ratings, and `used_ratings` is the uid of the set used. `curves` maps the names
    in `CURVES` to the curves computed so far.
    """

    view: View
    options: MetaEvaluationOptions
    data: MetaEvalData
    study: MetaEvaluation
    used_ratings: str = ""
    choices: tuple[RatingsChoice, ...] = ()
    curves: dict[str, tuple[CorrelationCurve, ...]] = field(default_factory=dict)

    @property
    def metrics(self) -> list[str]:
        """Names of the metrics, in the order of the study."""
        return [agreement.metric.name for agreement in self.study.agreements]

    def report(
        self, correction: Correction, alpha: float, statistic: AgreementStatistic | None = None
    ) -> MetaEvaluationReport:
        """Return the report as written by the command line, with the curves computed so far.

        Its tables list the metrics in the order of `statistic`.
        """
        curves = tuple(curve for name in CURVES for curve in self.curves.get(name, ()))
        return MetaEvaluationReport(
            self.study, self.data.notes, self.data.signature, curves, correction, alpha, statistic=statistic
        )

    def with_curves(self, name: str, curves: tuple[CorrelationCurve, ...]) -> MetaEvaluationResult:
        """Return a copy of the result that has `curves` under the name `name`."""
        return replace(self, curves={**self.curves, name: curves})


@dataclass(frozen=True, slots=True)
class MetricTarget:
    """Value shown in a table cell: a statistic of a metric, or the metric score of a system (0-based index)."""

    metric: str
    statistic: str = ""
    system: int | None = None


def describe_study(result: MetaEvaluationResult) -> str:
    """Return a one-line description of the study."""
    corpus, study = result.view.corpus, result.study
    parts = [isolate_bidi(corpus.language_pair or corpus.name)] if corpus.language_pair or corpus.name else []
    parts.append(tr("{n} {n:metric|metrics} vs. human scores", "", len(study.agreements)))
    parts.append(tr("{n} {n:system|systems}", "", len(study.systems)))
    if study.segments:
        parts.append(tr("{n:,} {n:segment|segments}", "", study.segments))
    title = next(
        (choice.title for choice in result.choices if choice.uid == result.used_ratings and len(result.choices) > 1), ""
    )
    return join_localized(" · ", [*parts, *([title] if title else [])])


def statistic_interval_text(figure: AgreementStatistic, agreement: MetricAgreement, decimals: int) -> str:
    """Return the interval of a statistic as text for the second line of a cell; empty if there is no interval."""
    ends = figure.interval(agreement)
    return "" if ends is None else format_interval(*ends, decimals)


def metrics_table(
    study: MetaEvaluation,
    figure: AgreementStatistic,
    metric: str,
    decimals: int,
    judged: tuple[Correction, float],
    *,
    is_outdated: bool = False,
) -> TableData[MetricTarget]:
    """Return the table of metrics × statistics, sorted by `figure`; the current metric's name has the accent colour.

    A value is bold if no other metric has a significantly better value of the same statistic; `judged` contains the
    correction and alpha. No value is bold if the table is outdated, or if its statistic has no significant difference.
    """
    tops = {
        statistic.name: frozenset() if is_outdated else top_metrics(study, statistic, *judged)
        for statistic in AGREEMENT_STATISTICS
    }
    rows: list[TableRow[MetricTarget]] = []
    for index in order_by_statistic(study, figure):
        agreement = study.agreements[index]
        name = agreement.metric.name
        below = direction_text(agreement.metric)
        token = "accent" if name == metric else ""
        cells = [TableCell(name, metric_sentence(agreement), token, second_line=below, exact_values=(name,))]
        cells += [
            _figure_cell(
                study, agreement, statistic, decimals, bold=index in tops[statistic.name], is_outdated=is_outdated
            )
            for statistic in AGREEMENT_STATISTICS
        ]
        rows.append((tuple(cells), (None, *(MetricTarget(name, statistic.name) for statistic in AGREEMENT_STATISTICS))))
    tooltip = tr("Sorted by {figure}, best first", figure=figure.title)
    columns = (
        name_column(tr("Metric"), "metric", tooltip),
        *(statistic_column(study, statistic, figure) for statistic in AGREEMENT_STATISTICS),
    )
    return table_of_rows(columns, rows, (None, *(statistic.name for statistic in AGREEMENT_STATISTICS)))


def systems_table(study: MetaEvaluation, metric: str, decimals: int) -> TableData[MetricTarget]:
    """Return the table of systems with human scores, metric scores and ranks, sorted by human score.

    See Lavie et al. 2004, table 1. The column of `metric` is the current one.
    """
    human_ranks = _average_ranks(study.human_scores, 1)
    metric_ranks = [_average_ranks(agreement.scores, agreement.metric.better) for agreement in study.agreements]
    rows: list[TableRow[MetricTarget]] = []
    for system in np.argsort(-study.human_scores, kind="stable").tolist():
        name, human_score = study.systems[system], format_score(float(study.human_scores[system]), decimals)
        cells = [
            TableCell(name, name),
            TableCell(
                human_score, human_score_sentence(name, human_score, human_ranks[system]), suffix=human_ranks[system],
                exact_values=(float(study.human_scores[system]),),
            ),
        ]  # fmt: skip
        targets: list[MetricTarget | None] = [None, None]
        for agreement, ranks in zip(study.agreements, metric_ranks, strict=True):
            value = float(agreement.scores[system])
            text = format_score(value, decimals)
            description = system_sentence(name, agreement.metric.name, text, ranks[system], human_ranks[system])
            cells.append(TableCell(text, description, suffix=ranks[system], exact_values=(value,)))
            targets.append(MetricTarget(agreement.metric.name, system=system))
        rows.append((tuple(cells), tuple(targets)))
    columns = [
        name_column(tr("System"), "system", tr("Sorted by human score, best first")),
        TableColumn(tr("Human score"), tr("Human score and rank of each system"), is_right_aligned=True,
               exported_headers=("human score",)),
    ]  # fmt: skip
    columns += [
        TableColumn(
            agreement.metric.name,
            metric_sentence(agreement),
            is_right_aligned=True,
            is_current=agreement.metric.name == metric,
        )
        for agreement in study.agreements
    ]
    return table_of_rows(tuple(columns), rows, (None, None, *(agreement.metric.name for agreement in study.agreements)))


def _figure_cell(
    study: MetaEvaluation,
    agreement: MetricAgreement,
    figure: AgreementStatistic,
    decimals: int,
    *,
    bold: bool,
    is_outdated: bool,
) -> TableCell:
    value, ends = figure.value(agreement), figure.interval(agreement)
    is_defined = not np.isnan(value)
    exact: tuple[float | None, ...] = (value if is_defined else None, *(ends or (None, None)))
    if figure.name == "acc_eq":
        exact += (agreement.tied.epsilon if is_defined else None,)
    return TableCell(
        format_score(value, decimals),
        figure_sentence(study, agreement, figure, decimals),
        "muted" if is_outdated or not is_defined or has_few_systems(study, figure) else "",
        is_bold=bold,
        second_line=statistic_interval_text(figure, agreement, decimals) if is_system_level(figure) else "",
        exact_values=exact,
    )


def _average_ranks(scores: Floats, better: int) -> list[str]:
    """Return the ranks of the systems as text (1 for the best, empty for NaN scores); ties share their mean rank."""
    ranks = mean_ranks(-better * np.asarray(scores))
    return ["" if np.isnan(score) else f"{rank:g}" for score, rank in zip(scores, ranks, strict=True)]
