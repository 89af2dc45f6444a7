"""All metrics page of the open corpus: comparison with the command line, edits and changed options."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from qe_desktop.levels.findings import collect_findings
from qe_desktop.significance import SignificanceOptions
from qe_desktop.ui.scores.number_format import format_interval, format_score
from tests.ui.scores.findings.visible_texts import texts


def test_open_corpus_gives_the_table_of_the_command_line(world: Any, corpus: Any, findings: Any) -> None:
    world.open(corpus(5))
    scoring = world.scores.scoring()
    metrics = [scoring.level.metrics[name] for name in scoring.level.metrics if name in scoring.level.shown]
    expected = collect_findings({"test": scoring}, metrics, SignificanceOptions("", 1000, correction="none"))
    (pair,) = expected.pairs
    assert [column.header for column in findings.view.cells.columns] == ["System", *(entry.name for entry in metrics)]
    for metric in metrics:
        for name, entry in zip(pair.systems, pair.by(metric), strict=True):
            cell = findings.cell(name, metric.name)
            assert cell.text == format_score(entry.score, 3)
            assert cell.below == format_interval(*entry.interval, 3)
            best, worst = entry.ranks or (0, 0)
            assert cell.suffix == (str(best) if best == worst else f"{best}–{worst}")
    selected = scoring.level.metrics["F1-mult"]
    assert findings.names() == [pair.systems[index] for index in pair.order(selected)]
    clusters = [len(cluster) for cluster in pair.tested("F1-mult").clusters]
    assert len(clusters) > 1
    lines = [index for index, row in enumerate(findings.view.cells.rows) if row[1].last]
    assert lines == [sum(clusters[: number + 1]) - 1 for number in range(len(clusters) - 1)]


def test_metric_is_shared_by_all_pages_of_the_area(world: Any, corpus: Any, findings: Any) -> None:
    world.open(corpus(4))
    findings.view.header.sectionClicked.emit(findings.place("system 0", "MCC")[1])
    world.wait()
    assert world.comparison.metric == "MCC"
    assert findings.view.cells.columns[findings.place("system 0", "MCC")[1]].chosen
    bar = findings.page.bar
    assert bar._metric.currentText() == "MCC"
    world.comparison.set_metric("kappa")
    world.wait()
    assert findings.cell("system 0", "kappa").text
    assert bar._metric.currentText() == "kappa"


def test_changing_correction_or_alpha_does_not_repeat_the_tests(world: Any, corpus: Any, findings: Any) -> None:
    world.open(corpus(17))
    before = [row[3].suffix for row in findings.view.cells.rows]
    tested = findings.controller.of_open.result.findings.pairs[0].comparisons[0].metrics[0].p
    world.comparison.set_options(replace(world.comparison.options, correction="bonferroni", alpha=0.001))
    assert world.settled()
    world.qtbot.waitUntil(lambda: findings.controller.of_open.result.findings.options.alpha == 0.001)
    assert findings.controller.of_open.result.findings.pairs[0].comparisons[0].metrics[0].p is tested
    assert [row[3].suffix for row in findings.view.cells.rows] != before
    assert "p ≤ 0.001; Bonferroni" in texts(findings)


def test_too_few_trials_are_reported_above_the_table(world: Any, corpus: Any, findings: Any) -> None:
    world.open(corpus(17))
    assert findings.page.error.isHidden()
    world.comparison.set_options(replace(world.comparison.options, correction="bonferroni"))
    world.qtbot.waitUntil(lambda: "test: 1,000 trials are too few" in findings.page.error.text())
    assert not findings.page.error.isHidden()


def test_old_results_stay_visible_while_new_trials_run(world: Any, corpus: Any, findings: Any) -> None:
    world.open(corpus(3))
    before = findings.controller.of_open.result
    world.comparison.set_options(replace(world.comparison.options, rounds=2000))
    assert findings.controller.of_open.state == "working"
    assert findings.controller.of_open.result is before
    world.wait()
    assert findings.controller.of_open.result.findings.options.rounds == 2000


def test_edits_mark_results_as_outdated_until_recomputed(world: Any, corpus: Any, findings: Any) -> None:
    world.open(corpus(3))
    service = findings.controller.of_open
    before = findings.cell("system 0", "F1-BAD").description
    world.flip(0, 0)
    assert service.stale
    assert "outdated" in texts(findings)
    assert findings.cell("system 0", "F1-BAD").token == "muted"
    assert findings.cell("system 0", "F1-BAD").description.endswith("outdated")
    world.qtbot.waitUntil(lambda: not service.stale)
    assert findings.cell("system 0", "F1-BAD").token == ""
    assert findings.cell("system 0", "F1-BAD").description != before


def test_enter_shows_segments_that_separate_a_system_from_the_next(
    world: Any, corpus: Any, findings: Any, qtbot: QtBot
) -> None:
    world.open(corpus(3))
    findings.go_to("system 0", "F1-BAD")
    qtbot.keyClick(findings.view, Qt.Key.Key_Down)
    qtbot.keyClick(findings.view, Qt.Key.Key_Right)
    with qtbot.waitSignal(world.workspace.segments_wanted) as request:
        qtbot.keyClick(findings.view, Qt.Key.Key_Return)
    assert [key.name for key in request.args[:2]] == ["system 1", "system 2"]
    assert request.args[2:] == ["F1-OK", world.workspace.level, world.workspace.reference]
    with qtbot.waitSignal(world.workspace.segments_wanted) as request:
        findings.view.doubleClicked.emit(findings.view.cells.index(*findings.place("system 2", "MCC")))
    # the last system is compared with the one above
    assert [key.name for key in request.args[:2]] == ["system 2", "system 1"]
    with qtbot.assertNotEmitted(world.workspace.segments_wanted):
        findings.view.entered_cell.emit(findings.view.cells.index(0, 0))
