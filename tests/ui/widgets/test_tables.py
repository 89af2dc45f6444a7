"""Table and matrix models: data of cells, updates, the current position, and copying."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from qe_desktop.significance import SignificanceLevel
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.matrix_model import CELL_ROLE, DIAGONAL_CELL, AbstractMatrixModel, MatrixCell
from qe_desktop.ui.widgets.matrix_view import MatrixTableView
from qe_desktop.ui.widgets.tables.table_model import (
    BAR_FRACTION_ROLE,
    COLOUR_ROLE,
    CURRENT_ROLE,
    LAST_ROLE,
    PARTS_ROLE,
    TableCell,
    TableColumn,
    TableModel,
)
from qe_desktop.ui.widgets.tables.table_view import AutoWidthTable, TableView

ROLE = Qt.ItemDataRole
COLUMNS = (TableColumn("who", "A name"), TableColumn("n", is_right_aligned=True, is_current=True))
ROWS = [
    [TableCell("Ana", ends_group=True), TableCell("1", "one", "warning", 0.5, is_bold=True)],
    [TableCell("<b>Ben"), TableCell("2")],
]


@pytest.fixture
def settings(tmp_path) -> Settings:
    return Settings(str(tmp_path / "settings.ini"))


def test_cell_can_have_a_suffix_and_a_second_line(settings: Settings, qtbot: QtBot) -> None:
    columns = (TableColumn("who"), TableColumn("n", is_right_aligned=True))
    rows = [
        [TableCell("Ana"), TableCell(".319", suffix="1–3", second_line="[.271, .362]")],
        [TableCell("Ben"), TableCell(".4*", "four", suffix="<b>")],
    ]
    view = AutoWidthTable(settings, "numbers", columns)
    qtbot.addWidget(view)
    view.show_rows(rows)
    model = view.table
    assert [model.index(row, 1).data() for row in range(2)] == [".319 [.271, .362] 1–3", ".4* <b>"]
    assert model.index(0, 1).data(PARTS_ROLE) == (".319", "1–3", "[.271, .362]")
    assert model.index(0, 0).data(PARTS_ROLE) is None
    assert model.index(0, 1).data(ROLE.AccessibleTextRole) == "n: .319 [.271, .362] 1–3"
    assert model.index(1, 1).data(ROLE.AccessibleTextRole) == "n: four"
    view.selectAll()
    view.copy_selection()
    assert QGuiApplication.clipboard().text() == "who\tn\nAna\t.319 [.271, .362] 1–3\nBen\t.4* <b>\n"
    assert not view.grab().isNull()


class Pairs(AbstractMatrixModel):
    """A matrix whose cells state their row and column."""

    def _cell(self, row: int, column: int) -> MatrixCell:
        return MatrixCell(f"{row}{column}", "○", level=SignificanceLevel.NOT_SIGNIFICANT)

    def _sentence(self, row: int, column: int) -> str:
        return f"{self.name(row)} and {self.name(column)}"


def test_table_model_returns_the_data_of_its_cells(qapp) -> None:
    model = TableModel(COLUMNS)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_rows(ROWS)
    cell = model.index(0, 1)
    assert [cell.data(), cell.data(BAR_FRACTION_ROLE), cell.data(CURRENT_ROLE), cell.data(COLOUR_ROLE)] == [
        "1", 0.5, True, "warning",
    ]  # fmt: skip
    assert model.index(0, 0).data(LAST_ROLE)
    assert cell.data(ROLE.AccessibleTextRole) == "n: one"
    assert "&lt;b&gt;Ben" in model.index(1, 0).data(ROLE.ToolTipRole)
    assert model.headerData(1, Qt.Orientation.Horizontal) == "n"
    assert model.full_table().tsv().splitlines()[1] == "Ana\t1"
    model.show_rows([], [])
    assert (model.rowCount(), model.columnCount()) == (0, 0)


def test_same_number_of_rows_updates_in_place_and_another_resets(settings: Settings, qtbot: QtBot) -> None:
    view = AutoWidthTable(settings, "Rows", COLUMNS)
    qtbot.addWidget(view)
    view.show_rows(ROWS)
    view.setCurrentIndex(view.table.index(1, 1))
    with qtbot.assertNotEmitted(view.table.modelReset), qtbot.waitSignal(view.table.dataChanged):
        view.show_rows([ROWS[1], ROWS[0]])
    assert view.currentIndex().data() == "1"
    with qtbot.assertNotEmitted(view.table.dataChanged):
        view.show_rows([ROWS[1], ROWS[0]])
    with qtbot.waitSignal(view.table.modelReset):
        view.show_rows(ROWS[:1])
    assert not view.currentIndex().isValid()


def test_columns_fit_the_view_even_if_one_is_narrower_than_the_header_allows(settings: Settings, qtbot: QtBot) -> None:
    view = AutoWidthTable(
        settings, "Rows", (TableColumn("n", is_right_aligned=True), TableColumn("meaning", is_wide=True))
    )
    qtbot.addWidget(view)
    view.header.setMinimumSectionSize(90)
    view.resize(400, 200)
    view.show()
    view.show_rows([[TableCell("1"), TableCell("slight")]])
    assert view.columnWidth(0) == 90
    assert view.columnWidth(0) + view.columnWidth(1) == view.viewport().width()
    assert view.horizontalScrollBar().maximum() == 0


def test_long_names_use_the_width_that_a_wide_column_does_not_need(settings: Settings, qtbot: QtBot) -> None:
    view = AutoWidthTable(settings, "Rows", (TableColumn("measure"), TableColumn("meaning", is_wide=True)))
    qtbot.addWidget(view)
    view.resize(640, 200)
    view.show()
    name = "Share of rating pairs with the same value on a scale"
    view.show_rows([[TableCell(name), TableCell("poor")]])
    assert view.columnWidth(0) > view.fontMetrics().horizontalAdvance(name) > 640 // 3
    assert view.columnWidth(0) + view.columnWidth(1) == view.viewport().width()


def test_matrix_describes_its_cell_and_keeps_the_current_position(qtbot: QtBot) -> None:
    model = Pairs()
    view = MatrixTableView(model, "Pairs")
    qtbot.addWidget(view)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_names(["system A", "system B"], ["A", "B"])
    with qtbot.waitSignal(view.described) as description:
        view.setCurrentIndex(model.index(0, 1))
    assert description.args == ["system A and system B"]
    with qtbot.waitSignal(view.described) as description:
        model.show_names(["C", "D"])
    assert description.args == ["C and D"]
    with qtbot.waitSignal(view.described) as description:
        model.show_names(["C", "D", "E"])
    assert description.args == [""]
    assert model.index(1, 1).data(CELL_ROLE) is DIAGONAL_CELL
    assert [model.headerData(2, orientation, ROLE.DisplayRole) for orientation in Qt.Orientation] == ["E", "E"]
    assert model.sentence(model.index(5, 5)) == ""


def test_exact_values_are_copied_in_separate_columns(settings: Settings, qtbot: QtBot) -> None:
    columns = (
        TableColumn("who"),
        TableColumn("n", is_right_aligned=True, exported_headers=("n", "low")),
        TableColumn("words"),
    )
    rows = [
        [
            TableCell("Ana", exact_values=("Ana Banana",)),
            TableCell(".3", second_line="[.2, .4]", exact_values=(0.3123456789, 0.2)),
            TableCell("=1+1"),
        ],
        [TableCell("Ben"), TableCell("–"), TableCell("none")],
    ]
    view = TableView(TableModel(columns), settings, "numbers", None)
    qtbot.addWidget(view)
    model = view.model()
    assert isinstance(model, TableModel)
    press = partial(qtbot.keyClick, view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    QGuiApplication.clipboard().setText("before")
    press()
    assert QGuiApplication.clipboard().text() == "before"
    model.show_rows(rows)
    whole = "who\tn\tlow\twords\nAna Banana\t0.3123456789\t0.2\t'=1+1\nBen\t–\t\tnone\n"
    press()
    assert QGuiApplication.clipboard().text() == whole
    view.setCurrentIndex(model.index(1, 1))
    press()
    assert QGuiApplication.clipboard().text() == whole
    view.selectionModel().select(
        QItemSelection(model.index(0, 1), model.index(1, 1)), QItemSelectionModel.SelectionFlag.ClearAndSelect
    )
    press()
    assert QGuiApplication.clipboard().text() == "who\tn\tlow\nAna Banana\t0.3123456789\t0.2\nBen\t–\t\n"


def test_copied_part_of_a_matrix_has_row_and_column_names(qtbot: QtBot) -> None:
    model = Pairs()
    view = MatrixTableView(model, "Pairs")
    qtbot.addWidget(view)
    model.show_names(["A", "B"])
    view.selectAll()
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "\tA\tB\nA\t\t01 ○\nB\t10 ○\t\n"
    view.setCurrentIndex(model.index(0, 1))
    model.show_names(["A", "B", "C"])
    last = QItemSelection(model.index(0, 2), model.index(2, 2))
    view.selectionModel().select(last, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "\tC\nA\t02 ○\nB\t12 ○\nC\t\n"


def test_header_has_groups_with_cautions_and_a_second_line(settings, qtbot: QtBot) -> None:
    plain = AutoWidthTable(settings, "plain", COLUMNS)
    columns = (
        TableColumn("who"),
        TableColumn(
            "r",
            is_right_aligned=True,
            group="System level",
            caution="3 systems: too few",
            second_line="n 3",
            has_second_line_caution=True,
        ),
        TableColumn(
            "tau",
            is_right_aligned=True,
            group="System level",
            caution="3 systems: too few",
            second_line="n 3",
            has_second_line_caution=True,
        ),
    )
    grouped = AutoWidthTable(settings, "grouped", columns)
    for view in (plain, grouped):
        qtbot.addWidget(view)
    # a line of groups, and a line below the names
    line = grouped.fontMetrics().height()
    assert grouped.header.sizeHint().height() >= plain.header.sizeHint().height() + 2 * line
    ((sections, width),) = grouped.header.required_group_widths()
    assert sections == [1, 2]
    assert width > grouped.fontMetrics().horizontalAdvance("System level 3 systems: too few")
    assert not grouped.grab().isNull()
    assert plain.header.required_group_widths() == []


@pytest.mark.parametrize("text", ["−.316", ".124", "[−.1, .2]", "> .001"])
def test_numbers_are_drawn_alike_in_both_layout_directions(settings, qtbot, text):
    view = AutoWidthTable(settings, "numbers", (TableColumn("who"), TableColumn("r", is_right_aligned=True)))
    qtbot.addWidget(view)
    view.show_rows([(TableCell("MT"), TableCell(text))])
    view.resize(400, 200)
    view.show()
    index = view.table.index(0, 1)
    drawn = []
    for direction in (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft):
        view.setLayoutDirection(direction)
        drawn.append(view.viewport().grab(view.visualRect(index)).toImage())
    assert view.visualRect(index).right() < view.visualRect(view.table.index(0, 0)).left(), "the columns are mirrored"
    assert drawn[0] == drawn[1]
