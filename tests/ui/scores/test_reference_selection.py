"""Selecting the reference where several gold layers are open."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance
from qe_desktop.levels.sentences import SENTENCES
from qe_desktop.levels.words import WORD_LEVEL
from qe_desktop.project.segment_filter import SegmentQuery, SortOrder, filter_segments, take_snapshot
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.score_table_view import score_report
from tests.levels import toy_level

HTER, TIME = (LayerKey(Provenance.GOLD, name, Kind.SCORES) for name in ("gold", "time"))
SEGMENTS = 60


@pytest.fixture
def area(environment: Any, qtbot: QtBot) -> ScoresArea:
    scores_area = ScoresArea(environment.comparison)
    assert scores_area.systems
    qtbot.addWidget(scores_area)
    scores_area.resize(1200, 720)
    return scores_area


def two_golds(**more: Any) -> Corpus:
    """Return a corpus in which each of two systems correlates with one of two gold layers."""
    draw = np.random.default_rng(3)
    hter, time = draw.normal(size=(2, SEGMENTS))
    near = hter + draw.normal(size=SEGMENTS) / 3, time + draw.normal(size=SEGMENTS) / 3
    opened = toy_level.make_corpus(hter, like_hter=near[0], like_time=near[1])
    return opened.with_layer(Layer(TIME, time))


def pearson(opened: Corpus, system: str, gold: LayerKey) -> float:
    scores = opened.layers[LayerKey(Provenance.SYSTEM, system, Kind.SCORES)].scores
    return float(np.corrcoef(scores, opened.layers[gold].scores)[0, 1])


def reference_combo(area: ScoresArea) -> QComboBox:
    return area.systems.options._reference


def ranked_systems(area: ScoresArea) -> list[str]:
    """Return the systems in the table, best first."""
    model = area.systems.table.scores_model
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def test_single_gold_has_no_reference_selector(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(2))
    assert not reference_combo(area).isVisibleTo(area)
    assert environment.workspace.references() == [environment.scores.reference]


def test_first_gold_is_the_default_reference(environment: Any, area: ScoresArea) -> None:
    opened = two_golds()
    environment.open(opened)
    assert reference_combo(area).isVisibleTo(area)
    assert [reference_combo(area).itemText(index) for index in range(2)] == ["gold scores", "time"]
    assert reference_combo(area).currentData() == environment.scores.reference == HTER
    assert ranked_systems(area) == ["like_hter", "like_time"]


def test_reference_selected_by_keyboard_updates_scores_and_tests(
    environment: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    opened = two_golds()
    environment.open(opened)
    area.show()
    reference_combo(area).setFocus()
    qtbot.keyClick(reference_combo(area), Qt.Key.Key_Down)
    environment.wait()
    assert environment.scores.reference == TIME
    for index, layer in enumerate(environment.scores.layers):
        assert environment.scores.values["Pearson"][index] == pytest.approx(pearson(opened, layer.name, TIME))
    assert ranked_systems(area) == ["like_time", "like_hter"]
    result = environment.comparison.result
    assert result.reference == TIME
    assert result.comparison.of("Pearson").beats[1, 0]
    low, high = result.interval("Pearson", environment.scores.layers[1])
    assert low < pearson(opened, "like_time", TIME) < high
    assert pearson(opened, "like_time", HTER) < low
    assert "against time" in area.systems._title.text()


def test_reference_can_be_selected_from_the_list(environment: Any, area: ScoresArea) -> None:
    environment.open(two_golds())
    # a click in the list
    reference_combo(area).setCurrentIndex(1)
    reference_combo(area).activated.emit(1)
    environment.wait()
    assert environment.scores.reference == TIME
    assert ranked_systems(area) == ["like_time", "like_hter"]


def test_segments_of_a_cell_use_the_reference_of_its_scores(environment: Any, area: ScoresArea, qtbot: QtBot) -> None:
    environment.open(two_golds())
    environment.workspace.set_reference(TIME)
    environment.wait()
    request: list[Any] = []
    environment.workspace.segments_requested.connect(lambda *arguments: request.extend(arguments))
    view = area.systems.matrix.view
    view.setCurrentIndex(view.matrix.index(0, 1))
    qtbot.keyClick(view, Qt.Key.Key_Return)
    left, right, metric, level, reference = request
    assert reference == TIME
    opened = environment.workspace.view
    query = SegmentQuery(
        order=SortOrder.DIFFERENCE, compared_layers=(left, right), metric=metric, level=level, reference=reference
    )
    scores = [opened.corpus.layers[key].scores for key in (left, right)]
    # a later selection does not change the request
    environment.workspace.set_reference(HTER)
    differences = filter_segments(take_snapshot(opened, Kind.WORDS, query), query).influence
    differences_by_hter = filter_segments(
        take_snapshot(opened, Kind.WORDS, SegmentQuery(**{**_fields(query), "reference": HTER})), query
    ).influence
    assert differences.values != pytest.approx(differences_by_hter.values)
    time = opened.corpus.layers[TIME].scores
    ahead = np.corrcoef(scores[0], time)[0, 1] - np.corrcoef(scores[1], time)[0, 1]
    assert np.sign(differences.values.sum()) == np.sign(ahead)
    environment.wait()


def _fields(query: SegmentQuery) -> dict[str, Any]:
    return {name: getattr(query, name) for name in SegmentQuery.__slots__}


def test_report_signature_names_the_reference(environment: Any, area: ScoresArea) -> None:
    environment.open(two_golds())
    environment.workspace.set_reference(TIME)
    environment.wait()
    report = score_report(
        environment.scores, environment.scores.layers, [environment.workspace.level.metrics["Pearson"]]
    )
    assert "|gold:time|" in report.signature
    assert "|against:time|" in report.signature


def test_selected_reference_is_kept_while_the_corpus_is_open(environment: Any, corpus: Any, area: ScoresArea) -> None:
    words = corpus(2)
    scores = two_golds()
    both = words
    for layer in scores.layers.values():
        both = both.with_layer(layer)
    environment.open(both)
    environment.workspace.set_level(SENTENCES)
    environment.workspace.set_reference(TIME)
    environment.workspace.set_level(WORD_LEVEL)
    environment.wait()
    assert not reference_combo(area).isVisibleTo(area)
    assert environment.scores.reference.kind is Kind.WORDS
    environment.flip_tag(0, 0)
    environment.workspace.set_level(SENTENCES)
    environment.wait()
    assert reference_combo(area).currentData() == environment.scores.reference == TIME
    environment.open(both)
    environment.workspace.set_level(SENTENCES)
    environment.wait()
    assert environment.scores.reference == HTER


def test_missing_reference_falls_back_to_the_default(environment: Any) -> None:
    opened = two_golds()
    environment.open(opened)
    environment.workspace.set_reference(TIME)
    assert SENTENCES.reference(environment.workspace.view, TIME) == TIME
    assert SENTENCES.reference(environment.workspace.view, LayerKey(Provenance.GOLD, "gone", Kind.SCORES)) == HTER
    environment.wait()
