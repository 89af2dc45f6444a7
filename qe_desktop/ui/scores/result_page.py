"""Base classes of result pages, which show a table with descriptions, or a placeholder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal, SignalInstance
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSizePolicy, QStackedWidget, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui import icons
from qe_desktop.ui.gold_from_post_edit import make_gold
from qe_desktop.ui.scores import empty_states
from qe_desktop.ui.scores.page_controller import PageResultService
from qe_desktop.ui.scores.result_table import ResultTableView
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.control_bar import LabelledControlsBar
from qe_desktop.ui.widgets.labels import BandLabel, ElidedLabel, Label, notes_label
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
from qe_desktop.ui.widgets.tables.description_line import DescribedViewTracker, DescriptionLine
from qe_desktop.ui.widgets.tables.table_model import TableData
from qe_desktop.ui.widgets.tabs import ExplainedTabWidget, set_tab_order
from qe_desktop.ui.workspace import Workspace

TRY_AGAIN = tr("Try again")
HEAD_GAP_PX = 8


class PageTexts(NamedTuple):
    """Texts of a page: names of the table and the progress bar, menu text of the action on Enter, hint and buttons."""

    table: str
    activate_text: str
    progress: str
    hint: str
    copying: str = tr("Copy and export")
    run_again: str = tr("Run again")


class ResultPage(QWidget):
    """Page that shows the result of a service; the previous result is displayed until a new one is ready.

    `folder_requested` and `files_requested` are emitted to open a folder and to add files. Subclasses set `service`,
    show the result in `_draw`, and lay out their widgets with `head` and with `create_stack` or `lay_out_with_options`.
    """

    service: PageResultService[Any]
    _title: Label
    """Label of the title in the header line; not set if the page passes another widget to `head`."""
    needs_result = True
    """Whether the options of the page are shown only while there is a result."""
    folder_requested = Signal()
    files_requested = Signal()
    drawn = Signal()
    """Emitted when the displayed result changed."""

    def __init__(self, workspace: Workspace, texts: PageTexts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace, self._texts, self._settings = workspace, texts, workspace.settings
        DescribedViewTracker(self)
        self._painted_key: tuple[object, ...] = ()
        self.view = ResultTableView(self._settings, texts.table, texts.activate_text, self)
        self.copying = QMenu(self)
        self.error = BandLabel("warning_fill", "warning", selectable=True)
        # a long word never widens the page
        self.error.setMinimumWidth(1)
        self.sentence = DescriptionLine(texts.hint, self)
        self.description_label = self.sentence.text_label
        self._progress_panel, self._counting_panel = (ProgressPanel(texts.progress, tr("Cancel")) for _ in range(2))
        self.run_again_button = QPushButton()
        self._copy = QPushButton(icons.icon("export"), texts.copying)
        self._copy.setFlat(True)
        self._copy.setMenu(self.copying)
        self.placeholder = PlaceholderPage(icon="scores", centred=True)
        self.placeholder.insert(self._counting_panel)
        self._stack = QStackedWidget()
        self._options: LabelledControlsBar | None = None

    # --- building

    def head(self, *before: QWidget, title: QWidget | None = None, after: tuple[QWidget, ...] = ()) -> QHBoxLayout:
        """Return the header line: `before`, title, progress and actions; `title` replaces the title label."""
        if title is None:
            title = self._title = ElidedLabel(token="muted")
            title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        actions = (self._progress_panel, self.run_again_button, *after, self._copy)
        return hbox(*before, Stretched(title, 1), *actions, gap=HEAD_GAP_PX)

    def create_stack(self, full: QWidget) -> QStackedWidget:
        """Return a stack of the placeholder and `full`, the content that is shown if there is a result."""
        self._content = full
        full.setFocusProxy(self.view)
        self._stack.addWidget(self.placeholder)
        self._stack.addWidget(full)
        self.setFocusProxy(self._stack)
        return self._stack

    def lay_out_with_options(self, options: LabelledControlsBar, full: QWidget) -> None:
        """Lay out the options bar above a stack of the placeholder and the content `full`."""
        self._options = options
        vbox(options, Stretched(self.create_stack(full), 1), on=self, gap=8, margins=(16, 8, 16, 8))

    def place_switch(self, switch: QWidget) -> None:
        """Put the page switch at the start of the options bar, if the page has an options bar."""
        if self._options is not None:
            self._options.put_first(switch)

    def _connect(self, *in_order: QWidget) -> None:
        """Connect the signals of the common widgets, and set the tab order of `in_order`."""
        self.view.described.connect(self._show_description)
        self.run_again_button.clicked.connect(lambda: self.displayed_service.run())
        for line in (self._progress_panel, self._counting_panel):
            line.stopped.connect(self._cancel)
        self.placeholder.requested.connect(self.run_button_action)
        self._settings.changed.connect(self._on_setting)
        set_tab_order(in_order)

    # --- content

    @property
    def displayed_service(self) -> PageResultService[Any]:
        """Service whose result the page shows."""
        return self.service

    def empty_state(self) -> EmptyState:
        """Return the `EmptyState` that the page shows if there is no result."""
        raise NotImplementedError

    def warning(self) -> str:
        """Return the warning shown above the values; empty if there is none."""
        return ""

    def refresh(self) -> None:
        """Update the page."""
        has_result = self.displayed_service.result is not None
        if not has_result:
            self.placeholder.show_state(self.empty_state())
        if self._options is not None:
            self._options.set_active(has_result or not self.needs_result)
        focus = self.window().focusWidget()
        is_switched = self._stack.currentIndex() != int(has_result)
        self._stack.setCurrentIndex(int(has_result))
        self._stack.setFocusProxy(self._content if has_result else self.placeholder)
        if is_switched and focus is not None and self._stack.isAncestorOf(focus):
            # keep the focus on the page when its result arrives
            self.setFocus()
        self._update_progress()
        self._draw()

    def _draw(self) -> None:
        """Show the result if the content to display has changed; the update is deferred while the page is hidden."""
        raise NotImplementedError

    def _running_service(self) -> PageResultService[Any] | None:
        """Return the service whose progress is shown; None if the service is not working."""
        return self.displayed_service if self.displayed_service.state == "working" else None

    def _failure(self) -> str:
        """Return the message of the last error in one line; empty if the last run did not fail."""
        service = self.displayed_service
        return service.error.line() if service.state == "failed" and service.error is not None else ""

    def _can_run_again(self) -> bool:
        return self.displayed_service.result is not None and self.displayed_service.state in ("waiting", "failed")

    def _update_progress(self) -> None:
        now = self._running_service()
        for line in (self._progress_panel, self._counting_panel):
            if now is None:
                line.hide()
            else:
                line.show_progress(now.progress_label(), now.progress)
        self.run_again_button.setText(TRY_AGAIN if self.displayed_service.state == "failed" else self._texts.run_again)
        self.run_again_button.setVisible(self._can_run_again())
        failure = self._failure()
        message = failure or self.warning()
        self.error.set_meaning("error" if failure else "warning")
        self.error.setText(message)
        self.error.setVisible(bool(message))

    # --- actions

    def _show_description(self, sentence: str, sign: str = "") -> None:
        """Show the description of the current cell or item, preceded by the symbol of its significance test, if any."""
        self.sentence.show_sentence(sentence, sign)

    def _cancel(self) -> None:
        now = self._running_service()
        if now is not None:
            now.cancel()

    def button_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of placeholder buttons that are not common to all pages, keyed by action id."""
        raise NotImplementedError

    def run_button_action(self, action: str) -> None:
        """Run the action with the id `action`, for a button of the placeholder or of the popup of an unavailable page.

        Raises KeyError if the page has no such action.
        """
        workspace = self.workspace
        of_all: dict[str, Callable[[], object]] = {
            empty_states.FOLDER.id: self.folder_requested.emit,
            empty_states.FILES.id: self.files_requested.emit,
            empty_states.TAG_MYSELF.id: workspace.tag_from_scratch,
            empty_states.POST_EDIT.id: lambda: make_gold(workspace),
            empty_states.RUN_AGAIN.id: self.displayed_service.comparison.scores.run,
        }
        {**of_all, **self.button_handlers()}[action]()

    def _on_setting(self, key: str) -> None:
        if key == "view/decimals":
            self.refresh()

    # --- visibility

    def _watch(self) -> None:
        self.displayed_service.set_page_visible(self.isVisible())

    def showEvent(self, event: QShowEvent) -> None:
        """Show the current result and process pending work when the page becomes visible."""
        super().showEvent(event)
        self._draw()
        self._watch()

    def hideEvent(self, event: QHideEvent) -> None:
        """Prevent work from starting automatically while the page is hidden."""
        super().hideEvent(event)
        self._watch()

    # --- sizes

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Update the layout."""
        super().resizeEvent(event)
        self._size()

    def changeEvent(self, event: QEvent) -> None:
        """Update the layout for a new font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._painted_key:
            self._size()

    def _size(self) -> None:
        """Set the heights of the widgets."""


MIN_LINES = 6
"""Minimum height of the views below the table, in lines of text."""
MIN_ROWS = 3
"""Number of rows that the table shows, if possible, even if they exceed the table's share of the height.

If they exceed the share, the second lines of all rows are hidden. In a small window, fewer rows are shown.
"""


class SplitResultPage(ResultPage):
    """Page with a splitter between the table and other views.

    `splitter_key` is the settings key of the splitter state. `max_table_fraction` is the maximum fraction of the
    splitter's height for the table.
    """

    splitter_key: str
    max_table_fraction: float

    def _create_splitter(self, views: QWidget) -> QWidget:
        """Return a splitter: the table and the description of its current cell above, `views` below."""
        # keep the description close to the table: spare height goes below
        upper = wrap_layout(vbox(Stretched(self.view, 1_000), self.sentence, StretchSpace(), gap=4))
        self._below = views
        self.split = make_splitter(Qt.Orientation.Vertical, upper, views, shares=(0, 1))
        self.split.splitterMoved.connect(self._save_sizes)
        state = self._settings.state(self.splitter_key)
        self._has_user_sizes = bool(state) and self.split.restoreState(state)
        return self.split

    def _size(self) -> None:
        """Fit the table to its rows until the user moves the splitter; if not all rows fit, show only whole rows."""
        view, below = self.view, self.sentence.height() + 8
        head = view.whole_height() - view.natural_height() + view.header.sizeHint().height() + 2
        share = round(self.split.height() * self.max_table_fraction) - below
        # rows lose their second lines before the table has less than three rows
        view.fold_lines(0 < share < head + MIN_ROWS * view.whole_row_height())
        row = view.row_height()
        view.setMaximumHeight(view.whole_height())
        # in a small window, the table shows one or two rows, and the views shrink
        view.setMinimumHeight(head + row)
        self._below.setMinimumHeight(self.fontMetrics().lineSpacing() * MIN_LINES)
        if self._has_user_sizes or not self.split.height():
            return
        if view.header.length() <= view.viewport().width():
            head -= view.whole_height() - view.natural_height()
        table_height = min(view.whole_height(), head + max(MIN_ROWS, (share - head) // row) * row) + below
        self.split.setSizes([table_height, self.split.height() - table_height])

    def _save_sizes(self) -> None:
        self._has_user_sizes = True
        self._settings.save_state(self.splitter_key, bytes(self.split.saveState().data()))


class DescribedTable(QWidget):
    """Table in a tab; the page shows the description of the table's current cell."""

    target_activated = Signal(object)
    """Target (object that a cell refers to) of the cell that was double-clicked or on which Enter was pressed."""
    target_selected = Signal(object)
    """Target (object that a cell refers to) of the current cell."""
    described = Signal(str)
    """Description of the current cell; empty if no cell is current."""

    def __init__(self, settings: Settings, name: str, more: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = ResultTableView(settings, name, more, self)
        vbox(self.view, on=self, margins=(8, 8, 8, 0))
        self.view.described.connect(self.described)
        self.view.cell_activated.connect(lambda index: self._emit_target(self.target_activated, index))
        self.view.selectionModel().currentChanged.connect(
            lambda index, _: self._emit_target(self.target_selected, index)
        )
        self.setFocusProxy(self.view)

    def _emit_target(self, signal: SignalInstance, index: QModelIndex) -> None:
        target = self.view.target(index)
        if target is not None:
            signal.emit(target)

    def show_data(self, sheet: TableData[Any]) -> None:
        """Show another table."""
        self.view.show_data(sheet)


class ResultTabs(ExplainedTabWidget):
    """Tab widget of result views; subclasses create the views and call `add_views`."""

    drawn = Signal()
    """Emitted when a chart was drawn or cleared."""
    described = Signal(str, str)
    """Description of the current cell or item, and the symbol of its significance test; both may be empty."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar.reason_changed.connect(lambda reason: self.described.emit(reason, ""))
        self._views: dict[str, QWidget] = {}
        self._remarks = notes_label()

    def add_views(self, views: Mapping[str, QWidget], titles: Mapping[str, str]) -> None:
        """Add a tab for each view and a tab for notes; `titles` maps view names and "remarks" (the notes) to titles."""
        self._views = {**views, "remarks": self._notes_view()}
        for name, view in self._views.items():
            self.addTab(view, titles[name])

    def _notes_view(self) -> QWidget:
        scroll = make_scroll_area(self._remarks, focus=True)
        scroll.setAccessibleName(tr("Notes"))
        page = wrap_layout(vbox(scroll, margins=(8, 8, 8, 0)))
        page.setFocusProxy(scroll)
        return page

    @property
    def current_view(self) -> str:
        """Name of the current view."""
        return list(self._views)[self.currentIndex()]

    def has(self, name: str) -> bool:
        """Return whether the tab of the view `name` is visible. Raises ValueError if there is no such view."""
        return self.isTabVisible(list(self._views).index(name))

    def forward_descriptions(self, *signals: SignalInstance) -> None:
        """Emit `described` for each description from `signals`, with an empty symbol of the significance test."""
        for signal in signals:
            signal.connect(lambda sentence: self.described.emit(sentence, ""))

    def show_view(self, name: str, *, focus: bool = True) -> None:
        """Show a view, and focus it unless `focus` is false."""
        self.setCurrentWidget(self._views[name])
        if focus:
            self._views[name].setFocus()

    def show_remarks(self, remarks: str) -> None:
        """Set the text of the notes tab."""
        self._remarks.setText(remarks)

    def showEvent(self, event: QShowEvent) -> None:
        """Set the tab order of the tab bar and the views."""
        super().showEvent(event)
        set_tab_order([self.tabBar(), *self._views.values()])
