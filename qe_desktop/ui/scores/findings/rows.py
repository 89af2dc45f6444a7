"""The table of findings: of one pair systems × metrics, of several systems × pairs by one metric."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from qe_desktop.levels.findings import Finding, Findings, PairFindings
from qe_desktop.metrics import Metric
from qe_desktop.report import DASH
from qe_desktop.ui.parts.cells import Cell, Column
from qe_desktop.ui.scores.figures import interval_text, score_text
from qe_desktop.ui.scores.findings.said import average_sentence, finding_sentence, gap_sentence, ranks_text
from qe_desktop.ui.scores.findings.values import Found, Target
from qe_desktop.ui.scores.sheet import Sheet
from qe_desktop.wording import tr

AVERAGE = ""
"""What rows are sorted by where that is no pair."""
_EXCEEDS = "*"
_PARTS = ("", " low", " high", " best rank", " worst rank")
"""What a copy has of a finding, each in a column of its own."""
_NOTHING = (None,) * len(_PARTS)
Row = tuple[tuple[Cell, ...], tuple[Target | None, ...]]


def sheet_of(found: Found, metric: str, order: str, decimals: int, *, stale: bool = False) -> Sheet[Target]:
    """The table by a metric: its systems are sorted, and lines between clusters drawn, by it.

    Of several pairs `order` names the one whose order and clusters are shown; by the average there are no clusters.
    """
    findings = found.findings.led_by(metric)
    if len(findings.pairs) == 1:
        return _of_pair(findings, found.metrics, decimals, stale=stale)
    return _of_metric(findings, order, decimals)


def _of_pair(findings: Findings, metrics: Sequence[Metric], decimals: int, *, stale: bool) -> Sheet[Target]:
    (pair,) = findings.pairs
    looked = findings.metrics[0]
    known = {metric.name: pair.by(metric) for metric in metrics}
    bold = {name: _unbeaten(by) for name, by in known.items()}
    order = pair.order(looked)
    ends = _cluster_ends(pair, looked)
    rows: list[Row] = []
    for place, system in enumerate(order):
        name, last = pair.scoring.subjects[system].shown, place in ends
        cells = [Cell(name, name, last=last)]
        targets: list[Target | None] = [None]
        for metric in metrics:
            finding = known[metric.name][system]
            said = finding_sentence(name, pair.name, metric, finding, decimals, stale=stale)
            cells.append(
                _cell(finding, metric, said, decimals, bold=system in bold[metric.name], last=last, stale=stale)
            )
            targets.append(Target(0, system, metric.name))
        rows.append((tuple(cells), tuple(targets)))
    heads = [_head(metric.name, f"{metric.name}. {metric.help()}", chosen=metric == looked) for metric in metrics]
    about = tr("Best first by {metric}; a line stands between clusters", metric=looked.name)
    return _sheet(
        (Column(tr("System"), about, exported=("system",)), *heads), rows, (None, *(metric.name for metric in metrics))
    )


def _of_metric(findings: Findings, order: str, decimals: int) -> Sheet[Target]:
    metric = findings.metrics[0]
    known = [pair.by(metric) for pair in findings.pairs]
    bold = [_unbeaten(one) for one in known]
    places = [{name: place for place, name in enumerate(pair.systems)} for pair in findings.pairs]
    averages, lacking = findings.averages(metric), findings.lacking()
    names, ends = _ordered(findings, metric, order)
    rows: list[Row] = []
    for place, name in enumerate(names):
        last = place in ends
        said = average_sentence(name, metric, averages[name], len(known), lacking.get(name, ()), decimals)
        mean = averages[name]
        cells = [Cell(name, name, last=last), Cell(score_text(mean, decimals), said, last=last, exact=(mean,))]
        targets: list[Target | None] = [None, None]
        for number, pair in enumerate(findings.pairs):
            system = places[number].get(name)
            if system is None:
                cells.append(Cell(DASH, gap_sentence(name, pair.name), "muted", last=last, exact=_NOTHING))
                targets.append(None)
                continue
            finding = known[number][system]
            said = finding_sentence(name, pair.name, metric, finding, decimals, stale=False)
            cells.append(_cell(finding, metric, said, decimals, bold=system in bold[number], last=last))
            targets.append(Target(number, system, metric.name))
        rows.append((tuple(cells), tuple(targets)))
    return _sheet(_pair_columns(findings, order), rows, (None, AVERAGE, *(pair.name for pair in findings.pairs)))


def _pair_columns(findings: Findings, order: str) -> tuple[Column, ...]:
    about = tr("Best first by the average; systems that are not in all pairs stand below")
    if order != AVERAGE:
        about = tr("Best first in {pair}; a line stands between its clusters", pair=order)
    mean = tr("The mean over all pairs, of systems that are in all of them")
    heads = [
        _head(pair.name, pair.scoring.level.reported(pair.scoring), chosen=pair.name == order)
        for pair in findings.pairs
    ]
    return (
        Column(tr("System"), about, exported=("system",)),
        Column(tr("Average"), mean, right=True, chosen=order == AVERAGE, exported=("average",)),
        *heads,
    )


def _ordered(findings: Findings, metric: Metric, order: str) -> tuple[list[str], set[int]]:
    """The systems in the order of a pair, those that it lacks below, or by the average; and where clusters end."""
    pair = next((pair for pair in findings.pairs if pair.name == order), None)
    if pair is None:
        return findings.systems, set()
    systems = pair.systems
    names = [systems[place] for place in pair.order(metric)]
    ends = _cluster_ends(pair, metric)
    held = set(systems)
    others = [name for name in findings.systems if name not in held]
    return [*names, *others], ends | ({len(names) - 1} if others else set())


def _cluster_ends(pair: PairFindings, metric: Metric) -> set[int]:
    """The rows below which a cluster ends, where systems stand best first; none below the last."""
    tested = pair.tested(metric.name)
    sizes = [len(cluster) for cluster in tested.clusters] if tested is not None else []
    return {end - 1 for end in accumulate(sizes[:-1])}


def _unbeaten(known: Sequence[Finding]) -> set[int]:
    """The systems than which no other is significantly better, where that sets them apart from any."""
    best = {place for place, finding in enumerate(known) if finding.ranks is not None and finding.ranks[0] == 1}
    return best if len(best) < len(known) else set()


def _cell(
    finding: Finding, metric: Metric, said: str, decimals: int, *, bold: bool, last: bool, stale: bool = False
) -> Cell:
    low, high = finding.interval
    return Cell(
        score_text(finding.score, decimals) + (_EXCEEDS if finding.score > metric.usual else ""),
        said,
        "muted" if stale or finding.score != finding.score else "",
        chosen=bold,
        last=last,
        beside=ranks_text(finding),
        below="" if low != low else interval_text(low, high, decimals),
        exact=(finding.score, low, high, *(finding.ranks or (None, None))),
    )


def _head(name: str, about: str, *, chosen: bool) -> Column:
    return Column(name, about, right=True, chosen=chosen, exported=tuple(f"{name}{part}" for part in _PARTS))


def _sheet(columns: tuple[Column, ...], rows: Sequence[Row], heads: tuple[str | None, ...]) -> Sheet[Target]:
    return Sheet(columns, tuple(cells for cells, _ in rows), tuple(targets for _, targets in rows), heads)
