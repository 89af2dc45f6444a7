"""Post-editing page: table of post-editors, and tabs below it (highlights, missed edits, curve, segments, notes)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.escaping import isolate_bidi
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.report.post_editing import PostEditingReport
from qe_desktop.studies.charts.threshold_charts import skipping_panels
from qe_desktop.ui.scores import empty_states
from qe_desktop.ui.scores.number_format import format_score
from qe_desktop.ui.scores.plots.plot_pane import PlotPane
from qe_desktop.ui.scores.post_editing.highlight_usefulness import HighlightCharts, highlights_table
from qe_desktop.ui.scores.post_editing.post_editing_service import PostEditingService
from qe_desktop.ui.scores.post_editing.post_editing_tables import (
    PostEditingTarget,
    editors_table,
    segments_table,
    skipping_table,
)
from qe_desktop.ui.scores.result_page import PageTexts, ResultPage
from qe_desktop.ui.scores.result_table import ResultTableView
from qe_desktop.ui.widgets.labels import notes_label
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, make_scroll_area, make_splitter, vbox, wrap_layout
from qe_desktop.ui.widgets.placeholder_page import EmptyState, StateAction
from qe_desktop.ui.widgets.tables.table_model import TableData
from qe_desktop.ui.widgets.tabs import TabWidget

HINT = tr("Select a value for details.")
NOTHING_TO_DRAW = tr("Nothing to show: no system has scores or tags, or no reviewed segment has edits.")
MAX_ROWS = 1_000
"""Maximum number of rows of the segments table; exports include all segments."""
MAX_FIXED_ROWS, MAX_TABLE_FRACTION = 5, 0.45
"""Limits of the minimum height of the highlights table: number of rows, and fraction of the page's height."""
RUN_AGAIN = StateAction("again-post-editing", tr("Run again"))


class PostEditingPage(ResultPage):
    """Page that shows the result of a `PostEditingService`."""

    segment_requested = Signal(int)
    """0-based index of the segment to show."""

    def __init__(
        self, service: PostEditingService, charts: HighlightCharts, picture: PlotPane, parent: QWidget | None = None
    ) -> None:
        more = tr("&Show the segment")
        named = PageTexts(
            tr("Post-editors"), more, tr("Progress of the comparison"), HINT, tr("Copy and export"), tr("Run again")
        )
        super().__init__(service.workspace, named, parent)
        self.service: PostEditingService = service
        self.highlights, self.missed_edits_view, self.segments = (
            ResultTableView(self._settings, name, more, self)
            for name in (tr("Highlights"), tr("Missed edits"), tr("Segments"))
        )
        self.charts, self.picture = charts, picture
        self._lay_out()
        self._connect(self._progress_panel, self._copy, self.view, self.tabs)
        service.changed.connect(self.refresh)
        service.progressed.connect(self._update_progress)
        for view in self.table_views():
            view.cell_activated.connect(self._on_activated)
            view.selectionModel().currentRowChanged.connect(self._on_current_changed)
        for view in self.table_views()[1:]:
            view.described.connect(self._show_description)
        self.tabs.currentChanged.connect(self._on_tab)
        self._on_tab()
        self.refresh()

    # --- building

    def _lay_out(self) -> None:
        self._remarks = notes_label()
        self.tabs = TabWidget()
        remarks = make_scroll_area(wrap_layout(vbox(self._remarks, margins=(8, 8, 8, 0))), focus=True)
        remarks.setAccessibleName(tr("Notes"))
        self.highlights_tab = wrap_layout(vbox(Stretched(self.highlights, 1_000), Stretched(self.charts, 1_000), gap=8))
        self.highlights_tab.setFocusProxy(self.highlights)
        for title, widget, tooltip in (
            (tr("Highlights"), self.highlights_tab, tr("Were the flagged words edited, and the edited words flagged?")),
            (tr("Missed edits"), self.missed_edits_view,
             tr("How many edits would be missed if the segments that QE rates best were skipped")),
            (tr("Curve"), self.picture, tr("Chart of the missed edits against the skipped segments")),
            (tr("Segments"), self.segments, tr("Edits, times and keystrokes of each segment")),
            (tr("Notes"), remarks, tr("Warnings and definitions")),
        ):  # fmt: skip
            self.tabs.setTabToolTip(self.tabs.addTab(widget, title), tooltip)
        # above the tabs, because it describes the cells of all tables
        upper = wrap_layout(vbox(Stretched(self.view, 1_000), self.sentence, StretchSpace(), gap=4))
        self.split = make_splitter(Qt.Orientation.Vertical, upper, self.tabs, shares=(0, 1))
        layout = vbox(self.head(), self.error, Stretched(self.split, 1), gap=8, margins=(16, 8, 16, 8))
        vbox(self.create_stack(wrap_layout(layout)), on=self)

    def table_views(self) -> tuple[ResultTableView, ...]:
        """Return all table views; the first one lists the post-editors."""
        return self.view, self.highlights, self.missed_edits_view, self.segments

    # --- content

    def empty_state(self) -> EmptyState:
        """Return the `EmptyState` that the page shows if there is no result."""
        return post_editing_empty_state(self.service)

    def warning(self) -> str:
        """Return warnings about untokenized texts and about outdated values that await a new run; may be empty."""
        result = self.service.result
        caution = "" if result is None else result.study.reviewed.untokenized_note()
        if not self.service.is_data_outdated or self.service.state != "waiting":
            return caution
        outdated_note = tr("Post-edits have changed; these values are outdated.")
        return join_localized(" ", [part for part in (outdated_note, caution) if part])

    def refresh(self) -> None:
        """Update the page; the title states whether the values are outdated."""
        super().refresh()
        result = self.service.result
        if result is not None:
            notes = [tr("outdated")] if self.service.is_data_outdated else []
            self._title.setText(join_localized(" · ", [describe_study(result), *notes]))

    def _draw(self) -> None:
        """Update the tables and the curve if their content changed; the update is deferred while the page is hidden."""
        result, decimals = self.service.result, self._settings.decimals
        now = (result, self.service.system, decimals)
        if now == self._painted_key or not (self.isVisible() or result is None):
            return
        is_changed = not self._painted_key or result is not self._painted_key[0] or decimals != self._painted_key[2]
        self._painted_key = now
        if is_changed:
            self._fill(result, decimals)
        system = self.service.system
        panels = (
            () if result is None else skipping_panels(result.study, system, lambda score: format_score(score, decimals))
        )
        self.picture.show_content(panels or NOTHING_TO_DRAW)
        self.drawn.emit()

    def _fill(self, result: PostEditingReport | None, decimals: int) -> None:
        tables: dict[ResultTableView, Callable[[], TableData[PostEditingTarget]]] = {}
        if result is not None:
            study = result.study
            tables = {
                self.view: lambda: editors_table(study, decimals),
                self.highlights: lambda: highlights_table(study, decimals),
                self.missed_edits_view: lambda: skipping_table(study, decimals),
                self.segments: lambda: segments_table(study, decimals, MAX_ROWS),
            }
            self._remarks.setText("\n".join([*result.notes(), result.signature]))
        for view in self.table_views():
            view.show_data(tables.get(view, TableData)())
        self.charts.show_study(None if result is None else result.study, decimals)
        if result is not None:
            self._size()

    def _size(self) -> None:
        """Fit the tables to their rows; the charts shrink before the first rows of the highlights table are hidden."""
        view = self.highlights
        first = view.whole_height() - max(0, view.cells.rowCount() - MAX_FIXED_ROWS) * view.row_height()
        view.setMaximumHeight(view.whole_height())
        view.setMinimumHeight(min(first, round(self.height() * MAX_TABLE_FRACTION)))
        height = self.view.whole_height()
        self.view.setMaximumHeight(height)
        height += self.sentence.height() + 4
        self.split.setSizes([height, max(height, self.split.height() - height)])

    def _on_tab(self) -> None:
        """Show the description of the current cell of the table in the current tab, if any."""
        current_tab = self.tabs.currentWidget()
        self._show_description("")
        table = self.highlights if current_tab is self.highlights_tab else current_tab
        if isinstance(table, ResultTableView):
            table.emit_description()

    def _on_current_changed(self, current: QModelIndex, previous: QModelIndex) -> None:
        for view in (self.highlights, self.missed_edits_view):
            if view.selectionModel() is self.sender():
                target = view.target(current)
                self.service.select_system("" if target is None else target.system)

    def _on_activated(self, index: QModelIndex) -> None:
        for view in self.table_views():
            target = view.target(index) if index.model() is view.cells else None
            if target is not None and target.segment is not None:
                self.segment_requested.emit(target.segment)
            elif target is not None and target.system:
                self.service.select_system(target.system)
                self.tabs.setCurrentWidget(self.picture)

    def button_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the placeholder's buttons."""
        return {RUN_AGAIN.id: self.service.run}


def describe_study(result: PostEditingReport) -> str:
    """Return the name of the data, the number of post-edits and their origin, in one line.

    The number of edited or confirmed segments includes those that are left out, so that it agrees with the status bar.
    """
    reviewed, excluded = result.study.reviewed, result.study.reviewed.excluded_count
    parts = [isolate_bidi(reviewed.name)] if reviewed.name else []
    if reviewed.from_files:
        parts += [tr("{n:,} {n:segment|segments}", "", len(reviewed)), tr("post-edits from files")]
    else:
        count = len(reviewed) + excluded
        parts.append(tr("{n:,} of {size:,} {size:segment|segments} edited or confirmed", "", count, size=reviewed.size))
    if excluded:
        parts.append(
            tr("{n:,} not included: edited or confirmed earlier, and the file lacks their original MT", "", excluded)
        )
    return join_localized(" · ", parts)


def build_post_editing_page(service: PostEditingService, parent: QWidget) -> Generator[int, None, PostEditingPage]:
    """Build the page in steps and return it; until the charts are laid out, they are hidden children of `parent`."""
    yield 0
    charts = HighlightCharts(service.workspace, parent)
    picture = PlotPane(service.workspace, tr("Missed edits"), NOTHING_TO_DRAW, parent)
    yield 0
    page = PostEditingPage(service, charts, picture, parent)
    yield 0
    return page


def post_editing_empty_state(service: PostEditingService) -> EmptyState:
    """Return the `EmptyState` for missing data, a failure, a running study or a cancelled study."""
    if service.workspace.view is None:
        explanation = tr("Open MT with its post-edits, or a bilingual file to post-edit. The page then shows times and "
                   "edits, and how well the highlights of systems match the edits.")  # fmt: skip
        return EmptyState(
            tr("Post-editing effort and highlight usefulness"), explanation, empty_states.NOTHING_OPEN_ACTIONS
        )
    if service.error is not None:
        return EmptyState(tr("Nothing to compare yet"), service.error.line(), (RUN_AGAIN, empty_states.FILES))
    if service.is_working:
        return EmptyState(tr("Comparing MT and post-edits…"), "")
    return EmptyState(tr("Post-edits have not been compared"), tr("The computation was cancelled."), (RUN_AGAIN,))
