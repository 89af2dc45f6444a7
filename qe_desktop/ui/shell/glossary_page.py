"""The glossary: every term with what it means, found by typing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QScrollArea, QWidget

from qe_desktop.ui import icons
from qe_desktop.ui.parts.glossary import TERMS, Term, matching, metric_terms
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, Space, Stretch, column_of, holding, scrolling
from qe_desktop.wording import tr

KEY = Qt.Key
_SCROLLING = (KEY.Key_Up, KEY.Key_Down, KEY.Key_PageUp, KEY.Key_PageDown)


class GlossaryPage(QWidget):
    """A field to find in, and the terms by group; the arrows and pages scroll while one types."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._terms = [*TERMS.values(), *metric_terms()]
        self._find = QLineEdit()
        self._find.setPlaceholderText(tr("Find a word…"))
        self._find.setAccessibleName(tr("Find a word"))
        self._find.setClearButtonEnabled(True)
        self._find.addAction(icons.icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self._find.textChanged.connect(self.show_matching)
        self._find.installEventFilter(self)
        self._scroll: QScrollArea = scrolling(QWidget())
        self._scroll.setAccessibleName(tr("Terms"))
        column_of(self._find, Placed(self._scroll, 1), on=self, gap=8, margins=16)
        self.shown: list[Term] = []
        self.show_matching("")
        self.setFocusProxy(self._find)

    def show_matching(self, text: str) -> None:
        """List the terms that hold every word of a text."""
        self.shown = matching(self._terms, text)
        parts: list[QWidget | Space | Stretch] = []
        group = ""
        for term in self.shown:
            # what was searched for stands in the order of how well it fits, without headings
            if term.group != group and not text.strip():
                group = term.group
                parts += [Space(8), Label(group, scale=1.2, bold=True), Space(6)]
            parts += [Label(term.name, bold=True), Label(term.text, wraps=True, selectable=True), Space(8)]
        if not self.shown:
            parts.append(Label(tr("No term holds these words."), token="muted"))
        self._scroll.setWidget(holding(column_of(*parts, Stretch(), gap=2, margins=(0, 0, 12, 0))))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the keys that scroll to the terms."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and KEY(event.key()) in _SCROLLING:
            bar = self._scroll.verticalScrollBar()
            pages = event.key() in (KEY.Key_PageUp, KEY.Key_PageDown)
            step = bar.pageStep() if pages else self.fontMetrics().lineSpacing() * 3
            bar.setValue(bar.value() + (step if event.key() in (KEY.Key_Down, KEY.Key_PageDown) else -step))
            return True
        return super().eventFilter(watched, event)
