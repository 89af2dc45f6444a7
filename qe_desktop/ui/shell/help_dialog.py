"""Help dialog with the keyboard shortcuts and the glossary, and the dialog about the program."""

from __future__ import annotations

import platform

import PySide6
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QLabel, QLineEdit, QScrollArea, QWidget

from qe_desktop import __version__
from qe_desktop.i18n.messages import tr
from qe_desktop.ui import icons
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.shortcut_page import ShortcutPage
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.dialogs import Dialog
from qe_desktop.ui.widgets.glossary.glossary_term import RATINGS, GlossaryTerm, matching_terms, metric_terms
from qe_desktop.ui.widgets.glossary.terms import TERMS
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import FixedSpace, Stretched, StretchSpace, hbox, make_scroll_area, vbox, wrap_layout
from qe_desktop.ui.widgets.lazy_stack import LazyTabWidget

KEY = Qt.Key
_SCROLL_KEYS = (KEY.Key_Up, KEY.Key_Down, KEY.Key_PageUp, KEY.Key_PageDown)


class GlossaryPage(QWidget):
    """Page with a search field and the glossary terms in groups; arrow and page keys scroll the terms.

    The terms of the group `first_group`, if any, are listed first.
    """

    def __init__(self, parent: QWidget | None = None, *, first_group: str = "") -> None:
        super().__init__(parent)
        self._terms = sorted([*TERMS.values(), *metric_terms()], key=lambda term: term.group != first_group)
        self._find = QLineEdit()
        self._find.setPlaceholderText(tr("Find a term…"))
        self._find.setAccessibleName(tr("Find a term"))
        self._find.setClearButtonEnabled(True)
        self._find.addAction(icons.icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self._find.textChanged.connect(self.show_matching)
        self._find.installEventFilter(self)
        self._scroll: QScrollArea = make_scroll_area(QWidget())
        self._scroll.setAccessibleName(tr("Terms"))
        vbox(self._find, Stretched(self._scroll, 1), on=self, gap=8, margins=16)
        self.listed_terms: list[GlossaryTerm] = []
        self.show_matching("")
        self.setFocusProxy(self._find)

    def show_matching(self, text: str) -> None:
        """List the terms that contain every word of a text."""
        self.listed_terms = matching_terms(self._terms, text)
        parts: list[QWidget | FixedSpace | StretchSpace] = []
        group = ""
        for term in self.listed_terms:
            # search results are ordered by relevance, without headings
            if term.group != group and not text.strip():
                group = term.group
                parts += [FixedSpace(8), Label(group, scale=1.2, bold=True), FixedSpace(4)]
            parts += [Label(term.name, bold=True), Label(term.text, wraps=True, selectable=True), FixedSpace(8)]
        if not self.listed_terms:
            parts.append(Label(tr("No term contains these words."), token="muted"))
        self._scroll.setWidget(wrap_layout(vbox(*parts, StretchSpace(), gap=4, margins=(0, 0, 16, 0))))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Scroll the terms if Up, Down, Page Up or Page Down is pressed in the search field."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and KEY(event.key()) in _SCROLL_KEYS:
            bar = self._scroll.verticalScrollBar()
            pages = event.key() in (KEY.Key_PageUp, KEY.Key_PageDown)
            step = bar.pageStep() if pages else self.fontMetrics().lineSpacing() * 3
            bar.setValue(bar.value() + (step if event.key() in (KEY.Key_Down, KEY.Key_PageDown) else -step))
            return True
        return super().eventFilter(watched, event)


SHORTCUTS, GLOSSARY = "shortcuts", "glossary"


class HelpDialog(Dialog):
    """Dialog with two pages: shortcuts (F1) and glossary (Shift+F1). In the dialog, F1 and Ctrl+Tab switch pages.

    The glossary begins with the terms of ratings if `is_rating` is true.
    """

    def __init__(
        self, registry: ActionRegistry, parent: QWidget, page: str = SHORTCUTS, *, is_rating: bool = False
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Help"))
        self.shortcuts, self.glossary = ShortcutPage(registry), GlossaryPage(first_group=RATINGS if is_rating else "")
        self.pages = LazyTabWidget()
        self.pages.add(SHORTCUTS, tr("Keyboard shortcuts"), lambda: self.shortcuts)
        self.pages.add(GLOSSARY, tr("Glossary"), lambda: self.glossary)
        close = FlatButton(tr("Close"), primary=True)
        # Enter activates the selected row
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)
        buttons = wrap_layout(hbox(StretchSpace(), close, margins=(16, 0, 16, 16)))
        vbox(Stretched(self.pages, 1), buttons, on=self, gap=0)
        for keys in ("F1", "Ctrl+Tab"):
            QShortcut(QKeySequence(keys), self).activated.connect(self.toggle_page)
        letter = self.fontMetrics().horizontalAdvance("0")
        width = self.shortcuts.wanted_width()
        self.resize(min(width, parent.width()), min(round(letter * 85), parent.height() - 48))
        self.pages.show_page(page)
        self.setFocusProxy(self.pages)
        self.pages.setFocus()

    def toggle_page(self) -> None:
        """Switch between the shortcuts and the glossary."""
        self.pages.show_page(GLOSSARY if self.pages.current == SHORTCUTS else SHORTCUTS)


class AboutDialog(Dialog):
    """Dialog about the program, with text that can be copied."""

    def __init__(self, settings: Settings, log_file: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("About QE Desktop"))
        mark = QLabel()
        mark.setPixmap(icons.program_icon().pixmap(64, 64))
        versions = f"Python {platform.python_version()}, Qt {PySide6.__version__}, {platform.system()}"
        settings_text = tr("Settings: {file}", file=settings.path())
        log = tr("Log: {file}", file=log_file) if log_file else tr("Log: none in this run")
        close = FlatButton(tr("Close"), primary=True)
        close.setDefault(True)
        close.clicked.connect(self.reject)
        close.setFocus()
        words = vbox(
            Label(f"QE Desktop {__version__}", scale=1.4, bold=True),
            Label(tr("A desktop workbench for judging machine translation.")),
            Label(versions, token="muted", selectable=True),
            Label(f"{settings_text}\n{log}", token="muted", selectable=True),
            FixedSpace(8),
            Stretched(close, 0, Qt.AlignmentFlag.AlignRight),
            gap=8,
        )
        hbox(Stretched(mark, 0, Qt.AlignmentFlag.AlignTop), words, on=self, gap=16, margins=(24, 24, 24, 16))
