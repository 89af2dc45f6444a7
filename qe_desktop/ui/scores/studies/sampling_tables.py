"""Repeated sampling as tables, each number in words: the paper's table 2, every p, and the scores of data sets."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import partial

import numpy as np

from qe_desktop.studies.sampling.options import said
from qe_desktop.studies.sampling.study import CERTAIN, SamplingStudy
from qe_desktop.ui.parts.cells import Cell, Column
from qe_desktop.ui.scores.figures import p_text, score_text
from qe_desktop.ui.scores.sheet import Sheet
from qe_desktop.ui.scores.studies.values import Target, Titled
from qe_desktop.wording import side_by_side, tr

Row = tuple[tuple[Cell, ...], tuple[Target | None, ...]]


def sheets(study: SamplingStudy, decimals: int, *, late: bool = False) -> list[Titled]:
    """The paper's table, every p, and the scores of data sets."""
    return [
        Titled(tr("Data sets needed"), partial(_paper, study, late)),
        Titled(tr("p by the number of data sets"), partial(_p_values, study, late)),
        Titled(tr("Scores of data sets"), partial(_scores, study, decimals, late)),
    ]


def _by_difference(study: SamplingStudy, by_errors: float) -> dict[Decimal, np.ndarray]:
    """Differences, ascending, and in which place the size is at which each metric sees all pairs so far apart."""
    needed, found = study.needed(by_errors), dict[Decimal, list[int]]()
    for place, pair in enumerate(study.options.pairs):
        found.setdefault(study.options.difference(pair), []).append(place)
    return {apart: needed[:, found[apart]].max(axis=1) for apart in sorted(found)}


def _paper(study: SamplingStudy, late: bool) -> Sheet[Target]:
    """A metric a row, those that need the fewest data sets first; of equals those of which p falls faster."""
    exact = _by_difference(study, 0.0)
    low, high = (_by_difference(study, by_errors) for by_errors in (-CERTAIN, CERTAIN))
    ink = "muted" if late else ""
    order = np.lexsort((study.p.mean(axis=(1, 2)), np.sum(list(exact.values()), axis=0)))
    rows: list[Row] = []
    for row in order.tolist():
        metric, target = study.metrics[row], Target(study.metrics[row].name)
        cells = [Cell(metric.name, f"{metric.name}. {metric.help()}", exact=(metric.name,))]
        cells += [
            _needed(study, metric.name, apart, int(places[row]), (int(low[apart][row]), int(high[apart][row])), ink)
            for apart, places in exact.items()
        ]
        rows.append((tuple(cells), (target,) * len(cells)))
    about = tr("Data sets that it takes to see all pairs of shares that are so many points of a per cent apart")
    columns = (
        Column(tr("Metric"), tr("Those that need the fewest data sets first"), exported=("metric",)),
        *(Column(said(apart), about, right=True, exported=(said(apart),)) for apart in exact),
    )
    return _sheet(columns, rows)


def _needed(study: SamplingStudy, metric: str, apart: Decimal, place: int, between: tuple[int, int], ink: str) -> Cell:
    sizes = study.options.sizes
    if place < len(sizes):
        sentence = tr(
            "{metric} sees a difference of {points} points with {n:,} data sets.",
            "", sizes[place], metric=metric, points=said(apart),
        )  # fmt: skip
    else:
        sentence = tr(
            "{metric} does not see a difference of {points} points with {n:,} data sets.",
            "", sizes[-1], metric=metric, points=said(apart),
        )  # fmt: skip
    beside = ""
    if between[0] != between[1]:
        least, most = (_amount(sizes, one) for one in between)
        beside = f"[{least}, {most}]"
        more = tr("By two errors of p it lies from {least} to {most}.", least=least, most=most)
        sentence = side_by_side(" ", (sentence, more))
    beyond = place >= len(sizes)
    return Cell(
        _amount(sizes, place), sentence, ink or ("muted" if beyond else ""), beside=beside,
        exact=(None if beyond else sizes[place],),
    )  # fmt: skip


def _amount(sizes: Sequence[int], place: int) -> str:
    return f"{sizes[place]:,}" if place < len(sizes) else f">{sizes[-1]:,}"


def _p_values(study: SamplingStudy, late: bool) -> Sheet[Target]:
    """A metric and a pair of shares a row: p after correction at each size, and below it how sure that is."""
    options, adjusted = study.options, study.adjusted()
    ink = "muted" if late else ""
    rows: list[Row] = []
    for row, metric in enumerate(study.metrics):
        for place, pair in enumerate(options.pairs):
            one, other = (said(options.errors[end]) for end in pair)
            last = place == len(options.pairs) - 1
            named = tr("{metric}: {one} and {other} % errors", metric=metric.name, one=one, other=other)
            cells = [
                Cell(metric.name, named, last=last, exact=(metric.name,)),
                Cell(tr("{one} – {other} %", one=one, other=other), named, last=last, exact=(one, other)),
            ]
            for column, size in enumerate(options.sizes):
                p, error = float(study.p[row, place, column]), float(study.error[row, place, column])
                judged = float(adjusted[row, place, column])
                sentence = tr(
                    "{metric}, {one} and {other} %, {n:,} data sets: p {p} ± {error}, {judged} after correction.",
                    "", size, metric=metric.name, one=one, other=other, p=p_text(p), error=p_text(error),
                    judged=p_text(judged),
                )  # fmt: skip
                seen = judged <= options.alpha
                cells.append(Cell(p_text(p), sentence, ink, chosen=seen, last=last, exact=(p, error, judged)))
            rows.append((tuple(cells), (Target(metric.name),) * len(cells)))
    parts = ("p", "p error", "adjusted p")
    columns = (
        Column(tr("Metric"), exported=("metric",)),
        Column(tr("Errors"), exported=("errors 1", "errors 2")),
        *(Column(f"{size:,}", tr("p before correction; bold where it is significant after it"), right=True,
                 exported=tuple(f"{size} {part}" for part in parts)) for size in options.sizes),
    )  # fmt: skip
    return _sheet(columns, rows)


def _scores(study: SamplingStudy, decimals: int, late: bool) -> Sheet[Target]:
    """A metric a row: mean and standard deviation of data sets' scores at each share of errors."""
    ink = "muted" if late else ""
    rows: list[Row] = []
    for row, metric in enumerate(study.metrics):
        cells = [Cell(metric.name, f"{metric.name}. {metric.help()}", exact=(metric.name,))]
        for place, error in enumerate(study.options.errors):
            mean, deviation = float(study.means[row, place]), float(study.deviations[row, place])
            texts = [score_text(value, decimals + 1) for value in (mean, deviation)]
            sentence = tr("{metric} of data sets with {share} % errors: {mean} on average, standard deviation {sd}.",
                          metric=metric.name, share=said(error), mean=texts[0], sd=texts[1])  # fmt: skip
            cells.append(Cell(texts[0], sentence, ink, below=f"± {texts[1]}", exact=(mean, deviation)))
        rows.append((tuple(cells), (Target(metric.name),) * len(cells)))
    columns = (
        Column(tr("Metric"), exported=("metric",)),
        *(Column(tr("{share} %", share=said(error)), tr("Of data sets with this share of wrong tags"), right=True,
                 exported=(f"{said(error)} mean", f"{said(error)} sd")) for error in study.options.errors),
    )  # fmt: skip
    return _sheet(columns, rows)


def _sheet(columns: tuple[Column, ...], rows: Sequence[Row]) -> Sheet[Target]:
    return Sheet(columns, tuple(cells for cells, _ in rows), tuple(targets for _, targets in rows))
