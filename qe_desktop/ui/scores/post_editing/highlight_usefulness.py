"""Usefulness of flags: a table of precision, recall and gain over random flags, and charts of precision and recall."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.results.sample_size import MIN_SEGMENTS
from qe_desktop.report import DASH
from qe_desktop.studies.post_editing.highlights import HighlightStatistics
from qe_desktop.studies.post_editing.post_editing_study import PostEditingStudy
from qe_desktop.ui.scores.number_format import format_score, format_signed
from qe_desktop.ui.scores.post_editing.post_editing_tables import PostEditingTarget, measure_column
from qe_desktop.ui.scores.result_table import exact_values, interval_text, name_cell, name_column, table_of_rows
from qe_desktop.ui.widgets.image_export import ExportContext
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox, wrap_layout
from qe_desktop.ui.widgets.plots.interval_plot_data import IntervalPlotData, IntervalRow, interval_table
from qe_desktop.ui.widgets.plots.lazy_plot import LazyPlotWidget, Plot
from qe_desktop.ui.widgets.tables.table_model import TableCell, TableColumn, TableData

FIRST_INTERVAL_COLUMN = 2
"""Index of the first column that has an interval."""
FIRST_LIFT_INDEX = 2
"""Index of the first lift in `HighlightStatistics.values`."""
LIFT_DECIMALS = 1
"""Number of displayed decimals of lifts; one is enough, because intervals of lifts are wide. Copies are exact."""


def highlights_table(study: PostEditingStudy, decimals: int) -> TableData[PostEditingTarget]:
    """Return a table with a row per system; it compares the flags of each system with edits and with random flags."""
    rows = [
        (_highlight_cells(highlight, decimals), (PostEditingTarget(system=highlight.name),) * len(HIGHLIGHT_COLUMNS))
        for highlight in study.highlights
    ]
    columns: tuple[TableColumn, ...] = HIGHLIGHT_COLUMNS
    if len(study.reviewed) < MIN_SEGMENTS:
        caution, group = tr("under {n} {n:segment|segments}", "", MIN_SEGMENTS), tr("Flags compared with edits")
        figures = (replace(column, group=group, caution=caution) for column in columns[FIRST_INTERVAL_COLUMN:])
        columns = (*columns[:FIRST_INTERVAL_COLUMN], *figures)
    return table_of_rows(columns, rows, is_sortable=True)


HIGHLIGHT_COLUMNS = (
    name_column(tr("System"), "system"),
    measure_column(tr("Flagged"), tr("% of text"), tr("Share of characters in words flagged as BAD"), "highlighted"),
    measure_column(
        tr("Edited where flagged"), tr("precision, P(E|H)"),
        tr("Share of the flagged characters that were edited (precision of the flags)"),
        "precision", "low", "high", "random",
    ),
    measure_column(
        tr("Flagged where edited"), tr("recall, P(H|E)"),
        tr("Share of the edited characters that were flagged (recall of the flags)"),
        "recall", "low", "high", "random",
    ),
    measure_column(
        tr("Edit rate: flagged vs. other"), tr("lift, Λ E"),
        tr("Edit rate of flagged text divided by that of other text; 1: no better than random"),
        "lift of edits", "low", "high",
    ),
    measure_column(
        tr("Flag rate: edited vs. other"), tr("lift, Λ H"),
        tr("Flag rate of edited text divided by that of other text; 1: no better than random"),
        "lift of highlights", "low", "high",
    ),
    measure_column(
        tr("Gain over random"), tr("P(E|H) − random"),
        tr("Edited share of the flagged text minus that of the same number of random flags in the same segments; above "
           "0: better than random"),
        "gain over random", "low", "high",
    ),
)  # fmt: skip
"""Columns of the highlights table."""


def _highlight_cells(highlight: HighlightStatistics, decimals: int) -> tuple[TableCell, ...]:
    figures = []
    for index, value in enumerate(highlight.values.tolist()):
        low, high = highlight.intervals[index].tolist()
        chance = float(highlight.of_random[index])
        # the lift of random flags depends only on the segments, so it is not exported
        parts = exact_values(value, low, high, *((chance,) if index < FIRST_LIFT_INDEX else ()))
        digits = decimals if index < FIRST_LIFT_INDEX else LIFT_DECIMALS
        figures.append(
            TableCell(
                format_score(value, digits),
                figure_sentence(highlight, index, digits),
                suffix=interval_text(low, high, digits),
                exact_values=parts,
            )
        )
    low, high = highlight.precision_gain_interval
    gain, ends = format_signed(highlight.precision_gain, decimals), interval_text(low, high, decimals)
    is_positive = not math.isnan(low) and low > 0
    description = tr(
        "{system}: the edited share of flagged text, minus that of random flags, is {ahead}; its 95 % interval is not "
        "entirely above 0.",
        system=highlight.name, ahead=gain,
    )  # fmt: skip
    if math.isnan(low):
        description = tr("{system}: the gain over random flags has no interval.", system=highlight.name)
    if is_positive:
        description = tr(
            "{system}: the edited share of flagged text, minus that of random flags, is {ahead}; its 95 % interval is "
            "entirely above 0.",
            system=highlight.name, ahead=gain,
        )  # fmt: skip
    return (
        name_cell(highlight.name),
        TableCell(f"{100 * highlight.highlighted:.1f}", tr("{system}: {share:.1f} % of characters are flagged.",
             system=highlight.name, share=100 * highlight.highlighted),
             exact_values=exact_values(highlight.highlighted)),
        *figures,
        TableCell(gain, description, "" if is_positive else "muted", suffix=ends,
             exact_values=exact_values(highlight.precision_gain, low, high)),
    )  # fmt: skip


def figure_sentence(highlight: HighlightStatistics, index: int, decimals: int) -> str:
    """Return a sentence about a statistic; precision (`index` 0) and recall (1) are compared with random flags."""
    value, random, name = float(highlight.values[index]), float(highlight.of_random[index]), highlight.name
    chance = DASH if math.isnan(random) else f"{100 * random:.1f}"
    if math.isnan(value):
        return tr("{system}: the value is undefined (division by 0).", system=name)
    text = format_score(value, decimals)
    return (
        tr("{system}: {share:.1f} % of the flagged characters were edited; with the same number of random flags, "
           "{chance} %. The system flags {flagged:.1f} % of the text.",
           system=name, share=100 * value, chance=chance, flagged=100 * highlight.highlighted),
        tr("{system}: {share:.1f} % of the edited characters were flagged; with the same number of random flags, "
           "{chance} %. {missed:.1f} % of the edited characters were not flagged.",
           system=name, share=100 * value, chance=chance, missed=100 - 100 * value),
        tr("{system}: flagged text is edited {value} times as often as other text.", system=name, value=text),
        tr("{system}: edited text is flagged {value} times as often as other text.", system=name, value=text),
    )[index]  # fmt: skip


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
    title = tr("Share of characters. Rings: the same number of random flags.")
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
