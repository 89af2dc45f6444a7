"""Texts and filters of the Inspect area: empty list, active filters, segment header, singular and plural."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance, TextColumn, TextRole, View
from qe_desktop.project import Edit
from qe_desktop.report.power_notes import too_few_documents_note, too_few_rounds_note, too_few_segments_note
from qe_desktop.significance.power_limits import UnattainableLevel
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.reader.segment_header import header_text
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from qe_desktop.ui.inspect.segment_list.segment_view import NOTHING_OPEN
from tests.ui.inspect.conftest import GOLD, rich_corpus
from tests.ui.inspect.postedit.conftest import job_corpus


@pytest.fixture
def area(qtbot, workspace) -> InspectArea:
    widget = InspectArea(workspace, QWidget())
    qtbot.addWidget(widget)
    widget.resize(1200, 760)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def test_empty_list_states_whether_a_corpus_is_open(area, workspace, qtbot):
    assert area.view.empty_text() == NOTHING_OPEN
    assert "open a folder" in NOTHING_OPEN
    workspace.open(job_corpus())
    area.filters.search.setText("in no segment")
    qtbot.waitUntil(lambda: area.model.rowCount() == 0)
    assert area.view.empty_text() == "No matching segments."
    assert area.view.clear_button.isVisible()
    area.view.clear_button.click()
    assert area.model.rowCount() == 4
    assert not area.view.clear_button.isVisible()
    assert area.view.hasFocus()
    workspace.close()
    assert area.view.empty_text() == NOTHING_OPEN


def test_tags_edited_filter_is_hidden_while_reviewing_unless_tags_were_edited(area, workspace, qtbot):
    workspace.open(rich_corpus())
    assert not area.filters.edited.isHidden()
    assert area.filters.edited.text() == "Tags edited"
    area.review.controller.open()
    assert not area.review.filter_bar.isHidden()
    assert area.filters.edited.isHidden()
    area.review.controller.stop_editing()
    workspace.edit(Edit(GOLD, 0, (0,), (1,)))
    assert not area.filters.edited.isHidden()
    area.filters.edited.click()
    qtbot.waitUntil(lambda: area.model.rowCount() == 1)
    workspace.undo()
    # an active filter stays visible so that it can be cleared
    assert not area.filters.edited.isHidden()


def test_box_for_the_edited_layer_is_hidden_without_tags(area, workspace):
    corpus = job_corpus()
    workspace.open(replace(corpus, layers={}))
    area.inspect_view.show_evaluation()
    assert area.tag_toolbar.target.isHidden()
    assert area.tag_toolbar.no_tags_hint.isVisible()
    workspace.open(corpus)
    assert area.tag_toolbar.target.isVisible()
    assert area.tag_toolbar.target.itemText(0) == "Tag as…"
    workspace.add_own_layer()
    assert "Tag as…" not in [
        area.tag_toolbar.target.itemText(index) for index in range(area.tag_toolbar.target.count())
    ]


def test_segment_header_omits_systems_without_a_score_for_the_segment():
    corpus = rich_corpus()
    key = LayerKey(Provenance.SYSTEM, "percent", Kind.SCORES)
    scores = np.array([100.0, np.nan, 75.0, np.nan])
    view = View(replace(corpus, layers={**corpus.layers, key: Layer(key, scores)}))
    assert "percent 100" in header_text(view, 0)
    assert "percent" not in header_text(view, 1)
    hter = LayerKey(Provenance.GOLD, "hter", Kind.SCORES)
    view = View(replace(corpus, layers={**corpus.layers, hter: Layer(hter, scores)}))
    assert "no score in HTER" in header_text(view, 1)


def test_count_names_the_listed_segments_and_the_total_only_if_a_filter_is_on(area, workspace, qtbot):
    workspace.open(rich_corpus())
    count = area.filters.count
    assert (count.text(), count.accessibleName(), count.toolTip()) == ("4 segments", "4 segments", "4 segments")
    area.filters.bad.click()
    qtbot.waitUntil(lambda: area.model.rowCount() == 3)
    sentence = "3 of 4 segments are listed"
    assert (count.text(), count.accessibleName(), count.toolTip()) == ("3 of 4", sentence, sentence)
    area.filters.reset()
    assert count.text() == "4 segments"


def test_counts_of_one_use_the_singular(area, workspace):
    workspace.open(rich_corpus())
    area.filters.set_count(1, 1)
    assert area.filters.count.accessibleName() == "1 segment"
    area.filters.set_count(4, 4)
    assert area.filters.count.accessibleName() == "4 segments"
    for note, singular, plural in (
        (too_few_segments_note, "1 segment is too few", "2 segments are too few"),
        (too_few_documents_note, "1 document is too few", "2 documents are too few"),
        (too_few_rounds_note, "1 trial is too few", "2 trials are too few"),
    ):
        for correction in ("none", "holm"):
            for significance in (True, False):
                missed = UnattainableLevel(0.05, 0.5, 1, significance, 100)
                assert note(1, correction, missed).startswith(singular)
                assert note(2, correction, missed).startswith(plural)


def test_current_row_stays_in_view_when_the_list_shrinks(area, workspace):
    workspace.open(job_corpus())
    area.resize(1200, 900)
    view, row = area.view, area.model.rowCount() - 1
    view.show_row(row)
    height = view.verticalHeader().defaultSectionSize()
    splitter = area.list_height._splitter
    splitter.setSizes([view.y() + view.horizontalHeader().height() + 2 * height + 4, 600])
    rect = view.visualRect(view.currentIndex())
    assert view.currentIndex().row() == row
    assert rect.top() >= 0
    assert rect.bottom() < view.viewport().height()


def test_title_of_a_right_to_left_text_is_on_the_side_of_the_text(area, workspace):
    corpus = rich_corpus()
    hebrew = TextColumn.of(["שלום עולם"] * corpus.size)
    workspace.open(replace(corpus, texts={**corpus.texts, TextRole.MT: hebrew}, layers={}))

    def alignment(column: SegmentColumn) -> int:
        return area.model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)

    assert alignment(SegmentColumn.MT) & Qt.AlignmentFlag.AlignRight.value
    assert not alignment(SegmentColumn.SOURCE) & Qt.AlignmentFlag.AlignRight.value
