"""A comparison of two systems hides the tags of other systems, and counts only the differences between the two."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Kind, Layer, Provenance
from qe_desktop.levels.words import WORD_LEVEL
from qe_desktop.project.segment_filter import SegmentQuery, count_disagreements, take_snapshot
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from qe_desktop.ui.inspect.segment_list.tag_finder import DISPUTED_FINDER
from tests.small_corpora import tags
from tests.ui.inspect.conftest import GOLD, A, B, layer_key, rich_corpus

C = layer_key(Provenance.SYSTEM, "C")
C_PROBABILITIES = layer_key(Provenance.SYSTEM, "C", Kind.PROBABILITIES)


@pytest.fixture
def area(workspace, qtbot) -> InspectArea:
    """Inspect area that compares A and B, with a corpus that also has the system C."""
    corpus = rich_corpus()
    (a_probabilities,) = [key for key in corpus.layers if key.kind is Kind.PROBABILITIES]
    added = {
        C: Layer(C, tags("oooo", "bbb", "bbbbbb", "bbb"), origin="C.tags", form="n"),
        C_PROBABILITIES: replace(corpus.layers[a_probabilities], key=C_PROBABILITIES),
    }
    workspace.open(replace(corpus, layers={**corpus.layers, **added}))
    widget = InspectArea(workspace, QWidget())
    qtbot.addWidget(widget)
    with qtbot.waitSignal(widget.model.modelReset):
        widget.show_difference(A, B, "F1-BAD", WORD_LEVEL)
    return widget


def row_names(area: InspectArea) -> list[str]:
    return [row.name for block in area.reader.page.blocks for row in block.tag_rows]


def disputed(area: InspectArea) -> dict[int, str]:
    rows = range(area.model.rowCount())
    return {area.model.segment_at(row): area.model.index(row, SegmentColumn.DISPUTED).data() for row in rows}


def test_only_compared_systems_have_tag_rows_and_differences(area, workspace):
    assert set(row_names(area)) == {A.name, B.name}
    # A and B differ in three words of the first segment and in one of the third and of the last
    assert disputed(area) == {0: "3", 1: "", 2: "1", 3: "1"}
    snapshot = take_snapshot(area.inspect_view.view, Kind.WORDS, SegmentQuery())
    assert count_disagreements(snapshot).tolist() == [3, 0, 1, 1]
    workspace.go_to(0)
    area.reader.go_to_index(0)
    area.go_to_tag(DISPUTED_FINDER, 1)
    assert (workspace.segment, area.reader.word_cursor.index) == (0, 2)
    # scores are computed from all systems
    assert C in workspace.view.tag_layers(Kind.WORDS)


def test_filter_for_disagreement_ignores_other_systems(area, qtbot):
    with qtbot.waitSignal(area.model.modelReset):
        area.filters.disputed.setChecked(True)
    assert sorted(area.model.segments.tolist()) == [0, 2, 3]


def test_ending_the_comparison_shows_all_systems(area, qtbot):
    button = area.filters.row.title
    assert "Only the tags of the compared systems" in button.toolTip()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert set(row_names(area)) == {A.name, B.name, C.name}
    assert disputed(area) == {0: "4", 1: "3", 2: "6", 3: "3"}
    assert area.inspect_view.view is area.workspace.view


def test_opening_other_files_ends_the_comparison(area, workspace):
    workspace.open(rich_corpus())
    assert area.inspect_view.view is workspace.view
    assert set(row_names(area)) == {A.name, B.name}
    assert area.inspect_view.view.compared_layers(Kind.WORDS) == []


def test_comparison_of_scores_hides_no_tags(area, workspace):
    key = layer_key(Provenance.GOLD, "hter", Kind.SCORES)
    assert area.inspect_view.compare((key, key)) is workspace.view
    assert set(row_names(area)) == {A.name, B.name, C.name}


def test_kind_in_which_only_one_compared_system_has_tags_counts_all_layers(area):
    view = area.inspect_view.view
    assert view.compared_layers(Kind.WORDS) == [A, B]
    assert view.compared_layers(Kind.GAPS) == []
    assert view.is_hidden(C)
    assert not view.is_hidden(GOLD)
    assert not view.is_hidden(A)
