"""A picture of several panels beside and below each other, each with its title, legend and caption.

It needs the plotting library, and is imported when a picture is first seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QPalette, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QStackedWidget, QWidget

from qe_desktop.levels import chart_model
from qe_desktop.levels.chart_model import AxisChart, ChangeChart, HeatMap, Panel, StackedBars
from qe_desktop.ui import theme
from qe_desktop.ui.scores.plots.arrow_plot import ArrowPlot
from qe_desktop.ui.scores.plots.chart_plot import ChartPlot
from qe_desktop.ui.scores.plots.heat_map import HeatMapView
from qe_desktop.ui.scores.plots.stacked_bar_plot import StackedBarPlot
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, vbox
from qe_desktop.ui.widgets.plots.plot_legend import PlotLegend

MIN_PANEL_CHARS = 34
"""The least width of a panel, in letters: with less, panels stand below each other."""
ASPECT_RATIO = 1.4
"""How much wider than high a panel is at best."""
MIN_LINES = 9
"""The least height of what is drawn, in lines of text."""


class PanelPlot(Protocol):
    """What draws one kind of drawing."""

    @property
    def widget(self) -> QWidget:
        """The drawing on screen."""
        ...

    def refresh(self, font: QFont) -> str:
        """Draw what there is now; where there is nothing, say so instead."""
        ...


PLOT_CLASSES: dict[type, Callable[[Callable[[], Any]], PanelPlot]] = {
    AxisChart: ChartPlot,
    ChangeChart: ArrowPlot,
    StackedBars: StackedBarPlot,
    HeatMap: HeatMapView,
}
"""What draws each kind of drawing. A new one is a class and a line here."""


class PanelFrame(QWidget):
    """One panel; what draws it is made once for each kind of drawing, and then brought up to date."""

    said = Signal(str)
    wanted = Signal(object)
    """The `Goal` of what was clicked."""

    def __init__(self) -> None:
        super().__init__()
        self.panel = Panel("", "")
        self._painters: dict[type, PanelPlot] = {}
        self._title = Label(bold=True, narrow=True)
        self._legend = PlotLegend()
        self._caption = Label(token="muted", narrow=True)
        self._words = Label(token="muted", narrow=True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._words)
        vbox(self._title, self._legend, Stretched(self._stack, 1), self._caption, on=self, gap=2)

    def steps(self, panel: Panel, font: QFont) -> list[Callable[[], object]]:
        """What is to be done to show a panel. What draws it is made in a step of its own: that takes as long again."""
        show = partial(self.show_panel, panel, font)
        kind = type(panel.drawing)
        return [show] if kind is str or kind in self._painters else [partial(self._painter, kind), show]

    def show_panel(self, panel: Panel, font: QFont) -> None:
        """Show another panel, or the same in other colours."""
        self.panel = panel
        self._title.setText(panel.title)
        self._title.setVisible(bool(panel.title))
        self._legend.show_keys(panel.keys)
        self._caption.setText(panel.caption)
        self._caption.setVisible(bool(panel.caption))
        shown: QWidget = self._words
        if isinstance(panel.drawing, str):
            self._words.setText(panel.drawing)
        else:
            painter = self._painter(type(panel.drawing))
            painter.widget.setAccessibleName(panel.title)
            painter.refresh(font)
            shown = painter.widget
        self._stack.setCurrentWidget(shown)
        self._stack.setMinimumHeight(max(self.fontMetrics().height() * MIN_LINES, shown.minimumHeight()))

    def hasHeightForWidth(self) -> bool:
        """What is drawn takes what title, legend and caption leave."""
        return False

    def painter(self) -> PanelPlot | None:
        """What draws the panel; None where words stand there."""
        return self._painters.get(type(self.panel.drawing))

    def _painter(self, kind: type) -> PanelPlot:
        if kind not in self._painters:
            painter = self._painters[kind] = PLOT_CLASSES[kind](partial(self._drawing, kind))
            self._stack.addWidget(painter.widget)
            if isinstance(painter, ChartPlot | ArrowPlot):
                painter.view.said.connect(self.said)
                painter.view.wanted.connect(self.wanted)
            elif isinstance(painter, HeatMapView):
                painter.said.connect(self.said)
                painter.wanted.connect(self.wanted)
        return self._painters[kind]

    def _drawing(self, kind: type) -> Any:
        return self.panel.drawing if isinstance(self.panel.drawing, kind) else ""


class PanelGrid(QWidget):
    """As many panels in a row as make them largest."""

    said = Signal(str)
    wanted = Signal(object)
    """The `Goal` of what was clicked."""

    def __init__(self, content: Callable[[], chart_model.Panels | str]) -> None:
        super().__init__()
        self._content = content
        self.frames: list[PanelFrame] = []
        self._shown = self._columns = 0
        self._waiting: list[Callable[[], object]] = []
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(0)
        self._pause.timeout.connect(self._draw_next)
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(8, 8, 8, 8)
        self._layout.setSpacing(12)
        self.setAutoFillBackground(True)
        theme.themes.theme_changed.connect(self._on_theme)
        self._on_theme()

    def _on_theme(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, theme.current().surface)
        self.setPalette(palette)

    @property
    def widget(self) -> QWidget:
        """The picture on screen."""
        return self

    def refresh(self, font: QFont) -> str:
        """Show what there is now; where there is nothing, say so instead."""
        panels = self._content()
        if isinstance(panels, str):
            return panels
        while len(self.frames) < len(panels):
            self._add()
        self._shown = len(panels)
        for place, frame in enumerate(self.frames):
            frame.setVisible(place < self._shown)
        self._arrange()
        self._waiting = [
            step for frame, panel in zip(self.frames, panels, strict=False) for step in frame.steps(panel, font)
        ]
        self._draw_next()
        return ""

    def _draw_next(self) -> None:
        """Make or draw a panel, and let the window show it and do what else it has to do before the next."""
        if self._waiting:
            self._waiting.pop(0)()
        if self._waiting:
            self._pause.start()

    def finish(self) -> None:
        """Draw at once what is still to be drawn."""
        while self._waiting:
            self._waiting.pop(0)()

    def _add(self) -> None:
        frame = PanelFrame()
        # shown without a parent it would be a window, and take the focus away with it
        frame.setParent(self)
        frame.said.connect(self.said)
        frame.wanted.connect(self.wanted)
        self.frames.append(frame)
        self._columns = 0

    def _columns_for(self, width: int, height: int) -> int:
        """So many panels in a row that each is as large as can be, and not much wider than high."""
        letters = self.fontMetrics().horizontalAdvance("0") * MIN_PANEL_CHARS
        most = min(self._shown, max(1, width // letters))

        def size(columns: int) -> float:
            return min(width / columns, ASPECT_RATIO * height / math.ceil(self._shown / columns))

        return max(range(1, most + 1), key=lambda columns: (size(columns), -columns))

    def _arrange(self) -> None:
        around = self.parentWidget()
        if not self._shown or around is None:
            return
        # what scrolls around it is as high as there is room, it may be higher itself
        columns = self._columns_for(self.width(), around.height())
        if columns == self._columns:
            return
        self._columns = columns
        for place, frame in enumerate(self.frames[: self._shown]):
            self._layout.addWidget(frame, place // columns, place % columns)
        for row in range(self._layout.rowCount()):
            self._layout.setRowStretch(row, 1 if row * columns < self._shown else 0)
        for column in range(self._layout.columnCount()):
            self._layout.setColumnStretch(column, 1 if column < columns else 0)

    def minimumSizeHint(self) -> QSize:
        """One panel beside the other if need be, however wide their names are."""
        return QSize(
            self.fontMetrics().horizontalAdvance("0") * MIN_PANEL_CHARS // 2, super().minimumSizeHint().height()
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use the room there is."""
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._arrange()
