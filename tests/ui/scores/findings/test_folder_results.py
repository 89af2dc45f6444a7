"""All metrics page of a folder: language pairs, levels, gold layers, and folders that cannot be read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt
from pytestqt.qtbot import QtBot

from qe_desktop.ui.scores.number_format import format_score
from tests.ui.scores.findings.visible_texts import button, texts


def test_folder_gives_a_table_of_systems_by_language_pair(world: Any, findings: Any, task: Path) -> None:
    findings.read(task)
    assert [column.header for column in findings.view.cells.columns] == ["System", "Average", "en-de", "ne-en"]
    assert (findings.names()[0], findings.names()[-1]) == ("good", "late")
    gap = findings.cell("late", "ne-en")
    assert (gap.text, gap.description) == (
        "–", "late has no data for ne-en: it is not compared there and has no average.",
    )  # fmt: skip
    assert findings.cell("late", "Average").description == "late has no data for ne-en, so it has no average."
    assert "late has no output for ne-en, so it has no average." in texts(findings)
    result = findings.controller.of_folder.result.findings
    metric = result.metrics[0]
    findings.controller.of_folder.set_metric("MCC")
    mean = result.averages(result.level.metrics["MCC"])["good"]
    assert mean != result.averages(metric)["good"]
    assert findings.cell("good", "Average").text == format_score(mean, 3)
    assert "MCC in 2 language pairs" in texts(findings)


def test_options_apply_to_a_folder_without_an_open_corpus(world: Any, findings: Any, task: Path) -> None:
    findings.read(task)
    service, before = findings.controller.of_folder, findings.controller.of_folder.result.findings
    bar = findings.page.bar
    bar._alpha.setValue(0.001)
    assert world.jobs.idle()
    world.qtbot.waitUntil(lambda: service.result.findings is not before)
    judged = service.result.findings
    assert {comparison.options.alpha for pair in judged.pairs for comparison in pair.comparisons} == {0.001}
    assert judged.pairs[0].comparisons[0].metrics[0].p is before.pairs[0].comparisons[0].metrics[0].p
    bar._seed.setValue(7)
    assert service.state == "working"
    world.wait()
    assert service.result.findings.options.seed == 7
    assert service.result.findings.options.alpha == 0.001
    assert not bar._unit.model().item(1).isEnabled()


def test_changing_alpha_does_not_hide_or_show_controls(world: Any, findings: Any, task: Path) -> None:
    """Hiding and showing a control would lay out the whole page again for each change."""
    findings.read(task)
    bar = findings.page.bar

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() in (QEvent.Type.HideToParent, QEvent.Type.ShowToParent):
                moved.append(watched)
            return False

    moved: list[QObject] = []
    watch = Watch()
    for pair in bar._pairs.values():
        pair.installEventFilter(watch)
    bar._alpha.setValue(0.001)
    world.qtbot.waitUntil(lambda: findings.controller.of_folder.result.findings.options.alpha == 0.001)
    assert moved == []
    shown = [box.accessibleName() for box, pair in bar._pairs.items() if pair.isVisibleTo(bar)]
    assert shown == ["Metric", "Correction", "Alpha", "Trials", "Resampling unit", "Seed", "Order by"]
    bar._pairs[bar._seed].hide()
    assert moved == [bar._pairs[bar._seed]]


def test_selecting_a_pair_orders_the_systems_and_shows_clusters(findings: Any, task: Path) -> None:
    findings.read(task)
    assert not any(cell.last for row in findings.view.cells.rows for cell in row)
    findings.view.header.sectionClicked.emit(3)
    metric = findings.controller.of_folder.metric
    result = findings.controller.of_folder.result.findings
    pair = result.pairs[1]
    best_first = [pair.systems[index] for index in pair.order(result.level.metrics[metric])]
    assert findings.names() == [*best_first, "late"]
    assert findings.view.cells.columns[3].chosen
    assert any(row[0].last for row in findings.view.cells.rows)
    assert findings.page.bar._pair.currentText() == "ne-en"
    findings.page.bar._pair.setCurrentIndex(0)
    findings.page.bar._pair.activated.emit(0)
    assert findings.view.cells.columns[1].chosen


def test_enter_offers_to_open_another_pair_and_opens_it(world: Any, findings: Any, task: Path, qtbot: QtBot) -> None:
    findings.read(task)
    findings.go_to("good", "ne-en")
    with qtbot.assertNotEmitted(world.workspace.segments_wanted):
        qtbot.keyClick(findings.view, Qt.Key.Key_Return)
    assert "ne-en is not open. Press Enter again to open it" in findings.page.words.text()
    qtbot.keyClick(findings.view, Qt.Key.Key_Escape)
    assert findings.page.accept.isHidden()
    assert world.workspace.session is None
    qtbot.keyClick(findings.view, Qt.Key.Key_Return)
    with qtbot.waitSignals([world.workspace.segments_wanted, findings.controller.around.opened]):
        qtbot.mouseClick(findings.page.accept, Qt.MouseButton.LeftButton)
    world.wait()
    assert world.workspace.corpus.language_pair == "ne-en"
    # the pair is open now
    with qtbot.waitSignal(world.workspace.segments_wanted):
        qtbot.keyClick(findings.view, Qt.Key.Key_Return)
    findings.go_to("good", "en-de")
    qtbot.keyClick(findings.view, Qt.Key.Key_Return)
    assert "instead of ne-en" in findings.page.words.text()
    findings.may_replace = False
    qtbot.keyClick(findings.view, Qt.Key.Key_Return)
    assert world.workspace.corpus.language_pair == "ne-en"


def test_invalid_folder_reports_the_line_and_keeps_the_table(
    world: Any, findings: Any, task: Path, qtbot: QtBot
) -> None:
    findings.read(task)
    before = findings.names()
    broken = task.parent / "broken"
    (task / "en-de").rename(broken)
    lines = (broken / "test.tags").read_text().splitlines()
    (broken / "test.tags").write_text("\n".join([*lines[:2], lines[2] + " OK", *lines[3:]]) + "\n")
    findings.read(broken)
    assert findings.names() == before
    message = findings.page.error.text()
    assert "test.tags:3: " in message
    assert message.endswith(".")
    qtbot.keyClick(findings.view, Qt.Key.Key_Escape)
    assert findings.page.error.isHidden()
    findings.read(broken)
    assert "test.tags:3: " in findings.page.error.text()
    (broken / "test.tags").write_text("\n".join(lines) + "\n")
    button(findings, "Try again").click()
    world.wait()
    assert findings.page.error.isHidden()
    assert findings.controller.of_folder.result.title == "broken"


def test_empty_folder_is_reported_before_any_result(world: Any, findings: Any, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    findings.read(tmp_path / "empty")
    assert "No results for the folder" in texts(findings)
    assert "the folder is empty" in texts(findings)
    assert button(findings, "Select another folder…").isEnabled()
    button(findings, "Try again").click()
    world.wait()
    assert "the folder is empty" in texts(findings)


def test_cancelling_a_folder_keeps_the_previous_results(world: Any, findings: Any, task: Path) -> None:
    findings.read(task)
    before = findings.controller.of_folder.result
    world.comparison.set_options(replace(world.comparison.options, rounds=10_000_000))
    assert findings.controller.of_folder.state == "working"
    button(findings, "Cancel").click()
    world.wait()
    assert findings.controller.of_folder.result is before
    assert findings.controller.of_folder.state == "ready"
    assert findings.names()[0] == "good"


def test_rank_correlations_are_not_tested_and_state_the_reason(world: Any, findings: Any, tmp_path: Path) -> None:
    generator = np.random.default_rng(4)
    gold, folder = generator.normal(size=80), tmp_path / "en-de"
    (folder / "systems").mkdir(parents=True)
    (folder / "test.mt").write_text("a b\n" * 80)
    columns = {"test.hter": gold, "systems/near.scores": gold + generator.normal(size=80) / 4}
    for path, values in {**columns, "systems/flat.scores": np.zeros(80)}.items():
        (folder / path).write_text("".join(f"{value:.6f}\n" for value in values))
    world.settings.columns = {"sentences": ["Pearson", "Kendall", "DeltaAvg"]}
    findings.read(folder)
    cell = findings.cell("near", "Kendall")
    assert (cell.suffix, cell.below) == ("", "")
    assert cell.description.endswith("not tested")
    assert "compare each segment with all others, so there are no tests and no intervals." in texts(findings)
    assert findings.cell("flat", "Pearson").text == "–"
    findings.go_to("near", "Kendall")
    findings.view.entered_cell.emit(findings.view.currentIndex())
    assert "there are no segments to show for it" in findings.page.words.text()


def test_folder_of_tags_and_scores_offers_both_levels(world: Any, findings: Any, task: Path) -> None:
    findings.read(task)
    level = findings.page.bar._level
    assert not level.isVisibleTo(findings.page)
    for pair in ("en-de", "ne-en"):
        for name, add in (("test.hter", 0.0), ("systems/good.scores", 0.1)):
            (task / pair / name).write_text("".join(f"{(n * 7 % 60) / 60 + add * (n % 3):.3f}\n" for n in range(60)))
    findings.read(task)
    assert [level.itemText(index) for index in range(level.count())] == ["words", "sentences"]
    assert level.isVisibleTo(findings.page)
    level.setCurrentIndex(1)
    level.activated.emit(1)
    world.wait()
    result = findings.controller.of_folder.result.findings
    assert result.level.group == "sentences"
    assert findings.controller.of_folder.metric == "Pearson"
    assert findings.names() == ["good"]
    findings.read(task)
    assert findings.controller.of_folder.result.findings.level.group == "words"
    assert level.currentText() == "words"


def test_gold_of_a_folder_can_be_selected(world: Any, findings: Any, tmp_path: Path) -> None:
    generator = np.random.default_rng(5)
    golds = generator.normal(size=(60, 2))
    for pair in ("en-de", "en-fr"):
        (tmp_path / pair).mkdir()
        columns = np.hstack([golds, golds + generator.normal(size=(60, 2)) / 3])
        lines = ["\t".join([str(row), *(f"{value:.4f}" for value in values)]) for row, values in enumerate(columns)]
        second = "z_mean" if pair == "en-de" else "note"
        (tmp_path / pair / "t.tsv").write_text("\n".join([f"seg\thter\t{second}\tA\tB", *lines]) + "\n")
    findings.read(tmp_path / "en-de")
    gold, page = findings.page.bar._reference, findings.page
    assert gold.isVisibleTo(page)
    assert [key.name for key in findings.controller.of_folder.golds()] == ["hter", "z_mean"]
    assert findings.names() == ["A", "B"]
    gold.setCurrentIndex(1)
    gold.activated.emit(1)
    world.wait()
    assert findings.names() == ["B", "A"]
    assert gold.currentData().name == "z_mean"
    # not all pairs have this gold
    findings.read(tmp_path)
    assert gold.currentData().name == "hter"
    gold.setCurrentIndex(1)
    gold.activated.emit(1)
    world.wait()
    assert [pair.name for pair in findings.controller.of_folder.result.findings.pairs] == ["en-de"]
    assert "en-fr has no gold “z_mean” or no systems and is skipped" in texts(findings)
    gold.setCurrentIndex(0)
    gold.activated.emit(0)
    world.wait()
    assert len(findings.controller.of_folder.result.findings.pairs) == 2
