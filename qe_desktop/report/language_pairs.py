"""Reports of several language pairs as one; each names its pair in its tables and charts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

from qe_desktop.i18n.messages import join_localized
from qe_desktop.report.render.output_formats import Report
from qe_desktop.report.render.tables import Table


class PairReport(Report, Protocol):
    """Report of one language pair."""

    def of_pair(self, pair: str) -> Self:
        """Return a copy whose tables and charts name the language pair."""


@dataclass(frozen=True, slots=True, eq=False)
class PairsReport:
    """Reports of one kind, by language pair."""

    reports: Mapping[str, PairReport]

    @property
    def heading(self) -> str:
        """Common page title of the reports."""
        return next(iter(self.reports.values())).heading

    def json(self) -> dict[str, Any]:
        """Return the JSON of the command-line contract: {"pairs": {PAIR: report of the pair}} and the notes of all."""
        return {"pairs": {pair: report.json() for pair, report in self.reports.items()}, "notes": self.notes()}

    def notes(self) -> list[str]:
        """Return all notes, each prefixed with its pair."""
        return [join_localized(": ", (pair, note)) for pair, report in self.reports.items() for note in report.notes()]

    def tables(self) -> list[Table]:
        """Return all tables, grouped by pair."""
        return [table for pair, report in self.reports.items() for table in report.of_pair(pair).tables()]

    def columns(self) -> list[Table]:
        """Return the tables of all pairs joined, with the pair in the first column."""
        columns = {pair: report.columns() for pair, report in self.reports.items()}
        first = next(iter(columns.values()))
        return [
            replace(
                table,
                header=("pair", *table.header),
                rows=tuple((pair, *row) for pair, tables in columns.items() for row in tables[place].rows),
            )
            for place, table in enumerate(first)
        ]

    def pictures(self) -> list[str]:
        """Return all charts, grouped by pair."""
        return [picture for pair, report in self.reports.items() for picture in report.of_pair(pair).pictures()]
