"""The sheet on which systems of scores and ratings are matched with the translations here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeySequence
from PySide6.QtWidgets import QComboBox, QDialog, QLabel, QPushButton, QWidget

from qe_desktop.corpus.names_draft import NamesDraft, Why
from qe_desktop.formats.sentences import few
from qe_desktop.levels.named_otherwise import Named
from qe_desktop.outgoing import label
from qe_desktop.ui.matching.models import NamesModel, SystemsModel
from qe_desktop.ui.matching.names_table import NamesTable, SystemsTable
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, column_of, row_of, split_of
from qe_desktop.wording import tr

WIDTH, LINES = 150, 15
"""Letters that the sheet has room for, and lines besides those of names."""


class MatchSheet(QDialog):
    """Shows drafts, one for the scores of each metric and one for people's ratings, until each was seen: what is chosen
    for one holds for others of the same names that come later. Cancelling changes nothing.
    """

    applied = Signal(object)
    """All `Named`s, as they are matched now."""

    def __init__(
        self, found: Sequence[tuple[Named, NamesDraft]], parent: QWidget | None = None, *, first: int = 0
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Match systems"))
        self.setModal(True)
        self._named = [named for named, _ in found]
        self._drafts = [draft for _, draft in found]
        self._seen: set[int] = set()
        self._place = first
        self.choice = QComboBox()
        self.choice.addItems([label(named.title) for named in self._named])
        self.choice.setCurrentIndex(first)
        self.names = NamesModel(self._drafts[first], self)
        self.table = NamesTable(self.names)
        self.systems = SystemsTable(tr("Translations here"))
        self.systems.setModel(SystemsModel(self.names, self))
        self.unmatched = Label(token="muted", wraps=True, ours=True)
        self.apply_button = QPushButton(tr("Match"))
        self._lay_out()
        self.names.edited.connect(self._on_edited)
        self.choice.currentIndexChanged.connect(self._choose)
        self.apply_button.clicked.connect(self._go_on)
        self._choose(first)

    def _lay_out(self) -> None:
        about = Label(
            tr("These files call systems otherwise than the translations that are open. Say which is which."),
            wraps=True,
        )
        which = QLabel(tr("&Scores:"))
        which.setBuddy(self.choice)
        top = row_of(which, Placed(self.choice, 1))
        split = split_of(Qt.Orientation.Horizontal, self.table, self.systems, shares=(3, 2))
        keys = tr("← → choose, Enter lists all, Delete leaves out, Backspace: as it is, Ctrl+Enter matches")
        cancel = QPushButton(tr("Cancel"))
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.apply_button.setDefault(True)
        buttons = row_of(Placed(Label(keys, token="muted", wraps=True), 1), cancel, self.apply_button)
        column_of(about, top, Placed(split, 1), self.unmatched, buttons, on=self, gap=10, margins=None)
        for widget in (which, self.choice):
            widget.setVisible(len(self._named) > 1)
        self._size()

    def _size(self) -> None:
        """Room for the names there are, as far as the window has it."""
        metrics, most = QFontMetrics(self.font()), max(len(draft.given) for draft in self._drafts)
        width, height = metrics.horizontalAdvance("0") * WIDTH, metrics.height() * (LINES + 2 * most)
        parent = self.parentWidget()
        if parent is not None:
            width, height = min(max(width, parent.width() * 2 // 3), parent.width()), min(height, parent.height())
        self.resize(width * 9 // 10, max(height * 9 // 10, metrics.height() * LINES * 2))

    def _choose(self, place: int) -> None:
        self._place = place
        self._seen.add(place)
        self.names.show_draft(self._drafts[place], self._named[place].title)
        draft = self._drafts[place]
        unsure = [row for row, name in enumerate(draft.given) if draft.why(name) in (Why.GUESS, Why.NONE)]
        self.table.stand_on(unsure[0] if unsure else 0)
        self.table.setFocus()
        self._refresh()

    def _on_edited(self) -> None:
        self._drafts[self._place] = self.names.draft
        self._refresh()

    def _refresh(self) -> None:
        self.unmatched.setText(left_said(self.names.draft))
        unseen = self._unseen()
        title = "" if unseen is None else label(self._named[unseen].title)
        self.apply_button.setText(tr("Next: {scores}", scores=title).replace("&", "&&") if title else tr("Match"))
        self.apply_button.setShortcut(QKeySequence("Ctrl+Return"))

    def named(self) -> list[Named]:
        """The scores and ratings, as they are matched now."""
        return [replace(one, matched=draft.matched()) for one, draft in zip(self._named, self._drafts, strict=True)]

    def _unseen(self) -> int | None:
        return next((place for place in range(len(self._named)) if place not in self._seen), None)

    def _go_on(self) -> None:
        """The next that was not seen yet, or the end."""
        unseen, draft = self._unseen(), self._drafts[self._place]
        if unseen is None:
            self.applied.emit(self.named())
            self.accept()
            return
        if set(self._drafts[unseen].given) == set(draft.given) and not self._named[unseen].matched:
            self._drafts[unseen] = replace(draft, given=self._drafts[unseen].given)
        self.choice.setCurrentIndex(unseen)


def left_said(draft: NamesDraft) -> str:
    """What stays unmatched, in words."""
    names, systems = draft.unmatched()
    out = [name for name in draft.given if draft.why(name) is Why.OUT]
    said = []
    if names:
        said.append(tr("{n:,} {n:name|names} without a translation: {names}.", "", len(names), names=few(names)))
    if systems:
        said.append(
            tr("{n:,} {n:translation|translations} without scores: {names}.", "", len(systems), names=few(systems))
        )
    if out:
        said.append(tr("{n:,} {n:name is|names are} left out: {names}.", "", len(out), names=few(out)))
    return "\n".join(said) or tr("Every name is matched.")
