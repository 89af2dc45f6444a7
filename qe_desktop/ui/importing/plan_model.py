"""The files of a plan as a table: what each was recognised as, and what it is to be, which a person may change."""

from __future__ import annotations

import enum
from collections.abc import Collection
from itertools import product
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from qe_desktop.corpus import Kind, TextRole
from qe_desktop.formats import Doubt, Lines, Numbers, Plan, PlannedFile, Role
from qe_desktop.outgoing import label
from qe_desktop.ui.theme import current
from qe_desktop.wording import tr

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()

Use = tuple[Role, Kind | None]
USES: tuple[tuple[str, Use], ...] = (
    (tr("source"), (Role.SOURCE, None)),
    (tr("MT"), (Role.MT, None)),
    (tr("source, as written"), (Role.RAW_SOURCE, None)),
    (tr("MT, as written"), (Role.RAW_MT, None)),
    (tr("reference"), (Role.REFERENCE, None)),
    (tr("post-edit"), (Role.POST_EDIT, None)),
    (tr("gold"), (Role.GOLD, None)),
    (tr("gold: words"), (Role.GOLD, Kind.WORDS)),
    (tr("gold: gaps"), (Role.GOLD, Kind.GAPS)),
    (tr("gold: source words"), (Role.GOLD, Kind.SOURCE)),
    (tr("system"), (Role.SYSTEM, None)),
    (tr("system: words"), (Role.SYSTEM, Kind.WORDS)),
    (tr("system: gaps"), (Role.SYSTEM, Kind.GAPS)),
    (tr("system: source words"), (Role.SYSTEM, Kind.SOURCE)),
    (tr("translation of a system"), (Role.TRANSLATION, None)),
    (tr("people's ratings"), (Role.RATINGS, None)),
    (tr("word alignments"), (Role.ALIGNMENTS, None)),
    (tr("documents"), (Role.DOCUMENTS, None)),
    (tr("subword pieces"), (Role.PIECES, None)),
    (tr("not used"), (Role.IGNORED, None)),
)


NAMED = (Role.SYSTEM, Role.TRANSLATION)
"""The roles of files that belong to a system."""


class PlanColumn(enum.IntEnum):
    """The columns of the table."""

    FILE = 0
    CONTENT = 1
    USE = 2
    MEANING = 3
    NAME = 4
    REMARKS = 5


TITLES = (tr("file"), tr("recognised as"), tr("used as"), tr("read as"), tr("system"), tr("remarks"))
UNSAID = tr("choose…")
"""What stands where a person must say how a file is meant."""
_TOLD = tr("as the tokens tell")

Said = tuple[Lines | Numbers, ...]


class PlanModel(QAbstractTableModel):
    """One row a file; `used as`, `read as` and the system's name can be edited."""

    edited = Signal()

    def __init__(self, plan: Plan, texts: Collection[TextRole] = ()) -> None:
        super().__init__()
        self.plan = plan
        self.texts = texts
        """The texts of an open corpus that the files may be added to."""

    def show_plan(self, plan: Plan) -> None:
        """Show another plan."""
        self.beginResetModel()
        self.plan = plan
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """How many files there are."""
        return 0 if parent.isValid() else len(self.plan.files)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """How many columns there are."""
        return 0 if parent.isValid() else len(PlanColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Titles."""
        horizontal = orientation == Qt.Orientation.Horizontal and 0 <= section < len(TITLES)
        return TITLES[section] if horizontal and role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Which cells can be edited."""
        flags = super().flags(index)
        if not index.isValid():
            return flags
        file = self.plan.files[index.row()]
        named = index.column() == PlanColumn.NAME and file.role in NAMED
        asked = index.column() == PlanColumn.MEANING and bool(meanings(file))
        if file.problem is None and (index.column() == PlanColumn.USE or named or asked):
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell says."""
        if not index.isValid():
            return None
        file = self.plan.files[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            said = self._text(file, PlanColumn(index.column()))
            # what is edited is the name itself
            return said if role == Qt.ItemDataRole.EditRole else label(said)
        if role == Qt.ItemDataRole.ForegroundRole:
            if file.problem is not None:
                return current().error
            if index.column() == PlanColumn.MEANING and file in self.unanswered():
                return current().warning
            return current().muted if file.role is Role.IGNORED else None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            said = self._text(file, PlanColumn(index.column()))
            return f"{TITLES[index.column()]}: {label(said)}"
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Use a file otherwise, or call its system otherwise."""
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        file = self.plan.files[index.row()]
        if index.column() == PlanColumn.USE and value in dict(USES):
            use, kind = dict(USES)[value]
            self.plan = self.plan.with_role(file.path, use, kind)
        elif index.column() == PlanColumn.MEANING and value in meanings(file):
            for said in meanings(file)[value]:
                self.plan = self.plan.answered(said, file.path)
        elif index.column() == PlanColumn.NAME and str(value).strip():
            self.plan = self.plan.with_role(file.path, file.role, file.kind, str(value).strip())
        else:
            return False
        self.dataChanged.emit(self.index(index.row(), 0), self.index(index.row(), len(PlanColumn) - 1))
        self.edited.emit()
        return True

    def unanswered(self) -> list[PlannedFile]:
        """The files of which a person must say how they are meant."""
        return self.plan.unanswered(self.texts)

    def _text(self, file: PlannedFile, column: PlanColumn) -> str:
        if column is PlanColumn.FILE:
            path, folder = str(file.path), self.plan.folder
            inside = folder and path.startswith(folder.rstrip("/") + "/")
            return path[len(folder.rstrip("/")) + 1 :] if inside else file.path.name
        if column is PlanColumn.CONTENT:
            return file.description
        if column is PlanColumn.USE:
            return use_text(file)
        if column is PlanColumn.MEANING:
            return UNSAID if file in self.unanswered() else _held(file)
        if column is PlanColumn.NAME:
            return file.name if file.role in NAMED else ""
        return file.problem.line() if file.problem is not None else "; ".join(file.notes)


def meanings(file: PlannedFile) -> dict[str, Said]:
    """What can be said of a file's lines and numbers, in words; nothing where nothing is open."""
    asked = [doubt for doubt in file.doubts if file.may_be(doubt.question)]
    if not asked:
        return {}
    said = product(*([(_words(doubt, answer), answer) for answer in doubt.question] for doubt in asked))
    return {", ".join(words for words, _ in one): tuple(answer for _, answer in one) for one in said}


def _held(file: PlannedFile) -> str:
    """What holds of a file's lines and numbers, in the words of `meanings`."""
    words = []
    for doubt in file.doubts:
        if file.may_be(doubt.question):
            held = file.held(doubt.question)
            words.append(_TOLD if held is None else _words(doubt, held))
    return ", ".join(words)


def _words(doubt: Doubt, answer: Lines | Numbers) -> str:
    if isinstance(answer, Numbers) and doubt.held is None:
        return tr("1 means {tag}", tag=answer.name)
    return f"log {answer.shown}" if doubt.held is Numbers.OK else answer.shown


def use_text(file: PlannedFile) -> str:
    """What a file is used as, in the words of `USES`."""
    uses = {use: text for text, use in USES}
    return uses.get((file.role, file.kind)) or uses.get((file.role, None), file.role.shown)
