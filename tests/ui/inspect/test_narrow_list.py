"""Bar above the segment list, and its columns: in a narrow window, parts move to menus, and nothing is cut off."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QToolTip, QWidget

from qe_desktop.corpus import Corpus, TextColumn, TextRole
from qe_desktop.project.segment_filter import SegmentQuery
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.segment_list.filter_bar_row import FOLD_ORDER, SUMMARY, SYSTEM, VALUES
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from qe_desktop.ui.inspect.segment_list.segment_view import MIN_TEXT_CHARS
from qe_desktop.ui.shell.appearance import apply_text_size
from qe_desktop.ui.widgets.labels import plain_tooltip
from qe_desktop.ui.widgets.tables.table_delegate import PADDING
from tests.ui.program_driver import run_script


@pytest.fixture
def bar(qtbot, area):
    """Filter bar with a summary of scores in a wide window."""
    button = QPushButton("F1-mult: strong .627")
    area.filters.row.add_summary(button, button)
    area.resize(2400, 700)
    QApplication.processEvents()
    return area.filters


def visible_parts(bar) -> list[QWidget]:
    layout = bar.row.layout()
    parts = [layout.itemAt(index).widget() for index in range(layout.count())]
    return [part for part in parts if part is not None and part.isVisible()]


def resize(area: InspectArea, width: int) -> None:
    area.resize(width, 700)
    QApplication.processEvents()


def test_parts_of_the_bar_fold_one_after_the_other_and_nothing_is_cut(area, bar):
    bar.row.show_choices(order=True, system=True)
    bar.row.show_title("cautious vs. eager, phr-F1-mult")
    found = set()
    for width in [*range(1400, 500, -20), *range(500, 1400, 20)]:
        resize(area, width)
        found.add(len(bar.row.folded_parts))
        assert bar.row.folded_parts == FOLD_ORDER[: len(bar.row.folded_parts)]
        parts = visible_parts(bar)
        assert not any(first.geometry().intersects(second.geometry()) for first, second in combinations(parts, 2))
        if set(bar.row.folded_parts) != set(FOLD_ORDER):
            assert all(bar.row.rect().contains(part.geometry()) for part in parts)
            assert all(part.width() >= part.sizeHint().width() for part in parts if part is not bar.search)
    assert {0, 1, 2, 3} <= found


def test_folded_parts_are_in_menus(area, bar, rich_workspace):
    assert bar.row.folded_parts == ()
    assert (bar.filter.text(), bar.row.menu_button.isVisible(), bar.row.sort.isVisible()) == (
        "Filter: all",
        False,
        False,
    )
    bar.row.show_choices(order=True, system=True)
    bar.bad.click()
    clicked = []
    summary = bar.row._summary[1]
    summary.clicked.connect(lambda: clicked.append(True))
    bar.row.show_title("A vs. B")
    bar.row.setFixedWidth(bar.row.minimumSizeHint().width())
    QApplication.processEvents()
    assert bar.row.folded_parts in (FOLD_ORDER, (VALUES, SUMMARY, SYSTEM))
    assert (bar.filter.text(), bar.filter.toolTip()) == ("Filter: 1", plain_tooltip("BAD"))
    bar.bad.setChecked(False)
    assert bar.filter.toolTip() == plain_tooltip("Select which segments are listed")
    bar.bad.setChecked(True)
    bar.row.fill_menu()
    menu = {action.text(): action for action in bar.row.menu_button.popup.actions()}
    assert list(menu) == ["F1-mult: strong .627", "Score"]
    menu["F1-mult: strong .627"].trigger()
    assert clicked == [True]
    bar.row.sort.popup.aboutToShow.emit()
    orders = bar.row.sort.popup.actions()
    assert [action.text() for action in orders] == [bar.order.itemText(index) for index in range(bar.order.count())]
    orders[1].trigger()
    assert bar.query.order is bar.order.itemData(1)[0]
    assert bar.row.sort.toolTip() == plain_tooltip(bar.order.currentText())


def menu_of_header(area: InspectArea) -> dict:
    header = area.view.horizontalHeader()
    header.customContextMenuRequested.emit(QPoint(5, 5))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    entries = {action.text(): action for action in menu.actions() if action.text()}
    menu.close()
    return entries


def hidden(area: InspectArea) -> list[bool]:
    return [area.view.isColumnHidden(column) for column in (SegmentColumn.DOCUMENT, SegmentColumn.DISPUTED)]


def test_columns_hide_before_the_texts_get_narrow_and_the_header_menu_shows_them(area, rich_workspace, qtbot):
    narrowest = area.fontMetrics().horizontalAdvance("0") * MIN_TEXT_CHARS
    found = []
    for width in range(2000, 500, -20):
        resize(area, width)
        if hidden(area) not in found:
            found.append(hidden(area))
        if hidden(area) != [True, True]:
            assert area.view.columnWidth(SegmentColumn.MT) >= narrowest
    assert found == [[False, False], [True, False], [True, True]]
    entries = menu_of_header(area)
    assert [(text, action.isChecked()) for text, action in entries.items()] == [
        ("Document", False), ("Disagreement (≠)", False),
    ]  # fmt: skip
    entries["Document"].setChecked(True)
    assert hidden(area) == [False, True]
    resize(area, 2000)
    menu_of_header(area)["Disagreement (≠)"].setChecked(False)
    assert hidden(area) == [False, True]
    second = InspectArea(rich_workspace, QWidget())
    qtbot.addWidget(second)
    second.resize(600, 700)
    assert hidden(second) == [False, True]
    menu_of_header(area)["&Default"].trigger()
    assert hidden(area) == [False, False]


def test_column_by_which_the_list_is_sorted_stays(area, qtbot):
    # the minimum width falls when parts of the header fold
    for width in range(1000, 500, -50):
        resize(area, width)
    assert hidden(area) == [True, True]
    area.filters.sort_by(SegmentColumn.DISPUTED)
    qtbot.waitUntil(lambda: hidden(area) == [True, False])


def test_columns_are_also_in_the_menu_of_the_view_button(area):
    area.view_button.popup.aboutToShow.emit()
    submenu = area.column_menu.submenu
    assert submenu.menuAction() in area.view_button.popup.actions()
    assert [action.text() for action in submenu.actions() if action.text()] == [
        "Document", "Disagreement (≠)",
    ]  # fmt: skip


@pytest.fixture
def large_text(qapp):
    yield lambda: apply_text_size(qapp, 150)
    apply_text_size(qapp, 100)


def test_at_150_percent_the_sample_hides_both_columns_in_a_window_of_1280_by_800(qtbot, large_text):
    from qe_desktop.ui.icons import resource_folder

    def script(driver):
        yield driver.is_open
        driver.shell.resize(1280, 800)
        area = driver.shell.area("inspect")
        yield lambda: not driver.shell.jobs.running_jobs()
        assert hidden(area) == [False, False]
        large_text()
        yield lambda: hidden(area) == [True, True]
        assert driver.shell.width() == 1280
        assert all(area.filters.row.rect().contains(part.geometry()) for part in visible_parts(area.filters))

    assert run_script([str(resource_folder() / "samples/en-de")], script) == 0


def test_ampersands_of_systems_and_documents_are_shown_on_the_buttons(bar):
    """A button takes a single & for the mark of a mnemonic, and does not show it."""
    bar.row.show_title("AT&T vs. R&D, BLEU")
    bar.filter.show_filters(["Q&A"])
    assert bar.row.title.text().startswith("AT&&T vs. R&&D")
    assert bar.filter.text() == "Filter: Q&&A"


def test_column_of_numbers_fits_those_of_a_filtered_list(area, rich_workspace, qtbot):
    """Its width followed the number of listed rows, so that large segment numbers were elided."""
    size = 30_000
    lines = TextColumn.of(["a"] * (size - 1) + ["needle"])
    rich_workspace.open(Corpus("long", size, {TextRole.SOURCE: lines, TextRole.MT: lines}))
    before = area.view.columnWidth(SegmentColumn.NUMBER)
    area.filters.show_query(SegmentQuery(listed_segments=(size - 1,)))
    qtbot.waitUntil(lambda: area.model.rowCount() == 1)
    assert area.view.columnWidth(SegmentColumn.NUMBER) == before
    needed = area.view.fontMetrics().horizontalAdvance(f"{size:,}") + 2 * PADDING
    assert before >= needed


def test_tooltips_of_the_bar_show_names_literally(bar):
    """Qt would show a tooltip that contains a tag as rich text, without the tag."""
    bar.filter.show_filters(["<i>news</i>"])
    assert "&lt;i&gt;news" in bar.filter.toolTip()
    bar.order.addItem("highest <b>x</b> first")
    bar.order.setCurrentIndex(bar.order.count() - 1)
    assert "&lt;b&gt;x" in bar.row.sort.toolTip()
    bar.row.show_choices(order=True, system=True)
    assert "&lt;b&gt;x" in bar.row.sort.toolTip()


def tooltip_at(area: InspectArea, row: int, column: SegmentColumn) -> str:
    """Return the tooltip that the segment list shows for a cell; empty if there is none."""
    view, index = area.view, area.model.index(row, column)
    position = view.visualRect(index).center()
    event = QHelpEvent(QHelpEvent.Type.ToolTip, position, view.viewport().mapToGlobal(position))
    QApplication.sendEvent(view.viewport(), event)
    return QToolTip.text() if QToolTip.isVisible() else ""


def test_tooltip_of_a_cell_has_the_text_that_is_cut_off(area, rich_workspace):
    long = " ".join(f"word{number}" for number in range(300))
    texts = {
        TextRole.SOURCE: TextColumn.of(["short", long]),
        TextRole.MT: TextColumn.of(["<b>kurz</b>", long.replace("w", "W")]),
    }
    rich_workspace.open(Corpus("long", 2, texts))
    resize(area, 900)
    assert tooltip_at(area, 0, SegmentColumn.SOURCE) == tooltip_at(area, 0, SegmentColumn.MT) == ""
    assert tooltip_at(area, 1, SegmentColumn.SOURCE).startswith("<span>word0 word1 ")
    assert tooltip_at(area, 1, SegmentColumn.MT).startswith("<span>Word0 Word1 ")
    QToolTip.hideText()
