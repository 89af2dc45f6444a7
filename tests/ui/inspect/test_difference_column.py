"""Comparison of two systems in the segment list: influence of each segment on the metric, updated after edits."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Kind
from qe_desktop.levels.words import WORD_LEVEL
from qe_desktop.metrics import WORD_METRICS
from qe_desktop.project import Edit
from qe_desktop.significance import SegmentInfluence
from qe_desktop.studies.meta_eval.segment_rank_gap import RankGap
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.segment_list.list_queries import sorted_column
from qe_desktop.ui.inspect.segment_list.score_columns import DifferenceColumn, RankColumn
from qe_desktop.ui.inspect.segment_list.segment_delegate import elide_text
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from tests.tag_comparison import influence_of_tags
from tests.ui.inspect.conftest import GOLD, A, B


@pytest.fixture
def area(rich_workspace, qtbot):
    widget = InspectArea(rich_workspace, QWidget())
    qtbot.addWidget(widget)
    with qtbot.waitSignal(widget.model.modelReset):
        widget.show_difference(A, B, "F1-BAD", WORD_LEVEL)
    return widget


def influences(rich) -> np.ndarray:
    session = rich.session
    return influence_of_tags(
        WORD_METRICS["F1-BAD"], session.view.tags(GOLD), session.view.tags(A), session.view.tags(B)
    )


def settle(rich, qtbot) -> None:
    qtbot.waitUntil(rich.jobs.is_idle)


def test_list_is_ranked_and_labelled_by_influence_on_the_metric(area, rich_workspace):
    influence = influences(rich_workspace)
    assert area.model.segments.tolist() == np.argsort(-np.abs(influence), kind="stable").tolist()
    for row, segment in enumerate(area.model.segments):
        text = area.model.index(row, SegmentColumn.DIFFERENCE).data()
        assert text.startswith("equal" if not influence[segment] else A.name if influence[segment] > 0 else B.name)
    assert area.model.headerData(SegmentColumn.DIFFERENCE, Qt.Orientation.Horizontal) == "effect on F1-BAD"
    # an arrow would say that one of the systems comes first
    assert sorted_column(area.filters.query, area.model.list_state.scores) is None
    assert "Without an arrow, the largest come first." in area.model.list_state.difference.tooltip
    favoured = [int((np.sign(influence) == sign).sum()) for sign in (1, -1)]
    counts = area.model.list_state.difference.counts
    assert [int(number) for number in re.findall(r" in (\d+)", counts)] == favoured


def test_list_is_copied_with_the_effects_in_full_precision(area, rich_workspace, qtbot):
    influence = influences(rich_workspace)
    QGuiApplication.clipboard().setText("before")
    area.clipboard_controller.copy_list()
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() != "before")
    header, *lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    titles = area.view.shown_titles()
    assert SegmentColumn.DIFFERENCE in titles
    assert {"segment", "source", "better system", "effect on F1-BAD"} <= set(header)
    assert len(header) == len(titles) + 1, "the effect has two columns"
    rows = [dict(zip(header, line, strict=True)) for line in lines]
    assert [int(row["segment"]) - 1 for row in rows] == area.model.segments.tolist()
    for row in rows:
        effect = influence[int(row["segment"]) - 1]
        assert float(row["effect on F1-BAD"]) == abs(effect)
        assert row["better system"] == ("" if not effect else A.name if effect > 0 else B.name)


def test_clicks_on_the_title_list_first_where_one_system_is_better(area, rich_workspace, qtbot):
    influence = influences(rich_workspace)
    assert (influence > 0).any()
    assert (influence < 0).any()
    rich_workspace.go_to(int(area.model.segments[-1]))
    descending, ascending = (
        (SegmentColumn.DIFFERENCE, order) for order in (Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder)
    )
    for keys, arrow in ((influence, descending), (-influence, ascending), (np.abs(influence), None)):
        with qtbot.waitSignal(area.model.modelReset):
            area.view.column_chosen.emit(SegmentColumn.DIFFERENCE)
        assert area.model.segments.tolist() == np.argsort(-keys, kind="stable").tolist()
        assert rich_workspace.segment == area.model.segments[0]
        assert sorted_column(area.filters.query, area.model.list_state.scores) == arrow
    area.view.column_chosen.emit(SegmentColumn.BAD)
    assert area.filters.query.has_external_order


def test_edit_updates_influences_and_keeps_the_order(area, rich_workspace, qtbot):
    before, order = area.model.list_state.difference.influence.values, area.model.segments.tolist()
    rich_workspace.edit(Edit(GOLD, 0, (0, 1), (1, 0)))
    settle(rich_workspace, qtbot)
    after = area.model.list_state.difference.influence.values
    assert after.tolist() == influences(rich_workspace).tolist() != before.tolist()
    assert area.model.segments.tolist() == order


def test_changing_the_tag_kind_keeps_the_comparison(area, rich_workspace, qtbot):
    before = area.model.list_state.difference.influence.values.tolist()
    with qtbot.waitSignal(area.model.modelReset):
        rich_workspace.set_kind(Kind.GAPS)
    assert area.model.list_state.difference.influence.values.tolist() == before


def test_filter_keeps_the_ranking(area, rich_workspace, qtbot):
    with qtbot.waitSignal(area.model.modelReset):
        area.filters.bad.setChecked(True)
    influence = np.abs(influences(rich_workspace))
    assert list(influence[area.model.segments]) == sorted(influence[area.model.segments], reverse=True)
    assert len(area.model.segments) < rich_workspace.corpus.size


def test_small_influences_are_shown_with_enough_digits_to_differ():
    values = np.array([0.0004, -0.0001234, 0.0, 1e-12])
    ahead = DifferenceColumn.of(SegmentInfluence((A, B), "MCC", values))
    assert [ahead.text(segment) for segment in range(4)] == ["A +.000400", "B <b> +.000123", "equal", "A better"]
    assert "MCC" in ahead.tooltip
    assert DifferenceColumn.of(SegmentInfluence((A, B), "", np.array([2.0]))).text(0) == "2 different"


def test_removing_one_of_the_two_systems_shows_all_segments(area, rich_workspace):
    rich_workspace.session.remove(B)
    assert area.model.list_state.difference is None
    assert area.model.segments.tolist() == [0, 1, 2, 3]
    assert area.view.isColumnHidden(SegmentColumn.DIFFERENCE)


def test_rank_column_states_which_scores_rank_a_translation_higher():
    higher = RankColumn(RankGap("online-B", "COMET", np.array([1200.4, -3.0, 0.0]), 5000))
    assert [higher.text(segment) for segment in range(3)] == ["COMET +1,200", "human scores +3", "equal"]
    assert higher.title == "ranked higher by"
    assert "online-B" in higher.tooltip
    assert "5,000 translations that have both a COMET score" in higher.tooltip


def test_eliding_keeps_the_number_after_a_long_name(area):
    metrics, text = area.view.fontMetrics(), "CUNI-Transformer2018 +.0551"
    width = metrics.horizontalAdvance(text) * 2 // 3
    assert elide_text(text, SegmentColumn.DIFFERENCE, metrics, width).endswith("+.0551")
    assert elide_text(text, SegmentColumn.DOCUMENT, metrics, width).startswith("CUNI-Transf")
