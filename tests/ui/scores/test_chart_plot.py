"""Charts in the window: crosses, dots of several kinds, names beside dots, and where dots lead to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGraphicsSimpleTextItem
from pytestqt.qtbot import QtBot

from qe_desktop.levels.chart_model import AxisChart, ChartPoints, ErrorBars, LegendKey, PairGoal, Panel, SystemGoal
from qe_desktop.ui import theme
from qe_desktop.ui.scores.plots.plot_panels import PanelGrid

X = np.asarray([0.0, 1.0, 1.02, 3.0])
Y = np.asarray([0.0, 2.0, 2.01, 1.0])
KEYS = (LegendKey("even", "accent", "dot"), LegendKey("odd", "bad", "ring"))


def chart(names: tuple[str, ...] = ("alpha", "beta", "gamma", "delta"), **more: Any) -> AxisChart:
    goals = [SystemGoal(0), PairGoal(1, 2), None, SystemGoal(3)]
    kinds = np.asarray([0, 1, 0, 1])
    points = ChartPoints(X, Y, lambda place: f"dot {place}", goals.__getitem__, kinds=kinds, names=names)
    ends = np.stack([X - 0.2, X + 0.2], axis=1), np.stack([Y - 0.1, np.where(X < 3, Y + 0.1, np.nan)], axis=1)
    crosses = (ErrorBars(X, Y, *ends, LegendKey("interval", "muted", "cross")),)
    return AxisChart("across", "up", (-0.2, 3.2, -0.2, 2.2), crosses=crosses, points=points, dots=KEYS, **more)


@pytest.fixture
def drawn(qtbot: QtBot) -> Callable[[AxisChart], Any]:
    """A chart on screen, and what draws it."""

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
    view = grid.frames[0].painter().view
    return [one for one in view.scene().items() if isinstance(one, QGraphicsSimpleTextItem) and one.isVisible()]


def test_names_stand_beside_their_dots_and_over_nothing(drawn: Callable[[AxisChart], Any], qtbot: QtBot) -> None:
    grid = drawn(chart())
    view = grid.frames[0].painter().view
    places = {name: place for place, name in enumerate(("alpha", "beta", "gamma", "delta"))}

    def boxes() -> list[Any]:
        return [one.deviceTransform(view.viewportTransform()).mapRect(one.boundingRect()) for one in names_of(grid)]

    def beside() -> bool:
        return all(
            box.adjusted(-14, -14, 14, 14).contains(view.pixel_of(places[one.text()]))
            for one, box in zip(names_of(grid), boxes(), strict=True)
        )

    for width in (700, 420):
        grid.resize(width, 500)
        qtbot.waitUntil(beside)
        found = boxes()
        assert len(found) >= 3
        assert not any(one.intersects(other) for place, one in enumerate(found) for other in found[:place])


def test_names_go_with_their_dots(drawn: Callable[[AxisChart], Any]) -> None:
    contents = [chart(), chart(names=()), chart(names=("one", "", "", ""))]
    grid = drawn(contents[0])
    frame = grid.frames[0]
    for content, shown in zip(contents, (True, False, True), strict=True):
        frame.show_panel(Panel("", content), grid.font())
        assert bool([one for one in names_of(grid) if one.text()]) is shown


def test_arms_are_drawn_where_they_are_known(drawn: Callable[[AxisChart], Any]) -> None:
    painter = drawn(chart()).frames[0].painter()
    x, y = painter._crosses[0].getData()
    # four arms across and three up
    assert len(x) == len(y) == 14
    assert np.isfinite(x).all()
    assert np.isfinite(y).all()


def test_dots_have_the_mark_of_their_kind(drawn: Callable[[AxisChart], Any]) -> None:
    grid = drawn(chart())
    brushes = [spot.brush().color().name() for spot in grid.frames[0].painter()._dots.points()]
    filled, hollow = theme.current().accent.name(), theme.current().surface.name()
    assert brushes == [filled, hollow, filled, hollow]
    assert grid.frames[0]._legend.accessibleName() == "Legend: dot: even, ring: odd, cross: interval"


def test_a_dot_leads_to_its_system_or_its_pair(drawn: Callable[[AxisChart], Any], qtbot: QtBot) -> None:
    grid = drawn(chart())
    view = grid.frames[0].painter().view
    with qtbot.waitSignal(grid.wanted) as wanted:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.pixel_of(3).toPoint())
    assert wanted.args == [SystemGoal(3)]
    view.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(view, Qt.Key.Key_Home)
    for goal in (SystemGoal(0), PairGoal(1, 2)):
        with qtbot.waitSignal(grid.wanted) as wanted:
            qtbot.keyClick(view, Qt.Key.Key_Return)
        assert wanted.args == [goal]
        qtbot.keyClick(view, Qt.Key.Key_Right)
    with qtbot.assertNotEmitted(grid.wanted):
        qtbot.keyClick(view, Qt.Key.Key_Return)


def test_what_counts_has_whole_numbers_below(drawn: Callable[[AxisChart], Any]) -> None:
    axis = drawn(chart(whole=True)).frames[0].painter().view.getAxis("bottom")
    assert [text for _, text in axis._tickLevels[0]] == ["0", "1", "2", "3"]
