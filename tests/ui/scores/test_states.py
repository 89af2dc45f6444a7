"""States of the Scores area: no data, one or several systems, failures, cancelling."""

from __future__ import annotations

from typing import Any

from pytestqt.qtbot import QtBot

from qe_desktop.corpus import QeError
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.empty_states import scores_empty_state
from qe_desktop.ui.scores.score_model import INTERVAL, RANK
from tests.ui.scores.visible_texts import find_button, visible_texts


def test_area_without_a_corpus_offers_to_open_a_folder(area: ScoresArea, qtbot: QtBot) -> None:
    assert "Score systems against gold tags or scores" in visible_texts(area)
    with qtbot.waitSignal(area.folder_requested):
        find_button(area, "Open folder…").click()


def test_missing_gold_offers_adding_files_and_tagging(
    environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    environment.open(corpus(2, gold=False))
    assert "There is no gold for words" in visible_texts(area)
    with qtbot.waitSignal(area.files_requested):
        find_button(area, "Add files…").click()
    find_button(area, "Tag manually").click()
    environment.wait()
    assert scores_empty_state(environment.scores) is None
    assert area.systems.table.scores_model.rowCount() == 2


def test_missing_systems_are_reported(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(0))
    assert "There are no tags of words to score" in visible_texts(area)


def test_single_system_has_a_table_but_no_matrix(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(1))
    assert area.systems.table.isVisibleTo(area)
    assert not area.systems.matrix.isVisibleTo(area)
    assert area.systems.matrix.view.report() is None
    assert "Open a second system" in visible_texts(area)


def test_single_system_has_an_interval_and_the_only_rank(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(2))
    model = area.systems.table.scores_model
    interval, rank = model.column_of(INTERVAL), model.column_of(RANK)
    of_two = next(model.index(row, interval).data() for row in range(2) if model.layer(row).name == "system 0")
    environment.open(corpus(1))
    assert environment.comparison.state == "ready"
    assert model.index(0, interval).data() == of_two, "the resamples are the same with one system as with two"
    assert model.index(0, rank).data() == "1"
    sentence = model.sentence(model.index(0, rank))
    assert sentence.startswith("system 0 (F1-mult ")
    assert sentence.endswith(f"95 % interval {of_two}, rank 1 of 1) is the only system.")
    assert not model.sign(model.index(0, rank))
    exported = model.block([0], [model.column_of("F1-mult"), interval, rank])
    assert None not in exported.rows[0]
    assert exported.rows[0][-2:] == (1, 1)


def test_interval_of_a_single_system_follows_edits(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(1))
    before = environment.comparison.result
    environment.flip_tag(0, 0)
    environment.wait()
    assert environment.comparison.result is not before
    assert not environment.comparison.is_data_outdated


def test_two_systems_have_scores_and_significance(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(2))
    assert area.systems.matrix.view.isVisibleTo(area)
    assert "Significance, F1-mult" in visible_texts(area)
    # test and correction are named next to the result, because other pages use others
    assert "Approximate randomization, two-sided · no correction · 60 segments" in visible_texts(area)
    assert "60 segments, 600 tags" in visible_texts(area)


def test_failed_scoring_reports_the_error_and_can_be_run_again(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(2))
    environment.scores._on_failed(QeError("the memory is full", hint="Open fewer segments."))
    environment.wait()
    assert "No scores: the memory is full" in visible_texts(area)
    assert "Open fewer segments." in visible_texts(area)
    find_button(area, "Run again").click()
    environment.wait()
    assert scores_empty_state(environment.scores) is None


def test_failed_comparison_keeps_the_scores_and_can_be_tried_again(
    environment: Any, corpus: Any, area: ScoresArea
) -> None:
    environment.open(corpus(2))
    environment.comparison._on_failed(QeError("the memory is full", hint="Open fewer segments."))
    assert "Not compared: the memory is full" in visible_texts(area)
    assert area.systems.table.isVisibleTo(area)
    find_button(area, "Try again").click()
    environment.wait()
    assert "no correction · 60 segments" in visible_texts(area)


def test_scoring_can_be_cancelled(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.workspace.open(corpus(2))
    assert environment.scores.state == "working"
    assert "Scoring…" in visible_texts(area)
    environment.jobs.cancel("scores")
    assert "scoring was cancelled" in visible_texts(area)
    find_button(area, "Run again").click()
    environment.wait()
    assert environment.scores.state == "ready"
