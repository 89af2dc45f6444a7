"""Import report: added ratings, ratings that were already present, and conflicting values."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import ItemRole, QeError
from qe_desktop.i18n.messages import join_localized, sentence_case, tr
from qe_desktop.ratings.rating_file_merge import RatingConflict, scale_text
from qe_desktop.ui.campaigns.campaign_dialogs import CampaignDialog
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.dialogs import FileDialog
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched
from qe_desktop.ui.widgets.tables.table_model import (
    TableCell,
    TableColumn,
    count_cell,
    number_column,
    table_row,
    text_column,
)
from qe_desktop.ui.widgets.tables.table_view import AutoWidthTable

if TYPE_CHECKING:
    from qe_desktop.project.store.rating_imports import EventConflict, ImportResult

FILE_COLUMNS = (
    text_column(tr("File"), "", lambda result: TableCell(Path(result.file).name, result.file), "file", is_wide=True),
    number_column(
        tr("Added", "ratings or events"), tr("New ratings or events"), lambda result: f"{result.added:,}", "added"
    ),
    number_column(
        tr("Present", "ratings or events"),
        tr("Already in the project; counted once"),
        lambda result: count_cell(result.known),
        "present",
    ),
    number_column(
        tr("Left out", "ratings or events"),
        tr("Invalid events, such as ratings of items that belong to another rater"),
        lambda result: count_cell(result.invalid_count, "warning"),
        "left out",
    ),
    number_column(tr("Conflicts"), "", lambda result: count_cell(len(result.conflicts), "warning"), "conflicts"),
)
CONFLICT_COLUMNS = (
    TableColumn(tr("Rater"), exported_headers=("rater",)),
    TableColumn(tr("Item"), is_wide=True, exported_headers=("item",)),
    TableColumn(tr("Field", "column title"), tr("The scale, or the kind of event"), exported_headers=("field",)),
    TableColumn(tr("First", "rating"), exported_headers=("first",)),
    TableColumn(tr("Second", "rating"), exported_headers=("second",)),
    TableColumn(tr("Second file", "rating"), is_wide=True, exported_headers=("second file",)),
)
ROLE_TEXTS = {
    ItemRole.REPEAT: tr("repeat", "an item's role"),
    ItemRole.BAD: tr("degraded", "an item's role"),
    ItemRole.REFERENCE: tr("reference"),
    ItemRole.TRAINING: tr("training"),
}
MAX_CONFLICTS_SHOWN = 5_000
"""Maximum number of conflicts that the table shows."""
PATTERNS = "*.csv *.tsv *.txt *.jsonl *.xml *.gz *.qedesk"
FILTER = ";;".join((tr("Ratings ({patterns})", patterns=PATTERNS), tr("All files (*)")))


def ask_rating_files(parent: QWidget, folder: str) -> list[str]:
    """Ask for rating files and return their paths; empty if the user cancels."""
    paths, _ = FileDialog.getOpenFileNames(parent, tr("Import ratings"), folder or str(Path.home()), FILTER)
    return paths


class ImportReportDialog(CampaignDialog):
    """Report of an import, with the conflicting values, and a button that undoes the import."""

    undo_requested = Signal(list)
    """Emitted with the uids of the imports to undo."""

    def __init__(
        self,
        results: Sequence[ImportResult],
        failed: Sequence[QeError],
        settings: Settings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(tr("Import"), parent)
        clashes = [conflict for result in results for conflict in result.conflicts]
        self.files = AutoWidthTable(settings, tr("Files"), FILE_COLUMNS)
        self.files.show_rows([*(table_row(FILE_COLUMNS, result) for result in results), *map(_failed_cells, failed)])
        self.conflicts = AutoWidthTable(settings, tr("Conflicts"), CONFLICT_COLUMNS)
        self.conflicts.show_rows([*map(_conflict_cells, clashes[:MAX_CONFLICTS_SHOWN])])
        explanation = tr(
            "All of these values are stored. If rating files conflict, the value imported first counts; if copies or "
            "journals of the project conflict, the value entered last counts."
        )
        if len(clashes) > MAX_CONFLICTS_SHOWN:
            explanation += " " + tr(
                "Only the first {n:,} {n:conflict is|conflicts are} listed.", "", MAX_CONFLICTS_SHOWN
            )
        explanation_label = Label(explanation, token="muted", wraps=True)
        for widget in (self.conflicts, explanation_label):
            widget.setVisible(bool(clashes))
        notes = notes_by_file(results, failed)
        self.notes = Label("\n".join(f"• {note}" for note in notes), wraps=True, selectable=True)
        self.notes.setTextFormat(Qt.TextFormat.PlainText)
        self.notes.setVisible(bool(notes))
        self._uids = [result.uid for result in results if result.uid]
        self.undo_button = FlatButton(tr("&Undo import"))
        self.undo_button.setToolTip(
            plain_tooltip(
                tr(
                    "The ratings will no longer count. They stay in the project, and the log records who undid the "
                    "import."
                )
            )
        )
        self.undo_button.setVisible(bool(self._uids))
        self.undo_button.clicked.connect(self._undo_import)
        self.copy = FlatButton(tr("Copy conflicts as TSV"))
        self.copy.setVisible(bool(clashes))
        self.copy.clicked.connect(self.conflicts.copy_tsv)
        close = self.lay_out(
            import_summary(results, failed),
            Stretched(self.files, 1 if not clashes else 0),
            self.notes,
            explanation_label,
            Stretched(self.conflicts, 1),
            accept=tr("Close"),
            left=(self.undo_button, self.copy),
        )
        if clashes:
            self.files.setFixedHeight(min(self.files.natural_height(), self.fontMetrics().height() * 9) + 4)
        self.resize_to_text(130, 30 if clashes else 16)
        close.setFocus()

    def _undo_import(self) -> None:
        self.undo_requested.emit(self._uids)
        self.accept()


def import_summary(results: Sequence[ImportResult], failed: Sequence[QeError]) -> str:
    """Return a one-sentence summary of an import."""
    added = sum(result.added for result in results)
    clashes = sum(len(result.conflicts) for result in results)
    item_counts = [result.items for result in results if result.added]
    nothing = tr("No ratings added") if any(result.uid for result in results) else tr("Nothing new was added")
    if added and all(item_counts):
        parts = [tr("{n:,} {n:item|items} added or updated", "", sum(item_counts))]
    else:
        parts = [tr("{n:,} {n:rating or event|ratings or events} added", "", added) if added else nothing]
    present = sum(result.known for result in results)
    if present:
        parts.append(tr("{n:,} already present", "", present))
    if clashes:
        parts.append(tr("{n:,} {n:conflict|conflicts}", "", clashes))
    if failed:
        parts.append(tr("{n:,} {n:file|files} not imported", "", len(failed)))
    return ", ".join(parts) + "."


def notes_by_file(results: Sequence[ImportResult], failed: Sequence[QeError] = ()) -> list[str]:
    """Return the notes of an import, and the reasons why files were not imported, as list items.

    If there are several files, each item consists of a file name and all notes on that file.
    """
    of_file: dict[str, dict[str, None]] = {}
    for result in results:
        of_file.setdefault(result.file, {}).update(dict.fromkeys(result.notes))
    for error in failed:
        reason = f"{sentence_case(error.message)}. {error.hint}".strip()
        of_file.setdefault(str(error.place or ""), {})[reason] = None
    if len(of_file) == 1:
        return [note for notes in of_file.values() for note in notes]
    return [
        join_localized(": ", (Path(file).name, join_localized("; ", list(notes))))
        for file, notes in of_file.items()
        if notes
    ]


def _failed_cells(error: QeError) -> tuple[TableCell, ...]:
    path = str(error.place or "")
    return (TableCell(Path(path).name, path, "error"), *(TableCell("–", token="muted") for _ in range(4)))


def _conflict_cells(conflict: RatingConflict | EventConflict) -> tuple[TableCell, ...]:
    if isinstance(conflict, RatingConflict):
        (_, value), *other_values = conflict.values
        item, field, first = _item(conflict), scale_text(conflict.scale), f"{value:g}"
        second, files = ", ".join(f"{number:g}" for _, number in other_values), [file for file, _ in other_values]
    else:
        item, field, first = conflict.item, conflict.title, conflict.value_text(conflict.project_value)
        second, files = conflict.value_text(conflict.file_value), [conflict.file]
    return (
        TableCell(conflict.rater),
        TableCell(item, str(conflict)),
        TableCell(field),
        TableCell(first),
        TableCell(second),
        TableCell(", ".join(Path(file).name for file in files), ", ".join(files)),
    )


def _item(conflict: RatingConflict) -> str:
    segment, system = conflict.segment, conflict.system
    if conflict.role is ItemRole.SYSTEM:
        return tr("segment {segment}, {system}", segment=segment, system=system)
    return tr("segment {segment}, {system} ({role})", segment=segment, system=system, role=ROLE_TEXTS[conflict.role])
