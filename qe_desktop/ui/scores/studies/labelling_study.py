"""Study of trivial baselines, which are synthetic labellings (Logacheva et al. 2016, table 1), and result tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels import Scoring
from qe_desktop.levels.chart_model import Panels
from qe_desktop.report.labellings import DISTINCTIONS, LabellingsReport, mean_of_draws
from qe_desktop.report.render.output_formats import Report
from qe_desktop.significance import CORRECTION_LABELS, SignificanceOptions, format_level, top_and_bottom
from qe_desktop.studies.charts.metric_side import NumberFormatter
from qe_desktop.studies.charts.tag_metric_charts import labelling_panels
from qe_desktop.studies.labelling_study import (
    LabellingOptions,
    LabellingResult,
    LabellingStudy,
    real_systems,
    rejudge_labellings,
    study_labellings,
)
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.number_format import format_interval, format_score
from qe_desktop.ui.scores.result_table import (
    TableRow,
    distinction_columns,
    distinction_groups,
    exact_values,
    interval_text,
    metric_cell,
    name_column,
    table_of_rows,
    value_column,
)
from qe_desktop.ui.scores.significance.significance_service import MAX_AUTOMATIC_TAGS
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

MAX_AUTOMATIC_DRAWS = 10
"""Maximum number of draws of random baselines for which the study starts automatically."""
LABELLING_TEXTS = {
    "all-BAD": tr("Every tag is BAD"),
    "all-OK": tr("Every tag is OK"),
    "optimistic": tr("Few tags are BAD, nine out of ten of them correctly: precision .9, recall .1"),
    "pessimistic": tr("Nine out of ten tags are BAD, regardless of the gold"),
    "random": tr("Each tag is BAD with a probability equal to the share of BAD tags in the gold"),
}
"""Description of each baseline."""
_RANGE = tr(
    "The range below a value allows for Monte Carlo error: p-values are shifted two standard errors up and down."
)


class SyntheticLabellings(Study):
    """Study of trivial baselines: labellings made from the gold by a rule, and scored by each metric."""

    name = "labellings"
    title = tr("Trivial baselines")
    about = tr("Do metrics rank trivial baselines (all BAD, random…) below real systems?")
    hint = tr("Select a value for details; press Enter to show more, or on a baseline to add or remove it.")
    choices = ("metrics", "draws", "intervals")
    options = ("rounds", "seed", "unit", "correction", "alpha", "top")
    judging = ("correction", "alpha", "top")

    def is_automatic(self, scoring: Scoring, options: StudyOptions) -> bool:
        """Return whether there are at most `MAX_AUTOMATIC_TAGS` tags and `MAX_AUTOMATIC_DRAWS` draws."""
        return scoring.size * len(scoring.subjects) <= MAX_AUTOMATIC_TAGS and options.draws <= MAX_AUTOMATIC_DRAWS

    def run(self, request: StudyRequest, progress: Progress) -> Report:
        """Compare the real systems, score the baselines, and return the report.

        Raises QeError if there is no real system, or if a metric cannot be tested.
        """
        scoring, excluded = real_systems(request.scoring)
        compared = replace(request.options, test="randomisation")
        options = LabellingOptions(
            compared, draws=request.study_options.draws, intervals=request.study_options.intervals
        )

        def on_progress(count: int, total: int) -> None:
            progress.report(count / max(1, total), tr("{done:,} of {n:,} {n:trial|trials}", "", total, done=count))

        study = study_labellings(scoring, request.metrics, options, on_progress)
        remarks: tuple[str, ...] = ()
        if excluded:
            names = ", ".join(excluded)
            remarks = (tr("not counted as systems, because they are named like baselines: {names}", names=names),)
        return LabellingsReport.build(scoring, study, remarks)

    def rejudge(self, result: StudyResult, options: SignificanceOptions) -> Report:
        """Return the report with the correction, alpha and top–bottom split of `options`, without rescoring."""
        scoring, _ = real_systems(result.request.scoring)
        report = result.report
        assert isinstance(report, LabellingsReport)
        return LabellingsReport.build(scoring, rejudge_labellings(result.study, options), report.remarks)

    def tables(self, result: StudyResult, decimals: int, is_outdated: bool) -> Sequence[TitledTable]:
        """Return a table like table 1 in Logacheva et al. 2016, the baseline scores, and the system rankings."""
        return [
            TitledTable(tr("Baselines and metrics"), partial(_paper_table, result.study, decimals, is_outdated)),
            TitledTable(tr("Baseline scores"), partial(_scores, result.study, decimals, is_outdated)),
            TitledTable(tr("Systems by metric"), partial(_rankings_table, result.study, decimals, is_outdated)),
        ]

    def panels(self, result: StudyResult, target: StudyTarget, number: NumberFormatter) -> Panels:
        """Return a chart of the scores of systems and baselines by the metric of `target`."""
        metrics = [metric.name for metric in result.study.metrics]
        return labelling_panels(result.study, find_index(target.metric, metrics), number)

    def warning(self, result: StudyResult) -> str:
        """Return a warning if there are fewer than two systems; empty otherwise."""
        if len(result.study.systems) > 1:
            return ""
        return tr("d, the share of system pairs that a metric separates significantly, is undefined with only one "
                  "system. Add the tags of another system.")  # fmt: skip


def _paper_table(study: LabellingStudy, decimals: int, is_outdated: bool) -> TableData[StudyTarget]:
    """Return a table with a row per metric: d, d_top, d_bottom, and numbers of systems ranked below each baseline.

    The last column is the sum of these numbers; d_top and d_bottom are omitted if a group has fewer than two systems.
    """
    rows: list[TableRow[StudyTarget]] = []
    token, groups = "muted" if is_outdated else "", distinction_groups(*_group_sizes(study))
    for metric_index, metric in enumerate(study.metrics):
        cells = [metric_cell(metric)]
        cells += [_distinction(study, metric_index, part, decimals, token) for part in groups]
        cells += [_count(study, labelling, metric_index, token) for labelling in study.labellings]
        total = float(study.totals[metric_index])
        description = (
            tr("{metric} ranks a system below a baseline {times:.2f} times on average; lower is better.",
               metric=metric.name, times=total)
            if study.has_several_draws
            else tr("{metric} ranks a system below a baseline {times:g} {times:time|times} in total; lower is better.",
                    metric=metric.name, times=total)
        )  # fmt: skip
        cells.append(TableCell(_format_count(total), description, token, exact_values=(total,)))
        named = StudyTarget(metric.name)
        targets = (named, *(named for _ in groups), *(StudyTarget(metric.name, labelling=labelling.name)
                   for labelling in study.labellings), named)  # fmt: skip
        rows.append((tuple(cells), targets))
    group = tr("Systems (of {n}) ranked below a trivial baseline", "", len(study.systems))
    columns = (
        name_column(tr("Metric"), "metric", tr("Press Enter on a metric to chart how it ranks the systems")),
        *(replace(column, tooltip=join_localized(" ", (column.tooltip, _RANGE)),
                  exported_headers=(DISTINCTIONS[part], f"{DISTINCTIONS[part]} low", f"{DISTINCTIONS[part]} high"))
          for part, column in zip(groups, distinction_columns(*_group_sizes(study)), strict=True)),
        *(replace(value_column(labelling.name, LABELLING_TEXTS[labelling.name], labelling.name), group=group)
          for labelling in study.labellings),
        replace(value_column(tr("Total"), tr("Sum over all baselines"), "total"), group=group),
    )  # fmt: skip
    return table_of_rows(columns, rows, is_sortable=True)


def _group_sizes(study: LabellingStudy) -> tuple[int, tuple[int, int]]:
    """Return the number of systems, and a pair: the sizes of the top and bottom groups."""
    return len(study.systems), top_and_bottom(len(study.systems), study.options.comparison.top)


def _distinction(study: LabellingStudy, metric_index: int, part: int, decimals: int, token: str) -> TableCell:
    name, metric = DISTINCTIONS[part], study.metrics[metric_index].name
    d, (low, high) = (
        float(study.distinctions[metric_index, part]),
        study.distinction_ranges[metric_index, part].tolist(),
    )
    if math.isnan(d):
        description = tr(
            "{metric}: {name} is undefined, because fewer than two systems can be compared, or because the gold tags "
            "are all OK or all BAD.",
            metric=metric, name=name,
        )  # fmt: skip
        return TableCell(format_score(d, decimals), description, "muted", exact_values=(None, None, None))
    options = study.options.comparison
    judged = tr("p ≤ {alpha}", alpha=format_level(options.alpha))
    if options.correction != "none":
        judged = tr(
            "p ≤ {alpha} after {correction} correction",
            alpha=format_level(options.alpha), correction=CORRECTION_LABELS[options.correction],
        )  # fmt: skip
    systems, split = _group_sizes(study)
    size = (systems, *split)[part]
    description = tr("{metric} separates {share:.0f} % of {n:,} system {n:pair|pairs} ({name}, {judged}).", "",
              size * (size - 1) // 2, metric=metric, share=100 * d, name=name, judged=judged)  # fmt: skip
    is_exact = low == high
    if not is_exact:
        more = tr("If p is two standard errors higher or lower (Monte Carlo error), the value is {low} or {high}.",
                  low=format_score(low, decimals), high=format_score(high, decimals))  # fmt: skip
        description = join_localized(" ", (description, more))
    below = "" if is_exact else format_interval(low, high, decimals)
    return TableCell(format_score(d, decimals), description, token, second_line=below, exact_values=(d, low, high))


def _count(study: LabellingStudy, labelling: LabellingResult, metric_index: int, token_override: str) -> TableCell:
    lower, metric = labelling.lower_counts[metric_index], study.metrics[metric_index].name
    mean = float(lower.mean())
    description = tr(
        "{metric} ranks {lower:g} of {n} {n:system|systems} below {labelling}.",
        "", len(study.systems), metric=metric, lower=mean, labelling=labelling.name,
    )  # fmt: skip
    below = ""
    if labelling.draws > 1:
        minimum, maximum = int(lower.min()), int(lower.max())
        below = tr("{least}–{most}", least=minimum, most=maximum)
        more = tr(
            "This is the mean of {n:,} random {n:sample|samples}; the range is {least} to {most}.",
            "",
            labelling.draws,
            least=minimum,
            most=maximum,
        )
        description = join_localized(" ", (description, more))
    if labelling.lower_intervals is not None:
        low, high = labelling.lower_intervals[metric_index].tolist()
        below = f"[{low:g}, {high:g}]"
        interval = (
            tr("95 % interval: {low:g} to {high:g}.", low=low, high=high)
            if labelling.draws == 1
            else tr("95 % interval of the first sample: {low:g} to {high:g}.", low=low, high=high)
        )
        description = join_localized(" ", (description, interval))
    description = join_localized(
        " ", (description, tr("Press Enter to add the baseline to the open data or remove it."))
    )
    # trivial baselines belong below every system
    token = token_override or ("bad" if mean else "")
    return TableCell(_format_count(mean), description, token, second_line=below, exact_values=(mean,))


def _format_count(count: float) -> str:
    return f"{count:.0f}" if count == round(count) else f"{count:.1f}"


def _scores(study: LabellingStudy, decimals: int, is_outdated: bool) -> TableData[StudyTarget]:
    """Return a table with a row per baseline: share of BAD words, precision, recall, and score by each metric."""
    rows: list[TableRow[StudyTarget]] = []
    token = "muted" if is_outdated else ""
    for labelling in study.labellings:
        target = StudyTarget(labelling=labelling.name)
        about = tr("{labelling}. {about}.", labelling=labelling.name, about=LABELLING_TEXTS[labelling.name])
        bad_fraction = mean_of_draws(labelling.bad_shares)
        percent = tr("{labelling}: {share:.1f} % of tags are BAD.", share=100 * bad_fraction, labelling=labelling.name)
        cells = [
            TableCell(labelling.name, about, exact_values=(labelling.name,)),
            TableCell(f"{100 * bad_fraction:.1f}", percent, token, exact_values=(bad_fraction,)),
        ]
        for name, value in (
            (tr("precision"), mean_of_draws(labelling.precision)),
            (tr("recall"), mean_of_draws(labelling.recall)),
        ):
            description = tr("{labelling}: {name} of BAD is {value}.", labelling=labelling.name, name=name,
                      value=format_score(value, decimals))  # fmt: skip
            cells.append(TableCell(format_score(value, decimals), description, token, exact_values=exact_values(value)))
        cells += [
            _score(labelling, metric_index, metric.name, decimals, token)
            for metric_index, metric in enumerate(study.metrics)
        ]
        rows.append((tuple(cells), (*(target,) * 4, *(StudyTarget(metric.name, labelling=labelling.name)
                                                     for metric in study.metrics))))  # fmt: skip
    columns = (
        name_column(tr("Baseline"), "labelling", tr("Press Enter to add the baseline to the open data or remove it")),
        value_column(tr("% BAD"), tr("Share of tags that are BAD in the baseline"), "bad"),
        value_column(tr("Precision"), tr("Share of the baseline's BAD tags that are BAD in the gold"), "precision"),
        value_column(tr("Recall"), tr("Share of the gold's BAD tags that are BAD in the baseline"), "recall"),
        *(value_column(metric.name, metric.help(), metric.name) for metric in study.metrics),
    )
    return table_of_rows(columns, rows, is_sortable=True)


def _score(labelling: LabellingResult, metric_index: int, metric: str, decimals: int, token: str) -> TableCell:
    value = mean_of_draws(labelling.scores[metric_index])
    text = format_score(value, decimals)
    if math.isnan(value):
        description = tr("{metric} of {labelling} is undefined.", metric=metric, labelling=labelling.name)
    else:
        description = tr("{metric} of {labelling} is {value}.", metric=metric, labelling=labelling.name, value=text)
    low, high = (
        (math.nan,) * 2 if labelling.score_intervals is None else labelling.score_intervals[metric_index].tolist()
    )
    return TableCell(
        text, description, token, second_line=interval_text(low, high, decimals), exact_values=exact_values(value)
    )


def _rankings_table(study: LabellingStudy, decimals: int, is_outdated: bool) -> TableData[StudyTarget]:
    """Return a table with a row per rank: for each metric, the system with that rank and the system's score."""
    rows: list[TableRow[StudyTarget]] = []
    token = "muted" if is_outdated else ""
    for rank in range(len(study.systems)):
        cells = [TableCell(f"{rank + 1}", tr("Rank {rank}", rank=rank + 1), exact_values=(rank + 1,))]
        targets: list[StudyTarget | None] = [None]
        for metric_index, metric in enumerate(study.metrics):
            system = int(study.order[metric_index, rank])
            name, score = study.systems[system], float(study.scores[metric_index, system])
            text = format_score(score, decimals)
            description = tr("{system}: rank {rank} by {metric}, score {score}.", metric=metric.name, system=name,
                      rank=rank + 1, score=text)  # fmt: skip
            cells.append(
                TableCell(name, description, token, second_line=text, exact_values=(name, *exact_values(score)))
            )
            targets.append(StudyTarget(metric.name, name))
        rows.append((tuple(cells), tuple(targets)))
    columns = (
        name_column(tr("Rank"), "rank"),
        *(TableColumn(metric.name, metric.help(), exported_headers=(metric.name, f"{metric.name} score"))
          for metric in study.metrics),
    )  # fmt: skip
    return table_of_rows(columns, rows, is_sortable=True)
