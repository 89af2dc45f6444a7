"""States of the All metrics page, and its use by keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from qe_desktop.ui.scores.significance import significance_service as comparing
from tests.ui.scores.findings.visible_texts import button, texts


def test_page_without_a_corpus_explains_its_purpose(findings: Any, qtbot: QtBot) -> None:
    assert "All systems, all metrics" in texts(findings)
    with qtbot.waitSignal(findings.page.task_wanted):
        findings.controller.page.task_wanted.disconnect(findings.controller.ask_folder)
        button(findings, "Compare a folder…").click()
    with qtbot.waitSignal(findings.page.folder_wanted):
        button(findings, "Open folder…").click()


def test_missing_gold_is_reported_with_an_add_button(world: Any, corpus: Any, findings: Any, qtbot: QtBot) -> None:
    world.open(corpus(2, gold=False))
    assert "There is no gold for words" in texts(findings)
    with qtbot.waitSignal(findings.page.files_wanted):
        button(findings, "Add files…").click()


def test_single_system_is_not_tested(world: Any, corpus: Any, findings: Any, qtbot: QtBot) -> None:
    world.open(corpus(1))
    cell = findings.cell("system 0", "MCC")
    assert cell.suffix == ""
    assert cell.description.endswith("not tested")
    assert "test has only one system, so no test was run." in texts(findings)
    findings.go_to("system 0", "MCC")
    qtbot.keyClick(findings.view, Qt.Key.Key_Return)
    assert "no other system" in findings.page.words.text()


def test_hidden_page_computes_nothing(world: Any, corpus: Any, findings: Any) -> None:
    findings.area.pages.show_page("systems")
    world.open(corpus(3))
    service = findings.controller.of_open
    assert (service.result, service.state) == (None, "waiting")
    findings.area.pages.show_page("findings")
    world.wait()
    assert service.state == "ready"


def test_large_corpus_is_computed_on_request(
    world: Any, corpus: Any, findings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "MAX_AUTOMATIC_TAGS", 10)
    world.open(corpus(3))
    assert "No results yet" in texts(findings)
    button(findings, "Run").click()
    world.wait()
    assert len(findings.names()) == 3
    world.flip(0, 0)
    world.qtbot.waitUntil(lambda: findings.controller.of_open.state == "waiting")
    button(findings, "Run again").click()
    world.wait()
    assert not findings.controller.of_open.stale


def test_results_of_corpus_and_folder_can_be_switched(world: Any, corpus: Any, findings: Any, task: Path) -> None:
    world.open(corpus(2))
    assert findings.names() == ["system 0", "system 1"]
    assert findings.page.of.isHidden()
    findings.read(task)
    assert "good" in findings.names()
    page = findings.page
    assert [page.of.itemText(index) for index in range(2)] == ["test", "folder task"]
    page.of.setCurrentIndex(0)
    page.of.activated.emit(0)
    assert findings.names() == ["system 0", "system 1"]
    world.workspace.close()
    page.show_findings(of_folder=True)
    assert "good" in findings.names()


def test_every_control_has_a_distinct_mnemonic(world: Any, corpus: Any, findings: Any, task: Path) -> None:
    world.open(corpus(2))
    findings.read(task)
    labels = [findings.page._of_label, *findings.page.bar._labels.values()]
    keys = [label.text()[label.text().index("&") + 1].lower() for label in labels if label.isVisibleTo(findings.page)]
    assert len(keys) == 8
    assert len(set(keys)) == len(keys)
    assert not set(keys) & set("fevsh")


def test_tab_order_goes_from_options_to_table_to_details(world: Any, corpus: Any, findings: Any, task: Path) -> None:
    world.open(corpus(2))
    findings.read(task)
    page, order = findings.page, []
    current = page.bar._metric
    for _ in range(60):
        order.append(current)
        current = current.nextInFocusChain()
    stops = (page.bar._metric, page.of, page._task, page._copy, findings.view, page._below)
    positions = [order.index(widget) for widget in stops]
    assert positions == sorted(positions)


def test_many_systems_are_painted_in_a_small_window(world: Any, corpus: Any, findings: Any) -> None:
    world.settings.rounds = 100
    world.open(corpus(40))
    # the small size is given in lines and characters, as fonts differ between machines
    text = findings.area.fontMetrics()
    for width, height in ((1200, 720), (92 * text.horizontalAdvance("0"), 27 * text.height())):
        findings.area.resize(width, height)
        assert not findings.area.grab().isNull()
        assert (findings.area.width(), findings.area.height()) == (width, height)
        # three rows are visible below the column headers once the page has its layout
        world.qtbot.waitUntil(lambda: findings.view.viewport().height() >= 3 * findings.view.rowHeight(0))
