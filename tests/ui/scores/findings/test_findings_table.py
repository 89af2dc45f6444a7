"""Table of the All metrics page: accessible texts, system names, undefined scores."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance, TagColumn
from qe_desktop.ui.scores.findings.findings_page import RESERVED_LINES
from tests.ui.scores.visible_texts import visible_texts

ROLE = Qt.ItemDataRole


def test_accessible_text_of_a_cell_states_all_its_values(environment: Any, corpus: Any, driver: Any) -> None:
    environment.open(corpus(3))
    row, column = driver.cell_position("system 0", "MCC")
    index = driver.view.cells.index(row, column)
    text = str(index.data(ROLE.AccessibleTextRole))
    cell = driver.cell("system 0", "MCC")
    low, high = cell.second_line.strip("[]").split(", ")
    score = f"system 0, test: MCC {cell.text}, 95 % interval {low} to {high}"
    assert text == f"{score}, rank 1, cluster 1, no system is significantly better"
    assert index.data() == f"{cell.text} {cell.second_line} 1"
    driver.view.setCurrentIndex(index)
    assert text in visible_texts(driver.page)


def test_undefined_scores_are_dashes_with_the_reason(environment: Any, corpus: Any, driver: Any) -> None:
    opened = corpus(2)
    key = LayerKey(Provenance.SYSTEM, "silent", Kind.WORDS)
    environment.open(opened.with_layer(Layer(key, TagColumn.of([[0] * 10] * opened.size))))
    cell = driver.cell("silent", "MCC")
    assert (cell.text, cell.second_line) == ("–", "")
    assert cell.description.startswith("silent, test: MCC is undefined, rank 3, cluster")
    assert environment.workspace.level.metrics["MCC"].reason in cell.description


def test_right_to_left_system_name_is_isolated_in_sentences(environment: Any, corpus: Any, driver: Any) -> None:
    opened = corpus(1)
    key = LayerKey(Provenance.SYSTEM, "מערכת", Kind.WORDS)
    environment.open(opened.with_layer(Layer(key, TagColumn.of([[0] * 10] * opened.size))))
    driver.go_to("מערכת", "MCC")
    text = driver.page.description_label.text()
    assert text.startswith("\u2068מערכת\u2069, test: MCC is undefined")


def test_annotator_and_system_may_have_the_same_name(environment: Any, corpus: Any, driver: Any) -> None:
    opened = corpus(2)
    key = LayerKey(Provenance.PERSON, "system 0", Kind.WORDS)
    environment.open(opened.with_layer(Layer(key, TagColumn.of([[1] * 10] * opened.size))))
    assert set(driver.names()) == {"system 0", "system 1", "system 0 (annotator)"}
    assert driver.cell("system 0", "F1-BAD").text != driver.cell("system 0 (annotator)", "F1-BAD").text


@pytest.mark.parametrize("systems", [0, 1, 2, 17])
def test_model_passes_the_qt_model_tester(environment: Any, corpus: Any, driver: Any, task: Path, systems: int) -> None:
    model = driver.view.cells
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    environment.settings.rounds = 100
    environment.open(corpus(systems))
    driver.read(task)
    driver.page.set_pair_order("en-de")
    driver.page.show_findings(of_folder=False)
    environment.workspace.close()
    assert tester.model() is model
    assert model.rowCount(QModelIndex()) == len(driver.names())


def test_notes_fold_before_the_plots_are_hidden(environment: Any, corpus: Any, driver: Any) -> None:
    environment.open(corpus(4))
    page = driver.page
    page._remarks.setText("\n".join(["a note"] * 20))
    page.resize(page.width(), 2000)
    line = page.fontMetrics().lineSpacing()
    needed = page.view.whole_height() + page.sentence.height() + page.strips.minimumSizeHint().height()
    before = page._below.minimumHeight()
    page.resize(page.width(), needed + (RESERVED_LINES + 2) * line)
    assert not page._plots.isHidden()
    assert page._below.minimumHeight() < before
    page.resize(page.width(), needed + RESERVED_LINES * line)
    assert page._plots.isHidden()


def test_plots_below_the_columns_choose_cells_and_share_a_scale(
    environment: Any, corpus: Any, driver: Any, qtbot: Any
) -> None:
    environment.open(corpus(3))
    driver.area.resize(1200, 900)
    strips, view = driver.page.strips, driver.view
    assert strips.isVisible()
    assert strips.is_scale_shared
    assert visible_texts(driver.page).count("one scale, so that columns can be compared") == 1
    column = next(place for place, head in enumerate(view.cells.columns) if head.header == "MCC")
    box, row_height = strips._plot_rect(column), strips._row_height()
    qtbot.mouseClick(strips, Qt.MouseButton.LeftButton, pos=QPoint(box.center().x(), round(1.5 * row_height)))
    assert (view.currentIndex().row(), view.currentIndex().column()) == (1, column)
    assert driver.page.sentence.sign_label.text() in ("●", "◐", "○")
    # the bar is where the interval is
    score, low, high, *_ = view.cells.rows[1][column].exact_values
    scale = strips._scale(column)
    assert box.left() <= scale.x(low, box) <= scale.x(score, box) <= scale.x(high, box) <= box.right() + 1
    # the limits follow from the data, and all columns share them
    values = [value for column in strips._columns() for value in strips._values(column)]
    assert min(values) - 0.1 < scale.low <= min(values)
    assert max(values) <= scale.high < max(values) + 0.1
    assert {strips._scale(column) for column in strips._columns()} == {scale}
    # metrics in other units have a scale each
    ends = (50.0, 40.0, 60.0, 1, 1)
    rows = tuple((row[0], *(replace(cell, exact_values=ends) for cell in row[1:])) for row in view.table_data.rows)
    view.show_data(replace(view.table_data, rows=rows))
    assert not strips.is_scale_shared
    assert not strips.grab().isNull()


def test_number_of_decimals_follows_the_settings(environment: Any, corpus: Any, driver: Any) -> None:
    environment.open(corpus(2))
    environment.settings.decimals = 4
    assert len(driver.cell("system 0", "MCC").text) == 5
