"""All metrics page of a folder: language pairs, levels, gold layers, and folders that cannot be read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt
from pytestqt.qtbot import QtBot

from qe_desktop.ui.scores.number_format import format_score
from tests.ui.scores.visible_texts import find_button, visible_texts


def test_folder_gives_a_table_of_systems_by_language_pair(environment: Any, driver: Any, task: Path) -> None:
    driver.read(task)
    assert [column.header for column in driver.view.cells.columns] == ["System", "Average", "en-de", "ne-en"]
    # the number of segments of each pair
    sizes = [pair.scoring.segments for pair in driver.page.service.result.findings.pairs]
    assert [column.second_line for column in driver.view.cells.columns] == ["", "", *(f"n {size:,}" for size in sizes)]
    assert driver.page._title.text().startswith(f"F1-mult in 2 language pairs · {sum(sizes):,} segments")
    assert (driver.names()[0], driver.names()[-1]) == ("good", "late")
    gap = driver.cell("late", "ne-en")
    assert (gap.text, gap.description) == (
        "–", "late has no data for ne-en, so it is not compared for this pair and has no average.",
    )  # fmt: skip
    assert driver.cell("late", "Average").description == "late has no data for ne-en, so it has no average."
    assert driver.cell("late", "System").description == driver.cell("late", "Average").description
    assert "late has no output for ne-en, so it has no average." in visible_texts(driver.page)
    result = driver.controller.folder_service.result.findings
    metric = result.metrics[0]
    driver.controller.folder_service.set_metric("MCC")
    mean = result.averages(result.level.metrics["MCC"])["good"]
    assert mean != result.averages(metric)["good"]
    assert driver.cell("good", "Average").text == format_score(mean, 3)
    assert "MCC in 2 language pairs" in visible_texts(driver.page)


def test_options_apply_to_a_folder_without_an_open_corpus(environment: Any, driver: Any, task: Path) -> None:
    driver.read(task)
    service, before = driver.controller.folder_service, driver.controller.folder_service.result.findings
    bar = driver.page.bar
    bar._alpha.setValue(0.001)
    assert environment.jobs.is_idle()
    environment.qtbot.waitUntil(lambda: service.result.findings is not before)
    judged = service.result.findings
    assert {comparison.options.alpha for pair in judged.pairs for comparison in pair.comparisons} == {0.001}
    assert judged.pairs[0].comparisons[0].metrics[0].p is before.pairs[0].comparisons[0].metrics[0].p
    bar._seed.setValue(7)
    assert service.state == "working"
    environment.wait()
    assert service.result.findings.options.seed == 7
    assert service.result.findings.options.alpha == 0.001
    assert not bar._unit.model().item(1).isEnabled()


def test_changing_alpha_does_not_hide_or_show_controls(environment: Any, driver: Any, task: Path) -> None:
    """Hiding and showing a control would lay out the whole page again for each change."""
    driver.read(task)
    bar = driver.page.bar

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
    environment.qtbot.waitUntil(lambda: driver.controller.folder_service.result.findings.options.alpha == 0.001)
    assert moved == []
    shown = [box.accessibleName() for box, pair in bar._pairs.items() if not pair.isHidden()]
    assert shown == ["Metric", "Correction", "Alpha", "Trials", "Resampling unit", "Intervals", "Seed", "Order by"]
    bar._pairs[bar._seed].hide()
    assert moved == [bar._pairs[bar._seed]]


def test_selecting_a_pair_orders_the_systems_and_shows_clusters(driver: Any, task: Path) -> None:
    driver.read(task)
    assert not any(cell.ends_group for row in driver.view.cells.rows for cell in row)
    driver.view.header.sectionClicked.emit(3)
    metric = driver.controller.folder_service.metric
    result = driver.controller.folder_service.result.findings
    pair = result.pairs[1]
    best_first = [pair.systems[index] for index in pair.order(result.level.metrics[metric])]
    assert driver.names() == [*best_first, "late"]
    assert driver.view.cells.columns[3].is_current
    assert any(row[0].ends_group for row in driver.view.cells.rows)
    assert driver.page.bar._pair.currentText() == "ne-en"
    driver.page.bar._pair.setCurrentIndex(0)
    driver.page.bar._pair.activated.emit(0)
    assert driver.view.cells.columns[1].is_current


def test_enter_offers_to_open_another_pair_and_opens_it(
    environment: Any, driver: Any, task: Path, qtbot: QtBot
) -> None:
    driver.read(task)
    driver.go_to("good", "ne-en")
    with qtbot.assertNotEmitted(environment.workspace.segments_requested):
        qtbot.keyClick(driver.view, Qt.Key.Key_Return)
    assert "ne-en is not open. Press Enter again to open it" in driver.page.description_label.text()
    # an offer is not the result of a test
    assert not driver.page.sentence.sign_label.text()
    qtbot.keyClick(driver.view, Qt.Key.Key_Escape)
    assert driver.page.segments_button.text() == "Show the segments"
    assert environment.workspace.session is None
    qtbot.keyClick(driver.view, Qt.Key.Key_Return)
    with qtbot.waitSignals([environment.workspace.segments_requested, driver.controller.context.opened]):
        qtbot.mouseClick(driver.page.segments_button, Qt.MouseButton.LeftButton)
    environment.wait()
    assert environment.workspace.corpus.language_pair == "ne-en"
    # the pair is open now
    with qtbot.waitSignal(environment.workspace.segments_requested) as requested:
        qtbot.keyClick(driver.view, Qt.Key.Key_Return)
    assert environment.workspace.system_order == tuple(key.name for key in requested.args[:2])
    driver.go_to("good", "en-de")
    qtbot.keyClick(driver.view, Qt.Key.Key_Return)
    assert "close ne-en, open en-de" in driver.page.description_label.text()
    driver.may_replace = False
    qtbot.keyClick(driver.view, Qt.Key.Key_Return)
    assert environment.workspace.corpus.language_pair == "ne-en"


def test_invalid_folder_reports_the_line_and_keeps_the_table(
    environment: Any, driver: Any, task: Path, qtbot: QtBot
) -> None:
    driver.read(task)
    before = driver.names()
    broken = task.parent / "broken"
    (task / "en-de").rename(broken)
    lines = (broken / "test.tags").read_text().splitlines()
    (broken / "test.tags").write_text("\n".join([*lines[:2], lines[2] + " OK", *lines[3:]]) + "\n")
    driver.read(broken)
    assert driver.names() == before
    message = driver.page.error.text()
    assert "test.tags:3: " in message
    assert message.endswith(".")
    qtbot.keyClick(driver.view, Qt.Key.Key_Escape)
    assert driver.page.error.isHidden()
    driver.read(broken)
    assert "test.tags:3: " in driver.page.error.text()
    (broken / "test.tags").write_text("\n".join(lines) + "\n")
    find_button(driver.page, "Try again").click()
    environment.wait()
    assert driver.page.error.isHidden()
    assert driver.controller.folder_service.result.title == "broken"


def test_empty_folder_is_reported_before_any_result(environment: Any, driver: Any, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    driver.read(tmp_path / "empty")
    assert "No results for the folder" in visible_texts(driver.page)
    assert "the folder is empty" in visible_texts(driver.page)
    assert find_button(driver.page, "Select another folder…").isEnabled()
    find_button(driver.page, "Try again").click()
    environment.wait()
    assert "the folder is empty" in visible_texts(driver.page)


def test_cancelling_a_folder_keeps_the_previous_results(environment: Any, driver: Any, task: Path) -> None:
    driver.read(task)
    before = driver.controller.folder_service.result
    environment.comparison.set_options(replace(environment.comparison.options, rounds=10_000_000))
    assert driver.controller.folder_service.state == "working"
    find_button(driver.page, "Cancel").click()
    environment.wait()
    assert driver.controller.folder_service.result is before
    assert driver.controller.folder_service.state == "ready"
    assert driver.names()[0] == "good"


def test_rank_correlations_are_not_tested_and_state_the_reason(environment: Any, driver: Any, tmp_path: Path) -> None:
    generator = np.random.default_rng(4)
    gold, folder = generator.normal(size=80), tmp_path / "en-de"
    (folder / "systems").mkdir(parents=True)
    (folder / "test.mt").write_text("a b\n" * 80)
    columns = {"test.hter": gold, "systems/near.scores": gold + generator.normal(size=80) / 4}
    for path, values in {**columns, "systems/flat.scores": np.zeros(80)}.items():
        (folder / path).write_text("".join(f"{value:.6f}\n" for value in values))
    environment.settings.columns = {"sentences": ["Pearson", "Kendall", "DeltaAvg"]}
    driver.read(folder)
    cell = driver.cell("near", "Kendall")
    assert (cell.suffix, cell.second_line) == ("", "")
    assert cell.description.endswith("not tested")
    assert "compare each segment with all others, so they are not tested and have no intervals." in visible_texts(
        driver.page
    )
    assert driver.cell("flat", "Pearson").text == "–"
    driver.go_to("near", "Kendall")
    driver.view.cell_activated.emit(driver.view.currentIndex())
    assert "there are no segments to show for it" in driver.page.description_label.text()


def test_folder_of_tags_and_scores_offers_both_levels(environment: Any, driver: Any, task: Path) -> None:
    driver.read(task)
    level = driver.page.bar._level
    assert not level.isVisibleTo(driver.page)
    for pair in ("en-de", "ne-en"):
        for name, add in (("test.hter", 0.0), ("systems/good.scores", 0.1)):
            (task / pair / name).write_text("".join(f"{(n * 7 % 60) / 60 + add * (n % 3):.3f}\n" for n in range(60)))
    driver.read(task)
    assert [level.itemText(index) for index in range(level.count())] == ["words", "sentences"]
    assert level.isVisibleTo(driver.page)
    level.setCurrentIndex(1)
    level.activated.emit(1)
    environment.wait()
    result = driver.controller.folder_service.result.findings
    assert result.level.group == "sentences"
    assert driver.controller.folder_service.metric == "Pearson"
    assert driver.names() == ["good"]
    driver.read(task)
    assert driver.controller.folder_service.result.findings.level.group == "words"
    assert level.currentText() == "words"


def test_gold_of_a_folder_can_be_selected(environment: Any, driver: Any, tmp_path: Path) -> None:
    generator = np.random.default_rng(5)
    golds = generator.normal(size=(60, 2))
    for pair in ("en-de", "en-fr"):
        (tmp_path / pair).mkdir()
        columns = np.hstack([golds, golds + generator.normal(size=(60, 2)) / 3])
        lines = ["\t".join([str(row), *(f"{value:.4f}" for value in values)]) for row, values in enumerate(columns)]
        second = "z_mean" if pair == "en-de" else "note"
        (tmp_path / pair / "t.tsv").write_text("\n".join([f"seg\thter\t{second}\tA\tB", *lines]) + "\n")
    driver.read(tmp_path / "en-de")
    gold, page = driver.page.bar._reference, driver.page
    assert gold.isVisibleTo(page)
    assert [key.name for key in driver.controller.folder_service.golds()] == ["hter", "z_mean"]
    assert driver.names() == ["A", "B"]
    gold.setCurrentIndex(1)
    gold.activated.emit(1)
    environment.wait()
    assert driver.names() == ["B", "A"]
    assert gold.currentData().name == "z_mean"
    # not all pairs have this gold
    driver.read(tmp_path)
    assert gold.currentData().name == "hter"
    gold.setCurrentIndex(1)
    gold.activated.emit(1)
    environment.wait()
    assert [pair.name for pair in driver.controller.folder_service.result.findings.pairs] == ["en-de"]
    assert "en-fr is skipped, because it has no gold “z_mean” or no systems" in visible_texts(driver.page)
    gold.setCurrentIndex(0)
    gold.activated.emit(0)
    environment.wait()
    assert len(driver.controller.folder_service.result.findings.pairs) == 2
