"""Dialog that matches the system names of scores and ratings with the open translations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHeaderView, QLabel, QTableView, QWidget

from qe_desktop.corpus.system_matching import MatchReason, SystemNameDraft
from qe_desktop.escaping import escape_label
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.system_matches import NamedSystems
from qe_desktop.ui.files.importing.name_matching_models import (
    NAME_COLUMN,
    REASON_COLUMN,
    SYSTEM_COLUMN,
    MatchSystemsModel,
    NameChoice,
    NamesModel,
)
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.dialogs import Dialog
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, hbox, make_splitter, vbox
from qe_desktop.ui.widgets.tables.table_delegate import ComboBoxDelegate
from qe_desktop.ui.widgets.tables.table_header import TableHeader

_OPENING_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_F2)


class NamesTable(QTableView):
    """Table of the system names in a file and their matches, which can be edited with the keyboard.

    Up and Down select a name; Left and Right select its system. Enter lists all systems, Delete excludes the name, and
    Backspace keeps the name unchanged.
    """

    def __init__(self, model: NamesModel) -> None:
        super().__init__()
        self.names = model
        self.setModel(model)
        self.setItemDelegateForColumn(SYSTEM_COLUMN, ComboBoxDelegate(model.choices, "", self))
        self.setAccessibleName(tr("Names to match"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.SelectedClicked | triggers.AnyKeyPressed)
        model.modelReset.connect(self.fit)
        set_up_table(self)

    def fit(self) -> None:
        """Set the column widths: at most one third for the reasons; names and systems share the rest equally."""
        width = self.viewport().width()
        reason_width = min(width // 3, self.fontMetrics().horizontalAdvance("0") * 24)
        for column, column_width in (
            (NAME_COLUMN, (width - reason_width) // 2),
            (SYSTEM_COLUMN, (width - reason_width) // 2),
            (REASON_COLUMN, reason_width),
        ):
            self.setColumnWidth(column, column_width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns to the new width."""
        super().resizeEvent(event)
        self.fit()

    def select_name(self, row: int) -> None:
        """Select the name in a row."""
        self.setCurrentIndex(self.names.index(row, SYSTEM_COLUMN))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys that change the system of the current name."""
        row, key = self.currentIndex().row(), event.key()
        if row < 0 or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.names.step(row, 1 if key == Qt.Key.Key_Right else -1)
        elif key == Qt.Key.Key_Delete:
            self.names.choose(row, NameChoice.EXCLUDE)
        elif key == Qt.Key.Key_Backspace:
            self.names.choose(row, NameChoice.KEEP_NAME)
        elif key in _OPENING_KEYS:
            self.open_list()
        else:
            super().keyPressEvent(event)

    def open_list(self) -> None:
        """Open the list of systems for the current name; do nothing if there is no current name."""
        index = self.names.index(self.currentIndex().row(), SYSTEM_COLUMN)
        if not index.isValid():
            return
        self.setCurrentIndex(index)
        # unlike the slot, this does not warn if the cell is edited already, or will be after a click
        super().edit(index, QAbstractItemView.EditTrigger.AllEditTriggers, QEvent(QEvent.Type.None_))
        box = self.indexWidget(index) or self.viewport().findChild(QComboBox)
        if isinstance(box, QComboBox):
            box.showPopup()


class SystemsTable(QTableView):
    """Read-only table of the open translations."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        set_up_table(self)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)


def set_up_table(table: QTableView) -> None:
    """Set up the common appearance of a `NamesTable` or `SystemsTable`."""
    table.setHorizontalHeader(TableHeader(table, clickable=False, padding=4))
    table.setShowGrid(False)
    table.setWordWrap(False)
    # names often differ at their end
    table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    table.setTabKeyNavigation(False)
    table.verticalHeader().hide()


WIDTH_CHARS, LINES = 150, 15
"""Width of the dialog in characters, and its height in lines, not counting lines for the names."""


class NameMatchingDialog(Dialog):
    """Dialog with one draft of matches per metric and one for the ratings.

    The user must see all drafts before they are applied. The Next button also copies the selections of the current
    draft to the next draft if that draft has the same names and no known matches. Cancel discards all selections.
    """

    applied = Signal(object)
    """Emitted with a list of all `NamedSystems`, including their matches, when the user accepts the last draft."""

    def __init__(self, matches: Sequence[tuple[NamedSystems, SystemNameDraft]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Match system names"))
        self.setModal(True)
        self._named = [named for named, _ in matches]
        self._drafts = [draft for _, draft in matches]
        self._visited: set[int] = set()
        self._index = 0
        self.scores_combo_box = QComboBox()
        self.scores_combo_box.addItems([escape_label(named.title) for named in self._named])
        self.names = NamesModel(self._drafts[0], self)
        self.table = NamesTable(self.names)
        self.systems = SystemsTable(tr("Open translations"))
        self.systems.setModel(MatchSystemsModel(self.names, self))
        self.unmatched = Label(token="muted", wraps=True, is_program_text=True)
        self.apply_button = FlatButton(tr("Match"))
        self._lay_out()
        self.names.edited.connect(self._on_edited)
        self.scores_combo_box.currentIndexChanged.connect(self._show_draft)
        self.apply_button.clicked.connect(self._show_next_or_accept)
        self._show_draft(0)

    def _lay_out(self) -> None:
        explanation = Label(tr("Match the system names of scores and ratings with the open translations."), wraps=True)
        choice_label = QLabel(tr("&Scores:"))
        choice_label.setBuddy(self.scores_combo_box)
        top = hbox(choice_label, Stretched(self.scores_combo_box, 1))
        split = make_splitter(Qt.Orientation.Horizontal, self.table, self.systems, shares=(3, 2))
        keys = tr("← →: change match, Enter: list options, Delete: exclude, Backspace: keep name, Ctrl+Enter: continue")
        cancel = FlatButton(tr("Cancel"))
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.apply_button.setDefault(True)
        buttons = hbox(Stretched(Label(keys, token="muted", wraps=True), 1), cancel, self.apply_button)
        vbox(explanation, top, Stretched(split, 1), self.unmatched, buttons, on=self, gap=16, margins=16)
        for widget in (choice_label, self.scores_combo_box):
            widget.setVisible(len(self._named) > 1)
        self._size()

    def _size(self) -> None:
        """Resize the dialog to fit the names, up to 90% of the parent window's size, but not below a minimum height."""
        metrics, max_names = QFontMetrics(self.font()), max(len(draft.names) for draft in self._drafts)
        width, height = metrics.horizontalAdvance("0") * WIDTH_CHARS, metrics.height() * (LINES + 2 * max_names)
        parent = self.parentWidget()
        if parent is not None:
            width, height = min(max(width, parent.width() * 2 // 3), parent.width()), min(height, parent.height())
        self.resize(width * 9 // 10, max(height * 9 // 10, metrics.height() * LINES * 2))

    def _show_draft(self, index: int) -> None:
        self._index = index
        self._visited.add(index)
        draft = self._drafts[index]
        self.names.show_draft(draft, self._named[index].title)
        unsure_rows = [
            row
            for row, name in enumerate(draft.names)
            if draft.match_reason(name) in (MatchReason.GUESS, MatchReason.NONE)
        ]
        self.table.select_name(unsure_rows[0] if unsure_rows else 0)
        self.table.setFocus()
        self._refresh()

    def _on_edited(self) -> None:
        self._drafts[self._index] = self.names.draft
        self._refresh()

    def _refresh(self) -> None:
        self.unmatched.setText(unmatched_text(self.names.draft))
        unseen = self._next_unseen()
        title = "" if unseen is None else escape_label(self._named[unseen].title)
        self.apply_button.setText(tr("Next: {scores}", scores=title).replace("&", "&&") if title else tr("Match"))
        self.apply_button.setShortcut(QKeySequence("Ctrl+Return"))

    def matched_systems(self) -> list[NamedSystems]:
        """Return the scores and ratings with their current matches."""
        return [
            replace(scores, matched=draft.mapping()) for scores, draft in zip(self._named, self._drafts, strict=True)
        ]

    def _next_unseen(self) -> int | None:
        return next((index for index in range(len(self._named)) if index not in self._visited), None)

    def _show_next_or_accept(self) -> None:
        """Show the next draft that the user has not seen; if there is none, apply all drafts and close the dialog."""
        unseen, draft = self._next_unseen(), self._drafts[self._index]
        if unseen is None:
            self.applied.emit(self.matched_systems())
            self.accept()
            return
        if set(self._drafts[unseen].names) == set(draft.names) and not self._named[unseen].matched:
            self._drafts[unseen] = replace(draft, names=self._drafts[unseen].names)
        self.scores_combo_box.setCurrentIndex(unseen)


def unmatched_text(draft: SystemNameDraft) -> str:
    """Return a text that lists the names and systems without a match, and the excluded names."""
    names, systems = draft.find_unmatched()
    excluded = [name for name in draft.names if draft.match_reason(name) is MatchReason.LEFT_OUT]
    lines = []
    if names:
        lines.append(
            tr("{n:,} {n:name|names} without a translation: {names}.", "", len(names), names=list_names(names))
        )
    if systems:
        lines.append(
            tr(
                "{n:,} {n:translation|translations} without a matching name: {names}.",
                "",
                len(systems),
                names=list_names(systems),
            )
        )
    if excluded:
        lines.append(tr("{n:,} {n:name|names} excluded: {names}.", "", len(excluded), names=list_names(excluded)))
    return "\n".join(lines) or tr("All names are matched.")
