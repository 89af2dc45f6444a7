"""Export of a results table to the clipboard or to a file, in every file format of the package `report`.

Widgets that show a table call `add_report_menus` for their menus, so that all these menus have the same actions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from PySide6.QtWidgets import QMenu, QWidget

from qe_desktop.escaping import safe_file_name
from qe_desktop.formats.atomic_write import write_text
from qe_desktop.i18n.messages import tr
from qe_desktop.report import Table
from qe_desktop.report.render.output_formats import FILE_FORMATS, OutputFormat, Report
from qe_desktop.ui.widgets.background_export import copy_text
from qe_desktop.ui.widgets.dialogs import append_suffix
from qe_desktop.ui.widgets.image_export import ExportContext, ask_and_write

OUTDATED_NOTE = tr("The data or the options have changed since the computation; these results are outdated.")


@dataclass(frozen=True, slots=True, eq=False)
class _DerivedReport:
    """Report with the contents of `report`; subclasses override some of the contents."""

    report: Report

    @property
    def heading(self) -> str:
        """Heading of the report."""
        return self.report.heading

    def json(self) -> dict[str, Any]:
        """Return all results as the JSON object that the command line writes."""
        return self.report.json()

    def notes(self) -> list[str]:
        """Return the notes of the report."""
        return self.report.notes()

    def pictures(self) -> list[str]:
        """Return the SVG charts of the report."""
        return list(self.report.pictures())


@dataclass(frozen=True, slots=True, eq=False)
class OnScreenReport(_DerivedReport):
    """Report whose only table for scripts is `full_table`, the table on screen in full precision.

    The tables for display are the tables of `report` or, if `display_table` is set, only that table. They have
    `decimals` decimal places.
    """

    full_table: Table
    decimals: int
    display_table: Table | None = None

    def tables(self) -> list[Table]:
        """Return the tables for display, rounded to `decimals` decimal places."""
        tables = self.report.tables() if self.display_table is None else [self.display_table]
        return [replace(table, decimals=self.decimals) for table in tables]

    def columns(self) -> list[Table]:
        """Return the table for scripts: the table on screen in full precision."""
        return [self.full_table]


@dataclass(frozen=True, slots=True, eq=False)
class OutdatedReport(_DerivedReport):
    """Report whose data or options have changed since it was created; every output format states this.

    JSON and each table for display have a note; each table for scripts ends with a column `outdated`.
    """

    def json(self) -> dict[str, Any]:
        """Return all results as a JSON object; the first note states that the report is outdated."""
        return {**self.report.json(), "notes": self.notes()}

    def notes(self) -> list[str]:
        """Return a note that the report is outdated, followed by the notes of the report."""
        return [OUTDATED_NOTE, *self.report.notes()]

    def tables(self) -> list[Table]:
        """Return the tables for display; the first note of each table states that the report is outdated."""
        return [replace(table, notes=(OUTDATED_NOTE, *table.notes)) for table in self.report.tables()]

    def columns(self) -> list[Table]:
        """Return the tables for scripts, with each row marked as outdated."""
        return [table.with_last("outdated", ["yes"] * len(table.rows)) for table in self.report.columns()]


@dataclass(frozen=True, slots=True)
class ReportSource:
    """Source of an export: its name, and a function that returns the current report, or None if there is no report.

    Proposed file names consist of the name of the data, `ending`, and the suffix of the format.
    """

    name: str
    report: Callable[[], Report | None]
    ending: str = "results"


def add_report_menus(
    menu: QMenu, copying: str, saving: str, source: ReportSource, context: ExportContext, parent: QWidget
) -> None:
    """Add two submenus to `menu`, with the titles `copying` and `saving`; each lists all file formats."""
    copies, files = menu.addMenu(copying), menu.addMenu(saving)
    for form in FILE_FORMATS:
        copies.addAction(form.description, partial(copy_report, source, form, context))
        files.addAction(
            tr("{form}…", form=form.description), partial(ask_and_save_report, source, form, context, parent)
        )


def copy_report(source: ReportSource, output_format: OutputFormat, context: ExportContext) -> None:
    """Copy the report, if there is one, to the clipboard in an output format, and state that it was copied."""
    report = source.report()
    if report is not None:
        copied = tr("Copied as {form}", form=output_format.title)
        context.attempt(lambda: copy_text(output_format.text(report)), copied)


def ask_and_save_report(
    source: ReportSource, output_format: OutputFormat, context: ExportContext, parent: QWidget
) -> None:
    """If there is a report, ask for a file and write the report to it in an output format."""
    report = source.report()
    if report is None:
        return
    data = "" if context.corpus is None else context.corpus.name
    proposed = f"{safe_file_name(data, source.ending)}.{source.ending}.{output_format.suffix}"
    title = tr("Save: {what}", what=source.name)
    filters, complete = f"{output_format.title} (*.{output_format.suffix})", append_suffix(output_format.suffix)
    ask_and_write(
        context,
        parent,
        title,
        proposed,
        filters,
        complete,
        output_format.title,
        lambda path: write_text(path, output_format.text(report)),
    )
