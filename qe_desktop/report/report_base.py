"""Base classes of reports: JSON, tables with notes, and other parts that most reports share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from qe_desktop.i18n.messages import join_localized
from qe_desktop.report.render.tables import Table, title_after_pair, to_json

if TYPE_CHECKING:
    from typing import Self


class ReportBase(ABC):
    """Base class of reports. A subclass is a frozen dataclass with a `heading` and a `signature`.

    `json` and `tables` add notes and the signature to `content` and `display_tables`. `columns` returns the tables for
    scripts.
    """

    __slots__ = ()
    notes_below: ClassVar[int] = -1
    """Index of the table below which the notes and the signature are shown."""

    if TYPE_CHECKING:
        # not at run time, where a field without default would take the property as its default

        @property
        def heading(self) -> str:
            """Title of the HTML page."""

        @property
        def signature(self) -> str:
            """One-line signature with the settings needed to reproduce the numbers."""

    @property
    def remarks(self) -> Sequence[str]:
        """Notes about files or commands, which `notes` includes; in LaTeX output, they are comments."""
        return ()

    @property
    def subject(self) -> str:
        """Text shown before the title of the first table; empty by default."""
        return ""

    @abstractmethod
    def content(self) -> dict[str, Any]:
        """Return the JSON object without signature and notes; `json` replaces NaN with null."""

    @abstractmethod
    def notes(self) -> list[str]:
        """Return warnings, and notes on definitions, the data and undefined values."""

    def display_tables(self) -> list[Table]:
        """Return the tables for display, without the report's notes; not needed if a subclass overrides `tables`."""
        raise NotImplementedError

    @abstractmethod
    def columns(self) -> list[Table]:
        """Return the tables for scripts, with one number per cell."""

    def json(self) -> dict[str, Any]:
        """Return the JSON object that the command line writes. Undefined values are null; notes explain them."""
        return {**to_json(self.content()), "signature": self.signature, "notes": self.notes()}

    def tables(self) -> list[Table]:
        """Return the tables for display, with notes and signature below the table at index `notes_below`."""
        tables = self.display_tables()
        tables[0] = tables[0].with_subject(self.subject)
        table = tables[self.notes_below].with_notes(*self.notes(), self.signature)
        tables[self.notes_below] = replace(table, comments=frozenset(self.remarks))
        return tables

    def pictures(self) -> list[str]:
        """Return the charts as SVG; by default, there are none."""
        return []


class PairedReport(ReportBase):
    """Report that can be one of several reports, each on one language pair.

    Subclasses have the attributes `pair` and `size`, which describe the data of the report.
    """

    __slots__ = ()
    if TYPE_CHECKING:

        @property
        def pair(self) -> str:
            """Language pair if the report is one of several; empty otherwise."""

        @property
        def size(self) -> str:
            """Numbers of segments and items, as text for display."""

    @property
    def subject(self) -> str:
        """Text shown before the title of the first table: language pair, if any, and size."""
        return title_after_pair(self.pair, self.size)

    def with_pair(self, pair: str) -> Self:
        """Return a copy of the report whose tables and charts name the language pair."""
        return replace(self, pair=pair)  # type: ignore[type-var]


@dataclass(frozen=True, slots=True, eq=False)
class PairsReport:
    """Reports of the same kind, keyed by language pair."""

    reports: Mapping[str, PairedReport]

    @property
    def heading(self) -> str:
        """Title of the HTML page; all the reports have the same title."""
        return next(iter(self.reports.values())).heading

    def json(self) -> dict[str, Any]:
        """Return the JSON object that the command line writes: reports by pair in "pairs", all notes in "notes"."""
        return {"pairs": {pair: report.json() for pair, report in self.reports.items()}, "notes": self.notes()}

    def notes(self) -> list[str]:
        """Return the notes of all reports, each prefixed with the language pair of its report."""
        return [join_localized(": ", (pair, note)) for pair, report in self.reports.items() for note in report.notes()]

    def tables(self) -> list[Table]:
        """Return the tables of all reports for display, grouped by language pair."""
        return [table for pair, report in self.reports.items() for table in report.with_pair(pair).tables()]

    def columns(self) -> list[Table]:
        """Return the tables for scripts, each with the rows of all pairs; the first column is the language pair."""
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
        """Return the charts of all reports, grouped by language pair."""
        return [picture for pair, report in self.reports.items() for picture in report.with_pair(pair).pictures()]
