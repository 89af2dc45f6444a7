"""Thresholds as tables, each number in words: the best ones by each metric, and how well numbers rank words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from qe_desktop.report.threshold_columns import chosen, score_at_usual, score_here
from qe_desktop.studies.threshold_study import USUAL, SystemThresholds, ThresholdStudy
from qe_desktop.ui.parts.cells import Cell, Column
from qe_desktop.ui.scores.figures import interval_text, score_text
from qe_desktop.ui.scores.sheet import Sheet
from qe_desktop.ui.scores.studies.values import Target, Titled
from qe_desktop.wording import side_by_side, tr

Row = tuple[tuple[Cell, ...], tuple[Target | None, ...]]


def sheets(study: ThresholdStudy, decimals: int, *, late: bool = False) -> list[Titled]:
    """The best thresholds, and how well numbers rank words."""
    return [
        Titled(tr("Best thresholds"), partial(_thresholds, study, decimals, late)),
        Titled(tr("Ranking of words"), partial(_ranks, study, decimals, late)),
    ]


def _thresholds(study: ThresholdStudy, decimals: int, late: bool) -> Sheet[Target]:
    rows: list[Row] = []
    ink = "muted" if late else ""
    for one in study.systems:
        for place, metric in enumerate(study.metrics):
            target = Target(metric.name, one.name)
            last = place == len(study.metrics) - 1
            named = tr("{system} by {metric}. Enter shows the picture.", system=one.name, metric=metric.name)
            cells = (
                Cell(one.name, named, last=last, exact=(one.name,)),
                Cell(metric.name, f"{metric.name}. {metric.help()}", last=last, exact=(metric.name,)),
                *_numbers(study, one, place, decimals, ink, last),
            )
            rows.append((cells, (target,) * len(cells)))
    usual = f"{USUAL:g}"
    columns = (
        Column(tr("System"), exported=("system",)),
        Column(tr("Metric"), exported=("metric",)),
        Column(tr("Best threshold"), tr("Where the metric is highest: words above it are BAD; and its interval"),
               right=True, exported=("threshold", "low", "high")),
        Column(tr("% BAD"), tr("The share of words that are BAD at this threshold"), right=True, exported=("bad",)),
        Column(tr("Score"), tr("The metric at the best threshold"), right=True, exported=("score",)),
        Column(tr("At {threshold}", threshold=usual), tr("The metric at the usual threshold"), right=True,
               exported=("usual",)),
    )  # fmt: skip
    return _sheet(columns, rows)


def _numbers(
    study: ThresholdStudy, one: SystemThresholds, place: int, decimals: int, ink: str, last: bool
) -> tuple[Cell, ...]:
    best, metric = chosen(one, place), study.metrics[place].name
    usual = score_at_usual(one, place)
    at_usual = tr("{system}: {metric} is {score} at the usual threshold, {threshold:g}.", threshold=USUAL,
                  score=score_text(usual, decimals), system=one.name, metric=metric)  # fmt: skip
    of_usual = Cell(score_text(usual, decimals), at_usual, ink, last=last, exact=(_known(usual),))
    if math.isnan(best.threshold):
        said = tr("{system}: no threshold changes {metric}, so none is best.", system=one.name, metric=metric)
        none = Cell(score_text(math.nan, decimals), said, "muted", last=last, exact=(None,))
        return Cell(none.text, said, "muted", last=last, exact=(None, None, None)), none, none, of_usual
    score = score_here(one, place)
    low, high = best.interval
    text = score_text(best.threshold, decimals)
    said = tr(
        "{system}: {metric} is highest where words above {threshold} are BAD.",
        threshold=text,
        system=one.name,
        metric=metric,
    )
    beside = ""
    if not math.isnan(low):
        beside = interval_text(low, high, decimals)
        more = tr("In 95 % of {n:,} rounds of drawing segments the best lies from {low} to {high}.", "", study.rounds,
                  low=score_text(low, decimals), high=score_text(high, decimals))  # fmt: skip
        said = side_by_side(" ", (said, more))
    share = tr("{system}: {share:.1f} % of words are above {threshold}.", system=one.name, share=100 * best.called,
               threshold=text)  # fmt: skip
    flatters = tr("{system}: {metric} is {score} at {threshold}, which was chosen on this gold: that flatters.",
                  score=score_text(score, decimals), threshold=text, system=one.name, metric=metric)  # fmt: skip
    return (
        Cell(text, said, ink, last=last, beside=beside, exact=(best.threshold, _known(low), _known(high))),
        Cell(f"{100 * best.called:.1f}", share, ink, last=last, exact=(best.called,)),
        Cell(score_text(score, decimals), flatters, ink, last=last, exact=(_known(score),)),
        of_usual,
    )


def _ranks(study: ThresholdStudy, decimals: int, late: bool) -> Sheet[Target]:
    rows: list[Row] = []
    ink = "muted" if late else ""
    for one in study.systems:
        together, by = one.sweep.together, one.sweep.by_segment
        recall = math.nan if by.recall_at_k is None else by.recall_at_k
        figures = (together.auc, together.average_precision, recall, by.auc, by.average_precision)
        cells = [Cell(one.name, one.name, exact=(one.name,))]
        cells += [
            Cell(
                score_text(value, decimals),
                tr("{system}: {figure} is {value}.", system=one.name, figure=column.header,
                   value=score_text(value, decimals)),
                ink, exact=(_known(value),),
            )
            for value, column in zip(figures, _figures(study), strict=True)
        ]  # fmt: skip
        rows.append((tuple(cells), (Target(system=one.name),) * len(cells)))
    return _sheet((Column(tr("System"), exported=("system",)), *_figures(study)), rows)


def _figures(study: ThresholdStudy) -> tuple[Column, ...]:
    count = next((one.sweep.by_segment.segments or 0 for one in study.systems), 0)
    means = tr("the mean over {n:,} {n:segment|segments} with both tags, as the WMT22 explainability task has it",
               "", count)  # fmt: skip
    auc = tr("How likely a BAD word has a higher number than an OK word")
    precise = tr("The mean of the precision at each BAD word")
    recall = tr("Of the k BAD words of a segment, those among its k highest numbers")
    return (
        Column("AUC", auc, right=True, exported=("auc",)),
        Column("AP", precise, right=True, exported=("average precision",)),
        Column(
            tr("segments: R@K"), side_by_side(": ", (recall, means)), right=True, exported=("segments recall at k",)
        ),
        Column(tr("segments: AUC"), side_by_side(": ", (auc, means)), right=True, exported=("segments auc",)),
        Column(
            tr("segments: AP"),
            side_by_side(": ", (precise, means)),
            right=True,
            exported=("segments average precision",),
        ),
    )


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _sheet(columns: tuple[Column, ...], rows: Sequence[Row]) -> Sheet[Target]:
    return Sheet(columns, tuple(cells for cells, _ in rows), tuple(targets for _, targets in rows))
