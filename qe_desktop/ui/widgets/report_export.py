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

from qe_desktop.formats.writing import write_text
from qe_desktop.outgoing import file_name
from qe_desktop.report import Table
from qe_desktop.report.forms import FILES, Form, Report
from qe_desktop.ui.parts.copying import copy_text
from qe_desktop.ui.parts.file_dialog import FileDialog
from qe_desktop.ui.parts.picture_files import Surroundings
from qe_desktop.wording import tr


@dataclass(frozen=True, slots=True, eq=False)
class OnScreen:
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
class Reported:
    """What is written: its name, and what makes the report of the moment; None before there is one."""

    name: str
    report: Callable[[], Report | None]


def add_report_menus(
    menu: QMenu, copying: str, saving: str, of: Reported, around: Surroundings, parent: QWidget
) -> None:
    """Add two menus of all forms, which are called as given: one to copy in, one to save in."""
    copies, files = menu.addMenu(copying), menu.addMenu(saving)
    for form in FILES:
        copies.addAction(form.about, partial(copy_report, of, form))
        files.addAction(tr("{form}…", form=form.about), partial(ask_and_save, of, form, around, parent))


def copy_report(of: Reported, form: Form) -> None:
    """Put the report on the clipboard."""
    report = of.report()
    if report is not None:
        copy_text(form.text(report))


def ask_and_save(of: Reported, form: Form, around: Surroundings, parent: QWidget) -> None:
    """Ask for a file, and write the report into it."""
    report = of.report()
    if report is None:
        return
    proposed = f"{file_name(of.name.lower().replace(' ', '-'), 'results')}.{form.suffix}"
    title = tr("Save: {what}", what=of.name)
    path, _ = FileDialog.getSaveFileName(parent, title, proposed, f"{form.title} (*.{form.suffix})")
    if path:
        around.attempt(lambda: write_text(Path(path), form.text(report)))
