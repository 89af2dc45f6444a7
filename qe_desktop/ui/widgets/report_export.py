"""A table of results in every form that `report` writes: on the clipboard and in files.

What shows a table adds `add_report_menus` to its menu, and all of them offer the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QMenu, QWidget

from qe_desktop.escaping import safe_file_name
from qe_desktop.formats.io.atomic_write import write_text
from qe_desktop.i18n.messages import tr
from qe_desktop.report import Table
from qe_desktop.report.render.output_formats import FILE_FORMATS, OutputFormat, Report
from qe_desktop.ui.widgets.clipboard import copy_text
from qe_desktop.ui.widgets.file_dialog import FileDialog
from qe_desktop.ui.widgets.image_export import ExportContext


@dataclass(frozen=True, slots=True, eq=False)
class OnScreenReport:
    """A report whose columns for scripts are those of the table on screen, and its tables with as many digits."""

    report: Report
    whole: Table
    decimals: int

    @property
    def heading(self) -> str:
        """That of the report."""
        return self.report.heading

    def json(self) -> dict[str, Any]:
        """Everything, as the command line has it."""
        return self.report.json()

    def notes(self) -> list[str]:
        """Those of the report."""
        return self.report.notes()

    def tables(self) -> list[Table]:
        """Those of the report."""
        return [replace(table, decimals=self.decimals) for table in self.report.tables()]

    def columns(self) -> list[Table]:
        """The table on screen, in full."""
        return [self.whole]

    def pictures(self) -> list[str]:
        """Those of the report."""
        return list(self.report.pictures())


@dataclass(frozen=True, slots=True)
class ReportSource:
    """What is written: its name, and what makes the report of the moment; None before there is one."""

    name: str
    report: Callable[[], Report | None]


def add_report_menus(
    menu: QMenu, copying: str, saving: str, of: ReportSource, around: ExportContext, parent: QWidget
) -> None:
    """Add two menus of all forms, which are called as given: one to copy in, one to save in."""
    copies, files = menu.addMenu(copying), menu.addMenu(saving)
    for form in FILE_FORMATS:
        copies.addAction(form.about, partial(copy_report, of, form))
        files.addAction(tr("{form}…", form=form.about), partial(ask_and_save_report, of, form, around, parent))


def copy_report(of: ReportSource, form: OutputFormat) -> None:
    """Put the report on the clipboard."""
    report = of.report()
    if report is not None:
        copy_text(form.text(report))


def ask_and_save_report(of: ReportSource, form: OutputFormat, around: ExportContext, parent: QWidget) -> None:
    """Ask for a file, and write the report into it."""
    report = of.report()
    if report is None:
        return
    proposed = f"{safe_file_name(of.name.lower().replace(' ', '-'), 'results')}.{form.suffix}"
    title = tr("Save: {what}", what=of.name)
    path, _ = FileDialog.getSaveFileName(parent, title, proposed, f"{form.title} (*.{form.suffix})")
    if path:
        around.attempt(lambda: write_text(Path(path), form.text(report)))
