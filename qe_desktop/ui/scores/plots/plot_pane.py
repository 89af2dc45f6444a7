"""Panes for charts; a chart is drawn when its pane is visible, and a signal describes the item under the pointer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import LayerKey, QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.chart_model import ChartGoal, ChartTable, PairGoal, Panels, SegmentGoal
from qe_desktop.levels.level import ChartRequest, ScoreChart
from qe_desktop.report import Table
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.live_score_service import LiveScoreService
from qe_desktop.ui.scores.number_format import format_score
from qe_desktop.ui.scores.significance.significance_service import SignificanceService
from qe_desktop.ui.widgets.image_export import ExportContext
from qe_desktop.ui.widgets.layouts import vbox
from qe_desktop.ui.widgets.plots.lazy_plot import LazyPlotWidget, Plot
from qe_desktop.ui.workspace import Workspace

PANELS_MODULE = "qe_desktop.ui.scores.plots.plot_panels"
"""Name of the module that draws charts and imports the plotting library."""
ROWS_PER_BLOCK = 1_000
"""Number of table rows that are formatted as one block."""


class PlotPane(QWidget):
    """Pane that shows `content`: the panels of a chart, or a message. `show_content` replaces the content.

    The page that contains the pane shows the descriptions of chart items.
    """

    goal_requested = Signal(object)
    """`ChartGoal` of the chart item that was activated with the mouse or with Enter."""
    described = Signal(str)
    """Description of the item under the pointer, or else of the current item; empty if there is neither."""

    def __init__(
        self, context: ExportContext, title: str, content: Panels | str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.description = ""
        """Description of the item under the pointer, or else of the current item; empty if there is neither."""
        self.content: Panels | str = content
        self.plot_widget = LazyPlotWidget(context, title, self._build, numbers=self._numbers, module_name=PANELS_MODULE)
        vbox(self.plot_widget, on=self, margins=(8, 8, 8, 0))
        self.setFocusProxy(self.plot_widget)

    def show_content(self, content: Panels | str) -> None:
        """Replace the content, and clear the description."""
        self.content = content
        self._set_description("")
        self.plot_widget.refresh()

    def _build(self) -> Plot:
        """Create the grid of panels; called after the plotting library is imported."""
        from qe_desktop.ui.scores.plots.plot_panels import PanelGrid

        grid = PanelGrid(lambda: self.content)
        grid.described.connect(self._set_description)
        grid.goal_requested.connect(self.goal_requested)
        return grid

    def _set_description(self, sentence: str) -> None:
        if sentence != self.description:
            self.description = sentence
            self.described.emit(sentence)

    def _on_failed(self, error: QeError) -> None:
        self.show_content(tr("The chart cannot be drawn: {message}. {hint}", message=error.message, hint=error.hint))

    def _numbers(self) -> Callable[[], str] | None:
        """Return a function that formats the tables of all panels, each shared table once; None without tables."""
        if isinstance(self.content, str):
            return None
        tables = list(dict.fromkeys(panel.make_table for panel in self.content if panel.make_table is not None))
        return partial(_format_tables, tuple(tables)) if tables else None


def _format_tables(tables: tuple[Callable[[], ChartTable], ...]) -> str:
    return "\n".join(_tsv(build()) for build in tables)


def _tsv(numbers: ChartTable) -> str:
    """Format a table as TSV, in blocks of rows, because freeing 100,000 rows at once would freeze the window."""
    pieces = [Table("", numbers.header, numbers.rows(0, ROWS_PER_BLOCK)).tsv()]
    for begin in range(ROWS_PER_BLOCK, len(numbers), ROWS_PER_BLOCK):
        piece = Table("", numbers.header, numbers.rows(begin, begin + ROWS_PER_BLOCK)).tsv()
        pieces.append(piece.partition("\n")[2])
    return "".join(pieces)


NOTHING_TO_DRAW = tr("Nothing to show yet.")
DRAWING_TEXT = tr("Drawing…")
DRAWING_STOPPED = tr("Drawing was cancelled. It starts again when the chart is next shown.")


class ComputedPlotPane(PlotPane):
    """Pane of a chart computed in a job with the key `key`; subclasses define `_subject` and `_begin`."""

    def __init__(self, workspace: Workspace, title: str, key: str, parent: QWidget | None = None) -> None:
        super().__init__(workspace, title, NOTHING_TO_DRAW, parent)
        self._workspace, self._title, self._key = workspace, title, key
        self._painted_key: tuple[object, ...] | None = None

    def refresh(self) -> None:
        """Update the chart if the pane is visible and the inputs have changed."""
        if not self.isVisible():
            return
        now, before = self._subject(), self._painted_key
        if now is not None and before is not None and now[0] is before[0] and now[1:] == before[1:]:
            return
        self._painted_key = now
        if now is None:
            self.show_content(NOTHING_TO_DRAW)
        else:
            self._begin()

    def showEvent(self, event: QShowEvent) -> None:
        """Apply the update, if any, that was deferred while the pane was hidden."""
        super().showEvent(event)
        self.refresh()

    def _subject(self) -> tuple[object, ...] | None:
        """Return the inputs of the chart; None if there is no result.

        The first input, such as the result, is compared by identity, and the others by equality.
        """
        raise NotImplementedError

    def _begin(self) -> None:
        """Start computing the chart."""
        raise NotImplementedError

    def _submit(self, work: Callable[[Progress], object], done: Callable[..., object]) -> None:
        if isinstance(self.content, str):
            self.show_content(DRAWING_TEXT)
        self._workspace.jobs.submit(
            self._title, work, done, self._on_failed, self._on_progress,
            on_cancelled=self._on_cancelled, latest=self._key, owner=self, computing=True,
        )  # fmt: skip

    def _number(self) -> Callable[[float], str]:
        return partial(format_score, decimals=self._workspace.settings.decimals)

    def _on_progress(self, fraction: float, text: str) -> None:
        """Ignore the progress, because most charts are fast; panes of slow charts override this method."""

    def _on_cancelled(self) -> None:
        self._painted_key = None
        self.show_content(DRAWING_STOPPED)


class LevelPlotPane(PlotPane):
    """Pane of a `ScoreChart`; a hidden chart is computed when it is next shown."""

    def __init__(
        self,
        picture: ScoreChart,
        scores: LiveScoreService,
        comparison: SignificanceService,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(scores.workspace, picture.title, DRAWING_TEXT, parent)
        self.chart = picture
        self._scores, self._comparison = scores, comparison
        self._selected_layer: LayerKey | None = None
        self._row_layers: tuple[LayerKey, ...] = ()
        self._subjects: tuple[LayerKey, ...] = ()
        self._score_inputs: tuple[object, ...] = ()
        self._job = f"picture-{picture.name}"
        self._is_outdated = True
        self.goal_requested.connect(self._open_goal)

    # --- content

    def refresh(self, chosen: LayerKey | None, listed: Sequence[LayerKey]) -> None:
        """Show the current scores; `chosen` is the current system, and `listed` are the systems in display order.

        The chart is updated only while the pane is visible.
        """
        self._selected_layer, self._row_layers, self._is_outdated = chosen, tuple(listed), True
        scored = (self._scores.workspace.session, self._scores.reference, *self._scores.layers)
        if scored != self._score_inputs:
            # clear charts of the previous data immediately
            self._score_inputs = scored
            self._scores.workspace.jobs.cancel(self._job)
            self.show_content(DRAWING_TEXT)
        if self.isVisible():
            self._update_chart()

    def showEvent(self, event: QShowEvent) -> None:
        """Apply the update, if any, that was deferred while the pane was hidden."""
        super().showEvent(event)
        if self._is_outdated:
            self._update_chart()

    def _update_chart(self) -> None:
        request = self._request()
        self._is_outdated = False
        if request is None:
            self.show_content("")
        elif self.chart.is_live:
            self.show_content(self.chart.make_panels(request))
        else:
            self._scores.workspace.jobs.submit(
                self.chart.title, partial(_make_panels, self.chart, request), self.show_content, self._on_failed,
                on_cancelled=self._on_cancelled, latest=self._job, owner=self, computing=True,
            )  # fmt: skip

    def _request(self) -> ChartRequest | None:
        scoring = self._scores.scoring()
        if scoring is None:
            return None
        self._subjects = scoring.subjects
        chosen = scoring.subjects.index(self._selected_layer) if self._selected_layer in scoring.subjects else 0
        number = partial(format_score, decimals=self._scores.workspace.settings.decimals)
        # the table may not have the rows of new systems yet
        is_listed = set(self._row_layers) == set(scoring.subjects)
        order = tuple(map(scoring.subjects.index, self._row_layers)) if is_listed else ()
        return ChartRequest(
            scoring.view, scoring.reference, scoring.subjects, chosen, self._scores.snapshot().totals, number, order
        )

    def _on_cancelled(self) -> None:
        self._is_outdated = True
        self.show_content(DRAWING_STOPPED)

    def _open_goal(self, goal: ChartGoal) -> None:
        workspace = self._scores.workspace
        if isinstance(goal, SegmentGoal):
            workspace.segment_requested.emit(goal.segment)
        elif isinstance(goal, PairGoal):
            self._show_pair(goal)

    def _show_pair(self, pair: PairGoal) -> None:
        workspace = self._scores.workspace
        systems = self._subjects[pair.first], self._subjects[pair.second]
        workspace.segments_requested.emit(*systems, self._comparison.metric, workspace.level, self._scores.reference)


def _make_panels(picture: ScoreChart, request: ChartRequest, progress: Progress) -> Panels | str:
    return picture.make_panels(request)
