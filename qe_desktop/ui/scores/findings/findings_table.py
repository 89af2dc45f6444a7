"""Table of the All metrics page: systems × metrics or, for several language pairs, systems × pairs (for one metric)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from qe_desktop.corpus import LayerKey
from qe_desktop.i18n.messages import join_localized, join_names, tr
from qe_desktop.levels.findings import Findings, PairFindings, SystemFinding, top_systems
from qe_desktop.metrics import Metric
from qe_desktop.report import DASH
from qe_desktop.significance import SignificanceLevel, SignificanceOptions
from qe_desktop.ui.scores.number_format import format_interval, format_ranks, format_score
from qe_desktop.ui.scores.result_table import TableRow, name_column, table_of_rows
from qe_desktop.ui.scores.score_descriptions import direction_text
from qe_desktop.ui.widgets.tables.table_model import TableCell, TableColumn, TableData


def finding_sentence(
    name: str, pair: str, metric: Metric, finding: SystemFinding, decimals: int, *, outdated: bool
) -> str:
    """Return the description of a score: `papago, en-de: MCC .319, 95 % interval .271 to .362, rank 1 to 3…`."""
    score, (low, high) = finding.score, finding.interval
    if math.isnan(score):
        parts = [tr("{name}, {pair}: {metric} is undefined", name=name, pair=pair, metric=metric.name)]
    else:
        text = format_score(score, decimals)
        parts = [tr("{name}, {pair}: {metric} {score}", name=name, pair=pair, metric=metric.name, score=text)]
    if not math.isnan(low):
        ends = [format_score(end, decimals) for end in (low, high)]
        parts.append(tr("95 % interval {low} to {high}", low=ends[0], high=ends[1]))
    parts += _rank_sentences(finding)
    if outdated:
        parts.append(tr("outdated"))
    sentence = join_localized(", ", parts)
    if math.isnan(score):
        return join_localized(". ", (sentence, metric.reason))
    return join_localized(". ", (sentence, metric.caution)) if score > metric.usual_max else sentence


def _rank_sentences(finding: SystemFinding) -> list[str]:
    if finding.ranks is None or finding.cluster is None:
        return [tr("not tested")]
    best, worst = finding.ranks
    ranks = tr("rank {best}", best=best) if best == worst else tr("rank {best} to {worst}", best=best, worst=worst)
    top = [tr("no system is significantly better")] if best == 1 else []
    return [ranks, tr("cluster {number}", number=finding.cluster), *top]


def ranks_text(finding: SystemFinding) -> str:
    """Return the rank range as short text; empty if the system was not tested."""
    return "" if finding.ranks is None else format_ranks(*finding.ranks)


def average_sentence(
    name: str, metric: Metric, average: float, pairs: int, missing: Sequence[str], decimals: int
) -> str:
    """Return a sentence about a system's average over `pairs` language pairs, or about why it has no average.

    The reason is that the system is missing from the language pairs in `missing` or, if `missing` is empty, that the
    metric is undefined in some language pair.
    """
    if not math.isnan(average):
        return tr(
            "{name}: average {metric} over {n} language {n:pair|pairs}: {score}",
            "", pairs, name=name, metric=metric.name, score=format_score(average, decimals),
        )  # fmt: skip
    if missing:
        return tr("{system} has no data for {pairs}, so it has no average.", system=name, pairs=join_names(missing))
    return tr(
        "{system} has no average: {metric} is undefined in at least one language pair.", system=name, metric=metric.name
    )


def gap_sentence(name: str, pair: str) -> str:
    """Return the explanation of an empty cell: the system has no data for the language pair."""
    return tr(
        "{system} has no data for {pair}, so it is not compared for this pair and has no average.",
        system=name, pair=pair,
    )  # fmt: skip


def untested_sentence(metric: Metric) -> str:
    """Return a sentence that explains why no segments can be shown for a metric that is not tested."""
    return tr(
        "{metric} is computed over all segments together, so there are no segments to show for it.", metric=metric.name
    )


@dataclass(frozen=True, slots=True, eq=False)
class FindingsResult:
    """Results of the All metrics page.

    `title` is the name of the corpus or folder, and `remarks` are notes on the scored data. For a folder,
    `file_remarks` are notes on its files, and `groups` has the names of all level groups for which the folder has data.
    """

    findings: Findings
    title: str
    remarks: tuple[str, ...] = ()
    file_remarks: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """Metrics of the results, each tested with its default test."""
        return self.findings.metrics

    def with_options(self, options: SignificanceOptions) -> FindingsResult:
        """Return the results with the correction and alpha of `options`; no test is run again."""
        return replace(self, findings=self.findings.with_options(options))


@dataclass(frozen=True, slots=True)
class FindingTarget:
    """Score shown in a table cell: indices of a language pair and of a system in that pair, and name of the metric."""

    pair: int
    system: int
    metric: str


def rank_sign(result: FindingsResult, target: FindingTarget) -> str:
    """Return the symbol of the least significant of the tests of a system against others; empty without a test.

    The rank of the system depends on these tests.
    """
    comparison = result.findings.pairs[target.pair].comparison(target.metric)
    if comparison is None:
        return ""
    verdicts = comparison.verdicts(target.metric)
    rivals = [system for system in range(len(comparison.systems)) if system != target.system]
    levels = [verdicts.pair(target.system, rival).level for rival in rivals]
    tested = [level for level in levels if level is not SignificanceLevel.UNTESTED]
    return max(SignificanceLevel.NOT_SIGNIFICANT, min(tested)).sign if tested else ""


def deciding_layers(pair: PairFindings, system: int, metric: Metric) -> tuple[LayerKey, LayerKey] | None:
    """Return the layers of a system and of the system ranked directly below it by a metric.

    `system` is an index. For the lowest-ranked system, the second layer is that of the system directly above it. The
    segments on which the two layers differ decide which system ranks higher. Returns None if there is only one system.
    """
    order = pair.order(metric)
    index = order.index(system)
    neighbour = index + 1 if index + 1 < len(order) else index - 1
    if neighbour < 0:
        return None
    return pair.scoring.subjects[system], pair.scoring.subjects[order[neighbour]]


AVERAGE = ""
"""Value of `order` for sorting systems by their average over language pairs."""
_CAUTION_MARK = "*"
_PARTS = ("", " low", " high", " best rank", " worst rank")
"""Header suffixes of the columns that are exported for each column of scores."""
_EMPTY_PARTS = (None,) * len(_PARTS)


def findings_table(
    result: FindingsResult, metric: str, order: str, decimals: int, *, outdated: bool = False
) -> TableData[FindingTarget]:
    """Return the table of results, with systems sorted and clustered by the metric `metric`.

    If there are several language pairs, `order` is the language pair whose scores determine the order and the clusters,
    or `AVERAGE` to sort by the average over the pairs, without clusters.
    """
    findings = result.findings.with_first_metric(metric)
    if len(findings.pairs) == 1:
        return _pair_table(findings, result.metrics, decimals, outdated=outdated)
    return _metric_table(findings, order, decimals)


def _pair_table(
    findings: Findings, metrics: Sequence[Metric], decimals: int, *, outdated: bool
) -> TableData[FindingTarget]:
    (pair,) = findings.pairs
    sort_metric = findings.metrics[0]
    by_metric = {metric.name: pair.system_findings(metric) for metric in metrics}
    bold = {name: top_systems(by) for name, by in by_metric.items()}
    order = pair.order(sort_metric)
    ends = {end - 1 for end in pair.cluster_ends(sort_metric)}
    rows: list[TableRow[FindingTarget]] = []
    for row, system in enumerate(order):
        name, last = pair.scoring.subjects[system].display_name, row in ends
        cells = [TableCell(name, name, ends_group=last)]
        targets: list[FindingTarget | None] = [None]
        for metric in metrics:
            finding = by_metric[metric.name][system]
            text = finding_sentence(name, pair.name, metric, finding, decimals, outdated=outdated)
            cells.append(
                _cell(finding, metric, text, decimals, bold=system in bold[metric.name], last=last, outdated=outdated)
            )
            targets.append(FindingTarget(0, system, metric.name))
        rows.append((tuple(cells), tuple(targets)))
    heads = [
        replace(
            _column_header(metric.name, _metric_help(metric, sort_metric), chosen=metric == sort_metric),
            second_line=direction_text(metric),
        )
        for metric in metrics
    ]
    tooltip = tr("Sorted by {metric}, best first", metric=sort_metric.name)
    if ends:
        tooltip = tr("Sorted by {metric}, best first; lines separate clusters", metric=sort_metric.name)
    return table_of_rows(
        (name_column(tr("System"), "system", tooltip), *heads), rows, (None, *(metric.name for metric in metrics))
    )


def _metric_help(metric: Metric, sort_metric: Metric) -> str:
    help_text = f"{metric.name}. {metric.help()}"
    if metric == sort_metric:
        return help_text
    selecting = tr("Click to select {metric} and to sort the systems by it.", metric=metric.name)
    return join_localized(" ", (help_text, selecting))


def _metric_table(findings: Findings, order: str, decimals: int) -> TableData[FindingTarget]:
    metric = findings.metrics[0]
    findings_by_pair = [pair.system_findings(metric) for pair in findings.pairs]
    bold = [top_systems(pair_findings) for pair_findings in findings_by_pair]
    indices = [{name: row for row, name in enumerate(pair.systems)} for pair in findings.pairs]
    averages, missing_pairs = findings.averages(metric), findings.missing_pairs()
    names, ends = _order_systems(findings, metric, order)
    rows: list[TableRow[FindingTarget]] = []
    for row, name in enumerate(names):
        last = row in ends
        text = average_sentence(
            name, metric, averages[name], len(findings_by_pair), missing_pairs.get(name, ()), decimals
        )
        mean = averages[name]
        cells = [
            TableCell(name, text, ends_group=last),
            TableCell(format_score(mean, decimals), text, ends_group=last, exact_values=(mean,)),
        ]
        targets: list[FindingTarget | None] = [None, None]
        for number, pair in enumerate(findings.pairs):
            system = indices[number].get(name)
            if system is None:
                cells.append(
                    TableCell(DASH, gap_sentence(name, pair.name), "muted", ends_group=last, exact_values=_EMPTY_PARTS)
                )
                targets.append(None)
                continue
            finding = findings_by_pair[number][system]
            text = finding_sentence(name, pair.name, metric, finding, decimals, outdated=False)
            cells.append(_cell(finding, metric, text, decimals, bold=system in bold[number], last=last))
            targets.append(FindingTarget(number, system, metric.name))
        rows.append((tuple(cells), tuple(targets)))
    return table_of_rows(_pair_columns(findings, order), rows, (None, AVERAGE, *(pair.name for pair in findings.pairs)))


def _pair_columns(findings: Findings, order: str) -> tuple[TableColumn, ...]:
    tooltip = tr("Sorted by the average, best first; systems missing from some language pairs come last")
    if order != AVERAGE:
        tooltip = tr("Sorted by {pair}, best first", pair=order)
        if has_lines(findings, order):
            tooltip = tr("Sorted by {pair}, best first; lines separate its clusters", pair=order)
    mean = tr("Mean over all language pairs, for systems present in all of them")
    heads = [
        replace(
            _column_header(pair.name, pair.scoring.level.report_summary(pair.scoring), chosen=pair.name == order),
            second_line=tr("n {count}", count=f"{pair.scoring.segments:,}"),
        )
        for pair in findings.pairs
    ]
    return (
        name_column(tr("System"), "system", tooltip),
        TableColumn(
            tr("Average"), mean, is_right_aligned=True, is_current=order == AVERAGE, exported_headers=("average",)
        ),
        *heads,
    )


def has_lines(findings: Findings, order: str) -> bool:
    """Return whether the table has lines that separate clusters.

    The clusters are those of the language pair `order` by the first metric.
    """
    return any(pair.cluster_ends(findings.metrics[0]) for pair in findings.pairs if pair.name == order)


def _order_systems(findings: Findings, metric: Metric, order: str) -> tuple[list[str], set[int]]:
    """Return the names of the systems in table order, and the indices of the rows with a cluster boundary below them.

    `order` is the language pair by which systems are sorted; systems that are missing from it come last. If `order` is
    `AVERAGE`, there are no cluster boundaries.
    """
    pair = next((pair for pair in findings.pairs if pair.name == order), None)
    if pair is None:
        return findings.systems, set()
    systems = pair.systems
    names = [systems[index] for index in pair.order(metric)]
    ends = {end - 1 for end in pair.cluster_ends(metric)}
    present = set(systems)
    missing = [name for name in findings.systems if name not in present]
    return [*names, *missing], ends


def _cell(
    finding: SystemFinding, metric: Metric, text: str, decimals: int, *, bold: bool, last: bool, outdated: bool = False
) -> TableCell:
    low, high = finding.interval
    return TableCell(
        format_score(finding.score, decimals) + (_CAUTION_MARK if finding.score > metric.usual_max else ""),
        text,
        "muted" if outdated or finding.score != finding.score else "",
        is_bold=bold,
        ends_group=last,
        suffix=ranks_text(finding),
        second_line="" if low != low else format_interval(low, high, decimals),
        exact_values=(finding.score, low, high, *(finding.ranks or (None, None))),
    )


def _column_header(name: str, tooltip: str, *, chosen: bool) -> TableColumn:
    return TableColumn(
        name,
        tooltip,
        is_right_aligned=True,
        is_current=chosen,
        exported_headers=tuple(f"{name}{part}" for part in _PARTS),
    )
