"""Tables of the Post-editing page are sorted by their headers and by the menu of a cell."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Kind
from qe_desktop.ui.scores.post_editing.post_editing_tables import segments_table
from qe_desktop.ui.scores.result_table import sort_rows
from tests.small_corpora import tags
from tests.studies.post_editing.reviewed_corpus import make_corpus, make_layer
from tests.ui.scores.post_editing.conftest import Page


def test_header_sorts_the_highlights_until_the_next_click(page: Page):
    corpus = make_corpus()
    tagged = {name: make_layer(column, Kind.WORDS, name) for name, column in (
        ("all", tags("bbb", "bbb", "bbbb", "bb", "bb")), ("few", tags("boo", "ooo", "oooo", "oo", "oo")),
    )}  # fmt: skip
    page.environment.workspace.open(
        replace(corpus, layers={**corpus.layers, **{layer.key: layer for layer in tagged.values()}})
    )
    page.review()
    view = page.page.highlights

    def names() -> list[str]:
        return [row[0].text for row in view.cells.rows]

    loaded = names()
    view.header.sectionClicked.emit(1)
    assert names() == ["all", "qe", "few"]
    header = view.cells.columns[1]
    assert (header.is_current, header.sort_order) == (True, Qt.SortOrder.DescendingOrder)
    # the target belongs to the row
    assert view.target(view.cells.index(0, 1)).system == "all"
    page.environment.settings.decimals = 2
    assert names() == ["all", "qe", "few"]
    view.header.sectionClicked.emit(1)
    assert names() == ["few", "qe", "all"]
    view.header.sectionClicked.emit(0)
    assert names() == sorted(loaded)
    assert [column.sort_order for column in view.cells.columns[1:]] == [None] * (len(view.cells.columns) - 1)


def test_headers_sort_missed_edits_and_segments_and_keep_the_current_row(page: Page):
    page.environment.workspace.open(make_corpus())
    page.review(seconds=30.0)
    for view in (page.page.missed_edits_view, page.page.segments):
        page.page.tabs.setCurrentWidget(view)
        rows = len(view.cells.rows)
        view.setCurrentIndex(view.cells.index(rows - 1, 0))
        chosen = view.cells.rows[rows - 1][0].text
        for section in range(len(view.cells.columns)):
            view.header.sectionClicked.emit(section)
            keys = [row[section].exact_values[0] for row in view.cells.rows]
            known = [key for key in keys if key is not None]
            assert keys == [*known, *[None] * (rows - len(known))], "undefined values are last"
            falls = view.cells.columns[section].sort_order == Qt.SortOrder.DescendingOrder
            assert known == sorted(known, reverse=falls)
            assert view.cells.rows[view.currentIndex().row()][0].text == chosen
            assert view.target(view.currentIndex()) is not None
    assert len({row[0].exact_values for row in page.page.segments.cells.rows}) > 1


def test_sorted_segments_are_the_first_of_all_even_if_not_all_are_listed(page: Page):
    page.environment.workspace.open(make_corpus())
    page.review(seconds=30.0)
    result = page.service.result
    assert result is not None
    whole, listed = (segments_table(result.study, 3, most) for most in (2, 1))
    assert len(whole.rows) == 2 > len(listed.rows)
    # the header shows the order in which the segments are first listed
    orders = [(column.header, column.sort_order) for column in whole.columns if column.sort_order is not None]
    assert orders == [("Time", Qt.SortOrder.DescendingOrder)]
    for section in range(len(whole.columns)):
        for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
            of_all, of_some = (sort_rows(sheet, section, order) for sheet in (whole, listed))
            assert of_some.rows == of_all.rows[:1]
            assert sort_rows(of_some, 0, Qt.SortOrder.AscendingOrder).rows == tuple(
                sort_rows(whole, 0, Qt.SortOrder.AscendingOrder).rows[:1]
            )


def test_menu_of_a_cell_sorts_by_its_column(page: Page, qtbot: QtBot):
    page.environment.workspace.open(make_corpus())
    page.review(seconds=30.0)
    view = page.page.segments
    page.page.tabs.setCurrentWidget(view)
    view.setCurrentIndex(view.cells.index(0, 0))
    view.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint()))
    menu = view.findChild(QMenu)
    next(action for action in menu.actions() if action.text() == "Sort &by this column").trigger()
    assert view.cells.columns[0].sort_order == Qt.SortOrder.AscendingOrder
    menu.close()
