"""A page of what was found: a table with each number in words, and in its place why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSizePolicy, QStackedWidget, QWidget

from qe_desktop.ui import icons
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, row_of
from qe_desktop.ui.parts.progress_bar import WorkingLine
from qe_desktop.ui.parts.state_page import Situation, StatePage
from qe_desktop.ui.post_edit_gold import make_gold
from qe_desktop.ui.scores import situations as of_scores
from qe_desktop.ui.scores.latest import Latest
from qe_desktop.ui.scores.sheet_view import SheetView
from qe_desktop.ui.workspace import Workspace
from qe_desktop.wording import tr

TRY_AGAIN = tr("Try again")


class Named(NamedTuple):
    """What a page calls its table, what Enter on a cell asks for, its progress, what it copies, and its hint."""

    table: str
    more: str
    progress: str
    hint: str
    copying: str = tr("Copy")
    again: str = tr("Compute again")


class FoundPage(QWidget):
    """Shows what a keeper holds; what was found last stays until there is another.

    What it cannot do itself it asks for: opening a folder, adding files. Subclasses lay out (`head`, `stand`), say
    whose findings are `shown`, and draw (`_draw`).
    """

    folder_wanted = Signal()
    files_wanted = Signal()
    drawn = Signal()
    """Something else is shown, or nothing."""

    def __init__(self, workspace: Workspace, named: Named, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace, self._named = workspace, named
        self._settings = workspace.settings
        self._drawn: tuple[object, ...] = ()
        self.view = SheetView(self._settings, named.table, named.more, self)
        self.copying = QMenu(self)
        self.error = Label(token="warning", wraps=True, selectable=True)
        self.words = Label(named.hint, token="muted", narrow=True, selectable=True, ours=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._title = Label(token="muted")
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._working, self._counting = (WorkingLine(named.progress, tr("Cancel")) for _ in range(2))
        self.again = QPushButton()
        self._copy = QPushButton(icons.icon("export"), named.copying)
        self._copy.setFlat(True)
        self._copy.setMenu(self.copying)
        self.quiet = StatePage(icon="scores", centred=True)
        self.quiet.insert(self._counting)
        self._stack = QStackedWidget()

    # --- building

    def head(self, *before: QWidget, after: tuple[QWidget, ...] = ()) -> QHBoxLayout:
        """What was found is of, what is being computed, and what can be done with it."""
        doing = (self._working, self.again, *after, self._copy)
        return row_of(*before, Placed(self._title, 1), *doing, gap=8)

    def stand(self, full: QWidget) -> QStackedWidget:
        """What has room for all, or why there is nothing."""
        self._full = full
        full.setFocusProxy(self.view)
        self._stack.addWidget(self.quiet)
        self._stack.addWidget(full)
        self.setFocusProxy(self._stack)
        return self._stack

    def _connect(self, *in_order: QWidget) -> None:
        """Join the parts; Tab goes through some of them in order."""
        self.view.said.connect(self._say)
        self.again.clicked.connect(lambda: self.shown.run())
        for line in (self._working, self._counting):
            line.stopped.connect(self._cancel)
        self.quiet.asked.connect(self._on_asked)
        self._settings.changed.connect(self._on_setting)
        for before, after in pairwise(in_order):
            QWidget.setTabOrder(before, after)

    # --- what is shown

    @property
    def shown(self) -> Latest[Any]:
        """Who keeps what is shown."""
        raise NotImplementedError

    def situation(self) -> Situation:
        """Why there is nothing: what is missing, what went wrong, or what is going on."""
        raise NotImplementedError

    def warning(self) -> str:
        """What a reader must know before any number; empty where there is nothing."""
        return ""

    def refresh(self) -> None:
        """Show things as they are."""
        there = self.shown.found is not None
        if not there:
            self.quiet.show_situation(self.situation())
        focus = self.window().focusWidget()
        another = self._stack.currentIndex() != int(there)
        self._stack.setCurrentIndex(int(there))
        self._stack.setFocusProxy(self._full if there else self.quiet)
        if another and focus is not None and self._stack.isAncestorOf(focus):
            # who waited for it stands where it is
            self.setFocus()
        self._tell_working()
        self._draw()

    def _draw(self) -> None:
        """Make the tables anew where anything in them is another; while nobody sees them, when they are next seen."""
        raise NotImplementedError

    def _at_work(self) -> Latest[Any] | None:
        """Whose work is told of."""
        return self.shown if self.shown.state == "working" else None

    def _failure(self) -> str:
        """What went wrong, in a line; empty where nothing did."""
        keeper = self.shown
        return keeper.error.line() if keeper.state == "failed" and keeper.error is not None else ""

    def _offers_again(self) -> bool:
        return self.shown.found is not None and self.shown.state in ("waiting", "failed")

    def _tell_working(self) -> None:
        now = self._at_work()
        for line in (self._working, self._counting):
            if now is None:
                line.hide()
            else:
                line.show_progress(now.about(), now.progress)
        self.again.setText(TRY_AGAIN if self.shown.state == "failed" else self._named.again)
        self.again.setVisible(self._offers_again())
        said = self._failure() or self.warning()
        self.error.setText(said)
        self.error.setVisible(bool(said))

    # --- what happens

    def _say(self, sentence: str) -> None:
        self.words.setText(sentence or self._named.hint)

    def _cancel(self) -> None:
        now = self._at_work()
        if now is not None:
            now.cancel()

    def asked(self) -> Mapping[str, Callable[[], object]]:
        """What the buttons do that the page offers where there is nothing, besides those of scores."""
        raise NotImplementedError

    def _on_asked(self, what: str) -> None:
        workspace = self.workspace
        of_all: dict[str, Callable[[], object]] = {
            of_scores.FOLDER.name: self.folder_wanted.emit,
            of_scores.FILES.name: self.files_wanted.emit,
            of_scores.OWN.name: workspace.tag_from_scratch,
            of_scores.POST_EDIT.name: lambda: make_gold(workspace),
            of_scores.AGAIN.name: self.shown.comparison.scores.run,
        }
        {**of_all, **self.asked()}[what]()

    def _on_setting(self, key: str) -> None:
        if key == "view/decimals":
            self.refresh()

    # --- who looks

    def _watch(self) -> None:
        self.shown.set_watched(self.isVisible())

    def showEvent(self, event: QShowEvent) -> None:
        """What is due is computed when somebody looks."""
        super().showEvent(event)
        self._draw()
        self._watch()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks any longer."""
        super().hideEvent(event)
        self._watch()

    # --- sizes

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room anew."""
        super().resizeEvent(event)
        self._size()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._drawn:
            self._size()

    def _size(self) -> None:
        """Give the parts their heights."""
