"""Legend popup: it ends at the segment header, whatever moves that, and the keyboard opens and closes it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QWidget

from qe_desktop.project import ReviewField
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.commands import ACTIONS
from qe_desktop.ui.inspect.postedit.status_symbols import NOTE_SYMBOL
from qe_desktop.ui.shell.commands import ACTIONS as SHELL_ACTIONS
from tests.ui.inspect.postedit.conftest import job_corpus


def header_top(area: InspectArea) -> int:
    return area.header.mapTo(area, QPoint(0, 0)).y()


def popup_bottom(area: InspectArea) -> int:
    return area.legend_popup.geometry().bottom() + 1


def test_popup_follows_the_header_when_the_list_changes_its_height(area, qtbot):
    area.header.legend.click()
    assert popup_bottom(area) == header_top(area)
    before = header_top(area)
    for height in (300, 150):
        area.list_splitter.setSizes([height, 700 - height])
        qtbot.waitUntil(lambda: popup_bottom(area) == header_top(area))
        assert header_top(area) != before
        before = header_top(area)
    area.review.controller.toggle_editing()
    area.resize(900, 600)
    qtbot.waitUntil(lambda: popup_bottom(area) == header_top(area))


def test_popup_is_hidden_while_no_files_are_open(area, rich_workspace, qtbot):
    corpus = rich_workspace.corpus
    area.header.legend.click()
    rich_workspace.close()
    assert not area.panel_splitter.isVisible()
    assert not area.legend_popup.isVisible()
    rich_workspace.open(corpus)
    assert area.legend_popup.isVisible()
    qtbot.waitUntil(lambda: popup_bottom(area) == header_top(area))


def test_popup_is_as_high_as_its_entries_need_at_its_width(area, qtbot):
    popup = area.legend_popup
    legend = popup.tags
    # the legend was narrow while it was hidden
    legend.resize(50, 30)
    area.header.legend.click()
    line = legend.sizeHint().height()
    assert legend.height() == legend.heightForWidth(legend.width()) == line
    frame = popup.height() - line
    assert frame < line
    legend.show_entries(legend.entries * 4)
    qtbot.waitUntil(lambda: legend.height() == legend.heightForWidth(legend.width()) > line)
    assert popup.height() - legend.height() == frame
    assert popup_bottom(area) == header_top(area)


def test_escape_closes_the_legend_first(area):
    for widget in (area.view, area.reader, area.header.legend, area.tag_toolbar.target):
        area.header.legend.click()
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_Escape)
        assert not area.legend_popup.isVisible()
        assert not area.header.legend.isChecked()
        assert widget.hasFocus()


def test_escape_closes_the_legend_before_the_list_of_qa_results_but_after_the_editor(qtbot, workspace):
    workspace.open(job_corpus())
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    area.show()
    qtbot.waitUntil(area.isActiveWindow)
    results, controller = area.review.qa_results, area.review.controller
    results.open()
    workspace.go_to(1)
    area.header.legend.click()
    QTest.keyClick(results.panel, Qt.Key.Key_Escape)
    assert (area.legend_popup.isVisible(), results.is_open) == (False, True)
    QTest.keyClick(results.panel, Qt.Key.Key_Escape)
    assert not results.is_open
    controller.open()
    area.header.legend.click()
    QTest.keyClick(controller.panel.edit, Qt.Key.Key_Escape)
    assert (area.legend_popup.isVisible(), controller.segment) == (True, None)
    assert area.view.hasFocus()
    QTest.keyClick(area.view, Qt.Key.Key_Escape)
    assert not area.legend_popup.isVisible()


def test_sign_of_a_note_is_in_the_legend_of_a_segment_with_a_note(qtbot, workspace):
    workspace.open(job_corpus())
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    area.show()
    workspace.go_to(1)
    area.header.legend.click()
    assert NOTE_SYMBOL not in [entry.letter for entry in area.legend_popup.tags.entries]
    workspace.session.reviewing.set({1: {ReviewField.NOTE: "Why?"}})
    assert [(entry.letter, entry.label) for entry in area.legend_popup.tags.entries][-1] == (NOTE_SYMBOL, "note")


def test_command_shows_and_hides_the_legend(area, rich_workspace, qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    commands = ActionRegistry(window, rich_workspace.settings)
    commands.add_all((*SHELL_ACTIONS, *ACTIONS))
    area.connect_actions(commands)
    assert "(Shift+E)" in area.header.legend.toolTip()
    commands["inspect.legend"].trigger()
    assert area.legend_popup.isVisible()
    commands["inspect.legend"].trigger()
    assert not area.legend_popup.isVisible()
    rich_workspace.close()
    commands["inspect.legend"].trigger()
    assert not area.legend_popup.isVisible()
