"""Keyboard and mouse navigation in charts: points are described, and segments and pairs of systems are opened."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from qe_desktop.levels.chart_model import ChartPoints
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.widgets.plots.interactive_plot import PointNavigator
from tests.ui.scores.test_plot_pane import GOLD, NEAR, chart_opener, frames


@pytest.fixture
def show_chart(environment: Any, area: ScoresArea, qtbot: QtBot) -> Any:
    return chart_opener(environment, area, qtbot)


def test_arrow_keys_move_between_dots_and_enter_opens_the_segment(
    environment: Any, show_chart: Any, qtbot: QtBot
) -> None:
    pane = show_chart("beside-gold")
    view = frames(pane)[0].current_plot().view
    order = np.argsort(NEAR)
    view.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(view, Qt.Key.Key_Home)
    for key, index in (
        (Qt.Key.Key_Right, 1), (Qt.Key.Key_Right, 2), (Qt.Key.Key_Left, 1), (Qt.Key.Key_PageDown, 5),
        (Qt.Key.Key_End, 39), (Qt.Key.Key_Right, 39), (Qt.Key.Key_Home, 0), (Qt.Key.Key_Left, 0),
    ):  # fmt: skip
        qtbot.keyClick(view, key)
        assert view.indicated_point == order[index]
        assert pane.description.startswith(f"segment {order[index] + 1}: gold ")
    qtbot.keyClick(view, Qt.Key.Key_Up)
    above = np.argsort(GOLD).tolist()
    assert view.indicated_point == above[above.index(order[0]) + 1]
    with qtbot.waitSignal(environment.workspace.segment_requested) as request:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert request.args == [view.indicated_point]
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.indicated_point is None
    assert pane.description == ""
    with qtbot.assertNotEmitted(environment.workspace.segment_requested):
        qtbot.keyClick(view, Qt.Key.Key_Enter)


def test_hovering_describes_a_dot_and_clicking_opens_the_segment(
    environment: Any, show_chart: Any, qtbot: QtBot
) -> None:
    pane = show_chart("beside-gold")
    view = frames(pane)[2].current_plot().view
    farthest = int(np.argmax(NEAR))
    position = view.pixel_of(farthest).toPoint()
    qtbot.mouseMove(view.viewport(), position)
    assert view.indicated_point == farthest
    assert pane.description.startswith(f"segment {farthest + 1}: gold ")
    with qtbot.waitSignal(environment.workspace.segment_requested) as request:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=position)
    assert request.args == [farthest]
    qtbot.mouseMove(view.viewport(), QPoint(1, 1))
    with qtbot.assertNotEmitted(environment.workspace.segment_requested):
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(1, 1))


def test_arrow_keys_move_between_bars_and_their_series(environment: Any, show_chart: Any, qtbot: QtBot) -> None:
    pane = show_chart("beside-gold")
    view = frames(pane)[3].current_plot().view
    points = frames(pane)[3].panel.content.points
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert " in gold" in pane.description
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert " in near" in pane.description
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert points.series[view.indicated_point] == 1
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert points.x[view.indicated_point] == points.x[points.series == 1].max()
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert " in gold" in pane.description
    with qtbot.waitSignal(environment.workspace.segment_requested) as request:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert f"segment {request.args[0] + 1}:" in pane.description


def test_arrow_keys_move_between_systems_from_the_best_down(environment: Any, show_chart: Any, qtbot: QtBot) -> None:
    pane = show_chart("if-rescaled")
    view = frames(pane)[0].current_plot().view
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert pane.description.startswith("near: MAE")
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert pane.description.startswith("far: MAE")
    with qtbot.assertNotEmitted(environment.workspace.segment_requested):
        qtbot.keyClick(view, Qt.Key.Key_Return)


def test_cell_between_systems_is_described_and_requests_segments(
    environment: Any, show_chart: Any, qtbot: QtBot
) -> None:
    pane = show_chart("between-systems")
    view = frames(pane)[0].current_plot().widget
    view.setCurrentIndex(view.model().index(0, 0))
    assert pane.description.startswith("r between near and the gold: ")
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert pane.description.startswith("r between near and far: ")
    with qtbot.waitSignal(environment.workspace.segments_requested) as request:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert [key.name for key in request.args[:2]] == ["near", "far"]
    assert request.args[2] == environment.comparison.metric


def test_point_navigator_works_without_a_chart() -> None:
    points = ChartPoints(np.asarray([3.0, 1.0, 2.0]), np.asarray([1.0, 3.0, 2.0]), str)
    nav = PointNavigator(points)
    assert nav.first_point() == 1
    assert [nav.step_right(point, 1) for point in (1, 0)] == [2, 0]
    assert [nav.step_up(point, 1) for point in (0, 1, None)] == [2, 1, 1]
    assert nav.point_at(2.1, 2.1, 0.1, 0.1) == 2
    assert nav.point_at(2.5, 9.0, 0.1, 0.1) is None
