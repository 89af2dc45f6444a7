"""The page of metrics and people in every state: what is missing, what is being made, and what stays meanwhile."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import SystemNameMapping
from qe_desktop.ui.scores.meta_evaluation import meta_evaluation_service as keeping
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_page import names_differ
from tests.ui.scores.meta_evaluation.conftest import SEGMENTS, SYSTEMS, lines, opened, write_task
from tests.ui.scores.meta_evaluation.looking import button, texts


def test_nothing_open_says_what_this_is_for(people: Any, qtbot: QtBot) -> None:
    assert "Which metric agrees with human scores?" in texts(people)
    with qtbot.waitSignal(people.page.folder_wanted):
        button(people, "Open folder…").click()


def test_without_ratings_they_are_asked_for(people: Any, task: Path, qtbot: QtBot) -> None:
    people.world.open(replace(opened(task), ratings=None))
    assert "No ratings" in texts(people)
    with qtbot.waitSignal(people.page.files_wanted):
        button(people, "Add files…").click()


def test_without_a_metric_texts_or_scores_are_asked_for(people: Any, task: Path) -> None:
    people.world.open(replace(opened(task), references={}, metric_scores={}))
    assert "No metric scores to evaluate" in texts(people)


def test_scores_of_metrics_alone_are_enough(people: Any, task: Path) -> None:
    people.world.open(replace(opened(task), references={}))
    assert set(people.names()) == {"Bad", "Good"}
    people.page.views.show_view("recall")
    people.wait()
    assert "Curves need text metrics" in people.page.views.curves["recall"].content


def test_two_systems_are_too_few(people: Any, tmp_path: Path) -> None:
    people.open(write_task(tmp_path / "two", SYSTEMS[:2]))
    assert "2 systems with both human and metric scores" in texts(people)
    assert "A correlation needs at least 3." in texts(people)
    assert "match" not in people.page.quiet.buttons


def test_names_that_differ_are_to_be_matched_and_then_it_is_made(people: Any, tmp_path: Path, qtbot: QtBot) -> None:
    people.open(write_task(tmp_path / "named", rated=lambda name: f"{name}.7"))
    assert "0 systems with both human and metric scores" in texts(people)
    names = names_differ(people.service)
    assert names is not None
    assert set(names.people) == {f"{name}.7" for name in SYSTEMS}
    assert set(names.metrics) == set(SYSTEMS)
    assert names.differ
    with qtbot.waitSignal(people.page.match_wanted):
        button(people, "Match the names…").click()
    session = people.world.workspace.session
    session.match("", SystemNameMapping({f"{name}.7": name for name in SYSTEMS[:4]}))
    people.wait()
    assert set(people.study.systems) == set(SYSTEMS[:4])
    # five.7 and five are left
    assert people.page.match.isVisible()
    session.match("", SystemNameMapping({f"{name}.7": name for name in SYSTEMS}))
    people.wait()
    assert set(people.study.systems) == set(SYSTEMS)
    assert not people.page.match.isVisible()


def test_a_corpus_of_no_scale_says_so(people: Any, task: Path) -> None:
    corpus = opened(task)
    assert corpus.ratings is not None
    people.world.open(replace(corpus, ratings=replace(corpus.ratings, scores=corpus.ratings.scores.take(slice(0, 0)))))
    assert "The meta-evaluation failed" in texts(people)
    assert "compare translations and have no scores" in texts(people)


def test_nothing_is_made_while_nobody_looks(people: Any, task: Path) -> None:
    people.area.pages.show_page("systems")
    people.open(task)
    assert (people.service.result, people.service.state) == (None, "waiting")
    people.area.pages.show_page("people")
    people.wait()
    assert people.service.state == "ready"


def test_what_is_large_is_made_on_request(people: Any, task: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "MAX_AUTOMATIC_TRANSLATIONS", 10)
    people.open(task)
    assert "Meta-evaluation has not been run" in texts(people)
    button(people, "Run").click()
    people.wait()
    assert len(people.names()) == 5


def test_the_last_numbers_stay_while_others_are_made_and_when_that_is_stopped(people: Any, task: Path) -> None:
    people.open(task)
    before, shown = people.service.result, people.cell("BLEU", "Pearson").text
    people.service.set_wish(replace(people.service.wish, rounds=5_000))
    assert people.service.state == "working"
    assert people.service.result is before
    assert people.cell("BLEU", "Pearson").text == shown
    assert people.cell("BLEU", "Pearson").token == "muted"
    people.service.cancel()
    assert people.service.state == "waiting"
    assert people.service.result is before
    people.wait()
    button(people, "Run again").click()
    people.wait()
    assert people.study.options.rounds == 5_000
    assert people.world.settings.study_rounds == 5_000
    assert people.cell("BLEU", "Pearson").token == ""


def test_other_options_count_nothing_again_and_edits_are_nothing_to_it(people: Any, task: Path) -> None:
    people.open(task)
    asked, study = people.service.result.asked, people.study
    people.world.comparison.set_options(replace(people.world.comparison.options, seed=5))
    people.wait()
    assert people.study is not study
    assert people.study.options.seed == 5
    assert people.service.result.asked is asked
    study = people.study
    people.world.comparison.set_options(replace(people.world.comparison.options, correction="holm"))
    people.wait()
    assert people.study is study


def test_another_corpus_leaves_nothing_of_the_last(people: Any, task: Path, tmp_path: Path) -> None:
    people.open(task)
    people.service.set_wish(replace(people.service.wish, metrics=("chrF", "Good")))
    people.wait()
    people.open(write_task(tmp_path / "other", SYSTEMS[:4]))
    assert people.service.wish.metrics == ()
    assert len(people.study.systems) == 4
    people.world.workspace.close()
    assert people.service.result is None
    assert "Which metric agrees with human scores?" in texts(people)


def test_a_figure_that_cannot_be_made_says_why_and_what_was_there_stays(people: Any, task: Path) -> None:
    people.open(task)
    people.service.set_wish(replace(people.service.wish, metrics=("nothing",)))
    people.wait()
    assert people.service.state == "failed"
    assert "there is no metric “nothing”" in people.page.error.text()
    assert len(people.names()) == 5
    people.service.set_wish(replace(people.service.wish, metrics=()))
    people.wait()
    assert not people.page.error.isVisible()


def test_ratings_of_segments_in_another_order_are_warned_of(people: Any, task: Path) -> None:
    """Better systems have better scores whatever the order, so only what is within systems tells."""
    dice = np.random.default_rng(3)
    rows: list[str] = []
    for place, name in enumerate(SYSTEMS):
        scores = dice.permutation(np.linspace(place, place + 3, SEGMENTS))
        rows += [f"{name}\t{score:.4f}" for score in scores.tolist()]
    (task / "Good.seg.score").write_text(lines(rows))
    people.open(task)
    (note,) = [note for note in people.service.result.report().notes() if "do not correlate with human scores" in note]
    assert "Good" in note
    assert "BLEU" not in note
    assert people.page.warning() == ""
    people.service.set_wish(replace(people.service.wish, metrics=("Good",)))
    people.wait()
    assert "No metric correlates with human scores within systems" in people.page.warning()
    assert people.page.alone.isVisibleTo(people.page)


def test_every_control_has_a_key(people: Any, task: Path) -> None:
    people.open(task)
    labels = people.page.bar._labels.values()
    keys = [one.text()[one.text().index("&") + 1].lower() for one in labels]
    assert len(keys) == 13
    assert len(set(keys)) == len(keys)
    assert not set(keys) & set("fevsh")


def test_it_keeps_to_the_rules_of_models(people: Any, task: Path) -> None:
    views = people.page.views
    models = (people.view.cells, views.systems.view.cells, views.better.view.model(), views.between.view.model())
    mode = QAbstractItemModelTester.FailureReportingMode.Warning
    testers = [QAbstractItemModelTester(model, mode) for model in models]
    people.open(task)
    for name in ("better", "between", "systems"):
        views.show_view(name)
    people.service.set_figure("spa")
    people.world.workspace.close()
    assert [tester.model() for tester in testers] == list(models)


def test_it_is_drawn_in_little_room(people: Any, task: Path) -> None:
    people.open(task)
    for width, height in ((1200, 800), (640, 480)):
        people.area.resize(width, height)
        assert not people.area.grab().isNull()
        assert (people.area.width(), people.area.height()) == (width, height)
        assert people.view.viewport().height() >= people.view.rowHeight(0)


def test_names_from_right_to_left_turn_no_sentence(people: Any, tmp_path: Path) -> None:
    people.open(write_task(tmp_path / "named", ("one", "two", "מערכת", "four")))
    people.page.views.show_view("systems")
    view = people.page.views.systems.view
    row = [line[0].text for line in view.cells.rows].index("מערכת")
    view.setCurrentIndex(view.cells.index(row, 2))
    assert people.page.views.systems.words.text().startswith("\u2068מערכת\u2069: ")
    assert view.cells.index(row, 2).data(Qt.ItemDataRole.AccessibleTextRole)
