"""The distinction coefficients: which share of the pairs of systems each metric tells apart."""

from __future__ import annotations

import math

from PySide6.QtCore import QObject

from qe_desktop.report import Table
from qe_desktop.significance import MetricComparison, halves
from qe_desktop.ui.parts.cells import Cell, Column
from qe_desktop.ui.parts.table_model import TableModel
from qe_desktop.ui.scores.compared import Looked
from qe_desktop.ui.scores.figures import score_text
from qe_desktop.wording import tr

HEADER = (tr("Metric"), "d", "d_top", "d_bottom")


class CoefficientModel(TableModel):
    """Tested metrics × (name, d, d_top, d_bottom)."""

    def __init__(self, decimals: int = 3, parent: QObject | None = None) -> None:
        super().__init__(_columns(0, 0), parent, says_headers=False)
        self._decimals = decimals
        self._tested: tuple[MetricComparison, ...] = ()

    def show_looked(self, looked: Looked) -> None:
        """Show another result or metric."""
        result = looked.result
        self._tested = () if result is None else result.comparison.metrics
        split = (0, 0) if result is None else halves(len(result.layers), result.comparison.options.top)
        columns = _columns(*split)
        rows = []
        for one in self._tested:
            said = (f"{one.metric.name}. {one.metric.help()}", *_sentences(one, split, columns))
            texts = (one.metric.name, *(score_text(value, self._decimals) for value in _values(one)))
            chosen = one.metric.name == looked.metric
            rows.append([Cell(text, words, chosen=chosen) for text, words in zip(texts, said, strict=True)])
        self.show_rows(rows, columns)

    def table(self, title: str = tr("Distinction coefficients")) -> Table:
        """The coefficients as a table of the report, with full precision."""
        rows = tuple((one.metric.name, *_values(one)) for one in self._tested)
        return Table(title, ("metric", *HEADER[1:]), rows, self._decimals)


def _columns(top: int, bottom: int) -> tuple[Column, ...]:
    about = (
        tr("The metric whose scores are compared."),
        tr("The share of all pairs of systems that the metric tells apart, after correction. Higher is finer."),
        tr("The same among the {n} best systems by this metric, corrected for their own pairs.", "", top),
        tr("The same among the other {n} systems, corrected for their own pairs.", "", bottom),
    )
    return tuple(
        Column(name, said, right=place > 0) for place, (name, said) in enumerate(zip(HEADER, about, strict=True))
    )


def _sentences(one: MetricComparison, split: tuple[int, int], columns: tuple[Column, ...]) -> list[str]:
    sizes = zip(_values(one), (len(one.order), *split), columns[1:], strict=True)
    return [_sentence(one.metric.name, value, size * (size - 1) // 2, column) for value, size, column in sizes]


def _sentence(metric: str, value: float, pairs: int, column: Column) -> str:
    """What a coefficient says; `pairs` are those of the systems that it is about."""
    if math.isnan(value):
        return tr("{header} of {metric} is undefined with fewer than two systems.", header=column.header, metric=metric)
    apart = round(value * pairs)
    said = tr("{metric} tells {apart:,} of {n:,} pairs apart.", "", pairs, metric=metric, apart=apart)
    return f"{said} {column.about}"


def _values(one: MetricComparison) -> tuple[float, float, float]:
    return one.d, one.d_top, one.d_bottom
