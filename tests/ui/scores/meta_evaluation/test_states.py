"""States of the “Against human scores” page: missing data, running, outdated, failed."""

from __future__ import annotations

import re
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
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_page import mismatched_names
from tests.ui.scores.meta_evaluation.conftest import SEGMENTS, SYSTEMS, lines, read_corpus, write_task
from tests.ui.scores.visible_texts import find_button, visible_texts


def test_page_without_a_corpus_explains_its_purpose(driver: Any, qtbot: QtBot) -> None:
    assert "Which metric agrees with human scores?" in visible_texts(driver.page)
    with qtbot.waitSignal(driver.page.folder_requested):
        find_button(driver.page, "Open folder…").click()


def test_missing_ratings_are_reported_with_an_add_button(driver: Any, task: Path, qtbot: QtBot) -> None:
    driver.environment.open(replace(read_corpus(task), ratings=None))
    assert "No ratings" in visible_texts(driver.page)
    with qtbot.waitSignal(driver.page.files_requested):
        find_button(driver.page, "Add files…").click()


def test_missing_metrics_are_reported(driver: Any, task: Path) -> None:
    driver.environment.open(replace(read_corpus(task), references={}, metric_scores={}))
    assert "No metric scores to evaluate" in visible_texts(driver.page)


def test_missing_metrics_and_ratings_are_both_named(driver: Any, task: Path) -> None:
    driver.environment.open(replace(read_corpus(task), references={}, metric_scores={}, ratings=None))
    assert "No metric scores and no human ratings" in visible_texts(driver.page)
    assert "Add human ratings of the systems, and either a file of metric scores" in visible_texts(driver.page)


def test_metric_scores_without_references_are_sufficient(driver: Any, task: Path) -> None:
    driver.environment.open(replace(read_corpus(task), references={}))
    assert set(driver.names()) == {"Bad", "Good"}
    driver.page.views.show_view("recall")
    driver.wait()
    assert "Curves need text metrics" in driver.page.views.curves["recall"].content


def test_too_few_trials_are_reported_with_a_button_for_more(driver: Any, task: Path) -> None:
    driver.open(task)
    page, comparison = driver.page, driver.service.comparison
    assert page.more_trials_button.isHidden()
    comparison.set_options(replace(comparison.options, correction="bonferroni"))
    assert "100 trials are too few: adjusted p (Bonferroni, 10 pairs) is at least .099" in page.error.text()
    assert "no two metrics can differ significantly at .05" in page.views._remarks.text()
    assert "unadjusted" not in page.views._remarks.text()
    assert page.more_trials_button.text() == "Use 1,000 trials"
    page.more_trials_button.click()
    driver.wait()
    assert driver.service.result.study.options.rounds == 1000
    assert page.error.isHidden()
    assert page.more_trials_button.isHidden()
    assert "too few" not in page.views._remarks.text()


def test_two_systems_are_reported_as_too_few(driver: Any, tmp_path: Path) -> None:
    driver.open(write_task(tmp_path / "two", SYSTEMS[:2]))
    assert "2 systems with both human and metric scores" in visible_texts(driver.page)
    assert "A correlation needs at least 3 systems." in visible_texts(driver.page)
    assert "match" not in driver.page.placeholder.buttons


def test_study_runs_after_differing_names_are_matched(driver: Any, tmp_path: Path, qtbot: QtBot) -> None:
    driver.open(write_task(tmp_path / "named", rated=lambda name: f"{name}.7"))
    assert "0 systems with both human and metric scores" in visible_texts(driver.page)
    names = mismatched_names(driver.service)
    assert names is not None
    assert set(names.human) == {f"{name}.7" for name in SYSTEMS}
    assert set(names.metrics) == set(SYSTEMS)
    assert names.has_unmatched_names
    with qtbot.waitSignal(driver.page.match_requested):
        find_button(driver.page, "Match system names…").click()
    session = driver.environment.workspace.session
    session.match("", SystemNameMapping({f"{name}.7": name for name in SYSTEMS[:4]}))
    driver.wait()
    assert set(driver.study.systems) == set(SYSTEMS[:4])
    # five.7 and five are still unmatched
    assert driver.page.match_button.isVisible()
    session.match("", SystemNameMapping({f"{name}.7": name for name in SYSTEMS}))
    driver.wait()
    assert set(driver.study.systems) == set(SYSTEMS)
    assert not driver.page.match_button.isVisible()


def test_ratings_without_scores_are_reported(driver: Any, task: Path) -> None:
    corpus = read_corpus(task)
    assert corpus.ratings is not None
    driver.environment.open(
        replace(corpus, ratings=replace(corpus.ratings, scores=corpus.ratings.scores.take(slice(0, 0))))
    )
    assert "The meta-evaluation failed" in visible_texts(driver.page)
    assert "contain no usable scores" in visible_texts(driver.page)


def test_hidden_page_computes_nothing(driver: Any, task: Path) -> None:
    driver.area.pages.show_page("systems")
    driver.open(task)
    assert (driver.service.result, driver.service.state) == (None, "waiting")
    driver.area.pages.show_page("people")
    driver.wait()
    assert driver.service.state == "ready"


def test_large_study_is_computed_on_request(driver: Any, task: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "MAX_AUTOMATIC_TRANSLATIONS", 10)
    driver.open(task)
    assert "Meta-evaluation has not been run" in visible_texts(driver.page)
    find_button(driver.page, "Run").click()
    driver.wait()
    assert len(driver.names()) == 5


def test_last_results_stay_during_a_new_run_and_after_cancelling_it(driver: Any, task: Path) -> None:
    driver.open(task)
    before, shown = driver.service.result, driver.cell("BLEU", "Pearson").text
    driver.service.set_study_options(replace(driver.service.study_options, rounds=5_000))
    assert driver.service.state == "working"
    assert driver.service.result is before
    assert driver.cell("BLEU", "Pearson").text == shown
    assert driver.cell("BLEU", "acc*eq").token == "muted"
    driver.service.cancel()
    assert driver.service.state == "waiting"
    assert driver.service.result is before
    driver.wait()
    find_button(driver.page, "Run again").click()
    driver.wait()
    assert driver.study.options.rounds == 5_000
    assert driver.environment.settings.study_rounds == 5_000
    assert driver.cell("BLEU", "acc*eq").token == ""


def test_new_seed_reuses_the_scores_and_new_correction_the_study(driver: Any, task: Path) -> None:
    driver.open(task)
    inputs, study = driver.service.result.data, driver.study
    driver.environment.comparison.set_options(replace(driver.environment.comparison.options, seed=5))
    driver.wait()
    assert driver.study is not study
    assert driver.study.options.seed == 5
    assert driver.service.result.data is inputs
    study = driver.study
    driver.environment.comparison.set_options(replace(driver.environment.comparison.options, correction="holm"))
    driver.wait()
    assert driver.study is study


def test_opening_another_corpus_resets_options_and_results(driver: Any, task: Path, tmp_path: Path) -> None:
    driver.open(task)
    driver.service.set_study_options(replace(driver.service.study_options, metrics=("chrF", "Good")))
    driver.wait()
    driver.open(write_task(tmp_path / "other", SYSTEMS[:4]))
    assert driver.service.study_options.metrics == ()
    assert len(driver.study.systems) == 4
    driver.environment.workspace.close()
    assert driver.service.result is None
    assert "Which metric agrees with human scores?" in visible_texts(driver.page)


def test_failed_run_reports_the_reason_and_keeps_the_table(driver: Any, task: Path) -> None:
    driver.open(task)
    driver.service.set_study_options(replace(driver.service.study_options, metrics=("nothing",)))
    driver.wait()
    assert driver.service.state == "failed"
    assert "there is no metric “nothing”" in driver.page.error.text()
    assert len(driver.names()) == 5
    driver.service.set_study_options(replace(driver.service.study_options, metrics=()))
    driver.wait()
    assert not driver.page.error.isVisible()


def test_metric_scores_in_another_segment_order_give_a_warning(driver: Any, task: Path) -> None:
    """Better systems have better scores in any order, so only correlation within systems shows the problem."""
    generator = np.random.default_rng(3)
    rows: list[str] = []
    for index, name in enumerate(SYSTEMS):
        scores = generator.permutation(np.linspace(index, index + 3, SEGMENTS))
        rows += [f"{name}\t{score:.4f}" for score in scores.tolist()]
    (task / "Good.seg.score").write_text(lines(rows))
    driver.open(task)
    (note,) = [note for note in driver.service.report().notes() if "do not correlate significantly" in note]
    assert "Good" in note
    assert "BLEU" not in note
    assert driver.page.warning() == ""
    driver.service.set_study_options(replace(driver.service.study_options, metrics=("Good",)))
    driver.wait()
    warning = driver.page.warning()
    assert warning.startswith(
        "No metric correlates significantly with human scores among translations by the same system. "
    )
    assert not re.search(r"\d", warning), "the table does not have these correlations"
    assert driver.page.systems_only_button.isVisibleTo(driver.page)


def test_every_control_has_a_distinct_mnemonic(driver: Any, task: Path) -> None:
    driver.open(task)
    labels = driver.page.bar._labels.values()
    keys = [label.text()[label.text().index("&") + 1].lower() for label in labels]
    assert len(keys) == 13
    assert len(set(keys)) == len(keys)
    assert not set(keys) & set("fevsh")


def test_models_pass_the_qt_model_tester(driver: Any, task: Path) -> None:
    views = driver.page.views
    models = (
        driver.view.cells,
        views.systems.view.cells,
        views.significance_page.view.model(),
        views.correlation.view.model(),
    )
    mode = QAbstractItemModelTester.FailureReportingMode.Warning
    testers = [QAbstractItemModelTester(model, mode) for model in models]
    driver.open(task)
    for name in ("better", "between", "systems"):
        views.show_view(name)
    driver.service.set_statistic("spa")
    driver.environment.workspace.close()
    assert [tester.model() for tester in testers] == list(models)


def test_page_is_painted_in_a_small_window(driver: Any, task: Path) -> None:
    driver.open(task)
    for width, height in ((1200, 800), (640, 480)):
        driver.area.resize(width, height)
        assert not driver.area.grab().isNull()
        assert (driver.area.width(), driver.area.height()) == (width, height)
        assert driver.view.viewport().height() >= driver.view.rowHeight(0)


def test_right_to_left_system_name_is_isolated_in_sentences(driver: Any, tmp_path: Path) -> None:
    driver.open(write_task(tmp_path / "named", ("one", "two", "מערכת", "four")))
    driver.page.views.show_view("systems")
    view = driver.page.views.systems.view
    row = [line[0].text for line in view.cells.rows].index("מערכת")
    view.setCurrentIndex(view.cells.index(row, 2))
    assert driver.page.description_label.text().startswith("\u2068מערכת\u2069: ")
    assert view.cells.index(row, 2).data(Qt.ItemDataRole.AccessibleTextRole)


def test_reset_button_restores_the_options_of_the_meta_evaluation(driver: Any, task: Path) -> None:
    driver.environment.open(read_corpus(task))
    driver.wait()
    toolbar, comparison = driver.page.bar, driver.environment.comparison
    comparison.set_options(replace(comparison.options, alpha=0.01))
    driver.service.set_study_options(replace(driver.service.study_options, rounds=100, seed=3, sides="one"))
    driver.wait()
    assert toolbar.reset.isEnabled()
    toolbar.reset.click()
    driver.wait()
    wish, options = driver.service.study_options, comparison.options
    assert (wish.rounds, wish.seed, wish.sides, options.alpha, options.correction) == (
        1_000, 1, "two", 0.05, "bonferroni",
    )  # fmt: skip
    assert not toolbar.reset.isEnabled()
