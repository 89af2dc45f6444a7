"""Table of the All metrics page: accessible texts, system names, undefined scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance, TagColumn
from tests.ui.scores.findings.visible_texts import visible_texts

ROLE = Qt.ItemDataRole


def test_accessible_text_of_a_cell_states_all_its_values(environment: Any, corpus: Any, driver: Any) -> None:
    environment.open(corpus(3))
    row, column = driver.cell_position("system 0", "MCC")
    index = driver.view.cells.index(row, column)
    text = str(index.data(ROLE.AccessibleTextRole))
    cell = driver.cell("system 0", "MCC")
    low, high = cell.below.strip("[]").split(", ")
    assert text == f"system 0, test: MCC {cell.text}, 95 % interval {low} to {high}, rank 1, cluster 1"
    assert index.data() == f"{cell.text} {cell.below} 1"
    driver.view.setCurrentIndex(index)
    assert text in visible_texts(driver)


def test_undefined_scores_are_dashes_with_the_reason(environment: Any, corpus: Any, driver: Any) -> None:
    opened = corpus(2)
    key = LayerKey(Provenance.SYSTEM, "silent", Kind.WORDS)
    environment.open(opened.with_layer(Layer(key, TagColumn.of([[0] * 10] * opened.size))))
    cell = driver.cell("silent", "MCC")
    assert (cell.text, cell.below) == ("–", "")
    assert cell.description.startswith("silent, test: MCC undefined, rank 3, cluster")
    assert environment.workspace.level.metrics["MCC"].reason in cell.description


def test_right_to_left_system_name_is_isolated_in_sentences(environment: Any, corpus: Any, driver: Any) -> None:
    opened = corpus(1)
    key = LayerKey(Provenance.SYSTEM, "מערכת", Kind.WORDS)
    environment.open(opened.with_layer(Layer(key, TagColumn.of([[0] * 10] * opened.size))))
    driver.go_to("מערכת", "MCC")
    text = driver.page.words.text()
    assert text.startswith("\u2068מערכת\u2069, test: MCC undefined")


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


def test_number_of_decimals_follows_the_settings(environment: Any, corpus: Any, driver: Any) -> None:
    environment.open(corpus(2))
    environment.settings.decimals = 4
    assert len(driver.cell("system 0", "MCC").text) == 5
