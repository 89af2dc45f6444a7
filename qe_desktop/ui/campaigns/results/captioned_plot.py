"""Chart with a title and a caption, and tabs of charts that show a legend instead of the caption."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from qe_desktop.ui.campaigns.results.plot_data import PlotContent, ValueCounts, content_table
from qe_desktop.ui.campaigns.results.value_legend import ValueLegend
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, vbox
from qe_desktop.ui.widgets.plots.lazy_plot import LazyPlotWidget, Plot
from qe_desktop.ui.widgets.tabs import TabWidget, tab_size
from qe_desktop.ui.widgets.themed_widget import ArrangedMixin
from qe_desktop.ui.workspace import Workspace

MIN_LINES = 8


class CaptionedPlot(QWidget):
    """Chart widget with a title and a caption. It shows one `PlotContent` of any kind at a time.

    Use `titled=False` if the title is shown elsewhere, for example on a tab.
    """

    def __init__(self, workspace: Workspace, title: str, parent: QWidget | None = None, *, titled: bool = True) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._name = title
        self.content: PlotContent | str = ""
        self._plots: dict[type, LazyPlotWidget] = {}
        self.title = Label(title, bold=True)
        self.title.setVisible(titled)
        self._text_label = Label(token="muted", wraps=True, selectable=True)
        self._text_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.caption = Label(token="muted", narrow=True, selectable=True)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._text_label)
        vbox(self.title, Stretched(self._stack, 1), self.caption, on=self, gap=4)

    def minimumSizeHint(self) -> QSize:
        """Return a minimum size for a few rows, which does not depend on the length of the caption."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance("0") * 24, metrics.height() * MIN_LINES)

    def hasHeightForWidth(self) -> bool:
        """Return False: the chart uses the height that remains above the caption."""
        return False

    @property
    def plot_widget(self) -> LazyPlotWidget | None:
        """Current chart widget; None while a message is shown."""
        return self._plots.get(type(self.content))

    def show_content(self, content: PlotContent | str, caption: str = "", title: str = "") -> None:
        """Draw `content` or, if it is a string, show it as a message. `title` replaces the default title."""
        self.content = content
        self.title.setText(title or self._name)
        self.caption.setText(caption)
        self.caption.setVisible(bool(caption) and not isinstance(content, str))
        if isinstance(content, str):
            self._text_label.setText(content)
            self._stack.setCurrentWidget(self._text_label)
            return
        kind = type(content)
        if kind not in self._plots:
            build = partial(self._build, kind)
            self._plots[kind] = LazyPlotWidget(self._workspace, self._name, build, numbers=self._numbers)
            self._stack.addWidget(self._plots[kind])
        self._stack.setCurrentWidget(self._plots[kind])
        self._plots[kind].refresh()

    def _build(self, kind: type) -> Plot:
        """Create the chart for a kind of content. The plotting library must have been loaded."""
        # imported on demand, because it imports the plotting library
        from qe_desktop.ui.campaigns.results.result_plots import PLOT_CLASSES

        return PLOT_CLASSES[kind](partial(self._content_of_kind, kind))

    def _numbers(self) -> Callable[[], str] | None:
        """Return a function that returns the numbers of the visible chart as TSV; None if a message is shown."""
        content = self.content
        return None if isinstance(content, str) else lambda: content_table(content).tsv()

    def _content_of_kind(self, kind: type) -> PlotContent | str:
        return self.content if isinstance(self.content, kind) else ""


class DistributionTabs(ArrangedMixin, TabWidget):
    """Tabs of charts. If the current chart shows `ValueCounts`, its legend is next to the tabs.

    If there is no space for the names of the lowest and highest values, the legend shows only the values. If there is
    no space for the legend, the caption of the chart is shown instead.
    """

    def __init__(self) -> None:
        super().__init__()
        self.legend = ValueLegend()
        self.setCornerWidget(self.legend)
        self.currentChanged.connect(self.fit)

    def fit(self) -> None:
        """Show the legend of the current chart if there is space for it, or else the caption of the chart."""
        plot = self.currentWidget()
        if not isinstance(plot, CaptionedPlot):
            return
        content = plot.content
        has_room = isinstance(content, ValueCounts) and self._show_legend(content)
        self.legend.setVisible(has_room)
        plot.caption.setVisible(bool(plot.caption.text()) and not has_room and not isinstance(content, str))

    def _show_legend(self, content: ValueCounts) -> bool:
        """Show the values in the legend, with names if there is space; return False if not even the values fit."""
        tabs = sum(tab_size(self.tabText(index)).width() for index in range(self.count()))
        for names in (content.labels, content.values):
            self.legend.show_names(names)
            if self.legend.sizeHint().width() <= self.width() - tabs:
                return True
        return False

    def _arrange(self) -> None:
        self.fit()
