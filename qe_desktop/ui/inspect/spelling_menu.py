"""Entries for a misspelled word in the context menu of the target."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import QMenu

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr


class SpellingMenu(QObject):
    """Entries for a misspelled word, inserted at the top of `menu`; the menu is the parent of this object."""

    replacement_chosen = Signal(str)
    """Emitted with the suggestion that the user selected."""
    addition_chosen = Signal()
    """Emitted when the user selects the entry that adds the word to the dictionary."""

    def __init__(self, menu: QMenu) -> None:
        super().__init__(menu)
        self._menu = menu
        self._first_action = menu.actions()[0]
        self._search_action: QAction | None = None

    def show_reason(self, reason: str, show_message: Callable[[str], object]) -> None:
        """Add an entry that posts the reason why words are not checked, which is too long for a menu."""
        action = self._insert(tr("Why is the spelling not checked?"))
        action.triggered.connect(lambda: show_message(reason))
        self._menu.insertSeparator(self._first_action)

    def show_word(self, word: str) -> None:
        """Add the entries for a word whose suggestions are not known yet."""
        self._search_action = self._insert(tr("Searching for suggestions…"))
        self._search_action.setEnabled(False)
        add = self._insert(tr("Add “{word}” to dictionary", word=word))
        add.triggered.connect(self.addition_chosen)
        self._menu.insertSeparator(self._first_action)

    def show_suggestions(self, suggestions: Sequence[str]) -> None:
        """Replace the entry “Searching for suggestions…” with the suggestions, or with “No suggestions”.

        The first suggestion becomes the active entry unless another entry is active.
        """
        wait = self._search_action
        if wait is None:
            return
        if not suggestions:
            wait.setText(tr("No suggestions"))
            return
        actions = []
        for suggestion in suggestions:
            action = QAction(_menu_text(suggestion), self._menu)
            font = QFont(self._menu.font())
            font.setBold(True)
            action.setFont(font)
            action.triggered.connect(lambda _=False, suggestion=suggestion: self.replacement_chosen.emit(suggestion))
            actions.append(action)
        self._menu.insertActions(wait, actions)
        self._menu.removeAction(wait)
        self._search_action = None
        if self._menu.activeAction() is None:
            self._menu.setActiveAction(actions[0])

    def _insert(self, text: str) -> QAction:
        action = QAction(_menu_text(text), self._menu)
        self._menu.insertAction(self._first_action, action)
        return action


def _menu_text(text: str) -> str:
    """Escape a text for a menu, in which & marks a mnemonic."""
    return escape_label(text).replace("&", "&&")
