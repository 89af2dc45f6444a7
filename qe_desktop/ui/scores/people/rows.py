"""The tables of metrics and people: metrics × figures, and systems by people and by each metric."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qe_desktop.metrics.family import Floats
from qe_desktop.studies.agreement import Agreement
from qe_desktop.studies.figures import CAUTION, FIGURES, Figure, caution, counts_text, order_by
from qe_desktop.studies.humans import HumansStudy
from qe_desktop.studies.system_level import mean_ranks
from qe_desktop.ui.parts.cells import Cell, Column
from qe_desktop.ui.scores.figures import score_text
from qe_desktop.ui.scores.people.said import (
    ends_text,
    figure_sentence,
    metric_sentence,
    rated_sentence,
    system_sentence,
)
from qe_desktop.ui.scores.people.values import Target
from qe_desktop.ui.scores.sheet import Sheet
from qe_desktop.wording import side_by_side, tr

Row = tuple[tuple[Cell, ...], tuple[Target | None, ...]]
_ENDS = ("", " low", " high")
_EPSILON = " epsilon"


def sheet_of(study: HumansStudy, figure: Figure, metric: str, decimals: int, *, late: bool = False) -> Sheet[Target]:
    """Metrics, best first by a figure, and every figure of each; the one that is looked at is bold.

    `late`: another study is being made, so that these numbers are no longer those that were asked for.
    """
    rows: list[Row] = []
    for place in order_by(study, figure):
        one = study.agreements[place]
        name = one.metric.name
        below = tr("less is better") if one.metric.better < 0 else ""
        cells = [Cell(name, metric_sentence(one), chosen=name == metric, below=below, exact=(name,))]
        cells += [_figure_cell(study, one, each, decimals, late=late) for each in FIGURES]
        rows.append((tuple(cells), (None, *(Target(name, each.name) for each in FIGURES))))
    about = tr("Best first by {figure}", figure=figure.title)
    columns = (Column(tr("Metric"), about, exported=("metric",)), *(_head(study, each, figure) for each in FIGURES))
    return _sheet(columns, rows, (None, *(each.name for each in FIGURES)))


def systems_sheet(study: HumansStudy, metric: str, decimals: int) -> Sheet[Target]:
    """What people gave systems, best first, and each metric, with systems’ places (Lavie et al. 2004, table 1)."""
    people = _places(study.people, 1)
    places = [_places(one.scores, one.metric.better) for one in study.agreements]
    rows: list[Row] = []
    for system in np.argsort(-study.people, kind="stable").tolist():
        name, given = study.systems[system], score_text(float(study.people[system]), decimals)
        cells = [
            Cell(name, name),
            Cell(
                given, rated_sentence(name, given, people[system]), beside=people[system],
                exact=(float(study.people[system]),),
            ),
        ]  # fmt: skip
        targets: list[Target | None] = [None, None]
        for one, ranks in zip(study.agreements, places, strict=True):
            value = float(one.scores[system])
            text = score_text(value, decimals)
            said = system_sentence(name, one.metric.name, text, ranks[system], people[system])
            cells.append(Cell(text, said, beside=ranks[system], exact=(value,)))
            targets.append(Target(one.metric.name, system=system))
        rows.append((tuple(cells), tuple(targets)))
    columns = [
        Column(tr("System"), tr("Best first by people"), exported=("system",)),
        Column(tr("People"), tr("What people gave, and the place of each system by it"), right=True,
               exported=("people",)),
    ]  # fmt: skip
    columns += [
        Column(one.metric.name, metric_sentence(one), right=True, chosen=one.metric.name == metric)
        for one in study.agreements
    ]
    return _sheet(tuple(columns), rows, (None, None, *(one.metric.name for one in study.agreements)))


def _figure_cell(study: HumansStudy, one: Agreement, figure: Figure, decimals: int, *, late: bool) -> Cell:
    value, ends = figure.value(one), figure.interval(one)
    known = not np.isnan(value)
    exact: tuple[float | None, ...] = (value if known else None, *(ends or (None, None)))
    if figure.name == "acc_eq":
        exact += (one.tied.epsilon if known else None,)
    return Cell(
        score_text(value, decimals),
        figure_sentence(study, one, figure, decimals),
        "" if known and not late else "muted",
        beside=CAUTION if known and caution(study, figure) else "",
        below=ends_text(figure, one, decimals),
        exact=exact,
    )


def _head(study: HumansStudy, figure: Figure, chosen: Figure) -> Column:
    """The header of a figure, with how many segments it is of where figures may be of different ones."""
    parts = (*_ENDS, _EPSILON) if figure.name == "acc_eq" else _ENDS
    counts = counts_text(study, figure.key)
    several = len({counts_text(study, one.key) for one in FIGURES}) > 1
    about = side_by_side(" ", (figure.about, tr("Segments: {counts}.", counts=counts))) if counts else figure.about
    return Column(
        f"{figure.title} ({counts})" if several and counts else figure.title, about, right=True,
        chosen=figure == chosen,
        exported=tuple(f"{figure.name}{part}" for part in parts),
    )  # fmt: skip


def _places(scores: Floats, better: int) -> list[str]:
    """The place of each system from 1 for the best; ties share their mean."""
    ranks = mean_ranks(-better * np.asarray(scores))
    return ["" if np.isnan(score) else f"{rank:g}" for score, rank in zip(scores, ranks, strict=True)]


def _sheet(columns: tuple[Column, ...], rows: Sequence[Row], heads: tuple[str | None, ...]) -> Sheet[Target]:
    return Sheet(columns, tuple(cells for cells, _ in rows), tuple(targets for _, targets in rows), heads)
