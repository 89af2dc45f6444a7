"""Where the Tab key goes in the Scores area, and its tabs of pictures."""

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
from qe_desktop.ui.widgets.focus_frame import FocusFrame
from qe_desktop.ui.widgets.plots.lazy_plot import PlotScrollArea


def test_tab_goes_from_table_to_matrix_to_tabs_to_picture(
    world: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    world.open(corpus(3))
    area.show()
    area.activateWindow()
    qtbot.waitUntil(area.isActiveWindow)
    qtbot.waitUntil(lambda: area.systems.intervals.plot is not None)

    def walk(key: Qt.Key = Qt.Key.Key_Tab) -> QWidget:
        widget = QApplication.focusWidget()
        assert widget is not None
        qtbot.keyClick(widget, key)
        now = QApplication.focusWidget()
        assert now is not None
        return now

    area.systems.table.setFocus()
    assert walk() is area.systems.matrix.view
    assert walk() is area.systems.gallery.tabBar()
    # a plot without points is copied from where it is scrolled, and a line says so
    stop = walk()
    assert isinstance(stop, PlotScrollArea)
    assert stop.accessibleName() == "Intervals"
    line = stop.findChild(FocusFrame)
    assert line.isVisible()
    assert line.geometry() == stop.rect()
    assert walk(Qt.Key.Key_Backtab) is area.systems.gallery.tabBar()
    assert not line.isVisible()


def test_a_picture_with_points_is_one_stop(world: Any, area: ScoresArea, qtbot: QtBot) -> None:
    draw = np.random.default_rng(1)
    keys = [LayerKey(Provenance.GOLD, "hter", Kind.SCORES)]
    keys += [LayerKey(Provenance.SYSTEM, name, Kind.SCORES) for name in "ab"]
    world.open(Corpus("numbers", 30, {}, {key: Layer(key, draw.random(30)) for key in keys}))
    area.show()
    area.activateWindow()
    qtbot.waitUntil(area.isActiveWindow)
    pane = area.systems.gallery.pane("beside-gold")
    area.systems.gallery.setCurrentWidget(pane)
    qtbot.waitUntil(lambda: pane.place.plot is not None)
    world.wait()
    pane.place.plot.finish()
    area.systems.gallery.tabBar().setFocus()
    qtbot.keyClick(area.systems.gallery.tabBar(), Qt.Key.Key_Tab)
    stop = QApplication.focusWidget()
    # it needs the plotting library, which is there by now
    from qe_desktop.ui.widgets.plots.interactive_plot import InteractivePlotWidget

    assert isinstance(stop, InteractivePlotWidget)
    assert stop.place is not None
    qtbot.keyClick(stop, Qt.Key.Key_Backtab)
    assert QApplication.focusWidget() is area.systems.gallery.tabBar()


def test_tabs_stand_side_by_side_at_every_level(world: Any, corpus: Any, area: ScoresArea, qtbot: QtBot) -> None:
    tagged = corpus(2)
    keys = [LayerKey(Provenance.GOLD, "hter", Kind.SCORES), LayerKey(Provenance.SYSTEM, "a", Kind.SCORES)]
    keys.append(LayerKey(Provenance.SYSTEM, "b", Kind.SCORES))
    numbers = {key: Layer(key, np.random.default_rng(2).random(tagged.size)) for key in keys}
    world.open(replace(tagged, layers={**tagged.layers, **numbers}))
    area.show()
    qtbot.waitExposed(area)
    words, sentences = world.workspace.levels()
    for level in (sentences, words, sentences):
        # as behind another page
        area.hide()
        world.workspace.set_level(level)
        world.wait()
        area.show()
        bar = area.systems.gallery.tabBar()
        rooms = [bar.tabRect(place) for place in range(bar.count()) if bar.isTabVisible(place)]
        assert len(rooms) == len(level.pictures) + 2
        assert all(one.right() + 1 == other.left() for one, other in pairwise(rooms))
