"""Switching between the translator's view and evaluation: what is hidden, kept, and remembered per file format."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QWidget

from qe_desktop.project import ReviewField
from qe_desktop.project.segment_filter import SortOrder
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.inspect_view import EVALUATION_VIEW, TRANSLATOR_VIEW
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from tests.ui.inspect.conftest import rich_corpus
from tests.ui.inspect.postedit.conftest import GOLD, OTHER, SYSTEM, job_corpus
from tests.ui.inspect.postedit.test_translator_view import visible_columns


def test_commands_of_evaluation_are_hidden_and_come_back(evaluated_area, commands, workspace):
    names = TRANSLATOR_VIEW.hidden_commands
    assert {"inspect.toggle", "inspect.next-disputed", "inspect.panel", "edit.own-layer"} < names
    assert not any(commands[name].isVisible() or commands[name].isEnabled() for name in names)
    assert not names & {action.id for action in commands.available_actions()}
    assert commands.text("inspect.next-bad") == "Next flagged word"
    assert commands["view.evaluation"].isVisible()
    assert not commands["view.evaluation"].isChecked()
    commands["view.evaluation"].trigger()
    assert all(commands[name].isVisible() for name in names)
    assert commands["inspect.toggle"].isEnabled()
    assert commands.text("inspect.next-bad") == "Next BAD tag"
    assert commands["view.evaluation"].isChecked()
    workspace.open(rich_corpus())
    assert not commands["view.evaluation"].isVisible()
    assert commands["inspect.toggle"].isEnabled()


def test_switching_keeps_segment_edits_layers_and_filters(evaluated_area, commands, workspace, qtbot):
    commands["view.evaluation"].trigger()
    workspace.add_own_layer(workspace.copy_source)
    target, bar = workspace.target, evaluated_area.filters
    workspace.go_to(3)
    evaluated_area.reader.toggle()
    workspace.session.reviewing.set({1: {ReviewField.TARGET: "Der rote Apfel.", ReviewField.NOTE: "why"}})
    bar.disputed.click()
    bar.sort_by(SegmentColumn.DISPUTED)
    qtbot.waitUntil(lambda: not workspace.jobs.running_jobs())
    workspace.go_to(1)
    query, columns = bar.query, visible_columns(evaluated_area)
    assert query.only_disagreement
    assert query.order is SortOrder.DISAGREEMENT
    assert "≠" in columns
    commands["view.evaluation"].trigger()
    assert (bar.query.only_disagreement, bar.query.order, workspace.segment) == (False, SortOrder.CORPUS, 1)
    assert visible_columns(evaluated_area) == ["#", "○✓", "source", "target", "flagged"]
    assert evaluated_area.view.currentIndex().row() == 1
    commands["view.evaluation"].trigger()
    assert bar.query == query
    qtbot.waitUntil(lambda: visible_columns(evaluated_area) == columns and workspace.segment == 1)
    qtbot.waitUntil(lambda: evaluated_area.model.segment_at(evaluated_area.view.currentIndex().row()) == 1)
    assert workspace.target == target
    assert workspace.session.view.edited_positions(target, 3).tolist() == [0]
    assert workspace.view.note(1) == "why"


def test_filters_stay_away_after_the_user_moved_on(evaluated_area, commands, workspace):
    commands["view.evaluation"].trigger()
    evaluated_area.filters.disputed.click()
    commands["view.evaluation"].trigger()
    workspace.go_to(2)
    commands["view.evaluation"].trigger()
    assert not evaluated_area.filters.query.only_disagreement
    assert workspace.segment == 2


def test_view_is_remembered_per_file_format(qtbot, workspace):
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    workspace.open(job_corpus())
    assert area.inspect_view.view_mode is TRANSLATOR_VIEW
    area.inspect_view.switch()
    assert area.inspect_view.view_mode is EVALUATION_VIEW
    assert workspace.settings.evaluation == {"xliff": True}
    job = job_corpus().job
    other = replace(job_corpus(), job=replace(job, files=(replace(job.files[0], form="po"),)))
    workspace.open(other)
    assert area.inspect_view.view_mode is TRANSLATOR_VIEW
    workspace.open(job_corpus())
    assert area.inspect_view.view_mode is EVALUATION_VIEW
    area.inspect_view.switch()
    assert area.inspect_view.view_mode is TRANSLATOR_VIEW


def test_comparison_of_systems_shows_evaluation(evaluated_area, workspace):
    workspace.segments_requested.emit(SYSTEM, OTHER, "MCC", workspace.level, GOLD)
    assert evaluated_area.inspect_view.view_mode is EVALUATION_VIEW
    assert evaluated_area.filters.query.compared_layers == (SYSTEM, OTHER)
    evaluated_area.inspect_view.switch()
    assert not evaluated_area.filters.query.has_external_order


def test_new_layer_to_edit_shows_evaluation(area, job_workspace):
    """Scores offers to tag from scratch, which needs tags that can be edited."""
    job_workspace.tag_from_scratch()
    assert area.inspect_view.view_mode is EVALUATION_VIEW
    assert area.tag_toolbar.target.isVisible()


def test_other_corpora_are_always_shown_for_evaluation(qtbot, workspace):
    workspace.settings.evaluation = {"xliff": False}
    workspace.open(rich_corpus())
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    # wide enough for every column
    area.resize(1600, 760)
    area.show()
    assert area.inspect_view.view_mode is EVALUATION_VIEW
    assert area.inspect_view.view is workspace.view
    assert visible_columns(area) == ["#", "○✓", "document", "source", "MT", "BAD", "≠"]
    assert [len(block.tag_rows) for block in area.reader.page.blocks] == [0, 2]
    area.inspect_view.switch()
    assert area.inspect_view.view_mode is EVALUATION_VIEW
