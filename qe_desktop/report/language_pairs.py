"""The reports of several language pairs as one: each as by itself, its tables and pictures named after the pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

from qe_desktop.i18n.messages import join_localized
from qe_desktop.report.render.output_formats import Report
from qe_desktop.report.render.tables import Table


class PairReport(Report, Protocol):
    """A report of one language pair."""

    def of_pair(self, pair: str) -> Self:
        """The same, whose tables and pictures name the pair."""


@dataclass(frozen=True, slots=True, eq=False)
class PairsReport:
    """The reports of the same kind of several language pairs, by the pairs' names."""

    reports: Mapping[str, PairReport]

    @property
    def heading(self) -> str:
        """That of each."""
        return next(iter(self.reports.values())).heading

    def json(self) -> dict[str, Any]:
        """The command line's contract: {"pairs": {PAIR: what one alone gives}}, and the notes of all."""
        return {"pairs": {pair: report.json() for pair, report in self.reports.items()}, "notes": self.notes()}

    def notes(self) -> list[str]:
        """Those of all, each after its pair."""
        return [join_localized(": ", (pair, note)) for pair, report in self.reports.items() for note in report.notes()]

    def tables(self) -> list[Table]:
        """Those of all, one pair after the other."""
        return [table for pair, report in self.reports.items() for table in report.of_pair(pair).tables()]

    def columns(self) -> list[Table]:
        """One table of all, the pair first."""
        found = {pair: report.columns() for pair, report in self.reports.items()}
        first = next(iter(found.values()))
        return [
            replace(
                table,
                header=("pair", *table.header),
                rows=tuple((pair, *row) for pair, tables in found.items() for row in tables[place].rows),
            )
            for place, table in enumerate(first)
        ]

    def pictures(self) -> list[str]:
        """Those of all, one pair after the other."""
        return [picture for pair, report in self.reports.items() for picture in report.of_pair(pair).pictures()]
