"""At a text size of 150 % in a window of 1280 × 800, pages keep three rows and all options in one line."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QComboBox, QTableView, QWidget

from qe_desktop.ui.icons import resource_folder
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_page import MetaEvaluationPage
from qe_desktop.ui.scores.plots.plot_panels import MIN_VISIBLE_LINES
from qe_desktop.ui.scores.systems_page import SystemsPage
from qe_desktop.ui.shell.appearance import apply_text_size
from qe_desktop.ui.widgets.control_bar import LabelledControlsBar
from qe_desktop.ui.widgets.layouts import WholeLinesScrollArea
from tests.ui.inspect.text_share import shown_rect
from tests.ui.program_driver import run_script

LARGE, SIZE = 150, (1280, 800)
MIN_ROWS = 3
SAMPLE = resource_folder() / "samples/en-de"


@pytest.fixture
def large_text(qapp):
    yield lambda: apply_text_size(qapp, LARGE)
    apply_text_size(qapp, 100)


def rect_in(widget: QWidget, around: QWidget) -> QRect:
    return QRect(widget.mapTo(around, QPoint()), widget.size())


def shown_rows(table: QTableView) -> int:
    """Return the number of rows that are fully in view."""
    height = table.viewport().visibleRegion().boundingRect().height()
    header = table.verticalHeader()
    rows = [header.sectionViewportPosition(row) + header.sectionSize(row) for row in range(table.model().rowCount())]
    return sum(bottom <= height + 1 for bottom in rows)


def check_bar(bar: LabelledControlsBar) -> None:
    """Check that the controls are in one line inside the bar, and that no value is cut."""
    boxes = [box for box in bar.findChildren(QComboBox) if box.isVisible() and box.window() is bar.window()]
    assert boxes
    for box in boxes:
        assert bar.rect().contains(rect_in(box, bar))
        assert box.width() >= box.sizeHint().width()
    assert len({rect_in(box, bar).center().y() // 8 for box in boxes}) == 1
    assert bar.height() < 2 * boxes[0].height()


@pytest.mark.parametrize("page", ["systems", "findings", "people", "studies"])
def test_tables_keep_three_rows_and_options_are_in_one_line(qtbot, large_text, page):
    def script(driver):
        yield driver.is_open
        driver.shell.resize(*SIZE)
        large_text()
        driver.shell.show_area("scores")
        driver.shell.commands[f"scores.page-{page}"].trigger()

        def tables():
            return [
                table for table in driver.shell.findChildren(QTableView)
                if table.isVisible() and table.model().rowCount() > 2 and table.height() > 50
            ]  # fmt: skip

        yield lambda: tables() and not driver.shell.jobs.running_jobs()
        for _ in range(9):
            yield lambda: not driver.shell.jobs.running_jobs()
        assert (driver.shell.width(), driver.shell.height()) == SIZE
        table = min(tables(), key=lambda table: rect_in(table, driver.shell).top())
        assert shown_rows(table) >= MIN_ROWS
        for bar in driver.shell.findChildren(LabelledControlsBar):
            if bar.isVisible() and bar.findChildren(QComboBox):
                check_bar(bar)
        for notes in driver.shell.findChildren(WholeLinesScrollArea):
            # notes are scrolled only if there is no space below them
            left = notes.parentWidget().height() - notes.geometry().bottom()
            is_scrolled = notes.verticalScrollBar().maximum() > 0
            assert not notes.isVisible() or not is_scrolled or left < notes.fontMetrics().height()

    assert run_script([str(SAMPLE)], script) == 0


@pytest.mark.parametrize("level", ["words", "sentences"])
def test_systems_and_their_matrix_are_in_view_without_scrolling(qtbot, large_text, level):
    def script(driver):
        yield driver.is_open
        driver.shell.resize(*SIZE)
        large_text()
        driver.shell.show_area("scores")
        driver.shell.commands["scores.page-systems"].trigger()
        yield lambda: driver.shell.findChild(SystemsPage) is not None
        page, workspace = driver.shell.findChild(SystemsPage), driver.wiring.workspace
        # the chart of another level is replaced by the first one
        page.gallery.show_chart("intervals" if level == "words" else "hits-and-misses")
        workspace.set_level(next(item for item in workspace.levels() if item.name == level))
        for _ in range(9):
            yield lambda: not driver.shell.jobs.running_jobs() and page.matrix.view.isVisible()
        assert page.table.verticalScrollBar().maximum() == page.table.horizontalScrollBar().maximum() == 0
        assert shown_rows(page.table) == 4
        assert page.matrix.view.verticalScrollBar().maximum() == 0
        assert rect_in(page.matrix.view, page.matrix).bottom() < rect_in(page.matrix._legend, page.matrix).top()
        assert page.gallery.currentWidget() is page.intervals

    assert run_script([str(SAMPLE)], script) == 0


def test_chart_of_the_meta_evaluation_is_in_a_tab_if_the_text_is_large(qtbot, large_text):
    def script(driver):
        yield driver.is_open
        driver.shell.resize(*SIZE)
        driver.shell.show_area("scores")
        driver.shell.commands["scores.page-people"].trigger()
        yield lambda: driver.shell.findChild(MetaEvaluationPage) is not None
        page = driver.shell.findChild(MetaEvaluationPage)
        picture = page.views.chart_pane
        yield lambda: picture.plot_widget.plot is not None and not driver.shell.jobs.running_jobs()
        assert not page.views.has_chart
        assert rect_in(picture, page).left() > rect_in(page.view, page).right()
        large_text()
        yield lambda: page.views.has_chart
        for _ in range(9):
            yield lambda: not driver.shell.jobs.running_jobs()
        assert page.views.current_view == "picture"
        assert picture.isVisible()
        assert rect_in(picture, page).top() > rect_in(page.view, page).bottom()
        # nearly all columns are in view
        assert page.view.horizontalScrollBar().maximum() < page.view.width() / 10
        # both drawings are in view with their axes, or are scrolled at a height that shows them
        for frame in picture.plot_widget.plot.frames:
            drawing, line = frame._stack.currentWidget(), page.fontMetrics().height()
            is_whole = shown_rect(drawing, driver.shell).height() == drawing.height()
            assert drawing.height() >= (5 if is_whole else MIN_VISIBLE_LINES) * line
        apply_text_size(QApplication.instance(), 100)
        yield lambda: not page.views.has_chart
        assert rect_in(picture, page).left() > rect_in(page.view, page).right()

    assert run_script([str(SAMPLE)], script) == 0
