"""States of the page of studies: no data, running, cancelled, outdated, and unsupported levels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, TagColumn
from qe_desktop.significance import SignificanceOptions
from qe_desktop.ui.scores.studies.commands import STUDIES
from qe_desktop.ui.scores.studies.study import StudyOptions
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.placeholder_page import ReasonPopup
from tests.ui.scores.conftest import GOLD, make_corpus
from tests.ui.scores.studies.conftest import add_probabilities


def texts(driver: Any) -> str:
    page = driver.page
    return " | ".join(label.text() for label in page.findChildren(Label) if label.isVisibleTo(page))


def button(driver: Any, text: str) -> QPushButton:
    page = driver.page
    return next(b for b in page.findChildren(QPushButton) if b.text() == text and b.isVisibleTo(page))


def all_tags(value: int) -> Corpus:
    """Return a corpus whose gold tags are all `value`."""
    corpus = add_probabilities(make_corpus(3))
    tags = corpus.layers[GOLD].tags
    return corpus.with_layer(Layer(GOLD, TagColumn(np.full_like(tags.values, value), tags.offsets)))


def test_page_without_a_corpus_explains_its_purpose(driver: Any, qtbot: Any) -> None:
    assert "How do metrics behave?" in texts(driver)
    with qtbot.waitSignal(driver.page.folder_requested):
        button(driver, "Open folder…").click()


def test_small_studies_run_when_shown(driver: Any, corpus_with_probabilities: Any) -> None:
    driver.area.pages.show_page("systems")
    driver.open(corpus_with_probabilities)
    assert driver.service.state == "waiting"
    driver.area.pages.show_page("studies")
    driver.wait()
    assert driver.service.state == "ready"
    assert driver.controller.thresholds.service.result is None
    driver.show_thresholds()
    assert driver.controller.thresholds.service.result is not None


def test_sampling_runs_on_request_and_continues_when_hidden(driver: Any, corpus_with_probabilities: Any) -> None:
    driver.open(corpus_with_probabilities)
    driver.show("sampling")
    assert "Select “Run” to start the study." in texts(driver)
    assert "cancelled" not in texts(driver)
    driver.service.run()
    driver.service.cancel()
    driver.wait()
    assert "The computation was cancelled. Select “Run” to start it again." in texts(driver)
    assert driver.service.study.about in texts(driver)
    assert driver.service.state == "waiting"
    service = driver.service
    service.set_study_options(replace(service.study_options, errors="5 6", sizes="10 50"))
    button(driver, "Run").click()
    assert service.state == "working"
    driver.page.show_study("labellings")
    driver.wait()
    assert service.result is not None
    driver.show("sampling")
    assert driver.view.cells.rows


def test_invalid_shares_and_sizes_are_reported_and_can_be_corrected(
    driver: Any, corpus_with_probabilities: Any
) -> None:
    driver.open(corpus_with_probabilities)
    driver.show("sampling")
    bar = driver.page.bar
    messages = (
        ("30 x", "“x” is not a number"),
        ("98 99", "lower rates under “Errors in %”"),
        ("30", "two error rates"),
    )
    for text, message in messages:
        bar.errors.setText(text)
        bar.errors.editingFinished.emit()
        driver.service.run()
        driver.wait()
        assert message in texts(driver)
    button(driver, "Change the error rates…").click()
    assert bar.errors.isVisible()
    bar.panel_button.menu().close()
    bar.errors.setText("5 6")
    bar.sizes.setText("10 20.5")
    bar.errors.editingFinished.emit()
    button(driver, "Run").click()
    driver.wait()
    assert "whole numbers" in texts(driver)
    assert button(driver, "Try again").isEnabled()
    bar.sizes.setText("10 20")
    bar.sizes.editingFinished.emit()
    button(driver, "Run").click()
    driver.wait()
    assert driver.study.options.sizes == (10, 20)


def test_sampling_shows_its_own_test_and_the_rates_that_it_used(driver: Any, corpus_with_probabilities: Any) -> None:
    driver.open(corpus_with_probabilities)
    assert "randomization" in driver.page.bar.panel_button.text()
    driver.show("sampling")
    assert driver.page.bar.panel_button.text() == "t-test · analytic · no correction · α .05"
    assert driver.page.bar.errors.placeholderText() == "30 30.01 30.05 30.1 30.2"
    driver.service.set_study_options(replace(driver.service.study_options, sizes="10 50"))
    driver.service.run()
    driver.wait()
    used = [str(share) for share in driver.study.options.errors]
    assert driver.page.bar.errors.placeholderText() == " ".join(used)
    assert float(used[-1]) < 30
    assert driver.cell(0, "0.2").text in {"≤10", "50", ">50"}


def test_cancelling_a_study_keeps_the_last_result(driver: Any, corpus_with_probabilities: Any) -> None:
    driver.open(corpus_with_probabilities)
    before = driver.service.result
    driver.service.run()
    assert driver.service.state == "working"
    driver.service.cancel()
    assert driver.service.state == "ready"
    driver.wait()
    assert driver.service.result is before
    driver.show("sampling")
    driver.service.set_study_options(
        replace(driver.service.study_options, errors="5 6", mode="full", repetitions=10_000)
    )
    driver.service.run()
    button(driver, "Cancel").click()
    driver.wait()
    assert driver.service.state == "waiting"
    assert driver.service.result is None


def test_edits_mark_a_study_as_outdated_until_it_is_rerun(driver: Any, corpus_with_probabilities: Any) -> None:
    driver.open(corpus_with_probabilities)
    before = driver.service.result
    driver.environment.flip_tag(0, 0)
    assert driver.service.is_data_outdated
    assert "outdated" in texts(driver)
    assert driver.cell(0, "Total").token == "muted"
    driver.wait()
    assert driver.service.result is not before
    assert not driver.service.is_data_outdated
    assert "outdated" not in texts(driver)


def test_sampling_stays_outdated_until_run_again(driver: Any, corpus_with_probabilities: Any) -> None:
    driver.open(corpus_with_probabilities)
    driver.show("sampling")
    service = driver.service
    service.set_study_options(replace(service.study_options, errors="5 6", sizes="10 20"))
    service.run()
    driver.wait()
    before = service.result
    driver.environment.flip_tag(0, 0)
    driver.wait()
    assert service.result is before
    assert "outdated" in texts(driver)
    driver.environment.workspace.undo()
    driver.wait()
    assert not service.is_outdated
    service.set_study_options(replace(service.study_options, sizes="10 30"))
    assert "options have changed" in texts(driver)
    button(driver, "Run again").click()
    driver.wait()
    assert service.study.computation_options(service.study_options, service.options) == service._result_options
    assert service.result.study.options.sizes == (10, 30)


def test_gold_with_one_class_is_reported(driver: Any) -> None:
    for value in (0, 1):
        driver.open(all_tags(value))
        for study in STUDIES:
            driver.show(study.name)
            assert "All gold tags are the same" in texts(driver)
            assert driver.service.result is None


def test_study_can_be_started_once_an_edit_gives_the_gold_both_classes(driver: Any) -> None:
    driver.open(all_tags(0))
    driver.show("sampling")
    assert "All gold tags are the same" in texts(driver)
    driver.environment.flip_tag(0, 0)
    driver.wait()
    assert driver.service.unavailable_state() is None
    assert "Select “Run” to start the study." in texts(driver)
    assert "All gold tags are the same" not in texts(driver)


def test_single_system_is_reported_as_too_few_for_d(driver: Any) -> None:
    driver.open(make_corpus(1))
    assert "is undefined with only one system" in texts(driver)
    assert driver.cell(0, "all 1").text == "–"
    assert driver.cell(0, "all-OK").text in ("0", "1")


def test_tab_of_thresholds_is_grey_without_probabilities_and_tells_why(
    driver: Any, corpus_with_probabilities: Any, qtbot: Any
) -> None:
    driver.area.pages.show_page("systems")
    driver.open(make_corpus(3))
    gallery, tab = driver.area.systems.gallery, driver.controller.thresholds.tab
    index = gallery.indexOf(tab)
    assert not gallery.isTabEnabled(index)
    assert "No system has probabilities" in gallery.tabToolTip(index)
    assert "Threshold: No system has probabilities" in gallery.bar.accessibleDescription()
    # by keyboard, the grey tab shows its reason and is not opened
    gallery.bar.setFocus()
    gallery.setCurrentIndex(index - 1)
    qtbot.keyClick(gallery.bar, Qt.Key.Key_Right)
    assert gallery.currentIndex() == index - 1
    assert driver.area.systems.sentence.text_label.text().startswith("Threshold: No system has probabilities")
    qtbot.keyClick(gallery.bar, Qt.Key.Key_Left)
    assert gallery.currentIndex() == index - 1
    # the command shows the reason, with a button that resolves it
    driver.controller.thresholds.show()
    popup = driver.area.systems.findChild(ReasonPopup)
    with qtbot.waitSignal(driver.controller.context.files_requested):
        popup.buttons[0].click()
    assert not popup.isVisible()
    driver.open(corpus_with_probabilities)
    assert gallery.isTabEnabled(index)
    assert driver.controller.thresholds.service.study.about.split()[0] in gallery.tabToolTip(index)


def test_gaps_have_labellings_but_no_thresholds(driver: Any, corpus_with_probabilities: Any) -> None:
    gold = corpus_with_probabilities.layers[GOLD].tags
    for provenance, name in (
        (Provenance.GOLD, "gold"),
        (Provenance.SYSTEM, "system 0"),
        (Provenance.SYSTEM, "system 1"),
    ):
        key = LayerKey(provenance, name, Kind.GAPS)
        lengths = gold.lengths() + 1
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        values = (np.random.default_rng(len(name)).random(offsets[-1]) < 0.2).astype(np.uint8)
        corpus_with_probabilities = corpus_with_probabilities.with_layer(Layer(key, TagColumn(values, offsets)))
    driver.open(corpus_with_probabilities)
    driver.environment.workspace.set_kind(Kind.GAPS)
    driver.wait()
    assert driver.service.result.request.scoring.level.tags is Kind.GAPS
    assert driver.area.systems
    driver.controller.thresholds.show()
    popup = driver.area.systems.findChild(ReasonPopup)
    assert "Thresholds apply to words" in popup.accessibleName()
    popup.buttons[0].click()
    driver.wait()
    driver.show_thresholds()
    assert driver.controller.thresholds.service.result is not None


def test_sentence_level_is_reported_with_a_switch_to_words(driver: Any, corpus_with_probabilities: Any) -> None:
    for provenance in (Provenance.GOLD, Provenance.SYSTEM):
        key = LayerKey(provenance, "hter", Kind.SCORES)
        corpus_with_probabilities = corpus_with_probabilities.with_layer(
            Layer(key, np.linspace(0, 1, corpus_with_probabilities.size))
        )
    driver.open(corpus_with_probabilities)
    workspace = driver.environment.workspace
    workspace.set_level(next(level for level in workspace.levels() if level.name == "sentences"))
    driver.wait()
    assert "“Trivial baselines” and “Repeated sampling” need tags" in texts(driver)
    button(driver, "Switch to words").click()
    driver.wait()
    assert driver.service.result is not None


def test_tab_order_goes_from_table_to_tabs_and_chart(driver: Any, corpus_with_probabilities: Any, qtbot: Any) -> None:
    driver.open(corpus_with_probabilities)
    area, views = driver.area, driver.page.views
    area.activateWindow()
    qtbot.waitUntil(area.isActiveWindow)
    qtbot.waitUntil(lambda: views.picture.plot_widget.plot is not None)
    driver.wait()
    views.picture.plot_widget.plot.finish()
    # the chart enters the tab order in its layout
    QApplication.processEvents()
    driver.view.setFocus()
    qtbot.keyClick(driver.view, Qt.Key.Key_Tab)
    assert views.tabBar().hasFocus()
    qtbot.keyClick(views.tabBar(), Qt.Key.Key_Tab)
    assert views.picture.isAncestorOf(QApplication.focusWidget())
    current, order = driver.page.bar.study, []
    for _ in range(120):
        order.append(current)
        current = current.nextInFocusChain()
    bar = driver.page.bar
    stops = (bar.study, bar.metrics, bar.panel_button, driver.page.baseline_button, driver.view, views.tabBar())
    positions = [order.index(widget) for widget in stops]
    assert positions == sorted(positions)


def test_reset_button_restores_the_options_of_the_study(driver: Any) -> None:
    driver.open(make_corpus(3))
    toolbar = driver.page.bar
    driver.environment.comparison.set_options(SignificanceOptions())
    driver.wait()
    assert not toolbar.reset.isEnabled()
    driver.service.set_study_options(replace(driver.service.study_options, draws=5))
    driver.wait()
    assert toolbar.draws.value() == 5
    assert toolbar.reset.isEnabled()
    toolbar.reset.click()
    driver.wait()
    assert driver.service.study_options == StudyOptions()
    assert (toolbar.draws.value(), toolbar.reset.isEnabled()) == (StudyOptions().draws, False)
