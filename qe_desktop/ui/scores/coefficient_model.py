"""The distinction coefficients: which share of the pairs of systems each metric tells apart."""

from __future__ import annotations

from PySide6.QtCore import QObject

from qe_desktop.report import Table
from qe_desktop.significance import MetricComparison, halves
from qe_desktop.ui.parts.cells import Cell, Column
from qe_desktop.ui.parts.table_model import TableModel
from qe_desktop.ui.scores.compared import Looked
from qe_desktop.ui.scores.figures import score_text

HEADER = ("Metric", "d", "d_top", "d_bottom")


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

    def table(self, title: str = "Distinction coefficients") -> Table:
        """The coefficients as a table of the report, with full precision."""
        rows = tuple((one.metric.name, *_values(one)) for one in self._tested)
        return Table(title, ("metric", *HEADER[1:]), rows, self._decimals)


def _columns(top: int, bottom: int) -> tuple[Column, ...]:
    about = (
        "The metric whose scores are compared.",
        "The share of all pairs of systems that the metric tells apart, after correction. Higher is finer.",
        f"The same among the {top} best systems by this metric, corrected for their own pairs.",
        f"The same among the other {bottom} systems, corrected for their own pairs.",
    )
    return tuple(
        Column(name, said, right=place > 0) for place, (name, said) in enumerate(zip(HEADER, about, strict=True))
    )


def _sentences(one: MetricComparison, split: tuple[int, int], columns: tuple[Column, ...]) -> list[str]:
    said = []
    for value, size, column in zip(_values(one), (len(one.order), *split), columns[1:], strict=True):
        pairs = size * (size - 1) // 2
        said.append(
            f"{column.header} of {one.metric.name} is undefined with fewer than two systems."
            if value != value
            else f"{one.metric.name} tells {round(value * pairs):,} of {pairs:,} pairs apart. {column.about}"
        )
    return said


def _values(one: MetricComparison) -> tuple[float, float, float]:
    return one.d, one.d_top, one.d_bottom
