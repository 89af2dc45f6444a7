"""The Scores area during scoring and tests: cancelling, edits, thresholds, and opening another corpus."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, NumberColumn, Provenance
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.significance import significance_service as comparing
from tests.ui.scores.visible_texts import find_button, visible_texts


def test_large_corpus_is_compared_on_request(
    environment: Any, corpus: Any, area: ScoresArea, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "MAX_AUTOMATIC_TAGS", 10)
    environment.open(corpus(3))
    assert environment.comparison.state == "waiting"
    assert not area.systems.matrix.view.isVisibleTo(area)
    find_button(area, "Run").click()
    assert "Cancel" in [b.text() for b in area.findChildren(QPushButton) if b.isVisibleTo(area)]
    environment.wait()
    assert area.systems.matrix.view.isVisibleTo(area)
    environment.flip_tag(0, 0)
    environment.wait()
    assert environment.comparison.is_data_outdated
    assert "The data, metric or options have changed" in visible_texts(area)


def test_requested_comparison_of_large_data_continues_under_another_alpha(
    environment: Any, corpus: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "MAX_AUTOMATIC_TAGS", 10)
    environment.open(corpus(3))
    environment.comparison.run()
    environment.comparison.set_options(replace(environment.comparison.options, alpha=0.01))
    assert environment.comparison.state == "working"
    environment.wait()
    assert environment.comparison.state == "ready"
    assert environment.comparison.result.comparison.options.alpha == 0.01


def test_requested_comparison_of_large_data_continues_if_one_of_its_metrics_is_selected(
    environment: Any, corpus: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "MAX_AUTOMATIC_TAGS", 10)
    environment.open(corpus(3))
    environment.comparison.run()
    other = next(name for name in environment.workspace.level.tested_metrics if name != environment.comparison.metric)
    environment.comparison.set_metric(other)
    assert environment.comparison.state == "working"
    environment.wait()
    assert other in environment.comparison.result.metrics


def test_job_cancelled_elsewhere_returns_to_waiting(
    environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    environment.open(corpus(3))
    environment.comparison.set_options(replace(environment.comparison.options, rounds=1_000_000))
    assert environment.comparison.state == "working"
    assert "previous result shown" in visible_texts(area)
    environment.jobs.cancel(next(job for job in environment.jobs.running_jobs() if job.key == "comparison"))
    assert environment.comparison.state == "waiting"
    assert area.systems.matrix.view.isVisibleTo(area)
    environment.wait()


def test_edited_corpus_has_a_stale_result_until_recomputed(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(3))
    before = environment.comparison.result
    environment.flip_tag(0, 0)
    assert environment.comparison.is_data_outdated
    environment.wait()
    assert not environment.comparison.is_data_outdated
    assert environment.comparison.result is not before


def test_old_scores_stay_until_those_of_a_new_threshold_are_ready(
    environment: Any, corpus: Any, area: ScoresArea
) -> None:
    opened: Corpus = corpus(1)
    offsets = next(iter(opened.layers.values())).tags.offsets
    probabilities = np.random.default_rng(1).random(int(offsets[-1])).astype(np.float32)
    key = LayerKey(Provenance.SYSTEM, "chances", Kind.PROBABILITIES)
    environment.open(opened.with_layer(Layer(key, NumberColumn(probabilities, offsets))))
    model = area.systems.table.scores_model
    before = [model.index(row, 1).data() for row in range(2)]
    environment.workspace.session.set_threshold("chances", 0.2)
    assert environment.scores.state == "working"
    assert [model.index(row, 1).data() for row in range(2)] == before
    assert environment.comparison.is_data_outdated
    assert area.systems.matrix.view.isVisibleTo(area)
    environment.wait()
    assert [model.index(row, 1).data() for row in range(2)] != before
    assert not environment.comparison.is_data_outdated


def test_opening_another_corpus_clears_the_scores_at_once(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(2))
    environment.workspace.open(corpus(2))
    assert area.systems.table.scores_model.index(0, 1).data() == ""
    assert environment.comparison.result is None
    assert not area.systems.matrix.view.isVisibleTo(area)
    environment.wait()
