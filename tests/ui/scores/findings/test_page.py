"""The page of findings: what it shows of what is open and of a folder, by keys, and in every state."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance, TagColumn
from qe_desktop.levels.findings import findings_of
from qe_desktop.significance import Options
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.scores import comparison_keeper as comparing
from qe_desktop.ui.scores.figures import interval_text, score_text

ROLE = Qt.ItemDataRole


def texts(findings: Any) -> str:
    page = findings.page
    return " | ".join(label.text() for label in page.findChildren(Label) if label.isVisibleTo(page))


def button(findings: Any, text: str) -> QPushButton:
    page = findings.page
    return next(b for b in page.findChildren(QPushButton) if b.text() == text and b.isVisibleTo(page))


# --- of what is open


def test_what_is_open_is_systems_by_metrics_as_the_command_has_them(world: Any, corpus: Any, findings: Any) -> None:
    world.open(corpus(5))
    scoring = world.scores.scoring()
    metrics = [scoring.level.metrics[name] for name in scoring.level.metrics if name in scoring.level.shown]
    found = findings_of({"test": scoring}, metrics, Options("", 1000, correction="none"))
    (pair,) = found.pairs
    assert [column.header for column in findings.view.cells.columns] == ["System", *(one.name for one in metrics)]
    for metric in metrics:
        for name, one in zip(pair.systems, pair.by(metric), strict=True):
            cell = findings.cell(name, metric.name)
            assert cell.text == score_text(one.score, 3)
            assert cell.below == interval_text(*one.interval, 3)
            best, worst = one.ranks or (0, 0)
            assert cell.beside == (str(best) if best == worst else f"{best}–{worst}")
    looked = scoring.level.metrics["F1-mult"]
    assert findings.names() == [pair.systems[place] for place in pair.order(looked)]
    clusters = [len(cluster) for cluster in pair.tested("F1-mult").clusters]
    assert len(clusters) > 1
    lines = [place for place, row in enumerate(findings.view.cells.rows) if row[1].last]
    assert lines == [sum(clusters[: number + 1]) - 1 for number in range(len(clusters) - 1)]


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


def test_another_metric_orders_by_it_everywhere_in_the_area(world: Any, corpus: Any, findings: Any) -> None:
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


def test_another_correction_or_alpha_tests_nothing_again(world: Any, corpus: Any, findings: Any) -> None:
    world.open(corpus(17))
    before = [row[3].beside for row in findings.view.cells.rows]
    world.comparison.set_options(replace(world.comparison.options, correction="bonferroni", alpha=0.001))
    assert world.jobs.idle()
    assert [row[3].beside for row in findings.view.cells.rows] != before
    assert "p ≤ 0.001; Bonferroni" in texts(findings)


def test_too_few_rounds_are_pointed_out_above_the_table(world: Any, corpus: Any, findings: Any) -> None:
    world.open(corpus(17))
    assert findings.page.error.isHidden()
    world.comparison.set_options(replace(world.comparison.options, correction="bonferroni"))
    assert "test: 1,000 rounds are too few" in findings.page.error.text()
    assert not findings.page.error.isHidden()


def test_other_rounds_are_computed_and_the_old_findings_stay_meanwhile(world: Any, corpus: Any, findings: Any) -> None:
    world.open(corpus(3))
    before = findings.desk.of_open.found
    world.comparison.set_options(replace(world.comparison.options, rounds=2000))
    assert findings.desk.of_open.state == "working"
    assert findings.desk.of_open.found is before
    world.wait()
    assert findings.desk.of_open.found.findings.options.rounds == 2000


def test_edits_leave_stale_findings_that_are_renewed(world: Any, corpus: Any, findings: Any) -> None:
    world.open(corpus(3))
    keeper = findings.desk.of_open
    before = findings.cell("system 0", "F1-BAD").said
    world.flip(0, 0)
    assert keeper.stale
    assert "before the last edits" in texts(findings)
    assert findings.cell("system 0", "F1-BAD").token == "muted"
    assert findings.cell("system 0", "F1-BAD").said.endswith("before the last edits")
    world.qtbot.waitUntil(lambda: not keeper.stale)
    assert findings.cell("system 0", "F1-BAD").token == ""
    assert findings.cell("system 0", "F1-BAD").said != before


def test_nothing_is_computed_while_nobody_looks(world: Any, corpus: Any, findings: Any) -> None:
    findings.area.pages.show_page("systems")
    world.open(corpus(3))
    keeper = findings.desk.of_open
    assert (keeper.found, keeper.state) == (None, "waiting")
    findings.area.pages.show_page("findings")
    world.wait()
    assert keeper.state == "ready"


def test_a_large_corpus_is_computed_on_request(
    world: Any, corpus: Any, findings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "AUTOMATIC", 10)
    world.open(corpus(3))
    assert "There are no findings yet" in texts(findings)
    button(findings, "Compute the findings").click()
    world.wait()
    assert len(findings.names()) == 3
    world.flip(0, 0)
    world.qtbot.waitUntil(lambda: findings.desk.of_open.state == "waiting")
    button(findings, "Compute again").click()
    world.wait()
    assert not findings.desk.of_open.stale


# --- states


def test_nothing_open_says_what_this_is_for(findings: Any, qtbot: QtBot) -> None:
    assert "Findings set all systems beside each other" in texts(findings)
    with qtbot.waitSignal(findings.page.task_wanted):
        findings.desk.page.task_wanted.disconnect(findings.desk.ask_folder)
        button(findings, "Findings of a folder…").click()
    with qtbot.waitSignal(findings.page.folder_wanted):
        button(findings, "Open folder…").click()


def test_no_gold_says_what_is_missing(world: Any, corpus: Any, findings: Any, qtbot: QtBot) -> None:
    world.open(corpus(2, gold=False))
    assert "There is no gold for words" in texts(findings)
    with qtbot.waitSignal(findings.page.files_wanted):
        button(findings, "Add files…").click()


def test_one_system_is_not_tested(world: Any, corpus: Any, findings: Any, qtbot: QtBot) -> None:
    world.open(corpus(1))
    cell = findings.cell("system 0", "MCC")
    assert cell.beside == ""
    assert cell.said.endswith("not tested")
    assert "test has one system, so nothing is tested." in texts(findings)
    findings.go_to("system 0", "MCC")
    qtbot.keyClick(findings.view, Qt.Key.Key_Return)
    assert "no other system" in findings.page.words.text()


def test_undefined_scores_are_dashes_with_the_reason(world: Any, corpus: Any, findings: Any) -> None:
    opened = corpus(2)
    key = LayerKey(Provenance.SYSTEM, "silent", Kind.WORDS)
    world.open(opened.with_layer(Layer(key, TagColumn.of([[0] * 10] * opened.size))))
    cell = findings.cell("silent", "MCC")
    assert (cell.text, cell.below) == ("–", "")
    assert cell.said.startswith("silent, test: MCC undefined, rank 3, cluster")
    assert world.workspace.level.metrics["MCC"].reason in cell.said


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
    assert set(findings.names()) == {"system 0", "system 1", "system 0 (person)"}
    assert findings.cell("system 0", "F1-BAD").text != findings.cell("system 0 (person)", "F1-BAD").text


# --- to the segments


def test_enter_shows_what_sets_a_system_apart_from_the_next(
    world: Any, corpus: Any, findings: Any, qtbot: QtBot
) -> None:
    world.open(corpus(3))
    findings.go_to("system 0", "F1-BAD")
    qtbot.keyClick(findings.view, Qt.Key.Key_Down)
    qtbot.keyClick(findings.view, Qt.Key.Key_Right)
    with qtbot.waitSignal(world.workspace.segments_wanted) as wanted:
        qtbot.keyClick(findings.view, Qt.Key.Key_Return)
    assert [key.name for key in wanted.args[:2]] == ["system 1", "system 2"]
    assert wanted.args[2:] == ["F1-OK", world.workspace.level, world.workspace.reference]
    with qtbot.waitSignal(world.workspace.segments_wanted) as wanted:
        findings.view.doubleClicked.emit(findings.view.cells.index(*findings.place("system 2", "MCC")))
    # below the last there is none
    assert [key.name for key in wanted.args[:2]] == ["system 2", "system 1"]
    with qtbot.assertNotEmitted(world.workspace.segments_wanted):
        findings.view.entered_cell.emit(findings.view.cells.index(0, 0))


# --- of a folder


def test_a_folder_is_systems_by_pairs(world: Any, findings: Any, task: Path) -> None:
    findings.read(task)
    assert [column.header for column in findings.view.cells.columns] == ["System", "Average", "en-de", "ne-en"]
    assert (findings.names()[0], findings.names()[-1]) == ("good", "late")
    gap = findings.cell("late", "ne-en")
    assert (gap.text, gap.said) == (
        "–", "late has nothing for ne-en, so it is not compared there and has no average.",
    )  # fmt: skip
    assert findings.cell("late", "Average").said == "late has nothing for ne-en, and no average."
    assert "late has nothing for ne-en, and no average." in texts(findings)
    found = findings.desk.of_folder.found.findings
    metric = found.metrics[0]
    findings.desk.of_folder.set_metric("MCC")
    mean = found.averages(found.level.metrics["MCC"])["good"]
    assert mean != found.averages(metric)["good"]
    assert findings.cell("good", "Average").text == score_text(mean, 3)
    assert "MCC in 2 language pairs" in texts(findings)


def test_options_hold_for_a_folder_where_nothing_is_open(world: Any, findings: Any, task: Path) -> None:
    findings.read(task)
    keeper, before = findings.desk.of_folder, findings.desk.of_folder.found.findings
    bar = findings.page.bar
    bar._alpha.setValue(0.001)
    assert world.jobs.idle()
    judged = keeper.found.findings
    assert {one.options.alpha for pair in judged.pairs for one in pair.comparisons} == {0.001}
    assert judged.pairs[0].comparisons[0].metrics[0].p is before.pairs[0].comparisons[0].metrics[0].p
    bar._seed.setValue(7)
    assert keeper.state == "working"
    world.wait()
    assert keeper.found.findings.options.seed == 7
    assert keeper.found.findings.options.alpha == 0.001
    assert not bar._unit.model().item(1).isEnabled()


def test_choices_stay_in_place_while_findings_are_judged_otherwise(world: Any, findings: Any, task: Path) -> None:
    """What is hidden and shown again has all of the page laid out anew, for each of the choices."""
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
    assert findings.desk.of_folder.found.findings.options.alpha == 0.001
    assert moved == []
    shown = [box.accessibleName() for box, pair in bar._pairs.items() if pair.isVisibleTo(bar)]
    assert shown == ["Metric", "Correction", "Alpha", "Rounds", "Swap", "Seed", "Order by"]
    bar._pairs[bar._seed].hide()
    assert moved == [bar._pairs[bar._seed]]


def test_a_pair_orders_the_systems_and_shows_its_clusters(findings: Any, task: Path) -> None:
    findings.read(task)
    assert not any(cell.last for row in findings.view.cells.rows for cell in row)
    findings.view.header.sectionClicked.emit(3)
    metric = findings.desk.of_folder.metric
    found = findings.desk.of_folder.found.findings
    pair = found.pairs[1]
    best_first = [pair.systems[place] for place in pair.order(found.level.metrics[metric])]
    assert findings.names() == [*best_first, "late"]
    assert findings.view.cells.columns[3].chosen
    assert any(row[0].last for row in findings.view.cells.rows)
    assert findings.page.bar._pair.currentText() == "ne-en"
    findings.page.bar._pair.setCurrentIndex(0)
    findings.page.bar._pair.activated.emit(0)
    assert findings.view.cells.columns[1].chosen


def test_a_pair_that_is_not_open_is_offered_and_opened_in_one_step(
    world: Any, findings: Any, task: Path, qtbot: QtBot
) -> None:
    findings.read(task)
    findings.go_to("good", "ne-en")
    with qtbot.assertNotEmitted(world.workspace.segments_wanted):
        qtbot.keyClick(findings.view, Qt.Key.Key_Return)
    assert "ne-en is not open. Enter once more opens it" in findings.page.words.text()
    qtbot.keyClick(findings.view, Qt.Key.Key_Escape)
    assert findings.page.accept.isHidden()
    assert world.workspace.session is None
    qtbot.keyClick(findings.view, Qt.Key.Key_Return)
    with qtbot.waitSignals([world.workspace.segments_wanted, findings.desk.opened]):
        qtbot.mouseClick(findings.page.accept, Qt.MouseButton.LeftButton)
    world.wait()
    assert world.workspace.corpus.language_pair == "ne-en"
    # it is open now
    with qtbot.waitSignal(world.workspace.segments_wanted):
        qtbot.keyClick(findings.view, Qt.Key.Key_Return)
    findings.go_to("good", "en-de")
    qtbot.keyClick(findings.view, Qt.Key.Key_Return)
    assert "in place of ne-en" in findings.page.words.text()
    findings.may_replace = False
    qtbot.keyClick(findings.view, Qt.Key.Key_Return)
    assert world.workspace.corpus.language_pair == "ne-en"


def test_both_can_be_looked_at_by_turns(world: Any, corpus: Any, findings: Any, task: Path) -> None:
    world.open(corpus(2))
    assert findings.names() == ["system 0", "system 1"]
    assert findings.page.of.isHidden()
    findings.read(task)
    assert "good" in findings.names()
    page = findings.page
    assert [page.of.itemText(place) for place in range(2)] == ["test", "the folder task"]
    page.of.setCurrentIndex(0)
    page.of.activated.emit(0)
    assert findings.names() == ["system 0", "system 1"]
    world.workspace.close()
    page.show_findings(of_folder=True)
    assert "good" in findings.names()


def test_a_broken_folder_says_where_and_leaves_what_was_shown(
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
    said = findings.page.error.text()
    assert "test.tags:3: " in said
    assert said.endswith(".")
    qtbot.keyClick(findings.view, Qt.Key.Key_Escape)
    assert findings.page.error.isHidden()
    findings.read(broken)
    assert "test.tags:3: " in findings.page.error.text()
    (broken / "test.tags").write_text("\n".join(lines) + "\n")
    button(findings, "Try again").click()
    world.wait()
    assert findings.page.error.isHidden()
    assert findings.desk.of_folder.found.title == "broken"


def test_a_broken_folder_where_nothing_was_shown_yet(world: Any, findings: Any, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    findings.read(tmp_path / "empty")
    assert "No findings of the folder" in texts(findings)
    assert "the folder is empty" in texts(findings)
    assert button(findings, "Choose another folder…").isEnabled()
    button(findings, "Try again").click()
    world.wait()
    assert "the folder is empty" in texts(findings)


def test_a_folder_can_be_cancelled_and_what_was_shown_stays(world: Any, findings: Any, task: Path) -> None:
    findings.read(task)
    before = findings.desk.of_folder.found
    world.comparison.set_options(replace(world.comparison.options, rounds=10_000_000))
    assert findings.desk.of_folder.state == "working"
    button(findings, "Cancel").click()
    world.wait()
    assert findings.desk.of_folder.found is before
    assert findings.desk.of_folder.state == "ready"
    assert findings.names()[0] == "good"


def test_correlations_of_ranks_are_not_tested_and_say_why(world: Any, findings: Any, tmp_path: Path) -> None:
    dice = np.random.default_rng(4)
    gold, folder = dice.normal(size=80), tmp_path / "en-de"
    (folder / "systems").mkdir(parents=True)
    (folder / "test.mt").write_text("a b\n" * 80)
    columns = {"test.hter": gold, "systems/near.scores": gold + dice.normal(size=80) / 4}
    for path, values in {**columns, "systems/flat.scores": np.zeros(80)}.items():
        (folder / path).write_text("".join(f"{value:.6f}\n" for value in values))
    world.settings.columns = {"sentences": ["Pearson", "Kendall", "DeltaAvg"]}
    findings.read(folder)
    cell = findings.cell("near", "Kendall")
    assert (cell.beside, cell.below) == ("", "")
    assert cell.said.endswith("not tested")
    assert "compare each segment with all others, so no test and no interval is made." in texts(findings)
    assert findings.cell("flat", "Pearson").text == "–"
    findings.go_to("near", "Kendall")
    findings.view.entered_cell.emit(findings.view.currentIndex())
    assert "none of them decides it alone" in findings.page.words.text()


def test_a_folder_of_tags_and_scores_offers_both(world: Any, findings: Any, task: Path) -> None:
    findings.read(task)
    level = findings.page.bar._level
    assert not level.isVisibleTo(findings.page)
    for pair in ("en-de", "ne-en"):
        for name, add in (("test.hter", 0.0), ("systems/good.scores", 0.1)):
            (task / pair / name).write_text("".join(f"{(n * 7 % 60) / 60 + add * (n % 3):.3f}\n" for n in range(60)))
    findings.read(task)
    assert [level.itemText(place) for place in range(level.count())] == ["words", "sentences"]
    assert level.isVisibleTo(findings.page)
    level.setCurrentIndex(1)
    level.activated.emit(1)
    world.wait()
    found = findings.desk.of_folder.found.findings
    assert found.level.group == "sentences"
    assert findings.desk.of_folder.metric == "Pearson"
    assert findings.names() == ["good"]
    findings.read(task)
    assert findings.desk.of_folder.found.findings.level.group == "words"
    assert level.currentText() == "words"


def test_the_gold_of_a_folder_can_be_chosen(world: Any, findings: Any, tmp_path: Path) -> None:
    dice = np.random.default_rng(5)
    golds = dice.normal(size=(60, 2))
    for pair in ("en-de", "en-fr"):
        (tmp_path / pair).mkdir()
        columns = np.hstack([golds, golds + dice.normal(size=(60, 2)) / 3])
        lines = ["\t".join([str(row), *(f"{value:.4f}" for value in values)]) for row, values in enumerate(columns)]
        second = "z_mean" if pair == "en-de" else "note"
        (tmp_path / pair / "t.tsv").write_text("\n".join([f"seg\thter\t{second}\tA\tB", *lines]) + "\n")
    findings.read(tmp_path / "en-de")
    gold, page = findings.page.bar._reference, findings.page
    assert gold.isVisibleTo(page)
    assert [key.name for key in findings.desk.of_folder.golds()] == ["hter", "z_mean"]
    assert findings.names() == ["A", "B"]
    gold.setCurrentIndex(1)
    gold.activated.emit(1)
    world.wait()
    assert findings.names() == ["B", "A"]
    assert gold.currentData().name == "z_mean"
    # not all pairs have it
    findings.read(tmp_path)
    assert gold.currentData().name == "hter"
    gold.setCurrentIndex(1)
    gold.activated.emit(1)
    world.wait()
    assert [pair.name for pair in findings.desk.of_folder.found.findings.pairs] == ["en-de"]
    assert "en-fr has no gold called “z_mean” or no systems, and is left out" in texts(findings)
    gold.setCurrentIndex(0)
    gold.activated.emit(0)
    world.wait()
    assert len(findings.desk.of_folder.found.findings.pairs) == 2


# --- the table itself


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


def test_every_control_has_a_key(world: Any, corpus: Any, findings: Any, task: Path) -> None:
    world.open(corpus(2))
    findings.read(task)
    labels = [findings.page._of_label, *findings.page.bar._labels.values()]
    keys = [one.text()[one.text().index("&") + 1].lower() for one in labels if one.isVisibleTo(findings.page)]
    assert len(keys) == 8
    assert len(set(keys)) == len(keys)
    assert not set(keys) & set("fevsh")


def test_tab_goes_from_the_choices_to_the_table_and_what_is_said_of_it(
    world: Any, corpus: Any, findings: Any, task: Path
) -> None:
    world.open(corpus(2))
    findings.read(task)
    page, order = findings.page, []
    at = page.bar._metric
    for _ in range(60):
        order.append(at)
        at = at.nextInFocusChain()
    stops = (page.bar._metric, page.of, page._task, page._copy, findings.view, page._below)
    places = [order.index(widget) for widget in stops]
    assert places == sorted(places)


def test_it_is_drawn_with_many_systems_and_in_little_room(world: Any, corpus: Any, findings: Any) -> None:
    world.settings.rounds = 100
    world.open(corpus(40))
    for width, height in ((1200, 720), (640, 400)):
        findings.area.resize(width, height)
        assert not findings.area.grab().isNull()
