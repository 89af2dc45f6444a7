"""Ratings and results into files: each form says who gave which rating and when, as far as it can hold that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QDialog, QFileDialog, QFormLayout, QHBoxLayout, QVBoxLayout, QWidget

from qe_desktop.corpus import QeError, Ratings
from qe_desktop.outgoing import file_name, json_text
from qe_desktop.project.campaign_views import CampaignView
from qe_desktop.ratings.blinding import Names, blinded, renamed_key
from qe_desktop.ui.shell.buttons import FlatButton
from qe_desktop.ui.shell.labels import Label

if TYPE_CHECKING:
    from qe_desktop.project.store import Project
    from qe_desktop.ratings.findings import Results

EXPORTED = "ratings exported"
"""What the entry of the audit is called."""


@dataclass(frozen=True, slots=True)
class Export:
    """A form to write: its name, what it is for people, the suffix of its files, what it holds, and what it is of.

    `of` is "ratings", "journal" (the events of one campaign) or "results".
    """

    name: str
    text: str
    suffix: str
    about: str
    of: str = "ratings"


EXPORTS = (
    Export("jsonl", "all ratings, JSON Lines", "jsonl", "Everything, one rating a line, with rater and time."),
    Export("long", "all ratings, one a row (TSV)", "tsv", "One rating a row, with rater and time."),
    Export("wide", "values, one column a rater (TSV)", "tsv", "Values on scales: one row an item, one column a rater."),
    Export("wmt", "rankings, WMT CSV", "csv", "Pairwise judgements as WMT published them, with rater and time."),
    Export("journal", "journal of the campaign, JSON Lines", "jsonl", "Every event, undone ones too.", "journal"),
    Export("totals", "figures of the systems (TSV)", "tsv", "One row a system: all figures with intervals.", "results"),
    Export("report", "all results (JSON)", "json", "Systems, clusters, agreement, raters, notes.", "results"),
)


def exports_of(view: CampaignView, *, scored: bool, ranked: bool) -> list[Export]:
    """The forms that what is looked at can be written in."""
    fits = {"wide": scored, "wmt": ranked, "journal": view.campaign is not None}
    return [export for export in EXPORTS if fits.get(export.name, True)]


def write(
    export: Export,
    path: Path,
    view: CampaignView,
    project: Project | None,
    source: Callable[[], Ratings],
    results: Callable[[], Results | None],
) -> tuple[str, ...]:
    """Write a form, and log it in the project; notes say what it cannot hold. QeError where it cannot be written.

    Systems whose names are still hidden are written as their letters. To be called on another thread.
    """
    names: Names = view.names or {}
    notes: tuple[str, ...] = ()
    if export.of == "journal":
        _write_journal(path, project, view, names)
    elif export.of == "results":
        _write_results(export, path, results())
    else:
        notes = _write_ratings(export, path, blinded(source(), names, view.letters_of) if names else source())
    details = {"campaign": view.uid, "file": str(path), "form": export.name, "blind": bool(view.names)}
    if project is not None and not project.read_only:
        project.log(EXPORTED, details)
    return notes


def _write_ratings(export: Export, path: Path, ratings: Ratings) -> tuple[str, ...]:
    from qe_desktop.formats.ratings import write_ratings

    return write_ratings(ratings, path, export.name)


def _write_journal(path: Path, project: Project | None, view: CampaignView, names: Names) -> None:
    from qe_desktop.formats.ratings import write_journal
    from qe_desktop.ratings.journal_lines import journal_header, journal_lines

    if view.design is None or view.campaign is None or project is None:
        raise QeError("a journal is of one campaign", hint="Choose a campaign first.")
    design = renamed_key(view.design, names)
    header = journal_header(view.campaign) | ({"blind": True} if names else {})
    write_journal(path, journal_lines(design, project.events(view.uid)), header)


def _write_results(export: Export, path: Path, results: Results | None) -> None:
    from qe_desktop.formats.writing import write_text
    from qe_desktop.report.rating_tables import totals_table
    from qe_desktop.report.ratings import ratings_json

    if results is None:
        raise QeError("there are no results yet", hint="Rate some items first.")
    if export.name == "totals":
        write_text(path, totals_table(results).tsv())
    else:
        write_text(path, json_text(ratings_json(results), indent=1) + "\n")


class ExportDialog(QDialog):
    """In which form."""

    def __init__(self, exports: list[Export], view: CampaignView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export")
        self.setModal(True)
        self.form = QComboBox()
        for export in exports:
            self.form.addItem(export.text, export)
        self._about = Label(token="muted")
        self._about.setWordWrap(True)
        blind = Label(
            "The campaign is blind, so systems are written as their letters. Unblind it first to write their names."
        )
        blind.setWordWrap(True)
        blind.setVisible(bool(view.names))
        fields = QFormLayout()
        fields.addRow("&Form", self.form)
        choose = FlatButton("Choose a file…", primary=True)
        choose.setDefault(True)
        cancel = FlatButton("Cancel")
        choose.clicked.connect(self.accept)
        cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(choose)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(12)
        column.addWidget(Label(f"Export “{view.title}”", scale=1.15, bold=True))
        column.addLayout(fields)
        column.addWidget(self._about)
        column.addWidget(blind)
        column.addLayout(buttons)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * 60)
        self.form.currentIndexChanged.connect(self._explain)
        self.form.setFocus()
        self._explain()

    def _explain(self) -> None:
        self._about.setText(self.chosen().about)

    def chosen(self) -> Export:
        """The form chosen."""
        export = self.form.currentData()
        assert isinstance(export, Export)
        return export


def ask_path(parent: QWidget, export: Export, view: CampaignView, folder: str) -> str:
    """Ask for a file; empty where a person changed their mind."""
    proposed = Path(folder or Path.home()) / f"{file_name(view.title, 'ratings')}.{export.suffix}"
    path, _ = QFileDialog.getSaveFileName(parent, f"Export {export.text}", str(proposed))
    return path
