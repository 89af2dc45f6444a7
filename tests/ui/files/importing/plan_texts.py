"""Texts of the import dialog, for its tests."""

from __future__ import annotations

from qe_desktop.ui.files.importing.import_dialog import ImportDialog
from qe_desktop.ui.files.importing.plan_model import PlanColumn, PlanModel


def meaning_text(model: PlanModel, name: str) -> str:
    """Return what a file is read as."""
    return str(model.index(row_of(model, name), PlanColumn.MEANING).data())


def row_of(model: PlanModel, name: str) -> int:
    """Return the row of a file."""
    return next(number for number, file in enumerate(model.plan.files) if file.path.name == name)


def summary(dialog: ImportDialog) -> str:
    """Return the text above the table."""
    return dialog._summary.text()
