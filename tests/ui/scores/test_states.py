"""States of the Scores area: no data, one or several systems, failures, cancelling."""

from __future__ import annotations

from typing import Any

from pytestqt.qtbot import QtBot

from qe_desktop.corpus import QeError
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.empty_states import scores_empty_state
from tests.ui.scores.visible_texts import button, texts


def test_area_without_a_corpus_offers_to_open_a_folder(area: ScoresArea, qtbot: QtBot) -> None:
    assert "Scores compare systems with gold tags or scores" in texts(area)
    with qtbot.waitSignal(area.folder_wanted):
        button(area, "Open folder…").click()


def test_missing_gold_offers_adding_files_and_tagging(world: Any, corpus: Any, area: ScoresArea, qtbot: QtBot) -> None:
    world.open(corpus(2, gold=False))
    assert "There is no gold for words" in texts(area)
    with qtbot.waitSignal(area.files_wanted):
        button(area, "Add files…").click()
    button(area, "Tag it myself").click()
    world.wait()
    assert scores_empty_state(world.scores) is None
    assert area.systems.table.scores_model.rowCount() == 2


def test_missing_systems_are_reported(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.open(corpus(0))
    assert "No tags of words to score" in texts(area)


def test_single_system_has_a_table_but_no_matrix(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.open(corpus(1))
    assert area.systems.table.isVisibleTo(area)
    assert not area.systems.matrix.isVisibleTo(area)
    assert "Open a second system" in texts(area)


def test_two_systems_have_scores_and_significance(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.open(corpus(2))
    assert area.systems.matrix.view.isVisibleTo(area)
    assert "Significance, F1-mult" in texts(area)
    assert "1,000 trials over 60 segments" in texts(area)
    assert "60 segments, 600 tags" in texts(area)


def test_failed_scoring_reports_the_error_and_can_be_run_again(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.open(corpus(2))
    world.scores._on_failed(QeError("the memory is full", hint="Open fewer segments."))
    world.wait()
    assert "No scores: the memory is full" in texts(area)
    assert "Open fewer segments." in texts(area)
    button(area, "Run again").click()
    world.wait()
    assert scores_empty_state(world.scores) is None


def test_failed_comparison_keeps_the_scores_and_can_be_tried_again(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.open(corpus(2))
    world.comparison._on_failed(QeError("the memory is full", hint="Open fewer segments."))
    assert "Not compared: the memory is full" in texts(area)
    assert area.systems.table.isVisibleTo(area)
    button(area, "Try again").click()
    world.wait()
    assert "1,000 trials" in texts(area)


def test_scoring_can_be_cancelled(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.workspace.open(corpus(2))
    assert world.scores.state == "working"
    assert "Scoring…" in texts(area)
    world.jobs.cancel("scores")
    assert "scoring was cancelled" in texts(area)
    button(area, "Run again").click()
    world.wait()
    assert world.scores.state == "ready"
