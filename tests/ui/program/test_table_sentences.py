"""Each cell of each table of Scores and of the rating results has an explanation next to its table."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtWidgets import QTabWidget, QWidget

from qe_desktop.ui.campaigns.results.system_panes import PairPane
from qe_desktop.ui.scores.area import PAGES
from qe_desktop.ui.widgets.lazy_stack import LazyStackedWidget
from qe_desktop.ui.widgets.plots.lazy_plot import LazyPlotWidget
from qe_desktop.ui.widgets.tables.description_line import DescriptionLine
from qe_desktop.ui.widgets.tables.table_view import CopyableTableView
from tests.ui.program_driver import ProgramDriver, run_script


def is_settled(driver: ProgramDriver) -> bool:
    """Return whether no job runs, no page is being built, and all visible charts are drawn."""
    shell = driver.shell
    return not (
        shell.jobs.running_jobs()
        or any(stack.is_building for stack in shell.findChildren(LazyStackedWidget))
        or any(plot.isVisible() and plot.plot is None for plot in shell.findChildren(LazyPlotWidget))
    )


def tabs_of(page: QWidget) -> Iterator[Callable[[], None]]:
    """Yield functions that show each available tab of a page, also within other tabs."""

    def show(tabs: QTabWidget, index: int) -> None:
        tabs.setCurrentIndex(index)
        inner: QWidget = tabs
        while (outer := inner.parentWidget()) is not None and outer is not page:
            if isinstance(outer, QTabWidget):
                place = next(n for n in range(outer.count()) if outer.widget(n).isAncestorOf(tabs))
                outer.setCurrentIndex(place)
            inner = outer

    for tabs in page.findChildren(QTabWidget):
        for index in range(tabs.count()):
            if tabs.isTabVisible(index) and tabs.isTabEnabled(index):
                yield lambda tabs=tabs, index=index: show(tabs, index)


class Explanation:
    """The part of a page that explains cells: its sentence line, or the text next to a matrix of pairs."""

    def __init__(self, page: QWidget, view: QWidget) -> None:
        pairs = [pane for pane in page.findChildren(PairPane) if pane.isAncestorOf(view)]
        lines = [line for line in page.findChildren(DescriptionLine) if line.isVisible()]
        assert pairs or len(lines) == 1, f"{view.accessibleName()}: {len(lines)} sentence lines"
        self.label = pairs[0].details_label if pairs else lines[0].text_label

    def clear(self) -> None:
        self.label.setText("")

    def text(self) -> str:
        return self.label.text()


def explain_cells(page: QWidget, view: CopyableTableView) -> list[str]:
    """Return the headers of columns whose cells have no explanation, after making a cell of each column current."""
    model, missing = view.model(), []
    explanation = Explanation(page, view)
    for row in {0, model.rowCount() - 1}:
        for column in range(model.columnCount()):
            explanation.clear()
            view.setCurrentIndex(model.index(model.rowCount() - 1 - row, model.columnCount() - 1 - column))
            explanation.clear()
            view.setCurrentIndex(model.index(row, column))
            text = explanation.text()
            value = str(model.index(row, column).data() or "")
            # the name of a row may explain itself
            if not text or (column and text.strip(".") == value):
                missing.append(f"{view.accessibleName()}, row {row}, column {column} ({value}): {text!r}")
    return missing


def walk(driver: ProgramDriver, page: QWidget, seen: set[str], missing: list[str]) -> Iterator[Callable[[], object]]:
    """Explain the cells of all tables of a page; yields conditions to wait for, as a script does."""
    for show in (lambda: None, *tabs_of(page)):
        show()
        yield lambda: is_settled(driver)
        for view in page.findChildren(CopyableTableView):
            if view.isVisible() and view.model().rowCount() > 1:
                seen.add(view.accessibleName())
                missing += explain_cells(page, view)


def test_each_column_of_each_table_is_explained(qtbot):
    seen: set[str] = set()
    missing: list[str] = []

    def script(driver):
        yield driver.is_open
        shell = driver.shell
        shell.show_area("scores")
        yield lambda: shell.areas._stack.built_page("scores") is not None
        area = shell.area("scores")
        for id in ("systems", *(entry.id for entry in PAGES)):
            area.pages.show_page(id)
            yield lambda: is_settled(driver)
            yield lambda id=id: area.pages.built_page(id) is not None
            yield from walk(driver, area.pages.built_page(id), seen, missing)
        for study in ("thresholds", "sampling"):
            shell.commands[f"scores.study-{study}"].trigger()
            yield lambda: is_settled(driver)
            yield from walk(driver, area.pages.built_page("studies"), seen, missing)
        shell.show_area("rate")
        yield lambda: shell.areas._stack.built_page("rate") is not None
        rating = driver.wiring.rating.area
        rating.show_page("results")
        yield lambda: is_settled(driver)
        yield from walk(driver, rating.page("results"), seen, missing)

    assert run_script(["demo"], script) == 0
    assert not missing, "\n".join(missing)
    assert len(seen) >= 15, sorted(seen)
