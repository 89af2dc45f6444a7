"""A page of what was found: a table with each number in words, and in its place why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSizePolicy, QStackedWidget, QTabWidget, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui import icons
from qe_desktop.ui.gold_from_post_edit import make_gold
from qe_desktop.ui.scores import empty_states as of_scores
from qe_desktop.ui.scores.result_service import ResultService
from qe_desktop.ui.scores.result_table import ResultTableView
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import (
    Stretched,
    StretchSpace,
    hbox,
    make_scroll_area,
    make_splitter,
    vbox,
    wrap_layout,
)
from qe_desktop.ui.widgets.placeholder_page import EmptyState, PlaceholderPage
from qe_desktop.ui.widgets.progress_bar import ProgressPanel
from qe_desktop.ui.widgets.tables.table_model import TableData
from qe_desktop.ui.workspace import Workspace

TRY_AGAIN = tr("Try again")


class PageTexts(NamedTuple):
    """What a page calls its table, what Enter on a cell asks for, its progress, what it copies, and its hint."""

    table: str
    more: str
    progress: str
    hint: str
    copying: str = tr("Copy")
    again: str = tr("Run again")


class ResultPage(QWidget):
    """Shows what a keeper holds; what was found last stays until there is another.

    What it cannot do itself it asks for: opening a folder, adding files. Subclasses lay out (`head`, `stand`), say
    whose findings are `shown`, and draw (`_draw`).
    """

    folder_wanted = Signal()
    files_wanted = Signal()
    drawn = Signal()
    """Something else is shown, or nothing."""

    def __init__(self, workspace: Workspace, named: PageTexts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace, self._named = workspace, named
        self._settings = workspace.settings
        self._drawn: tuple[object, ...] = ()
        self.view = ResultTableView(self._settings, named.table, named.more, self)
        self.copying = QMenu(self)
        self.error = Label(token="warning", wraps=True, selectable=True)
        self.words = Label(named.hint, token="muted", narrow=True, selectable=True, ours=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._title = Label(token="muted")
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._working, self._counting = (ProgressPanel(named.progress, tr("Cancel")) for _ in range(2))
        self.again = QPushButton()
        self._copy = QPushButton(icons.icon("export"), named.copying)
        self._copy.setFlat(True)
        self._copy.setMenu(self.copying)
        self.quiet = PlaceholderPage(icon="scores", centred=True)
        self.quiet.insert(self._counting)
        self._stack = QStackedWidget()

    # --- building

    def head(self, *before: QWidget, after: tuple[QWidget, ...] = ()) -> QHBoxLayout:
        """What was found is of, what is being computed, and what can be done with it."""
        doing = (self._working, self.again, *after, self._copy)
        return hbox(*before, Stretched(self._title, 1), *doing, gap=8)

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
    def shown(self) -> ResultService[Any]:
        """Who keeps what is shown."""
        raise NotImplementedError

    def situation(self) -> EmptyState:
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

    def _at_work(self) -> ResultService[Any] | None:
        """Whose work is told of."""
        return self.shown if self.shown.state == "working" else None

    def _failure(self) -> str:
        """What went wrong, in a line; empty where nothing did."""
        service = self.shown
        return service.error.line() if service.state == "failed" and service.error is not None else ""

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
            of_scores.OWN_TAGS.name: workspace.tag_from_scratch,
            of_scores.POST_EDIT.name: lambda: make_gold(workspace),
            of_scores.COUNT_AGAIN.name: self.shown.comparison.scores.run,
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


MIN_LINES = 6
"""The least height of what stands below the table, in lines of text."""


class SplitResultPage(ResultPage):
    """`kept` is the name in the settings of where a person put the handle, `share` that of the height which the table
    takes at most by itself.
    """

    kept: str
    share: float

    def _parted(self, views: QWidget) -> QWidget:
        """The table with its words, and the views below."""
        # what is said about a number stands close to it: room that is left comes last
        upper = wrap_layout(vbox(Stretched(self.view, 1_000), self.words, StretchSpace(), gap=4))
        self._below = views
        self.split = make_splitter(Qt.Orientation.Vertical, upper, views, shares=(0, 1))
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
        self._below.setMinimumHeight(line * MIN_LINES)
        if self._own_sizes or not self.split.height():
            return
        wanted = min(self.view.whole_height() + below + 8, round(self.split.height() * self.share))
        self.split.setSizes([wanted, self.split.height() - wanted])

    def _keep_sizes(self) -> None:
        self._own_sizes = True
        self._settings.keep_state(self.kept, bytes(self.split.saveState().data()))


class DescribedTable(QWidget):
    """A table with what its current cell means in words, or a hint."""

    def __init__(self, settings: Settings, name: str, more: str, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = ResultTableView(settings, name, more, self)
        self.words = Label(hint, token="muted", narrow=True, selectable=True, ours=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        vbox(Stretched(self.view, 1), self.words, on=self, gap=6, margins=(8, 8, 8, 0))
        self.view.said.connect(lambda sentence: self.words.setText(sentence or hint))
        self.setFocusProxy(self.view)

    def show_sheet(self, sheet: TableData[Any]) -> None:
        """Show another table."""
        self.words.setFixedHeight(self.fontMetrics().lineSpacing() * 2 + 2)
        self.view.show_sheet(sheet)


class ResultTabs(QTabWidget):
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
        scroll = make_scroll_area(self._remarks, focus=True)
        scroll.setAccessibleName(tr("Notes"))
        page = wrap_layout(vbox(scroll, margins=(8, 8, 8, 0)))
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
