"""Table models for one draft: the names of a file and the open translations."""

from __future__ import annotations

import enum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QObject, Qt, Signal

from qe_desktop.corpus.system_matching import MatchReason, SystemNameDraft
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.theme import current
from qe_desktop.ui.widgets.labels import plain_tooltip
from qe_desktop.ui.widgets.tables.table_model import ROLE, ROOT, ModelIndex, TableCell, TableColumn, TableModel


class NameChoice(enum.Enum):
    """Options for a name other than matching the name with a system."""

    KEEP_NAME = "stays"
    EXCLUDE = "out"


ChosenSystem = str | NameChoice
NAME_COLUMN, SYSTEM_COLUMN, REASON_COLUMN = range(3)
_REASONS = {
    MatchReason.SAME: tr("same name"),
    MatchReason.NORMALIZED: tr("different spelling"),
    MatchReason.GUESS: tr("guess: please check"),
    MatchReason.SELECTED: tr("selected"),
    MatchReason.NONE: tr("no translation"),
    MatchReason.LEFT_OUT: tr("excluded"),
}
_CHOICES = {NameChoice.KEEP_NAME: tr("keep the name"), NameChoice.EXCLUDE: tr("exclude")}


class NamesModel(QAbstractTableModel):
    """Table model of the names in a file; the system of each name can be changed, which emits `edited`."""

    edited = Signal()

    def __init__(self, draft: SystemNameDraft, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.draft = draft
        self.title = ""

    def show_draft(self, draft: SystemNameDraft, title: str) -> None:
        """Show another draft; `title` is the title of its scores or ratings."""
        self.beginResetModel()
        self.draft, self.title = draft, title
        self.endResetModel()

    def choices(self, row: int) -> dict[ChosenSystem, str]:
        """Return the options for a name, with their labels: match it with a system, keep it, or exclude it.

        The option to keep the name is omitted if a system has the same name.
        """
        name = self.draft.names[row]
        matched_names = {system: holder for holder, system in self.draft.matches.items() if system is not None}
        systems = self.draft.systems
        options: dict[ChosenSystem, str] = {
            system: _choice_text(system, matched_names.get(system, ""), name) for system in systems
        }
        return options | {
            choice: text for choice, text in _CHOICES.items() if choice is NameChoice.EXCLUDE or name not in systems
        }

    def selected_option(self, row: int) -> ChosenSystem:
        """Return the selected option for the name in a row."""
        name = self.draft.names[row]
        system = self.draft.matches.get(name, NameChoice.KEEP_NAME)
        return NameChoice.EXCLUDE if system is None else system

    def choose(self, row: int, chosen: ChosenSystem) -> None:
        """Select another option for the name in a row."""
        name = self.draft.names[row]
        if chosen is NameChoice.KEEP_NAME:
            self.draft = self.draft.with_unchanged_name(name)
        else:
            self.draft = self.draft.with_match(name, None if isinstance(chosen, NameChoice) else chosen)
        self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, REASON_COLUMN))
        self.edited.emit()

    def step(self, row: int, by: int) -> None:
        """Select the next (`by` 1) or previous (−1) option for a name; skip systems matched with other names."""
        name = self.draft.names[row]
        free = [
            option
            for option in self.choices(row)
            if isinstance(option, NameChoice) or self.draft.matched_name(option) in ("", name)
        ]
        index = free.index(self.selected_option(row)) + by
        if 0 <= index < len(free):
            self.choose(row, free[index])

    def rowCount(self, parent: ModelIndex = ROOT) -> int:
        """Return the number of names."""
        return 0 if parent.isValid() else len(self.draft.names)

    def columnCount(self, parent: ModelIndex = ROOT) -> int:
        """Return the number of columns: name, system and reason."""
        return 0 if parent.isValid() else 3

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole) -> Any:
        """Return the column titles."""
        if orientation != Qt.Orientation.Horizontal or role != ROLE.DisplayRole:
            return None
        return (escape_label(tr("in {scores}", scores=self.title)), tr("open translation"), "")[section]

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        """Return the flags of a cell; only cells in the system column can be edited."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() and index.column() == SYSTEM_COLUMN else flags

    def data(self, index: ModelIndex, role: int = ROLE.DisplayRole) -> Any:
        """Return the data of a cell for a role; the data for the edit role is the selected option of the name."""
        if not index.isValid():
            return None
        name, reason = self.draft.names[index.row()], self.draft.match_reason(self.draft.names[index.row()])
        chosen = self.selected_option(index.row())
        system = _CHOICES[chosen] if isinstance(chosen, NameChoice) else chosen
        if role == ROLE.DisplayRole:
            return escape_label((name, system, _REASONS[reason])[index.column()])
        if role == ROLE.EditRole:
            return chosen
        if role == ROLE.ToolTipRole:
            return plain_tooltip((name, system, _REASONS[reason])[index.column()])
        if role == ROLE.ForegroundRole:
            if reason is MatchReason.GUESS and index.column() != NAME_COLUMN:
                return current().warning
            return (
                current().muted
                if index.column() == REASON_COLUMN or reason in (MatchReason.NONE, MatchReason.LEFT_OUT)
                else None
            )
        if role == ROLE.AccessibleTextRole:
            return escape_label(join_localized(", ", (name, system, _REASONS[reason])))
        return None

    def setData(self, index: ModelIndex, value: Any, role: int = ROLE.EditRole) -> bool:
        """Select the option `value` for a name; return False if there is no such option for the name."""
        if role != ROLE.EditRole or not index.isValid() or value not in self.choices(index.row()):
            return False
        self.choose(index.row(), value)
        return True


class MatchSystemsModel(TableModel):
    """Table model of the open translations, each with its matching name in the file, if any."""

    def __init__(self, names: NamesModel, parent: QObject | None = None) -> None:
        super().__init__(parent=parent, says_headers=False)
        self._names = names
        names.modelReset.connect(self._update_rows)
        names.edited.connect(self._update_rows)
        self._update_rows()

    def _update_rows(self) -> None:
        draft = self._names.draft
        matched_names = {system: name for name, system in draft.matches.items() if system is not None}
        headers = (tr("open translation"), tr("in {scores}", scores=self._names.title))
        rows = [_match_cells(system, matched_names.get(system, "")) for system in draft.systems]
        self.show_rows(rows, [TableColumn(header) for header in headers])


def _match_cells(system: str, name: str) -> list[TableCell]:
    label, token = name or tr("none"), "" if name else "warning"
    accessible_text = join_localized(", ", (system, label))
    return [TableCell(system, accessible_text, token), TableCell(label, accessible_text, token)]


def _choice_text(system: str, matched_name: str, name: str) -> str:
    if matched_name in ("", name):
        return escape_label(system)
    return escape_label(tr("{system} (matched with {name})", system=system, name=matched_name))
