"""Grid of chart panels, each with title, legend and caption.

This module imports the plotting library, so it is itself imported only when a chart is first shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QBrush, QFont, QFontMetrics, QPalette, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QStackedWidget, QWidget

from qe_desktop.levels import chart_model
from qe_desktop.levels.chart_model import AxisChart, ChangeChart, ChartPoints, HeatMap, Panel, StackedBars
from qe_desktop.ui import theme
from qe_desktop.ui.scores.plots.chart_plot import ChartPlot, HeatMapView
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox
from qe_desktop.ui.widgets.legends import PATTERNS, PlotLegend, key_colour
from qe_desktop.ui.widgets.plots.interactive_plot import InteractivePlotWidget
from qe_desktop.ui.widgets.plots.lazy_plot import Plot
from qe_desktop.ui.widgets.plots.plot_base import PatternBarItem, RowPlot
from qe_desktop.ui.widgets.themed_widget import ArrangedMixin

BAR_THICKNESS = 0.62
MIN_ROWS = 4


class StackedBarPlot(RowPlot[StackedBars]):
    """Plot of `StackedBars`, with one stacked bar per row."""

    def __init__(self, content: Callable[[], StackedBars | str]) -> None:
        super().__init__(content)
        self._plot.getAxis("bottom").has_integer_ticks = True
        self._bars: list[Any] = []

    def _draw(self, content: StackedBars, font: QFont) -> str:
        bars = self.reuse_items(self._bars, len(content.keys), _empty_bars)
        begins = np.cumsum(content.counts, axis=1) - content.counts
        rows = np.arange(len(content.counts), dtype=float)
        for index, (bar, key) in enumerate(zip(bars, content.keys, strict=True)):
            colour = key_colour(key)
            bar.setOpts(
                x0=begins[:, index], y=rows, width=content.counts[:, index], height=BAR_THICKNESS,
                brush=QBrush(colour, PATTERNS[key.mark]), pen=pg.mkPen(colour),
            )  # fmt: skip
        self.set_names_and_title(content.names, content.title, font)
        # limits the thickness of bars if there are few rows
        self.set_range(0.0, float(content.counts.sum(axis=1).max()), max(MIN_ROWS, len(content.counts)))
        return ". ".join(content.descriptions)


def _empty_bars() -> Any:
    return PatternBarItem(x0=[], y=[], width=[], height=BAR_THICKNESS)


class ArrowPlot(RowPlot[ChangeChart]):
    """Plot of a `ChangeChart`: dots show the values before the change, and rings the values after it."""

    def __init__(self, content: Callable[[], ChangeChart | str]) -> None:
        self.view = InteractivePlotWidget()
        super().__init__(content, self.view)
        self._arrows = pg.PlotCurveItem(connect="pairs")
        self._changed_dots = pg.ScatterPlotItem()
        self._current_dots = pg.ScatterPlotItem()
        self.add(self._arrows, self._changed_dots, self._current_dots)

    def _draw(self, content: ChangeChart, font: QFont) -> str:
        colours, rows = theme.current(), np.arange(len(content.names), dtype=float)
        first, second = (key_colour(key) for key in content.keys)
        is_defined = np.isfinite(content.second)
        ways = np.stack([content.first, content.second], 1)[is_defined].ravel()
        self._arrows.setData(
            x=ways, y=np.repeat(rows[is_defined], 2), connect="pairs", pen=pg.mkPen(colours.muted, width=2)
        )
        size = max(7.0, QFontMetrics(font).height() * 0.6)
        hollow, ring = pg.mkBrush(colours.surface), pg.mkPen(second, width=2)
        self._changed_dots.setData(x=content.second[is_defined], y=rows[is_defined], size=size, brush=hollow, pen=ring)
        edge = pg.mkPen(colours.surface, width=1.5)
        self._current_dots.setData(x=content.first, y=rows, size=size, brush=pg.mkBrush(first), pen=edge)
        values = np.concatenate([content.first, content.second[is_defined]])
        values = values[np.isfinite(values)]
        low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
        self.set_names_and_title(content.names, content.title, font)
        self.set_range(*((low, high) if high > low else (low - 0.5, high + 0.5)), len(rows))
        self.view.show_points(ChartPoints(content.first, rows, content.descriptions.__getitem__), downwards=True)
        return ". ".join(content.descriptions)


MIN_PANEL_CHARS = 34
"""Minimum width of a panel in characters; if panels would be narrower, the grid has fewer columns."""
ASPECT_RATIO = 1.4
"""Preferred width-to-height ratio of a panel."""
MAX_HEIGHT = 16777215
MIN_LINES = 5
"""Minimum height of a message, or of a drawing without its own minimum height, in lines of text."""


PLOT_CLASSES: dict[type, Callable[[Callable[[], Any]], Plot]] = {
    AxisChart: ChartPlot,
    ChangeChart: ArrowPlot,
    StackedBars: StackedBarPlot,
    HeatMap: HeatMapView,
}
"""Plot class of each type of drawing; a new type of drawing needs a plot class and an entry in this mapping."""


MIN_VISIBLE_LINES, SCROLLED_LINES = 6.0, 9
"""Visible height below which a drawing must be scrolled, and minimum height of such a drawing, in lines of text."""
MIN_SIDE_LINES = 7.0
"""Minimum height of drawings that are placed side by side, in lines of text."""


class PanelFrame(QWidget):
    """Widget of one panel; it creates one plot per type of drawing and reuses the plots."""

    described = Signal(str)
    goal_requested = Signal(object)
    """`ChartGoal` of the chart item that was activated with the mouse or with Enter."""

    def __init__(self) -> None:
        super().__init__()
        self.panel = Panel("", "")
        self._plots: dict[type, Plot] = {}
        self._title = Label(bold=True, narrow=True)
        self._caution = Label(token="warning")
        self._legend = PlotLegend()
        self._caption = Label(token="muted", narrow=True)
        self._message = Label(token="muted", narrow=True)
        self._message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._message)
        head = hbox(Stretched(self._title, 1), self._caution, gap=8)
        # the drawing takes the height up to its maximum
        self._box = vbox(
            head, self._legend, Stretched(self._stack, 1000), self._caption, StretchSpace(), on=self, gap=2
        )
        self._visible_height = 0
        self._is_alone = False

    def fits(self, width: int, height: int, lines: float = MIN_VISIBLE_LINES) -> bool:
        """Return whether a drawing as high as `lines` text lines fits into a frame of this size without scrolling."""
        caution = 0 if self._caution.isHidden() else self._caution.sizeHint().width() + 8
        title = 0 if self._title.isHidden() else _wrapped_height(self._title, width - caution)
        left = height - max(title, self._caution.minimumHeight()) - self._box.spacing()
        return left >= self.fontMetrics().height() * lines

    def steps(self, panel: Panel, font: QFont) -> list[Callable[[], object]]:
        """Return the steps that show a panel; creating a plot is a separate step, because it is slow."""
        show = partial(self.show_panel, panel, font)
        kind = type(panel.content)
        return [show] if kind is str or kind in self._plots else [partial(self._get_plot, kind), show]

    def show_panel(self, panel: Panel, font: QFont) -> None:
        """Show another panel, or draw the current panel again, for example in a new theme."""
        self.panel = panel
        self._title.setText(panel.title)
        self._title.setVisible(bool(panel.title))
        self._caution.setText(f"⚠ {panel.caution}" if panel.caution else "")
        self._caution.setVisible(bool(panel.caution))
        self._legend.show_keys(panel.counted_keys, panel.legend)
        self._caption.setText(panel.caption)
        self._caption.setVisible(bool(panel.caption))
        self._fit_labels()
        widget: QWidget = self._message
        if isinstance(panel.content, str):
            self._message.setText(panel.content)
        else:
            painter = self._get_plot(type(panel.content))
            painter.widget.setAccessibleName(panel.title)
            painter.refresh(font)
            widget = painter.widget
        self._stack.setCurrentWidget(widget)
        self.fit(self._visible_height)

    def fit(self, height: int, *, is_alone: bool | None = None) -> None:
        """Adapt the layout to `height`, the visible height in pixels.

        If the title, the legend and a drawing of minimum height do not fit into `height`, or if `is_alone`, the legend
        is placed below the drawing. The title and the drawing with its axes then fill the visible height, and the
        legend is reached by scrolling. If `is_alone` is None, its previous value is kept.
        """
        self._visible_height = height
        self._is_alone = self._is_alone if is_alone is None else is_alone
        gap, legend = self._box.spacing(), 0 if self._legend.isHidden() else self._legend.minimumHeight()
        widget = self._stack.currentWidget()
        min_height = (0 if widget is None else widget.minimumHeight()) or self.fontMetrics().height() * MIN_LINES
        remaining_height = height - max(label.minimumHeight() for label in (self._title, self._caution)) - gap
        # the title of the left axis may be above the drawing
        titles = self.fontMetrics().height() if isinstance(self.panel.content, AxisChart) else 0
        is_low = self._is_alone or min_height + titles + legend + gap > remaining_height
        index = 2 if is_low else 1
        if self._box.indexOf(self._legend) != index:
            self._box.removeWidget(self._legend)
            self._box.insertWidget(index, self._legend)
        line = self.fontMetrics().height()
        if is_low and remaining_height < line * MIN_VISIBLE_LINES:
            # too short to be read without scrolling
            remaining_height = max(min_height, line * SCROLLED_LINES)
        self._stack.setMinimumHeight(max(min_height, remaining_height) if is_low and height else min_height)
        # keeps the axes in view if another panel of the grid must be scrolled
        self._stack.setMaximumHeight(
            max(min_height, remaining_height - (0 if is_low else legend + gap)) if height else MAX_HEIGHT
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit title and caption to the width."""
        super().resizeEvent(event)
        self._fit_labels()
        self.fit(self._visible_height)

    def _fit_labels(self) -> None:
        """Set the minimum heights of title and caption to their wrapped heights, which the layout ignores."""
        for label in (self._title, self._caption):
            label.setMinimumHeight(_wrapped_height(label, label.width()) if label.text() else 0)

    def hasHeightForWidth(self) -> bool:
        """Return False, so that the drawing takes the remaining height."""
        return False

    def current_plot(self) -> Plot | None:
        """Return the plot of the panel; None if the panel shows a message."""
        return self._plots.get(type(self.panel.content))

    def _get_plot(self, kind: type) -> Plot:
        if kind not in self._plots:
            painter = self._plots[kind] = PLOT_CLASSES[kind](partial(self._drawing, kind))
            self._stack.addWidget(painter.widget)
            if isinstance(painter, ChartPlot | ArrowPlot):
                painter.view.described.connect(self.described)
                painter.view.goal_requested.connect(self.goal_requested)
            elif isinstance(painter, HeatMapView):
                painter.described.connect(self.described)
                painter.goal_requested.connect(self.goal_requested)
        return self._plots[kind]

    def _drawing(self, kind: type) -> Any:
        return self.panel.content if isinstance(self.panel.content, kind) else ""


def _wrapped_height(label: Label, width: int) -> int:
    """Return the height in pixels that a label needs at `width`; Qt would return at least the minimum height."""
    min_height = label.minimumHeight()
    label.setMinimumHeight(0)
    height = label.heightForWidth(max(1, width))
    label.setMinimumHeight(min_height)
    return height


class PanelGrid(ArrangedMixin, QWidget):
    """Grid of panels; the number of columns is chosen so that the panels are as large as possible."""

    described = Signal(str)
    goal_requested = Signal(object)
    """`ChartGoal` of the chart item that was activated with the mouse or with Enter."""

    def __init__(self, content: Callable[[], chart_model.Panels | str]) -> None:
        super().__init__()
        self._content = content
        self.frames: list[PanelFrame] = []
        self._panel_count = self._columns = self._arranged = 0
        self._waiting: list[Callable[[], object]] = []
        self._pause = QTimer(self, singleShot=True, interval=0)
        self._pause.timeout.connect(self._draw_next)
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(8, 8, 8, 8)
        self._layout.setSpacing(8)
        self.setAutoFillBackground(True)
        theme.themes.theme_changed.connect(self._on_theme)
        self._on_theme()

    def _on_theme(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, theme.current().surface)
        self.setPalette(palette)

    @property
    def widget(self) -> QWidget:
        """Widget that displays the panels: the grid itself."""
        return self

    def refresh(self, font: QFont) -> str:
        """Show the current content and return an empty string; without content, return a text to show instead."""
        panels = self._content()
        if isinstance(panels, str):
            return panels
        while len(self.frames) < len(panels):
            self._add()
        self._panel_count = len(panels)
        for index, frame in enumerate(self.frames):
            frame.setVisible(index < self._panel_count)
        self._arrange()
        self._waiting = [
            step for frame, panel in zip(self.frames, panels, strict=False) for step in frame.steps(panel, font)
        ]
        self._draw_next()
        return ""

    def _draw_next(self) -> None:
        """Run one drawing step, and return to the event loop before the next step."""
        if self._waiting:
            self._waiting.pop(0)()
        if self._waiting:
            self._pause.start()
        else:
            # the heights of the titles are known only now
            self._arrange()

    def finish(self) -> None:
        """Run all remaining drawing steps immediately."""
        while self._waiting:
            self._waiting.pop(0)()
        self._arrange()

    def _add(self) -> None:
        frame = PanelFrame()
        # without a parent, the frame would be shown as a window and take the focus
        frame.setParent(self)
        frame.described.connect(self.described)
        frame.goal_requested.connect(self.goal_requested)
        self.frames.append(frame)
        self._columns = 0

    def _columns_for(self, width: int, height: int) -> int:
        """Return the number of columns that maximizes the size of panels at the preferred aspect ratio."""
        min_width = self.fontMetrics().horizontalAdvance("0") * MIN_PANEL_CHARS
        max_columns = min(self._panel_count, max(1, width // min_width))

        def size(columns: int) -> float:
            return min(width / columns, ASPECT_RATIO * height / math.ceil(self._panel_count / columns))

        return max(range(1, max_columns + 1), key=lambda columns: (size(columns), -columns))

    def _is_too_low(self, columns: int, height: int) -> bool:
        """Return whether a drawing is too short in `columns` columns although the first drawing fits at full width."""
        width = self.width() - 2 * self._layout.contentsMargins().left()
        frames = self.frames[: self._panel_count]
        share = width // columns - self._layout.horizontalSpacing()
        return not all(frame.fits(share, height, MIN_SIDE_LINES) for frame in frames) and frames[0].fits(width, height)

    def _arrange(self) -> None:
        parent = self.parentWidget()
        if not self._panel_count or parent is None:
            return
        # the scroll area has the available height; this widget may be taller
        columns, margins = self._columns_for(self.width(), parent.height()), self._layout.contentsMargins()
        height = parent.height() - margins.top() - margins.bottom()
        is_alone = columns > 1 and self._is_too_low(columns, height)
        columns = 1 if is_alone else columns
        for frame in self.frames[: self._panel_count]:
            frame.fit(height, is_alone=is_alone)
        if (columns, self._panel_count) == (self._columns, self._arranged):
            return
        self._columns, self._arranged = columns, self._panel_count
        for index, frame in enumerate(self.frames[: self._panel_count]):
            self._layout.addWidget(frame, index // columns, index % columns)
        for row in range(self._layout.rowCount()):
            self._layout.setRowStretch(row, 1 if row * columns < self._panel_count else 0)
        for column in range(self._layout.columnCount()):
            self._layout.setColumnStretch(column, 1 if column < columns else 0)

    def minimumSizeHint(self) -> QSize:
        """Return the minimum size of the grid; its width does not depend on the lengths of names."""
        return QSize(
            self.fontMetrics().horizontalAdvance("0") * MIN_PANEL_CHARS // 2, super().minimumSizeHint().height()
        )

    def event(self, event: QEvent) -> bool:
        """Watch the size of a new parent: resizing the parent does not resize a grid that is taller than the parent."""
        parent = self.parentWidget()
        if event.type() == QEvent.Type.ParentChange and parent is not None:
            parent.installEventFilter(self)
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Rearrange the panels when the parent, whose height is the visible height, is resized."""
        if watched is self.parentWidget() and event.type() == QEvent.Type.Resize:
            self._arrange()
        return super().eventFilter(watched, event)
