"""Findings as JSON, as tables for a paper, and as one long table for scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Literal

import numpy as np

from qe_desktop.escaping import safe_file_name
from qe_desktop.i18n.messages import join_localized, join_names, tr
from qe_desktop.levels.findings import Findings, PairFindings, SystemFinding
from qe_desktop.metrics import Metric
from qe_desktop.report.comparisons import reach_note
from qe_desktop.report.render.matrix_svg import matrix_or_title, matrix_svg
from qe_desktop.report.render.output_formats import FILE_FORMATS, Suffix, get_output_format
from qe_desktop.report.render.tables import Cell, Table, format_cell
from qe_desktop.report.scores import (
    ABOUT_INTERVALS,
    documents_note,
    format_with_interval,
    json_number,
    negative_correlation_note,
    no_interval_notes,
    settings_signature,
    undefined_note,
)
from qe_desktop.significance import CORRECTION_LABELS, Comparison, get_test

FindingsBy = Literal["pair", "metric"]
DECIMALS = 3
"""As findings papers print them."""


def findings_json(findings: Findings, remarks: Sequence[str] = ()) -> dict[str, Any]:
    """The command line's contract; null for what is undefined, untested, or not there in all pairs."""
    averages = {metric.name: findings.averages(metric) for metric in findings.metrics}
    return {
        "level": findings.level.group,
        "pairs": {
            pair.name: {
                "segments": pair.scoring.segments,
                "systems": _systems_json(pair),
            }
            for pair in findings.pairs
        },
        "average": {
            name: {metric: json_number(found[name]) for metric, found in averages.items()} for name in findings.systems
        },
        "tests": {metric.name: _test(findings, metric) for metric in findings.metrics},
        "tails": {metric.name: _tails(findings, metric) for metric in findings.metrics},
        "signature": findings_signature(findings),
        "notes": [*remarks, *findings_notes(findings)],
    }


def _systems_json(pair: PairFindings) -> dict[str, Any]:
    found = {metric.name: pair.by(metric) for metric in pair.metrics}
    return {
        name: {metric: _finding_json(findings[place]) for metric, findings in found.items()}
        for place, name in enumerate(pair.systems)
    }


def _finding_json(finding: SystemFinding) -> dict[str, Any]:
    low, high = finding.interval
    return {
        "score": json_number(finding.score),
        "interval": None if low != low else [low, high],
        "cluster": finding.cluster,
        "ranks": None if finding.ranks is None else list(finding.ranks),
    }


def _test(findings: Findings, metric: Metric) -> str | None:
    made = [found.options.test for pair in findings.pairs if (found := pair.comparison(metric.name)) is not None]
    return next(iter(made), None)


def _tails(findings: Findings, metric: Metric) -> int | None:
    test = _test(findings, metric)
    return None if test is None else get_test(test).tails


def findings_signature(findings: Findings) -> str:
    """What one must know to get the same numbers again, in one line."""
    options = findings.options
    made = {metric.name: test for metric in findings.metrics if (test := _test(findings, metric)) is not None}
    alike = len(set(made.values())) == 1 and len(made) == len(findings.metrics)
    tests = next(iter(made.values())) if alike else ",".join(f"{name}={test}" for name, test in made.items())
    tails = sorted({get_test(test).tails for test in made.values()})
    drawn = _rounds_note(findings)
    return settings_signature(
        findings.level.group,
        {
            **_level(findings),
            "tests": tests, **({"tails": ",".join(map(str, tails))} if tails else {}),
            "rounds": options.rounds, "seed": options.seed, "unit": options.unit,
            "correction": options.correction, "alpha": options.alpha, "intervals": findings.way,
            **({"interval-rounds": drawn} if drawn else {}),
        },
    )  # fmt: skip


def _level(findings: Findings) -> dict[str, str]:
    """What is to be known of the level, said of each pair where pairs differ."""
    said = {pair.name: pair.scoring.level.signature(pair.scoring) for pair in findings.pairs}
    found = {}
    for name in next(iter(said.values())):
        values = {pair: parts.get(name, "") for pair, parts in said.items()}
        alike = len(set(values.values())) == 1
        found[name] = next(iter(values.values())) if alike else ",".join(f"{one}={of}" for one, of in values.items())
    return found


def _rounds_note(findings: Findings) -> str:
    """In how many rounds intervals were drawn, said of each pair where pairs differ; empty where none were."""
    made = (findings.metrics, findings.options, findings.way, findings.interval_rounds)
    rounds = {pair.name: pair.scoring.interval_rounds(*made) for pair in findings.pairs}
    if len(set(rounds.values())) > 1:
        return ",".join(f"{pair}={number}" for pair, number in rounds.items())
    return str(next(iter(rounds.values())) or "")


# --- for people


def findings_tables(findings: Findings, by: FindingsBy, remarks: Sequence[str] = ()) -> list[Table]:
    """Tables of `by`: for each metric the systems in all pairs, or for each pair the systems by all metrics."""
    if by == "metric":
        tables = [_of_metric(findings, metric) for metric in findings.metrics]
    else:
        tables = [_of_pair(pair) for pair in findings.pairs]
        tables += [_averages(findings)] if len(findings.pairs) > 1 else []
    below = (*findings_legend(findings, by), *remarks, *findings_notes(findings), findings_signature(findings))
    return [*tables[:-1], replace(tables[-1], notes=below)]


def _of_metric(findings: Findings, metric: Metric) -> Table:
    """Systems by language pairs, those of all pairs first."""
    several = len(findings.pairs) > 1
    pairs = [title for pair in findings.pairs for title in (pair.name, tr("ranks"))]
    header = (tr("system"), *([tr("average")] if several else []), *pairs)
    found = [dict(zip(pair.systems, pair.by(metric), strict=True)) for pair in findings.pairs]
    averages = findings.averages(metric)
    rows: list[tuple[Cell, ...]] = []
    for name in findings.systems:
        cells = [cell for of_pair in found for cell in _cells(of_pair.get(name))]
        rows.append((name, *([averages[name]] if several else []), *cells))
    columns: dict[int, list[float | None]] = {1: [averages[name] for name in findings.systems]} if several else {}
    for place, of_pair in enumerate(found):
        columns[(2 if several else 1) + 2 * place] = [
            None if (one := of_pair.get(name)) is None else one.score for name in findings.systems
        ]
    best = frozenset((row, column) for column, values in columns.items() for row in _best(metric, values))
    title = tr("{metric} in {n} {n:language pair|language pairs}", "", len(findings.pairs), metric=metric.name)
    return Table(title, header, tuple(rows), DECIMALS, best=best)


def _of_pair(pair: PairFindings) -> Table:
    """Systems by metrics, best first by the first metric, with a line between its clusters."""
    first = pair.metrics[0]
    found = [pair.by(metric) for metric in pair.metrics]
    tested = pair.tested(first.name)
    sizes = [len(cluster) for cluster in tested.clusters] if tested is not None else []
    # those that could not be tested come last, below a line of their own
    ends = np.cumsum(sizes).tolist()
    rules = tuple(end for end in ends if end < len(pair.systems))
    header = (tr("system"), *(title for metric in pair.metrics for title in (metric.name, tr("ranks"))))
    order = pair.order(first)
    rows: list[tuple[Cell, ...]] = [
        (pair.systems[place], *(cell for by_metric in found for cell in _cells(by_metric[place]))) for place in order
    ]
    best = frozenset(
        (row, 1 + 2 * place)
        for place, metric in enumerate(pair.metrics)
        for row in _best(metric, pair.scores[order, place].tolist())
    )
    title = tr("{pair}: {size}", pair=pair.name, size=pair.scoring.level.reported(pair.scoring))
    return Table(title, header, tuple(rows), DECIMALS, rules=rules, best=best)


def _averages(findings: Findings) -> Table:
    found = [findings.averages(metric) for metric in findings.metrics]
    rows: list[tuple[Cell, ...]] = [(name, *(averages[name] for averages in found)) for name in findings.systems]
    best = frozenset(
        (row, column)
        for column, (metric, averages) in enumerate(zip(findings.metrics, found, strict=True), 1)
        for row in _best(metric, [averages[name] for name in findings.systems])
    )
    title = tr("Average over {n} language {n:pair|pairs}", "", len(findings.pairs))
    header = (tr("system"), *(metric.name for metric in findings.metrics))
    return Table(title, header, tuple(rows), DECIMALS, best=best)


def _best(metric: Metric, values: Sequence[float | None]) -> list[int]:
    """The places of the best values by a metric: all that are printed alike; none where there is nothing beside it."""
    defined = {place: value for place, value in enumerate(values) if value is not None and value == value}
    if len(defined) < 2:
        return []
    places = list(defined)
    worth = metric.worth(np.array(list(defined.values())))
    leading = format_cell(defined[places[int(np.argmax(worth))]], DECIMALS)
    return [place for place, value in defined.items() if format_cell(value, DECIMALS) == leading]


def _cells(finding: SystemFinding | None) -> tuple[Cell, Cell]:
    """A score with its interval, and the ranks that the system may have."""
    if finding is None:
        return None, None
    shown = format_with_interval(finding.score, np.array(finding.interval), DECIMALS)
    if finding.ranks is None:
        return shown, None
    best, worst = finding.ranks
    return shown, str(best) if best == worst else f"{best}–{worst}"


def findings_legend(findings: Findings, by: FindingsBy) -> list[str]:
    """What intervals, ranks and lines of the tables mean, and how they were made."""
    tested = [metric for metric in findings.metrics if _test(findings, metric) is not None]
    if not tested:
        return [ABOUT_INTERVALS]
    options = findings.options
    titles = dict.fromkeys(get_test(test).title for metric in tested if (test := _test(findings, metric)) is not None)
    ranks = tr(
        "Ranks: the best and the worst that a system may have by the tests ({tests}; p ≤ {alpha:g}; "
        "{correction}).",
        tests=join_names(list(titles)), alpha=options.alpha, correction=CORRECTION_LABELS[options.correction],
    )  # fmt: skip
    lines = tr(
        "Between two lines stand systems of one cluster by {metric}: each of those above is significantly better than "
        "each of those below.",
        metric=findings.metrics[0].name,
    )
    return [ABOUT_INTERVALS, ranks, *([lines] if by == "pair" and findings.metrics[0] in tested else [])]


def findings_notes(findings: Findings) -> list[str]:
    """What a reader must know of gaps, of what is undefined or untested, and of tests that can find nothing."""
    found = [
        tr("{system} has nothing for {pairs}, and no average.", system=name, pairs=join_names(pairs))
        for name, pairs in findings.lacking().items()
    ]
    for pair in findings.pairs:
        systems = pair.systems
        for place, metric in enumerate(pair.metrics):
            undefined = [name for name, score in zip(systems, pair.scores[:, place], strict=True) if score != score]
            if undefined:
                found.append(join_localized(": ", (pair.name, undefined_note(metric, undefined))))
            lacking = no_interval_notes(metric, systems, pair.scores[:, place], pair.intervals[metric.name])
            found += [join_localized(": ", (pair.name, note)) for note in lacking]
            running = negative_correlation_note(metric, systems, pair.scores[:, place], pair.scoring.segments)
            if running:
                found.append(join_localized(": ", (pair.name, running)))
        split = pair.scoring.split_documents if findings.options.unit == "segment" else 0
        found += [join_localized(": ", (pair.name, documents_note(split, pair.scoring.segments)))] if split else []
        found += [join_localized(": ", (pair.name, missed)) for one in pair.comparisons if (missed := reach_note(one))]
        found += [join_localized(": ", (pair.name, problem)) for problem in pair.problems]
        if len(systems) == 1:
            found.append(tr("{pair} has one system, so nothing is tested.", pair=pair.name))
    found += [note for place in range(len(findings.metrics)) for note in _signatures(findings, place)]
    untested = [metric.name for metric in findings.metrics if not metric.family.separate]
    if untested:
        found.append(
            tr(
                "{metrics} {n:compares|compare} each segment with all others, so no test and no interval is made.",
                "", len(untested), metrics=join_names(untested),
            )
        )  # fmt: skip
    return found


def _signatures(findings: Findings, place: int) -> list[str]:
    """The signature of the metric at this index; one for each pair where pairs differ, such as in the tokenizer."""
    found = {pair.name: pair.metrics[place].signature for pair in findings.pairs}
    name = findings.metrics[place].name
    if len(set(found.values())) == 1:
        return [join_localized(": ", (name, signature)) for signature in set(found.values()) if signature]
    return [join_localized(": ", (pair, name, signature)) for pair, signature in found.items() if signature]


# --- for scripts


def findings_columns(findings: Findings) -> Table:
    """One row for each language pair, system and metric, at full precision."""
    header = ("pair", "system", "metric", "score", "low", "high", "cluster", "best rank", "worst rank")
    rows: list[tuple[Cell, ...]] = []
    signatures: list[str] = []
    names = findings.systems
    for pair in findings.pairs:
        places = {name: place for place, name in enumerate(pair.systems)}
        found = {metric: pair.by(metric) for metric in pair.metrics}
        for name in names:
            for metric, by_system in found.items() if name in places else ():
                one = by_system[places[name]]
                best, worst = one.ranks or (None, None)
                signatures.append(metric.signature)
                rows.append((pair.name, name, metric.name, one.score, *one.interval, one.cluster, best, worst))
    return Table("", header, tuple(rows)).with_last("signature", signatures)


MAX_PAIR_CHARS = 60
"""Characters of a pair's name in the name of a file."""
Form = Suffix
"""Files of findings say by their suffix in what form they are."""
FORMS: dict[Form, str] = {form.suffix: form.about for form in FILE_FORMATS}


@dataclass(frozen=True, slots=True, eq=False)
class FindingsReport:
    """Findings in tables of each pair or each metric, under a heading; remarks go before the notes."""

    findings: Findings
    by: FindingsBy
    heading: str
    remarks: tuple[str, ...] = ()

    def json(self) -> dict[str, Any]:
        """The command line's contract."""
        return findings_json(self.findings, self.remarks)

    def notes(self) -> list[str]:
        """What a reader of the numbers must know."""
        return [*self.remarks, *findings_notes(self.findings)]

    def tables(self) -> list[Table]:
        """Those for a paper; what must be known stands below the last."""
        return findings_tables(self.findings, self.by, self.remarks)

    def columns(self) -> list[Table]:
        """One table, a row for each number."""
        return [findings_columns(self.findings)]

    def pictures(self) -> list[str]:
        """The matrix of each pair and metric."""
        drawn = _matrices(self.findings)
        return [matrix_or_title(comparison, metric, title) for _, comparison, metric, title in drawn]


def default_findings_by(findings: Findings) -> FindingsBy:
    """What a table is of where nobody says: of several pairs each metric, of one the pair."""
    return "metric" if len(findings.pairs) > 1 else "pair"


def findings_text(findings: Findings, form: Form, title: str, remarks: Sequence[str] = ()) -> str:
    """Findings in a form; `title` is that of a page."""
    return get_output_format(form).text(FindingsReport(findings, default_findings_by(findings), title, tuple(remarks)))


def findings_pictures(findings: Findings) -> dict[str, str]:
    """The matrix of each pair and metric, as SVG, by the name of its file."""
    pictures: dict[str, str] = {}
    for pair, comparison, metric, title in _matrices(findings):
        names = (_file_name(pair, metric, number) for number in count(1))
        pictures[next(name for name in names if name not in pictures)] = matrix_svg(comparison, metric, title)
    return pictures


def _file_name(pair: str, metric: str, number: int) -> str:
    """The name of a picture; a second one that would be called the same has a number."""
    again = "" if number == 1 else f"-{number}"
    return f"{safe_file_name(pair[:MAX_PAIR_CHARS], 'pair')}.{safe_file_name(metric, 'metric')}{again}.svg"


def _matrices(findings: Findings) -> Iterator[tuple[str, Comparison, str, str]]:
    """What was compared, with its pair, its metric and a title."""
    for pair in findings.pairs:
        for metric in pair.metrics:
            comparison = pair.comparison(metric.name)
            if comparison is not None:
                title = tr("{pair}, {metric}: significance", pair=pair.name, metric=metric.name)
                yield pair.name, comparison, metric.name, title
