"""Tab and Shift+Tab lead through all controls of a page of the real window, and back to the first."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from qe_desktop.ui.scores.area import PAGES
from qe_desktop.ui.widgets.dialogs import Dialog
from qe_desktop.ui.widgets.keyboard_focus import move_focus
from qe_desktop.ui.widgets.layouts import hbox
from qe_desktop.ui.widgets.plots.lazy_plot import LazyPlotWidget, PlotScrollArea
from tests.ui.program_driver import run_script

MAX_STOPS = 100


def stops(shell: QWidget) -> set[QWidget]:
    """Return the visible controls of a window that Tab may reach."""
    return {
        widget
        for widget in shell.findChildren(QWidget)
        if widget.window() is shell
        and widget.isVisible()
        and widget.isEnabled()
        and widget.focusProxy() is None
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        # passes the focus on to the points of its plot
        and not (isinstance(widget, PlotScrollArea) and widget._tab_stops())
    }


def ring(shell: QWidget, key: Qt.Key) -> set[QWidget]:
    """Return the controls that a key visits until it returns to the first."""
    # the program may have moved the focus to a page without controls, which Tab does not reach
    QTest.keyClick(QApplication.focusWidget() or shell, key)
    start = QApplication.focusWidget()
    assert start is not None
    visited = [start]
    while len(visited) < MAX_STOPS:
        QTest.keyClick(visited[-1], key)
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused is start:
            return set(visited)
        assert focused not in visited, f"{key} goes round in a part of the window: {visited}"
        visited.append(focused)
    raise AssertionError(f"{key} does not return to {start}")


def plots_are_drawn(shell: QWidget) -> bool:
    return all(plot.plot is not None for plot in shell.findChildren(LazyPlotWidget) if plot.isVisible())


@pytest.mark.parametrize("area", ["inspect", "scores", "rate"])
def test_tab_reaches_all_controls_of_a_page(qtbot, area):
    def script(driver):
        shell = driver.shell
        yield driver.is_open
        shell.show_area(area)
        yield lambda: shell.areas._stack.built_page(area) is not None
        if area == "inspect":
            pages = [lambda: None]
        elif area == "scores":
            pages = [lambda id=entry.id: shell.area("scores").pages.show_page(id) for entry in PAGES]
            pages.append(lambda: shell.area("scores").pages.show_page("systems"))
        else:
            pages = [lambda: driver.wiring.rating.area.show_page("results")]
        for show in pages:
            show()
            yield lambda: not shell.jobs.running_jobs()
            yield lambda: plots_are_drawn(shell) and not shell.jobs.running_jobs()
            # when it ends, the program of the previous test takes the focus away
            shell.activateWindow()
            yield shell.isActiveWindow
            forward = ring(shell, Qt.Key.Key_Tab)
            assert stops(shell) <= forward
            assert ring(shell, Qt.Key.Key_Backtab) == forward

    assert run_script(["demo"], script) == 0


def test_containers_that_pass_the_focus_on_do_not_hold_it(qtbot):
    dialog = Dialog()
    before, first, second, after = (QLineEdit(name, dialog) for name in ("before", "first", "second", "after"))
    container = QWidget(dialog)
    hbox(first, second, on=container)
    hbox(before, container, after, on=dialog)
    order = [before, first, second, container, after]
    for earlier, later in pairwise(order):
        QWidget.setTabOrder(earlier, later)
    container.setFocusProxy(first)
    dialog.show()
    qtbot.waitExposed(dialog)
    before.setFocus()
    visited = []
    for _ in range(4):
        assert move_focus(dialog, forward=True)
        visited.append(dialog.focusWidget())
    assert visited == [first, second, after, before]
    before.setFocus()
    QTest.keyClick(before, Qt.Key.Key_Tab)
    QTest.keyClick(first, Qt.Key.Key_Tab)
    QTest.keyClick(second, Qt.Key.Key_Tab)
    assert dialog.focusWidget() is after
    dialog.close()
