"""Sort orders of the segment list: available ones, header clicks, and changes of the corpus."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox

from qe_desktop.corpus import Corpus, Kind, TextRole
from qe_desktop.project.segment_filter import SortOrder
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.segment_list.segment_model import (
    SegmentColumn,
)
from qe_desktop.ui.inspect.segment_list.tag_finder import BAD_FINDER
from qe_desktop.ui.widgets.tables.table_header import HEADER_ORDER_ROLE
from tests.ui.inspect.conftest import GOLD, A, B, rich_corpus
from tests.ui.inspect.test_area import listed_segments


def test_segments_are_sorted_by_scores_of_a_file(area, qtbot):
    names = [area.filters.order.itemText(index) for index in range(area.filters.order.count())]
    with qtbot.waitSignal(area.model.modelReset):
        area.filters.order.setCurrentIndex(names.index("highest hter first"))
        area.filters.order.activated.emit(area.filters.order.currentIndex())
    assert listed_segments(area) == [2, 1, 0, 3]


def test_current_sort_order_is_not_cut_off(area, qtbot):
    box, shown = area.filters.order, list[str]()
    area.resize(1280, 800)
    for index in range(box.count()):
        box.setCurrentIndex(index)
        box.activated.emit(index)
        # in a narrow row, a button replaces the combo box
        qtbot.waitUntil(lambda: not box.isVisible() or text_room(box) >= advance(box))
        if box.isVisible():
            shown.append(box.currentText())
    assert "lowest accuracy first" in shown


def text_room(box: QComboBox) -> int:
    """Width in pixels that a combo box has for its text."""
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    style, control = box.style(), QStyle.ComplexControl.CC_ComboBox
    return style.subControlRect(control, option, QStyle.SubControl.SC_ComboBoxEditField, box).width()


def advance(box: QComboBox) -> int:
    return box.fontMetrics().horizontalAdvance(box.currentText())


def without_gold(several: int = 2) -> Corpus:
    """Corpus with source, MT and the tags of one or two systems, without gold."""
    rich = rich_corpus()
    layers = {key: layer for key, layer in rich.layers.items() if key in (A, B)[:several]}
    return Corpus("no gold", 4, {role: rich.texts[role] for role in (TextRole.SOURCE, TextRole.MT)}, layers)


def orders(area: InspectArea) -> list[str]:
    return [area.filters.order.itemText(index) for index in range(area.filters.order.count())]


def click_header(area: InspectArea, column: SegmentColumn, qtbot) -> list[int]:
    with qtbot.waitSignal(area.model.modelReset):
        area.view.column_chosen.emit(column)
    return listed_segments(area)


def test_sort_orders_without_effect_are_not_offered(area, workspace):
    workspace.open(without_gold(1))
    assert orders(area) == ["file order", "most BAD tags first", "longest first"]
    assert area.filters.disputed.isHidden()
    workspace.open(without_gold(2))
    assert orders(area) == ["file order", "most disagreement first", "most BAD tags first", "longest first"]
    assert not area.filters.disputed.isHidden()
    workspace.open(rich_corpus())
    assert "lowest accuracy first" in orders(area)


def test_header_click_sorts_and_second_click_reverses(area, workspace, qtbot):
    order = Qt.SortOrder

    def arrow(column: SegmentColumn) -> Qt.SortOrder | None:
        return area.model.headerData(column, Qt.Orientation.Horizontal, HEADER_ORDER_ROLE)

    column = SegmentColumn.BAD
    assert click_header(area, column, qtbot) == [2, 0, 1, 3]
    assert arrow(column) is order.DescendingOrder
    assert [area.model.index(row, column).data() for row in range(4)] == ["2", "1", "1", ""]
    assert click_header(area, column, qtbot) == [3, 0, 1, 2]
    assert (arrow(column), area.filters.order.currentText()) == (order.AscendingOrder, "fewest BAD tags first")
    assert click_header(area, column, qtbot) == [2, 0, 1, 3]
    assert click_header(area, SegmentColumn.MT, qtbot)[0] == 2
    assert click_header(area, SegmentColumn.MT, qtbot)[-1] == 2
    assert click_header(area, SegmentColumn.DISPUTED, qtbot)[0] == 0
    assert click_header(area, SegmentColumn.NUMBER, qtbot) == [0, 1, 2, 3]
    assert click_header(area, SegmentColumn.NUMBER, qtbot) == [3, 2, 1, 0]
    assert arrow(SegmentColumn.NUMBER) is order.DescendingOrder


def test_bad_counts_and_sorting_follow_the_agreement_setting(area, workspace, qtbot):
    workspace.settings.agreement = "all"
    workspace.open(without_gold())
    assert [area.model.index(row, SegmentColumn.BAD).data() for row in range(4)] == ["1", "", "", ""]
    with qtbot.waitSignal(area.model.modelReset):
        workspace.settings.agreement = "any"
    assert [area.model.index(row, SegmentColumn.BAD).data() for row in range(4)] == ["4", "", "1", "1"]
    assert area.model.column_marks(0, SegmentColumn.MT).tolist() == [1, 2, 1, 1]
    assert click_header(area, SegmentColumn.BAD, qtbot) == [0, 2, 3, 1]
    area.go_to_tag(BAD_FINDER, 1)
    area.go_to_tag(BAD_FINDER, 1)
    assert (workspace.segment, area.reader.word_cursor.index) == (0, 2)


def test_sort_order_is_updated_when_a_layer_is_added(area, workspace, qtbot):
    workspace.open(without_gold(1))
    assert click_header(area, SegmentColumn.BAD, qtbot) == [0, 2, 3, 1]
    with qtbot.waitSignal(area.model.modelReset):
        workspace.session.extend(workspace.corpus.with_layer(rich_corpus().layers[GOLD]))
    assert listed_segments(area) == [2, 0, 1, 3]
    assert not area.filters.disputed.isHidden()
    assert "lowest accuracy first" in orders(area)


def test_unavailable_sort_order_falls_back_to_file_order(area, workspace, qtbot):
    assert click_header(area, SegmentColumn.DISPUTED, qtbot)[0] == 0
    area.filters.disputed.setChecked(True)
    # only the gold has source tags
    workspace.set_kind(Kind.SOURCE)
    qtbot.waitUntil(lambda: listed_segments(area) == [0, 1, 2, 3])
    assert (area.filters.query.order, area.filters.query.only_disagreement) == (SortOrder.CORPUS, False)
