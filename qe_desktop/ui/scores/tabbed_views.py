"""What is seen of something found below its table: a view a tab, remarks among them, each by its name."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QTabWidget, QWidget

from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, column_of, holding, scrolling
from qe_desktop.ui.scores.sheet import Sheet
from qe_desktop.ui.scores.sheet_view import SheetView
from qe_desktop.ui.settings import Settings
from qe_desktop.wording import tr


class WordedTable(QWidget):
    """A table with what its current cell means in words, or a hint."""

    def __init__(self, settings: Settings, name: str, more: str, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = SheetView(settings, name, more, self)
        self.words = Label(hint, token="muted", narrow=True, selectable=True, ours=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        column_of(Placed(self.view, 1), self.words, on=self, gap=6, margins=(8, 8, 8, 0))
        self.view.said.connect(lambda sentence: self.words.setText(sentence or hint))
        self.setFocusProxy(self.view)

    def show_sheet(self, sheet: Sheet[Any]) -> None:
        """Show another table."""
        self.words.setFixedHeight(self.fontMetrics().lineSpacing() * 2 + 2)
        self.view.show_sheet(sheet)


class TabbedViews(QTabWidget):
    """Subclasses make the views and `add_views`."""

    drawn = Signal()
    """A picture is drawn, or drawn no more."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDocumentMode(True)
        self._views: dict[str, QWidget] = {}
        self._remarks = Label(token="muted", wraps=True, selectable=True, ours=True)
        self._remarks.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)

    def add_views(self, views: Mapping[str, QWidget], titles: Mapping[str, str]) -> None:
        """A tab for each, and one for remarks; their titles by their names."""
        self._views = {**views, "remarks": self._said()}
        for name, view in self._views.items():
            self.addTab(view, titles[name])

    def _said(self) -> QWidget:
        scroll = scrolling(self._remarks, focus=True)
        scroll.setAccessibleName(tr("Remarks"))
        page = holding(column_of(scroll, margins=(8, 8, 8, 0)))
        page.setFocusProxy(scroll)
        return page

    @property
    def shown(self) -> str:
        """The name of the view in front."""
        return list(self._views)[self.currentIndex()]

    def has(self, name: str) -> bool:
        """Whether there is this view of what is shown."""
        return self.isTabVisible(list(self._views).index(name))

    def show_view(self, name: str, *, focus: bool = True) -> None:
        """Put a view in front, and the focus into it."""
        self.setCurrentWidget(self._views[name])
        if focus:
            self._views[name].setFocus()

    def show_remarks(self, remarks: str) -> None:
        """Say what a reader of the numbers must know."""
        self._remarks.setText(remarks)

    def showEvent(self, event: QShowEvent) -> None:
        """By keys what stands behind the tabs comes after them."""
        super().showEvent(event)
        for before, after in pairwise([self.tabBar(), *self._views.values()]):
            QWidget.setTabOrder(before, after)
