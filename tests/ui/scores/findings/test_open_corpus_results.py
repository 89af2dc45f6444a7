"""All metrics page of the open corpus: comparison with the command line, edits and changed options."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qe_desktop.levels.findings import collect_findings
from qe_desktop.significance import SignificanceOptions
from qe_desktop.ui.scores.number_format import format_interval, format_score
from tests.ui.scores.visible_texts import visible_texts


def test_open_corpus_gives_the_table_of_the_command_line(environment: Any, corpus: Any, driver: Any) -> None:
    environment.open(corpus(5))
    scoring = environment.scores.scoring()
    metrics = [scoring.level.metrics[name] for name in scoring.level.metrics if name in scoring.level.shown_metrics]
    expected = collect_findings({"test": scoring}, metrics, SignificanceOptions("", 1000, correction="none"))
    (pair,) = expected.pairs
    assert [column.header for column in driver.view.cells.columns] == ["System", *(entry.name for entry in metrics)]
    for metric in metrics:
        for name, entry in zip(pair.systems, pair.system_findings(metric), strict=True):
            cell = driver.cell(name, metric.name)
            assert cell.text == format_score(entry.score, 3)
            assert cell.second_line == format_interval(*entry.interval, 3)
            best, worst = entry.ranks or (0, 0)
            assert cell.suffix == (str(best) if best == worst else f"{best}–{worst}")
    selected = scoring.level.metrics["F1-mult"]
    assert driver.names() == [pair.systems[index] for index in pair.order(selected)]
    clusters = [len(cluster) for cluster in pair.test_results("F1-mult").clusters]
    assert len(clusters) > 1
    lines = [index for index, row in enumerate(driver.view.cells.rows) if row[1].ends_group]
    assert lines == [sum(clusters[: number + 1]) - 1 for number in range(len(clusters) - 1)]


def test_metric_is_shared_by_all_pages_of_the_area(environment: Any, corpus: Any, driver: Any) -> None:
    environment.open(corpus(4))
    driver.view.header.sectionClicked.emit(driver.cell_position("system 0", "MCC")[1])
    environment.wait()
    assert environment.comparison.metric == "MCC"
    assert driver.view.cells.columns[driver.cell_position("system 0", "MCC")[1]].is_current
    bar = driver.page.bar
    assert bar._metric.currentText() == "MCC"
    environment.comparison.set_metric("kappa")
    environment.wait()
    assert driver.cell("system 0", "kappa").text
    assert bar._metric.currentText() == "kappa"


def test_changing_correction_or_alpha_does_not_repeat_the_tests(environment: Any, corpus: Any, driver: Any) -> None:
    environment.open(corpus(17))
    before = [row[3].suffix for row in driver.view.cells.rows]
    tested = driver.controller.session_service.result.findings.pairs[0].comparisons[0].metrics[0].p
    environment.comparison.set_options(replace(environment.comparison.options, correction="bonferroni", alpha=0.001))
    assert environment.is_settled()
    environment.qtbot.waitUntil(lambda: driver.controller.session_service.result.findings.options.alpha == 0.001)
    assert driver.controller.session_service.result.findings.pairs[0].comparisons[0].metrics[0].p is tested
    assert [row[3].suffix for row in driver.view.cells.rows] != before
    assert "p ≤ .001; Bonferroni" in visible_texts(driver.page)


def test_hidden_page_applies_another_alpha_when_it_is_shown(environment: Any, corpus: Any, driver: Any) -> None:
    """Judging seven metrics of eight language pairs would lengthen every change of alpha on the other pages."""
    environment.open(corpus(5))
    service, before = driver.controller.session_service, driver.controller.session_service.result
    driver.page.hide()
    environment.comparison.set_options(replace(environment.comparison.options, alpha=0.001))
    QApplication.processEvents()
    assert service.result is before
    driver.page.show()
    assert service.result.findings.options.alpha == 0.001
    assert "p ≤ .001" in visible_texts(driver.page)


def test_too_few_trials_are_reported_above_the_table(environment: Any, corpus: Any, driver: Any) -> None:
    environment.open(corpus(17))
    assert driver.page.error.isHidden()
    environment.comparison.set_options(replace(environment.comparison.options, correction="bonferroni"))
    environment.qtbot.waitUntil(lambda: "test: 1,000 trials are too few" in driver.page.error.text())
    assert not driver.page.error.isHidden()


def test_old_results_stay_visible_while_new_trials_run(environment: Any, corpus: Any, driver: Any) -> None:
    environment.open(corpus(3))
    before = driver.controller.session_service.result
    environment.comparison.set_options(replace(environment.comparison.options, rounds=2000))
    assert driver.controller.session_service.state == "working"
    assert driver.controller.session_service.result is before
    environment.wait()
    assert driver.controller.session_service.result.findings.options.rounds == 2000


def test_edits_mark_results_as_outdated_until_recomputed(environment: Any, corpus: Any, driver: Any) -> None:
    environment.open(corpus(3))
    service = driver.controller.session_service
    before = driver.cell("system 0", "F1-BAD").description
    environment.flip_tag(0, 0)
    assert service.is_data_outdated
    assert "outdated" in visible_texts(driver.page)
    assert driver.cell("system 0", "F1-BAD").token == "muted"
    assert driver.cell("system 0", "F1-BAD").description.endswith("outdated")
    environment.qtbot.waitUntil(lambda: not service.is_data_outdated)
    assert driver.cell("system 0", "F1-BAD").token == ""
    assert driver.cell("system 0", "F1-BAD").description != before


def test_enter_shows_segments_that_separate_a_system_from_the_next(
    environment: Any, corpus: Any, driver: Any, qtbot: QtBot
) -> None:
    environment.open(corpus(3))
    driver.go_to("system 0", "F1-BAD")
    qtbot.keyClick(driver.view, Qt.Key.Key_Down)
    qtbot.keyClick(driver.view, Qt.Key.Key_Right)
    with qtbot.waitSignal(environment.workspace.segments_requested) as request:
        qtbot.keyClick(driver.view, Qt.Key.Key_Return)
    assert [key.name for key in request.args[:2]] == ["system 1", "system 2"]
    assert request.args[2:] == ["F1-OK", environment.workspace.level, environment.workspace.reference]
    with qtbot.waitSignal(environment.workspace.segments_requested) as request:
        driver.view.doubleClicked.emit(driver.view.cells.index(*driver.cell_position("system 2", "MCC")))
    # the last system is compared with the one above
    assert [key.name for key in request.args[:2]] == ["system 2", "system 1"]
    with qtbot.assertNotEmitted(environment.workspace.segments_requested):
        driver.view.cell_activated.emit(driver.view.cells.index(0, 0))
