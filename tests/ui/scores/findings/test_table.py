"""The table of findings: each cell in words, whatever systems are called, and where scores are undefined."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance, TagColumn
from tests.ui.scores.findings.looking import texts

ROLE = Qt.ItemDataRole


def test_a_cell_says_all_of_it_in_words(world: Any, corpus: Any, findings: Any) -> None:
    world.open(corpus(3))
    row, column = findings.place("system 0", "MCC")
    index = findings.view.cells.index(row, column)
    said = str(index.data(ROLE.AccessibleTextRole))
    cell = findings.cell("system 0", "MCC")
    low, high = cell.below.strip("[]").split(", ")
    assert said == f"system 0, test: MCC {cell.text}, between {low} and {high}, rank 1, cluster 1"
    assert index.data() == f"{cell.text} {cell.below} 1"
    findings.view.setCurrentIndex(index)
    assert said in texts(findings)


def test_undefined_scores_are_dashes_with_the_reason(world: Any, corpus: Any, findings: Any) -> None:
    opened = corpus(2)
    key = LayerKey(Provenance.SYSTEM, "silent", Kind.WORDS)
    world.open(opened.with_layer(Layer(key, TagColumn.of([[0] * 10] * opened.size))))
    cell = findings.cell("silent", "MCC")
    assert (cell.text, cell.below) == ("–", "")
    assert cell.description.startswith("silent, test: MCC undefined, rank 3, cluster")
    assert world.workspace.level.metrics["MCC"].reason in cell.description


def test_a_name_that_runs_from_right_to_left_turns_no_sentence(world: Any, corpus: Any, findings: Any) -> None:
    opened = corpus(1)
    key = LayerKey(Provenance.SYSTEM, "מערכת", Kind.WORDS)
    world.open(opened.with_layer(Layer(key, TagColumn.of([[0] * 10] * opened.size))))
    findings.go_to("מערכת", "MCC")
    said = findings.page.words.text()
    assert said.startswith("\u2068מערכת\u2069, test: MCC undefined")


def test_a_person_may_be_called_like_a_system(world: Any, corpus: Any, findings: Any) -> None:
    opened = corpus(2)
    key = LayerKey(Provenance.PERSON, "system 0", Kind.WORDS)
    world.open(opened.with_layer(Layer(key, TagColumn.of([[1] * 10] * opened.size))))
    assert set(findings.names()) == {"system 0", "system 1", "system 0 (annotator)"}
    assert findings.cell("system 0", "F1-BAD").text != findings.cell("system 0 (annotator)", "F1-BAD").text


@pytest.mark.parametrize("systems", [0, 1, 2, 17])
def test_it_keeps_to_the_rules_of_models(world: Any, corpus: Any, findings: Any, task: Path, systems: int) -> None:
    model = findings.view.cells
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    world.settings.rounds = 100
    world.open(corpus(systems))
    findings.read(task)
    findings.page.set_pair_order("en-de")
    findings.page.show_findings(of_folder=False)
    world.workspace.close()
    assert tester.model() is model
    assert model.rowCount(QModelIndex()) == len(findings.names())


def test_decimals_are_those_of_the_settings(world: Any, corpus: Any, findings: Any) -> None:
    world.open(corpus(2))
    world.settings.decimals = 4
    assert len(findings.cell("system 0", "MCC").text) == 5
