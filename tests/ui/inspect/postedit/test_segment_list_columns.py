"""Columns of the segment list while post-editing, and the direction of their texts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QStyleOptionViewItem

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance
from qe_desktop.corpus.translation_job import TargetRules
from qe_desktop.local_qe.qa_checks.runner import run_checks
from qe_desktop.project import ReviewField
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from qe_desktop.ui.workspace import Workspace
from tests.ui.inspect.postedit.conftest import job_corpus

SCORES = LayerKey(Provenance.SYSTEM, "qe", Kind.SCORES)


def visible_columns(area: InspectArea) -> set[SegmentColumn]:
    return {column for column in SegmentColumn if not area.view.isColumnHidden(column)}


def test_first_edit_keeps_the_score_columns(area: InspectArea, workspace: Workspace) -> None:
    """The first post-edit adds tags to a corpus that has only scores; the scores must stay visible."""
    workspace.open(replace(job_corpus(), layers={SCORES: Layer(SCORES, np.array([0.1, 0.9, 0.5, 0.4]))}))
    before, bar = visible_columns(area), area.tag_toolbar.isVisible()
    assert SegmentColumn.SCORE in before
    assert workspace.session is not None
    workspace.session.reviewing.set({1: {ReviewField.TARGET: "Der grüne Apfel!"}})
    assert len(workspace.session.view.tag_layers(Kind.WORDS)) == 1
    assert visible_columns(area) == before
    assert area.tag_toolbar.isVisible() is bar, "without tags, the displayed text does not move"
    assert not area.tag_toolbar.has_targets
    workspace.undo()
    assert visible_columns(area) == before


def test_qa_check_results_keep_the_score_column(area: InspectArea, workspace: Workspace) -> None:
    corpus, scores = job_corpus(), Layer(SCORES, np.array([0.1, 0.9, 0.5, 0.4]))
    checked = {layer.key: layer for layer in run_checks(corpus)}
    workspace.open(replace(corpus, layers={SCORES: scores, **checked}))
    assert {SegmentColumn.SCORE, SegmentColumn.BAD} <= visible_columns(area)


def test_score_column_of_a_file_with_flags_can_be_selected(area: InspectArea, workspace: Workspace) -> None:
    corpus, scores = job_corpus(), Layer(SCORES, np.array([0.1, 0.9, 0.5, 0.4]))
    workspace.open(replace(corpus, layers={**corpus.layers, SCORES: scores}))
    assert SegmentColumn.SCORE not in visible_columns(area)
    menu = QMenu()
    area.column_menu.fill(menu)
    (action,) = [action for action in menu.actions() if action.text() == "qe"]
    assert not action.isChecked()
    action.trigger()
    assert SegmentColumn.SCORE in visible_columns(area)
    # the selection does not apply to the evaluation view, where it depends on the level
    area.inspect_view.show_evaluation()
    assert SegmentColumn.SCORE not in visible_columns(area)


def test_each_segment_has_the_direction_of_its_target_language(area: InspectArea, workspace: Workspace) -> None:
    corpus = job_corpus()
    assert corpus.job is not None
    rules = {segment: TargetRules(language="ar" if segment % 2 else "de") for segment in range(4)}
    workspace.open(replace(corpus, job=replace(corpus.job, rules=rules)))
    panel, delegate = area.review.controller.panel, area.view.itemDelegate()
    for segment in (0, 1, 3):
        workspace.go_to(segment)
        area.review.controller.open()
        assert area.reader.page.block(Kind.WORDS).layout.right_to_left is bool(segment % 2)
        direction = panel.edit.document().defaultTextOption().textDirection()
        assert (direction is Qt.LayoutDirection.RightToLeft) is bool(segment % 2)
    area.view.viewport().grab()
    laid = {key[0]: layout for key, (_, layout) in delegate._layouts.items() if key[1] is SegmentColumn.MT}
    assert [laid[segment].right_to_left for segment in range(4)] == [False, True, False, True]
    assert area.model.direction(1, SegmentColumn.SOURCE, workspace.settings) == "ltr"


def test_emptied_target_is_not_shown_with_the_layout_of_the_mt(area: InspectArea, workspace: Workspace) -> None:
    workspace.open(replace(job_corpus(), layers={}))
    assert workspace.session is not None
    area.view.viewport().grab()
    workspace.session.reviewing.set({1: {ReviewField.TARGET: ""}})
    cell = QStyleOptionViewItem()
    area.view.initViewItemOption(cell)
    cell.rect = area.view.visualRect(area.model.index(1, SegmentColumn.MT))
    excerpt, _, _ = area.view.itemDelegate()._positioned_excerpt(cell, 1, SegmentColumn.MT, None)
    assert excerpt.display_text.text == ""
