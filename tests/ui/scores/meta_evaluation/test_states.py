"""States of the Metric meta-evaluation page: missing data, running, outdated, failed."""

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
from tests.ui.scores.meta_evaluation.visible_texts import button, texts


def test_page_without_a_corpus_explains_its_purpose(people: Any, qtbot: QtBot) -> None:
    assert "Which metric agrees with human scores?" in texts(people)
    with qtbot.waitSignal(people.page.folder_wanted):
        button(people, "Open folder…").click()


def test_missing_ratings_are_reported_with_an_add_button(people: Any, task: Path, qtbot: QtBot) -> None:
    people.world.open(replace(opened(task), ratings=None))
    assert "No ratings" in texts(people)
    with qtbot.waitSignal(people.page.files_wanted):
        button(people, "Add files…").click()


def test_missing_metrics_are_reported(people: Any, task: Path) -> None:
    people.world.open(replace(opened(task), references={}, metric_scores={}))
    assert "No metric scores to evaluate" in texts(people)


def test_metric_scores_without_references_are_sufficient(people: Any, task: Path) -> None:
    people.world.open(replace(opened(task), references={}))
    assert set(people.names()) == {"Bad", "Good"}
    people.page.views.show_view("recall")
    people.wait()
    assert "Curves need text metrics" in people.page.views.curves["recall"].content


def test_two_systems_are_reported_as_too_few(people: Any, tmp_path: Path) -> None:
    people.open(write_task(tmp_path / "two", SYSTEMS[:2]))
    assert "2 systems with both human and metric scores" in texts(people)
    assert "A correlation needs at least 3." in texts(people)
    assert "match" not in people.page.quiet.buttons


def test_study_runs_after_differing_names_are_matched(people: Any, tmp_path: Path, qtbot: QtBot) -> None:
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
    # five.7 and five are still unmatched
    assert people.page.match.isVisible()
    session.match("", SystemNameMapping({f"{name}.7": name for name in SYSTEMS}))
    people.wait()
    assert set(people.study.systems) == set(SYSTEMS)
    assert not people.page.match.isVisible()


def test_ratings_without_scores_are_reported(people: Any, task: Path) -> None:
    corpus = opened(task)
    assert corpus.ratings is not None
    people.world.open(replace(corpus, ratings=replace(corpus.ratings, scores=corpus.ratings.scores.take(slice(0, 0)))))
    assert "The meta-evaluation failed" in texts(people)
    assert "contain no usable scores" in texts(people)


def test_hidden_page_computes_nothing(people: Any, task: Path) -> None:
    people.area.pages.show_page("systems")
    people.open(task)
    assert (people.service.result, people.service.state) == (None, "waiting")
    people.area.pages.show_page("people")
    people.wait()
    assert people.service.state == "ready"


def test_large_study_is_computed_on_request(people: Any, task: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "MAX_AUTOMATIC_TRANSLATIONS", 10)
    people.open(task)
    assert "Meta-evaluation has not been run" in texts(people)
    button(people, "Run").click()
    people.wait()
    assert len(people.names()) == 5


def test_last_results_stay_during_a_new_run_and_after_cancelling_it(people: Any, task: Path) -> None:
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


def test_new_seed_reuses_the_scores_and_new_correction_the_study(people: Any, task: Path) -> None:
    people.open(task)
    inputs, study = people.service.result.requested, people.study
    people.world.comparison.set_options(replace(people.world.comparison.options, seed=5))
    people.wait()
    assert people.study is not study
    assert people.study.options.seed == 5
    assert people.service.result.requested is inputs
    study = people.study
    people.world.comparison.set_options(replace(people.world.comparison.options, correction="holm"))
    people.wait()
    assert people.study is study


def test_opening_another_corpus_resets_options_and_results(people: Any, task: Path, tmp_path: Path) -> None:
    people.open(task)
    people.service.set_wish(replace(people.service.wish, metrics=("chrF", "Good")))
    people.wait()
    people.open(write_task(tmp_path / "other", SYSTEMS[:4]))
    assert people.service.wish.metrics == ()
    assert len(people.study.systems) == 4
    people.world.workspace.close()
    assert people.service.result is None
    assert "Which metric agrees with human scores?" in texts(people)


def test_failed_run_reports_the_reason_and_keeps_the_table(people: Any, task: Path) -> None:
    people.open(task)
    people.service.set_wish(replace(people.service.wish, metrics=("nothing",)))
    people.wait()
    assert people.service.state == "failed"
    assert "there is no metric “nothing”" in people.page.error.text()
    assert len(people.names()) == 5
    people.service.set_wish(replace(people.service.wish, metrics=()))
    people.wait()
    assert not people.page.error.isVisible()


def test_metric_scores_in_another_segment_order_give_a_warning(people: Any, task: Path) -> None:
    """Better systems have better scores in any order, so only correlation within systems shows the problem."""
    generator = np.random.default_rng(3)
    rows: list[str] = []
    for index, name in enumerate(SYSTEMS):
        scores = generator.permutation(np.linspace(index, index + 3, SEGMENTS))
        rows += [f"{name}\t{score:.4f}" for score in scores.tolist()]
    (task / "Good.seg.score").write_text(lines(rows))
    people.open(task)
    (note,) = [note for note in people.service.result.report().notes() if "do not correlate with human scores" in note]
    assert "Good" in note
    assert "BLEU" not in note
    assert people.page.warning() == ""
    people.service.set_wish(replace(people.service.wish, metrics=("Good",)))
    people.wait()
    assert "No metric correlates significantly with human scores within systems" in people.page.warning()
    assert people.page.alone.isVisibleTo(people.page)


def test_every_control_has_a_distinct_mnemonic(people: Any, task: Path) -> None:
    people.open(task)
    labels = people.page.bar._labels.values()
    keys = [label.text()[label.text().index("&") + 1].lower() for label in labels]
    assert len(keys) == 13
    assert len(set(keys)) == len(keys)
    assert not set(keys) & set("fevsh")


def test_models_pass_the_qt_model_tester(people: Any, task: Path) -> None:
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


def test_page_is_painted_in_a_small_window(people: Any, task: Path) -> None:
    people.open(task)
    for width, height in ((1200, 800), (640, 480)):
        people.area.resize(width, height)
        assert not people.area.grab().isNull()
        assert (people.area.width(), people.area.height()) == (width, height)
        assert people.view.viewport().height() >= people.view.rowHeight(0)


def test_right_to_left_system_name_is_isolated_in_sentences(people: Any, tmp_path: Path) -> None:
    people.open(write_task(tmp_path / "named", ("one", "two", "מערכת", "four")))
    people.page.views.show_view("systems")
    view = people.page.views.systems.view
    row = [line[0].text for line in view.cells.rows].index("מערכת")
    view.setCurrentIndex(view.cells.index(row, 2))
    assert people.page.views.systems.words.text().startswith("\u2068מערכת\u2069: ")
    assert view.cells.index(row, 2).data(Qt.ItemDataRole.AccessibleTextRole)
