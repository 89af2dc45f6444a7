"""What came of importing files of ratings: what was added, what was known, and where files disagree."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from qe_desktop.corpus import ItemRole, QeError
from qe_desktop.formats.reading import counted
from qe_desktop.ratings.merging import Conflict
from qe_desktop.ui.parts.buttons import FlatButton
from qe_desktop.ui.parts.cells import Cell, Column
from qe_desktop.ui.parts.copying import copy_text
from qe_desktop.ui.parts.labels import Label, tip
from qe_desktop.ui.parts.layouts import Placed, Stretch, column_of, row_of
from qe_desktop.ui.parts.rows_view import RowsView
from qe_desktop.ui.settings import Settings

if TYPE_CHECKING:
    from qe_desktop.project.store.conflicts import EventConflict
    from qe_desktop.project.store.imports import Imported

FILES = (
    Column("file", wide=True),
    Column("added", "Ratings or events that were not here before", right=True),
    Column("known", "What was here already counts once", right=True),
    Column("left out", "Events for items that their rater does not have", right=True),
    Column("conflicts", right=True),
    Column("what is wrong", wide=True),
)
CONFLICTS = (
    Column("rater"),
    Column("item", wide=True),
    Column("of", "The scale, or what else was said"),
    Column("first, which counts"),
    Column("other"),
    Column("file of the other", wide=True),
)
SHOWN = 5_000
"""Conflicts that the table lists."""
FILTER = "Ratings (*.csv *.tsv *.txt *.jsonl *.xml *.gz *.qedesk);;All files (*)"


def ask_paths(parent: QWidget, folder: str) -> list[str]:
    """Ask for files of ratings."""
    paths, _ = QFileDialog.getOpenFileNames(parent, "Import ratings", folder or str(Path.home()), FILTER)
    return paths


class ImportReport(QDialog):
    """Shown after an import. The first of two differing ratings counts; the whole import can be taken back."""

    back_asked = Signal(list)
    """The uids of the imports that are to count no more."""

    def __init__(
        self, found: Sequence[Imported], failed: Sequence[QeError], settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Import")
        self.setModal(True)
        clashes = [conflict for one in found for conflict in one.conflicts]
        self._title = Label(in_words(found, failed), scale=1.15, bold=True, wraps=True)
        self.files = RowsView(settings, "Files", FILES)
        self.files.show_rows([_file_cells(one) for one in found] + [_failed_cells(error) for error in failed])
        self.conflicts = RowsView(settings, "Conflicts", CONFLICTS)
        self.conflicts.show_rows([_conflict_cells(conflict) for conflict in clashes[:SHOWN]])
        more = f" The first {SHOWN:,} are listed." if len(clashes) > SHOWN else ""
        self._about = Label(
            "In these the files differ. What was in the project first counts; the other is kept and not counted."
            + more,
            token="muted",
            wraps=True,
        )
        for widget in (self.conflicts, self._about):
            widget.setVisible(bool(clashes))
        notes = list(dict.fromkeys(f"{Path(one.file).name}: {note}" for one in found for note in one.notes))
        self.notes = Label("\n".join(f"• {note}" for note in notes), wraps=True)
        self.notes.setTextFormat(Qt.TextFormat.PlainText)
        self.notes.setVisible(bool(notes))
        self._uids = [one.uid for one in found if one.uid]
        self.back = FlatButton("&Take the import back")
        self.back.setToolTip(tip("Its ratings count no more; they stay in the project, and the log says who did it"))
        self.back.setVisible(bool(self._uids))
        self.back.clicked.connect(self._take_back)
        close = FlatButton("Close", primary=True)
        close.setDefault(True)
        close.clicked.connect(self.accept)
        self.copy = FlatButton("Copy the conflicts as TSV")
        self.copy.setVisible(bool(clashes))
        self.copy.clicked.connect(self._copy)
        buttons = row_of(self.back, self.copy, Stretch(), close)
        column_of(
            self._title,
            Placed(self.files, 1 if not clashes else 0),
            self.notes,
            self._about,
            Placed(self.conflicts, 1),
            buttons,
            on=self,
            gap=10,
            margins=(20, 16, 20, 16),
        )
        metrics = self.fontMetrics()
        if clashes:
            self.files.setFixedHeight(min(self.files.natural_height(), metrics.height() * 9) + 4)
        self.resize(metrics.averageCharWidth() * 130, metrics.height() * (30 if clashes else 16))
        close.setFocus()

    def _take_back(self) -> None:
        self.back_asked.emit(self._uids)
        self.accept()

    def _copy(self) -> None:
        copy_text(self.conflicts.table.table("Conflicts").tsv())


def in_words(found: Sequence[Imported], failed: Sequence[QeError]) -> str:
    """What came of it, in a sentence or two."""
    added = sum(one.added for one in found)
    clashes = sum(len(one.conflicts) for one in found)
    parts = [f"{counted(added, 'rating')} added" if added else "Nothing new was added"]
    known = sum(one.known for one in found)
    if known:
        parts.append(f"{known:,} known already")
    if clashes:
        parts.append(counted(clashes, "conflict"))
    if failed:
        parts.append(f"{counted(len(failed), 'file')} could not be read")
    return ", ".join(parts) + "."


def _file_cells(one: Imported) -> tuple[Cell, ...]:
    return (
        Cell(Path(one.file).name, one.file),
        Cell(f"{one.added:,}"),
        Cell(f"{one.known:,}", token="" if one.known else "muted"),
        Cell(f"{one.strange:,}", token="warning" if one.strange else "muted"),
        Cell(f"{len(one.conflicts):,}", token="warning" if one.conflicts else "muted"),
        Cell("; ".join(one.notes), "\n".join(one.notes)),
    )


def _failed_cells(error: QeError) -> tuple[Cell, ...]:
    place = str(error.place or "")
    said = f"{error.message}. {error.hint}".strip()
    return (Cell(Path(place).name, place), *(Cell("–", token="muted") for _ in range(4)), Cell(said, said, "error"))


def _conflict_cells(conflict: Conflict | EventConflict) -> tuple[Cell, ...]:
    if isinstance(conflict, Conflict):
        role = "" if conflict.role is ItemRole.SYSTEM else f" ({conflict.role.name.lower()})"
        (_, first), *others = conflict.values
        return (
            Cell(conflict.rater),
            Cell(f"segment {conflict.segment}, {conflict.system}{role}", str(conflict)),
            Cell(conflict.scale),
            Cell(f"{first:g}"),
            Cell(", ".join(f"{value:g}" for _, value in others)),
            Cell(", ".join(Path(file).name for file, _ in others), ", ".join(file for file, _ in others)),
        )
    return (
        Cell(conflict.rater),
        Cell(conflict.item, str(conflict)),
        Cell(conflict.field),
        Cell(_value(conflict.ours)),
        Cell(_value(conflict.theirs)),
        Cell(Path(conflict.file).name, conflict.file),
    )


def _value(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, tuple):
        return " ".join(str(rank) for rank in value)
    return f"{value:g}" if isinstance(value, float | int) else str(value)
