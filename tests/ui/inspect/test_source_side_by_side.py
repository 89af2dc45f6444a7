"""The source is next to the target in a wide window, and each text has the direction of its language."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow

from qe_desktop.corpus import Kind, TextColumn
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.commands import ACTIONS, AREA
from qe_desktop.ui.inspect.inspect_view_controller import InspectViewController
from qe_desktop.ui.shell.commands import ACTIONS as OF_THE_WINDOW
from tests.ui.inspect.postedit.conftest import job_corpus
from tests.ui.inspect.test_segment_pane import WORDS, is_fully_visible, sentences, show_area


@pytest.fixture
def area(qtbot, workspace) -> InspectArea:
    return show_area(qtbot, workspace)


def test_source_is_next_to_the_reader_in_a_wide_window(area, workspace, qtbot):
    workspace.open(sentences(WORDS, 40))
    assert not area.segment_pane.is_side_by_side
    area.resize(1850, 1000)
    qtbot.waitUntil(lambda: area.segment_pane.is_side_by_side)
    source, reader = area.segment_pane.source, area.reader
    qtbot.waitUntil(lambda: source.visibleRegion().boundingRect().height() >= round(reader.visible_top))
    edge = source.mapTo(area, QPoint(source.width(), 0)).x()
    qtbot.waitUntil(lambda: reader.mapTo(area, QPoint(0, 0)).x() >= edge)
    # both texts start at the same height
    blocks = reader.page.blocks
    left = source.mapTo(area, QPoint(0, round(blocks[0].top))).y()
    qtbot.waitUntil(
        lambda: abs(reader.mapTo(area, QPoint(0, round(blocks[1].top - reader.visible_top))).y() - left) <= 1
    )
    word_rects = [rect for rects in blocks[0].layout.rects for rect in rects]
    assert max(rect.right() for rect in word_rects) + reader.page.metrics.left <= source.width()
    controller = area.review.controller
    controller.open()
    QTest.keyClick(controller.panel.edit, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    controller._show_draft()
    qtbot.waitUntil(lambda: is_fully_visible(area))
    word = reader.page.word_rects(blocks[0], 3)[0].center()
    source._reader.hover(word, Qt.MouseButton.NoButton)
    assert reader._hovered == (Kind.SOURCE, 3)


def test_source_beside_action_moves_the_source_and_reports_a_narrow_window(area, workspace, qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    commands = ActionRegistry(window, workspace.settings)
    commands.add_all((*OF_THE_WINDOW, *ACTIONS))
    area.connect_actions(commands)
    action, messages = commands[f"{AREA}.source-beside"], []
    area.review.controller.message_posted.connect(messages.append)
    workspace.open(sentences(WORDS, 2))
    area.resize(1850, 1000)
    qtbot.waitUntil(lambda: area.segment_pane.is_side_by_side)
    assert action.isChecked()
    action.trigger()
    assert not area.segment_pane.is_side_by_side
    assert not action.isChecked()
    assert workspace.settings.source_side_by_side is False
    source, reader = area.segment_pane.source, area.reader
    qtbot.waitUntil(lambda: source.mapTo(area, QPoint(0, source.height())).y() <= reader.mapTo(area, QPoint()).y() + 1)
    qtbot.waitUntil(lambda: reader.width() > 1500)
    assert messages == []
    area.resize(1210, 740)
    assert (action.text(), action.isChecked()) == ("Source next to the target", False)
    action.trigger()
    assert workspace.settings.source_side_by_side
    # the source is still above the target
    assert (action.text(), action.isChecked()) == ("Source next to the target (window too narrow)", False)
    assert len(messages) == 1
    assert "wide enough" in messages[0]
    action.trigger()
    assert (action.text(), action.isChecked()) == ("Source next to the target", False)
    assert "above" in messages[1]
    action.trigger()
    area.resize(1850, 1000)
    qtbot.waitUntil(action.isChecked)
    assert action.text() == "Source next to the target"
    workspace.close()
    assert not action.isEnabled()
    assert "No MT is shown" in action.toolTip()


@pytest.mark.parametrize("languages", [("en", "he"), ("he", "en"), ("de", "fr")])
def test_languages_of_the_file_set_the_directions_side_by_side(area, workspace, qtbot, languages):
    # from the Latin script of these texts, the direction would be left to right
    workspace.open(replace(job_corpus(), languages=languages, translations={"other": TextColumn.of(["Latin"] * 4)}))
    # the translator's view has no other translations
    InspectViewController.of(workspace).show_evaluation()
    workspace.settings.source_side_by_side = True
    area.resize(2600, 900)
    qtbot.waitUntil(lambda: area.segment_pane.is_side_by_side)
    area.review.controller.open()
    from_right = [language == "he" for language in languages]
    page, panel = area.reader.page, area.review.controller.panel
    assert [page.block(kind).layout.right_to_left for kind in (Kind.SOURCE, Kind.WORDS)] == from_right
    for part in (panel.edit, panel.changes):
        direction = part.document().defaultTextOption().textDirection()
        assert (direction is Qt.LayoutDirection.RightToLeft) is from_right[1]
    qtbot.waitUntil(lambda: area.comparison.view.laid_out is not None)
    assert {line.layout.right_to_left for line in area.comparison.view.laid_out.laid_out_lines} == {from_right[1]}
