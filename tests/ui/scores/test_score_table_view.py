"""Score table: selecting a metric and columns, sorting, copying, and the flash after an edit."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from qe_desktop.report.render.output_formats import FILE_FORMATS, get_output_format
from qe_desktop.significance import CORRECTION_LABELS
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.score_descriptions import method_note
from qe_desktop.ui.scores.score_model import INTERVAL, RANK
from qe_desktop.ui.scores.score_table_view import displayed_table, score_report
from qe_desktop.ui.widgets.report_export import OnScreenReport, copy_report
from qe_desktop.ui.widgets.tables.table_model import CURRENT_ROLE, LAST_ROLE
from tests.ui.scores.test_large_text import shown_rows
from tests.ui.scores.visible_texts import visible_texts


def test_enter_on_a_value_selects_its_metric(environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot) -> None:
    environment.open(corpus(3))
    table = area.systems.table
    table.setCurrentIndex(table.scores_model.index(1, table.scores_model.column_of("MCC")))
    qtbot.keyClick(table, Qt.Key.Key_Return)
    environment.wait()
    assert environment.comparison.metric == "MCC"
    assert "Significance, MCC" in visible_texts(area)
    assert area.systems.options._metric.currentText() == "MCC"


def test_selected_columns_are_stored_in_the_settings(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(2))
    menu = QMenu(area)
    area.systems.table.fill_columns(menu)
    actions = {action.text(): action for action in menu.actions()}
    assert not actions["F1-mult"].isEnabled()
    actions["kappa"].trigger()
    actions["SeqCor"].trigger()
    shown = [metric.name for metric in area.systems.table.scores_model.metrics()]
    assert "kappa" in shown
    assert "SeqCor" not in shown
    # the current metric comes first in the table
    assert sorted(environment.settings.columns["scores"]) == sorted(shown)
    actions["Default columns"].trigger()
    assert "kappa" not in [metric.name for metric in area.systems.table.scores_model.metrics()]


def test_last_columns_are_hidden_if_not_all_fit(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(2))
    table, model = area.systems.table, area.systems.table.scores_model
    area.show()
    table.resize(2000, 300)
    names = [metric.name for metric in model.metrics()]
    assert table.hidden_metrics == []
    buttons = [button.text() for button in area.systems.findChildren(QPushButton)]
    assert "Columns" in buttons
    table.resize(600, 300)
    assert table.hidden_metrics
    assert table.hidden_metrics == names[-len(table.hidden_metrics) :]
    assert table.header.length() <= table.viewport().width()
    assert all(table.isColumnHidden(model.column_of(name)) for name in table.hidden_metrics)
    buttons = [button.text() for button in area.systems.findChildren(QPushButton)]
    assert f"Columns ({len(table.hidden_metrics)} hidden)" in buttons
    # the current metric and the one by which the rows are sorted stay
    environment.comparison.set_metric(names[-1])
    environment.wait()
    assert not table.isColumnHidden(model.column_of(names[-1]))
    table.resize(2000, 300)
    assert table.hidden_metrics == []
    assert not any(table.isColumnHidden(column) for column in range(model.columnCount()))


def test_copied_table_equals_the_report(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(3))
    model = area.systems.table.scores_model
    report = score_report(environment.scores, [model.layer(row) for row in range(3)], model.metrics())
    assert report is not None
    area.systems.table.copy_tsv()
    copied = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    exported = [line.split("\t") for line in report.table().tsv().splitlines()]
    # the interval and the ranks follow the current metric
    assert [[*line[:2], *line[6:]] for line in copied] == exported
    assert copied[0][1:6] == ["F1-mult", "F1-mult low", "F1-mult high", "F1-mult best rank", "F1-mult worst rank"]
    low, high = environment.comparison.result.interval("F1-mult", model.layer(2))
    ranks = environment.comparison.result.comparison.of("F1-mult").ranks[2]
    assert copied[3][2:6] == [repr(low), repr(high), *map(str, ranks)]
    for form in FILE_FORMATS:
        copy_report(area.systems.table.report_source, form, environment.workspace)
        note = method_note(environment.comparison.result.comparison, environment.comparison.metric)
        shown = replace(displayed_table(model, report).with_notes(note), title=area.systems.table._caption())
        expected = OnScreenReport(report, model.full_table(), 3, shown)
        assert QGuiApplication.clipboard().text() == form.text(expected)
    assert json.loads(QGuiApplication.clipboard().text()) == report.json()


def test_latex_has_the_intervals_ranks_and_bold_type_of_the_screen(
    environment: Any, corpus: Any, area: ScoresArea
) -> None:
    environment.open(corpus(3))
    view, model = area.systems.table, area.systems.table.scores_model
    report = score_report(environment.scores, [model.layer(row) for row in range(3)], model.metrics())
    assert report is not None
    table = displayed_table(model, report)
    headers = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
    assert list(table.header) == headers
    assert headers[0] == "System"
    interval, rank = model.column_of(INTERVAL), model.column_of(RANK)
    for row in range(3):
        assert str(table.rows[row][interval]).replace("0.", ".") == model.index(row, interval).data()
        assert table.rows[row][rank] == model.index(row, rank).data()
    best = [row for row in range(3) if model.index(row, 1).data(CURRENT_ROLE)]
    assert best
    assert table.best == {(row, 1) for row in best}
    copy_report(view.report_source, get_output_format("latex"), environment.workspace)
    latex = QGuiApplication.clipboard().text()
    assert latex.count(r"\textbf{") == len(best)
    caption = next(line for line in latex.splitlines() if line.startswith(r"\caption{"))
    assert caption.startswith(r"\caption{test. F1-mult of 3 systems. Words against gold: 60 segments, 600 tags, ")
    assert "Bold: no system is significantly better." in latex
    options = environment.comparison.options
    for part in (
        f"{options.rounds:,} trials. Intervals: 1,000 resamples. Rank: best and worst rank",
        f"; {CORRECTION_LABELS[options.correction]}). Every system above",
    ):
        assert part in latex.replace("\\allowbreak{}", "")
    # an outdated test is left out
    environment.comparison.is_data_outdated = True
    environment.comparison.changed.emit()
    assert displayed_table(model, report).header == ("System", *report.table(3).header[1:])


def test_cluster_lines_follow_the_metric_that_the_user_selects(environment: Any, corpus: Any, area: ScoresArea) -> None:
    """Both metrics have a column and sort the systems alike, so neither columns nor rows change with the metric."""
    environment.open(corpus(4))
    view, model, choice = area.systems.table, area.systems.table.scores_model, area.systems.options._metric

    def assert_lines_separate_clusters(metric: str) -> None:
        result = environment.comparison.result
        names = [layer.display_name for layer in result.layers]
        sizes = [len(cluster) for cluster in result.comparison.of(metric).clusters]
        expected = [sum(sizes[:end]) for end in range(1, len(sizes))]
        assert expected
        assert [row + 1 for row in range(4) if model.index(row, 0).data(LAST_ROLE)] == expected
        assert [model.index(row, 0).data() for row in range(4)] == names
        report = view.report()
        assert report is not None
        assert report.tables()[0].rules == tuple(expected)
        copy_report(view.report_source, get_output_format("latex"), environment.workspace)
        latex = QGuiApplication.clipboard().text()
        # the columns are divided between two tables; both have a line below the header
        assert latex.count(r"\midrule") == latex.count(r"\begin{tabular}") * (1 + len(expected))

    assert_lines_separate_clusters("F1-mult")
    for metric in ("MCC", "F1-mult"):
        choice.setCurrentText(metric)
        choice.activated.emit(choice.currentIndex())
        environment.wait()
        assert environment.comparison.metric == metric
        assert_lines_separate_clusters(metric)


def test_cluster_lines_return_when_the_rows_are_sorted_by_the_metric_again(
    environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    """The names sort the systems as the metric does, so that no row moves."""
    environment.open(corpus(4))
    view, model = area.systems.table, area.systems.table.scores_model
    area.show()
    lines = [model.index(row, 0).data(LAST_ROLE) for row in range(4)]
    assert any(lines)
    changes: list[int] = []
    model.dataChanged.connect(lambda *_: changes.append(1))
    for column, expected in ((0, [False] * 4), (1, lines)):
        header = view.horizontalHeader()
        position = QPoint(header.sectionViewportPosition(column) + 20, header.height() // 2)
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=position)
        assert [model.index(row, 0).data() for row in range(4)] == [f"system {number}" for number in range(4)]
        assert [model.index(row, 0).data(LAST_ROLE) for row in range(4)] == expected
        assert changes
        changes.clear()


def test_first_described_system_is_the_best_one(environment: Any, corpus: Any, area: ScoresArea) -> None:
    """The table receives the focus while the systems are still in loading order."""
    original = corpus(4)
    area.show()
    environment.workspace.open(replace(original, layers=dict(reversed(original.layers.items()))))
    view, model = area.systems.table, area.systems.table.scores_model
    assert model.index(0, 0).data() == "system 3"
    QApplication.sendEvent(view, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason))
    assert view.currentIndex().isValid()
    environment.wait()
    assert model.index(0, 0).data() == "system 0"
    assert (view.currentIndex().row(), area.systems.sentence.text_label.text()[:8]) == (0, "system 0")
    # a cell that the user selected moves with its row
    view.pressed.emit(view.currentIndex())
    rows = set()
    for _ in range(2):
        view._sort_by(0)
        assert view.currentIndex().data() == "system 0"
        rows.add(view.currentIndex().row())
    assert rows == {0, 3}


def test_ctrl_c_copies_the_selection_with_names_in_full_precision(
    environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    environment.open(corpus(3))
    table, model = area.systems.table, area.systems.table.scores_model
    column = model.column_of("MCC")
    interval = model.column_of(INTERVAL)
    table.setCurrentIndex(model.index(0, column))
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert len(QGuiApplication.clipboard().text().splitlines()) == 4
    chosen = QItemSelection(model.index(1, column), model.index(2, column))
    table.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    value = environment.scores.values["MCC"][environment.scores.layers.index(model.layer(1))]
    assert lines[:2] == [["system", "MCC"], [model.layer(1).display_name, repr(float(value))]]
    # an outdated interval is not copied
    environment.comparison.is_data_outdated = True
    environment.comparison.changed.emit()
    chosen = QItemSelection(model.index(0, interval), model.index(1, interval))
    table.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert lines[:2] == [["system", "F1-mult low", "F1-mult high"], [model.layer(0).display_name, "", ""]]


def test_sort_indicator_of_the_header_sorts_the_rows(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(3))
    model = area.systems.table.scores_model
    column = model.column_of("F1-BAD")
    area.systems.table.header.setSortIndicator(column, Qt.SortOrder.AscendingOrder)
    assert model.sort_state() == (column, Qt.SortOrder.AscendingOrder)
    assert [model.layer(row).name for row in range(3)] == ["system 2", "system 1", "system 0"]


@pytest.mark.parametrize("still", [False, True])
def test_edit_flashes_once_unless_motion_is_reduced(
    environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot, still: bool
) -> None:
    environment.settings.reduced_motion = still
    environment.open(corpus(2))
    flash = area.systems.table.flash
    environment.flip_tag(0, 0)
    assert (flash.strength == 0) is still
    qtbot.waitUntil(lambda: flash.strength == 0)
    environment.wait()


def test_menu_of_a_cell_sorts_by_its_column_and_then_the_other_way_round(
    environment: Any, corpus: Any, area: ScoresArea
) -> None:
    environment.open(corpus(3))
    view = area.systems.table
    model, column = view.scores_model, view.scores_model.column_of("MCC")
    for falls in (True, False):
        view.setCurrentIndex(model.index(0, column))
        view.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint()))
        menu = [menu for menu in view.findChildren(QMenu) if menu.parent() is view][-1]
        next(action for action in menu.actions() if action.text() == "Sort &by this column").trigger()
        menu.close()
        values = [float(model.index(row, column).data()) for row in range(3)]
        assert values == sorted(values, reverse=falls)
        assert view.header.sortIndicatorSection() == column


@pytest.mark.parametrize("systems", [8, 12, 30])
def test_table_gets_the_space_that_the_matrix_does_not_need(
    environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot, systems: int
) -> None:
    area.resize(1210, 750)
    area.show()
    environment.open(corpus(systems))
    view, matrix = area.systems.table, area.systems.matrix.view

    def is_space_used() -> bool:
        unused = matrix.viewport().height() - matrix.verticalHeader().length()
        return shown_rows(view) == systems or unused < matrix.verticalHeader().sectionSize(0)

    def is_matrix_complete() -> bool:
        return systems > 12 or matrix.verticalScrollBar().maximum() == 0

    qtbot.waitUntil(lambda: matrix.isVisible() and shown_rows(view) >= 4 and is_space_used() and is_matrix_complete())
