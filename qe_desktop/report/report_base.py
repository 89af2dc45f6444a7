"""Base of the reports: JSON, tables with notes, and the parts that most reports share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from qe_desktop.i18n.messages import join_localized
from qe_desktop.report.render.columns import to_json
from qe_desktop.report.render.tables import Table, title_after_pair

if TYPE_CHECKING:
    from typing import Self


class ReportBase(ABC):
    """Base class of reports on one subject; a report is a frozen dataclass with a `heading` and a `signature`.

    `content` becomes the JSON and `display_tables` the tables, both with notes and signature; `columns` are the tables
    for scripts.
    """

    __slots__ = ()
    notes_below: ClassVar[int] = -1
    """Index of the table that has the notes."""

    if TYPE_CHECKING:
        # not at run time, where a field without default would take the property as its default

        @property
        def heading(self) -> str:
            """Page title."""

        @property
        def signature(self) -> str:
            """One-line signature needed to reproduce the numbers."""

    @property
    def subject(self) -> str:
        """Text before the title of the first table."""
        return ""

    @abstractmethod
    def content(self) -> dict[str, Any]:
        """JSON without signature and notes; NaN becomes null."""

    @abstractmethod
    def notes(self) -> list[str]:
        """Notes on definitions, the data, undefined values and warnings."""

    def display_tables(self) -> list[Table]:
        """Tables for display, without the report's notes; not needed if `tables` is overridden."""
        raise NotImplementedError

    @abstractmethod
    def columns(self) -> list[Table]:
        """Tables for scripts, one number per column."""

    def json(self) -> dict[str, Any]:
        """Return the JSON of the command-line contract; undefined values are null, explained in the notes."""
        return {**to_json(self.content()), "signature": self.signature, "notes": self.notes()}

    def tables(self) -> list[Table]:
        """Return the tables for display, with notes and signature below one of them."""
        tables = self.display_tables()
        tables[0] = tables[0].with_subject(self.subject)
        tables[self.notes_below] = tables[self.notes_below].with_notes(*self.notes(), self.signature)
        return tables

    def pictures(self) -> list[str]:
        """Return the charts as SVG; none by default."""
        return []


class PairedReport(ReportBase):
    """Report that may cover one of several language pairs; `pair` and `size` of the dataclass describe its data."""

    __slots__ = ()
    if TYPE_CHECKING:

        @property
        def pair(self) -> str:
            """Language pair, in a report of several pairs."""

        @property
        def size(self) -> str:
            """Number of segments and items, as displayed."""

    @property
    def subject(self) -> str:
        """Language pair and size."""
        return title_after_pair(self.pair, self.size)

    def with_pair(self, pair: str) -> Self:
        """Return a copy whose tables and charts name the language pair."""
        return replace(self, pair=pair)  # type: ignore[type-var]


@dataclass(frozen=True, slots=True, eq=False)
class PairsReport:
    """Reports of one kind, by language pair."""

    reports: Mapping[str, PairedReport]

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
        return [table for pair, report in self.reports.items() for table in report.with_pair(pair).tables()]

    def columns(self) -> list[Table]:
        """Return the tables of all pairs joined, with the pair in the first column."""
        columns = {pair: report.columns() for pair, report in self.reports.items()}
        first = next(iter(columns.values()))
        return [
            replace(
                table,
                header=("pair", *table.header),
                rows=tuple((pair, *row) for pair, tables in columns.items() for row in tables[index].rows),
            )
            for index, table in enumerate(first)
        ]

    def pictures(self) -> list[str]:
        """Return all charts, grouped by pair."""
        return [picture for pair, report in self.reports.items() for picture in report.with_pair(pair).pictures()]
