"""Repeated sampling as JSON, and as tables laid out like table 2 of Logacheva et al. 2016."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import numpy as np

from qe_desktop.metrics import Metric
from qe_desktop.report.p_values import p_text
from qe_desktop.report.sampling_notes import notes_of
from qe_desktop.report.scores import number, signature
from qe_desktop.report.tables import Cell, Table
from qe_desktop.studies.sampling.options import said
from qe_desktop.studies.sampling.study import CERTAIN, SamplingStudy
from qe_desktop.wording import tr

LEAST = 0.0001
"""A p below this is not told from others."""


@dataclass(frozen=True, slots=True, eq=False)
class SamplingReport:
    """A study with the remarks of whoever read its files, and what its level says of itself."""

    study: SamplingStudy
    remarks: tuple[str, ...] = ()
    made: Mapping[str, str] = field(default_factory=dict)

    @property
    def heading(self) -> str:
        """What a page of it is called."""
        return tr("Repeated sampling")

    @property
    def signature(self) -> str:
        """What one must know to get the same numbers again, in one line."""
        options = self.study.options
        judged = {"correction": options.correction, "alpha": options.alpha}
        count = {"mode": options.mode, "repetitions": options.repetitions}
        return signature("sampling", {**self.made, **options.drawing(), **count, **judged})

    def json(self) -> dict[str, Any]:
        """The command line's contract; p are uncorrected, `samples` after correction and null where all are too few."""
        study, options = self.study, self.study.options
        return {
            "mode": options.mode,
            "seed": options.seed,
            "repetitions": study.made if options.mode == "full" else options.repetitions,
            "asked": options.repetitions,
            "errors": [float(error) for error in options.errors],
            "sizes": list(options.sizes),
            "metrics": {
                metric.name: {options.named(pair): self._cell(row, place) for place, pair in enumerate(options.pairs)}
                for row, metric in enumerate(study.metrics)
            },
            "differences": {
                metric.name: {said(apart): self._samples(places[row]) for apart, places in self._by_difference(0.0)}
                for row, metric in enumerate(study.metrics)
            },
            "scores": {
                metric.name: {
                    said(error): {"mean": number(study.means[row, place]), "sd": number(study.deviations[row, place])}
                    for place, error in enumerate(options.errors)
                }
                for row, metric in enumerate(study.metrics)
            },
            "orders": study.orders,
            "redrawn": study.redrawn,
            "correction": options.correction,
            "alpha": options.alpha,
            "signature": self.signature,
            "notes": self.notes(),
        }

    def _cell(self, row: int, place: int) -> dict[str, Any]:
        study = self.study
        low, high = study.between
        sizes = list(map(str, study.options.sizes))
        return {
            "samples": self._samples(study.needed()[row, place]),
            "samples-between": [self._samples(low[row, place]), self._samples(high[row, place])],
            "p": dict(zip(sizes, map(float, study.p[row, place]), strict=True)),
            "p-error": dict(zip(sizes, map(float, study.error[row, place]), strict=True)),
        }

    def notes(self) -> list[str]:
        """How the study was made, what it cannot say, and the remarks."""
        return [*self.remarks, *notes_of(self.study)]

    def tables(self) -> list[Table]:
        """Samples that metrics need (table 2), then every p with its error, then the scores of data sets."""
        tables = [self._table_2(), self._p_values(), self._scores()]
        last = tables[-1]
        return [*tables[:-1], replace(last, notes=(*last.notes, *self.notes(), self.signature))]

    def pictures(self) -> list[str]:
        """None."""
        return []

    def columns(self) -> list[Table]:
        """One row a metric, pair and size, for scripts."""
        study, options = self.study, self.study.options
        adjusted = study.adjusted()
        header = ("metric", "errors 1", "errors 2", "samples", "p", "p error", "adjusted p", "seen")
        rows: list[tuple[Cell, ...]] = [
            (
                metric.name, *(float(options.errors[end]) for end in pair), size, float(study.p[row, place, column]),
                float(study.error[row, place, column]), float(adjusted[row, place, column]),
                int(adjusted[row, place, column] <= options.alpha),
            )
            for row, metric in enumerate(study.metrics)
            for place, pair in enumerate(options.pairs)
            for column, size in enumerate(options.sizes)
        ]  # fmt: skip
        return [Table(self.heading, header, tuple(rows))]

    def _samples(self, place: int) -> int | None:
        """The size in a place; None beyond the last."""
        sizes = self.study.options.sizes
        return sizes[place] if place < len(sizes) else None

    def _by_difference(self, by_errors: float) -> list[tuple[Decimal, np.ndarray]]:
        """Differences, ascending, and in which place the size is at which each metric sees all pairs so far apart."""
        options = self.study.options
        needed = self.study.needed(by_errors)
        found: dict[Decimal, list[int]] = {}
        for place, pair in enumerate(options.pairs):
            found.setdefault(options.difference(pair), []).append(place)
        return [(apart, needed[:, places].max(axis=1)) for apart, places in sorted(found.items())]

    def _table_2(self) -> Table:
        """Metrics that need the fewest samples first; of equals those of which p falls faster."""
        study = self.study
        exact = self._by_difference(0.0)
        low, high = (self._by_difference(by_errors) for by_errors in (-CERTAIN, CERTAIN))
        order = np.lexsort((study.p.mean(axis=(1, 2)), np.sum([places for _, places in exact], axis=0)))
        rows = tuple(
            (
                study.metrics[row].name,
                *(self._between(one[row], few[row], many[row])
                  for (_, one), (_, few), (_, many) in zip(exact, low, high, strict=True)),
            )
            for row in order.tolist()
        )  # fmt: skip
        title = tr("Samples needed to see a difference in errors, by points of a per cent")
        notes = (
            tr("The fewest of the sizes at which p, averaged and corrected, is no more than alpha for all pairs so far "
               "apart; in brackets: between which sizes that lies by two errors of p."),
        )  # fmt: skip
        return Table(title, (tr("metric"), *(said(apart) for apart, _ in exact)), rows, notes=notes)

    def _between(self, place: int, low: int, high: int) -> str:
        if low == high:
            return self._amount(place)
        return f"{self._amount(place)} [{self._amount(low)}, {self._amount(high)}]"

    def _amount(self, place: int) -> str:
        found = self._samples(place)
        return f">{self.study.options.sizes[-1]}" if found is None else str(found)

    def _p_values(self) -> Table:
        study, options = self.study, self.study.options
        rows: list[tuple[Cell, ...]] = [
            (
                self._compared(metric, pair),
                *(
                    _with_error(float(p), float(error))
                    for p, error in zip(study.p[row, place], study.error[row, place], strict=True)
                ),
            )
            for row, metric in enumerate(study.metrics)
            for place, pair in enumerate(options.pairs)
        ]
        rules = tuple(range(len(options.pairs), len(rows), len(options.pairs)))
        title = tr("p by the number of samples, averaged, before correction, and its standard error")
        return Table(title, (tr("difference"), *map(str, options.sizes)), tuple(rows), rules=rules)

    def _compared(self, metric: Metric, pair: tuple[int, int]) -> str:
        one, other = (said(self.study.options.errors[place]) for place in pair)
        return tr("{metric}, {one} and {other} %", metric=metric.name, one=one, other=other)

    def _scores(self) -> Table:
        study, options = self.study, self.study.options
        rows: list[tuple[Cell, ...]] = [
            (
                metric.name,
                *(
                    f"{mean:.4f} ± {deviation:.4f}"
                    for mean, deviation in zip(study.means[row], study.deviations[row], strict=True)
                ),
            )
            for row, metric in enumerate(study.metrics)
        ]
        title = tr("Scores of data sets by their share of errors in %: mean and standard deviation")
        return Table(title, (tr("metric"), *map(said, options.errors)), tuple(rows))


def _with_error(p: float, error: float) -> str:
    """p and its error in one cell, p alone where both are next to nothing."""
    if p + error < LEAST:
        return f"<{LEAST:.4f}"
    return f"{p_text(p, 4)} ± {p_text(error, 4)}"
