"""Chart widgets: error bars, marks, names of dots, and targets of dots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QImage, QPainter
from PySide6.QtWidgets import QApplication, QGraphicsSimpleTextItem, QWidget
from pytestqt.qtbot import QtBot

from qe_desktop.levels.chart_model import (
    AxisChart,
    ChartLine,
    ChartPoints,
    ErrorBars,
    LegendKey,
    PairGoal,
    Panel,
    StackedBars,
    SystemGoal,
)
from qe_desktop.ui import theme
from qe_desktop.ui.scores.plots.chart_plot import ChartPlot
from qe_desktop.ui.scores.plots.plot_panels import PanelGrid, StackedBarPlot
from qe_desktop.ui.widgets.plots.interval_plot import IntervalPlot
from qe_desktop.ui.widgets.plots.interval_plot_data import IntervalPlotData, IntervalRow
from qe_desktop.ui.widgets.plots.lazy_plot import PlotScrollArea

X = np.asarray([0.0, 1.0, 1.02, 3.0])
Y = np.asarray([0.0, 2.0, 2.01, 1.0])
KEYS = (LegendKey("even", "accent", "dot"), LegendKey("odd", "bad", "ring"))


def chart(names: tuple[str, ...] = ("alpha", "beta", "gamma", "delta"), **more: Any) -> AxisChart:
    goals = [SystemGoal(0), PairGoal(1, 2), None, SystemGoal(3)]
    kinds = np.asarray([0, 1, 0, 1])
    points = ChartPoints(X, Y, lambda index: f"dot {index}", goals.__getitem__, key_indices=kinds, labels=names)
    ends = np.stack([X - 0.2, X + 0.2], axis=1), np.stack([Y - 0.1, np.where(X < 3, Y + 0.1, np.nan)], axis=1)
    crosses = (ErrorBars(X, Y, *ends, LegendKey("interval", "muted", "cross")),)
    return AxisChart("across", "up", (-0.2, 3.2, -0.2, 2.2), error_bars=crosses, points=points, dots=KEYS, **more)


@pytest.fixture
def draw_chart(qtbot: QtBot) -> Callable[[AxisChart], Any]:
    """Return a function that shows a chart and returns its grid."""

    def draw(content: AxisChart) -> Any:
        grid = PanelGrid(lambda: (Panel("a title", content),))
        qtbot.addWidget(grid)
        grid.resize(700, 500)
        grid.show()
        assert grid.refresh(grid.font()) == ""
        grid.finish()
        qtbot.waitExposed(grid)
        return grid

    return draw


def names_of(grid: Any) -> list[QGraphicsSimpleTextItem]:
    view = grid.frames[0].current_plot().view
    return [item for item in view.scene().items() if isinstance(item, QGraphicsSimpleTextItem) and item.isVisible()]


def test_names_are_next_to_their_dots_without_overlap(draw_chart: Callable[[AxisChart], Any], qtbot: QtBot) -> None:
    grid = draw_chart(chart())
    view = grid.frames[0].current_plot().view
    indices = {name: index for index, name in enumerate(("alpha", "beta", "gamma", "delta"))}

    def boxes() -> list[Any]:
        return [item.deviceTransform(view.viewportTransform()).mapRect(item.boundingRect()) for item in names_of(grid)]

    def are_beside_their_dots() -> bool:
        return all(
            box.adjusted(-14, -14, 14, 14).contains(view.pixel_of(indices[item.text()]))
            for item, box in zip(names_of(grid), boxes(), strict=True)
        )

    for width in (700, 420):
        grid.resize(width, 500)
        qtbot.waitUntil(are_beside_their_dots)
        name_boxes = boxes()
        assert len(name_boxes) >= 3
        assert not any(
            first.intersects(second) for index, first in enumerate(name_boxes) for second in name_boxes[:index]
        )


def test_axis_has_a_label_at_its_upper_limit(qtbot: QtBot) -> None:
    plot = ChartPlot(lambda: AxisChart("across", "up", (0.0, 1.0, 0.0, 1.0)))
    qtbot.addWidget(plot.widget)
    plot.widget.show()
    plot.refresh(plot.widget.font())
    image = QImage(10, 10, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    # narrower than 300 pixels, the default padding is narrower than half a label
    for width in range(240, 400, 20):
        plot.widget.resize(width, 200)
        qtbot.wait(1)
        labels = [label for *_, label in plot.view.getAxis("bottom").generateDrawSpecs(painter)[2]]
        assert (labels[0], labels[-1]) == ("0", "1.0"), width
    painter.end()


def test_names_are_shown_only_if_the_chart_has_names(draw_chart: Callable[[AxisChart], Any]) -> None:
    contents = [chart(), chart(names=()), chart(names=("one", "", "", ""))]
    grid = draw_chart(contents[0])
    frame = grid.frames[0]
    for content, shown in zip(contents, (True, False, True), strict=True):
        frame.show_panel(Panel("", content), grid.font())
        assert bool([item for item in names_of(grid) if item.text()]) is shown


def test_error_bars_with_unknown_ends_are_left_out(draw_chart: Callable[[AxisChart], Any]) -> None:
    painter = draw_chart(chart()).frames[0].current_plot()
    x, y = painter._crosses[0].getData()
    # four horizontal and three vertical error bars
    assert len(x) == len(y) == 14
    assert np.isfinite(x).all()
    assert np.isfinite(y).all()


def test_dots_have_the_mark_of_their_kind(draw_chart: Callable[[AxisChart], Any]) -> None:
    grid = draw_chart(chart())
    brushes = [spot.brush().color().name() for spot in grid.frames[0].current_plot()._dots.points()]
    filled, hollow = theme.current().accent.name(), theme.current().surface.name()
    assert brushes == [filled, hollow, filled, hollow]
    assert grid.frames[0]._legend.accessibleName() == "Legend: dot: even: 2, ring: odd: 2, cross: interval"


def test_click_and_enter_on_a_dot_request_its_system_or_pair(
    draw_chart: Callable[[AxisChart], Any], qtbot: QtBot
) -> None:
    grid = draw_chart(chart())
    view = grid.frames[0].current_plot().view
    with qtbot.waitSignal(grid.goal_requested) as request:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.pixel_of(3).toPoint())
    assert request.args == [SystemGoal(3)]
    view.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(view, Qt.Key.Key_Home)
    for goal in (SystemGoal(0), PairGoal(1, 2)):
        with qtbot.waitSignal(grid.goal_requested) as request:
            qtbot.keyClick(view, Qt.Key.Key_Return)
        assert request.args == [goal]
        qtbot.keyClick(view, Qt.Key.Key_Right)
    with qtbot.assertNotEmitted(grid.goal_requested):
        qtbot.keyClick(view, Qt.Key.Key_Return)


def test_axis_of_counts_has_only_whole_numbers(draw_chart: Callable[[AxisChart], Any]) -> None:
    axis = draw_chart(chart(has_integer_x=True)).frames[0].current_plot().view.getAxis("bottom")
    assert [text for _, text in axis._tickLevels[0]] == ["0", "1", "2", "3"]


@pytest.mark.parametrize(("repeated", "whole"), [(1, True), (12, False)])
def test_titles_of_axes_fit_their_axes(draw_chart: Callable[[AxisChart], Any], repeated: int, whole: bool) -> None:
    title = "simulated metric " * repeated
    grid = draw_chart(replace(chart(), y_label=title, x_label=title))
    plot = grid.frames[0].current_plot().view
    box = plot.getPlotItem().getViewBox()
    for place, length in (("left", box.height()), ("bottom", box.width())):
        label = plot.getAxis(place).label
        assert label.boundingRect().width() <= length + 1
        assert (label.toPlainText().strip() == title.strip()) == whole
        assert ("simulated metric" in plot.getAxis(place).toolTip()) != whole
        # centred on the axis, and not cut at either end
        extent = label.mapToParent(label.boundingRect()).boundingRect()
        assert (extent.top() if place == "left" else extent.left()) >= -1


def test_caption_of_another_panel_has_the_height_of_its_lines(qtbot: QtBot) -> None:
    panels = [Panel("a title", chart(), "short")]
    grid = PanelGrid(lambda: tuple(panels))
    qtbot.addWidget(grid)
    grid.resize(300, 400)
    grid.show()
    grid.refresh(grid.font())
    grid.finish()
    panels[0] = Panel("a title", chart(), "a caption of several lines " * 6)
    grid.refresh(grid.font())
    grid.finish()
    caption = grid.frames[0]._caption
    assert caption.minimumHeight() == caption.heightForWidth(caption.width())


def test_fewer_panels_in_the_same_columns_take_the_whole_height(qtbot: QtBot) -> None:
    panels = [Panel(f"title {number}", chart()) for number in range(4)]
    grid, around = PanelGrid(lambda: tuple(panels)), QWidget()
    qtbot.addWidget(around)
    around.resize(1000, 600)
    grid.setParent(around)
    grid.resize(1000, 600)
    around.show()

    def show() -> None:
        grid.refresh(grid.font())
        grid.finish()
        grid._layout.activate()

    show()
    assert grid._columns == 2
    del panels[2:]
    show()
    assert grid._columns == 2
    assert grid.frames[0].height() > 500


@pytest.fixture
def scrolled_grid(qtbot: QtBot) -> Callable[..., tuple[PanelGrid, PlotScrollArea]]:
    def scroll(panels: list[Panel], width: int, height: int) -> tuple[PanelGrid, PlotScrollArea]:
        grid, area = PanelGrid(lambda: tuple(panels)), PlotScrollArea()
        qtbot.addWidget(area)
        area.setWidget(grid)
        area.resize(width, height)
        area.show()
        grid.refresh(grid.font())
        grid.finish()
        qtbot.wait(20)
        return grid, area

    return scroll


def test_low_chart_shows_title_and_axes_before_its_legend(scrolled_grid: Any, qtbot: QtBot) -> None:
    keys = tuple(LegendKey(f"a metric with a long name {number}", "accent", "dot") for number in range(8))
    grid, area = scrolled_grid([Panel("a title", replace(chart(), dots=keys))], 480, 160)
    frame, visible = grid.frames[0], area.viewport().height()
    drawing = frame.current_plot().widget

    def bottom(widget: Any) -> int:
        return widget.mapTo(grid, widget.rect().bottomLeft()).y()

    assert bottom(drawing) <= visible
    assert bottom(drawing) >= visible - 10, "the drawing takes the remaining height"
    assert bottom(frame._legend) > bottom(drawing)
    area.resize(480, 500)
    qtbot.waitUntil(lambda: bottom(frame._legend) < bottom(drawing))
    qtbot.waitUntil(lambda: not area.verticalScrollBar().isVisible())
    area.resize(480, 160)
    qtbot.waitUntil(lambda: bottom(frame._legend) > bottom(drawing))


def test_two_stacked_charts_shrink_before_they_are_scrolled(scrolled_grid: Any) -> None:
    panels = [Panel("a title", chart(), "a caption")] * 2
    grid, area = scrolled_grid(panels, 300, 20 * QFontMetrics(QFont()).height())
    assert grid._columns == 1
    assert not area.verticalScrollBar().isVisible()


@pytest.mark.parametrize(("lines", "columns"), [(8.5, 1), (9.5, 2)])
def test_low_charts_are_not_next_to_each_other(scrolled_grid: Any, lines: float, columns: int) -> None:
    line = QFontMetrics(QFont()).height()
    # a title takes one line, and the margins and gaps take another one
    grid, area = scrolled_grid([Panel("a title", chart())] * 2, 1000, round(lines * line))
    assert grid._columns == columns
    first = grid.frames[0].current_plot().widget
    assert first.mapTo(grid, first.rect().bottomLeft()).y() <= area.viewport().height()


def test_rows_of_intervals_shrink_to_a_line_each(qtbot: QtBot) -> None:
    rows = tuple(IntervalRow(name, 0.5, 0.4, 0.6, name, ".500") for name in "abcd")
    plot, area = IntervalPlot(lambda: IntervalPlotData("share of characters", rows)), PlotScrollArea()
    qtbot.addWidget(area)
    area.setWidget(plot.widget)
    line = QFontMetrics(area.font()).height()
    area.resize(400, round(6.5 * line) + 2)
    area.show()
    plot.refresh(area.font())
    qtbot.wait(20)
    assert not area.verticalScrollBar().isVisible()
    item: Any = plot.widget.getPlotItem()  # type: ignore[attr-defined]
    axis = item.getAxis("bottom")
    text = axis.label.mapRectToScene(axis.label.boundingRect()).adjusted(0, 4, 0, -4)
    assert text.bottom() <= area.viewport().height() + 1, "the title of the axis is whole"


def test_stacked_bars_with_fewer_parts_hide_the_other_bars(qtbot: QtBot) -> None:
    def bars(parts: int) -> StackedBars:
        keys = tuple(LegendKey(f"part {number}", "accent", "solid") for number in range(parts))
        return StackedBars("words", ("MT",), keys, np.ones((1, parts)), ("all parts",))

    drawn = [bars(3)]
    plot = StackedBarPlot(lambda: drawn[0])
    qtbot.addWidget(plot.widget)
    plot.refresh(QFont())
    drawn[0] = bars(2)
    plot.refresh(QFont())
    assert [bar.isVisible() for bar in plot._bars] == [True, True, False]


def test_names_of_dots_avoid_a_straight_line(draw_chart: Any) -> None:
    x = np.asarray([0.0, 1.0, 2.0])
    points = ChartPoints(x, x, str, labels=("alpha", "beta", "gamma"))
    line = ChartLine(np.asarray([-0.2, 2.2]), np.asarray([-0.2, 2.2]), LegendKey("line", "text", "dashed"))
    grid = draw_chart(AxisChart("across", "up", (-1.0, 3.0, -1.0, 3.0), lines=(line,), points=points, dots=KEYS[:1]))
    plot = grid.frames[0].current_plot()
    box = plot.widget.getPlotItem().getViewBox()
    labels = [item for item in box.allChildItems() if isinstance(item, QGraphicsSimpleTextItem) and item.text()]
    assert len(labels) == 3
    for label in labels:
        size, corner = label.boundingRect(), box.mapFromView(label.pos())
        (low, high), (bottom, top) = box.viewRange()
        corners = [corner, corner + size.bottomRight(), corner + size.topRight(), corner + size.bottomLeft()]
        values = [
            ((p.x() / box.width()) * (high - low) + low, top - p.y() / box.height() * (top - bottom)) for p in corners
        ]
        # the line y = x has the whole label on one side
        assert len({up > across for across, up in values}) == 1, label.text()


def test_dots_at_the_limits_of_a_low_plot_are_not_cut(draw_chart: Any) -> None:
    grid = draw_chart(chart())
    grid.resize(700, 150)
    plot = grid.frames[0].current_plot()
    box = plot.widget.getPlotItem().getViewBox()
    (_, _), (bottom, top) = box.viewRange()
    low, high = plot._bounds[1]
    pixel = (top - bottom) / box.height()
    assert min(low - bottom, top - high) / pixel >= 5


def test_legend_says_what_marks_are_and_counts_dots_of_each_kind(qtbot: QtBot) -> None:
    keys = (LegendKey("concordant", "accent", "dot"), LegendKey("discordant", "bad", "ring"))
    points = ChartPoints(np.arange(4.0), np.arange(4.0), str, key_indices=np.asarray([0, 1, 0, 0]))
    panel = Panel("a title", replace(chart(), points=points, dots=keys), legend="Dots: 4 pairs of systems")
    grid = PanelGrid(lambda: (panel,))
    qtbot.addWidget(grid)
    grid.resize(600, 400)
    grid.show()
    grid.refresh(grid.font())
    grid.finish()
    legend = grid.frames[0]._legend
    assert legend.title.text() == "Dots: 4 pairs of systems"
    assert "dot: concordant: 3, ring: discordant: 1" in legend.accessibleName()
    assert legend.accessibleName().startswith("Legend: Dots: 4 pairs of systems; ")
    panel = Panel("a title", chart())
    grid.refresh(grid.font())
    grid.finish()
    assert legend.title.isHidden()


def test_long_title_of_the_left_axis_is_above_a_low_plot(scrolled_grid: Any) -> None:
    title = "difference in the simulated metric"
    grid, area = scrolled_grid([Panel("a title", replace(chart(), y_label=title))], 600, 500)
    plot = grid.frames[0].current_plot().view
    item = plot.getPlotItem()
    for height, is_above in ((500, False), (180, True), (500, False)):
        area.resize(600, height)
        for _ in range(4):
            QApplication.processEvents()
        assert item.titleLabel.isVisible() is is_above
        shown = item.titleLabel.item if is_above else plot.getAxis("left").label
        assert title in shown.toPlainText()


def test_charts_next_to_each_other_are_stacked_rather_than_cut(scrolled_grid: Any) -> None:
    line = QFontMetrics(QFont()).height()
    panels = [Panel("a title of two lines if the chart has only half of the width of the window", chart())] * 2
    grid, area = scrolled_grid(panels, 90 * QFontMetrics(QFont()).horizontalAdvance("0"), round(8.6 * line))
    assert grid._columns == 1
    drawing = grid.frames[0].current_plot().widget
    assert drawing.mapTo(grid, drawing.rect().bottomLeft()).y() <= area.viewport().height()
    area.resize(area.width(), 20 * line)
    QApplication.processEvents()
    assert grid._columns == 2
