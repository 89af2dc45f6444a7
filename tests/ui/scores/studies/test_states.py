"""States of the Metric checks page: no data, running, cancelled, outdated, and unsupported levels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, TagColumn
from qe_desktop.ui.scores.studies.registry import STUDIES
from qe_desktop.ui.widgets.labels import Label
from tests.ui.scores.conftest import GOLD, make_corpus
from tests.ui.scores.studies.conftest import with_probabilities


def texts(studies: Any) -> str:
    page = studies.page
    return " | ".join(label.text() for label in page.findChildren(Label) if label.isVisibleTo(page))


def button(studies: Any, text: str) -> QPushButton:
    page = studies.page
    return next(b for b in page.findChildren(QPushButton) if b.text() == text and b.isVisibleTo(page))


def all_tags(value: int) -> Corpus:
    """Return a corpus whose gold tags are all `value`."""
    corpus = with_probabilities(make_corpus(3))
    tags = corpus.layers[GOLD].tags
    return corpus.with_layer(Layer(GOLD, TagColumn(np.full_like(tags.values, value), tags.offsets)))


def test_page_without_a_corpus_explains_its_purpose(studies: Any, qtbot: Any) -> None:
    assert "How do metrics behave?" in texts(studies)
    with qtbot.waitSignal(studies.page.folder_wanted):
        button(studies, "Open folder…").click()


def test_small_studies_run_when_shown(studies: Any, tagged: Any) -> None:
    studies.area.pages.show_page("systems")
    studies.open(tagged)
    assert studies.service.state == "waiting"
    studies.area.pages.show_page("studies")
    studies.wait()
    assert studies.service.state == "ready"
    assert studies.controller.services["thresholds"].result is None
    studies.show("thresholds")
    assert studies.service.result is not None


def test_sampling_runs_on_request_and_continues_when_hidden(studies: Any, tagged: Any) -> None:
    studies.open(tagged)
    studies.show("sampling")
    assert "Not run yet" in texts(studies)
    assert studies.service.state == "waiting"
    service = studies.service
    service.set_wish(replace(service.wish, errors="5 6", sizes="10 50"))
    button(studies, "Run").click()
    assert service.state == "working"
    studies.page.show_study("labellings")
    studies.wait()
    assert service.result is not None
    studies.show("sampling")
    assert studies.view.cells.rows


def test_invalid_shares_and_sizes_are_reported_and_can_be_corrected(studies: Any, tagged: Any) -> None:
    studies.open(tagged)
    studies.show("sampling")
    bar = studies.page.bar
    for text, message in (("30 x", "“x” is not a number"), ("98 99", "is not possible"), ("30", "needs two shares")):
        bar.errors.setText(text)
        bar.errors.editingFinished.emit()
        studies.service.run()
        studies.wait()
        assert message in texts(studies)
    bar.errors.setText("5 6")
    bar.sizes.setText("10 20.5")
    bar.errors.editingFinished.emit()
    button(studies, "Run").click()
    studies.wait()
    assert "whole numbers" in texts(studies)
    assert button(studies, "Try again").isEnabled()
    bar.sizes.setText("10 20")
    bar.sizes.editingFinished.emit()
    button(studies, "Run").click()
    studies.wait()
    assert studies.study.options.sizes == (10, 20)


def test_cancelling_a_study_keeps_the_last_result(studies: Any, tagged: Any) -> None:
    studies.open(tagged)
    before = studies.service.result
    studies.service.run()
    assert studies.service.state == "working"
    studies.service.cancel()
    assert studies.service.state == "ready"
    studies.wait()
    assert studies.service.result is before
    studies.show("sampling")
    studies.service.set_wish(replace(studies.service.wish, errors="5 6", mode="full", repetitions=10_000))
    studies.service.run()
    button(studies, "Cancel").click()
    studies.wait()
    assert studies.service.state == "waiting"
    assert studies.service.result is None


def test_edits_mark_a_study_as_outdated_until_it_is_rerun(studies: Any, tagged: Any) -> None:
    studies.open(tagged)
    before = studies.service.result
    studies.world.flip(0, 0)
    assert studies.service.stale
    assert "outdated" in texts(studies)
    assert studies.cell(0, "Total").token == "muted"
    studies.wait()
    assert studies.service.result is not before
    assert not studies.service.stale
    assert "outdated" not in texts(studies)


def test_sampling_stays_outdated_until_run_again(studies: Any, tagged: Any) -> None:
    studies.open(tagged)
    studies.show("sampling")
    service = studies.service
    service.set_wish(replace(service.wish, errors="5 6", sizes="10 20"))
    service.run()
    studies.wait()
    before = service.result
    studies.world.flip(0, 0)
    studies.wait()
    assert service.result is before
    assert "outdated" in texts(studies)
    studies.world.workspace.undo()
    studies.wait()
    assert not service.late
    service.set_wish(replace(service.wish, sizes="10 30"))
    assert "options changed since" in texts(studies)
    button(studies, "Run again").click()
    studies.wait()
    assert service.study.asks(service.wish, service.options) == service._made
    assert service.result.study.options.sizes == (10, 30)


def test_gold_with_one_class_is_reported(studies: Any) -> None:
    for value in (0, 1):
        studies.open(all_tags(value))
        for study in STUDIES:
            studies.show(study.name)
            assert "All gold tags are the same" in texts(studies)
            assert studies.service.result is None


def test_single_system_is_reported_as_too_few_for_d(studies: Any) -> None:
    studies.open(make_corpus(1))
    assert "d is undefined with only one system" in texts(studies)
    assert studies.cell(0, "d").text == "–"
    assert studies.cell(0, "all-OK").text in ("0", "1")


def test_missing_probabilities_are_reported_for_thresholds(studies: Any, qtbot: Any) -> None:
    studies.open(make_corpus(3))
    studies.show("thresholds")
    assert "No system has probabilities" in texts(studies)
    with qtbot.waitSignal(studies.page.files_wanted):
        button(studies, "Add files…").click()


def test_gaps_have_labellings_but_no_thresholds(studies: Any, tagged: Any) -> None:
    gold = tagged.layers[GOLD].tags
    for provenance, name in (
        (Provenance.GOLD, "gold"),
        (Provenance.SYSTEM, "system 0"),
        (Provenance.SYSTEM, "system 1"),
    ):
        key = LayerKey(provenance, name, Kind.GAPS)
        lengths = gold.lengths() + 1
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        values = (np.random.default_rng(len(name)).random(offsets[-1]) < 0.2).astype(np.uint8)
        tagged = tagged.with_layer(Layer(key, TagColumn(values, offsets)))
    studies.open(tagged)
    studies.world.workspace.set_kind(Kind.GAPS)
    studies.wait()
    assert studies.service.result.requested.scoring.level.tags is Kind.GAPS
    studies.show("thresholds")
    assert "Thresholds apply to words" in texts(studies)
    button(studies, "Switch to words").click()
    studies.wait()
    assert studies.service.result is not None


def test_sentence_level_is_reported_with_a_switch_to_words(studies: Any, tagged: Any) -> None:
    for provenance in (Provenance.GOLD, Provenance.SYSTEM):
        key = LayerKey(provenance, "hter", Kind.SCORES)
        tagged = tagged.with_layer(Layer(key, np.linspace(0, 1, tagged.size)))
    studies.open(tagged)
    workspace = studies.world.workspace
    workspace.set_level(next(level for level in workspace.levels() if level.name == "sentences"))
    studies.wait()
    assert "Metric checks need words, gaps or source words" in texts(studies)
    button(studies, "Switch to words").click()
    studies.wait()
    assert studies.service.result is not None


def test_tab_order_goes_from_table_to_tabs_and_chart(studies: Any, tagged: Any, qtbot: Any) -> None:
    studies.open(tagged)
    area, views = studies.area, studies.page.views
    area.activateWindow()
    qtbot.waitUntil(area.isActiveWindow)
    qtbot.waitUntil(lambda: views.picture.place.plot is not None)
    studies.wait()
    views.picture.place.plot.finish()
    # the chart enters the tab order in its layout
    QApplication.processEvents()
    studies.view.setFocus()
    qtbot.keyClick(studies.view, Qt.Key.Key_Tab)
    assert views.tabBar().hasFocus()
    qtbot.keyClick(views.tabBar(), Qt.Key.Key_Tab)
    assert views.picture.isAncestorOf(QApplication.focusWidget())
    current, order = studies.page.bar.study, []
    for _ in range(120):
        order.append(current)
        current = current.nextInFocusChain()
    bar = studies.page.bar
    stops = (bar.study, bar._correction, bar.metrics, bar.draws, studies.page.add, studies.view, views.tabBar())
    positions = [order.index(widget) for widget in stops]
    assert positions == sorted(positions)
