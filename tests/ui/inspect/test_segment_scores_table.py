"""Scores of the segment, which are shown in place of the texts if the corpus has only scores."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance
from qe_desktop.corpus.layers import MetricColumn
from qe_desktop.corpus.ratings import Ratings, Score
from qe_desktop.ui.inspect.segment_scores_table import SegmentScoresTable
from tests.ui.inspect.conftest import rich_corpus


def corpus_of_scores() -> Corpus:
    layers = [
        Layer(LayerKey(Provenance.SYSTEM, "one", Kind.SCORES), np.asarray([0.5, np.nan])),
        Layer(LayerKey(Provenance.GOLD, "gold", Kind.SCORES), np.asarray([-1.0, 2.0])),
    ]
    return Corpus("scores", 2, layers={layer.key: layer for layer in layers})


def shown(area: Any) -> list[list[str]]:
    (table,) = area.findChildren(SegmentScoresTable)
    assert table.isVisibleTo(area)
    assert not area.segment_pane.isVisibleTo(area)
    return [[cell.text for cell in row] for row in table.table.rows]


def test_scores_of_all_systems_are_shown_for_each_segment(area: Any, workspace: Any) -> None:
    workspace.open(corpus_of_scores())
    assert shown(area) == [["gold", "−1.000"], ["one", ".500"]]
    workspace.go_to(1)
    assert shown(area) == [["gold", "2.000"], ["one", "–"]]


def test_human_scores_and_metrics_have_a_row_for_each_system(area: Any, workspace: Any) -> None:
    ratings = Ratings.of(
        [Score("r", system, str(segment), "score", 10.0 * segment) for system in "AB" for segment in (1, 2)]
    )
    metrics = {"m": MetricColumn({"A": np.asarray([0.1, 0.2]), "C": np.asarray([0.3, 0.4])})}
    workspace.open(Corpus("metrics", 2, ratings=ratings, metric_scores=metrics))
    assert shown(area) == [["A", "10.000", ".100"], ["B", "10.000", "–"], ["C", "–", ".300"]]


def test_texts_are_shown_again_if_there_are_any(area: Any, workspace: Any) -> None:
    workspace.open(corpus_of_scores())
    workspace.open(replace(rich_corpus(), name="texts"))
    (table,) = area.findChildren(SegmentScoresTable)
    assert not table.isVisibleTo(area)
    assert area.segment_pane.isVisibleTo(area)
