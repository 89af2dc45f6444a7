"""A page of what was found whose table stands above views of it, with a handle between them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from qe_desktop.ui.parts.layouts import Placed, Stretch, column_of, holding, split_of
from qe_desktop.ui.scores.found_page import FoundPage

LEAST_LINES = 6
"""The least height of what stands below the table, in lines of text."""


class SplitPage(FoundPage):
    """`kept` is the name in the settings of where a person put the handle, `share` that of the height which the table
    takes at most by itself.
    """

    kept: str
    share: float

    def _parted(self, views: QWidget) -> QWidget:
        """The table with its words, and the views below."""
        # what is said about a number stands close to it: room that is left comes last
        upper = holding(column_of(Placed(self.view, 1_000), self.words, Stretch(), gap=4))
        self._below = views
        self.split = split_of(Qt.Orientation.Vertical, upper, views, shares=(0, 1))
        self.split.splitterMoved.connect(self._keep_sizes)
        state = self._settings.state(self.kept)
        self._own_sizes = bool(state) and self.split.restoreState(state)
        return self.split

    def _size(self) -> None:
        """Give the table the height of its rows, until a person moves the handle."""
        line = self.fontMetrics().lineSpacing()
        below = line * 2 + 4
        self.words.setFixedHeight(below)
        self.view.setMaximumHeight(self.view.whole_height())
        # in little room a row or two can be read, and the views below give way
        rows = self.view.whole_height() - self.view.natural_height() + self.view.header.sizeHint().height()
        self.view.setMinimumHeight(rows + self.view.verticalHeader().defaultSectionSize() + 2)
        self._below.setMinimumHeight(line * LEAST_LINES)
        if self._own_sizes or not self.split.height():
            return
        wanted = min(self.view.whole_height() + below + 8, round(self.split.height() * self.share))
        self.split.setSizes([wanted, self.split.height() - wanted])

    def _keep_sizes(self) -> None:
        self._own_sizes = True
        self._settings.keep_state(self.kept, bytes(self.split.saveState().data()))
