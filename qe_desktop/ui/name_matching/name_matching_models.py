"""The names of a file and the systems here as two tables, of one draft of who is who."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QObject, Qt, Signal

from qe_desktop.corpus.system_matching import MatchReason, SystemNameDraft
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.theme import current
from qe_desktop.ui.widgets.labels import plain_tooltip
from qe_desktop.ui.widgets.tables.table_model import ROLE, ROOT, Index


class NameChoice(enum.Enum):
    """What a name may be besides a system."""

    STAYS = "stays"
    OUT = "out"


ChosenSystem = str | NameChoice
NAME_COLUMN, SYSTEM_COLUMN, REASON_COLUMN = range(3)
_REASONS = {
    MatchReason.SAME: tr("the same name"),
    MatchReason.WRITTEN: tr("written otherwise"),
    MatchReason.GUESS: tr("a guess: is it right?"),
    MatchReason.SAID: tr("chosen"),
    MatchReason.NONE: tr("no translation"),
    MatchReason.OUT: tr("left out"),
}
_CHOICES = {NameChoice.STAYS: tr("as it is"), NameChoice.OUT: tr("leave out")}


class NamesModel(QAbstractTableModel):
    """One row a name of the file; which system it is can be edited. `edited` tells of a draft that is another one."""

    edited = Signal()

    def __init__(self, draft: SystemNameDraft, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.draft = draft
        self.title = ""

    def show_draft(self, draft: SystemNameDraft, title: str) -> None:
        """Show another file's names; `title` is what its scores are called."""
        self.beginResetModel()
        self.draft, self.title = draft, title
        self.endResetModel()

    def choices(self, row: int) -> dict[ChosenSystem, str]:
        """What a name may stand for: each system, and by which name it is taken now; nothing; or be left out."""
        name = self.draft.given[row]
        holders = {system: other for other, system in self.draft.chosen.items() if system is not None}
        found: dict[ChosenSystem, str] = {system: _choice_text(system, holders.get(system, ""), name) for system in
                                    self.draft.systems}  # fmt: skip
        own = name in self.draft.systems
        return found | {choice: text for choice, text in _CHOICES.items() if choice is NameChoice.OUT or not own}

    def chosen(self, row: int) -> ChosenSystem:
        """What a name stands for."""
        name = self.draft.given[row]
        found = self.draft.chosen.get(name, NameChoice.STAYS)
        return NameChoice.OUT if found is None else found

    def choose(self, row: int, chosen: ChosenSystem) -> None:
        """Let a name stand for something else."""
        name = self.draft.given[row]
        if chosen is NameChoice.STAYS:
            self.draft = self.draft.without(name)
        else:
            self.draft = self.draft.with_(name, None if isinstance(chosen, NameChoice) else chosen)
        self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, REASON_COLUMN))
        self.edited.emit()

    def step(self, row: int, by: int) -> None:
        """The next thing that a name may stand for, or the one before, past the systems that others have."""
        name = self.draft.given[row]
        free = [one for one in self.choices(row) if isinstance(one, NameChoice) or self.draft.holder(one) in ("", name)]
        place = free.index(self.chosen(row)) + by
        if 0 <= place < len(free):
            self.choose(row, free[place])

    def rowCount(self, parent: Index = ROOT) -> int:
        """How many names there are."""
        return 0 if parent.isValid() else len(self.draft.given)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Name, system, and why."""
        return 0 if parent.isValid() else 3

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole) -> Any:
        """Titles."""
        if orientation != Qt.Orientation.Horizontal or role != ROLE.DisplayRole:
            return None
        return (escape_label(tr("in {scores}", scores=self.title)), tr("translation here"), "")[section]

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Which cells can be edited."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() and index.column() == SYSTEM_COLUMN else flags

    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        """What a cell says; what is edited is the thing itself."""
        if not index.isValid():
            return None
        name, why = self.draft.given[index.row()], self.draft.why(self.draft.given[index.row()])
        chosen = self.chosen(index.row())
        system = _CHOICES[chosen] if isinstance(chosen, NameChoice) else chosen
        if role == ROLE.DisplayRole:
            return escape_label((name, system, _REASONS[why])[index.column()])
        if role == ROLE.EditRole:
            return chosen
        if role == ROLE.ToolTipRole:
            return plain_tooltip((name, system, _REASONS[why])[index.column()])
        if role == ROLE.ForegroundRole:
            if why is MatchReason.GUESS and index.column() != NAME_COLUMN:
                return current().warning
            return (
                current().muted
                if index.column() == REASON_COLUMN or why in (MatchReason.NONE, MatchReason.OUT)
                else None
            )
        if role == ROLE.AccessibleTextRole:
            return escape_label(join_localized(", ", (name, system, _REASONS[why])))
        return None

    def setData(self, index: Index, value: Any, role: int = ROLE.EditRole) -> bool:
        """Choose."""
        if role != ROLE.EditRole or not index.isValid() or value not in self.choices(index.row()):
            return False
        self.choose(index.row(), value)
        return True


class MatchSystemsModel(QAbstractTableModel):
    """One row a translation, and which name of the file stands for it."""

    def __init__(self, names: NamesModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._names = names
        self._rows: Sequence[tuple[str, str]] = ()
        names.modelReset.connect(self._renew)
        names.edited.connect(self._renew)
        self._renew()

    def _renew(self) -> None:
        draft = self._names.draft
        self.beginResetModel()
        holders = {system: name for name, system in draft.chosen.items() if system is not None}
        self._rows = [(system, holders.get(system, "")) for system in draft.systems]
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        """How many systems there are."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        """The system, and its name in the file."""
        return 0 if parent.isValid() else 2

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole) -> Any:
        """Titles."""
        if orientation != Qt.Orientation.Horizontal or role != ROLE.DisplayRole:
            return None
        return (tr("translation here"), escape_label(tr("in {scores}", scores=self._names.title)))[section]

    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        """A cell."""
        if not index.isValid():
            return None
        system, name = self._rows[index.row()]
        said = name or tr("nothing")
        if role == ROLE.DisplayRole:
            return escape_label((system, said)[index.column()])
        if role == ROLE.ToolTipRole:
            return plain_tooltip((system, said)[index.column()])
        if role == ROLE.ForegroundRole:
            return None if name else current().warning
        if role == ROLE.AccessibleTextRole:
            return escape_label(join_localized(", ", (system, said)))
        return None


def _choice_text(system: str, holder: str, name: str) -> str:
    if holder in ("", name):
        return escape_label(system)
    return escape_label(tr("{system}, now {name}", system=system, name=holder))
