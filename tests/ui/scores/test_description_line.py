"""The sentence below the table of one metric: it explains the selected cell of table, matrix or chart."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from qe_desktop.ui import theme
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.commands import COEFFICIENTS
from qe_desktop.ui.scores.score_model import INTERVAL


def test_sentence_explains_the_cell_of_the_view_that_was_used_last(
    environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    environment.open(corpus(4))
    page = area.systems
    sentence, table, matrix = page.sentence, page.table, page.matrix.view
    # without a selection, the best system
    assert sentence.text_label.text().endswith(") is significantly better than all other systems.")
    assert sentence.sign_label.text() in ("●", "◐")
    assert sentence.segments_button.isHidden()
    height = sentence.height()
    matrix.setCurrentIndex(matrix.matrix.index(0, 3))
    assert sentence.text_label.text() == matrix.matrix.sentence(matrix.currentIndex())
    assert sentence.sign_label.text() == matrix.matrix.cell(0, 3).sign
    # the other side of the diagonal is the same pair
    matrix.setCurrentIndex(matrix.matrix.index(3, 0))
    assert sentence.sign_label.text() == matrix.matrix.cell(0, 3).sign
    with qtbot.waitSignal(environment.workspace.segments_requested):
        sentence.segments_button.click()
    model = table.scores_model
    table.setCurrentIndex(model.index(3, model.column_of(INTERVAL)))
    assert "95 % interval of F1-mult" in sentence.text_label.text()
    assert sentence.sign_label.isHidden()
    assert sentence.segments_button.isHidden()
    # a metric that is tested, but not the current one
    table.setCurrentIndex(model.index(3, model.column_of("MCC")))
    assert "MCC ." in sentence.text_label.text()
    assert "rank 4 of 4" in sentence.text_label.text()
    assert sentence.height() == height


def test_escape_describes_the_best_system_again(environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot) -> None:
    environment.open(corpus(4))
    area.show()
    area.activateWindow()
    qtbot.waitUntil(area.isActiveWindow)
    page, matrix = area.systems, area.systems.matrix.view
    summary = page.sentence.text_label.text()
    page.table.setCurrentIndex(page.table.scores_model.index(2, 1))
    for row, column in ((0, 3), (1, 1)):
        matrix.setFocus()
        matrix.setCurrentIndex(matrix.matrix.index(row, column))
        assert page.sentence.text_label.text() != summary
        qtbot.keyClick(matrix, Qt.Key.Key_Escape)
        assert page.table.hasFocus()
        assert page.sentence.text_label.text() == summary


def test_sentence_on_a_pair_is_still_there_when_the_user_returns_to_the_page(
    environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    environment.open(corpus(4))
    area.show()
    area.activateWindow()
    qtbot.waitUntil(area.isActiveWindow)
    page, matrix = area.systems, area.systems.matrix.view
    matrix.setCurrentIndex(matrix.matrix.index(0, 3))
    matrix.setFocus()
    sentence = page.sentence.text_label.text()
    outside = QLineEdit(area)
    outside.show()
    outside.setFocus()
    page.setFocus()
    assert matrix.hasFocus()
    assert page.sentence.text_label.text() == sentence
    assert not page.sentence.segments_button.isHidden()
    # other data have another matrix
    environment.open(corpus(3))
    page.setFocus()
    assert page.table.hasFocus()


def test_sentence_follows_the_metric_of_the_value_that_was_double_clicked(
    environment: Any, corpus: Any, area: ScoresArea
) -> None:
    environment.open(corpus(4))
    table, model = area.systems.table, area.systems.table.scores_model
    for metric in ("MCC", "F1-BAD", "F1-mult"):
        index = model.index(1, model.column_of(metric))
        layer = model.layer(1)
        table.setCurrentIndex(index)
        table.cell_activated.emit(index)
        environment.wait()
        assert environment.comparison.metric == metric
        assert model.metric(table.currentIndex().column()).name == metric
        assert model.layer(table.currentIndex().row()) == layer
        assert f"{metric} ." in area.systems.sentence.text_label.text()
    # a change of other options does not move the current cell
    table.setCurrentIndex(model.index(2, model.column_of("F1-OK")))
    environment.comparison.changed.emit()
    assert table.currentIndex().column() == model.column_of("F1-OK")


def test_sentence_states_that_the_sort_metric_is_not_the_tested_one(
    environment: Any, corpus: Any, area: ScoresArea
) -> None:
    environment.open(corpus(4))
    page, note = area.systems, "Sorted by MCC; tests use F1-mult. To test MCC, double-click one of its values."
    for metric, is_noted in (("F1-mult", False), ("MCC", True), ("F1-mult", False)):
        page.table.scores_model.sort(page.table.scores_model.column_of(metric), Qt.SortOrder.DescendingOrder)
        assert page.sentence.text_label.text().endswith(note) is is_noted
    page.table.scores_model.sort(page.table.scores_model.column_of("MCC"), Qt.SortOrder.DescendingOrder)
    environment.comparison.set_metric("MCC")
    environment.wait()
    assert "tests use" not in page.sentence.text_label.text()


def test_sentence_follows_edits_and_charts(environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot) -> None:
    environment.open(corpus(3))
    page = area.systems
    page.table.setCurrentIndex(page.table.scores_model.index(0, 1))
    before = page.sentence.text_label.text()
    page.gallery.described.emit("3 hits")
    assert page.sentence.text_label.text() == "3 hits"
    page.gallery.described.emit("")
    assert page.sentence.text_label.text() == before
    for word in range(5):
        environment.flip_tag(0, word)
    assert page.sentence.text_label.text() != before
    environment.wait()
    assert "Outdated" not in page.sentence.text_label.text()
    environment.workspace.close()
    assert page.sentence.text_label.text().startswith("Select a value")


def test_focus_on_a_view_explains_its_cell(environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot) -> None:
    environment.open(corpus(3))
    area.show()
    area.activateWindow()
    qtbot.waitUntil(area.isActiveWindow)
    page = area.systems
    page.matrix.view.setCurrentIndex(page.matrix.view.matrix.index(0, 1))
    pair = page.sentence.text_label.text()
    page.table.setCurrentIndex(page.table.scores_model.index(2, 1))
    page.table.setFocus(Qt.FocusReason.TabFocusReason)
    assert page.sentence.text_label.text() != pair
    page.matrix.view.setFocus(Qt.FocusReason.TabFocusReason)
    assert page.sentence.text_label.text() == pair


def test_only_the_selection_that_the_sentence_explains_looks_active(
    environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    environment.open(corpus(3))
    area.resize(1200, 760)
    area.show()
    area.activateWindow()
    qtbot.waitUntil(area.isActiveWindow)
    page = area.systems
    table, matrix, coefficients = page.table, page.matrix.view, page.coefficients.table
    page.gallery.show_chart(COEFFICIENTS)
    views = (table, matrix, coefficients)
    accent = theme.current().accent.rgb()

    def has_accent_frame() -> bool:
        image = matrix.viewport().grab().toImage()
        left, top = matrix.columnViewportPosition(1), matrix.rowViewportPosition(0)
        middle = top + matrix.rowHeight(0) // 2
        return any(image.pixel(x, middle) == accent for x in range(left, left + 4))

    matrix.setCurrentIndex(matrix.matrix.index(0, 1))
    assert [view.is_described for view in views] == [False, True, False]
    assert has_accent_frame()
    for view in views:
        view.setFocus(Qt.FocusReason.TabFocusReason)
        view.setCurrentIndex(view.model().index(0, 1))
        assert [other.is_described for other in views] == [other is view for other in views]
        assert has_accent_frame() is (view is matrix)
    # an item of a chart
    page.options.setFocus()
    page.gallery.setFocus()
    page.gallery.tabBar().setFocus()
    page.gallery.described.emit("3 hits")
    assert not any(view.is_described for view in views)
    page.gallery.described.emit("")
    assert [view.is_described for view in views] == [False, True, False]
