"""Charts of the precision and recall of flags, with intervals and the values for the same number of random flags."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.studies.post_editing.post_editing_study import PostEditingStudy
from qe_desktop.ui.scores.number_format import format_score
from qe_desktop.ui.scores.post_editing.highlights_table import HIGHLIGHT_COLUMNS, figure_sentence
from qe_desktop.ui.widgets.image_export import ExportContext
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox, wrap_layout
from qe_desktop.ui.widgets.plots.interval_plot_data import IntervalPlotData, IntervalRow, interval_table
from qe_desktop.ui.widgets.plots.lazy_plot import LazyPlotWidget, Plot

ROW_LINES, AXIS_LINES = 5, 4
"""Maximum height of a chart, in lines of text: the height per system, and the height of the axis."""
FIRST_COLUMN = 2
"""Index of the precision column in the highlights table; precision is the first plotted statistic."""
NOTHING_TO_DRAW = tr("No system has word tags.")
UNDEFINED = (
    tr("Undefined, because no word in the reviewed segments is flagged."),
    tr("Undefined, because no word of the MT was changed or deleted."),
)
"""Reasons why precision and recall, respectively, are undefined for all systems."""


def highlight_plot_data(study: PostEditingStudy | None, index: int, decimals: int) -> IntervalPlotData | str:
    """Return the plot data of precision (`index` 0) or recall (`index` 1), or the reason why there are no data."""
    rows = []
    for highlight in () if study is None else study.highlights:
        value, (low, high) = float(highlight.values[index]), highlight.intervals[index].tolist()
        chance = float(highlight.of_random[index])
        if math.isnan(value):
            continue
        is_defined = not math.isnan(low)
        rows.append(
            IntervalRow(
                highlight.name, value, low if is_defined else None, high if is_defined else None,
                figure_sentence(highlight, index, decimals), format_score(value, decimals),
                None if math.isnan(chance) else chance,
            )
        )  # fmt: skip
    title = tr("share of characters; ring: same number of random flags")
    if rows:
        return IntervalPlotData(title, tuple(rows), bounds=(0.0, 1.0))
    return UNDEFINED[index] if study is not None and study.highlights else NOTHING_TO_DRAW


class HighlightCharts(QWidget):
    """Charts of precision and recall next to each other."""

    def __init__(self, context: ExportContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._study: PostEditingStudy | None = None
        self._decimals = 3
        self.plots = [self._chart(context, index) for index in (0, 1)]
        columns = []
        for index, chart in enumerate(self.plots):
            column = HIGHLIGHT_COLUMNS[FIRST_COLUMN + index]
            title = hbox(
                Label(column.header, bold=True), Label(column.second_line, token="muted"), StretchSpace(), gap=8
            )
            columns.append(Stretched(wrap_layout(vbox(title, Stretched(chart, 1_000), StretchSpace(), gap=4)), 1))
        hbox(*columns, on=self, gap=24)

    def _chart(self, context: ExportContext, index: int) -> LazyPlotWidget:
        return LazyPlotWidget(
            context,
            HIGHLIGHT_COLUMNS[FIRST_COLUMN + index].header,
            partial(self._plot, index),
            numbers=partial(self._numbers, index),
            module_name="qe_desktop.ui.widgets.plots.interval_plot",
        )

    def _plot(self, index: int) -> Plot:
        # the plotting library is imported when a plot is first shown
        from qe_desktop.ui.widgets.plots.interval_plot import IntervalPlot

        return IntervalPlot(partial(self.data, index))

    def data(self, index: int) -> IntervalPlotData | str:
        """Return the plot data of precision (`index` 0) or recall (`index` 1), or the reason why there are no data."""
        return highlight_plot_data(self._study, index, self._decimals)

    def _numbers(self, index: int) -> Callable[[], str] | None:
        data = self.data(index)
        return None if isinstance(data, str) else interval_table(data).tsv

    def show_study(self, study: PostEditingStudy | None, decimals: int) -> None:
        """Show another study, or a message if `study` is None."""
        self._study, self._decimals = study, decimals
        self._fit()
        for chart in self.plots:
            chart.refresh()

    def _fit(self) -> None:
        """Limit the height of the charts, so that few systems are not spread over a large area."""
        rows = 0 if self._study is None else len(self._study.highlights)
        for chart in self.plots:
            chart.setMaximumHeight(self.fontMetrics().height() * (ROW_LINES * max(1, rows) + AXIS_LINES))

    def changeEvent(self, event: QEvent) -> None:
        """Adapt the height when the text size changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()
