"""States of the All metrics page, and its use by keyboard."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from qe_desktop.report.findings import findings_legend
from qe_desktop.ui.scores.findings.findings_page import findings_remarks
from qe_desktop.ui.scores.findings.findings_table import findings_table
from qe_desktop.ui.scores.significance import significance_service as comparing
from tests.ui.scores.visible_texts import find_button, visible_texts


def test_page_without_a_corpus_explains_its_purpose(driver: Any, qtbot: QtBot) -> None:
    assert "All systems, all metrics" in visible_texts(driver.page)
    with qtbot.waitSignal(driver.page.folder_selection_requested):
        driver.controller.page.folder_selection_requested.disconnect(driver.controller.ask_folder)
        find_button(driver.page, "Compare language pairs in a folder…").click()
    with qtbot.waitSignal(driver.page.folder_requested):
        find_button(driver.page, "Open folder…").click()


def test_missing_gold_is_reported_with_an_add_button(environment: Any, corpus: Any, driver: Any, qtbot: QtBot) -> None:
    environment.open(corpus(2, gold=False))
    assert "There is no gold for words" in visible_texts(driver.page)
    with qtbot.waitSignal(driver.page.files_requested):
        find_button(driver.page, "Add files…").click()


def test_single_system_is_not_tested(environment: Any, corpus: Any, driver: Any, qtbot: QtBot) -> None:
    environment.open(corpus(1))
    cell = driver.cell("system 0", "MCC")
    assert cell.suffix == ""
    assert cell.description.endswith("not tested")
    assert "test has only one system, so no test was run." in visible_texts(driver.page)
    driver.go_to("system 0", "MCC")
    qtbot.keyClick(driver.view, Qt.Key.Key_Return)
    assert "there is only one system" in driver.page.description_label.text()


def test_click_on_a_header_selects_the_metric_and_sorts_by_it_as_its_tooltip_states(
    environment: Any, corpus: Any, driver: Any
) -> None:
    environment.open(corpus(3))
    columns = driver.view.cells.columns
    section = next(index for index, column in enumerate(columns) if column.header == "MCC")
    assert "Click to select MCC and to sort the systems by it." in columns[section].tooltip
    driver.view.header.sectionClicked.emit(section)
    environment.wait()
    assert environment.comparison.metric == "MCC"
    columns = driver.view.cells.columns
    assert [column.header for column in columns if column.is_current] == ["MCC"]
    assert "Click" not in next(column.tooltip for column in columns if column.header == "MCC")


def test_hidden_page_computes_nothing(environment: Any, corpus: Any, driver: Any) -> None:
    driver.area.pages.show_page("systems")
    environment.open(corpus(3))
    service = driver.controller.session_service
    assert (service.result, service.state) == (None, "waiting")
    driver.area.pages.show_page("findings")
    environment.wait()
    assert service.state == "ready"


def test_large_corpus_is_computed_on_request(
    environment: Any, corpus: Any, driver: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "MAX_AUTOMATIC_TAGS", 10)
    environment.open(corpus(3))
    assert "No results yet" in visible_texts(driver.page)
    find_button(driver.page, "Run").click()
    environment.wait()
    assert len(driver.names()) == 3
    environment.flip_tag(0, 0)
    environment.qtbot.waitUntil(lambda: driver.controller.session_service.state == "waiting")
    find_button(driver.page, "Run again").click()
    environment.wait()
    assert not driver.controller.session_service.is_data_outdated


def test_results_of_corpus_and_folder_can_be_switched(environment: Any, corpus: Any, driver: Any, task: Path) -> None:
    environment.open(corpus(2))
    assert driver.names() == ["system 0", "system 1"]
    assert driver.page.input_combo.isHidden()
    driver.read(task)
    assert "good" in driver.names()
    page = driver.page
    assert [page.input_combo.itemText(index) for index in range(2)] == ["test", "folder task"]
    page.input_combo.setCurrentIndex(0)
    page.input_combo.activated.emit(0)
    assert driver.names() == ["system 0", "system 1"]
    environment.workspace.close()
    page.show_findings(of_folder=True)
    assert "good" in driver.names()


def test_every_control_has_a_distinct_mnemonic(environment: Any, corpus: Any, driver: Any, task: Path) -> None:
    environment.open(corpus(2))
    driver.read(task)
    bar = driver.page.bar
    shown = [label for control, label in bar._labels.items() if not bar._pairs[control].isHidden()]
    keys = [label.text()[label.text().index("&") + 1].lower() for label in (driver.page._of_label, *shown)]
    assert len(keys) == 9
    assert len(set(keys)) == len(keys)
    assert not set(keys) & set("fevsh")


def test_tab_order_goes_from_options_to_table_to_details(
    environment: Any, corpus: Any, driver: Any, task: Path
) -> None:
    environment.open(corpus(2))
    driver.read(task)
    page, order = driver.page, []
    current = page.bar._metric
    for _ in range(60):
        order.append(current)
        current = current.nextInFocusChain()
    stops = (page.bar._metric, page.input_combo, page._task, page._copy, driver.view, page._below)
    positions = [order.index(widget) for widget in stops]
    assert positions == sorted(positions)


def test_many_systems_are_painted_in_a_small_window(environment: Any, corpus: Any, driver: Any) -> None:
    environment.settings.rounds = 100
    environment.open(corpus(40))
    # the small size is given in lines and characters, as fonts differ between machines
    text = driver.area.fontMetrics()
    for width, height in ((1200, 720), (92 * text.horizontalAdvance("0"), 27 * text.height())):
        # the charts are arranged for a narrow page once events are processed
        environment.qtbot.waitUntil(lambda width=width: driver.area.minimumSizeHint().width() <= width)
        driver.area.resize(width, height)
        assert not driver.area.grab().isNull()
        assert (driver.area.width(), driver.area.height()) == (width, height)
        # three rows are visible below the column headers once the page has its layout
        environment.qtbot.waitUntil(lambda: driver.view.viewport().height() >= 3 * driver.view.rowHeight(0))


def test_notes_on_several_language_pairs_are_joined(environment: Any, driver: Any, task: Path) -> None:
    for pair in ("en-de", "ne-en"):
        (task / pair / "test.docs").write_text("".join(f"d{segment // 10}\n" for segment in range(60)))
        (task / pair / "notes.txt").write_text("a\n")
    driver.read(task)
    notes = [line for line in driver.page._remarks.text().splitlines() if "treated as independent" in line]
    assert len(notes) == 1
    assert notes[0].startswith("en-de and ne-en: 120 segments of 12 documents")
    # notes on files are behind a button
    assert "notes.txt" not in driver.page._remarks.text()
    files = driver.page._file_remarks.text()
    assert "en-de/notes.txt and ne-en/notes.txt: the file name does not indicate a role" in files
    assert not driver.page.file_notes.isHidden()


def test_lines_are_explained_only_if_there_are_lines(driver: Any, task: Path) -> None:
    driver.read(task)
    result = driver.controller.folder_service.result
    for alpha, separate in ((0.05, True), (1e-9, False)):
        judged = result.with_options(replace(result.findings.options, alpha=alpha))
        rows = findings_table(judged, "F1-mult", "en-de", 3).rows
        assert any(row[0].ends_group for row in rows) is separate
        assert any("Lines separate" in line for line in findings_remarks(judged, "F1-mult", "en-de")) is separate
        legend = findings_legend(judged.findings.with_first_metric("F1-mult"), "pair")
        assert any("Lines separate" in line for line in legend) is any(
            pair.cluster_ends(judged.metrics[0]) for pair in judged.findings.pairs
        )


def test_switch_names_what_the_page_shows(environment: Any, corpus: Any, driver: Any, task: Path) -> None:
    tab = driver.area.pages.switch.tabs["findings"]
    environment.open(corpus(2))
    assert tab.text() == "All metrics"
    driver.read(task)
    assert tab.text() == "Language pairs"
    driver.page.show_findings(of_folder=False)
    assert tab.text() == "All metrics"


def test_switch_names_no_language_pairs_after_other_data_are_opened(
    environment: Any, corpus: Any, driver: Any, task: Path
) -> None:
    tab = driver.area.pages.switch.tabs["findings"]
    driver.read(task)
    pair = driver.controller.folder_service.result.findings.pairs[0].scoring.view.corpus
    # the pair is part of what the page shows
    environment.open(pair)
    assert tab.text() == "Language pairs"
    driver.area.pages.show_page("systems")
    environment.open(corpus(2))
    assert tab.text() == "All metrics"
    # the folder remains among the inputs
    driver.area.pages.show_page("findings")
    environment.wait()
    driver.page.input_combo.setCurrentIndex(1)
    driver.page.input_combo.activated.emit(1)
    assert tab.text() == "Language pairs"
