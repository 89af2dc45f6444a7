"""Tabs of distribution charts, with the legend next to the tabs."""

from __future__ import annotations

from qe_desktop.ui.campaigns.results.captioned_plot import CaptionedPlot
from qe_desktop.ui.campaigns.results.plot_data import ValueCounts
from qe_desktop.ui.campaigns.results.value_legend import ValueLegend
from qe_desktop.ui.widgets.tabs import TabWidget, tab_size
from qe_desktop.ui.widgets.themed_widget import ArrangedMixin


class DistributionTabs(ArrangedMixin, TabWidget):
    """Tabs of charts; the legend of the current distribution is next to the tabs.

    If there is no room for the names of the lowest and the highest value, the legend has only the values; if there is
    no room for it at all, the caption of the chart is shown instead.
    """

    def __init__(self) -> None:
        super().__init__()
        self.legend = ValueLegend()
        self.setCornerWidget(self.legend)
        self.currentChanged.connect(self.fit)

    def fit(self) -> None:
        """Show the legend of the current chart if there is room for it, or else the caption of the chart."""
        plot = self.currentWidget()
        if not isinstance(plot, CaptionedPlot):
            return
        content = plot.content
        has_room = isinstance(content, ValueCounts) and self._show_legend(content)
        self.legend.setVisible(has_room)
        plot.caption.setVisible(bool(plot.caption.text()) and not has_room and not isinstance(content, str))

    def _show_legend(self, content: ValueCounts) -> bool:
        """Show the values with or without names; return whether there is room for them."""
        tabs = sum(tab_size(self.tabText(index)).width() for index in range(self.count()))
        for names in (content.labels, content.values):
            self.legend.show_names(names)
            if self.legend.sizeHint().width() <= self.width() - tabs:
                return True
        return False

    def _arrange(self) -> None:
        self.fit()
