"""What came of importing files of ratings: what was added, what was known, and where files disagree."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QWidget

from qe_desktop.answers.events import COMMENT, RANKS, SKIP
from qe_desktop.corpus import ItemRole, QeError
from qe_desktop.ratings.merging import RANK, Conflict
from qe_desktop.ui.parts.buttons import FlatButton
from qe_desktop.ui.parts.cells import Cell, Column
from qe_desktop.ui.parts.file_dialog import FileDialog
from qe_desktop.ui.parts.labels import Label, tip
from qe_desktop.ui.parts.layouts import Placed, Stretch, column_of, row_of
from qe_desktop.ui.parts.rows_view import RowsView
from qe_desktop.ui.settings import Settings
from qe_desktop.wording import side_by_side, tr

if TYPE_CHECKING:
    from qe_desktop.project.store.conflicts import EventConflict
    from qe_desktop.project.store.imports import Imported

FILES = (
    Column(tr("file"), wide=True),
    Column(tr("added", "ratings or events"), tr("Ratings or events that were not here before"), right=True),
    Column(tr("known", "ratings or events"), tr("What was here already counts once"), right=True),
    Column(tr("left out", "ratings or events"), tr("Events for items that their rater does not have"), right=True),
    Column(tr("conflicts"), right=True),
    Column(tr("what is wrong"), wide=True),
)
CONFLICTS = (
    Column(tr("rater")),
    Column(tr("item"), wide=True),
    Column(tr("of", "heads a column"), tr("The scale, or what else was said")),
    Column(tr("first, which counts")),
    Column(tr("other", "rating")),
    Column(tr("file of the other", "rating"), wide=True),
)
ROLES = {
    ItemRole.REPEAT: tr("repeat", "an item’s role"),
    ItemRole.BAD: tr("bad", "an item’s role"),
    ItemRole.REFERENCE: tr("reference"),
    ItemRole.TRAINING: tr("training"),
}
FIELDS = {RANK: tr("rank"), RANKS: tr("ranks"), SKIP: tr("skip", "what was said"), COMMENT: tr("comment")}
"""What was said, beside values on a scale, which goes by its name."""
SHOWN = 5_000
"""Conflicts that the table lists."""
PATTERNS = "*.csv *.tsv *.txt *.jsonl *.xml *.gz *.qedesk"
FILTER = ";;".join((tr("Ratings ({patterns})", patterns=PATTERNS), tr("All files (*)")))


def ask_paths(parent: QWidget, folder: str) -> list[str]:
    """Ask for files of ratings."""
    paths, _ = FileDialog.getOpenFileNames(parent, tr("Import ratings"), folder or str(Path.home()), FILTER)
    return paths


class ImportReport(QDialog):
    """Shown after an import. The first of two differing ratings counts; the whole import can be taken back."""

    back_asked = Signal(list)
    """The uids of the imports that are to count no more."""

    def __init__(
        self, found: Sequence[Imported], failed: Sequence[QeError], settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Import"))
        self.setModal(True)
        clashes = [conflict for one in found for conflict in one.conflicts]
        self._title = Label(in_words(found, failed), scale=1.15, bold=True, wraps=True)
        self.files = RowsView(settings, tr("Files"), FILES)
        self.files.show_rows([_file_cells(one) for one in found] + [_failed_cells(error) for error in failed])
        self.conflicts = RowsView(settings, tr("Conflicts"), CONFLICTS)
        self.conflicts.show_rows([_conflict_cells(conflict) for conflict in clashes[:SHOWN]])
        about = [
            tr("In these the files differ. What was in the project first counts; the other is kept and not counted.")
        ]
        if len(clashes) > SHOWN:
            about.append(tr("The first {n:,} are listed.", "", SHOWN))
        self._about = Label(" ".join(about), token="muted", wraps=True)
        for widget in (self.conflicts, self._about):
            widget.setVisible(bool(clashes))
        notes = notes_by_file(found)
        self.notes = Label("\n".join(f"• {note}" for note in notes), wraps=True)
        self.notes.setTextFormat(Qt.TextFormat.PlainText)
        self.notes.setVisible(bool(notes))
        self._uids = [one.uid for one in found if one.uid]
        self.back = FlatButton(tr("&Take the import back"))
        self.back.setToolTip(
            tip(tr("Its ratings count no more; they stay in the project, and the log says who did it"))
        )
        self.back.setVisible(bool(self._uids))
        self.back.clicked.connect(self._take_back)
        close = FlatButton(tr("Close"), primary=True)
        close.setDefault(True)
        close.clicked.connect(self.accept)
        self.copy = FlatButton(tr("Copy the conflicts as TSV"))
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
        self.resize(metrics.horizontalAdvance("0") * 130, metrics.height() * (30 if clashes else 16))
        close.setFocus()

    def _take_back(self) -> None:
        self.back_asked.emit(self._uids)
        self.accept()

    def _copy(self) -> None:
        self.conflicts.copy_tsv()


def in_words(found: Sequence[Imported], failed: Sequence[QeError]) -> str:
    """What came of it, in a sentence or two."""
    added = sum(one.added for one in found)
    clashes = sum(len(one.conflicts) for one in found)
    parts = [tr("{n:,} {n:rating|ratings} added", "", added) if added else tr("Nothing new was added")]
    known = sum(one.known for one in found)
    if known:
        parts.append(tr("{n:,} known already", "", known))
    if clashes:
        parts.append(tr("{n:,} {n:conflict|conflicts}", "", clashes))
    if failed:
        parts.append(tr("{n:,} {n:file|files} could not be read", "", len(failed)))
    return ", ".join(parts) + "."


def notes_by_file(found: Sequence[Imported]) -> list[str]:
    """What is to be known of the files: a line for each note, or where there are several files for each of them."""
    of_file: dict[str, dict[str, None]] = {}
    for one in found:
        of_file.setdefault(one.file, {}).update(dict.fromkeys(one.notes))
    if len(of_file) == 1:
        return [note for notes in of_file.values() for note in notes]
    return [
        side_by_side(": ", (Path(file).name, side_by_side("; ", list(notes))))
        for file, notes in of_file.items()
        if notes
    ]


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
        (_, first), *others = conflict.values
        said = conflict.scale, f"{first:g}", ", ".join(f"{value:g}" for _, value in others)
        return _cells(conflict, _item(conflict), *said, [file for file, _ in others])
    said = conflict.field, _value(conflict.ours), _value(conflict.theirs)
    return _cells(conflict, conflict.item, *said, [conflict.file])


def _cells(
    conflict: Conflict | EventConflict, item: str, field: str, first: str, other: str, files: Sequence[str]
) -> tuple[Cell, ...]:
    names = ", ".join(Path(file).name for file in files)
    shown = Cell(FIELDS.get(field, field)), Cell(first), Cell(other), Cell(names, ", ".join(files))
    return Cell(conflict.rater), Cell(item, str(conflict)), *shown


def _item(conflict: Conflict) -> str:
    segment, system = conflict.segment, conflict.system
    if conflict.role is ItemRole.SYSTEM:
        return tr("segment {segment}, {system}", segment=segment, system=system)
    return tr("segment {segment}, {system} ({role})", segment=segment, system=system, role=ROLES[conflict.role])


def _value(value: object) -> str:
    if value is None:
        return tr("nothing")
    if isinstance(value, tuple):
        return " ".join(str(rank) for rank in value)
    return f"{value:g}" if isinstance(value, float | int) else str(value)
