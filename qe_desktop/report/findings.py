"""Leaderboard of all metrics as JSON, as tables for a paper, and as one long table for scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from qe_desktop.escaping import safe_file_name
from qe_desktop.formats.messages import join_notes
from qe_desktop.i18n.messages import join_localized, join_names, tr
from qe_desktop.levels.findings import Findings, PairFindings, SystemFinding, top_systems
from qe_desktop.metrics import Metric
from qe_desktop.report.comparisons import reach_note
from qe_desktop.report.render.svg import matrix_or_title, matrix_svg, svg_file_name
from qe_desktop.report.render.tables import (
    ReportColumn,
    Table,
    display_table,
    format_interval,
    interval_json,
    json_row,
    script_table,
)
from qe_desktop.report.report_base import ReportBase
from qe_desktop.report.scores import (
    documents_note,
    interval_notes,
    negative_correlation_notes,
    no_interval_notes,
    settings_signature,
    undefined_notes,
)
from qe_desktop.significance import CORRECTION_LABELS, Comparison, format_level, get_test

FindingsBy = Literal["pair", "metric"]
DECIMALS = 3
"""Number of decimals, as in WMT findings papers."""


def _systems_json(pair: PairFindings) -> dict[str, Any]:
    content = {metric.name: pair.system_findings(metric) for metric in pair.metrics}
    return {
        name: {metric: json_row(_COLUMNS, findings[index]) for metric, findings in content.items()}
        for index, name in enumerate(pair.systems)
    }


_COLUMNS = (
    ReportColumn("score"),
    ReportColumn("interval", name=("low", "high"), json=interval_json),
    ReportColumn("cluster"),
    ReportColumn("ranks", name=("best rank", "worst rank")),
)
"""Columns for the values of one system by one metric."""


def _test(findings: Findings, metric: Metric) -> str | None:
    tests = [result.options.test for pair in findings.pairs if (result := pair.comparison(metric.name)) is not None]
    return next(iter(tests), None)


def _tails(findings: Findings, metric: Metric) -> int | None:
    test = _test(findings, metric)
    return None if test is None else get_test(test).tails


def _signature(findings: Findings) -> str:
    options = findings.options
    tests_by_metric = {
        metric.name: test for metric in findings.metrics if (test := _test(findings, metric)) is not None
    }
    is_uniform = len(set(tests_by_metric.values())) == 1 and len(tests_by_metric) == len(findings.metrics)
    tests = (
        next(iter(tests_by_metric.values()))
        if is_uniform
        else ",".join(f"{name}={test}" for name, test in tests_by_metric.items())
    )
    tails = sorted({get_test(test).tails for test in tests_by_metric.values()})
    rounds = _rounds_note(findings)
    return settings_signature(
        findings.level.group,
        {
            **_level(findings),
            "tests": tests, **({"tails": ",".join(map(str, tails))} if tails else {}),
            "rounds": options.rounds, "seed": options.seed, "unit": options.unit,
            "correction": options.correction, "alpha": options.alpha, "intervals": options.interval_method,
            **({"interval-rounds": rounds} if rounds else {}),
        },
    )  # fmt: skip


def _level(findings: Findings) -> dict[str, str]:
    """Settings of the level's signature; a setting that differs between language pairs lists the value of each pair."""
    signatures = {pair.name: pair.scoring.level.signature(pair.scoring) for pair in findings.pairs}
    results = {}
    for name in next(iter(signatures.values())):
        values = {pair: parts.get(name, "") for pair, parts in signatures.items()}
        is_uniform = len(set(values.values())) == 1
        results[name] = (
            next(iter(values.values())) if is_uniform else ",".join(f"{value}={of}" for value, of in values.items())
        )
    return results


def _rounds_note(findings: Findings) -> str:
    """Number of bootstrap resamples, or one number per language pair if they differ; empty without intervals."""
    rounds = {pair.name: pair.scoring.interval_rounds(findings.metrics, findings.options) for pair in findings.pairs}
    if len(set(rounds.values())) > 1:
        return ",".join(f"{pair}={number}" for pair, number in rounds.items())
    return str(next(iter(rounds.values())) or "")


# --- tables for display


def _metric_table(findings: Findings, metric: Metric) -> Table:
    """Table of one metric: systems in rows, language pairs in columns; systems with output for all pairs come first."""
    columns = [ReportColumn(str, tr("system"))]
    if len(findings.pairs) > 1:
        columns.append(ReportColumn(findings.averages(metric).get, tr("average")))
    for pair in findings.pairs:
        by_system = dict(zip(pair.systems, pair.system_findings(metric), strict=True))
        columns.append(_finding_column(pair.name, by_system.get))
    title = tr("{metric} in {n} {n:language pair|language pairs}", "", len(findings.pairs), metric=metric.name)
    return display_table(title, columns, findings.systems, DECIMALS)


def _pair_table(pair: PairFindings) -> Table:
    """Table of one language pair, with systems in rows and metrics in columns.

    The first metric determines the order of the systems and the clusters, which are separated by lines.
    """
    first = pair.metrics[0]
    columns = [ReportColumn(pair.systems.__getitem__, tr("system"))]
    for metric in pair.metrics:
        columns.append(_finding_column(metric.name, pair.system_findings(metric).__getitem__))
    title = tr("{pair}: {size}", pair=pair.name, size=pair.scoring.level.report_summary(pair.scoring))
    return display_table(title, columns, list(pair.order(first)), DECIMALS, rules=pair.cluster_ends(first))


def _averages(findings: Findings) -> Table:
    columns = [ReportColumn(str, tr("system"))]
    for metric in findings.metrics:
        columns.append(ReportColumn(findings.averages(metric).get, metric.name))
    title = tr("Average over {n} language {n:pair|pairs}", "", len(findings.pairs))
    return display_table(title, columns, findings.systems, DECIMALS)


def _finding_column(title: str, finding: Callable[[Any], SystemFinding | None]) -> ReportColumn:
    """Return the column of scores with their intervals, and of rank ranges."""
    return ReportColumn(
        finding, (title, tr("ranks")), display=lambda value: (_score(value), _ranks(value)), best=top_systems
    )


def _score(finding: SystemFinding | None) -> str | None:
    return None if finding is None else format_interval(finding.score, finding.interval, DECIMALS)


def _ranks(finding: SystemFinding | None) -> str | None:
    if finding is None or finding.ranks is None:
        return None
    best, worst = finding.ranks
    return str(best) if best == worst else f"{best}–{worst}"


def findings_legend(findings: Findings, by: FindingsBy) -> list[str]:
    """Return notes that explain the intervals, rank ranges and lines of the tables."""
    tested = [metric for metric in findings.metrics if _test(findings, metric) is not None]
    drawn = interval_notes(ends for pair in findings.pairs for ends in pair.intervals.values())
    if not tested:
        return drawn
    options = findings.options
    titles = dict.fromkeys(get_test(test).title for metric in tested if (test := _test(findings, metric)) is not None)
    ranks = tr(
        "Rank ranges: best and worst rank of a system according to the tests ({tests}; p ≤ {alpha}; "
            "{correction}).",
        tests=join_names(list(titles)), alpha=format_level(options.alpha),
        correction=CORRECTION_LABELS[options.correction],
    )  # fmt: skip
    first = findings.metrics[0]
    has_lines = by == "pair" and any(pair.cluster_ends(pair.metrics[0]) for pair in findings.pairs)
    lines = tr(
        "Lines separate clusters by {metric}: every system above a line is significantly better "
        "than every ranked system below it.",
        metric=first.name,
    )
    return [*drawn, ranks, *([lines] if has_lines else [])]


def findings_notes(findings: Findings) -> list[str]:
    """Return notes on missing data, undefined or untested values, and tests that cannot reach significance."""
    notes = _missing_notes(findings)
    notes += join_notes((pair.name, note) for pair in findings.pairs for note in _score_notes(pair))
    notes += _documents_notes(findings)
    notes += join_notes((pair.name, note) for pair in findings.pairs for note in _test_notes(pair))
    for pair in findings.pairs:
        if len(pair.systems) == 1:
            notes.append(tr("{pair} has only one system, so no test was run.", pair=pair.name))
    notes += [note for index in range(len(findings.metrics)) for note in _signatures(findings, index)]
    untested = [metric.name for metric in findings.metrics if not metric.family.has_independent_rows]
    if untested:
        notes.append(
            tr(
                "{metrics} {n:compares|compare} each segment with all others, so {n:it is not tested and "
                    "has|they are not tested and have} no intervals.",
                "", len(untested), metrics=join_names(untested),
            )
        )  # fmt: skip
    return notes


def _missing_notes(findings: Findings) -> list[str]:
    return [
        tr("{system} has no output for {pairs}, so it has no average.", system=name, pairs=join_names(pairs))
        for name, pairs in findings.missing_pairs().items()
    ]


def _score_notes(pair: PairFindings) -> Iterator[str]:
    systems, segments = pair.systems, pair.scoring.segments
    for index, metric in enumerate(pair.metrics):
        scores = pair.scores[:, index]
        yield from undefined_notes(metric, systems, scores)
        yield from no_interval_notes(metric, systems, scores, pair.intervals[metric.name])
        yield from negative_correlation_notes(metric, systems, scores, segments)


def _documents_notes(findings: Findings) -> list[str]:
    """Warning that segments of a document are treated as independent; empty if this does not apply.

    The numbers of documents and segments are totals over the language pairs concerned.
    """
    concerned = [pair for pair in findings.pairs if pair.scoring.split_documents]
    scorings = {pair.name: pair.scoring for pair in concerned}
    if findings.options.unit != "segment" or not scorings:
        return []
    documents, segments = (
        sum(counts)
        for counts in zip(*((scoring.split_documents, scoring.segments) for scoring in scorings.values()), strict=True)
    )
    note = documents_note(documents, segments, has_p_values=any(pair.comparisons for pair in concerned))
    return [join_localized(": ", (join_names(list(scorings)), note))]


def _test_notes(pair: PairFindings) -> Iterator[str]:
    yield from filter(None, map(reach_note, pair.comparisons))
    yield from pair.problems


def _signatures(findings: Findings, index: int) -> list[str]:
    """Signature of the metric at `index`; one per language pair if they differ, for example in the tokenizer."""
    results = {pair.name: pair.metrics[index].signature for pair in findings.pairs}
    name = findings.metrics[index].name
    if len(set(results.values())) == 1:
        return [join_localized(": ", (name, signature)) for signature in set(results.values()) if signature]
    return [join_localized(": ", (pair, name, signature)) for pair, signature in results.items() if signature]


# --- tables for scripts


def _script_columns(findings: Findings) -> Table:
    """Table for scripts with a row per language pair, system and metric, at full precision."""
    columns = [
        {metric: dict(zip(pair.systems, pair.system_findings(metric), strict=True)) for metric in pair.metrics}
        for pair in findings.pairs
    ]
    results = [
        (pair.name, name, metric, by_system[name])
        for pair, by_metric in zip(findings.pairs, columns, strict=True)
        for name in findings.systems
        for metric, by_system in by_metric.items()
        if name in by_system
    ]
    values = script_table("", _COLUMNS, [finding for *_, finding in results])
    rows = tuple(
        (pair, name, metric.name, *row) for (pair, name, metric, _), row in zip(results, values.rows, strict=True)
    )
    table = replace(values, header=("pair", "system", "metric", *values.header), rows=rows)
    return table.with_last("signature", [metric.signature for _, _, metric, _ in results])


MAX_PAIR_CHARS = 60
"""Maximum number of characters of a language pair in a file name."""


@dataclass(frozen=True, slots=True, eq=False)
class FindingsReport(ReportBase):
    """Report of a leaderboard; `remarks` are notes on files, and follow the notes on the numbers.

    `by` is the grouping of tables; by default, `default_findings_by` selects it.
    """

    findings: Findings
    heading: str
    remarks: Sequence[str] = ()
    by: FindingsBy | None = None

    @property
    def signature(self) -> str:
        """One-line signature needed to reproduce the numbers."""
        return _signature(self.findings)

    def content(self) -> dict[str, Any]:
        """Return the scores, intervals, clusters and ranks; undefined, untested and missing values are null."""
        findings = self.findings
        averages = {metric.name: findings.averages(metric) for metric in findings.metrics}
        return {
            "level": findings.level.group,
            "pairs": {
                pair.name: {"segments": pair.scoring.segments, "systems": _systems_json(pair)}
                for pair in findings.pairs
            },
            "average": {
                name: {metric: average[name] for metric, average in averages.items()} for name in findings.systems
            },
            "tests": {metric.name: _test(findings, metric) for metric in findings.metrics},
            "tails": {metric.name: _tails(findings, metric) for metric in findings.metrics},
        }

    def notes(self) -> list[str]:
        """Return the notes on the leaderboard, followed by the remarks."""
        return [*findings_notes(self.findings), *self.remarks]

    def display_tables(self) -> list[Table]:
        """Return a table per metric (systems by language pairs) or per language pair (systems by metrics).

        Tables per language pair are followed by a table of averages if there are several pairs. Each table has the
        notes without which it cannot be understood alone.
        """
        findings, by = self.findings, self.by or default_findings_by(self.findings)
        if by == "metric":
            tables = [_metric_table(findings, metric) for metric in findings.metrics]
        else:
            tables = [_pair_table(pair) for pair in findings.pairs]
        legend = findings_legend(findings, by)
        if by == "pair" and len(findings.pairs) > 1:
            return [*(table.with_notes(*legend) for table in tables), _averages(findings)]
        missing = _missing_notes(findings)
        return [*(table.with_notes(*legend, *missing) for table in tables[:-1]), tables[-1].with_notes(*legend)]

    def columns(self) -> list[Table]:
        """Return one table with a row for each language pair, system and metric."""
        return [_script_columns(self.findings)]

    def pictures(self) -> list[str]:
        """Return the significance matrix of each language pair and metric as SVG."""
        matrices = _matrices(self.findings)
        return [matrix_or_title(comparison, metric, title) for _, comparison, metric, title in matrices]


def default_findings_by(findings: Findings) -> FindingsBy:
    """Return the default grouping of tables: by metric if there are several language pairs, otherwise by pair."""
    return "metric" if len(findings.pairs) > 1 else "pair"


def findings_pictures(findings: Findings) -> dict[str, str]:
    """Return the SVG significance matrix of each language pair and metric, by file name."""
    pictures: dict[str, str] = {}
    for pair, comparison, metric, title in _matrices(findings):
        stem = f"{safe_file_name(pair[:MAX_PAIR_CHARS], 'pair')}.{safe_file_name(metric, 'metric')}"
        pictures[svg_file_name(stem, pictures)] = matrix_svg(comparison, metric, title)
    return pictures


def _matrices(findings: Findings) -> Iterator[tuple[str, Comparison, str, str]]:
    """Yield the language pair, comparison, metric and title of each significance matrix."""
    for pair in findings.pairs:
        for metric in pair.metrics:
            comparison = pair.comparison(metric.name)
            if comparison is not None:
                title = tr("{pair}, {metric}: significance", pair=pair.name, metric=metric.name)
                yield pair.name, comparison, metric.name, title
