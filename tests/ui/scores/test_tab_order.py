"""Tab order of the Scores area, and layout of its chart tabs."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.widgets.keyboard_focus import FocusFrame
from qe_desktop.ui.widgets.plots.lazy_plot import PlotScrollArea


def test_tab_order_goes_from_table_to_matrix_tabs_and_chart(
    environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    environment.open(corpus(3))
    area.show()
    area.activateWindow()
    qtbot.waitUntil(area.isActiveWindow)
    qtbot.waitUntil(lambda: area.systems.intervals.plot is not None)

    def press_tab(key: Qt.Key = Qt.Key.Key_Tab) -> QWidget:
        widget = QApplication.focusWidget()
        assert widget is not None
        qtbot.keyClick(widget, key)
        focused = QApplication.focusWidget()
        assert focused is not None
        return focused

    area.systems.table.setFocus()
    assert press_tab() is area.systems.matrix.view
    assert press_tab() is area.systems.gallery.tabBar()
    # the scroll area of a plot without points takes the focus and shows a focus frame
    stop = press_tab()
    assert isinstance(stop, PlotScrollArea)
    assert stop.accessibleName() == "Intervals"
    frame = stop.findChild(FocusFrame)
    assert frame.isVisible()
    assert frame.geometry() == stop.rect()
    assert press_tab(Qt.Key.Key_Backtab) is area.systems.gallery.tabBar()
    assert not frame.isVisible()


def test_chart_with_points_is_a_single_tab_stop(environment: Any, area: ScoresArea, qtbot: QtBot) -> None:
    draw = np.random.default_rng(1)
    keys = [LayerKey(Provenance.GOLD, "hter", Kind.SCORES)]
    keys += [LayerKey(Provenance.SYSTEM, name, Kind.SCORES) for name in "ab"]
    environment.open(Corpus("numbers", 30, {}, {key: Layer(key, draw.random(30)) for key in keys}))
    area.show()
    area.activateWindow()
    qtbot.waitUntil(area.isActiveWindow)
    pane = area.systems.gallery.pane("beside-gold")
    area.systems.gallery.setCurrentWidget(pane)
    qtbot.waitUntil(lambda: pane.plot_widget.plot is not None)
    environment.wait()
    pane.plot_widget.plot.finish()
    # the chart enters the tab order in its layout
    QApplication.processEvents()
    area.systems.gallery.tabBar().setFocus()
    qtbot.keyClick(area.systems.gallery.tabBar(), Qt.Key.Key_Tab)
    stop = QApplication.focusWidget()
    # this import needs the plotting library, which has been loaded
    from qe_desktop.ui.widgets.plots.interactive_plot import InteractivePlotWidget

    assert isinstance(stop, InteractivePlotWidget)
    assert stop.indicated_point is not None
    qtbot.keyClick(stop, Qt.Key.Key_Backtab)
    assert QApplication.focusWidget() is area.systems.gallery.tabBar()


def test_chart_tabs_are_adjacent_at_every_level(environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot) -> None:
    tagged = corpus(2)
    keys = [LayerKey(Provenance.GOLD, "hter", Kind.SCORES), LayerKey(Provenance.SYSTEM, "a", Kind.SCORES)]
    keys.append(LayerKey(Provenance.SYSTEM, "b", Kind.SCORES))
    numbers = {key: Layer(key, np.random.default_rng(2).random(tagged.size)) for key in keys}
    environment.open(replace(tagged, layers={**tagged.layers, **numbers}))
    area.show()
    qtbot.waitExposed(area)
    words, sentences = environment.workspace.levels()
    for level in (sentences, words, sentences):
        # the area is hidden as it is behind another page
        area.hide()
        environment.workspace.set_level(level)
        environment.wait()
        area.show()
        bar = area.systems.gallery.tabBar()
        rects = [bar.tabRect(index) for index in range(bar.count()) if bar.isTabVisible(index)]
        assert len(rects) == len(level.charts) + 2
        assert all(left.right() + 1 == right.left() for left, right in pairwise(rects))
